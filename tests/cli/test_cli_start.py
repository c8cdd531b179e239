"""Commands that are over at once import no more than they need."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from branchline.boards import load_board
from branchline.cli import COMMANDS
from branchline.game import Game

POSITION = Path(__file__).parents[2] / "examples" / "table.json"
HEAVY = ("numba", "numpy", "pyarrow", "matplotlib")


def imported(script: str) -> tuple[set[str], set[str]]:
    """What a process with this script imports: of what is slow to import, and of our commands."""
    end = "; import json, sys; print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    around = {name: value for name, value in os.environ.items() if name != "BRANCHLINE_INTERPRET"}
    done = subprocess.run([sys.executable, "-c", script + end], capture_output=True, text=True, env=around, check=False)
    assert done.returncode == 0, done.stderr
    names = set(json.loads(done.stderr.splitlines()[-1]))
    commands = {name.rpartition(".")[2] for name in names if name.startswith("branchline.commands.")}
    return names & set(HEAVY), commands & set(COMMANDS)


def command(*arguments: str) -> tuple[set[str], set[str]]:
    return imported(f"from branchline.cli import run; assert run({list(arguments)!r}) == 0")


def test_branchline_itself_imports_nothing_slow() -> None:
    assert imported("import branchline") == (set(), set())


@pytest.mark.parametrize("arguments", [("bots",), ("bots", "--json"), ("board", "list"), ("board", "check", "europe")])
def test_what_needs_no_rules_imports_neither_numba_nor_numpy(arguments: tuple[str, ...]) -> None:
    heavy, commands = command(*arguments)
    assert heavy == set()
    assert commands <= {arguments[0], "board"}


def test_help_imports_no_command() -> None:
    assert command("--help") == (set(), set())


@pytest.mark.long
def test_one_game_is_replayed_scored_and_drawn_without_numba(tmp_path: Path) -> None:
    game = tmp_path / "game.json"
    game.write_text(Game(load_board("berlin"), 2, 1).record().to_json(), encoding="utf-8")
    assert "numba" not in command("replay", str(game), "--svg", str(tmp_path / "game.svg"))[0]
    assert "numba" not in command("score", str(POSITION))[0]
    assert "numba" not in command("board", "draw", "europe", "--out", str(tmp_path / "europe.svg"))[0]
