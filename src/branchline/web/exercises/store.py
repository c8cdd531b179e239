"""Exercises in the store: the mistakes of a browser and when they come back, puzzles tried, ratings.

Every transaction writes before it reads, so that two processes on one SQLite file wait for each other. What an answer
changes is written by whoever finds the row as it was when the exercise was opened: pressed twice, or in two processes,
it counts once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from branchline.web.core.store.database import Store
from branchline.web.core.store.rows import AttemptRow, MistakeRow, RatingRow
from branchline.web.core.store.tables import (
    analyses,
    games_collected,
    keys,
    mistakes,
    puzzle_attempts,
    puzzle_ratings,
    rooms,
)

MOST_LISTED = 500  # mistakes of a browser that a page shows


# ---------------------------------------------------------------------------------------------------- mistakes


def uncollected(store: Store, key: str) -> list[str]:
    """Return the ids of analysed games of a browser whose mistakes have not been collected."""
    known = sa.exists().where(games_collected.c.key == key, games_collected.c.room == keys.c.room)
    query = (
        sa.select(keys.c.room)
        .join(analyses, analyses.c.room == keys.c.room)
        .join(rooms, rooms.c.id == keys.c.room)
        .where(keys.c.hash == key, keys.c.seat >= 0, rooms.c.guide == "", ~known)
        .distinct()
    )
    with store.engine.connect() as connection:
        return list(connection.execute(query).scalars())


def collect(store: Store, key: str, room: str, rows: Sequence[MistakeRow]) -> None:
    """Keep the mistakes of a game, once."""
    try:
        with store.engine.begin() as connection:
            connection.execute(games_collected.insert().values(key=key, room=room))
            if rows:
                connection.execute(mistakes.insert(), [vars(row) for row in rows])
    except sa.exc.IntegrityError:  # somebody else has just done so
        return


def mistake(store: Store, key: str, room: str, step: int) -> MistakeRow | None:
    """Return one mistake of a browser."""
    here = mistakes.c.key == key, mistakes.c.room == room, mistakes.c.step == step
    with store.engine.connect() as connection:
        row = connection.execute(sa.select(mistakes).where(*here)).one_or_none()
    return None if row is None else MistakeRow(**row._mapping)


def mistakes_of(store: Store, key: str) -> list[MistakeRow]:
    """Return the mistakes of a browser in the order they are due; of those never opened, the largest first."""
    query = sa.select(mistakes).where(mistakes.c.key == key).order_by(mistakes.c.due_at, mistakes.c.lost.desc())
    with store.engine.connect() as connection:
        return [MistakeRow(**row._mapping) for row in connection.execute(query.limit(MOST_LISTED))]


def keep_answers(store: Store, before: MistakeRow, answers: str) -> None:
    """Note what the answers to a mistake are worth, so that it need not be found out again."""
    here = mistakes.c.key == before.key, mistakes.c.room == before.room, mistakes.c.step == before.step
    with store.engine.begin() as connection:
        connection.execute(mistakes.update().where(*here, mistakes.c.answers == "").values(answers=answers))


def note_answer(store: Store, before: MistakeRow, right: bool, card: str, due_at: float) -> bool:
    """Note an answer, unless another one was noted since the exercise was opened; whether it was."""
    here = mistakes.c.key == before.key, mistakes.c.room == before.room, mistakes.c.step == before.step
    values = {"card": card, "due_at": due_at, "answered": before.answered + 1, "right": before.right + right}
    with store.engine.begin() as connection:
        same = mistakes.c.answered == before.answered
        return connection.execute(mistakes.update().where(*here, same).values(values)).rowcount == 1


# ---------------------------------------------------------------------------------------------------- puzzles

Rated = Callable[[RatingRow, RatingRow], tuple[RatingRow, RatingRow]]
"""From the ratings of whoever tried and of the puzzle to both afterwards."""


def note_attempt(store: Store, attempt: AttemptRow, start: tuple[RatingRow, RatingRow], rated: Rated) -> bool:
    """Note an answer to a puzzle; the first one of a browser is rated. Whether it was the first.

    `start`: the ratings of the browser and of the puzzle where they have none yet.
    """
    for row in start:
        _begin_rating(store, row)
    try:
        with store.engine.begin() as connection:
            connection.execute(puzzle_attempts.insert().values(vars(attempt)))
            # always in the same order, so that two who wait for each other's row cannot stop one another
            locked = {
                rating.of: _locked(connection, rating.of) for rating in sorted(start, key=lambda rating: rating.of)
            }
            for row in rated(*(locked[rating.of] for rating in start)):
                here = puzzle_ratings.c.of == row.of
                connection.execute(puzzle_ratings.update().where(here).values(vars(row)))
        return True
    except sa.exc.IntegrityError:  # it was tried before
        if attempt.solved:
            tried = puzzle_attempts.c.key == attempt.key, puzzle_attempts.c.puzzle == attempt.puzzle
            with store.engine.begin() as connection:
                connection.execute(puzzle_attempts.update().where(*tried).values(solved=True))
        return False


def _begin_rating(store: Store, row: RatingRow) -> None:
    """See that there is a rating."""
    if not ratings(store, [row.of]):
        store.insert_new(puzzle_ratings, **vars(row))


def _locked(connection: Connection, of: str) -> RatingRow:
    """Return a rating, locked until this transaction is over."""
    query = sa.select(puzzle_ratings).where(puzzle_ratings.c.of == of).with_for_update()
    return RatingRow(**connection.execute(query).one()._mapping)


def ratings(store: Store, of: Collection[str]) -> dict[str, RatingRow]:
    """Return the stored ratings."""
    query = sa.select(puzzle_ratings).where(puzzle_ratings.c.of.in_(list(of)))
    with store.engine.connect() as connection:
        return {row.of: RatingRow(**row._mapping) for row in connection.execute(query)}


def attempts_of(store: Store, key: str) -> dict[str, AttemptRow]:
    """Return the puzzles that a browser has tried, by their ids."""
    query = sa.select(puzzle_attempts).where(puzzle_attempts.c.key == key)
    with store.engine.connect() as connection:
        return {row.puzzle: AttemptRow(**row._mapping) for row in connection.execute(query)}
