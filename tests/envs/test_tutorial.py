"""Every piece of `docs/tutorial.md` runs as it stands, one after the other, and the bot it ends with has learned."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from branchline.rules import kernel

PAGE = Path(__file__).parents[2] / "docs" / "tutorial.md"


@pytest.mark.long
@pytest.mark.skipif(kernel.INTERPRETED, reason="batches run compiled code")
def test_the_tutorial_runs_from_its_beginning_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pieces = re.findall(r"^```(python|sh)\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert len(pieces) > 8
    names: dict[str, Any] = {"__name__": "tutorial"}
    for language, piece in pieces:
        if language == "python":
            exec(compile(piece, str(PAGE), "exec"), names)
        else:
            command = shlex.split(piece)
            assert command[0] == "branchline"
            subprocess.run([sys.executable, "-m", *command], check=True, capture_output=True)
    ratings = {one.bot: one.elo.mean for one in names["table"].ratings}
    assert ratings["pupil"] > ratings["random"] + 100
    assert names["finished"] > 0
