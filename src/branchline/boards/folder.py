"""Reads a board folder from front to back, or says everything that is wrong with it."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

from branchline.boards.backdrop import check_backdrop
from branchline.boards.board import Board
from branchline.boards.digest import digest
from branchline.boards.faults import BoardError, Fault, FaultList, quoted, shown
from branchline.boards.files import check_file_names
from branchline.boards.places import read_places
from branchline.boards.routes import read_routes
from branchline.boards.rulebook import read_rulebook
from branchline.boards.soundness import check_map, check_rules, check_tickets
from branchline.boards.tickets import read_tickets
from branchline.boards.wording import CLOSED, freely, worded


def read_board(folder: str | os.PathLike[str]) -> Board:
    """Read the board in this folder (`docs/board_format.md`). Raise `BoardError` with all its faults."""
    folder = _existing(folder)
    faults = FaultList()
    try:
        board = _read(folder, faults)
    except OSError as error:  # a disk that fails between looking and reading
        faults.add(
            folder.name, 0, worded("cannot be read: {reason}", reason=freely(error.strerror or str(error), CLOSED))
        )
        board = None
    faults.raise_if_any(str(folder))
    assert board is not None  # without faults there is a board
    return dataclasses.replace(board, digest=digest(board))


def _existing(folder: str | os.PathLike[str]) -> Path:
    try:
        path = Path(folder)
    except TypeError:
        name = shown(folder)
        raise BoardError(name, [Fault(name, 0, worded("expected the path of a folder"))]) from None
    try:
        if path.is_dir():
            return path
        reason = worded("is not a folder") if path.exists() else worded("does not exist")
    except (OSError, ValueError) as error:  # a name too long, or with a zero byte
        reason = worded(
            "cannot be read: {reason}", reason=freely(getattr(error, "strerror", None) or str(error), CLOSED)
        )
    raise BoardError(str(folder), [Fault(quoted(str(folder)), 0, reason)])


def _read(folder: Path, faults: FaultList) -> Board | None:
    """Read each file by itself first; how they fit together is checked only where they are sound."""
    check_file_names(folder, faults)
    rules, top = read_rulebook(folder, faults)
    rules_sound = rules is not None and not faults
    places, city_lines = read_places(folder, faults)
    decks = rules.ticket_rules.decks if rules and rules_sound else None
    routes = read_routes(folder, places, faults, rules is not None and rules.kinds_apart)
    tickets = read_tickets(folder, places, decks, faults)
    if rules and rules_sound and "backdrop" in rules.map:
        check_backdrop(folder, rules.map["backdrop"], faults)
    if rules is None or top is None or places is None or not rules_sound:
        return None

    board = dataclasses.replace(
        rules,
        places=tuple(places.values()),
        routes=tuple(route for _, route in routes),
        tickets=tuple(ticket for _, ticket in tickets),
        folder=folder,
    )
    map_sound = not faults
    check_rules(board, top)
    if map_sound:
        check_map(board, routes, city_lines, top, faults)
        check_tickets(board, [row for row, _ in tickets], top, faults)
    return board
