"""Keeps server processes running on one listening socket, and replaces them without a gap.

A process that is to go is told so once its successor takes connections: so a new version is taken into use (SIGHUP).
A process that dies is started again.
"""

from __future__ import annotations

import contextlib
import logging
import os
import queue
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FrameType

from branchline.child_process import ChildExitError, ChildProcess
from branchline.web.core.http.plan import READY, ServeError, ServingPlan
from branchline.web.serving.metrics_server import MetricsServer

log = logging.getLogger("branchline.supervisor")

LOOK = 0.2  # seconds between two looks at the processes
START = 120.0  # seconds that a process may take until it is ready
GOODBYE = 15.0  # seconds that a process may take to stop
ENDED = ""  # what is heard of one that ends without a word
PAUSES = (0.0, 0.5, 2.0, 10.0, 30.0)  # seconds to wait before a process that has died is started again: once, twice, …
STEADY = 60.0  # seconds after which a process counts as running well


@dataclass
class ServerProcess:
    """One server process, as the supervisor sees it."""

    child: ChildProcess
    started: float = field(default_factory=time.monotonic)
    said: queue.SimpleQueue[str] = field(default_factory=queue.SimpleQueue)

    def __post_init__(self) -> None:
        """Begin to listen for its only word."""
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        try:
            self.said.put(self.child.receive())
        except ChildExitError:
            self.said.put(ENDED)

    def wait_until_ready(self, stopping: Callable[[], bool]) -> None:
        """Wait until the process is ready, or no longer needed. Raise `ServeError` with what went wrong."""
        while True:
            try:
                word = self.said.get(timeout=LOOK)
                break
            except queue.Empty:
                if stopping():
                    return
                if time.monotonic() > self.started + START:
                    raise ServeError(f"the server was not ready within {START:.0f} s") from None
        if word != READY and not stopping():
            raise ServeError(word or f"the server process ended at its start (exit code {self.child.process.wait()})")

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self.child.process.poll() is None

    def stop(self) -> None:
        """Ask it to finish what it has begun, and to end."""
        if self.alive:
            self.child.process.terminate()

    def end(self) -> None:
        """Wait until it has ended; one that takes too long is killed."""
        try:
            self.child.process.wait(GOODBYE)
        except subprocess.TimeoutExpired:
            self.child.process.kill()
            self.child.process.wait()


class Supervisor:
    """All processes of one server."""

    def __init__(self, plan: ServingPlan, listening: socket.socket, workers: int) -> None:
        """Begin with this number of worker processes."""
        self._plan, self._listening, self._count = plan, listening, workers
        self._processes: list[ServerProcess] = []
        self._deaths = 0
        self._stop = self._replace = False
        self._metrics = MetricsServer(plan.metrics) if plan.metrics else None

    def run(self, on_ready: Callable[[], None]) -> None:
        """Serve until a signal stops us. Raise `ServeError` when the first process cannot be started."""
        before = {number: signal.signal(number, self._signalled) for number in _SIGNALS}
        try:
            self._begin()
            if not self._stop:
                on_ready()
            while not self._stop:
                self._look_after()
                time.sleep(LOOK)
        finally:
            for process in self._processes:
                process.stop()
            for process in self._processes:
                process.end()
            if self._metrics is not None:
                self._metrics.close()
            for number, handler in before.items():
                signal.signal(number, handler)

    def _begin(self) -> None:
        """Start the first process, which brings the database up to date; then the others."""
        for _ in range(self._count):
            if self._stop:
                return
            process = self._started()
            self._processes.append(process)
            process.wait_until_ready(self._stopping)

    def _look_after(self) -> None:
        """See what there is to do."""
        if self._replace:
            self._replace = False
            self._replace_all()
        for process in [process for process in self._processes if not process.alive]:
            self._processes.remove(process)
            self._start_again(process)

    def _replace_all(self) -> None:
        """Replace all processes one by one: the new one is ready before the old one is told to go."""
        leaving = []
        for old in list(self._processes):
            new = self._started()
            self._processes.append(new)
            try:
                new.wait_until_ready(self._stopping)
            except ServeError as error:
                log.error("a process is not replaced: %s", error)
                self._processes.remove(new)
                new.stop()
                leaving.append(new)
                break
            if self._stop:
                break
            self._processes.remove(old)
            old.stop()
            leaving.append(old)
        for process in leaving:
            threading.Thread(target=self._ended, args=(process,), daemon=True).start()

    def _ended(self, process: ServerProcess) -> None:
        """See a process off."""
        process.end()
        if self._metrics is not None:
            self._metrics.forget(process.child.process.pid)

    def _start_again(self, dead: ServerProcess) -> None:
        """Start a process in place of one that has died, later the more often that happens."""
        self._deaths = 0 if time.monotonic() - dead.started > STEADY else self._deaths + 1
        pause = PAUSES[min(self._deaths, len(PAUSES) - 1)]
        log.error("a server process has died (exit code %s); starting it again", dead.child.process.returncode)
        self._ended(dead)
        until = time.monotonic() + pause
        while time.monotonic() < until and not self._stop:
            time.sleep(min(LOOK, pause))
        if self._stop:
            return
        new = self._started()
        self._processes.append(new)
        try:
            new.wait_until_ready(self._stopping)
        except ServeError as error:
            log.error("%s", error)
            new.stop()

    def _started(self) -> ServerProcess:
        """Return a new process."""
        environment = dict(os.environ) | (self._metrics.environment if self._metrics is not None else {})
        child = ChildProcess(
            "branchline.web.serving.process",
            env=environment,
            pass_fds=[self._listening.fileno()],
            preexec_fn=_ignore_interrupts,  # Ctrl-C is for the supervisor, which tells the others
        )
        with contextlib.suppress(ChildExitError):  # that is heard where it is waited for
            child.send(self._plan)
        return ServerProcess(child)

    def _stopping(self) -> bool:
        return self._stop

    def _signalled(self, number: int, frame: FrameType | None) -> None:
        if number == getattr(signal, "SIGHUP", None):
            self._replace = True
        else:
            self._stop = True


_SIGNALS = [signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
