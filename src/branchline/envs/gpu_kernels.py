"""What a thread of a GPU does: it calls what `Batch` calls, for the games whose turn it is.

Of N threads, as many as there are scratches, the n-th has the games n, n + N, n + 2 N and so on. On a GPU the rules are
compiled anew, from the same source (`runtime.gpu_compiler`). In Numba's simulator a kernel is Python, and calls the
compiled rules.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from branchline.arena.play import game_seed
from branchline.boards.tables import BoardTables
from branchline.envs import batch, telling
from branchline.rules import playout
from branchline.rules.kernel import rule
from branchline.rules.state import Scratch, States
from branchline.runtime import gpu_compiler
from branchline.runtime.gpu_compiler import SIMULATED, cuda
from branchline.runtime.structs import Matrix, RealMatrix, Records, Vector


@rule
def play_one(
    board: BoardTables,
    states: States,
    place: int,
    empty: States,
    scratch: Scratch,
    seats: int,
    seed: int,
    number: int,
    actions: Vector,
    totals: Matrix,
) -> None:
    """Play one game at random, in one of the states."""
    states[place] = empty[0]
    playout.new_game(board, states[place], scratch, seats, game_seed(seed, number))
    actions[number] = playout.play_out(board, states[place], scratch)
    for seat in range(seats):
        totals[number, seat] = scratch.total[seat]


def from_a_kernel(function: Callable[..., object]) -> Callable[..., object]:
    """Return a rule as kernels call it.

    The simulator wraps what it hands to a kernel; compiled code needs what is inside.
    """
    return (lambda *arguments: function(*map(_unwrapped, arguments))) if SIMULATED else function


def _unwrapped(argument: Any) -> Any:
    if isinstance(argument, tuple):
        return type(argument)(*map(_unwrapped, argument))
    item = getattr(argument, "_item", argument)
    return getattr(item, "_ary", item)


play_game = from_a_kernel(play_one)
begin_game = from_a_kernel(batch.begin_game)
step_game = from_a_kernel(batch.advance_game)
ask = from_a_kernel(batch.ask)
tell = from_a_kernel(telling.tell)
is_among = from_a_kernel(batch.among)


@gpu_compiler.kernel
def wipe(numbers: Vector) -> None:
    """Make all numbers zero."""
    for n in range(cuda.grid(1), len(numbers), cuda.gridsize(1)):
        numbers[n] = 0


@gpu_compiler.kernel
def play(
    board: Records[BoardTables],
    states: States,
    empty: States,
    scratch: Records[Scratch],
    seats: int,
    seed: int,
    actions: Vector,
    totals: Matrix,
) -> None:
    """Play whole games at random, each thread in a state of its own."""
    thread = cuda.grid(1)
    if thread < len(scratch):
        for n in range(thread, len(actions), len(scratch)):
            play_game(board[0], states, thread, empty, scratch[thread], seats, seed, n, actions, totals)


@gpu_compiler.kernel
def begin(
    board: Records[BoardTables],
    states: States,
    empty: States,
    scratch: Records[Scratch],
    numbers: Vector,
    seats: int,
    seed: int,
) -> None:
    """Set games up."""
    thread = cuda.grid(1)
    if thread < len(scratch):
        for n in range(thread, len(states), len(scratch)):
            begin_game(board[0], states, empty, scratch[thread], numbers, seats, seed, n)


@gpu_compiler.kernel
def check(legal: Matrix, actions: Vector, wrong: Vector, scratch: Records[Scratch]) -> None:
    """Find the first game whose action is not legal, if there is one."""
    thread = cuda.grid(1)
    if thread < len(scratch):
        for n in range(thread, len(actions), len(scratch)):
            if not is_among(legal, n, actions[n]):
                cuda.atomic.min(wrong, 0, n)


@gpu_compiler.kernel
def advance(
    board: Records[BoardTables],
    states: States,
    empty: States,
    scratch: Records[Scratch],
    numbers: Vector,
    seed: int,
    actions: Vector,
    done: Vector,
    reward: RealMatrix,
    points: Matrix,
    places: Matrix,
    pays: int,
) -> None:
    """Do one action in each game."""
    thread = cuda.grid(1)
    if thread < len(scratch):
        for n in range(thread, len(states), len(scratch)):
            step_game(
                board[0],
                states,
                empty,
                scratch[thread],
                numbers,
                seed,
                n,
                actions,
                done,
                reward,
                points,
                places,
                pays,
            )


@gpu_compiler.kernel
def look(
    board: Records[BoardTables],
    states: States,
    scratch: Records[Scratch],
    legal: Matrix,
    mask: Matrix,
    seat: Vector,
    small: Matrix,
    large: Matrix,
    tables: telling.Telling,
    rows: telling.Rows,
) -> None:
    """Set who is asked in each game, what that seat may do, and what it knows if there are rows for it."""
    thread = cuda.grid(1)
    if thread < len(scratch):
        for n in range(thread, len(states), len(scratch)):
            ask(board[0], states, scratch[thread], legal, mask, seat, n)
            if len(rows.numbers) > 0:
                tell(small, large, n, seat[n], tables, rows, n)
