"""One server process: uvicorn around the application, on a socket that is open already."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import pickle
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

import uvicorn
from fastapi import FastAPI

from branchline.boards import BranchlineError
from branchline.child_process import Parent
from branchline.web.app import make_app
from branchline.web.core.http.plan import READY, ServingPlan
from branchline.web.core.metrics import ErrorCounter
from branchline.web.serving import logs
from branchline.web.serving.connections import OpenConnections, guarded
from branchline.web.serving.open_files import files_allowed

RARELY = (20_000, 20, 50)  # objects made before Python looks for lost ones: rooms are long-lived and have no loops
SWITCH = 0.0005  # seconds for which a thread keeps the others out: one that writes goes on after each statement
GOODBYE = 5  # seconds that open connections get when the process is stopped


def serve(plan: ServingPlan, listening: socket.socket, on_ready: Callable[[], None] = lambda: None) -> None:
    """Serve until a signal stops us."""
    logs.configure(plan.log_format, quiet=plan.quiet, requests=plan.log_requests)
    logging.getLogger().addHandler(ErrorCounter())
    logging.getLogger("python_multipart").setLevel(logging.ERROR)  # it warns of each form that is not one
    gc.set_threshold(*RARELY)
    sys.setswitchinterval(SWITCH)
    app = make_app(plan.settings, log_requests=plan.log_requests)
    config = config_for(app, plan)
    _Server(config, on_ready, app.state.server.live.release).run(sockets=[listening])


def config_for(app: FastAPI, plan: ServingPlan) -> uvicorn.Config:
    """Return how uvicorn serves the application."""
    http, websocket = guarded(OpenConnections(plan.settings.limits, plan.proxies, files_allowed()))
    return uvicorn.Config(
        app,
        http=http,
        ws=websocket,
        log_level=logging.WARNING if plan.quiet else logging.INFO,
        log_config=None,  # ours
        access_log=False,
        server_header=False,
        ws_max_size=plan.settings.limits.message,
        ws_max_queue=16,
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        limit_concurrency=None,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=GOODBYE,
        h11_max_incomplete_event_size=32_768,
        proxy_headers=bool(plan.proxies),
        forwarded_allow_ips=plan.proxies or None,
    )


class _Server(uvicorn.Server):
    """Says when it is ready, and lets those who wait for something go before it stops."""

    def __init__(self, config: uvicorn.Config, on_ready: Callable[[], None], on_stop: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_ready, self._on_stop = on_ready, on_stop

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open the application and take connections."""
        await super().startup(sockets)
        self._on_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no further connections, and finish what was begun."""
        self._on_stop()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Stop at the first signal, calmly; a second Ctrl-C does not wait."""
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def main(supervisor: Parent) -> None:
    """Run a process of the supervisor: it sends the plan, and hears READY or what went wrong."""
    try:
        plan: ServingPlan = supervisor.receive()
    except (EOFError, pickle.UnpicklingError):  # the supervisor ended before it could say anything
        sys.exit(1)
    threading.Thread(target=_stop_with_parent, daemon=True).start()
    try:
        serve(plan, socket.socket(fileno=plan.listening), lambda: supervisor.send(READY))
    except BranchlineError as fault:
        supervisor.send(" ".join(str(fault).split()))
        sys.exit(2)
    except (KeyboardInterrupt, asyncio.CancelledError):
        sys.exit(130)


def _stop_with_parent() -> None:
    """End as a signal would, once standard input is closed: the supervisor is gone."""
    while os.read(sys.stdin.fileno(), 1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(3 * GOODBYE)
    os._exit(1)  # something hangs, and nobody is left who would end it
