"""Keeps how games ended, in the background: of those that have just ended, of old ones, and of those analysed later.

There is one way for all of them, so nothing is lost when a process dies: whoever finds a finished game without results
makes them, oldest first, because ratings build on each other.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Mapping, Sequence
from functools import partial

from branchline.analysis import Analysis, AnalysisError
from branchline.teaching import rating
from branchline.teaching.rating import Rating
from branchline.web.core.rooms import coach, kept_boards, seats
from branchline.web.core.rooms.live import LiveRooms
from branchline.web.core.rooms.restoring import restored
from branchline.web.core.rooms.room import TAKEN_ALONG, UNDO, Room
from branchline.web.core.rooms.steps import Unreadable
from branchline.web.core.store.database import Conflict, Store
from branchline.web.core.store.outage import Unavailable
from branchline.web.core.store.rows import Stored
from branchline.web.my_games import store as results
from branchline.web.my_games.store import Rated, ResultRow

log = logging.getLogger("branchline.results")

PAUSE = 4  # times as long between two looks as between those of the sweep
BATCH = 20  # games in one look; between them everybody else is served
NOT_ALONE = coach.HELPED | {"away", "late", TAKEN_ALONG}
"""The coach helped, a bot played for somebody, or somebody could read the hidden cards in a file."""


async def keep_results(live: LiveRooms) -> None:
    """Look again and again for games that have ended, as long as the server runs."""
    pause = PAUSE * live.settings.sweep
    while True:
        try:
            count = await catch_up(live)
        except Unavailable:
            count = 0
        except Exception:
            log.exception("results of games could not be kept")
            count = 0
        await asyncio.sleep(pause if count < BATCH else pause / BATCH)


async def catch_up(live: LiveRooms) -> int:
    """Keep the results of some games; how many were looked at."""
    ended = await live.read(results.missing, live.store, BATCH)
    for room in ended:
        result = await live.work(_made, live.store, room)
        if result is not None:
            with contextlib.suppress(Conflict):  # another process was quicker, or the room was deleted
                await live.write(results.add, live.store, *result)
    analysed = await live.read(results.unread_analyses, live.store, BATCH)
    for room in analysed:
        figures = await live.work(_analysed, live.store, room)
        await live.write(results.note_analysis, live.store, room, figures)
    return len(ended) + len(analysed)


def _made(store: Store, name: str) -> tuple[list[ResultRow], Rated | None] | None:
    """Return the results of a game, and its effect on ratings, or None if it was deleted meanwhile."""
    stored = store.load(name)
    if stored is None:
        return None
    try:
        room = restored(stored, board=kept_boards.board_of(store, stored.room))
        shared = results.shared_seats(store, name)
        rows = rows_of(room, shared)
        return rows, partial(ratings_after, room, rows) if counts_for_rating(room, shared) else None
    except Exception as error:  # whatever an old game holds, the next one's turn comes
        log.warning("the results of room %s cannot be told: %s", name, error)
        return [_unreadable(stored)], None


def _unreadable(stored: Stored) -> ResultRow:
    row = stored.room
    return ResultRow(row.id, results.UNREADABLE, row.board, row.touched, row.seats, "", 0, 0.0, 0, "{}", 0, 0)


def rows_of(room: Room, shared: frozenset[int] = frozenset()) -> list[ResultRow]:
    """Return each seat's result of a finished game. Raise `Unreadable` for one that is not over."""
    if not room.game.over:
        raise Unreadable(f"the game of room {room.id} is not over")
    scores = room.game.sheet()
    ended = room.steps[-1].row.at if room.steps else room.row.touched
    rows = []
    for score in scores.seats:
        n, here = score.seat, room.seats[score.seat]
        rows.append(
            ResultRow(
                room=room.id,
                seat=n,
                board=room.row.board,
                ended=ended,
                seats=len(room.seats),
                against=",".join(sorted(_who(seat.kind, seat.bot) for seat in room.seats if seat.seat != n)),
                place=scores.ranks[n],
                won=scores.shares[n],
                total=score.total,
                points=json.dumps({name: points for name, points in score.parts().items() if points}),
                tickets_done=score.tickets_done,
                tickets=len(score.results),
                helped=sum(row.seat == n and row.kind in coach.HELPED for row in room.log),
                shared=n in shared,
                resigned=here.resigned,
            )
        )
    return rows


def _who(kind: str, bot: str) -> str:
    return bot[:40] if kind == seats.BOT else seats.PERSON


def counts_for_rating(room: Room, shared: frozenset[int]) -> bool:
    """Return whether a game tells how strong its people are.

    Not one whose luck somebody chose or can read in a file, in which the coach helped, or a bot for somebody away, or
    in which something was taken back after others had acted or hidden things were shown; nor one that several people
    played in one browser.
    """
    helped = any(row.kind in NOT_ALONE or (row.kind == UNDO and row.text) for row in room.log)
    return not (room.options.seeded or helped or shared)


def ratings_after(room: Room, rows: Sequence[ResultRow], before: Mapping[int, Rating]) -> dict[int, Rating]:
    """Return the ratings of its people after a game, from a result against each of the others.

    Whoever resigned has lost against all who did not. A bot without a rating says nothing.
    """
    people = {seat.seat for seat in room.seats if seat.kind == seats.PERSON}
    known = {
        row.seat: before[row.seat] if row.seat in people else rating.of_bot(room.seats[row.seat].bot) for row in rows
    }
    after = {}
    for row in rows:
        pairs = [
            (other, _score(row, opponent))
            for opponent in rows
            if opponent.seat != row.seat and (other := known[opponent.seat]) is not None
        ]
        if row.seat in people and pairs:
            after[row.seat] = rating.updated(before[row.seat], pairs)
    return after


def _score(row: ResultRow, other: ResultRow) -> float:
    mine, theirs = (row.resigned, row.place), (other.resigned, other.place)
    if row.resigned and other.resigned:
        return 0.5
    return 0.5 if mine == theirs else float(mine < theirs)


def _analysed(store: Store, name: str) -> dict[int, tuple[float, float]]:
    """Return accuracy and luck of the seats of a room, from the analysis that is kept; nothing where it is
    unreadable.
    """
    text, stored = store.analysis(name), store.load(name)
    if text is None or stored is None:
        return {}
    try:
        board = kept_boards.board_of(store, stored.room)
        if board is None:
            raise Unreadable("its board is not to be had")
        analysis = Analysis.from_dict(json.loads(text), board)
        ledgers = [analysis.ledger(seat) for seat in range(len(analysis.names)) if analysis.of(seat)]
    except (AnalysisError, Unreadable, ValueError) as error:
        log.warning("the analysis of room %s cannot be read: %s", name, error)
        return {}
    return {ledger.seat: (ledger.accuracy, ledger.luck) for ledger in ledgers}
