"""How finished games ended, seat by seat: kept for those who look back on their games, and how it is deleted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from branchline.teaching.rating import Rating
from branchline.web.core.seen import default_name
from branchline.web.core.store import tables
from branchline.web.core.store.database import Store

UNREADABLE = -1  # in place of a seat's number
_RATING = 7_202_611  # of PostgreSQL's locks: ratings are worked out one game after the other
_NAMING = ("sit", "name", "back", "away", "late", "resign")  # rows of a log that may hold a name

_LEARNED = (
    tables.lessons_done.c.key,
    tables.mistakes.c.key,
    tables.games_collected.c.key,
    tables.puzzle_attempts.c.key,
    tables.puzzle_ratings.c.of,
)
"""Of what browsers have learned, the columns with the hash of their key."""


@dataclass(frozen=True)
class ResultRow:
    """One row of `results`; see `tables`."""

    room: str
    seat: int
    board: str
    ended: float
    seats: int
    against: str
    place: int
    won: float
    total: int
    points: str
    tickets_done: int
    tickets: int
    helped: int = 0
    shared: bool = False
    resigned: bool = False
    rating: float | None = None
    deviation: float | None = None
    volatility: float | None = None
    analysed: bool = False
    accuracy: float | None = None
    luck: float | None = None


Rated = Callable[[Mapping[int, Rating]], Mapping[int, Rating]]
"""From what was known of each person's seat to what is known after a game, of those it counts for."""


# ---------------------------------------------------------------------------------------------------- writing


def missing(store: Store, at_most: int) -> list[str]:
    """Return finished rooms that have no results yet, in the order in which they ended."""
    there = sa.select(tables.results.c.room).where(tables.results.c.room == tables.rooms.c.id).exists()
    ended = tables.rooms.c.status == "over", tables.rooms.c.guide == "", ~there
    query = sa.select(tables.rooms.c.id).where(*ended).order_by(tables.rooms.c.touched).limit(at_most)
    with store.engine.connect() as connection:
        return list(connection.execute(query).scalars())


def shared_seats(store: Store, room: str) -> frozenset[int]:
    """Return the seats of a room whose browser holds several."""
    keys = tables.keys
    query = sa.select(keys.c.hash, keys.c.seat).where(keys.c.room == room, keys.c.seat >= 0)
    held: dict[str, list[int]] = {}
    with store.engine.connect() as connection:
        for row in connection.execute(query):
            held.setdefault(row.hash, []).append(row.seat)
    return frozenset(seat for mine in held.values() if len(mine) > 1 for seat in mine)


def add(store: Store, rows: Sequence[ResultRow], rated: Rated | None) -> None:
    """Keep how a game ended. Raise `Conflict` when another process was quicker.

    `rated` works the ratings of its people out, from those before; None: it counts for nobody's.
    """
    with store.writing() as connection:
        if store.postgres:
            connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({_RATING})"))
        connection.execute(tables.results.insert(), [vars(row) for row in rows])  # first: now nobody else writes
        if rated is None:
            return
        after = rated({row.seat: _before(connection, row.room, row.seat) for row in rows})
        for seat, rating in after.items():
            here = tables.results.c.room == rows[0].room, tables.results.c.seat == seat
            connection.execute(tables.results.update().where(*here).values(**vars(rating)))


def _before(connection: Connection, room: str, seat: int) -> Rating:
    """Return the rating at a seat: the one after the latest game of a browser that holds it."""
    results, keys = tables.results, tables.keys
    holders = sa.select(keys.c.hash).where(keys.c.room == room, keys.c.seat == seat)
    own = sa.and_(keys.c.room == results.c.room, keys.c.seat == results.c.seat)
    query = (
        sa.select(results.c.rating, results.c.deviation, results.c.volatility)
        .select_from(results.join(keys, own))
        .where(keys.c.hash.in_(holders), results.c.rating.is_not(None))
        .order_by(results.c.ended.desc())
        .limit(1)
    )
    row = connection.execute(query).one_or_none()
    return Rating() if row is None else Rating(*row)


def unread_analyses(store: Store, at_most: int) -> list[str]:
    """Return rooms with an analysis that the results do not include yet."""
    results, analyses = tables.results, tables.analyses
    new = ~results.c.analysed, results.c.seat >= 0
    query = sa.select(results.c.room).join(analyses, analyses.c.room == results.c.room).where(*new).distinct()
    with store.engine.connect() as connection:
        return list(connection.execute(query.limit(at_most)).scalars())


