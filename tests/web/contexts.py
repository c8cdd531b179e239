"""Contexts made straight from a `Game`, for tests of the pages alone: no server, no store."""

from __future__ import annotations

import random
from typing import Any

import branchline as bl
from branchline.game import Game
from branchline.web.core.room_options import Options
from branchline.web.core.seen import LogEntry, Player, TableContext
from branchline.web.core.visit import Visit


def seen_by(game: Game, seat: int | None) -> Game:
    """The game as these eyes know it."""
    seen = game.copy()
    seen._buffer = game.redacted(seat)
    seen._open()
    return seen


def players(game: Game, mine: tuple[int, ...] = (0,)) -> tuple[Player, ...]:
    names = ("Anna", "Bo", "Cleo", "Dora", "Emil")
    return tuple(
        Player(n, "person" if n in mine else "bot", names[n], bot="" if n in mine else "greedy", mine=n in mine)
        for n in range(game.seats)
    )


def table_context(game: Game, log: tuple[LogEntry, ...] = (), seat: int | None = 0, **more: Any) -> TableContext:
    seen = seen_by(game, seat)
    visit = more.pop("visit", Visit(csrf="token", nonce="nonce"))
    values: dict[str, Any] = {
        "visit": visit,
        "room": "room",
        "board": game.board,
        "options": Options(),
        "players": players(game),
        "mine": (0,),
        "seat": seat,
        "pass_to": None,
        "game": seen,
        "log": log,
        "version": len(log),
        "scores": game.scores if game.over else None,
        "fingerprint": seen.fingerprint,
    }
    values |= more
    if "view" in TableContext.__dataclass_fields__:
        values["view"] = game.view(seat)
    return TableContext(**values)


def _asked(game: Game) -> set[str]:
    """What is asked, and whether a route can be claimed."""
    can_claim = any(action.text.startswith("claim") for action in game.legal)
    return {game.question.kind, "claim" if can_claim else ""}


def played(board: str, steps: int, seats: int = 3, seed: int = 5, until: str = "") -> tuple[Game, tuple[LogEntry, ...]]:
    """A game some steps on, played by greedy bots, with its log; `until`: on to the first such question of seat 0.

    `until` "claim" is the first turn in which seat 0 can claim a route.
    """
    game = bl.Game(bl.load_board(board), seats=seats, seed=seed)
    bots = [bl.make_bot("greedy", seed + n) for n in range(seats)]
    from branchline.bots.api.bot import Position

    log: list[LogEntry] = []
    luck = random.Random(seed)
    n = 0
    while not game.over:
        question = game.question
        if n >= steps and (not until or (question.seat == 0 and until in _asked(game))):
            break
        assert question.seat is not None
        if luck.random() < 0.02:
            action = luck.choice(list(game.legal))
        else:
            action = bots[question.seat].choose(Position.of(game))
        events = game.play(int(action))
        n += 1
        if events:
            log.append(LogEntry(n, question.seat, tuple(event.for_seat(0) for event in events)))
    return game, tuple(log)
