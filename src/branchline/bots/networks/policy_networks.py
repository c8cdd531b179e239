"""Networks that `branchline train` has made: those that ship with the package, and files of one's own.

Those that ship are each for one edition and number of seats. Weights are data: nothing in a file is run.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from branchline.boards import Board
from branchline.boards.digest import digest_under
from branchline.boards.limits import MAX_SEATS
from branchline.bots.api import tuned_weights
from branchline.bots.api.errors import BotError
from branchline.bots.api.weights import NAMES
from branchline.bots.networks import policy
from branchline.plain_data import JsonObject
from branchline.rules.kernel import unchanging

MOST_BYTES = 1_000_000
SHAPES: Mapping[str, tuple[str, tuple[int, ...]]] = {
    "numbers": ("f", (policy.SIZE,)),
    "version": ("i", ()),
    "seats": ("i", ()),
    "board": ("U", ()),
    "digest": ("U", ()),
}
"""What a file holds: the kind of each array's numbers, and its shape."""

WEIGHTS = "weights"
"""What newer files hold as well: the weights of `planner`, one for each of `weights.NAMES`."""

SHIPPED = Path(__file__).with_name("policy_networks.npz")
NOBODY: npt.NDArray[np.float32] = np.zeros(0, np.float32)
"""No network: the planner plays."""


class NetworkError(BotError):
    """A file with a network that cannot be read or written, or that is for something else."""


@dataclass(frozen=True, eq=False)
class PolicyNetwork:
    """A network for one board, and the number of seats with which it was trained."""

    numbers: npt.NDArray[np.float32]  # policy.SIZE of them
    board: str  # its id, for people
    digest: str  # of the board
    seats: int
    weights: tuple[int, ...] | None = None  # of the planner with which it was trained; None: an older file

    @property
    def name(self) -> str:
        """Eight hexadecimal digits over the numbers."""
        return hashlib.sha256(self.numbers.tobytes()).hexdigest()[:8]

    def packed(self) -> bytes:
        """Return the bytes of its file."""
        packed = io.BytesIO()
        parts: JsonObject = {
            "numbers": self.numbers, "version": np.int64(policy.VERSION), "seats": np.int64(self.seats),
            "board": np.str_(self.board), "digest": np.str_(self.digest),
        }  # fmt: skip
        if self.weights is not None:
            parts[WEIGHTS] = np.array(self.weights, np.int64)
        np.savez(packed, **parts)
        return packed.getvalue()


@contextlib.contextmanager
def _reading() -> Iterator[None]:
    """Raise `ValueError` for the dozen kinds of errors that NumPy and zipfile raise for damage, and `OSError` as it
    is.
    """
    try:
        yield
    except OSError:
        raise
    except Exception as error:
        raise ValueError(f"not whole, or not what it should be: {error}") from None


def arrays_in(file: Path, names: Iterable[str] | None = None) -> dict[str, npt.NDArray[np.generic]]:
    """Return the arrays of an `.npz` file by name, or all of them if none are named.

    Raise `OSError`, and `ValueError` for whatever else is wrong with it.
    """
    with _reading(), np.load(file, allow_pickle=False) as archive:
        return {name: archive[name] for name in (archive.files if names is None else names)}


def read_network(file: Path) -> PolicyNetwork:
    """Read a file. Raise `NetworkError`. Nothing in it is run, and nothing large is unpacked."""
    try:
        with _reading(), zipfile.ZipFile(file) as packed:
            size, known = sum(member.file_size for member in packed.infolist()), f"{WEIGHTS}.npy" in packed.namelist()
        if size > MOST_BYTES:
            raise NetworkError(f"{file}: too large for a network that `branchline train` has made")
        parts = arrays_in(file, [*SHAPES, *([WEIGHTS] if known else [])])
    except OSError as error:
        raise NetworkError(f"{file}: cannot be read: {error.strerror or error}") from None
    except ValueError:
        raise NetworkError(f"{file}: not a network that `branchline train` has made") from None
    if parts["version"].shape != () or parts["version"].dtype.kind != "i" or parts["version"] != policy.VERSION:
        raise NetworkError(f"{file}: of another version of branchline; train it anew")
    for name, (kind, shape) in SHAPES.items():
        if parts[name].dtype.kind != kind or parts[name].shape != shape:
            raise NetworkError(f"{file}: {name} is not what `branchline train` writes")
    numbers, seats = unchanging(parts["numbers"].astype(np.float32)), int(parts["seats"])
    if not np.isfinite(numbers).all() or not 2 <= seats <= MAX_SEATS:
        raise NetworkError(f"{file}: damaged: some numbers are not possible")
    return PolicyNetwork(numbers, str(parts["board"]), str(parts["digest"]), seats, _weights(file, parts.get(WEIGHTS)))


def _weights(file: Path, listed: npt.NDArray[np.generic] | None) -> tuple[int, ...] | None:
    """Return the weights of the planner, if they are there. Raise `NetworkError`."""
    if listed is None:
        return None
    if listed.dtype.kind != "i" or listed.shape != (len(NAMES),):
        raise NetworkError(f"{file}: of another version of branchline; train it anew")
    limits = [tuned_weights.limits(name) for name in NAMES]
    if not all(least <= number <= most for number, (least, most) in zip(listed, limits, strict=True)):
        raise NetworkError(f"{file}: damaged: some numbers are not possible")
    return tuple(int(number) for number in listed)


def shipped_name(board: Board, seats: int) -> str:
    """Return the name of a network that ships: it holds for exactly this board, whatever the version of its rules."""
    return f"{board.id}-{digest_under(board, 0)}-{seats}"


@functools.cache
def shipped_networks() -> dict[str, npt.NDArray[np.float32]]:
    """Return the networks that ship with the package, by name: `policy.SIZE` numbers each."""
    networks = {name: unchanging(numbers.astype(np.float32)) for name, numbers in arrays_in(SHIPPED).items()}
    if wrong := [name for name, numbers in networks.items() if numbers.shape != (policy.SIZE,)]:
        raise ValueError(f"{SHIPPED}: {wrong[0]} is not a network of {policy.SIZE} numbers")
    return networks


def shipped_network(board: Board, seats: int) -> npt.NDArray[np.float32]:
    """Return the network that ships for this board and number of seats; NOBODY where there is none."""
    return shipped_networks().get(shipped_name(board, seats), NOBODY)
