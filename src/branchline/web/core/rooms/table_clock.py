"""The clock of the tables: it runs while the server does, whatever the clock of the machine says.

It begins with the date and goes on by the monotonic clock. So no step of the machine's clock reaches a player, and what
passes while the server is down, suspended, or without its database is charged to nobody. All processes that share a
database share this clock: each notes there how far it is, and whoever is behind follows (`Store.keep_clock`).
"""

from __future__ import annotations

import time
from collections.abc import Callable

TICK = 1.0  # seconds between two looks of a process that runs
MISSED = 3.0  # seconds: what passes unlooked at counts as so much at most, because the process stood still
NOTED = 10.0  # seconds between two notes in the database; a process that is killed forgets so much at most


class TableClock:
    """How much time has been played at, in seconds that begin with a date."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic, date: Callable[[], float] = time.time) -> None:
        """Show the date until the database says otherwise."""
        self._monotonic = monotonic
        self._shown, self._looked = date(), monotonic()
        self._stands = False

    def now(self) -> float:
        """Return the time that the clock shows."""
        moment = self._monotonic()
        passed, self._looked = moment - self._looked, moment
        if not self._stands:
            self._shown += min(max(passed, 0.0), MISSED)
        return self._shown

    def set(self, shown: float) -> None:
        """Show what the database says that it showed last."""
        self.now()
        self._shown = shown

    def follow(self, shown: float) -> None:
        """Run, and from where another process is, if that is ahead."""
        self.now()
        self._shown, self._stands = max(self._shown, shown), False

    def stand(self) -> None:
        """Show the same until `follow` is called: nobody can play now."""
        self.now()
        self._stands = True
