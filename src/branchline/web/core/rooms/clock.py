"""Clocks: how much time a seat has, and when something is due without anybody's doing.

`now` is what the clock of the tables shows (`table_clock`), never a date. It comes in from outside as a number, so that
everything here can be tested without waiting.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from branchline.web.core.room_options import Options
from branchline.web.core.store.rows import RoomRow, SeatRow

GRACE = 8.0  # seconds a bot may be late before another process looks after its room


def full(options: Options) -> float | None:
    """Return what a clock shows at the start of a game."""
    return options.clock_seconds if options.clock else None


def asked_at(room: RoomRow) -> float:
    """Return when the question was asked."""
    return room.asked_at - room.asked_ahead


def asked(room: RoomRow, now: float) -> RoomRow:
    """Return a room whose question was asked just now."""
    return replace(room, asked_ahead=room.asked_at - now)


def gathered(seats: Sequence[SeatRow]) -> bool:
    """Return whether every seat is taken. As long as one is open, nobody's time runs."""
    return all(seat.kind != "open" for seat in seats)


def left(options: Options, seats: Sequence[SeatRow], seat: int, room: RoomRow, now: float) -> float | None:
    """Return what a seat's clock shows now: never more than was agreed."""
    time_left = seats[seat].time_left
    if time_left is None:
        return None
    agreed = min(time_left, options.clock_seconds)
    return max(0.0, agreed - waited(room, now)) if ticks(room, seats, seat) else agreed


def waited(room: RoomRow, now: float) -> float:
    """Return how many seconds ago the question was asked."""
    return max(0.0, now - asked_at(room))


def ticks(room: RoomRow, seats: Sequence[SeatRow], seat: int) -> bool:
    """Return whether a seat's clock runs: everybody is there, the seat is asked, and a person has to answer."""
    here = seats[seat]
    return (
        room.status == "playing" and room.asked == seat and here.kind == "person" and not here.bot and gathered(seats)
    )


def stopped(
    options: Options, seats: Sequence[SeatRow], seat: int, room: RoomRow, now: float, goes_on: bool
) -> float | None:
    """Return what a seat's clock shows after its answer. `goes_on`: it is asked again in the same turn."""
    used = left(options, seats, seat, room, now)
    if used is not None and options.clock == "turn" and not goes_on:
        used = options.clock_seconds
    return used


def due(options: Options, seats: Sequence[SeatRow], room: RoomRow) -> float | None:
    """Return when a room next acts by itself: its bot plays, a clock runs out, or a bot stands in for an absent
    person.
    """
    if room.status != "playing" or room.asked is None:
        return None
    seat = seats[room.asked]
    if seat.bot:
        return asked_at(room) + options.pace / 1000 + GRACE
    if not gathered(seats):
        return None
    moments = []
    if seat.time_left is not None:
        moments.append(asked_at(room) + min(seat.time_left, options.clock_seconds))
    if options.takeover:
        moments.append(max(asked_at(room), seat.seen_until) + options.takeover)
    return min(moments, default=None)


def ran_out(options: Options, seats: Sequence[SeatRow], seat: int, room: RoomRow, now: float) -> bool:
    """Return whether the seat that is asked has no time left."""
    return ticks(room, seats, seat) and left(options, seats, seat, room, now) == 0.0


def stays_away(options: Options, seats: Sequence[SeatRow], seat: int, room: RoomRow, now: float) -> bool:
    """Return whether the seat that is asked has been left alone for too long."""
    waited_since = max(asked_at(room), seats[seat].seen_until)
    return bool(options.takeover) and ticks(room, seats, seat) and now >= waited_since + options.takeover
