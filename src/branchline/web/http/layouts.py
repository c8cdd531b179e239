"""Boards that are not laid out yet are laid out by another process, each once, while those who need them wait.

That is plain Python and takes a second or more: in this process, even in a thread, all others would wait too.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import subprocess
import sys
import threading

from branchline.atlas import Board
from branchline.draw.layout import Layout, is_ready, layout_of, remember

_THERE = "from branchline.web.http.layouts import main; main()"


class Layouts:
    """Which boards are laid out, as far as this process knows."""

    def __init__(self) -> None:
        """None is known to be."""
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
    process = await asyncio.to_thread(_started)
    try:
        layout = await asyncio.to_thread(_layout_from, process, pickle.dumps(board))
        if layout is not None:
            await asyncio.to_thread(remember, board, layout)
    finally:
        process.kill()  # done, or nobody wants it any more
        await asyncio.shield(asyncio.to_thread(process.wait))


def _started() -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", _THERE], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def _layout_from(process: subprocess.Popen[bytes], board: bytes) -> Layout | None:
    """What the other process finds; None: it was ended."""
    assert process.stdin is not None and process.stdout is not None
    try:
        with process.stdin, process.stdout:
            process.stdin.write(board)
            process.stdin.flush()
            layout: Layout = pickle.load(process.stdout)
            return layout
    except (OSError, EOFError, pickle.UnpicklingError):
        return None


def main() -> None:
    """The other process: a board comes on standard input, its layout goes out on standard output."""
    board = pickle.load(sys.stdin.buffer)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with contextlib.suppress(BrokenPipeError):
        pickle.dump(layout_of(board), sys.stdout.buffer)
        sys.stdout.flush()


def _end_with_parent() -> None:
    """Standard input is closed when whoever asked is gone: then nobody needs the layout."""
    while os.read(0, 1024):
        pass
    os._exit(1)
