"""How far a long command is: a bar on standard error, and what there is to show so far, if somebody looks on."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

EVERY = 30.0  # seconds between two lines


class Reporter:
    """Is told how much is done."""

    def __init__(self, done: Callable[[int], None], show: Callable[[object], None] | None = None) -> None:
        self._done, self._show = done, show

    @property
    def live(self) -> bool:
        """Whether tables can be shown."""
        return self._show is not None

    def __call__(self, count: int) -> None:
        """Report that `count` are done."""
        self._done(count)

    def show(self, table: object) -> None:
        """Show a Rich table above the bar, in place of the last one."""
        if self._show is not None:
            self._show(table)


def _lines(what: str, whole: int) -> Callable[[int], None]:
    """Tell how far it is in plain lines, the first after a while: for logs."""
    last = time.monotonic()

    def done(count: int) -> None:
        nonlocal last
        if time.monotonic() >= last + EVERY:
            last = time.monotonic()
            print(f"{what}: {count:,}" + (f" of {whole:,}" if whole else ""), file=sys.stderr, flush=True)

    return done


@contextmanager
def progress(what: str, whole: int) -> Iterator[Reporter]:
    """Yield a `Reporter`; if standard error is not a terminal, it prints a plain line now and then."""
    if not sys.stderr.isatty():
        yield Reporter(_lines(what, whole))
        return
    from rich.console import Console, RenderableType
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    class Bar(Progress):
        """A bar with something above it."""

        above: RenderableType | None = None

        def get_renderables(self) -> Iterator[RenderableType]:
            """Yield the parts of the bar, from top to bottom."""
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
