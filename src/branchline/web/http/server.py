"""Running the server: a listening socket, the processes that serve on it, and a line that says where it is."""

from __future__ import annotations

import os
import socket
import threading
import webbrowser
from collections.abc import Callable

from branchline.web.http import logs
from branchline.web.http.metrics_server import MetricsServer
from branchline.web.http.open_files import allow_many_files
from branchline.web.http.plan import Plan, ServeError
from branchline.web.http.supervisor import Supervisor
from branchline.web.settings import Settings

USUAL_PORT = 8000
BACKLOG = 2048  # connections that may wait to be answered


def run(
    settings: Settings,
    host: str,
    port: int | None,
    *,
    workers: int = 1,
    proxies: str = "",
    browser: bool = False,
    quiet: bool = False,
    metrics: str = "",
    log_format: str = logs.TEXT,
    log_requests: bool = False,
    say: Callable[[str], None] = print,
) -> None:
    """Serve until somebody stops us, at `port`; None: at the usual one, or a free one where that is taken."""
    if workers > 1 and settings.database_url.startswith("sqlite"):
        raise ServeError("--workers needs PostgreSQL: SQLite is for one process (--database postgresql://…)")
    logs.configure(log_format, quiet=quiet)
    allow_many_files()
    listening = listen(host, port)
    address = f"http://{_shown(host)}:{listening.getsockname()[1]}{settings.root}/"

    def ready() -> None:
        where = f"{settings.url}/, served from {address}" if settings.url else address
        say(f"branchline is at {where} (Ctrl-C stops it)")
        if browser:  # a browser in a terminal would keep us waiting: let it have a thread
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    plan = Plan(
        settings,
        listening.fileno(),
        proxies,
        quiet=quiet,
        metrics=metrics,
        log_format=log_format,
        log_requests=log_requests,
    )
    if os.name == "posix":
        Supervisor(plan, listening, workers).run(ready)
    else:  # sockets cannot be handed on here: one process
        from branchline.web.http.process import serve

        if metrics:
            MetricsServer(metrics, one_process=True)
        serve(plan, listening, ready)


def listen(host: str, port: int | None) -> socket.socket:
    """A socket that takes calls at `port`; None: at the usual one, or a free one where that is taken."""
    if port is None:
        try:
            return listen(host, USUAL_PORT)
        except ServeError:
            return listen(host, 0)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise ServeError(f"cannot listen on {host}:{port}: {error.strerror or error}") from None
    return listening


def _shown(host: str) -> str:
    if host in ("0.0.0.0", "::", ""):
        return "localhost"
    return f"[{host}]" if ":" in host else host
