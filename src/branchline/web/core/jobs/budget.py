"""How much a process may use, and how the system is told to keep it to that."""

from __future__ import annotations

import contextlib
import math
import os
import sys
from dataclasses import dataclass
from pathlib import Path

NICENESS = 10  # how far people who wait for a page come first
LARGEST_FILE = 256 << 20  # bytes
PATIENCE = 8.0  # so many times as long as its processor time may work take on a machine that is busy
START = 30.0  # seconds more, in which its process is started


@dataclass(frozen=True)
class WorkBudget:
    """What one piece of work may use."""

    seconds: float  # of processor time
    memory: int = 1 << 30  # bytes, besides what every such process has

    @property
    def patience(self) -> float:
        """The seconds after which it is ended, whatever it used."""
        return PATIENCE * self.seconds + START


if sys.platform not in ("win32", "emscripten"):
    import resource

    def keep_to(budget: WorkBudget) -> None:
        """Have the system end this process when it has used its processor time, and refuse it further memory."""
        used = sum(os.times()[:2])
        seconds = math.ceil(used + budget.seconds)
        _limit(resource.RLIMIT_CPU, seconds, seconds + 1)
        _limit(resource.RLIMIT_CORE, 0)
        _limit(resource.RLIMIT_FSIZE, LARGEST_FILE)
        with contextlib.suppress(OSError, ValueError, IndexError):  # no such file: not Linux
            there = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5]) * resource.getpagesize()
            _limit(resource.RLIMIT_DATA, there + budget.memory)  # not RLIMIT_AS: the engine reserves gigabytes
        with contextlib.suppress(OSError):
            os.nice(NICENESS)

    def _limit(resource_kind: int, most: int, hard: int | None = None) -> None:
        with contextlib.suppress(OSError, ValueError):  # a lower limit holds already
            resource.setrlimit(resource_kind, (most, most if hard is None else hard))

else:

    def keep_to(budget: WorkBudget) -> None:
        """Do nothing: on this system only the clock of the parent keeps a process to its budget."""
