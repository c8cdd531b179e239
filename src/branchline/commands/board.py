"""`branchline board`: check, list and draw boards."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Protocol

import typer
from rich.text import Text

from branchline.boards import (
    Board,
    BoardError,
    Fault,
    UnknownBoard,
    builtin_boards,
    custom_boards,
    load_board,
    read_board,
)
from branchline.boards.advice import advice
from branchline.boards.faults import quoted
from branchline.commands.files import DASH, CommandError, write_json, write_text
from branchline.commands.screen import columns, counted, plain, say, show
from branchline.plain_data import JsonObject

app = typer.Typer(help="Begin, check, draw and print boards, and see how they play.", no_args_is_help=True)

BAD_INPUT = 2

# ------------------------------------------------------------------------------------------------ check


@app.command()
def check(
    folders: Annotated[list[str], typer.Argument(metavar="DIR…", help="Board folders, or names of boards.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the faults as JSON.")] = False,
) -> None:
    """Check board folders: every fault with file, line and what was expected; and advice where there is none."""
    answers = [_checked(folder) for folder in folders]
    if as_json:
        write_json(answers)
    else:
        for answer in answers:
            _say_checked(answer)
    if any(answer["faults"] for answer in answers):
        raise typer.Exit(BAD_INPUT)


def _checked(folder: str) -> dict[str, object]:
    try:
        there = os.path.isdir(folder)  # noqa: PTH112  a Path complains of names that are too long
        board = read_board(folder) if there else load_board(folder)
    except BoardError as error:
        return {"folder": folder, "faults": [_fault(fault, folder) for fault in error.faults]}
    except UnknownBoard as error:
        return {"folder": folder, "faults": [_fault(Fault(quoted(folder), 0, f"no such folder; {error}"), folder)]}
    from branchline.workshop.letters import print_advice

    remarks = [str(remark) for remark in (*advice(board), *print_advice(board))]
    return {"folder": folder, "faults": [], "advice": remarks, "board": _summary(board)}


def _fault(fault: Fault, folder: str) -> dict[str, object]:
    return {
        "file": fault.file,
        "line": fault.line or None,
        "message": fault.message,
        "text": f"{_place_of(fault, folder)}: {fault.message}",
    }


def _say_checked(answer: JsonObject) -> None:
    for fault in answer["faults"]:
        say(fault["text"])
    folder = plain(answer["folder"])
    if answer["faults"]:
        say(f"{folder}: {counted(len(answer['faults']), 'fault')}", style="bold")
        return
    board = answer["board"]
    fewest, most = board["seats"]
    holds = ", ".join(counted(board[kind], kind.removesuffix("s")) for kind in ("places", "routes", "tickets"))
    say(f"{folder}: no faults. {plain(board['title'])}: {holds}, {fewest} to {most} seats.", style="bold")
    for remark in answer["advice"]:
        say(f"advice: {plain(remark)}")


# ------------------------------------------------------------------------------------------------ list


@app.command("list")
def list_boards(
    notes: Annotated[bool, typer.Option("--notes", help="Print the notes on each board.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the list as JSON, with notes.")] = False,
) -> None:
    """List the five editions and the boards in BRANCHLINE_BOARDS."""
    entries = [_entry(name) for name in builtin_boards()]
    entries += [_entry(name, folder) for name, folder in custom_boards().items()]
    if as_json:
        write_json(entries)
        return
    table = columns(
        "name", "title", "seats", "places", "routes", "tickets", "folder", right=("places", "routes", "tickets")
    )
    for entry in entries:
        table.add_row(*_cells(entry))
    show(table)
    if any(entry.get("reconstructed") for entry in entries):
        say("\n* a reconstruction, not the printed map; see `branchline board list --notes`")
    if notes:
        _say_notes(entries)


def _entry(name: str, folder: Path | None = None) -> dict[str, object]:
    """Return a board by name; with the folder of one that is not built in."""
    builtin = folder is None
    try:
        return {
            "name": name,
            "builtin": builtin,
            **_summary(load_board(name) if folder is None else read_board(folder)),
        }
    except BoardError as error:
        return {"name": name, "builtin": builtin, "folder": None if builtin else str(folder), "faults": error.count}


def _summary(board: Board) -> dict[str, object]:
    return {
        "title": board.title,
        "rulebook": board.rulebook,
        "rules_version": board.rules_version,
        "reconstructed": board.reconstructed,
        "seats": list(board.seats),
        "places": len(board.places),
        "routes": len(board.routes),
        "tickets": len(board.tickets),
        "digest": board.digest,
        "folder": str(board.folder),
        "notes": list(board.notes),
    }


def _cells(entry: JsonObject) -> list[str | Text]:
    name = plain(entry["name"])
    where = "comes with branchline" if entry["builtin"] else plain(entry["folder"])
    if "faults" in entry:
        return [Text(name), Text(counted(entry["faults"], "fault")), "", "", "", "", Text(where)]
    fewest, most = entry["seats"]
    numbers = (str(entry[kind]) for kind in ("places", "routes", "tickets"))
    star = " *" if entry["reconstructed"] else ""
    return [Text(name + star), Text(plain(entry["title"])), f"{fewest}–{most}", *numbers, Text(where)]


def _say_notes(entries: list[JsonObject]) -> None:
    for entry in entries:
        if entry.get("notes"):
            say(f"\n{plain(entry['title'])} ({plain(entry['rulebook'] or 'no rulebook')})", style="bold")
            for note in entry["notes"]:
                say(f"  · {plain(note)}")


# ------------------------------------------------------------------------------------------------ draw


class ThemeName(StrEnum):
    """The theme of a drawing."""

    light = "light"
    dark = "dark"
    contrast = "contrast"


ThemeOption = Annotated[ThemeName, typer.Option("--theme", help="Theme of the drawing.")]


@app.command()
def draw(
    board: Annotated[str, typer.Argument(metavar="NAME|DIR", help="Name or folder of a board.")],
    out: Annotated[
        str | None,
        typer.Option(
            "--out", metavar="FILE|-", help="Output file; - writes to standard output.", show_default="NAME.svg"
        ),
    ] = None,
    theme: ThemeOption = ThemeName.light,
    labels: Annotated[bool, typer.Option("--labels/--no-labels", help="Draw place names or not.")] = True,
) -> None:
    """Draw an empty board as SVG."""
    chosen = sound_board(board)
    target = out if out is not None else f"{chosen.id}.svg"
    write_text(target, picture(chosen, theme, labels=labels))
    if target != DASH:
        say(f"{chosen.title} drawn in {target}")


class Drawable(Protocol):
    """A board or a game."""

    def svg(self, **look: Any) -> str:
        """Return the drawing."""
        ...


def picture(drawable: Drawable, theme: ThemeName, **look: Any) -> str:
    """Return the drawing of a board or a game, ending with its last line."""
    return drawable.svg(theme=theme.value, **look).rstrip("\n") + "\n"


def sound_board(name: str) -> Board:
    """Return a board by name or folder; one with faults is refused in one line."""
    try:
        return load_board(name)
    except BoardError as error:
        others = (
            f" (and {counted(error.count - 1, 'more fault')}; see `branchline board check`)" if error.count > 1 else ""
        )
        raise CommandError(f"{_place_of(error.faults[0], name)}: {error.faults[0].message}{others}") from None


def _place_of(fault: Fault, folder: str) -> str:
    """Return file and line, with the folder; a folder that is missing is named as given."""
    if fault.file.startswith('"'):
        return fault.file
    path = os.path.join(folder, fault.file)  # noqa: PTH118  as it was typed
    return plain(f"{path}:{fault.line}" if fault.line else path)
