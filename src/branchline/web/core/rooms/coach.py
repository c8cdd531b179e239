"""Where people may ask a coach: alone against bots always, with others where the table was made so and all agree.

What was agreed to and who asked stands in the log of the room, as everything that happens at a table.
"""

from __future__ import annotations

from collections.abc import Mapping

from branchline.web.core.rooms import seats
from branchline.web.core.rooms.room import PLAYING, Refused, Room
from branchline.web.core.seen import CoachView
from branchline.web.core.store.rows import Change

AGREE, DECLINE = "agree", "decline"
HINT, CAUTION = "hint", "caution"  # a hint was asked for; a warning was given
HELPED = frozenset({HINT, CAUTION})
MOST_WORDS = 40  # so often people may agree and change their minds at a table: the log keeps it all


def offered(room: Room) -> bool:
    """Return whether there could be a coach: the game runs, nobody else teaches, and there is one person, or all may
    agree.
    """
    return room.row.status == PLAYING and room.guide is None and (_alone(room) or room.options.coach)


def agreed(room: Room) -> frozenset[int]:
    """Return the seats whose people agree to the coach; none where only one person sits."""
    if _alone(room):  # whose log need not be read at every message
        return frozenset()
    votes = {row.seat: row.kind for row in room.log if row.kind in (AGREE, DECLINE)}
    return frozenset(seat for seat, kind in votes.items() if kind == AGREE)


def to_agree(room: Room) -> frozenset[int]:
    """Return the seats whose people have to agree; none where only one person sits.

    An open seat counts as a person's.
    """
    if _alone(room):
        return frozenset()
    return frozenset(seat.seat for seat in room.seats if seat.kind != seats.BOT and not seat.resigned)


def may_ask(room: Room, seat: int | None) -> bool:
    """Return whether the person at a seat may ask the coach."""
    return seat is not None and offered(room) and to_agree(room) <= agreed(room)


def view(room: Room, seat: int | None, settings: Mapping[str, str]) -> CoachView | None:
    """Return what a seat sees of a coach before anything is asked, or None."""
    if seat is None or not offered(room) or seats.automatic(room.seats[seat]):
        return None
    asked, willing = to_agree(room), agreed(room)
    return CoachView(
        may=asked <= willing,
        to_agree=tuple(sorted(asked)),
        agreed=tuple(sorted(asked & willing)),
        warns=settings.get("tutor") == "on",
    )


def with_word(room: Room, seat: int, agree: bool, now: float) -> tuple[Room, Change]:
    """Return the room after a person agreed to the coach, or withdrew.

    Raise `Refused` where there is nothing to agree to.
    """
    if not offered(room) or seat not in to_agree(room) or agree == (seat in agreed(room)):
        raise Refused("stale", "there is nothing to agree to")
    if sum(row.kind in (AGREE, DECLINE) for row in room.log) >= MOST_WORDS:
        raise Refused("no_coach", "there was enough to and fro about the coach")
    return room.noted(seat, AGREE if agree else DECLINE, now)


def asked_already(room: Room, seat: int, kind: str) -> bool:
    """Return whether the coach has helped a seat like this since the last action in the log."""
    done = room.steps[-1].row.n if room.steps else 0
    return any(row.kind == kind and row.seat == seat for row in room.log[_after(room, done) :])


def _after(room: Room, n: int) -> int:
    """Return the first row of a log after number `n`."""
    first = len(room.log)
    while first and room.log[first - 1].n > n:
        first -= 1
    return first


def _alone(room: Room) -> bool:
    kinds = [seat.kind for seat in room.seats]
    return kinds.count(seats.PERSON) == 1 and seats.OPEN not in kinds
