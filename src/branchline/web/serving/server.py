"""Running the server: a listening socket, the processes that serve on it, and a line that says where it is."""

from __future__ import annotations

import io
import ipaddress
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from dataclasses import replace

import segno

from branchline.web.core.http.plan import ServeError, ServingPlan
from branchline.web.core.settings import Settings
from branchline.web.serving import logs
from branchline.web.serving.metrics_server import MetricsServer
from branchline.web.serving.open_files import allow_many_files
from branchline.web.serving.supervisor import Supervisor

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
    port = listening.getsockname()[1]
    address = f"http://{_shown(host)}:{port}{settings.root}/"
    if not settings.url and (found := network_address(host)):
        settings = replace(settings, network=f"http://{found}:{port}")

    def ready() -> None:
        say(f"branchline is at {reached(settings, address)} (Ctrl-C stops it)")
        if sys.stdout.isatty() and not quiet:
            say(code_for(settings))
        if browser:  # a browser in a terminal would keep us waiting: let it have a thread
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    plan = ServingPlan(
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
        from branchline.web.serving.process import serve

        if metrics:
            MetricsServer(metrics, one_process=True)
        serve(plan, listening, ready)


def reached(settings: Settings, address: str) -> str:
    """Name the addresses by which the server is reached, those for others too."""
    if settings.url:
        return f"{settings.url}/, served from {address}"
    if settings.network:
        return f"{address} and, in your network, at {settings.network}{settings.root}/"
    return f"{address}, for this computer only; --host 0.0.0.0 opens it to your network"


def code_for(settings: Settings) -> str:
    """Draw the address for other devices as a QR code for a terminal; empty where they cannot reach the server."""
    outside = f"{settings.network}{settings.root}/" if settings.network else settings.url
    if not outside:
        return ""
    drawn = io.StringIO()
    segno.make_qr(outside).terminal(drawn, compact=True)
    return drawn.getvalue()


def network_address(host: str) -> str:
    """Return the address by which other devices of the network reach a server that listens at `host`; empty: none.

    No packet is sent: the system is only asked from which address one would leave.
    """
    try:
        if not ipaddress.ip_address(host or "0.0.0.0").is_unspecified:
            return "" if ipaddress.ip_address(host).is_loopback else _shown(host)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
            asking.connect(("192.0.2.1", 9))  # an address kept for documents
            address = str(asking.getsockname()[0])
    except (OSError, ValueError):  # no network, or `host` is a name
        return ""
    return "" if ipaddress.ip_address(address).is_loopback else address


def listen(host: str, port: int | None) -> socket.socket:
    """Return a socket that takes calls at `port`; with None, at the usual one, or a free one where that is taken."""
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
