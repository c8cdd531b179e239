"""Warming up: what the first visitors would otherwise wait for is done in the background when the server starts."""

from __future__ import annotations

import asyncio
import logging
import time

from branchline.atlas import Board
from branchline.bots import Position, make_bot
from branchline.game import Game
from branchline.web import rooms, seats
from branchline.web.house import House

log = logging.getLogger("branchline.server")


async def warm_up(house: House) -> None:
    """Compile the rules and the bots, and lay out the boards, one after the other."""
    started = time.monotonic()
    for board in rooms.boards():
        for work in (_play, _draw):
            try:
                await asyncio.to_thread(work, board)
            except Exception:  # a board that cannot be drawn is said so when it is asked for
                log.exception("%s could not be warmed up", board.id)
    house.warm = True
    log.info("warm after %.1f s", time.monotonic() - started)


def _play(board: Board) -> None:
    """A few turns with each bot, so that all they need is compiled."""
    for name in seats.bots():
        game = Game(board, board.seats[0], seed=1)
        bots = [make_bot(name, seat) for seat in range(game.seats)]
        until = time.monotonic() + 0.5
        while not game.over and time.monotonic() < until:
            asked = game.question.seat
            assert asked is not None
            game.play(bots[asked].choose(Position.of(game)))
        game.sheet()


def _draw(board: Board) -> None:
    from branchline.draw.layout import layout_of

    layout_of(board)
