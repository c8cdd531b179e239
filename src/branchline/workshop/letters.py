"""Which letters of a board our printing font lacks, and which of these no font of the system has either."""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Iterable
from importlib import import_module
from importlib.resources import as_file, files
from pathlib import Path

from branchline.boards import Board, Fault
from branchline.boards.places import FILE as CITIES
from branchline.boards.wording import worded

FONT = "font_source_sans_pro"
_USUAL = 0x180  # letters below are in the font: Latin, with all accents of Europe
_UNSEEN = ("C", "M", "Z")  # categories: joiners, accents and blanks need no sign of their own
_SHOWN = 12


def foreign_letters(board: Board) -> frozenset[str]:
    """Return the letters of the names and titles of a board that our font lacks; none where the extra is missing."""
    texts = [board.title, *(text for _, text in board.titles), *board.ticket_rules.decks]
    for place in board.places:
        texts += [place.name, *(name for _, name in place.exonyms)]
    letters = {
        letter
        for letter in "".join(texts)
        if ord(letter) >= _USUAL and not unicodedata.category(letter).startswith(_UNSEEN)
    }
    if not letters:
        return frozenset()
    try:
        with as_file(files(FONT) / "files" / "SourceSansPro-Regular.ttf") as font:
            return frozenset(letter for letter in letters if ord(letter) not in _letters_in(str(font), 0))
    except ModuleNotFoundError:
        return frozenset()


def unprintable_letters(board: Board) -> tuple[str, ...]:
    """Return the letters that are printed as empty boxes, because no font on this machine has them."""
    missing = set(foreign_letters(board))
    if not missing:
        return ()
    for path, number in _system_fonts():
        missing -= {letter for letter in missing if ord(letter) in _letters_in(path, number)}
        if not missing:
            break
    return tuple(sorted(missing))


def print_advice(board: Board) -> tuple[Fault, ...]:
    """Return what `board check` says of letters that cannot be printed: one line, or none."""
    letters = unprintable_letters(board)
    if not letters:
        return ()
    shown = (*letters[:_SHOWN], *(("…",) if len(letters) > _SHOWN else ()))
    remark = worded(
        "no font on this machine has {letters}, so they print as empty boxes; install one that does, such as Noto",
        letters=shown,
    )
    return (Fault(CITIES, 0, remark),)


def code_points(letters: Iterable[str]) -> str:
    """Return letters as they can be written where there is no font for them: `U+6771 U+4EAC`."""
    return " ".join(f"U+{ord(letter):04X}" for letter in letters)


@functools.cache
def _system_fonts() -> tuple[tuple[str, int], ...]:
    """Return path and number of each font file that Typst finds on the system."""
    try:
        fonts = import_module("typst").Fonts(True, False, []).fonts()
    except ModuleNotFoundError:
        return ()
    return tuple(dict.fromkeys((font.path, font.index) for font in fonts if font.path and Path(font.path).is_file()))


@functools.lru_cache(maxsize=256)
def _letters_in(path: str, number: int) -> frozenset[int]:
    """Return the code points for which a font has a glyph; none where its file is unreadable."""
    fonts = import_module("fontTools.ttLib")
    try:
        with fonts.TTFont(path, fontNumber=number, lazy=True) as font:
            return frozenset(font.getBestCmap() or ())
    except (fonts.TTLibError, OSError, KeyError, AssertionError, ValueError):
        return frozenset()
