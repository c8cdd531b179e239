"""The screen: where commands print what people read."""

from __future__ import annotations

from typing import Protocol

from rich.console import Console
from rich.table import Table
from rich.text import Text


def _screen() -> Console:
    """Return standard output as it is now; foreign texts are printed literally, never read as mark-up."""
    return Console(markup=False, highlight=False, emoji=False)


def say(text: str = "", style: str = "") -> None:
    """Print a line; a long one is left to the terminal to break, so that what is piped on stays whole."""
    _screen().print(Text(text, style=style), soft_wrap=True)


def show(table: Table) -> None:
    """Print a table."""
    _screen().print(table)


def columns(*names: str, right: tuple[str, ...] = ()) -> Table:
    """Return an empty table without lines, as all commands print them; the columns in `right` hold numbers."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name in names:
        table.add_column(Text(plain(name)), justify="right" if name in right else "left", overflow="fold")
    return table


def plain(text: str) -> str:
    """Return a foreign text without what could steer a terminal."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def counted(count: int, what: str) -> str:
    """Return a count with its noun: `1 fault`, `2,000 faults`."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


class Interval(Protocol):
    """A figure with its 95 % interval."""

    @property
    def low(self) -> float:
        """Its lower end."""

    @property
    def high(self) -> float:
        """Its upper end."""


def between(figure: Interval, sign: str = "") -> str:
    """Return an interval."""
    return f"{figure.low:{sign}.1f} … {figure.high:{sign}.1f}"


def between_shares(share: Interval) -> str:
    """Return the interval of a share, in per cent."""
    return f"{100 * share.low:.1f} … {100 * share.high:.1f}"
