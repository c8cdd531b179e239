"""Finished games, moment by moment, as anybody saw them.

Only a finished game can be looked through: before, the number of a step would tell how many questions a hidden payment
took, and another perspective everything.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from branchline.analysis import Analysis
from branchline.boards import Board, BranchlineError
from branchline.game import Game, Scores, View
from branchline.web.core.caches import MEGABYTE, Cache
from branchline.web.core.rooms.live import LiveRooms
from branchline.web.core.rooms.perspective import Viewer, player, sharing_link
from branchline.web.core.rooms.room import OVER, Refused, Room
from branchline.web.core.security.signing import Signer
from branchline.web.core.seen import LogEntry, Player
from branchline.web.core.visit import Visit


@dataclass(frozen=True)
class ReplayContext:
    """One moment of a finished game, from a chosen perspective."""

    visit: Visit
    room: str
    board: Board
    players: tuple[Player, ...]
    n: int  # steps played; 0 is the set-up
    last: int  # steps of the whole game
    perspective: str  # "0", "1", …, "all" or "public"
    seat: int | None  # the same as a number; None for "all" and "public"
    choices: tuple[str, ...]  # the perspectives that may be chosen
    game: Game  # redacted for it; "all": the whole game
    views: tuple[View, ...]  # the view of each seat when all lies open ("all"), else the one view of `game`
    steps: tuple[LogEntry, ...]  # of the whole game, as this viewer saw them, for the list beside the scrubber
    scores: Scores | None  # at the last step
    spectator_link: str = ""  # path of the link by which others may look too
    finished: bool = True  # record and "play on from here" are offered
    analysis: Analysis | None = None  # if somebody has asked for it already
    moments: tuple[int, ...] = ()  # for each action of it, the moment before it
    fingerprint: str = ""
    imagined: tuple[str, ...] = ()  # what of it was not seen: it was noted at a real table


_KEPT = 24 * MEGABYTE  # of states that are remembered, about 1 MB a game

ALL, PUBLIC = "all", "public"


class ReplayCache:
    """The states that finished games went through, worked out when somebody looks."""

    def __init__(self) -> None:
        self._known: Cache[str, list[bytes]] = Cache("replays", _KEPT)

    async def of(self, live: LiveRooms, room: Room) -> list[bytes]:
        """Return the state after each step, the set-up first."""
        states = self._known.get(room.id)
        if states is None:
            states = await live.work(_states, room)
            self._known.put(room.id, states, sum(map(len, states)))
        return states


def _states(room: Room) -> list[bytes]:
    """Return the states by replaying; if other rules prevent this, as far as it goes and the last state as it was
    kept.
    """
    record = room.record()
    try:
        game = Game(
            room.board, record.seats, record.seed, first_seat=record.first_seat, decks=room.game.stacked or None
        )
        states = [game.state_bytes]
        for step in room.steps:
            for line in step.row.text.split("\n"):
                game.play(line)
            states.append(game.state_bytes)
    except BranchlineError:
        return [room.game.state_bytes]
    return states


def choices(room: Room) -> tuple[str, ...]:
    """Return the perspectives from which a finished game may be seen."""
    return (*(str(seat.seat) for seat in room.seats), ALL, PUBLIC)


async def replay_context(
    live: LiveRooms,
    cache: ReplayCache,
    room: Room,
    n: int | None,
    perspective: str,
    viewer: Viewer,
    signer: Signer,
    now: float,
) -> ReplayContext:
    """Return one moment of a game. Raise `Refused` while it is being played, or when there is no such moment."""
    if room.row.status != OVER:
        raise Refused("running", "a game can be looked through when it is over")
    states = await cache.of(live, room)
    return await live.read(_moment, states, room, n, perspective, viewer, signer, now)


def _moment(
    states: list[bytes], room: Room, n: int | None, perspective: str, viewer: Viewer, signer: Signer, now: float
) -> ReplayContext:
    last = len(states) - 1
    n = last if n is None else n
    perspective = perspective or (str(viewer.mine[0]) if len(viewer.mine) == 1 else ALL)
    if not 0 <= n <= last or perspective not in choices(room):
        raise Refused("not_found", "there is no such moment")
    seat = int(perspective) if perspective.isdecimal() else None
    whole = Game.resume(room.board, states[n])
    game = whole if perspective == ALL else whole.perspective(seat)
    views = tuple(whole.view(place.seat) for place in room.seats) if perspective == ALL else (game.view(seat),)
    return ReplayContext(
        visit=viewer.visit,
        room=room.id,
        board=room.board,
        players=tuple(replace(player(room, place, viewer, signer, now), connected=True) for place in room.seats),
        n=n,
        last=last,
        perspective=perspective,
        seat=seat,
        choices=choices(room),
        game=game,
        views=views,
        steps=_steps(room, perspective, seat) if last == len(room.steps) else (),
        scores=whole.sheet() if n == last else None,
        spectator_link=sharing_link(signer, room, viewer),
        fingerprint=game.fingerprint,
        imagined=room.game.imagined,
    )


def _steps(room: Room, perspective: str, seat: int | None) -> tuple[LogEntry, ...]:
    return tuple(
        LogEntry(
            n,
            step.row.seat,
            step.events if perspective == ALL else tuple(event.for_seat(seat) for event in step.events),
            at=step.row.at,
        )
        for n, step in enumerate(room.steps, 1)
    )
