"""The engine `ray`: workers on many machines (extra `cluster`).

Without further ado Ray starts on this machine alone; `RAY_ADDRESS` in the environment, or a `ray.init()` of the
caller's own, names a cluster, on whose machines branchline and the bots must be installed.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from branchline.arena.errors import SeriesError, portable
from branchline.arena.executors import (
    ENGINES,
    Batch,
    BatchResult,
    Executor,
    LineUp,
    Tables,
    prepare,
)

INSTALL = 'playing on Ray needs ray: pip install "branchline[cluster]"'


class RayExecutor:
    """Workers that Ray finds a core for, one each."""

    def __init__(self, line_ups: Sequence[LineUp], jobs: int) -> None:
        """Begin with `jobs` workers; 0: one for each core of the cluster."""
        self._ray = ray = _ray()
        self._started = not ray.is_initialized()
        if self._started:
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
            _start(ray, jobs)
        try:
            prepare(line_ups)
            cores = int(ray.cluster_resources().get("CPU", 1))
            self.size = max(1, min(jobs, cores) if jobs else cores)
            self.queue_depth = 2 * self.size
            worker = ray.remote(num_cpus=1)(Tables)
            shared = ray.put(tuple(line_ups))
            self._workers = [worker.remote(shared) for _ in range(self.size)]
        except BaseException:
            self._shut_down()
            raise
        self._idle = deque(self._workers)
        self._waiting: deque[Batch] = deque()
        self._running: dict[Any, Any] = {}  # what will be played -> who plays it

    def submit(self, batch: Batch) -> None:
        """Have it played."""
        self._waiting.append(batch)
        self._begin()

    def next_result(self) -> BatchResult:
        """Return the next one played."""
        (done, *_), _ = self._ray.wait(list(self._running), num_returns=1)
        self._idle.append(self._running.pop(done))
        self._begin()
        try:
            played: BatchResult = self._ray.get(done)
        except self._ray.exceptions.RayTaskError as fault:
            raise portable(getattr(fault, "cause", None) or fault) from None
        except self._ray.exceptions.RayError as fault:
            raise SeriesError(f"a worker on Ray died: {str(fault).strip().splitlines()[0]}") from None
        return played

    def drain(self) -> Iterator[BatchResult]:
        """Yield what is being played now; nothing else is begun."""
        self._waiting.clear()
        while self._running:
            yield self.next_result()

    def shutdown(self) -> None:
        """Stop them; a Ray that was started for this goes as well."""
        for worker in self._workers:
            self._ray.kill(worker)
        self._shut_down()

    def _begin(self) -> None:
        while self._waiting and self._idle:
            worker = self._idle.popleft()
            self._running[worker.play.remote(self._waiting.popleft())] = worker

    def _shut_down(self) -> None:
        if self._started:
            self._ray.shutdown()


def on_ray(line_ups: Sequence[LineUp], jobs: int, games: int) -> Executor:
    """Return the executor `ray`."""
    return RayExecutor(line_ups, jobs)


ENGINES["ray"] = on_ray


def _ray() -> Any:
    try:
        import ray
    except ImportError:
        raise SeriesError(INSTALL) from None
    return ray


def _start(ray: Any, jobs: int) -> None:
    """Join the cluster of `RAY_ADDRESS`, or start one here, quietly."""
    quiet = {"log_to_driver": False, "logging_level": "ERROR", "configure_logging": True}
    if "RAY_ADDRESS" not in os.environ:
        quiet |= {"include_dashboard": False, "num_cpus": jobs or None}
    try:
        ray.init(**quiet)
    except (ConnectionError, ValueError, RuntimeError) as fault:
        raise SeriesError(f"Ray cannot be reached: {str(fault).strip().splitlines()[0]}") from None
