"""How a search gets on, as CSV: a row each time it has come farther."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from branchline.boards.faults import quoted
from branchline.commands.files import CommandError


class Curve(Protocol):
    """Takes a row: what each column says."""

    def __call__(self, row: Mapping[str, object], /) -> None:
        """Write a row, and see that it is in the file."""
        ...


@contextmanager
def curve(path: str | None) -> Iterator[Curve]:
    """Open a file for a curve, with the columns of the first row; without a path nothing is kept.

    Raise `CommandError`.
    """
    if path is None:
        yield lambda row: None
        return
    try:
        file = Path(path).open("w", encoding="utf-8", newline="")  # noqa: SIM115  closed below
    except (OSError, ValueError) as fault:
        raise CommandError(f"--curve: {quoted(path)} cannot be written: {getattr(fault, 'strerror', fault)}") from None
    with file:
        table = csv.writer(file, lineterminator="\n")
        begun: list[str] = []

        def write(row: Mapping[str, object]) -> None:
            if not begun:
                begun.extend(row)
                table.writerow(row)
            table.writerow(row.values())
            file.flush()

        yield write
