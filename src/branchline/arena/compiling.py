"""Compiles everything that games, levels and search need, once for these sources, into the cache.

It has every entry point called the way it will be called later. What is seldom wanted, such as the classic styles of
bots, is compiled when it is first called. One process at a time does so; another one waits
for it and finds everything there. What is compiled when it is stopped is kept, so that the next one goes on from there.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from branchline.arena.table import Table
from branchline.atlas import Board, builtin_boards, load_board
from branchline.bots import BotMaker, Position, bot_maker
from branchline.bots.levels import MADE_OF
from branchline.game import Game, IllegalAction
from branchline.game.dealer import Dealer
from branchline.rules.state import BLIND
from branchline.runtime import code_cache, compiler

DECISIONS = 60  # of each game that is played for the purpose
SEARCH = "search@6"

ENTRY_POINTS = 45
"""So many functions are called from Python, or handed over as pointers; only the bar needs to know."""

Report = Callable[[float], None]
"""Is told how much is done: 0 … 1."""


def compile_all(report: Report) -> None:
    """Compile what is missing, and mark the cache as complete. `report` is called after every entry point."""
    with _alone():
        if code_cache.is_complete():
            return
        with compiler.counting(lambda count: report(min(0.99, count / ENTRY_POINTS))):
            for step in _steps():
                step()
        code_cache.mark_complete()


def _steps() -> Iterator[Callable[[], Any]]:
    """Everything that is called from Python, what people wait for first."""
    boards = [load_board(name) for name in builtin_boards()]
    yield partial(_begin_games, boards[0], MADE_OF[0])
    for board in boards:
        yield partial(_play, board)
    yield partial(_deal, boards[0])
    for maker in MADE_OF[1:]:
        yield partial(_begin_games, boards[0], maker)
    for board in boards:
        yield partial(_search, board)


def _begin_games(board: Board, maker: BotMaker) -> None:
    """No games at all, but everything is set up for them."""
    Table(board, [maker] * board.seats[0], 1).play(0, 0)


def _deal(board: Board) -> None:
    """Cards and tickets for a real board: one of everything that may be done."""
    dealer = Dealer(board, board.seats[0], 1)
    before = dealer.snapshot
    dealer.allowed(0)
    for seat in range(dealer.seats):
        dealer.do(seat, "keep " + " ".join(str(ticket.index) for ticket in dealer.view(seat).offer))
    dealer.take_back(before)


def _play(board: Board) -> None:
    """Part of a game, asking it all that pages and programs ask; then its end, by chance."""
    game, luck = Game(board, board.seats[0], seed=1), random.Random(1)
    bots = [maker(1) for maker in MADE_OF]
    for n in range(DECISIONS):
        if game.over:
            return
        position = Position.of(game)
        game.view(position.seat)
        game.why_not(BLIND)
        game.cards_for()
        for action in game.legal:
            with contextlib.suppress(IllegalAction):
                game.payments(action)
        chosen = [bot.choose(position) for bot in bots]
        game.play(chosen[n % len(bots)] if n % 2 else luck.choice(game.legal))
    game.sheet()


def _search(board: Board) -> None:
    """One decision by search."""
    game = Game(board, board.seats[0], seed=1)
    while game.question.kind != "turn":
        game.play(game.legal[0])
    bot_maker(SEARCH)(1).choose(Position.of(game))


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """While this lasts no other process compiles."""
    folder = code_cache.folder()
    if folder is None:
        yield
        return
    with Path(folder / "lock").open("w") as lock:
        try:
            import fcntl
        except ImportError:  # Windows: two may compile the same, which does no harm
            yield
            return
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
