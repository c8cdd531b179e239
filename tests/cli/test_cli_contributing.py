"""What `CONTRIBUTING.md` walks through leads to real files, and its bot and its command do what it says."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from textwrap import dedent
from types import ModuleType
from typing import Any

import pytest

from branchline import cli, simulate
from cli.running import branchline_here

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## How to add an? (.+?)$(.*?)(?=^## )", TEXT, re.MULTILINE | re.DOTALL))
ENDINGS = r"py|js|md|toml|html|csv"


def code(section: str) -> dict[str, Any]:
    """The names that the Python of a section defines."""
    [block] = re.findall(r"^ *```python\n(.*?)^ *```$", SECTIONS[section], re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {"__name__": "contributed"}
    exec(compile(dedent(block), "CONTRIBUTING.md", "exec"), names)
    return names


def paths() -> list[str]:
    """All names of files and folders in the text."""
    spans = set(re.findall(r"`([^`\s]+)`", re.sub(r"```.*?```", "", TEXT, flags=re.DOTALL)))
    return sorted(one for one in spans if re.fullmatch(rf"[\w.-]+(/[\w.-]+)*(/|/[\w-]+|\.(?:{ENDINGS}))", one))


def test_there_is_a_walk_for_everything_that_is_often_added() -> None:
    assert list(SECTIONS) == [
        "rule",
        "score part",
        "board key",
        "reason why something is not allowed",
        "page",
        "bot",
        "language",
        "command",
    ]
    assert all(len(text.strip().splitlines()) <= 25 for text in SECTIONS.values())


def test_every_file_it_names_is_there() -> None:
    named = paths()
    assert len(named) > 60
    shorthand = {"board.toml", "names.csv", "routes.py", "page.py", "store.py"}  # of every board, of every feature
    missing = [
        one
        for one in named
        if one not in shorthand and not (ROOT / one).exists() and not (ROOT / "src" / "branchline" / one).exists()
    ]
    assert missing == []


def test_its_bot_plays() -> None:
    results = simulate("berlin", [code("bot")["FirstBot"], "random"], games=4, seed=1)
    assert {one.bot for one in results.standings} == {"first", "random"}


def test_its_command_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("branchline.commands.spaces")
    vars(module)["spaces"] = code("command")["spaces"]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(cli.COMMANDS, "spaces", (cli.MAKE, "spaces.spaces", "Count the spaces of a board."))
    assert re.fullmatch(r"\d+ spaces\n", branchline_here("spaces", "berlin").out)
    refused = branchline_here("spaces", "nowhere")
    assert refused.code == 2 and len(refused.err.splitlines()) == 1
    assert "Count the spaces of a board." in branchline_here("spaces", "--help").out
