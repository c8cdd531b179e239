"""Runs the command `branchline`: in this process, which is quick, or in one of its own, which is the real thing."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from dataclasses import dataclass
from unittest import mock

import branchline.rules.kernel  # noqa: F401  loaded first, so that no command decides how these tests run the rules


@dataclass(frozen=True)
class Run:
    """What came of a command."""

    code: int
    out: str
    err: str


def branchline_here(*arguments: str, stdin: str | bytes = "") -> Run:
    """The command in this process, as its entry point runs it."""
    from branchline.cli import main

    given = stdin.encode() if isinstance(stdin, str) else stdin
    streams = {
        "stdin": io.TextIOWrapper(io.BytesIO(given), encoding="utf-8"),
        "stdout": io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True),
        "stderr": io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True),
    }
    code = 0
    with mock.patch.multiple(sys, argv=["branchline", *arguments], **streams):
        try:
            main()
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    out, err = (streams[name].buffer.getvalue().decode() for name in ("stdout", "stderr"))  # type: ignore[attr-defined]
    return Run(code, out, err)


def branchline_process(*arguments: str, stdin: str | bytes = "", **environment: str) -> Run:
    """The command in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "branchline", *arguments],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        env={**os.environ, "PYTHONUTF8": "1", **environment},
        timeout=300,
        check=False,
    )
    return Run(done.returncode, done.stdout.decode(), done.stderr.decode())


def refused(run: Run) -> str:
    """The one line that a command says when it is given bad input; exit code 2, nothing printed, no traceback."""
    assert run.code == 2, run
    assert run.out == "", run
    lines = run.err.splitlines()
    assert len(lines) == 1 and "Traceback" not in run.err, run
    return lines[0]
