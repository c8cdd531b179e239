"""Many games on a GPU, one in a thread, by the same rules; the arrays stay there. Extra `gpu`.

    from branchline.envs.gpu import GpuBatch, play_random

    batch = GpuBatch("europe", games=65_536, seats=3, seed=1)
    mask = torch.as_tensor(batch.mask, device="cuda")    # without copying, through the CUDA array interface
    while training:
        batch.step(policy(batch.observation, batch.mask))

A kernel is compiled when it is first called, for half a minute, which is said on standard error; then it is kept on
disk. `NUMBA_ENABLE_CUDASIM=1` runs everything without a GPU, slowly, with rules that were compiled for the processor:
it shows that kernels do what `Batch` does.
"""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from branchline.boards import Board
from branchline.boards.arguments import truth, whole_number
from branchline.copying import Copied
from branchline.envs import batch, gpu_kernels, telling
from branchline.envs.batch import MOST_GAMES, Snapshot
from branchline.envs.layout import layout_of
from branchline.envs.rewards import EnvError, board_for, reward_number
from branchline.game import Game, IllegalAction
from branchline.game.game import SEEDS
from branchline.rules import kernel
from branchline.rules.state import ACTION_WORDS, ACTIONS, STATE, scratch_layout
from branchline.runtime import gpu_compiler
from branchline.runtime.gpu_compiler import SIMULATED, cuda
from branchline.runtime.mode import without_native_code

THREADS = 65_536  # that play at a time, each with a scratch of its own; more games take turns
BLOCK = 128  # threads that a multiprocessor takes on together
PATTERNS = 256  # of a longest trail at a time: what the longest need would fill the memory of any GPU
SCRATCH = np.dtype((np.record, scratch_layout(PATTERNS)))
RESULTS = ("done", "reward", "points", "places")
"""What stands in the arrays of a batch about the last step and the last games."""
OLDEST_CUDA = (12, 0)  # that a driver must know


class RandomGames(NamedTuple):
    """What came of games that were played at random."""

    actions: npt.NDArray[np.int64]  # (games,)
    totals: npt.NDArray[np.int16]  # (games, seats): the points
    states: npt.NDArray[np.void]  # of each thread the state in which its last game ended


