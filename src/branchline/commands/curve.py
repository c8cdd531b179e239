"""How a search gets on: a row each time it has come farther, as CSV or for TensorBoard."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Protocol

from branchline.boards.faults import quoted
from branchline.commands.event_file import EventFile
from branchline.commands.files import CommandError


class Curve(Protocol):
    """Takes a row: what each column says."""

    def __call__(self, row: Mapping[str, object], /) -> None:
        """Write a row, and see that it is in the file."""
        ...


@contextmanager
def curve(path: str | None, folder: str | None = None, step: str = "games") -> Iterator[Curve]:
    """Write a curve as CSV, with the columns of the first row, and into a folder for TensorBoard, where they are given.

    `step` names the column by which TensorBoard orders the rows. Raise `CommandError`.
    """
    with ExitStack() as files:
        kept: list[Curve] = []
        if path is not None:
            with _writing("--curve", path):
                file = files.enter_context(Path(path).open("w", encoding="utf-8", newline=""))
            table = csv.writer(file, lineterminator="\n")
            begun: list[str] = []

            def write(row: Mapping[str, object]) -> None:
                if not begun:
                    begun.extend(row)
                    table.writerow(row)
                table.writerow(row.values())
                file.flush()

            kept.append(write)
        if folder is not None:
            with _writing("--tensorboard", folder):
                events = files.enter_context(closing(EventFile(Path(folder))))
            kept.append(lambda row: events.add(*scalars(row, step)))

        def all_of_them(row: Mapping[str, object]) -> None:
            for keep in kept:
                keep(row)

        yield all_of_them


def scalars(row: Mapping[str, object], step: str) -> tuple[int, dict[str, float]]:
    """Return a row as TensorBoard shows it: its step, and a number for each curve, named with the texts of the row."""
    texts = "".join(f"{name} {value}/" for name, value in row.items() if isinstance(value, str) and value)
    numbers = {name: value for name, value in row.items() if isinstance(value, int | float)}
    return int(numbers.pop(step)), {texts + name: float(value) for name, value in numbers.items()}


@contextmanager
def _writing(option: str, path: str) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as fault:
        why = getattr(fault, "strerror", None) or fault
        raise CommandError(f"{option}: {quoted(path)} cannot be written: {why}") from None
