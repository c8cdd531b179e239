"""How far a long command is: a bar on standard error, and what there is to show so far, if somebody looks on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class Reporter:
    """Is told how much is done."""

    def __init__(self, done: Callable[[int], None], show: Callable[[object], None]) -> None:
        self._done, self._show = done, show

    def __call__(self, count: int) -> None:
        """So many are done."""
        self._done(count)

    def show(self, table: object) -> None:
        """Show a Rich table above the bar, in place of the last one."""
        self._show(table)


@contextmanager
def progress(what: str, whole: int) -> Iterator[Reporter | None]:
    """Yields a `Reporter`, or None when standard error is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console, RenderableType
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    class Bar(Progress):
        """A bar with something above it."""

        above: RenderableType | None = None

        def get_renderables(self) -> Iterator[RenderableType]:
            """From top to bottom."""
            if self.above is not None:
                yield self.above
            yield from super().get_renderables()

    parts = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bar(*parts, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=whole)

        def done(count: int) -> None:
            bar.update(task, completed=count)

        def show(table: Any) -> None:
            bar.above = table

        yield Reporter(done, show)
