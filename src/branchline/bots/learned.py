"""Plays by a network that `branchline train` has made, without search, in microseconds."""

from __future__ import annotations

import hashlib
import io
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from branchline.atlas import Board
from branchline.atlas.faults import quoted
from branchline.atlas.limits import MAX_SEATS
from branchline.bots import memory as memories
from branchline.bots import planner, policy
from branchline.bots.bot import Position, scratch_for
from branchline.bots.errors import BotError
from branchline.bots.tuned_weights import Weights
from branchline.rules import kernel

MOST_BYTES = 1_000_000
SHAPES: Mapping[str, tuple[str, tuple[int, ...]]] = {
    "numbers": ("f", (policy.SIZE,)),
    "version": ("i", ()),
    "seats": ("i", ()),
    "board": ("U", ()),
    "digest": ("U", ()),
}
"""What a file holds: the kind of each array's numbers, and its shape."""


class NetworkError(BotError):
    """A file with a network that cannot be read or written, or that is for something else."""


@dataclass(frozen=True, eq=False)
class Network:
    """A network for one board, and the number of seats with which it was trained."""

    numbers: npt.NDArray[np.float32]  # policy.SIZE of them
    board: str  # its id, for people
    digest: str  # of the board
    seats: int

    @property
    def name(self) -> str:
        """Eight hexadecimal digits over the numbers."""
        return hashlib.sha256(self.numbers.tobytes()).hexdigest()[:8]

    def packed(self) -> bytes:
        """What a file of it holds."""
        packed = io.BytesIO()
        np.savez(
            packed, numbers=self.numbers, version=np.int64(policy.VERSION), seats=np.int64(self.seats),
            board=np.str_(self.board), digest=np.str_(self.digest),
        )  # fmt: skip
        return packed.getvalue()


def arrays_in(file: Path, names: Iterable[str]) -> dict[str, npt.NDArray[Any]]:
    """The arrays of an `.npz` file by name; raises `OSError`, and `ValueError` for whatever else is wrong with it."""
    try:
        with np.load(file, allow_pickle=False) as found:
            return {name: found[name] for name in names}
    except (EOFError, LookupError, MemoryError, RuntimeError, TypeError, zipfile.BadZipFile, zlib.error) as error:
        raise ValueError(f"not whole, or not what it should be: {error}") from None


def read_network(file: Path) -> Network:
    """Read a file; raises `NetworkError`. Nothing in it is run, and nothing large is unpacked."""
    try:
        with zipfile.ZipFile(file) as packed:
            if sum(one.file_size for one in packed.infolist()) > MOST_BYTES:
                raise NetworkError(f"{file}: too large for a network that `branchline train` has made")
        parts = arrays_in(file, SHAPES)
    except OSError as error:
        raise NetworkError(f"{file}: cannot be read: {error.strerror or error}") from None
    except (ValueError, zipfile.BadZipFile):
        raise NetworkError(f"{file}: not a network that `branchline train` has made") from None
    if parts["version"].shape != () or parts["version"].dtype.kind != "i" or parts["version"] != policy.VERSION:
        raise NetworkError(f"{file}: of another version of branchline; train it anew")
    for name, (kind, shape) in SHAPES.items():
        if parts[name].dtype.kind != kind or parts[name].shape != shape:
            raise NetworkError(f"{file}: {name} is not what `branchline train` writes")
    numbers, seats = parts["numbers"].astype(np.float32), int(parts["seats"])
    if not np.isfinite(numbers).all() or not 2 <= seats <= MAX_SEATS:
        raise NetworkError(f"{file}: damaged: some numbers are not possible")
    return Network(numbers, str(parts["board"]), str(parts["digest"]), seats)


class LearnedBot:
    """Plays as a network says that `branchline train` has made; it is called by its file, as in `policy.npz`."""

    name = "learned"
    wants_compiled_code = True  # interpreted it takes a thousand times as long
    network: ClassVar[Network]

    @classmethod
    def playing_by(cls, file: Path) -> type[LearnedBot]:
        """The bot that plays by the network in this file; raises `NetworkError`."""
        return type(cls.__name__, (cls,), {"name": str(file), "network": read_network(file)})

    @classmethod
    def weights_on(cls, board: Board, seats: int) -> Weights:
        """The planner's: what it has in mind is what the network sees. Raises `NetworkError` for another board."""
        cls._network_for(board)
        return planner.PlannerBot.weights_on(board, seats)

    @classmethod
    def _network_for(cls, board: Board) -> Network:
        if cls.network.digest != board.digest:
            other = "an older or newer " if cls.network.board == board.id else ""
            raise NetworkError(f"{cls.name}: this network was trained on {other}{quoted(cls.network.board)}")
        return cls.network

    def __init__(self, seed: int = 0) -> None:
        """Sit down."""
        self._notes = kernel.record_in(kernel.new_buffer(policy.NOTES))
        self._memory = kernel.record_in(memories.new_memory())
        memories.seed(self._memory, seed)
        self._weighed: tuple[Board, int] | None = None  # for what board and seats there are weights in the memory

    def choose(self, position: Position) -> int:
        """One of `position.legal`."""
        network = self._network_for(position.board)
        seats = int(position.state.seats)
        if self._weighed != (position.board, seats):
            self._weighed = position.board, seats
            self.weights_on(*self._weighed).put_in(self._memory)
        board, scratch = kernel.record_in(position.board.tables), kernel.record_in(scratch_for(position))
        return int(
            policy.choose(board, position.state, scratch, self._memory, position.seat, network.numbers, self._notes)
        )
