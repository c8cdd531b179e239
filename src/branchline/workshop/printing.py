"""A board on paper: its map, tickets and cards as a PDF of vectors, in true size (extra `workshop`).

Typst sets the pages. Fonts come with the extra, so that every machine prints the same, accents included.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.resources import files
from pathlib import Path

from branchline.boards import Board, BranchlineError
from branchline.boards.wording import worded
from branchline.draw.board import board_svg
from branchline.draw.geometry import Layout
from branchline.draw.layout import layout_of
from branchline.draw.lettering import NAMES, TITLES
from branchline.draw.wording import ENGLISH
from branchline.workshop.card_faces import (
    HIGH,
    SMALL_MAP,
    WIDE,
    back_files,
    card_faces,
    card_files,
    small_map,
    ticket_faces,
)
from branchline.workshop.letters import FONT, code_points, foreign_letters, unprintable_letters
from branchline.workshop.sheets import PAPERS, Page, card_pages, fitted, foot, map_pages, poster_width, tiled

PARTS = ("map", "tickets", "cards")
NARROWEST, WIDEST = 100.0, 3000.0  # mm, of the map
MOST_TILES = 100
SMALLEST_WAGON, LARGEST_WAGON = 5.0, 60.0  # mm
POSTER = 841.0  # mm: the longer side of A1

WORDS = {
    "map": "map",
    "tickets": "tickets",
    "cards": "cards",
    "sheet": "sheet {number} of {count}",
    "back": "back of sheet {number}",
    "turned": "Print double-sided, flipped along the left edge of this page",
    "tile": "row {row}, column {column}",
    "version": "version {version}",
    "size": "{width} × {height} mm",
    "true_size": "50 mm at 100 %",
    "missing": "no font for {letters}",
    "deck short": "short",
    "deck long": "long",
    "deck regular": "regular",
}
"""What stands at the foot of the sheets, and what decks are called on their tickets; a caller may hand over other
languages. A deck that is not here is printed as the board calls it."""

_SANS, _SERIF = "Source Sans Pro", "Libertinus Serif"
_MAP = "map.svg"
_SHORT = 12  # letters of a digest that people compare


class PrintError(BranchlineError):
    """Something that cannot be printed as it was asked for."""


def printed(
    board: Board,
    *,
    paper: str = "a4",
    poster: bool = False,
    width: float | None = None,
    wagon: float | None = None,
    parts: Sequence[str] = PARTS,
    backs: bool = False,
    version: str = "",
    date: str = "",
    language: str = "en",
    words: Mapping[str, str] = WORDS,
    on_map: Mapping[str, str] = ENGLISH,
) -> bytes:
    """Return the board as a PDF.

    `paper`: the sheets: a4, a3, letter (8.5 × 11 in) or tabloid (11 × 17 in). The map fills one of them, or as a
    `poster` (about 84 cm wide) as many as that takes; with `width` (mm) it is as wide as that, with `wagon` (mm) so
    wide that a real wagon of this length fits on every space. With `backs` every sheet has another side, for printers
    that print on both: the backs of the cards and tickets, and nothing behind the map. `words` are those of the
    sheets, `on_map` those of the drawing. Letters for which no font is there are named at the foot of every sheet.
    `version` (default: the digest of the board) and `date` stand on every sheet. Takes about a second. Raises
    `PrintError` where an argument is out of range or the extra is not installed.
    """
    _check(paper, width, wagon, parts)
    layout = layout_of(board)
    content = {_MAP: _with_our_fonts(board_svg(board, language=language, words=on_map))}
    pages: list[Page] = []
    words = {**WORDS, **words}
    if "map" in parts:
        wide = _map_width(layout, paper, poster, width, wagon)
        for page in _map(board, layout, paper, wide, words, language):
            pages += [page, Page(page.width, page.height, "", is_back=True)] if backs else [page]
    if "tickets" in parts:
        content[SMALL_MAP] = small_map(board, layout)
        decks = [words.get(f"deck {name}", name) for name in board.ticket_rules.decks]
        pages += card_pages(paper, (WIDE, HIGH), ticket_faces(board, layout, decks), words["tickets"], backs=backs)
    if "cards" in parts:
        content |= {file: svg for file, (svg, _) in card_files(board).items()}
        pages += card_pages(paper, (WIDE, HIGH), card_faces(board), words["cards"], backs=backs)
    if backs:
        content |= back_files(board)
    _add_feet(pages, board, words, language, (version or board.digest[:_SHORT], date))
    data = {
        "title": board.title_in(language),
        "font": [_SANS, "DejaVu Sans Mono"],
        "language": language,
        "pages": [page.as_json() for page in pages],
    }
    return _set(content, data, all_fonts=bool(foreign_letters(board)))


def _add_feet(
    pages: Sequence[Page], board: Board, words: Mapping[str, str], language: str, edition: tuple[str, str]
) -> None:
    """Write at the foot of every page what it is, of how many, and of which version and date of the board."""
    version, date = edition
    boxes = unprintable_letters(board)
    missing = words["missing"].format(letters=code_points(boxes)[:120]) if boxes else ""
    stamp = words["version"].format(version=version)
    sheets, number = sum(not page.is_back for page in pages), 0
    for page in pages:
        if page.is_back:
            notes = [words["back"].format(number=number), words["turned"]]
        else:
            number += 1
            notes = [page.what, words["sheet"].format(number=number, count=sheets), stamp, date]
        foot(page, " · ".join(filter(None, (board.title_in(language), *notes, missing))), words["true_size"])


def _check(paper: str, width: float | None, wagon: float | None, parts: Sequence[str]) -> None:
    if paper not in PAPERS:
        raise PrintError(f"unknown paper {paper!r}; there are {', '.join(PAPERS)}")
    unknown = [part for part in parts if part not in PARTS]
    if unknown or not parts:
        raise PrintError(f"unknown part {', '.join(unknown)!r}; there are {', '.join(PARTS)}")
    if width is not None and wagon is not None:
        raise PrintError("either the width of the map or the length of a wagon, not both")
    if width is not None and not NARROWEST <= width <= WIDEST:
        raise PrintError(f"the map is {NARROWEST:g} to {WIDEST:g} mm wide, not {width:g}")
    if wagon is not None and not SMALLEST_WAGON <= wagon <= LARGEST_WAGON:
        raise PrintError(f"a wagon is {SMALLEST_WAGON:g} to {LARGEST_WAGON:g} mm long, not {wagon:g}")


# ------------------------------------------------------------------------------------------------ the map


def width_for_wagons(layout: Layout, wagon: float) -> float:
    """Return how wide (mm) the map must be for a wagon of this length (mm) to fit on its smallest space."""
    lengths = [space.length for track in layout.tracks for space in track.spaces]
    return wagon / min(lengths) * layout.sheet.width if lengths else POSTER


def _map_width(layout: Layout, paper: str, poster: bool, width: float | None, wagon: float | None) -> float:
    if wagon is not None:
        width = width_for_wagons(layout, wagon)
        if width > WIDEST:
            raise PrintError(
                f"with wagons of {wagon:g} mm the map is {width:.0f} mm wide, at most {WIDEST:g} are possible"
            )
    if width is not None:
        return width
    ratio = layout.sheet.height / layout.sheet.width
    return poster_width(paper, ratio, POSTER) if poster else fitted(paper, ratio)


def _map(board: Board, layout: Layout, paper: str, width: float, words: Mapping[str, str], language: str) -> list[Page]:
    height = width * layout.sheet.height / layout.sheet.width
    tiling = tiled(paper, width, height)
    if tiling.count > MOST_TILES:
        raise PrintError(
            worded("the map takes {count} sheets, the limit is {most}", count=tiling.count, most=MOST_TILES)
        )
    size = words["size"].format(width=round(width), height=round(height))
    pages = list(map_pages(tiling, _MAP, width, height, f"{words['map']} {size}", board.title_in(language)))
    if tiling.count > 1:
        for number, page in enumerate(pages):
            row, column = divmod(number, tiling.columns)
            page.what += " · " + words["tile"].format(row=row + 1, column=column + 1)
    return pages


def _with_our_fonts(svg: str) -> str:
    """Return the drawing with fonts that exist when it is printed; on a screen it uses the reader's."""
    return svg.replace(NAMES, f"'{_SANS}'").replace(TITLES, f"'{_SERIF}'")


# ------------------------------------------------------------------------------------------------ setting


def _set(content: Mapping[str, str], data: Mapping[str, object], *, all_fonts: bool) -> bytes:
    """Have Typst set the pages; what a board says reaches it as data, never as markup.

    `all_fonts`: letters that our font lacks are taken from those of the system.
    """
    try:
        typst = import_module("typst")
        fonts = files(FONT) / "files"
    except ModuleNotFoundError as error:
        raise PrintError(
            worded("printing needs {name}: install the extra, `pip install 'branchline[workshop]'`", name=error.name)
        ) from None
    with tempfile.TemporaryDirectory(prefix="branchline-print-") as folder:
        home = Path(folder)
        for file, text in content.items():
            (home / file).write_text(text, encoding="utf-8")
        (home / "data.json").write_text(json.dumps(data), encoding="utf-8")
        template = home / "sheets.typ"
        template.write_bytes((files(__package__) / "data" / "sheets.typ").read_bytes())
        document = typst.compile(
            str(template),
            root=folder,
            font_paths=[str(fonts)],
            ignore_system_fonts=not all_fonts,
            format="pdf",
            timestamp=0,
        )
    assert isinstance(document, bytes)  # one document
    return document
