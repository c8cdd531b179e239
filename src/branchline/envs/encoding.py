"""From a state to what one seat observes of it, and back.

An observation is made of the redacted state alone, so nothing hidden can be in it. `decode` gives that redacted state
back: nothing that the seat may know is missing. (Of a finished game an observation holds what the seat knew; who held
which ticket is in the game's scores.)
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from branchline.boards import Board
from branchline.boards.arguments import instance, seat_number
from branchline.boards.tables import WORD
from branchline.bots import Position
from branchline.envs.layout import (
    AT,
    COUNT,
    HOW,
    LOW,
    ONE_HOT,
    OWNER,
    SIZE,
    START,
    STEP,
    WIDE,
    Layout,
    shape_of,
)
from branchline.envs.rewards import EnvError
from branchline.envs.telling import numbers_of, rows_in, rows_of, tell, telling_of
from branchline.game import Game
from branchline.rules import kernel, routes, setup
from branchline.rules.state import ACTIONS, CLOSED, HIDDEN, LEFT_GAME, NOBODY, PASS, STATE, State
from branchline.runtime.structs import Buffer

Observation = npt.NDArray[np.float32]
"""One observation, `(layout.size,)`."""

Mask = npt.NDArray[np.int8]
"""Which actions are legal, `(ACTIONS,)`: ones and zeros."""


def observe(layout: Layout, game: Game, seat: int) -> Observation:
    """Return what a seat may know, as numbers of the type float32. Raise `EnvError`."""
    seat = _seat_at(_checked(layout), _game(game), seat)
    return told(layout, game.redacted(seat), seat)


def observe_position(layout: Layout, position: Position) -> Observation:
    """Return the same for a bot's question: for bots that have learned from observations. Raise `EnvError`."""
    instance("position", position, Position, "what a bot is asked", EnvError)
    _same(_checked(layout), position.board, int(position.state.seats))
    return told(layout, kernel.buffer_of(position.state), position.seat)


class _Desk:
    """A state of a thread's own, the row into which it is told, and what tells it for each seat."""

    def __init__(self, layout: Layout) -> None:
        self._seen, self._rows = kernel.new_buffer(STATE), rows_of(layout, 1)
        given = [(*rows_in(self._seen), 0, seat, telling_of(layout), self._rows, 0) for seat in range(layout.seats)]
        with_them: Callable[..., Callable[[], object]] = functools.partial if kernel.INTERPRETED else kernel.bound
        self._tell = [with_them(tell, *arguments) for arguments in given]

    def told(self, seen: Buffer[State], seat: int) -> Observation:
        self._seen[:] = seen
        self._tell[seat]()
        return np.array(self._rows.numbers[0])


class _Desks(threading.local):
    """Those of a thread, in the memory in which its records lie."""

    def __init__(self) -> None:
        self._memory: object = None
        self._at: Callable[[Layout], _Desk] = _Desk

    def at(self, layout: Layout) -> _Desk:
        memory = kernel.memory_here()
        if self._memory is not memory or self._at is _Desk:
            self._memory, self._at = memory, functools.lru_cache(16)(_Desk)
        return self._at(layout)


_desks = _Desks()


def told(layout: Layout, seen: Buffer[State], seat: int) -> Observation:
    """Return the observation of a state that is redacted for the seat, an array of one record."""
    return _desks.at(layout).told(seen, seat)


def mask_of(game: Game, seat: int) -> Mask:
    """Return what a seat may do now.

    If it is asked nothing, only `PASS` is 1: a mask is never empty. Raise `EnvError`.
    """
    seat = seat_number(seat, _game(game).seats, EnvError)
    mask = np.zeros(ACTIONS, dtype=np.int8)
    mask[list(game.legal.numbers) if game.question.seat == seat else PASS] = 1
    return mask


def _checked(layout: object) -> Layout:
    return instance("layout", layout, Layout, "a layout, as `layout_of` returns it", EnvError)


def _game(game: object) -> Game:
    return instance("game", game, Game, "a game", EnvError)


def _seat_at(layout: Layout, game: Game, seat: object) -> int:
    _same(layout, game.board, game.seats)
    return seat_number(seat, layout.seats, EnvError)


def _same(layout: Layout, board: Board, seats: int) -> None:
    if (board.digest, seats) != (layout.board.digest, layout.seats):
        raise EnvError(
            f"layout: it is of {layout.board.title} with {layout.seats} seats, the game is {board.title} with {seats}"
        )


def decode(layout: Layout, observation: Observation, seat: int = 0) -> Buffer[State]:
    """Return the redacted state, an array of one record, that a seat observed. Inverse of `observe`.

    Raise `EnvError` for numbers that no seat can have observed.
    """
    seat = seat_number(seat, _checked(layout).seats, EnvError)
    if not isinstance(observation, np.ndarray) or observation.shape != (layout.size,):
        raise EnvError(f"observation: expected an array of {layout.size} numbers, not {shape_of(observation)}")
    try:
        if not ((observation >= 0) & (observation <= layout.high)).all():
            raise ValueError
        return _decoded(layout, observation, seat)
    except (ValueError, IndexError, OverflowError, TypeError):  # not a number; none of several; too many
        raise EnvError("observation: no seat can have observed these numbers") from None


def _decoded(layout: Layout, observation: Observation, seat: int) -> Buffer[State]:
    buffer = kernel.new_buffer(STATE)
    state, table = kernel.record_in(buffer), kernel.record_in(layout.board.tables)
    state.seats = layout.seats
    setup.empty_table(table, state)
    buffer["pieces"], buffer["offer"] = 0, -1
    small, large = numbers_of(buffer)
    for cell in layout.cells[seat].tolist():
        (small if cell[WIDE] == 1 else large)[cell[AT]] = _number(cell, observation, seat, layout.seats)
    _follow(layout, buffer, seat)
    return buffer


def _number(cell: list[int], observation: Observation, me: int, seats: int) -> int:
    """Return the number of the state that a cell tells."""
    how, start, low, size, step = cell[HOW], cell[START], cell[LOW], cell[SIZE], cell[STEP]
    if how == COUNT:
        return round(float(observation[start]) * size) + low
    place = np.flatnonzero(observation[start : start + size * step : step])
    if how == ONE_HOT:
        return int(place[0]) + low
    if how == OWNER:
        if not len(place):
            return NOBODY
        return (int(place[0]) + me) % seats if place[0] < seats else CLOSED
    if not len(place):
        return HIDDEN
    return me if place[0] == 0 else LEFT_GAME - me


def _follow(layout: Layout, buffer: Buffer[State], me: int) -> None:
    """Set what follows from the rest: what others' hands are known to hold, sets of free, barred and reached things."""
    record = buffer[0]
    for seat in range(layout.seats):
        if seat != me:
            record["seen"][seat] = record["hand"][seat]
    state, table = kernel.record_in(buffer), kernel.record_in(layout.board.tables)
    owners = record["route_owner"].tolist()
    for route in range(len(layout.board.routes)):
        if owners[route] >= 0:
            routes.own(table, state, owners[route], route)
    record["route_owner"][: len(owners)] = owners
    for name in ("station", "port"):
        for place in np.flatnonzero(record[f"{name}_owner"] >= 0).tolist():
            record[f"{name}_free"][place // WORD] &= ~(1 << (place % WORD))
