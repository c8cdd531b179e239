"""Warming up: what the first visitors would otherwise wait for is done in the background when the server starts.

Compiled rules and bots are loaded in a thread, which lets others go on. A board that is not laid out yet, in memory or
on disk, is laid out by another process: that is plain Python and would not.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor

from branchline.atlas import Board
from branchline.bots import Position, make_bot
from branchline.draw.layout import Layout, is_ready, layout_of, remember
from branchline.game import Game
from branchline.runtime import mode
from branchline.web.http.state import ServerState
from branchline.web.rooms import seats
from branchline.web.rooms.boards import board_by_name, offered_boards

log = logging.getLogger("branchline.server")

ENOUGH = 0.2  # seconds of play with each bot


async def warm_up(server: ServerState) -> None:
    """Compile the rules and the bots, and lay out the boards, one after the other."""
    started = time.monotonic()
    boards = offered_boards()
    laying_out = asyncio.create_task(_lay_out(boards))
    try:
        await asyncio.to_thread(warm_bots)
        await laying_out
        gc.collect()
        gc.freeze()  # what is there now stays: no need to look at it again and again
        server.warm = True
        log.info("warm after %.1f s", time.monotonic() - started)
    except Exception:  # whoever needs it will wait for it, or be told what is wrong
        log.exception("warming up was interrupted")
    finally:
        laying_out.cancel()


def warm_bots() -> None:
    """A few turns with each bot on each board, so that all they need is loaded; interpreted, nothing needs to be."""
    if not mode.INTERPRETED:
        for board in offered_boards():
            _play(board)


def _play(board: Board) -> None:
    for name in seats.bots():
        game = Game(board, board.seats[0], seed=1)
        bots = [make_bot(name, seat) for seat in range(game.seats)]
        until = time.monotonic() + ENOUGH
        while not game.over and time.monotonic() < until:
            asked = game.question.seat
            assert asked is not None
            game.play(bots[asked].choose(Position.of(game)))
        game.sheet()


async def _lay_out(boards: tuple[Board, ...]) -> None:
    """Have another process lay out the boards for which nobody has done so, and remember what it found."""
    missing = [board for board in boards if not await asyncio.to_thread(is_ready, board)]
    if not missing:
        return
    loop = asyncio.get_running_loop()
    elsewhere = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
    try:
        for board in missing:
            remember(board, await loop.run_in_executor(elsewhere, _laid_out, board.id))
    finally:
        await asyncio.to_thread(elsewhere.shutdown, True, cancel_futures=True)


def _laid_out(name: str) -> Layout:
    """The layout of a board, in the other process."""
    return layout_of(board_by_name(name))
