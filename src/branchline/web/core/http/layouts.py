"""Boards that are not laid out yet are laid out by another process, each once, while those who need them wait.

That is plain Python and takes a second or more: in this process, even in a thread, all others would wait too.
"""

from __future__ import annotations

import asyncio
import logging

from branchline.boards import Board
from branchline.draw.layout import is_ready, layout_of, remember
from branchline.web.core.jobs import Job, JobError, WorkBudget

log = logging.getLogger("branchline.server")

BUDGET = WorkBudget(30.0)


class Layouts:
    """Which boards are laid out, as far as this process knows."""

    def __init__(self) -> None:
        """Begin with no layout known to be ready."""
        self._ready: set[str] = set()  # digests of boards
        self._one_at_a_time = asyncio.Lock()

    async def ready(self, board: Board) -> None:
        """Wait until a board can be drawn at once. When the other process fails, whoever draws it lays it out."""
        if board.digest in self._ready:
            return
        async with self._one_at_a_time:
            if not await asyncio.to_thread(is_ready, board):
                await _laid_out_elsewhere(board)
        self._ready.add(board.digest)


async def _laid_out_elsewhere(board: Board) -> None:
    job = Job(BUDGET, layout_of, board)
    try:
        layout = await asyncio.to_thread(job.run)
        await asyncio.to_thread(remember, board, layout)
    except JobError:
        log.warning("board %s could not be laid out in a process of its own", board.id)
    finally:
        job.stop()  # done, or nobody wants it any more
