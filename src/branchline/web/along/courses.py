"""The course that a game has taken elsewhere: whether it fits the one here, and the room in which it is the course."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from branchline.web.core.rooms.own_games import Actions, course
from branchline.web.core.rooms.room import ACTION, PLAYING, TAKEN_ALONG, UNDO, Room
from branchline.web.core.store.rows import Change

BY_HAND = frozenset({ACTION, UNDO, "resign"})
"""What a person does in a game."""


HERE, TAKEN, BESIDE = "here", "taken", "beside"


def place_for(room: Room, actions: Actions, version: int, mine: Iterable[int]) -> str:
    """Return where a course belongs that began with the game of a room as it was at a version.

    It is `here` already, perhaps further on. It is to be `taken` over if all that its person has done here meanwhile
    is part of it; what bots alone have played here nobody has seen. Or else it is kept `beside` what was played here.
    """
    own = frozenset(mine)
    rest = room.steps[_steps_in_common(room, actions) :]
    lacks_own = any(step.row.seat in own for step in rest)
    begun_alike = course(room.log)[: len(actions)] == actions
    if begun_alike and not lacks_own:
        return HERE
    meanwhile = {row.kind for row in room.log if row.n > version and row.seat in own} & BY_HAND
    if room.row.status == PLAYING and (not meanwhile or (meanwhile == {ACTION} and not lacks_own)):
        return TAKEN
    return HERE if begun_alike else BESIDE


def gone_on(room: Room, actions: Actions, seat: int, now: float) -> tuple[Room, Change]:
    """Return the room after the course that a game has taken elsewhere; what differs is taken back in its log.

    Raise `Refused` or `IllegalAction` where the rules do not allow it. It no longer counts for the rating: its person
    could read the hidden cards.
    """
    common = _steps_in_common(room, actions)
    done = sum(len(step.lines) for step in room.steps[:common])
    parts = []
    if common < len(room.steps):
        room, change = room.taken_back(len(room.steps) - common, seat, now)
        parts.append(change)
    room, change = room.noted(seat, TAKEN_ALONG, now)
    parts.append(change)
    for line in actions[done:]:
        who, _, action = line.partition(" ")
        room, change = room.played(int(who), action, now)
        room = replace(room, states=room.states[-1:])  # to go further back the game is replayed
        parts.append(change)
    whole, *others = parts
    for change in others:
        whole = whole.then(change)
    return room, replace(whole, forget_before=room.states[-1].n)


def _steps_in_common(room: Room, actions: Actions) -> int:
    """Return after how many steps of a room another course of its game has left it."""
    done = 0
    for count, step in enumerate(room.steps):
        lines = tuple(step.lines)
        if actions[done : done + len(lines)] != lines:
            return count
        done += len(lines)
    return len(room.steps)
