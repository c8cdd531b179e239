"""Weights tuned for one board: read from its `weights.toml`, written by `branchline tune`.

They are looked for in the user's folder for data, in the folder of the board, and among those that come with the
editions. They count for exactly the board that they were tuned on (`Board.digest`) and the numbers of seats that the
file names; everything else is played with the general weights (`weights.GENERAL`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from branchline.boards import Board, BoardError
from branchline.boards.catalogue import BUILTIN
from branchline.boards.faults import FaultList, quoted
from branchline.boards.limits import MAX_SEATS
from branchline.boards.sections import Section, read_sections
from branchline.bots.api import memory as memories
from branchline.bots.api import weights
from branchline.bots.api.errors import BotError
from branchline.bots.api.memory import Memory
from branchline.cache import data_folder
from branchline.rules import kernel
from branchline.whole_file import write_whole

FILE = "weights.toml"
GENERAL, EDITION, TUNED, TRAINED = "general", "edition", "tuned", "trained"
MOST_GAMES = 1_000_000_000
LONGEST_NAME = 200


@dataclass(frozen=True)
class Weights:
    """The weights of `planner` on one board with one number of seats."""

    numbers: tuple[int, ...]  # in the order of `weights.NAMES`
    origin: str = GENERAL  # or EDITION: they come with it; TUNED: by `branchline tune`; TRAINED: with a network

    @property
    def digest(self) -> str:
        """Eight hexadecimal digits over the numbers."""
        return hashlib.sha256(repr(self.numbers).encode()).hexdigest()[:8]

    def put_in(self, memory: Memory) -> None:
        """Have a bot's memory use them."""
        for n, number in enumerate(self.numbers):
            memory.weight[n] = number
        memory.tuned = 1

    def as_dict(self) -> dict[str, str]:
        """Return the weights as data for JSON."""
        return {"from": self.origin, "digest": self.digest}

    def __str__(self) -> str:
        """Return the weights' name, as in `tuned 1f2e3d4c`."""
        return f"{self.origin} {self.digest}"


@dataclass(frozen=True)
class Tuned:
    """What a file says for one number of seats: the weights, and how they were tried out."""

    numbers: tuple[int, ...]
    date: str  # as 2026-11-22
    seed: int
    games: int  # played against the general weights in all other seats
    won: float  # share of them
    low: float  # of its 95 % interval
    high: float


@dataclass(frozen=True)
class BoardWeights:
    """The weights for one board, at every number of seats. `Board.weights` is this."""

    board: Board = field(repr=False)
    tuned: Mapping[int, Tuned]  # by seats
    origins: Mapping[int, str]  # of each of these
    notes: tuple[str, ...]  # what must be said about files that do not count
    _general: dict[int, Weights] = field(default_factory=dict, repr=False, compare=False)  # by seats, when looked up

    def general(self, seats: int) -> Weights:
        """Return the general weights, as they are on this board with `seats` seats."""
        if seats not in self._general:
            memory = kernel.record_in(memories.new_memory())
            weights.look_up(kernel.record_in(self.board.tables), seats, memory)
            self._general[seats] = Weights(tuple(int(number) for number in memory.weight))
        return self._general[seats]

    def at(self, seats: int) -> Weights:
        """Return the weights for `seats` seats."""
        own = self.tuned.get(seats)
        return Weights(own.numbers, self.origins[seats]) if own else self.general(seats)


def read(board: Board) -> BoardWeights:
    """Return the weights for a board; for each number of seats those of the first place that has some.

    Never raises: a file that is damaged or out of date is named in `notes`.
    """
    tuned: dict[int, Tuned] = {}
    origins: dict[int, str] = {}
    notes: list[str] = []
    for file, origin in _places(board):
        try:
            kept = read_if_there(file)
        except WeightsError as error:
            notes.append(f"{error}; these weights are not used")
            continue
        if kept is not None and kept.digest == board.digest:
            tuned = kept.tuned | tuned
            origins = dict.fromkeys(kept.tuned, origin) | origins
        elif kept is not None and origin == TUNED:
            notes.append(f"{file}: the board has changed since; these weights are not used, tune again")
    return BoardWeights(board, tuned, origins, tuple(notes))


def _places(board: Board) -> Iterator[tuple[Path, str]]:
    """Yield where weights for a board may lie, and whose they are; what the user has tuned comes first."""
    if (own := file_of_user(board)) is not None:
        yield own, TUNED
    if board.folder is not None and board.folder.parent != BUILTIN:
        yield board.folder / FILE, TUNED
    yield BUILTIN / board.id / FILE, EDITION


