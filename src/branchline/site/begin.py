"""The first thing that Python does in a browser: see to what is missing there.

There is no NumPy (`arrays` stands in), there are no threads and no processes: what would run in one runs at once, where
it is asked for. All of this is done before anything else of branchline is imported.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, TypeVar

from branchline.site import letters

Answer = TypeVar("Answer")


def begin() -> None:
    """Put what stands in into the place of what is missing."""
    numpy_stands_in()
    sys.modules["regex"] = letters
    nothing_runs_beside()
    nothing_is_sent_or_measured()
    if sys.platform == "emscripten":
        the_engine_lodges_here()


def the_engine_lodges_here() -> None:
    """Let the engine's instances lie in the memory of this Python."""
    from branchline.runtime import instances, lodged_engine

    instances.new_instance = lodged_engine.LodgedInstance


def numpy_stands_in() -> None:
    """Let `import numpy` find the arrays in plain Python."""
    from branchline.site import arrays, random_numbers

    typing = ModuleType("numpy.typing")
    typing.NDArray = typing.ArrayLike = typing.DTypeLike = arrays.ndarray  # type: ignore[attr-defined]
    stands_in: Any = arrays
    stands_in.typing, stands_in.random = typing, random_numbers
    sys.modules |= {"numpy": arrays, "numpy.typing": typing, "numpy.random": random_numbers}


def nothing_is_sent_or_measured() -> None:
    """Let the packages by which servers send mail, call others and count be found empty."""
    for name in ("httpx", "aiosmtplib"):
        sys.modules[name] = ModuleType(name)
    counting = ModuleType("prometheus_client")
    counting.Counter = counting.Gauge = counting.Histogram = Uncounted  # type: ignore[attr-defined]
    sys.modules["prometheus_client"] = counting


class Uncounted:
    """A figure that nobody reads."""

    def __init__(self, *_said: object, **_named: object) -> None:
        """Take what the figures of Prometheus take."""

    def labels(self, *_values: object) -> Uncounted:
        """Return the figure for some labels: itself."""
        return self

    def inc(self, _more: float = 1) -> None:
        """Count nothing."""

    observe = set = inc

    @contextlib.contextmanager
    def time(self) -> Iterator[None]:
        """Let something happen."""
        yield


def nothing_runs_beside() -> None:
    """Let threads be what runs at once."""
    concurrent.futures.ThreadPoolExecutor = AtOnce  # type: ignore[assignment, misc]
    asyncio.to_thread = at_once  # type: ignore[assignment]
    if hasattr(time, "pthread_getcpuclockid"):  # which fails there
        del time.pthread_getcpuclockid
    if not hasattr(time, "thread_time"):
        time.thread_time = time.process_time


async def at_once(function: Callable[..., Answer], *arguments: object, **named: object) -> Answer:
    """Call a function, letting others go on before, and meanwhile if its answer is worked out elsewhere."""
    await asyncio.sleep(0)
    answer: Any = function(*arguments, **named)
    found: Answer = await asyncio.wrap_future(answer) if isinstance(answer, concurrent.futures.Future) else answer
    return found


class AtOnce(concurrent.futures.Executor):
    """An executor that has done everything when it has been asked, but what is worked out elsewhere."""

    def __init__(self, *_options: object, **_named: object) -> None:
        """Take what `ThreadPoolExecutor` takes."""

    def submit(
        self, function: Callable[..., Answer], /, *arguments: object, **named: object
    ) -> concurrent.futures.Future[Answer]:
        """Call a function, and return what came of it; its own future if it returns one."""
        future: concurrent.futures.Future[Answer] = concurrent.futures.Future()
        try:
            answer: Any = function(*arguments, **named)
            if isinstance(answer, concurrent.futures.Future):
                return answer
            future.set_result(answer)
        except Exception as error:
            future.set_exception(error)
        return future