class GpuBatch(Copied):
    """So many games on one board, as `Batch` with the same arguments: the same games, masks and observations.

    `mask`, `observation`, `seat`, `done`, `reward`, `points` and `places` are arrays on the GPU with the shapes and
    types of `Batch`, written in place. PyTorch, CuPy and JAX take them through the CUDA array interface.
    """

    def __init__(
        self,
        board: Board | str,
        games: int,
        seats: int = 2,
        *,
        seed: int = 0,
        observe: bool = True,
        reward: str = "win",
    ) -> None:
        """Set all games up. Raise `EnvError`, also for want of a GPU or of room on it, and what `load_board` does."""
        needs_gpu()
        self.board, self.seats = board_for(board, seats)
        self.reward_name, self._pays = reward, reward_number(reward)
        self.games = whole_number("games", games, 1, MOST_GAMES, EnvError)
        self.layout = layout_of(self.board, self.seats)
        observe = truth("observe", observe, EnvError)
        states, rows = batch.many_states(self.games), telling.rows_of(self.layout, self.games if observe else 0)
        each = ACTIONS + 8 * ACTION_WORDS + 7 * self.seats + 10  # the arrays made below: a number of 8 bytes, 2 of 1
        needs_room(states.nbytes + sum(array.nbytes for array in rows) + self.games * each, self.games)
        self._states = cuda.to_device(states)
        self._bytes = tuple(self._states.view(array.dtype).reshape(array.shape) for array in telling.rows_in(states))
        self._rows = on_device(rows)
        self._tables = on_device(telling.telling_of(self.layout))
        self._table = cuda.to_device(self.board.tables)
        self._empty = cuda.to_device(kernel.new_buffer(STATE))
        self._scratch = scratches(min(self.games, THREADS))
        self._numbers = cuda.to_device(np.zeros(self.games, np.int64))  # of the game at each place
        self._legal = cuda.to_device(np.zeros((self.games, ACTION_WORDS), np.int64))
        self._wrong = cuda.to_device(np.zeros(1, np.int64))
        self.mask = cuda.to_device(np.zeros((self.games, ACTIONS), np.int8))
        self.observation = self._rows.numbers if observe else None
        self.seat = cuda.to_device(np.zeros(self.games, np.int8))
        self.done = cuda.to_device(np.zeros(self.games, np.int8))
        self.reward = cuda.to_device(np.zeros((self.games, self.seats), np.float32))
        self.points = cuda.to_device(np.zeros((self.games, self.seats), np.int16))
        self.places = cuda.to_device(np.zeros((self.games, self.seats), np.int8))
        self.reset(seed)

    def __getstate__(self) -> tuple[Any, ...]:
        """Return what is needed to make it again, without the GPU."""
        arguments = (self.board, self.games, self.seats, self._seed, self.observation is not None, self.reward_name)
        return arguments, self.snapshot(), *(getattr(self, name).copy_to_host() for name in RESULTS)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        (board, games, seats, seed, observe, reward), snapshot, *results = state
        GpuBatch.__init__(self, board, games, seats, seed=seed, observe=observe, reward=reward)
        self.restore(snapshot)
        for name, numbers in zip(RESULTS, results, strict=True):
            getattr(self, name).copy_to_device(numbers)

    def reset(self, seed: int = 0) -> None:
        """Begin all games anew."""
        self._seed = whole_number("seed", seed, 0, SEEDS - 1, EnvError)
        self._numbers.copy_to_device(np.arange(self.games))
        self._begin_counting()
        self._run(
            gpu_kernels.begin,
            self._table,
            self._states,
            self._empty,
            self._scratch,
            self._numbers,
            self.seats,
            self._seed,
        )
        self._look()

    def step(self, actions: npt.ArrayLike) -> None:
        """Do one action for each game, `(games,)` numbers of 64 bits, on the GPU or not.

        Raise `IllegalAction` for the first one that is not legal, before anything is played.
        """
        chosen = self._chosen(actions)
        self._wrong.copy_to_device(np.full(1, self.games))
        self._run(gpu_kernels.check, self._legal, chosen, self._wrong, self._scratch)
        wrong = int(self._wrong.copy_to_host()[0])
        if wrong < self.games:
            action = int(chosen[wrong : wrong + 1].copy_to_host()[0])
            raise IllegalAction(f"game {wrong}: {self.game(wrong).why_not(action)}")
        self._run(
            gpu_kernels.advance, self._table, self._states, self._empty, self._scratch, self._numbers, self._seed,
            chosen, self.done, self.reward, self.points, self.places, self._pays,
        )  # fmt: skip
        self._look()

    def game(self, place: int) -> Game:
        """Return a copy of one of the games, for looking at it and for playing it on elsewhere."""
        place = whole_number("place", place, 0, self.games - 1, EnvError)
        return Game.resume(self.board, self._states[place : place + 1].copy_to_host())

    def snapshot(self) -> Snapshot:
        """Return everything as it is now, copied from the GPU; a `Batch` of the same size takes it too."""
        return Snapshot(self.board.digest, self.seats, self._states.copy_to_host(), self._numbers.copy_to_host())

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot; `done` and `reward` are zero then. Raise `EnvError`."""
        batch.check_fit(snapshot, self.board, self.seats, self.games)
        self._states.copy_to_device(snapshot.states)
        self._numbers.copy_to_device(snapshot.numbers)
        self._begin_counting()
        self._look()

    # ------------------------------------------------------------------------------------------ on the GPU

    def _begin_counting(self) -> None:
        self.done.copy_to_device(np.zeros(self.games, np.int8))
        self.reward.copy_to_device(np.zeros((self.games, self.seats), np.float32))

    def _look(self) -> None:
        self._run(
            gpu_kernels.look, self._table, self._states, self._scratch, self._legal, self.mask, self.seat, *self._bytes,
            self._tables, self._rows,
        )  # fmt: skip

    def _chosen(self, actions: Any) -> Any:
        """Return the actions as an array on the GPU. Raise `EnvError`."""
        if hasattr(actions, "__cuda_array_interface__"):
            actions = cuda.as_cuda_array(actions)
            if actions.shape == (self.games,) and actions.dtype == np.int64:
                return actions
            raise EnvError(f"actions: expected {self.games} numbers of 64 bits, not {actions.dtype} {actions.shape}")
        return cuda.to_device(batch.actions_for(actions, self.games))

    def _run(self, kernel: Any, *arguments: Any) -> None:
        run(kernel, len(self._scratch), *arguments)


def play_random(board: Board | str, games: int, seats: int = 2, *, seed: int = 0) -> RandomGames:
    """Play `games` games at random, from beginning to end on the GPU; the n-th has the seed `game_seed(seed, n)`.

    Raise `EnvError`, also where there is no GPU or no room on it, and whatever `load_board` does.
    """
    needs_gpu()
    board, seats = board_for(board, seats)
    games = whole_number("games", games, 1, MOST_GAMES, EnvError)
    seed = whole_number("seed", seed, 0, SEEDS - 1, EnvError)
    threads = min(games, THREADS)
    needs_room(threads * STATE.itemsize + games * (8 + 2 * seats), games)
    states = cuda.to_device(batch.many_states(threads))
    actions, totals = cuda.to_device(np.zeros(games, np.int64)), cuda.to_device(np.zeros((games, seats), np.int16))
    run(
        gpu_kernels.play, threads, cuda.to_device(board.tables), states, cuda.to_device(kernel.new_buffer(STATE)),
        scratches(threads), seats, seed, actions, totals,
    )  # fmt: skip
    return RandomGames(actions.copy_to_host(), totals.copy_to_host(), states.copy_to_host())


# --------------------------------------------------------------------------------------------- how it runs there


def run(kernel: Any, threads: int, *arguments: Any) -> None:
    """Run a kernel in so many threads and wait for it."""
    with gpu_compiler.telling(_say, "" if SIMULATED else kernel.py_func.__name__):
        kernel[-(-threads // BLOCK), min(threads, BLOCK)](*arguments)
        cuda.synchronize()


def _say(words: str) -> None:
    print(f"branchline: {words}", file=sys.stderr, flush=True)


def needs_gpu() -> None:
    """Raise `EnvError` where there is none that can be used."""
    if SIMULATED:
        return
    known = driver_version()
    if known is None:
        raise EnvError(
            "no GPU found: it must be NVIDIA's, with a driver and `pip install 'branchline[gpu]'`; `Batch` needs none"
        )
    if known < OLDEST_CUDA:
        raise EnvError(
            f"the GPU's driver knows CUDA {known[0]}.{known[1]} and must know {OLDEST_CUDA[0]}.{OLDEST_CUDA[1]}: "
            "install a newer driver"
        )
    if not gpu_compiler.version() or not cuda.is_available():
        raise EnvError("the compiler for the GPU is not there: `pip install 'branchline[gpu]'`")
    if why := without_native_code("playing on a GPU"):
        raise EnvError(why)


def driver_version() -> tuple[int, int] | None:
    """Return the CUDA version that the driver knows, or None where there is no driver, or no GPU for it."""
    from numba.cuda.cudadrv import driver, error  # the simulator has no driver

    try:
        return driver.driver.get_version() if driver.driver.is_available else None
    except error.CudaSupportError:
        return None


def needs_room(needed: int, games: int) -> None:
    """Raise `EnvError` where so many bytes, and the scratches for so many games, have no room on the GPU."""
    needed += min(games, THREADS) * SCRATCH.itemsize
    free = free_bytes()
    if needed > free:
        raise EnvError(
            f"{games:,} games need {needed / 1e9:.1f} GB on the GPU, of which {free / 1e9:.1f} GB are free: "
            "ask for fewer games"
        )


def free_bytes() -> float:
    """Return how much memory of the GPU is free. Raise `EnvError` where the GPU refuses to work for this process."""
    if SIMULATED:
        return float("inf")
    from numba.cuda.cudadrv import error

    try:
        return float(cuda.current_context().get_memory_info().free)
    except (error.CudaDriverError, error.CudaSupportError) as fault:
        raise EnvError(f"the GPU cannot be used: {' '.join(str(fault).split())}") from fault


def on_device(arrays: Any) -> Any:
    """Return an array, or a named tuple of them, however deep, copied to the GPU."""
    if isinstance(arrays, tuple):
        return type(arrays)(*map(on_device, arrays))
    return cuda.to_device(arrays)


def scratches(threads: int) -> Any:
    """Return the places where `threads` threads compute, all zero."""
    records = cuda.device_array(threads, SCRATCH)
    run(gpu_kernels.wipe, threads, records.view(np.int64))
    return records
