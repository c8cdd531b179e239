"""A server that is told to stop, or killed, leaves no process behind, whatever it is doing: importing, starting,
laying boards out, serving.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from web.servers import NO_TLS, free_port

SOON = 25.0  # seconds in which all must be gone; a process may take 15 to say goodbye
MARK = "BRANCHLINE_TEST_FAMILY"

pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")


def family(mark: str) -> dict[int, str]:
    """The processes that were started with a mark in their environment, by their numbers."""
    wanted, found = f"{MARK}={mark}".encode(), {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                found[int(folder.name)] = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:  # it has ended, or is somebody else's
            continue
    return found


def wait_until(seen: object, what: str, log: Path) -> None:
    until = time.monotonic() + 40
    while not seen():  # type: ignore[operator]
        assert time.monotonic() < until, f"{what} did not come:\n{log.read_text()}"
        time.sleep(0.02)


def is_ready(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/readyz", timeout=2, verify=NO_TLS).status_code == 200
    except httpx.TransportError:
        return False


@pytest.mark.parametrize(
    ("phase", "number"),
    [
        pytest.param(
            phase,
            number,
            id=f"{phase}-{number.name}",
            marks=[] if (phase, number) == ("start", signal.SIGTERM) else [pytest.mark.long],
        )
        for phase in ("import", "start", "layouts")
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL)
    ],
)
def test_no_process_is_left_behind(tmp_path: Path, phase: str, number: signal.Signals) -> None:
    mark, port, log = tmp_path.name, free_port(), tmp_path / "log"
    environment = os.environ | {MARK: mark, "BRANCHLINE_CACHE": str(tmp_path / "cache")}
    command = [sys.executable, "-m", "branchline", "serve", "--port", str(port)]
    command += ["--database", f"sqlite:///{tmp_path / 'rooms.sqlite'}"]
    with log.open("wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, env=environment)

    def running(word: str) -> bool:
        return any(word in line for line in family(mark).values())

    if phase == "import":
        time.sleep(0.15)
    else:
        wait_until(lambda: running("serving.process"), "a server process", log)
    if phase == "layouts":
        wait_until(lambda: running("forkserver") and is_ready(port), "a layout", log)
    os.kill(process.pid, number)
    began = time.monotonic()
    process.wait(SOON)
    while (left := family(mark)) and time.monotonic() < began + SOON:
        time.sleep(0.05)
    for one in left:
        os.kill(one, signal.SIGKILL)
    assert not left, f"{left}\n{log.read_text()}"
    assert phase == "import" or "Traceback" not in log.read_text(), log.read_text()
