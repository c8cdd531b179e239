"""A real server, with real sockets, in a thread of the test: its settings and its parts can be chosen."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator

import uvicorn

from branchline.web.app import make_app
from branchline.web.core.http.plan import ServingPlan
from branchline.web.core.http.state import ServerState
from branchline.web.core.settings import Settings
from branchline.web.serving.process import config_for
from branchline.web.serving.server import listen


@contextlib.contextmanager
def running_here(settings: Settings, proxies: str = "") -> Iterator[tuple[str, ServerState]]:
    """The server's address, and its state."""
    app = make_app(settings)
    listening = listen("127.0.0.1", 0)
    server = uvicorn.Server(config_for(app, ServingPlan(settings, listening.fileno(), proxies)))
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    until = time.monotonic() + 40
    while not server.started:
        assert thread.is_alive() and time.monotonic() < until, "the server did not come up"
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", app.state.server
    finally:
        app.state.server.live.release()
        server.should_exit = True
        thread.join(20)
        listening.close()