def file_of_user(board: Board) -> Path | None:
    """Return the file for this board in the user's folder for data."""
    base = data_folder()
    return base / "weights" / f"{board.id}-{board.digest}" / FILE if base is not None else None


# ------------------------------------------------------------------------------------------------ the file


class WeightsError(BotError):
    """A file of weights that cannot be read or written."""


@dataclass(frozen=True)
class WeightsFile:
    """What such a file holds."""

    board: str  # its id, for people
    digest: str
    tuned: dict[int, Tuned]  # by seats


def read_if_there(file: Path) -> WeightsFile | None:
    """Return the weights in a file as `read_file` does, or None if there is no such file."""
    try:
        exists = file.is_file()
    except OSError as error:  # in a folder that may not be looked into, say
        raise WeightsError(f"{file}: cannot be read: {error.strerror or error}") from None
    return read_file(file) if exists else None


def read_file(file: Path) -> WeightsFile:
    """Read a file. Raise `WeightsError` with the first thing that is wrong, its file and line."""
    faults = FaultList()
    try:
        top = read_sections(file.parent, file.name, faults)
        weights_file = _read(top) if top is not None else None
        faults.raise_if_any(str(file.parent))
    except OSError as error:
        raise WeightsError(f"{file}: cannot be read: {error.strerror or error}") from None
    except BoardError as error:
        first = next((fault for fault in error.faults if fault.line), error.faults[0])
        raise WeightsError(f"{file.parent / str(first)}") from None
    assert weights_file is not None  # without faults there is one
    return weights_file


def _read(top: Section) -> WeightsFile:
    board, digest = top.text("board", LONGEST_NAME), top.text("digest", LONGEST_NAME)
    tuned: dict[int, Tuned] = {}
    seats = top.section("seats")
    if seats is not None:
        for count in range(2, MAX_SEATS + 1):
            own = seats.section(str(count), optional=True)
            if own is not None:
                tuned[count] = _tuned(own)
        seats.close()
    top.close()
    return WeightsFile(board, digest, tuned)


def _tuned(section: Section) -> Tuned:
    """Return the weights for one number of seats."""
    day = section.text("date", 10)
    if not _is_date(day):
        section.wrong("date", f"[{section.name}] date is {quoted(day)}, expected a day as 2026-11-22")
    seed, games = section.number("seed", 0, 2**62 - 1), section.number("games", 1, MOST_GAMES)
    for key in ("won", "low", "high"):
        section.decimals(key, 0, 1)
    numbers: list[int] = []
    listed = section.section("weights")
    if listed is not None:
        numbers = [listed.number(name, *limits(name)) for name in weights.NAMES]
        listed.close()
    section.close()
    won, low, high = (section.entries.get(key, 0) for key in ("won", "low", "high"))
    return Tuned(tuple(numbers), day, seed, games, won, low, high)


def _is_date(text: str) -> bool:
    try:
        return bool(date.fromisoformat(text))
    except ValueError:
        return False


def limits(name: str) -> tuple[int, int]:
    """Return the least and the greatest value of a weight."""
    return (1, weights.MOST_AIMS) if name == weights.NAMES[weights.AIMS] else (0, weights.LARGEST)


def write_file(file: Path, board: Board, tuned: Mapping[int, Tuned]) -> None:
    """Write a file, whole or not at all. Raise `WeightsError`."""
    lines = [
        "# Weights of the bot `planner` on one board, see docs/write_a_bot.md.",
        f'board = "{board.id}"',
        f'digest = "{board.digest}"',
    ]
    for seats, entry in sorted(tuned.items()):
        numbers = ", ".join(f"{name} = {number}" for name, number in zip(weights.NAMES, entry.numbers, strict=True))
        lines += [
            f"\n[seats.{seats}]",
            f'date = "{entry.date}"',
            f"seed = {entry.seed}",
            f"games = {entry.games}  # against the general weights in the other seats",
            f"won = {entry.won:.4f}  # share of them; its 95 % interval:",
            f"low = {entry.low:.4f}",
            f"high = {entry.high:.4f}",
            f"weights = {{ {numbers} }}",
        ]
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, "\n".join(lines) + "\n")
    except (OSError, ValueError) as error:
        raise WeightsError(f"{file}: cannot be written: {getattr(error, 'strerror', None) or error}") from None
