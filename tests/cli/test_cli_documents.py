"""Every command and every option stands in `docs/command_line.md`, with an example."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from branchline import cli
from cli.running import branchline_here

TEXT = (Path(__file__).parents[2] / "docs" / "command_line.md").read_text(encoding="utf-8")


TOP = {name: cli.command(name) for name in cli.COMMANDS}


def commands(group: dict[str, Any], path: str = "branchline") -> Iterator[tuple[str, Any]]:
    """Every command, with all the words by which it is called."""
    for name, command in group.items():
        if hasattr(command, "commands"):
            yield from commands(command.commands, f"{path} {name}")
        else:
            yield f"{path} {name}", command


COMMANDS = dict(commands(TOP))


def section(path: str) -> str:
    """What the page says of a command."""
    name = path.removeprefix("branchline ")
    found = re.search(rf"^## `{name}[^`]*`$(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    assert found, f"docs/command_line.md has no section for {path}"
    return found[1]


@pytest.mark.parametrize("path", COMMANDS)
def test_every_command_and_option_is_described(path: str) -> None:
    said = section(path)
    for parameter in COMMANDS[path].params:
        if parameter.hidden:
            continue
        options = [name for name in (*parameter.opts, *parameter.secondary_opts) if name.startswith("--")]
        for option in options:
            if option != "--help":
                assert f"`{option}" in said, f"docs/command_line.md: {path} {option} is not described"


@pytest.mark.parametrize("path", COMMANDS)
def test_help_cuts_no_word_at_80_columns(
    path: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is cut ends with an ellipsis that a wide window does not have."""
    told = []
    for width in ("80", "400"):
        monkeypatch.setenv("COLUMNS", width)
        assert cli.run([*path.split()[1:], "--help"]) == 0
        told.append(capsys.readouterr().out.count("…"))
    assert told[0] == told[1]


@pytest.mark.parametrize("path", COMMANDS)
def test_no_option_is_described_that_does_not_exist(path: str) -> None:
    known = {name for parameter in COMMANDS[path].params for name in (*parameter.opts, *parameter.secondary_opts)}
    described = set(re.findall(r"^\| `(--[a-z0-9-]+)", section(path), re.MULTILINE))
    assert described <= known


@pytest.mark.parametrize("path", COMMANDS)
def test_every_command_has_an_example(path: str) -> None:
    assert re.search(rf"^\$? ?{path}\b", section(path), re.MULTILINE), f"no example of {path}"


@pytest.mark.parametrize("path", COMMANDS)
def test_every_command_helps(path: str) -> None:
    run = branchline_here(*path.split()[1:], "--help")
    assert run.code == 0 and "Usage" in run.out


@pytest.mark.parametrize("name", TOP)
def test_a_command_is_summed_up_by_the_beginning_of_its_help(name: str) -> None:
    assert cli.COMMANDS[name][-1] == TOP[name].help.partition("\n\n")[0].replace("\n", " ")


def test_help_shows_the_commands_in_groups_and_cuts_nothing_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shown = branchline_here("--help").out
    assert branchline_here().out == branchline_here("-h").out == shown
    assert re.findall(r"^╭─ (.*?) ─", shown, re.MULTILINE) == [
        "Options", cli.PLAY, cli.LEARN, cli.SIMULATE, cli.MAKE, cli.SERVE,
    ]  # fmt: skip
    assert set(re.findall(r"^│ ([a-z]+) ", shown, re.MULTILINE)) == set(TOP)
    words = " ".join(shown.replace("│", " ").split())
    assert all(" ".join(summary.split()) in words for *_, summary in cli.COMMANDS.values())


@pytest.mark.parametrize(
    ("words", "default"),
    [
        ("simulate", "greedy,random"),
        ("bots check", "all"),
        ("board draw", "NAME.svg"),
        ("serve", "8000, or a free one"),
    ],
)
def test_help_shows_defaults_that_are_worked_out_later(words: str, default: str) -> None:
    shown = " ".join(branchline_here(*words.split(), "--help").out.replace("│", " ").split())
    assert f"[default: ({default})]" in shown


@pytest.mark.parametrize("words", ["", "simulate", "serve", "board check", "puzzles make"])
def test_help_shows_flags_without_a_type(words: str) -> None:
    shown = branchline_here(*words.split(), "--help").out
    assert "--help" in shown and "bool" not in shown


def test_the_version() -> None:
    from branchline import __version__

    assert branchline_here("--version").out == f"branchline {__version__}\n"


def test_what_is_no_command() -> None:
    for words in (["bord"], ["board", "chekc", "x"], ["score"], ["--nonsense"], ["score", "-", "--jsn"]):
        run = branchline_here(*words)
        assert run.code == 2 and len(run.err.splitlines()) == 1 and run.out == "", run
