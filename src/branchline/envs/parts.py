"""Many games in a few parts, each part done by a thread of its own in compiled code."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, NamedTuple

from branchline.atlas.arguments import whole_number
from branchline.envs.rewards import EnvError
from branchline.rules import kernel
from branchline.rules.state import SCRATCH, STATE

MOST_THREADS = 256


class Part(NamedTuple):
    """The games from `first` up to, not including, `end`, and where their thread computes."""

    first: int
    end: int
    scratch: Any  # a buffer of one
    seen: Any  # likewise, of a state


def compiled_only() -> None:
    """Raise `EnvError` where rules are interpreted."""
    if kernel.INTERPRETED:
        raise EnvError(
            "this runs compiled code only: call `branchline compile` once, and leave BRANCHLINE_INTERPRET unset"
        )


class Parts:
    """All parts."""

    def __init__(self, games: int, threads: int) -> None:
        """As many as there are threads, but not more than games. Raises `EnvError`."""
        compiled_only()
        threads = min(whole_number("threads", threads, 1, MOST_THREADS, EnvError), games)
        edges = [games * n // threads for n in range(threads + 1)]
        self._parts = [
            Part(first, end, kernel.new_buffer(SCRATCH), kernel.new_buffer(STATE)) for first, end in pairwise(edges)
        ]
        self._threads = ThreadPoolExecutor(threads - 1) if threads > 1 else None

    def run(self, do: Callable[..., None], *more: Any) -> None:
        """Call `do(part, *more)` for every part, for one of them in this thread, and wait for all."""
        others = [self._threads.submit(do, part, *more) for part in self._parts[1:]] if self._threads else []
        try:
            do(self._parts[0], *more)
        finally:
            for one in others:
                one.result()