def note_analysis(store: Store, room: str, figures: Mapping[int, tuple[float, float]]) -> None:
    """Keep accuracy and luck of seats; of the others it is noted that there are none."""
    with store.engine.begin() as connection:
        here = tables.results.update().where(tables.results.c.room == room)
        connection.execute(here.values(analysed=True, accuracy=None, luck=None))
        for seat, (accuracy, luck) in figures.items():
            connection.execute(here.where(tables.results.c.seat == seat).values(accuracy=accuracy, luck=luck))


# ---------------------------------------------------------------------------------------------------- reading


def of_key(store: Store, key: str) -> list[ResultRow]:
    """Return the results of all seats that a browser's key opens, the latest first."""
    keys, results = tables.keys, tables.results
    own = sa.and_(keys.c.room == results.c.room, keys.c.seat == results.c.seat)
    query = sa.select(results).join(keys, own).where(keys.c.hash == key, keys.c.seat >= 0)
    with store.engine.connect() as connection:
        rows = connection.execute(query.order_by(results.c.ended.desc(), results.c.room, results.c.seat))
        return [ResultRow(*row) for row in rows]


@dataclass(frozen=True)
class Sitter:
    """Who sat at a seat of a finished game."""

    seat: int
    kind: str
    name: str
    bot: str


def sitters(store: Store, rooms: Iterable[str]) -> dict[str, list[Sitter]]:
    """Return who sat in these rooms."""
    seats, by_room = tables.seats, dict[str, list[Sitter]]()
    wanted = list(rooms)
    columns = (seats.c.room, seats.c.seat, seats.c.kind, seats.c.name, seats.c.bot)
    with store.engine.connect() as connection:
        for first in range(0, len(wanted), 500):
            query = sa.select(*columns).where(seats.c.room.in_(wanted[first : first + 500])).order_by(seats.c.seat)
            for room, *sitter in connection.execute(query):
                by_room.setdefault(room, []).append(Sitter(*sitter))
    return by_room


# ---------------------------------------------------------------------------------------------------- deleting


@dataclass(frozen=True)
class Forgotten:
    """What became of somebody's games."""

    deleted: tuple[str, ...]  # rooms in which nobody else played
    left: tuple[str, ...]  # rooms that the others keep


def forget(store: Store, key: str) -> Forgotten:
    """Delete what is kept of a browser's finished games and of what it has learned.

    Games in which nobody else played are deleted. The others keep theirs: without this key, and without the name and
    the talk of its seats. Games that are still played stay as they are.
    """
    keys, rooms = tables.keys, tables.rooms
    with store.engine.begin() as connection:
        for column in _LEARNED:
            connection.execute(column.table.delete().where(column == key))
        mine = sa.select(keys.c.room, keys.c.seat).join(rooms, rooms.c.id == keys.c.room)
        over = keys.c.hash == key, keys.c.seat >= 0, rooms.c.status != "playing"
        held: dict[str, list[int]] = {}
        for room, seat in connection.execute(mine.where(*over)):
            held.setdefault(room, []).append(seat)
        others: dict[str, set[int]] = {}
        for room, seat in connection.execute(
            sa.select(keys.c.room, keys.c.seat).where(
                keys.c.room.in_(mine.with_only_columns(keys.c.room).where(*over)), keys.c.hash != key, keys.c.seat >= 0
            )
        ):
            others.setdefault(room, set()).add(seat)
        alone = [room for room in held if room not in others]
        for room in alone:
            connection.execute(rooms.delete().where(rooms.c.id == room))
        for room in others:
            _leave(connection, key, room, set(held[room]) - others[room])
    return Forgotten(tuple(alone), tuple(others))


def _leave(connection: Connection, key: str, room: str, seats: set[int]) -> None:
    """Take a key out of a room; and of seats that nobody else holds what was called and said there."""
    connection.execute(tables.keys.delete().where(tables.keys.c.room == room, tables.keys.c.hash == key))
    host = tables.rooms.c.id == room, tables.rooms.c.host == key
    connection.execute(tables.rooms.update().where(*host).values(host=""))
    for seat in seats:
        here = tables.seats.c.room == room, tables.seats.c.seat == seat
        connection.execute(tables.seats.update().where(*here).values(name=default_name(seat)))
        lines = tables.talk.c.room == room, tables.talk.c.seat == seat
        connection.execute(tables.talk.delete().where(*lines))
        named = tables.actions.c.room == room, tables.actions.c.seat == seat, tables.actions.c.kind.in_(_NAMING)
        connection.execute(tables.actions.update().where(*named).values(text=""))
