"""Seats: who may be at one, what they are called, and what happens to one when its person goes or comes."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import replace

from branchline.boards import letters
from branchline.bots import bot_names
from branchline.bots.levels import LEVELS
from branchline.bots.registry import BUILT_IN
from branchline.bots.search.search import SearchBot
from branchline.web.core.seen import default_name
from branchline.web.core.store.rows import SeatRow

OPEN, PERSON, BOT = "open", "person", "bot"
WATCH = -1  # in place of a seat's number: may watch
LONGEST_NAME = 24  # letters
MOST_CHARACTERS = 40  # of a name, as tables of the database have room for
# Cyrillic and Greek letters and digits, by the Latin letter for which they are taken.
_LOOKS_LIKE = str.maketrans("аеіјорсухѕһԁԛԝкмтвнαεικονρτυχ01|", "aeijopcyxshdqwkmtbhaeikovptuxoll")
PLAYER = ("Player", "Gracz", "Hráč", "Spieler")
"""The word of a name given by default, in every language of the pages."""


def bots() -> tuple[str, ...]:
    """Return the bots offered to people: our levels, the easiest first, then what other packages have brought.

    The rest of ours are what programs play against.
    """
    return (*(level.name for level in LEVELS), *(name for name in bot_names() if name not in BUILT_IN))


def usual_bot() -> str:
    """Return the bot that is proposed: neither the easiest nor the hardest."""
    return LEVELS[1].name


def stand_in() -> str:
    """Return the bot that stands in for people: the best of those that answer at once."""
    return [level.name for level in LEVELS if not issubclass(level, SearchBot)][-1]


def is_bot(name: str) -> bool:
    """Return whether a bot of this name is installed here. (`make_bot` would load any module it was given.)"""
    return name in bot_names()


def clean_name(text: str) -> str:
    """Return a name fit to be shown: one line of visible letters, not too long, or an empty text."""
    return letters.cut(letters.line_of(text), LONGEST_NAME, MOST_CHARACTERS)


def numbered(name: str, n: int) -> str:
    """Return another name like this one, `Anna (2)`, no longer than a name may be."""
    behind = f" ({n})"
    return letters.cut(name, LONGEST_NAME - len(behind), MOST_CHARACTERS - len(behind)) + behind


def nameless(seat: SeatRow) -> bool:
    """Return whether a bot without a name of its own plays here."""
    return seat.kind == BOT and seat.name in ("", seat.bot)


def called(seat: SeatRow) -> str:
    """Return the name at a seat where no page translates it: in records and in the API.

    Empty for an open seat without one.
    """
    if nameless(seat):
        return f"{seat.bot} {seat.seat + 1}"
    return seat.name or ("" if seat.kind == OPEN else default_name(seat.seat))


def told_apart(name: str, others: Iterable[SeatRow], seat: int) -> str:
    """Return a name that cannot be mistaken for another at the table: `Anna (2)` beside `Anna`, `anna` or `ＡNNA`."""
    there: set[str] = set()
    for other in others:
        there |= {_look(f"Bot {other.seat + 1}")} if nameless(other) else set()  # as pages show them
        there |= _looks(called(other), other.seat)
    called_now, n = name, 1
    while _looks(called_now, seat) & there:
        n += 1
        called_now = numbered(name, n)
    return called_now


def _looks(name: str, seat: int) -> set[str]:
    """Return what a name looks like to the readers of all languages: pages translate the default names."""
    if name == default_name(seat):
        return {_look(f"{word} {seat + 1}") for word in PLAYER}
    return {_look(name)} if name else set()


def _look(name: str) -> str:
    """Return what a name looks like: equal for names that differ only in case, spaces, marks or similar letters."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold()).translate(_LOOKS_LIKE)
    return "".join(letter for letter in plain if letter.isalnum()) or name


def automatic(seat: SeatRow) -> bool:
    """Return whether a bot plays this seat now."""
    return bool(seat.bot)


def taken(seat: SeatRow, name: str) -> SeatRow:
    """Return an open seat with a person on it."""
    return replace(seat, kind=PERSON, name=name, bot="", away=False)


def given_to_bot(seat: SeatRow, bot: str) -> SeatRow:
    """Return an open seat with a bot on it."""
    return replace(seat, kind=BOT, name=bot, bot=bot)


def stood_in_for(seat: SeatRow, bot: str, for_good: bool) -> SeatRow:
    """Return a person's seat that a bot plays."""
    return replace(seat, bot=bot, away=not for_good, resigned=seat.resigned or for_good)


def given_back(seat: SeatRow) -> SeatRow:
    """Return a person's seat, played by the person again."""
    return replace(seat, bot="", away=False)
