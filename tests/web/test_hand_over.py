"""Server processes are replaced without a gap: at SIGHUP, and when one dies."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx
import pytest

from web.servers import Server, serving

PATIENCE = 90.0


def processes(server: Server) -> list[int]:
    """The server processes that were started, as the log says."""
    return [int(pid) for pid in re.findall(r"Started server process \[(\d+)\]", server.log.read_text())]


def wait_for(server: Server, count: int) -> list[int]:
    until = time.monotonic() + PATIENCE
    while len(processes(server)) < count:
        assert time.monotonic() < until, server.log.read_text()
        time.sleep(0.1)
    return processes(server)


class Caller(threading.Thread):
    """Asks again and again, with a new connection each time, and keeps what was answered."""

    def __init__(self, url: str) -> None:
        super().__init__(daemon=True)
        self.url, self.answers, self.going = url, [], True
        self.start()

    def run(self) -> None:
        while self.going:
            try:
                self.answers.append(httpx.get(f"{self.url}/readyz", timeout=30).status_code)
            except httpx.TransportError as fault:
                self.answers.append(repr(fault))
            time.sleep(0.02)

    def stop(self) -> set[object]:
        self.going = False
        self.join()
        return set(self.answers)


@pytest.mark.long
def test_sighup_replaces_the_process_and_nobody_is_turned_away(tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path / 'rooms.sqlite'}", tmp_path) as server:
        caller = Caller(server.url)
        server.process.send_signal(signal.SIGHUP)
        old, new = wait_for(server, 2)
        until = time.monotonic() + PATIENCE
        while Path(f"/proc/{old}").exists():
            assert time.monotonic() < until
            time.sleep(0.1)
        assert caller.stop() == {200}
        assert httpx.get(f"{server.url}/readyz").status_code == 200 and new != old


@pytest.mark.long
def test_a_process_that_dies_is_started_again(tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path / 'rooms.sqlite'}", tmp_path) as server:
        os.kill(processes(server)[0], signal.SIGKILL)
        wait_for(server, 2)
        assert httpx.get(f"{server.url}/readyz", timeout=PATIENCE).status_code == 200


def test_several_processes_want_postgresql(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "branchline", "serve", "--workers", "2", "--port", "0"]
    answer = subprocess.run(
        [*command, "--database", f"sqlite:///{tmp_path / 'rooms.sqlite'}"], capture_output=True, text=True, check=False
    )
    assert answer.returncode == 2 and "PostgreSQL" in answer.stderr
