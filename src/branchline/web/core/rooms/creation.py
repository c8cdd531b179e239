"""New rooms: from a form or the API, as a rematch, from a record, or from a moment of another game."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from branchline.boards import Board, BranchlineError
from branchline.boards.wording import worded
from branchline.game import Game, Record, RecordError, SetupError
from branchline.game.stacking import stacked_before
from branchline.web.core.room_options import Options, read_options, whole_number
from branchline.web.core.rooms import seats
from branchline.web.core.rooms.boards import board_by_name
from branchline.web.core.rooms.guide import Guide
from branchline.web.core.rooms.ids import new_room_id
from branchline.web.core.rooms.live import LiveRooms
from branchline.web.core.rooms.live_room import LiveRoom
from branchline.web.core.rooms.new_rooms import SeatSetup, new_room, replayed_into
from branchline.web.core.rooms.room import OVER, Refused, Room
from branchline.web.core.store.database import Conflict

LONGEST_RECORD = 5_000  # actions of an uploaded record; a long game has 500
MOST_COMMAS = 50_000  # in the text of an uploaded record
USUAL_SEATS = 3

Number = TypeVar("Number", int, None)


@dataclass(frozen=True)
class RoomSetup:
    """What somebody wants to play."""

    board: str  # what the room calls it
    sitting: tuple[SeatSetup, ...]
    options: Options = field(default_factory=Options)
    seed: int | None = None
    first_seat: int | None = None
    made: Board | None = None  # a board of the workshop, which is in no folder


async def create(live: LiveRooms, setup: RoomSetup, host: str) -> LiveRoom:
    """Return a new room. Raise `SetupError` in one clear line. `host` is the hash of the key that creates it."""
    return await live.add(*await live.read(_set_up, setup, host))


def _set_up(setup: RoomSetup, host: str) -> tuple[Room, list[tuple[str, int]]]:
    """Return the room, and the keys to its seats."""
    board = setup.made or board_by_name(setup.board)
    game = Game(board, len(setup.sitting), setup.seed, first_seat=setup.first_seat)
    options = replace(setup.options, seeded=setup.seed is not None)
    return new_room(new_room_id(), game, setup.board, setup.sitting, options, host, time.time())


async def rematch(live: LiveRooms, live_room: LiveRoom) -> str:
    """Return the id of the room where the same people play again; the next seat begins. The same for all who ask."""
    old = live_room.room
    if old.row.status != OVER:
        raise Refused("running", "the game is not over yet")
    if old.rematch:
        return old.rematch
    opened = await live.read(live.store.keys_of, old.id)
    sitting = [SeatSetup(one.kind, one.name, one.bot) for one in old.seats]
    first = (old.perspective(None)[1].first_seat + 1) % len(sitting)
    game = await live.read(partial(Game, old.board, len(sitting), first_seat=first))
    options = replace(old.options, seeded=False)
    room, _ = new_room(new_room_id(), game, old.row.board, sitting, options, old.row.host, time.time(), old.id)
    try:
        await live.add(room, opened)
        found = room.id
    except Conflict:  # somebody else pressed the button at the same moment
        found = await live.read(live.store.rematch_of, old.id)
    live_room.room = replace(live_room.room, rematch=found)
    await live.touch(live_room, {})
    return found


async def from_record(live: LiveRooms, room: Room) -> LiveRoom:
    """Open the room in which a record was `played`."""
    return await live.add(room, [(room.row.host, seats.WATCH)])


def played(text: str, host: str) -> Room:
    """Return a room in which a record has been played; an unfinished one can be gone on with. Raise `RecordError`.

    Anybody's record may be long: this is heavy work (`core.http.heavy_work`).
    """
    if text.count(",") > MOST_COMMAS:  # Python reads JSON in one go, and as long nothing else runs
        raise RecordError(worded("the record is too long"))
    record = Record.from_json(text)
    if len(record.actions) > LONGEST_RECORD:
        raise RecordError(worded("the record has more than {count:,} actions", count=LONGEST_RECORD))
    try:
        board = board_by_name(record.board)
    except SetupError as error:
        raise RecordError(error.message) from None
    record = record.as_now(board)
    game = next(iter(record.steps(board)))
    over = record.replay(board).over
    names = [*record.names, *[""] * game.seats][: game.seats]
    kind = seats.PERSON if over else seats.OPEN
    sitting = [SeatSetup(kind, seats.clean_name(name)) for name in names]
    room, _ = new_room(new_room_id(), game, board.id, sitting, Options(seeded=True), host, time.time())
    return replayed_into(room, record, len(record.actions), time.time())


async def from_position(
    live: LiveRooms,
    record: Record,
    steps: int,
    sitting: Sequence[SeatSetup],
    guide: Guide,
    *,
    options: Options | None = None,
    made: tuple[str, Board] | None = None,
) -> LiveRoom:
    """Return a room after the first steps of a record, with a guide. Only the keys in `sitting` open it.

    `made`: a board of the workshop and what rooms call it, in place of the one that the record names. Raises
    `RecordError`.
    """
    return await live.add(*await live.work(_at_position, record, steps, tuple(sitting), guide, options, made))


def _at_position(
    record: Record,
    steps: int,
    sitting: Sequence[SeatSetup],
    guide: Guide,
    options: Options | None,
    made: tuple[str, Board] | None,
) -> tuple[Room, list[tuple[str, int]]]:
    name, board = made or (record.board, board_by_name(record.board))
    record = replace(record, decks=stacked_before(record.decks, steps), fingerprint="")
    fresh = next(iter(record.steps(board)))
    host = next((one.key for one in sitting if one.key), "")
    options = options or Options(seeded=True, talk="off")
    room, opened = new_room(new_room_id(), fresh, name, sitting, options, host, time.time(), guide=guide)
    room = replayed_into(room, record, steps, time.time())
    row = replace(room.row, guide=replace(guide, given=len(room.steps)).written())
    return replace(room, row=row), opened


async def play_on(live: LiveRooms, old: Room, n: int, seat: int, bot: str, key: str, name: str) -> LiveRoom:
    """Return a new room that goes on from a moment of a finished game: one person against bots."""
    if old.row.status != OVER:
        raise Refused("running", "the game is not over yet")
    return await live.add(*await live.work(_gone_back, old, n, seat, bot, key, name))


def _gone_back(old: Room, n: int, seat: int, bot: str, key: str, name: str) -> tuple[Room, list[tuple[str, int]]]:
    lines = [line for step in old.steps[:n] for line in step.lines]
    fresh = Game(
        old.board,
        len(old.seats),
        old.row.seed,
        first_seat=old.row.first_seat,
        decks=stacked_before(json.loads(old.row.stacked), len(lines)) or None,
    )
    sitting = [
        SeatSetup(seats.PERSON, name, key=key) if other == seat else SeatSetup(seats.BOT, bot, bot)
        for other in range(len(old.seats))
    ]
    options = replace(old.options, seeded=True, open=False, clock="", clock_seconds=0.0)
    room, opened = new_room(new_room_id(), fresh, old.row.board, sitting, options, key, time.time())
    record = replace(old.record(), actions=tuple(lines), fingerprint="")
    try:
        room = replayed_into(room, record, len(lines), time.time())
    except BranchlineError as error:
        raise RecordError(worded("this game was played by other rules: {why}", why=error.message)) from None
    return room, opened


# ---------------------------------------------------------------------------------------------------- from a form


def read_form(fields: Mapping[str, str], key: str, made: tuple[str, Board] | None = None) -> RoomSetup:
    """Return a wish from the fields of the form `/new`. Raise `SetupError`. `key`: hash of the browser's key.

    `made`: a board of the workshop and what rooms call it, in place of the one that the form names.
    """
    board = made[1] if made else board_by_name(fields.get("board", ""))
    fewest, most = board.seats
    count = _number(fields, "seats", min(most, max(fewest, USUAL_SEATS)), fewest, most)
    given = any(f"kind{n}" in fields for n in range(count))
    usual_bot = _bot(fields.get("bot", ""))
    sitting = []
    for n in range(count):
        kind = fields.get(f"kind{n}", "bot" if given or n else "me")
        name = seats.clean_name(fields.get(f"name{n}", ""))
        if kind in ("me", "here"):
            sitting.append(SeatSetup(seats.PERSON, name, key=key))
        elif kind == "open":
            sitting.append(SeatSetup(seats.OPEN, name))
        elif kind == "bot":
            bot = _bot(fields.get(f"bot{n}", "")) if fields.get(f"bot{n}") else usual_bot
            sitting.append(SeatSetup(seats.BOT, name or bot, bot))
        else:
            raise SetupError(f"seat {n + 1}: expected me, here, open or bot")
    return RoomSetup(
        made[0] if made else board.id,
        tuple(sitting),
        read_options(fields),
        seed=_number(fields, "seed", None, 0, (1 << 62) - 1),
        first_seat=_number(fields, "first", None, 0, count - 1),
        made=made[1] if made else None,
    )


def _bot(name: str) -> str:
    if name and not seats.is_bot(name):
        raise SetupError(f"there is no bot called {name[:40]!r} here")
    return name or seats.usual_bot()


def _number(fields: Mapping[str, str], name: str, otherwise: Number, least: int, most: int) -> int | Number:
    text = fields.get(name, "").strip()
    return whole_number(name, text, least, most) if text else otherwise
