"""A game of a person as it leaves the place where it is played: in a file of theirs, or to their browser."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from branchline.boards import builtin_boards
from branchline.bots.levels import LEVELS
from branchline.game import Record
from branchline.plain_data import JsonObject
from branchline.web.core.room_options import Options
from branchline.web.core.rooms import coach, kept_boards, seats
from branchline.web.core.rooms.restoring import counting
from branchline.web.core.rooms.room import ACTION, OVER, PLAYING, Room
from branchline.web.core.seen import Copy, TableContext
from branchline.web.core.settings import Settings
from branchline.web.core.store.rows import LogRow, Mistake, RoomRow, SeatRow

MARK, FORMAT = "branchline_along", 1
"""What a file with games is known by."""
NOTED = coach.HELPED | {"resign", "away", "back", "late"}
"""What happened at a table and is kept beside the actions."""

Actions = tuple[str, ...]
"""The actions of a game that count, as a record has them."""


def course(log: Iterable[LogRow]) -> Actions:
    """Return the actions of a log that count."""
    return tuple(f"{row.seat} {line}" for row in counting(log) for line in row.text.split("\n"))


@dataclass(frozen=True)
class SetUp:
    """What makes two games the same game until somebody decides differently."""

    digest: str  # of the board
    seats: int
    seed: int
    first_seat: int | None
    stacked: str  # JSON
    kinds: tuple[bool, ...]  # whether a person sits there


@dataclass(frozen=True)
class OwnGame:
    """A game of a person."""

    row: RoomRow
    seats: tuple[SeatRow, ...]
    log: tuple[LogRow, ...]
    mine: tuple[int, ...]  # the person's seats; none: a record that was uploaded, or noted at a real table

    @property
    def actions(self) -> Actions:
        """What was played, without what was taken back."""
        return course(self.log)

    @property
    def set_up(self) -> SetUp:
        """How it began."""
        row, people = self.row, tuple(seat.kind == seats.PERSON for seat in self.seats)
        return SetUp(row.digest, row.seats, row.seed, row.first_seat, row.stacked, people)

    @property
    def portable(self) -> bool:
        """Whether it may be taken along: it is over, or nobody else plays in it."""
        if self.row.status == OVER:
            return True
        alone = all(seat.kind == seats.BOT or seat.seat in self.mine for seat in self.seats)
        return self.row.status == PLAYING and bool(self.mine) and alone


def entry(game: OwnGame, mistakes: Sequence[Mistake] = ()) -> JsonObject:
    """Return a game as it stands in a file."""
    row, actions, noted = game.row, 0, []
    for line in game.log:
        if line.kind == ACTION:
            actions += 1
        elif line.kind in NOTED:
            noted.append([actions, line.seat, line.kind])
    record = Record(
        board=row.board.partition(kept_boards.MARK)[0],
        board_digest=row.digest,
        rules_version=row.rules_version,
        seats=row.seats,
        seed=row.seed,
        actions=game.actions,
        first_seat=row.first_seat,
        decks={name: tuple(cards) for name, cards in json.loads(row.stacked).items()},
    )
    return {
        "id": row.id,
        "board": row.board,
        "record": record.to_table(),
        "seats": [
            {"kind": seat.kind, "name": seat.name, "bot": seat.bot, "resigned": seat.resigned} for seat in game.seats
        ],
        "mine": list(game.mine),
        "pace": json.loads(row.options).get("pace", Options.pace),
        "began": row.created,
        "ended": game.log[-1].at if game.log else row.touched,
        "noted": noted,
        "mistakes": [vars(mistake) for mistake in mistakes],
    }


def copy_of(room: Room, mine: tuple[int, ...], finished: bool = False) -> Copy | None:
    """Return a game as a file, hidden cards and all, for its browser to go on with while it has no network.

    None where somebody else plays too, or where a browser lacks what the game needs: a board or a bot that is
    installed here, a guide, a clock that is the server's; and for a game that is over, unless `finished` asks for it.
    """
    game = OwnGame(room.row, room.seats, room.log, mine)
    here = room.row.board in builtin_boards() and room.row.rules_version == room.board.rules_version
    plain = room.guide is None and not room.options.clock and (finished or room.row.status == PLAYING)
    known = all(seat.kind == seats.PERSON or seat.bot in _LEVELS for seat in room.seats)
    if not (here and plain and known and game.portable) or any(seat.bot for seat in room.seats if seat.seat in mine):
        return None
    text = json.dumps({MARK: FORMAT, "games": [entry(game)]}, ensure_ascii=False, separators=(",", ":"))
    return Copy(room.row.version, text)


def with_copy(context: TableContext, room: Room, settings: Settings) -> TableContext:
    """Return a table with the copy of its game, where the server offers that; in a browser also of one that is over."""
    if not settings.copies:
        return context
    return replace(context, copy=copy_of(room, context.mine, finished=settings.alone))


_LEVELS = frozenset(level.name for level in LEVELS)
