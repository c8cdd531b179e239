"""Table talk: what is said beside the game, who may say it, and who hears it.

Those who hold a seat speak, to the other seats or to everybody; spectators listen. Talk is kept with the room and is
no part of the game: versions, records and replays know nothing of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from branchline.boards.letters import line_of
from branchline.web.core.rooms import seats
from branchline.web.core.rooms.room import TALK_KEPT, Refused, Room
from branchline.web.core.seen import REACTIONS, TalkLine
from branchline.web.core.store.rows import TalkRow

LONGEST_TYPED = 1000  # letters as they come, before those that cannot be shown are taken out
LONGEST_LINE = 200  # letters
TICK = 0.001  # seconds between two lines at least, so that the time names a line


@dataclass(frozen=True)
class Saying:
    """What somebody wants to say: a line, or one of `REACTIONS`."""

    text: str = ""
    reaction: str = ""
    everybody: bool = False  # spectators too


def is_on(room: Room, mine: Sequence[int]) -> bool:
    """Return whether there is talk at a table, and anybody to talk to except the holders of these seats."""
    people = {seat.seat for seat in room.seats if seat.kind != seats.BOT}
    return room.options.talk != "off" and len(people) > 1 and bool(people.difference(mine))


def heard(room: Room, mine: Sequence[int]) -> tuple[TalkLine, ...]:
    """Return what the holder of these seats may read; without seats, what is meant for everybody."""
    return tuple(
        TalkLine(row.at, row.seat, row.text, row.reaction, row.everybody) for row in room.talk if mine or row.everybody
    )


def said(room: Room, seat: int, saying: Saying, now: float) -> tuple[Room, TalkRow]:
    """Return the room after something was said, and the row to be written. Raise `Refused`."""
    if not is_on(room, (seat,)):
        raise Refused("no_talk", "there is no talk at this table")
    if saying.reaction:
        text = saying.reaction
        if text not in REACTIONS:
            raise Refused("empty", f"a reaction is one of {', '.join(REACTIONS)}")
    else:
        if room.options.talk != "on":
            raise Refused("reactions_only", "only reactions can be sent at this table")
        text = clean_line(saying.text)
        if not text:
            raise Refused("empty", "there is nothing to read in this line")
        if len(text) > LONGEST_LINE:
            raise Refused("too_long", f"a line has at most {LONGEST_LINE} characters")
    last = room.talk[-1] if room.talk else TalkRow(0, 0, "")
    at = round(max(now, last.at + TICK), 3)
    row = TalkRow(last.n + 1, seat, text, bool(saying.reaction), saying.everybody, at)
    talk = (*room.talk, row)[-TALK_KEPT:]
    return replace(room, row=replace(room.row, touched=now), talk=talk), row


def is_same(row: TalkRow, mine: Iterable[int], text: str, reaction: str) -> bool:
    """Return whether something that one of these seats wants to say is what it has said in a row."""
    return row.seat in mine and row.reaction == bool(reaction) and row.text == (reaction or clean_line(text))


def clean_line(text: str) -> str:
    """Return one line fit to be shown: visible letters, none that turn the direction of others, no towers of
    accents.
    """
    return line_of(text)
