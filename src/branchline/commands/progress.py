"""A bar on standard error that shows how far a long command is; nothing where no person looks on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(what: str, whole: int) -> Iterator[Callable[[int], None] | None]:
    """Yields a function to be told how much is done, or None when standard error is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from branchline.rules.kernel import compiled_before

    parts = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*parts, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(f"{what} (compiling, first run only)" if not compiled_before() else what, total=whole)

        def done(count: int) -> None:
            bar.update(task, completed=count, description=what)

        yield done
