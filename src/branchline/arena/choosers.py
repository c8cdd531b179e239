"""Choices of compiled bots in a form in which compiled code can be handed any of them.

Natively that is a pointer to machine code. The engine has the built-in bots only, and is told their numbers.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol, TypeGuard

import numpy as np

from branchline.boards.limits import MAX_SEATS
from branchline.boards.tables import BOARD, BoardTables
from branchline.bots.api.bot import CompiledBot
from branchline.bots.api.memory import MEMORY, Memory
from branchline.bots.planner import fast, planner
from branchline.bots.simple import greedy, habits, random, styles
from branchline.rules import kernel
from branchline.rules.kernel import rule
from branchline.rules.state import SCRATCH, STATE, Scratch, State
from branchline.runtime.mode import BUILDING, ENGINE, NATIVE

BUILT_IN = (
    random.choose,
    greedy.choose,
    fast.choose,
    planner.choose,
    styles.choose_one_step,
    styles.choose_long_route,
    styles.choose_route_focused,
    styles.choose_hungry,
    styles.choose_racer,
    habits.choose_sprawler,
    habits.choose_early_blocker,
    habits.choose_ticket_lover,
    habits.choose_hoarder,
)
"""The choices that the engine has, by their numbers."""

Choice = Callable[[BoardTables, State, Scratch, Memory, int], int]


class Choosers(Protocol):
    """The choices of a line-up: functions or pointers to them, or their numbers."""

    def __getitem__(self, entrant: int, /) -> Any: ...


@rule
def choose_by_number(
    choosers: Choosers, entrant: int, board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int
) -> int:
    """Return the answer of an entrant whose choice is one of `BUILT_IN`."""
    number = choosers[entrant]
    if number == 0:
        return random.choose(board, state, scratch, memory, seat)
    if number == 1:
        return greedy.choose(board, state, scratch, memory, seat)
    if number == 2:
        return fast.choose(board, state, scratch, memory, seat)
    if number == 3:
        return planner.choose(board, state, scratch, memory, seat)
    if number == 4:
        return styles.choose_one_step(board, state, scratch, memory, seat)
    if number == 5:
        return styles.choose_long_route(board, state, scratch, memory, seat)
    if number == 6:
        return styles.choose_route_focused(board, state, scratch, memory, seat)
    if number == 7:
        return styles.choose_hungry(board, state, scratch, memory, seat)
    if number == 8:
        return styles.choose_racer(board, state, scratch, memory, seat)
    if number == 9:
        return habits.choose_sprawler(board, state, scratch, memory, seat)
    if number == 10:
        return habits.choose_early_blocker(board, state, scratch, memory, seat)
    if number == 11:
        return habits.choose_ticket_lover(board, state, scratch, memory, seat)
    return habits.choose_hoarder(board, state, scratch, memory, seat)


@rule
def choose_by_pointer(
    choosers: Choosers,
    entrant: int,
    board: BoardTables,
    state: State,
    scratch: Scratch,
    memory: Memory,
    seat: int,
) -> int:
    """Return the answer of an entrant whose choice is a pointer to machine code, or a function."""
    answer: int = choosers[entrant](board, state, scratch, memory, seat)
    return answer


ask = choose_by_number if BUILDING else choose_by_pointer
"""`(choosers, entrant, board, state, scratch, memory, seat)`: the answer of one of the line-up."""


def choosers_of(choices: Sequence[Callable[..., int]]) -> Choosers:
    """Return a line-up's choices as compiled code takes them, MAX_SEATS of them, so that one loop serves all
    line-ups.
    """
    filled = [*choices, *[choices[0]] * (MAX_SEATS - len(choices))]
    if not ENGINE:
        return tuple(map(function_pointer, filled))
    numbers = kernel.new_array(MAX_SEATS, np.int64)
    numbers[:] = [BUILT_IN.index(choice) for choice in filled]
    return numbers


def is_compiled(maker: object) -> TypeGuard[type[CompiledBot]]:
    """Return whether compiled loops can ask the bots of this maker: the engine has the choices of built-in ones only.

    A class that inherits the choice of another, but chooses in Python, is asked in Python.
    """
    return (
        isinstance(maker, type)
        and issubclass(maker, CompiledBot)
        and maker.choose is CompiledBot.choose
        and (not ENGINE or maker.choice in BUILT_IN)
    )


@functools.cache
def function_pointer(choice: Callable[..., int]) -> object:
    """Return a bot's `choice` as a pointer to machine code; when interpreted, the function itself."""
    if not NATIVE:
        return choice
    import numba
    from numba.core import types

    class Pointer(types.WrapperAddressProtocol):
        """The address of a compiled rule, in the form in which Numba's code takes functions."""

        def __init__(self, compiled: Any) -> None:
            """Make a pointer to what was compiled, or fetched from the cache."""
            self._signature = compiled.signature
            self._library = compiled.library  # keeps the code alive
            self._address = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name)

        def __wrapper_address__(self) -> int:
            """Return the address at which it begins."""
            return int(self._address)

        def signature(self) -> Any:
            """Return the types of its arguments and of its result."""
            return self._signature

    arguments = (*(numba.from_dtype(layout) for layout in (BOARD, STATE, SCRATCH, MEMORY)), types.int64)
    compiled: Any = choice if hasattr(choice, "overloads") else rule(choice)
    compiled.compile(arguments)
    if compiled.overloads[arguments].signature.return_type != types.int64:  # all in a line-up must give the same
        compiled = rule(compiled.py_func)
        compiled.compile(types.int64(*arguments))
    return Pointer(compiled.overloads[arguments])


@contextmanager
def quietly() -> Iterator[None]:
    """Do without Numba's warning that handing functions to compiled code is new; it works, and is tested."""
    with warnings.catch_warnings():
        if NATIVE:
            from numba.core.errors import NumbaExperimentalFeatureWarning

            warnings.simplefilter("ignore", NumbaExperimentalFeatureWarning)
        yield
