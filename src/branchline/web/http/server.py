"""Running the server: uvicorn around the application, and a line that says where it is."""

from __future__ import annotations

import gc
import logging
import socket
import threading
import webbrowser
from collections.abc import Callable

import uvicorn

from branchline.atlas import BranchlineError
from branchline.web.http.app import make_app
from branchline.web.settings import Settings

RARELY = (20_000, 20, 50)  # objects made before Python looks for lost ones: rooms are long-lived and have no loops
USUAL_PORT = 8000
BACKLOG = 2048  # connections that may wait to be answered
GOODBYE = 5  # seconds that open connections get when the server is stopped


class ServeError(BranchlineError):
    """The server cannot be started."""


def run(
    settings: Settings,
    host: str,
    port: int | None,
    *,
    proxies: str = "",
    browser: bool = False,
    quiet: bool = False,
    say: Callable[[str], None] = print,
) -> None:
    """Serve until somebody stops us, at `port`; None: at the usual one, or a free one where that is taken."""
    level = logging.WARNING if quiet else logging.INFO
    logging.basicConfig(level=level, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    logging.getLogger("alembic").setLevel(logging.WARNING)
    gc.set_threshold(*RARELY)
    listening = listen(host, port)
    app = make_app(settings)
    address = f"http://{_shown(host)}:{listening.getsockname()[1]}/"
    say(f"branchline is at {address} (Ctrl-C stops it)")
    if browser:
        # Whoever calls is queued until we serve. A browser in a terminal would keep us waiting: let it have a thread.
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    config = uvicorn.Config(
        app,
        log_level=level,
        access_log=False,
        server_header=False,
        ws_max_size=settings.limits.message,
        ws_max_queue=16,
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        limit_concurrency=None,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=GOODBYE,
        h11_max_incomplete_event_size=32_768,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies or None,
    )
    uvicorn.Server(config).run(sockets=[listening])


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
