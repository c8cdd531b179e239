"""The layout of a board: everything about its drawing that does not depend on the position.

Working it out takes about a second, so it is kept in memory, and between starts on disk; the layouts of the boards
that come with branchline come with it.
"""

from __future__ import annotations

from collections import OrderedDict

from branchline.boards.board import Board
from branchline.draw import stored
from branchline.draw.geometry import Layout

__all__ = ["Layout", "is_ready", "layout_of", "remember"]

_KEPT = 12  # layouts in memory; a server shows a handful of boards

_layouts: OrderedDict[object, Layout] = OrderedDict()


def layout_of(board: Board) -> Layout:
    """Return the layout of a board; compute it only if it is neither in memory nor on disk."""
    layout = _found(board)
    if layout is None:
        from branchline.draw.arranging import arrange  # not needed for a board that is on disk, and NumPy neither

        layout = arrange(board)
        stored.keep(board, layout)
        remember(board, layout)
    return layout


def is_ready(board: Board) -> bool:
    """Return whether `layout_of` answers at once, from memory; a layout on disk is in memory from now on."""
    return _found(board) is not None


def remember(board: Board, layout: Layout) -> None:
    """Take over a layout that was worked out elsewhere, in another process say."""
    _layouts[_key(board)] = layout
    while len(_layouts) > _KEPT:
        _layouts.popitem(last=False)


def _found(board: Board) -> Layout | None:
    """Return the layout from memory, else from disk, else None."""
    key = _key(board)
    if key in _layouts:
        _layouts.move_to_end(key)
        return _layouts[key]
    layout = stored.found(board)
    if layout is not None:
        remember(board, layout)
    return layout


def _key(board: Board) -> object:
    """Return what the layout depends on, quick to compare; the backdrop is taken as unchanged until its date
    changes.
    """
    return _drawn(board), stored.backdrop_stamp(board)


class _Drawn:
    """What a layout shows of a board, hashed once: there are hundreds of places and routes in it."""

    __slots__ = ("_hash", "_shown")

    def __init__(self, board: Board) -> None:
        self._shown = stored.drawn(board)
        self._hash = hash(self._shown)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Drawn) and self._shown == other._shown


_known: OrderedDict[int, tuple[Board, _Drawn]] = OrderedDict()  # by the identity of a board, which is kept with it


def _drawn(board: Board) -> _Drawn:
    entry = _known.get(id(board))
    if entry is None:
        entry = _known[id(board)] = board, _Drawn(board)
        while len(_known) > _KEPT:
            _known.popitem(last=False)
    return entry[1]
