"""Seats: who may be at one, what they are called, and what happens to one when its person goes or comes."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

from branchline.bots import bot_names
from branchline.web.store import SeatRow

OPEN, PERSON, BOT = "open", "person", "bot"
WATCH = -1  # in place of a seat's number: may watch
LONGEST_NAME = 24
_BEST_FIRST = ("learned", "search", "planner", "greedy", "random")


def bots() -> tuple[str, ...]:
    """The bots that may sit down here, best first; those that nobody has ranked come last."""
    installed = bot_names()
    return (*(name for name in _BEST_FIRST if name in installed), *sorted(set(installed) - set(_BEST_FIRST)))


def best_bot() -> str:
    """The bot that plays when nothing else was chosen."""
    return bots()[0]


def is_bot(name: str) -> bool:
    """Whether such a bot is installed here. (`make_bot` would load any module that somebody names.)"""
    return name in bot_names()


def clean_name(text: str, otherwise: str) -> str:
    """A name fit to be shown: one line of visible letters, not too long."""
    visible = (
        letter if unicodedata.category(letter)[0] != "Z" else " " for letter in unicodedata.normalize("NFC", text)
    )
    kept = "".join(letter for letter in visible if unicodedata.category(letter)[0] != "C")
    return " ".join(kept.split())[:LONGEST_NAME].strip() or otherwise


def automatic(seat: SeatRow) -> bool:
    """Whether a bot plays this seat now."""
    return bool(seat.bot)


def taken(seat: SeatRow, name: str) -> SeatRow:
    """An open seat with a person on it."""
    return replace(seat, kind=PERSON, name=name, bot="", away=False)


def given_to_bot(seat: SeatRow, bot: str) -> SeatRow:
    """An open seat with a bot on it."""
    return replace(seat, kind=BOT, name=bot, bot=bot)


def stood_in_for(seat: SeatRow, bot: str, for_good: bool) -> SeatRow:
    """A person's seat that a bot plays."""
    return replace(seat, bot=bot, away=not for_good, resigned=seat.resigned or for_good)


def given_back(seat: SeatRow) -> SeatRow:
    """A person's seat, played by the person again."""
    return replace(seat, bot="", away=False)
