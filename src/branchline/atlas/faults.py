"""What can be wrong, said so that it can be put right: file, line, what was expected."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass

NEAR = 0.62  # likeness from which a name is suggested: "red" for "rde", but not "europe" for "nope"
SHOWN = 40  # faults printed in full; a file of garbage has thousands


class BranchlineError(Exception):
    """Something a person can put right; its text is one clear line (a `BoardError`: one for each fault)."""


class UnknownName(BranchlineError):  # noqa: N818  it reads as a sentence: raise UnknownName
    """A board, place, route or ticket of that name does not exist, or several fit."""


class UnknownBoard(UnknownName):
    """There is no board of that name."""


class UnknownPlace(UnknownName):
    """There is no place of that name on this board."""


class UnknownRoute(UnknownName):
    """There is no such route on this board, or more than one fits."""


class UnknownTicket(UnknownName):
    """There is no such ticket on this board."""


@dataclass(frozen=True)
class Fault:
    """One thing wrong in one file of a board folder."""

    file: str
    line: int  # counts from 1; 0: the file as a whole
    message: str

    def __str__(self) -> str:
        """As in `routes.csv:41: unknown place "Palrmo"`."""
        return f"{self.file}:{self.line}: {self.message}" if self.line else f"{self.file}: {self.message}"


class BoardError(BranchlineError):
    """A board folder that cannot be read. It carries every fault found, in the order of files and lines."""

    def __init__(self, folder: str, faults: Iterable[Fault]) -> None:
        """Of a folder with at least one fault."""
        self.folder = folder
        self.faults = tuple(faults)
        super().__init__(folder, self.faults)

    @property
    def count(self) -> int:
        """How many faults were found."""
        return len(self.faults)

    @property
    def first_line(self) -> str:
        """The first fault, for where there is room for one line only."""
        return str(self.faults[0])

    def __str__(self) -> str:
        """One line for each fault."""
        lines = [str(fault) for fault in self.faults[:SHOWN]]
        if self.count > SHOWN:
            lines.append(f"… and {self.count - SHOWN} more")
        return "\n".join(lines)


class FaultList:
    """Collects faults while a folder is read, so that one bad file does not hide those of the next."""

    def __init__(self) -> None:
        """Start with none."""
        self._faults: dict[Fault, None] = {}  # a set that keeps its order: nothing is said twice

    def add(self, file: str, line: int, message: str) -> None:
        """Note one fault and go on."""
        self._faults[Fault(file, line, _clipped(message, 600))] = None

    def __len__(self) -> int:
        """How many were found so far."""
        return len(self._faults)

    def raise_if_any(self, folder: str) -> None:
        """Stop here with everything found so far, file by file and line by line."""
        if self._faults:
            files = list(dict.fromkeys(fault.file for fault in self._faults))
            in_order = sorted(self._faults, key=lambda fault: (files.index(fault.file), fault.line))
            raise BoardError(folder, in_order)


def quoted(text: str) -> str:
    """A foreign text as it may stand in a message: in quotes, short, nothing unprintable."""
    return f'"{_clipped(text)}"'


def shown(value: object) -> str:
    """A foreign value of any kind, written as in TOML as far as people care."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bool):
        return str(value).lower()
    try:
        return _clipped(repr(value))
    except (ValueError, RecursionError):  # numbers of thousands of digits, lists in lists in lists
        return "beyond words"


def _clipped(text: str, longest: int = 60) -> str:
    start = "".join(one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in text[:longest])
    return start + "…" * (len(text) > longest)


def listed(words: Iterable[object]) -> str:
    """`a, b or c`."""
    *most, last = [str(word) for word in words]
    return f"{', '.join(most)} or {last}" if most else last


def did_you_mean(text: str, known: Iterable[str]) -> str:
    """` (did you mean "Palermo"?)`, or nothing where no known name is near."""
    names = {name.casefold(): name for name in known}
    near = difflib.get_close_matches(text.strip().casefold()[:100], names, n=1, cutoff=NEAR)
    return f" (did you mean {quoted(names[near[0]])}?)" if near else ""
