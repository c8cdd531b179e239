"""What can be wrong, said so that it can be put right: file, line, what was expected."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass

from branchline.boards.wording import Message, clipped, worded
from branchline.errors import BranchlineError as BranchlineError

NEAR = 0.62  # likeness from which a name is suggested: "red" for "rde", but not "europe" for "nope"
LONGEST = 60  # letters of a foreign text in quotes
SHOWN = 40  # faults printed in full; a file of garbage has thousands


class UnknownName(BranchlineError):  # noqa: N818  it reads as a sentence: raise UnknownName
    """A name that fits no board, place, route or ticket, or several of them."""


class UnknownBoard(UnknownName):
    """A name that fits no board."""


class UnknownPlace(UnknownName):
    """A name that fits no place on this board."""


class UnknownRoute(UnknownName):
    """A name that fits no route on this board, or several of them."""


class UnknownTicket(UnknownName):
    """A name that fits no ticket on this board."""


@dataclass(frozen=True)
class Fault:
    """A fault in a file of a board folder."""

    file: str
    line: int  # counts from 1; 0: the file as a whole
    message: str

    @property
    def text(self) -> Message:
        """The fault in one line, as in `routes.csv:41: unknown place "Palrmo"`."""
        if self.line:
            return worded("{file}:{line}: {message}", file=self.file, line=self.line, message=self.message)
        return worded("{file}: {message}", file=self.file, message=self.message)

    def __str__(self) -> str:
        """Return the text."""
        return str(self.text)


class BoardError(BranchlineError):
    """A board folder that cannot be read, with all faults in the order of files and lines."""

    def __init__(self, folder: str, faults: Iterable[Fault]) -> None:
        """Make the error of a folder with at least one fault."""
        self.folder = folder
        self.faults = tuple(faults)
        super().__init__(folder, self.faults)

    @property
    def count(self) -> int:
        """The number of faults."""
        return len(self.faults)

    @property
    def first_line(self) -> Message:
        """The first fault, where there is room for only one line."""
        return self.faults[0].text

    def __str__(self) -> str:
        """Return one line for each fault."""
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
        self._faults[Fault(file, line, message)] = None

    def __len__(self) -> int:
        """Return how many faults were found so far."""
        return len(self._faults)

    def raise_if_any(self, folder: str) -> None:
        """Stop here with everything found so far, file by file and line by line."""
        if self._faults:
            files = list(dict.fromkeys(fault.file for fault in self._faults))
            in_order = sorted(self._faults, key=lambda fault: (files.index(fault.file), fault.line))
            raise BoardError(folder, in_order)


def quoted(text: str) -> Message:
    """Return a foreign text fit for a message: in quotes, short, nothing unprintable."""
    return worded('"{text}"', text=clipped(text, LONGEST))


def shown(value: object) -> str:
    """Return a foreign value of any kind, written as in TOML as far as people care."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bool):
        return str(value).lower()
    try:
        return clipped(repr(value), LONGEST)
    except (ValueError, RecursionError):  # numbers of thousands of digits, lists in lists in lists
        return worded("too large to show")


def listed(words: Iterable[str]) -> str:
    """Return words as `a, b or c`."""
    *most, last = words
    return worded("{most} or {last}", most=tuple(most), last=last) if most else last


def did_you_mean(text: str, known: Iterable[str]) -> str:
    """Return ` (did you mean "Palermo"?)`, or an empty text where no known name is near."""
    names = {name.casefold(): name for name in known}
    near = difflib.get_close_matches(text.strip().casefold()[:100], names, n=1, cutoff=NEAR)
    return worded(" (did you mean {name}?)", name=quoted(names[near[0]])) if near else ""
