"""Warming up: what the first visitors would otherwise wait for is done in the background when the server starts.

Compiled rules and bots are loaded in a thread, which lets others go on; boards are laid out by another process
(`layouts`).
"""

from __future__ import annotations

import asyncio
import gc
import logging
import time

from branchline.atlas import Board
from branchline.bots import Bot, Position, make_bot
from branchline.bots.search import Budget, SearchBot
from branchline.game import Game
from branchline.runtime import mode
from branchline.web.http.state import ServerState
from branchline.web.rooms import seats
from branchline.web.rooms.boards import offered_boards

log = logging.getLogger("branchline.server")

ENOUGH = 0.1  # seconds of play with each bot


async def warm_up(server: ServerState) -> None:
    """Compile the rules and the bots, and lay out the boards, one after the other."""
    started = time.monotonic()
    boards = await asyncio.to_thread(offered_boards)
    laying_out = asyncio.create_task(_lay_out(server, boards))
    try:
        await asyncio.to_thread(warm_bots)
        await laying_out
        gc.freeze()  # what is there now stays: no need to look at it again and again
        server.warm = True
        log.info("warm after %.1f s", time.monotonic() - started)
    except Exception:  # whoever needs it will wait for it, or be told what is wrong
        log.exception("warming up was interrupted")
    finally:
        laying_out.cancel()
        await asyncio.gather(laying_out, return_exceptions=True)


def warm_bots() -> None:
    """A few turns with each bot on each board, so that all they need is loaded; interpreted, nothing needs to be."""
    if not mode.INTERPRETED:
        for board in offered_boards():
            _play(board)


def _play(board: Board) -> None:
    for name in seats.bots():
        game = Game(board, board.seats[0], seed=1)
        bots = [_quick(make_bot(name, seat)) for seat in range(game.seats)]
        until = time.monotonic() + ENOUGH
        while not game.over and time.monotonic() < until:
            asked = game.question.seat
            assert asked is not None
            game.cards_for()
            game.play(bots[asked].choose(Position.of(game)))
        game.sheet()


def _quick(bot: Bot) -> Bot:
    """A bot that thinks as long as it has time needs little to load its code."""
    if isinstance(bot, SearchBot):
        bot.budget = Budget(rollouts=20)
    return bot


async def _lay_out(server: ServerState, boards: tuple[Board, ...]) -> None:
    """See to it that every board can be drawn."""
    for board in boards:
        await server.layouts.ready(board)
