"""`branchline board new`, `import`, `export` and `print`: boards begun, brought, taken along and printed."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from branchline.boards import Board, load_board
from branchline.boards.faults import quoted
from branchline.boards.limits import MAX_FILE_BYTES
from branchline.commands.board import app, sound_board
from branchline.commands.files import DASH, CommandError, read_bytes, write_bytes
from branchline.commands.screen import counted, plain, say
from branchline.decoding import UndecodableError, decoded

if TYPE_CHECKING:
    from branchline.workshop import Draft

# The workshop is imported where it is used: `board list` must not wait for it.

# ------------------------------------------------------------------------------------------------ new


@app.command()
def new(
    folder: Annotated[str, typer.Argument(metavar="DIR", help="Folder to make.")],
    region: Annotated[
        str, typer.Option("--region", metavar="W,S,E,N", help="West, south, east and north of the map, in degrees.")
    ],
    title: Annotated[
        str | None,
        typer.Option("--title", metavar="TEXT", help="Title of the board.", show_default="the folder's name"),
    ] = None,
    provinces: Annotated[
        bool, typer.Option("--provinces", help="Draw the borders of states and provinces, too.")
    ] = False,
) -> None:
    """Begin a board: the usual rules, no places, and the backdrop of a region."""
    from branchline.workshop.beginning import empty_draft

    bounds = _bounds(region)
    draft = empty_draft(_title(folder) if title is None else title, bounds, provinces=provinces)
    _write_folder(folder, draft.files())
    say(f"{plain(folder)}: an empty board. Add places to cities.csv, or draw it in the browser: `branchline serve`.")


def _title(folder: str) -> str:
    """Return the title of a board from its folder: `lake_garda` is Lake Garda."""
    return Path(folder).name.replace("_", " ").title()


def _bounds(text: str) -> tuple[float, float, float, float]:
    try:
        west, south, east, north = (float(part) for part in text.split(","))
    except ValueError:
        raise CommandError(f"--region: expected four numbers W,S,E,N, not {quoted(text)}") from None
    return west, south, east, north


# ------------------------------------------------------------------------------------------------ import, export


@app.command("import")
def import_board(
    paths: Annotated[
        list[str], typer.Argument(metavar="FILE… DIR", help="Files to read, and the folder to make of them.")
    ],
) -> None:
    """Make a board folder of a zip file, of single tables, or of files of simulatedScience's map generator."""
    from branchline.workshop.uploads import opened

    *sources, folder = paths
    if not sources:
        raise CommandError("expected one or more files, and then the folder to make")
    names = [Path(source).name for source in sources]
    if len(set(names)) < len(names):
        raise CommandError("two of the files have the same name")
    uploads = {name: read_bytes(source, "board") for name, source in zip(names, sources, strict=True)}
    draft, reasons = opened(uploads, title=_title(folder))
    if reasons and not draft["cities"]:
        raise CommandError(f"no places could be read. {'; '.join(str(reason) for reason in reasons[:5])}")
    _write_folder(folder, draft.files())
    for reason in reasons:
        say(str(reason))
    _say_imported(folder, draft)


def _say_imported(folder: str, draft: Draft) -> None:
    from branchline.workshop import findings

    counts = ", ".join(
        counted(len(draft[table]), name)
        for table, name in (("cities", "place"), ("routes", "route"), ("tickets", "ticket"))
    )
    faults = sum(not finding.advice for finding in findings(draft))
    remark = f"; {counted(faults, 'fault')}, see `branchline board check {folder}`" if faults else "; no faults"
    say(f"{plain(folder)}: {counts}{plain(remark)}")


