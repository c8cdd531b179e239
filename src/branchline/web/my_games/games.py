"""Somebody's finished games taken together: by board, by opponents, page by page, and as a file.

All is worked out from the rows of `results`, in a thread; no game is replayed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from statistics import fmean
from typing import Any

from branchline.csv_table import Cell, for_people
from branchline.plain_data import JsonObject
from branchline.web.core.rooms.boards import offered_boards
from branchline.web.core.seen import Player
from branchline.web.core.store.database import Store
from branchline.web.core.visit import Visit
from branchline.web.my_games import store as results
from branchline.web.my_games.page import GameResult, GameTally, MyGamesContext
from branchline.web.my_games.store import ResultRow, Sitter

PAGE = 50  # games


def context_of(
    store: Store, visit: Visit, key: str, board: str = "", against: str = "", page: int = 1
) -> MyGamesContext:
    """Return the page's view of a browser's games. An unknown choice finds none; a page beyond the last is the last."""
    every = [_result(row) for row in results.of_key(store, key)]
    chosen = [game for game in every if board in ("", game.board) and against in ("", ",".join(game.against))]
    pages = max(1, -(-len(chosen) // PAGE))
    page = min(max(1, page), pages)
    shown = chosen[(page - 1) * PAGE : page * PAGE]
    sitting = results.sitters(store, {game.room for game in shown})
    rated = next((game for game in every if game.rating is not None), None)
    return MyGamesContext(
        visit=visit,
        boards={board_offered.id: board_offered for board_offered in offered_boards()},
        all_boards=tallies(every, lambda game: game.board),
        all_opponents=tallies(every, lambda game: ",".join(game.against)),
        board=board,
        against=against,
        page=page,
        pages=pages,
        found=tuple(chosen),
        shown=tuple(shown),
        players={room: tuple(map(_player, there)) for room, there in sitting.items()},
        rating=None if rated is None or rated.rating is None else (rated.rating, rated.deviation or 0.0),
    )


def _result(row: ResultRow) -> GameResult:
    points: Mapping[str, int] = json.loads(row.points)
    return GameResult(
        room=row.room,
        seat=row.seat,
        board=row.board,
        ended=row.ended,
        seats=row.seats,
        against=tuple(row.against.split(",")),
        place=row.place,
        won=0.0 if row.resigned else row.won,
        total=row.total,
        points=points,
        tickets_done=row.tickets_done,
        tickets=row.tickets,
        helped=row.helped,
        shared=row.shared,
        resigned=row.resigned,
        rating=row.rating,
        deviation=row.deviation,
        accuracy=row.accuracy,
        luck=row.luck,
    )


def _player(sitter: Sitter) -> Player:
    return Player(sitter.seat, sitter.kind, sitter.name, sitter.bot)


def tallies(games: Iterable[GameResult], kind: Callable[[GameResult], str]) -> tuple[GameTally, ...]:
    """Return games grouped by `kind`, the largest group first. Games of several people in one browser are left out."""
    together: dict[str, list[GameResult]] = {}
    for game in games:
        if not game.shared:
            together.setdefault(kind(game), []).append(game)
    lines = [_tally(name, group) for name, group in together.items()]
    return tuple(sorted(lines, key=lambda tally: (-tally.games, tally.name)))


def _tally(name: str, games: Sequence[GameResult]) -> GameTally:
    points = [game.total for game in games if game.counts]
    accuracy = [game.accuracy for game in games if game.accuracy is not None]
    return GameTally(
        name,
        len(games),
        sum(game.won for game in games),
        fmean(points) if points else None,
        fmean(accuracy) if accuracy else None,
    )


# ---------------------------------------------------------------------------------------------------- files


def exported(store: Store, key: str) -> list[JsonObject]:
    """Return all games of a browser as plain data, the latest first."""
    rows = results.of_key(store, key)
    sitting = results.sitters(store, {row.room for row in rows})
    tables = []
    for row in rows:
        table = vars(row) | {"points": json.loads(row.points), "against": row.against.split(",")}
        table["ended"] = datetime.fromtimestamp(row.ended, UTC).isoformat(timespec="seconds")
        table["players"] = [
            {"seat": sitter.seat, "name": sitter.name, "bot": sitter.bot} for sitter in sitting.get(row.room, [])
        ]
        tables.append(table)
    return tables


def as_json(store: Store, key: str) -> str:
    """Return all games as JSON."""
    return json.dumps({"branchline_games": 1, "games": exported(store, key)}, ensure_ascii=False, indent=1)


def as_csv(store: Store, key: str, language: str) -> str:
    """Return all games as a table, with a column for each source of points, for a reader of this language."""
    games = exported(store, key)
    sources = sorted({source for game in games for source in game["points"]})
    plain = [name for name in ResultRow.__dataclass_fields__ if name != "points"]
    headings = [*plain, *(f"points_{source}" for source in sources), "players"]
    return for_people(language, headings, (_cells(game, plain, sources) for game in games))


def _cells(game: Mapping[str, Any], plain: Sequence[str], sources: Sequence[str]) -> list[Cell]:
    cells = {**game, "against": " ".join(game["against"])}
    names = ", ".join(player["name"] for player in game["players"])
    return [*(cells[name] for name in plain), *(game["points"].get(source, 0) for source in sources), names]
