"""Processes of our own: objects go both ways, nothing gets between them, and either side hears when the other ends."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import branchline
from branchline.child_process import ChildExitError, ChildProcess

ECHO = """
import sys

def main(parent):
    while True:
        try:
            said = parent.receive()
        except EOFError:
            sys.exit(3)
        print("what is printed is no message")
        if said == "end":
            sys.exit(7)
        parent.send(("heard", said))
"""


def echo(folder: Path) -> ChildProcess:
    (folder / "echo.py").write_text(ECHO)
    path = os.pathsep.join((str(folder), str(Path(branchline.__file__).parents[1])))
    return ChildProcess("echo", env=os.environ | {"PYTHONPATH": path}, stderr=-3)


def test_objects_go_both_ways_and_an_end_without_a_word_is_heard(tmp_path: Path) -> None:
    child = echo(tmp_path)
    for message in ({"a": (1, 2)}, b"x" * 100_000):
        child.send(message)
        assert child.receive() == ("heard", message)
    child.send("end")
    with pytest.raises(ChildExitError, match="7"):
        child.receive()
    child.kill()


def test_a_process_hears_that_whoever_started_it_is_gone(tmp_path: Path) -> None:
    child = echo(tmp_path)
    assert child.process.stdin is not None
    child.process.stdin.close()
    assert child.process.wait(60) == 3
    child.kill()
