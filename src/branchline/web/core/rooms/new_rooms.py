"""New rooms: who sits where, and the game that begins."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from branchline.game import Game, Record
from branchline.web.core.room_options import Options
from branchline.web.core.rooms import clock, seats
from branchline.web.core.rooms.guide import Guide
from branchline.web.core.rooms.room import OVER, PLAYING, Room
from branchline.web.core.seen import default_name
from branchline.web.core.store.rows import RoomRow, SeatRow, Snapshot


@dataclass(frozen=True)
class SeatSetup:
    """Who is to sit where in a new room."""

    kind: str  # person, bot or open
    name: str = ""
    bot: str = ""
    key: str = ""  # hash of the key that opens the seat


def new_room(
    room: str,
    game: Game,
    board: str,
    sitting: Sequence[SeatSetup],
    options: Options,
    host: str,
    now: float,
    rematch_of: str | None = None,
    guide: Guide | None = None,
) -> tuple[Room, list[tuple[str, int]]]:
    """Return a room with a game in it that has just been set up, and the keys to its seats."""
    rows = _seated(sitting, options)
    options = replace(options, one_screen=_at_one_screen(sitting))
    row = RoomRow(
        id=room,
        board=board,
        digest=game.board.digest,
        rules_version=game.board.rules_version,
        seats=game.seats,
        seed=game.seed,
        first_seat=game.asked_first_seat,
        stacked=json.dumps(game.stacked),
        options=json.dumps(asdict(options)),
        status=OVER if game.over else PLAYING,
        version=0,
        turns=game.turns,
        asked=game.question.seat,
        asked_at=now,
        due_at=None,
        created=now,
        touched=now,
        open=options.open,
        host=host,
        rematch_of=rematch_of,
        guide="" if guide is None else guide.written(),
    )
    state = Snapshot(0, row.rules_version, game.state_bytes)
    created = Room(row, game.board, options, rows, (), (), (state,), game)
    return created, [(setup.key, n) for n, setup in enumerate(sitting) if setup.key]


def _at_one_screen(sitting: Sequence[SeatSetup]) -> bool:
    """Return whether one browser holds the seats of all people, and no seat waits for somebody."""
    keys = {setup.key for setup in sitting if setup.kind != seats.BOT}
    return len(keys) == 1 and "" not in keys


def _seated(sitting: Sequence[SeatSetup], options: Options) -> tuple[SeatRow, ...]:
    """Return the seats of a new room. Bots without a name of their own are told apart by their seats, see `pages`."""
    rows: list[SeatRow] = []
    for n, setup in enumerate(sitting):
        bot = setup.bot if setup.kind == seats.BOT else ""
        name = setup.name or (default_name(n) if setup.kind == seats.PERSON else bot)
        if name not in ("", bot):
            name = seats.told_apart(name, rows, n)
        rows.append(SeatRow(n, setup.kind, name, bot, time_left=clock.full(options)))
    return tuple(rows)


def replayed_into(room: Room, record: Record, steps: int, now: float) -> Room:
    """Return a new room in which the first steps of a record have been played. Raise `RecordError`."""
    for n, line in enumerate(record.actions[:steps]):
        seat, _, action = line.partition(" ")
        room, _ = room.played(int(seat), action, now)
        if n + 1 < steps and not n % 50:
            room = replace(room, states=room.states[-1:])
    return replace(room, states=room.states[-1:])
