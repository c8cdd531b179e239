"""Rooms as the store has them."""

from __future__ import annotations

import json
from collections.abc import Iterable

from branchline.boards import Board, BranchlineError
from branchline.web.core.room_options import Options
from branchline.web.core.rooms.boards import board_by_name
from branchline.web.core.rooms.room import ACTION, TALK_KEPT, UNDO, Room
from branchline.web.core.rooms.steps import Step, Unreadable, resumed
from branchline.web.core.store.event_json import read_events
from branchline.web.core.store.rows import LogRow, RoomRow, Stored


def restored(stored: Stored, known: Room | None = None, board: Board | None = None) -> Room:
    """Return a room as stored; `known`: as it was in memory, with the log up to where `stored.log` begins.

    `board`: the one it is played on; None: the one of that name today.
    """
    row = stored.room
    board = known.board if known else board or _board_of(row)
    log = (*(known.log if known else ()), *stored.log)
    read = {step.row.n: step for step in known.steps} if known else {}
    steps = tuple(read.get(row.n) or Step(row, read_events(board, row.events)) for row in counting(log))
    states = tuple(
        snapshot for snapshot in stored.snapshots if snapshot.n == 0 or any(snapshot.n == step.row.n for step in steps)
    )
    return Room(
        row=row,
        board=board,
        options=Options(**json.loads(row.options)),
        seats=stored.seats,
        log=log,
        steps=steps,
        states=states,
        game=resumed(row, board, steps, states),
        rematch=stored.rematch,
        talk=(*(known.talk if known else ()), *stored.talk)[-TALK_KEPT:],
        entries=known.entries if known else {},
        logs=known.logs if known else {},
        versions=known.versions if known else {},
    )


def counting(log: Iterable[LogRow]) -> list[LogRow]:
    """Return the actions of a log that were not taken back."""
    left: list[LogRow] = []
    for row in log:
        if row.kind == ACTION:
            left.append(row)
        elif row.kind == UNDO:
            del left[-int(row.text or 1) :]
    return left


def _board_of(row: RoomRow) -> Board:
    try:
        return board_by_name(row.board)
    except BranchlineError as error:
        raise Unreadable(f"room {row.id}: {error}") from None
