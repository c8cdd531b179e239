"""`branchline serve`: starting, and what stands in its way."""

from __future__ import annotations

import re
import socket
import subprocess
from pathlib import Path

import pytest

from branchline.web.serving import server
from cli.running import branchline_here, refused
from web.servers import Server, start


def test_a_port_in_use_is_said_in_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        said = refused(branchline_here("serve", "--port", port, "--database", f"sqlite:///{tmp_path / 'x.sqlite'}"))
        assert "cannot listen" in said


def test_without_a_port_asked_for_a_second_server_takes_a_free_one(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        monkeypatch.setattr(server, "USUAL_PORT", taken.getsockname()[1])
        with server.listen("127.0.0.1", None) as second:
            assert second.getsockname()[1] not in (0, taken.getsockname()[1])


@pytest.mark.long
def test_a_database_that_cannot_be_used_is_said_in_one_line(tmp_path: Path) -> None:
    for url in ("nonsense", f"sqlite:///{tmp_path}", "postgresql://nobody@127.0.0.1:1/none"):
        assert "database" in refused(branchline_here("serve", "--port", "0", "--database", url))


@pytest.mark.long
@pytest.mark.parametrize(("soft", "hard", "low"), [(256, 8192, False), (256, 1024, True), (512, 512, True)])
def test_the_limit_of_open_files_is_raised_and_a_low_one_said(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, low: bool
) -> None:
    resource = pytest.importorskip("resource")
    limits = (soft, hard)
    command = subprocess.Popen

    def limited(*arguments: object, **more: object) -> object:
        return command(*arguments, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, limits), **more)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "Popen", limited)
    server = start(database, tmp_path)
    monkeypatch.undo()
    written = server.log.read_text()
    [pid] = re.findall(r"Started server process \[(\d+)\]", written)
    files = next(line for line in Path(f"/proc/{pid}/limits").read_text().splitlines() if "open files" in line)
    server.stop()
    assert files.split()[3:5] == [str(hard)] * 2
    assert written.count(f"only {hard} files open") == low


@pytest.mark.long
def test_a_server_stops_when_it_is_asked_to(database: str, tmp_path: Path) -> None:
    server: Server = start(database, tmp_path)
    server.process.terminate()
    assert server.process.wait(20) in (0, -15, 143)
    assert "Traceback" not in server.log.read_text()
