"""The boards that this server offers: the built-in ones, and those in the user's own folder."""

from __future__ import annotations

from branchline.boards import Board, load_board
from branchline.boards.catalogue import builtin_boards, custom_boards
from branchline.game import SetupError


def board_by_name(name: str) -> Board:
    """Return a board that this server offers. Raise `SetupError`. `load_board` would open any folder it was given."""
    wanted = name.strip().casefold()
    if wanted not in builtin_boards() and wanted not in custom_boards():
        raise SetupError(f"there is no board called {name.strip()[:40]!r} here")
    return load_board(wanted)


def offered_boards() -> tuple[Board, ...]:
    """Return the boards that this server offers."""
    return tuple(load_board(name) for name in (*builtin_boards(), *sorted(custom_boards())))