@app.command("export")
def export_board(
    board: Annotated[str, typer.Argument(metavar="NAME|DIR", help="Name or folder of a board.")],
    target: Annotated[str, typer.Argument(metavar="FILE", help="Zip file to write; a folder with --map-generator.")],
    as_map_generator: Annotated[
        bool, typer.Option("--map-generator", help="Write the text files of simulatedScience's map generator.")
    ] = False,
) -> None:
    """Write a board, sound or not, as a zip file, or for simulatedScience's map generator."""
    folder = Path(board) if Path(board).is_dir() else load_board(board).folder
    assert folder is not None  # boards by name lie in folders
    files = _texts(folder)
    if as_map_generator:
        from branchline.workshop import read_draft
        from branchline.workshop.map_generator import write

        written = write(read_draft(files)[0])
        _write_folder(target, written)
        say(f"{plain(target)}: {', '.join(written)}")
        return
    from branchline.workshop.archive import pack

    write_bytes(target, pack(files, folder.name))
    say(f"{plain(target)}: {counted(len(files), 'file')}")


def _texts(folder: Path) -> dict[str, str]:
    """Return the text files in a folder; others are left out with a message."""
    from branchline.workshop.archive import MAX_ENTRIES

    texts: dict[str, str] = {}
    for path in sorted(folder.iterdir()):
        if not path.is_file() or path.name.startswith("."):
            continue
        try:
            content = path.read_bytes() if path.stat().st_size <= MAX_FILE_BYTES else b"\0"
            text = decoded(content).text
        except (OSError, UndecodableError):
            text = "\0"
        if "\0" in text or len(texts) >= MAX_ENTRIES:
            say(f"{plain(path.name)}: is left out; expected text of at most {MAX_FILE_BYTES // 1_000_000} MB")
        else:
            texts[path.name] = text
    return texts


def _write_folder(folder: str, files: Mapping[str, str]) -> None:
    """Write a new folder with these files, overwriting nothing."""
    home = Path(folder)
    try:
        if home.exists() and (not home.is_dir() or any(home.iterdir())):
            raise CommandError(f"{folder}: is there already; expected a new or an empty folder")
        home.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (home / name).write_bytes(text.encode())
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise CommandError(f"{folder}: cannot be written: {reason}") from None


# ------------------------------------------------------------------------------------------------ print


class Paper(StrEnum):
    """What a map is printed on."""

    a4 = "a4"
    a3 = "a3"
    letter = "letter"
    tabloid = "tabloid"
    poster = "poster"


@app.command("print")
def print_board(
    board: Annotated[str, typer.Argument(metavar="NAME|DIR", help="Name or folder of a board.")],
    paper: Annotated[
        Paper, typer.Option("--paper", help="Paper; `poster` is short for `--paper a4 --poster`.")
    ] = Paper.a4,
    out: Annotated[
        str | None,
        typer.Option(
            "--out", metavar="FILE|-", help="Output file; - writes to standard output.", show_default="NAME.pdf"
        ),
    ] = None,
    poster: Annotated[
        bool, typer.Option("--poster", help="Print the map about 84 cm wide, on as many sheets as it takes.")
    ] = False,
    width: Annotated[
        float | None, typer.Option("--width", metavar="MM", help="Width of the map, on as many sheets as it takes.")
    ] = None,
    wagon: Annotated[
        float | None, typer.Option("--wagon", metavar="MM", help="Length of a wagon that is to fit on every space.")
    ] = None,
    parts: Annotated[str, typer.Option("--parts", metavar="PART,PART…", help="Parts to print.")] = "map,tickets,cards",
    backs: Annotated[
        bool, typer.Option("--backs", help="Give every sheet its other side, with the backs of cards and tickets.")
    ] = False,
) -> None:
    """Print a board as PDF, in true size: the map, and tickets and cards as sheets to cut."""
    from branchline.workshop.letters import print_advice
    from branchline.workshop.printing import printed

    chosen: Board = sound_board(board)
    content = printed(
        chosen,
        paper=Paper.a4 if paper is Paper.poster else paper,
        poster=poster or paper is Paper.poster,
        width=width,
        wagon=wagon,
        parts=[part.strip() for part in parts.split(",") if part.strip()],
        backs=backs,
        date=date.today().isoformat(),
    )
    target = out if out is not None else f"{chosen.id}.pdf"
    write_bytes(target, content)
    for remark in print_advice(chosen):
        print(f"branchline: {plain(str(remark))}", file=sys.stderr)
    if target != DASH:
        say(f"{plain(chosen.title)} printed in {plain(target)}. Print it at 100 %, not fitted to the page.")
