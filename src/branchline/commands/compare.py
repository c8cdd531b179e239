"""`branchline board compare`: two boards beside each other, or an edition beside what is printed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from branchline.commands.board import app
from branchline.commands.files import CommandError, write_json
from branchline.commands.screen import columns, counted, plain, say, show
from branchline.decoding import UndecodableError, decoded

if TYPE_CHECKING:
    from branchline.workshop.printed import Difference, Printed, PrintedLine

DIFFERENT = 1
KINDS = {"other": "otherwise", "missing": "not there", "more": "only there"}


@app.command()
def compare(
    theirs: Annotated[
        str, typer.Argument(metavar="FILE|NAME|DIR", help="A file of “Is this my printed board?”, or a board.")
    ],
    ours: Annotated[
        str | None,
        typer.Argument(metavar="NAME|DIR", help="The board to lay it beside.", show_default="the edition in the file"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the differences as JSON.")] = False,
) -> None:
    """Lay two boards beside each other, or an edition beside what an owner of the box has read off the printed one."""
    from branchline.workshop.printed import differences

    printed, lines = _lines(theirs)
    if ours is None and printed is None:
        raise CommandError("name a second board to lay it beside")
    beside = ours if ours is not None else printed.board if printed is not None else ""
    _, own = _lines(beside)
    found_differences = differences(own, lines)
    if as_json:
        write_json(
            {
                "ours": beside,
                "theirs": theirs,
                "lines": len(lines),
                "checked": sum(line.checked for line in lines),
                "differences": [
                    {"kind": difference.kind, "ours": _as_json(difference.ours), "theirs": _as_json(difference.theirs)}
                    for difference in found_differences
                ],
            }
        )
    else:
        _show(beside, theirs, lines, found_differences)
    if found_differences:
        raise typer.Exit(DIFFERENT)


def _lines(name: str) -> tuple[Printed | None, tuple[PrintedLine, ...]]:
    """Return the lines of a file or a board; for a file also the whole of it."""
    from branchline.commands.board import sound_board
    from branchline.workshop import read_draft
    from branchline.workshop.printed import PrintedError, lines_of, read_printed

    path = Path(name)
    try:
        if path.is_file():
            printed = read_printed(decoded(path.read_bytes()).text)
            return printed, printed.lines
        folder = path if path.is_dir() else sound_board(name).folder
        if folder is None:
            raise CommandError(f"{plain(name)} has no folder to compare")
        files = {file.name: decoded(file.read_bytes()).text for file in sorted(folder.iterdir()) if _is_text(file)}
    except PrintedError as error:
        raise CommandError(f"{plain(name)}: {error.message}") from None
    except UndecodableError as error:
        raise CommandError(f"{plain(name)}: {error}") from None
    except (OSError, ValueError) as error:
        raise CommandError(f"{plain(name)}: {getattr(error, 'strerror', None) or error}") from None
    return None, lines_of(read_draft(files)[0])


def _is_text(file: Path) -> bool:
    return file.is_file() and file.suffix in (".toml", ".csv", ".geojson")


def _as_json(line: PrintedLine | None) -> dict[str, object] | None:
    if line is None:
        return None
    return {"what": line.what, "where": list(line.where), "says": list(line.says), "checked": line.checked}


def _show(ours: str, theirs: str, lines: tuple[PrintedLine, ...], found_differences: list[Difference]) -> None:
    unseen = sum(not line.checked for line in lines)
    say(f"{plain(ours)} beside {plain(theirs)}: {counted(len(found_differences), 'difference')}", style="bold")
    if unseen:
        say(f"{unseen} of {len(lines)} lines are unchecked and are taken to be as in the edition.")
    if not found_differences:
        return
    table = columns("what", "where", "here", "there", "")
    for difference in found_differences:
        line = difference.ours or difference.theirs
        assert line is not None
        kind, where = line.what.replace("_", " "), plain("–".join(line.where))
        table.add_row(kind, where, _says(difference.ours), _says(difference.theirs), KINDS[difference.kind])
    say()
    show(table)


def _says(line: PrintedLine | None) -> str:
    return "–" if line is None else plain(" ".join(line.says))
