"""`branchline compile`: with the extra `native`, compile the rules and the bots for this machine ahead of time."""

from __future__ import annotations

import contextlib
import gc
import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

from branchline.commands.files import CommandError
from branchline.commands.progress import progress
from branchline.commands.screen import say
from branchline.runtime import INSTALL, ask_for_native_code

if TYPE_CHECKING:
    from branchline.boards import Board
    from branchline.bots import BotMaker

DECISIONS = 60  # of each game that is played for the purpose
SEARCH = "search@6"


def compile_rules() -> None:
    """Compile the rules and the bots for this machine, so that nobody waits for it later (extra `native`).

    Nothing needs this: the engine that comes with branchline runs the rules. `BRANCHLINE_RULES=native` has compiled
    code run them, and what is missing is compiled when it is first called.
    """
    if find_spec("numba") is None:  # no fault: units and images of older versions call this before they serve
        say(f"Nothing to compile: the engine that comes with branchline runs the rules. For native code: {INSTALL}")
        return
    ask_for_native_code()
    gc.disable()  # this process ends soon, and looking for lost objects takes a twentieth of its time
    from branchline.runtime import code_cache, mode

    if not mode.NATIVE:
        raise CommandError(f"nothing is compiled where {mode.VARIABLE} asks for {mode.WAY}")
    started = time.monotonic()
    steps = tuple(_steps())
    if code_cache.folder() is None:
        raise CommandError("no folder for compiled code can be written to; name one in BRANCHLINE_CACHE")
    with progress("compiling", len(steps)) as done:
        for n, step in enumerate(steps):
            step()
            done(n + 1)
    if (failure := code_cache.failure) is not None:
        why = failure.strerror or failure
        raise CommandError(f"{code_cache.folder()}: compiled code cannot be kept there: {why}")
    say(f"Compiled in {time.monotonic() - started:.0f} s, into {code_cache.folder()}")


def _steps() -> Iterator[Callable[[], object]]:
    """Yield everything that is called from Python, called the way it will be called later."""
    from branchline.boards import builtin_boards, load_board
    from branchline.bots.levels import MADE_OF

    boards = [load_board(name) for name in builtin_boards()]
    for board in boards:
        yield partial(_play, board)
    yield partial(_deal, boards[0])
    for maker in MADE_OF:
        yield partial(_begin_games, boards[0], maker)
    for board in boards:
        yield partial(_search, board)


def _begin_games(board: Board, maker: BotMaker) -> None:
    """Set up games without playing any."""
    from branchline.arena.table import Table

    Table(board, [maker] * board.seats[0], 1).play(0, 0)


def _deal(board: Board) -> None:
    """Deal cards and tickets for a real board: one of everything that may be done."""
    from branchline.tabletop.dealer import Dealer

    dealer = Dealer(board, board.seats[0], 1)
    before = dealer.snapshot
    dealer.allowed(0)
    for seat in range(dealer.seats):
        dealer.do(seat, "keep " + " ".join(str(ticket.index) for ticket in dealer.view(seat).offer))
    dealer.take_back(before)


def _play(board: Board) -> None:
    """Play part of a game, asking it all that pages and programs ask; then its end, by chance."""
    from branchline.bots import Position
    from branchline.bots.levels import MADE_OF
    from branchline.game import Game, IllegalAction
    from branchline.rules.state import BLIND

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
    """Make one decision by search."""
    from branchline.bots import Position, bot_maker
    from branchline.game import Game

    game = Game(board, board.seats[0], seed=1)
    while game.question.kind != "turn":
        game.play(game.legal[0])
    bot_maker(SEARCH)(1).choose(Position.of(game))
