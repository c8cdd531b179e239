"""A database that is away: whoever asks it is told so in one word, and the log in one line for each outage."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

from branchline.web.core.store.database import AWAY, first_line, is_full

log = logging.getLogger("branchline.store")

Answer = TypeVar("Answer")


class Unavailable(Exception):  # noqa: N818  it reads as a sentence
    """The database cannot be asked now; that has been logged."""

    def __init__(self, reason: str = "away") -> None:
        """Take the word for why: `away`, or `disk_full`."""
        super().__init__(reason)
        self.reason = reason


class OutageWatch:
    """Asks the database, and sees outages begin and end."""

    def __init__(self) -> None:
        """Begin with all well so far."""
        self._lock = threading.Lock()
        self._failing: set[str] = set()  # "reading" and "writing": a disk that is full can be read
        self._since = 0.0

    def read(self, function: Callable[..., Answer], *arguments: object) -> Answer:
        """Return what a function that reads answers. Raise `Unavailable`."""
        return self._ask("reading", function, arguments)

    def write(self, function: Callable[..., Answer], *arguments: Any) -> Answer:
        """Return what a function that writes answers. Raise `Unavailable`."""
        return self._ask("writing", function, arguments)

    def _ask(self, doing: str, function: Callable[..., Answer], arguments: tuple[object, ...]) -> Answer:
        try:
            answer = function(*arguments)
        except AWAY as error:
            self._begins(doing, first_line(error))
            raise Unavailable("disk_full" if is_full(error) else "away") from None
        if self._failing:
            self._ends(doing)
        return answer

    def _begins(self, doing: str, why: str) -> None:
        with self._lock:
            known, self._failing = bool(self._failing), self._failing | {doing}
            if not known:
                self._since = time.monotonic()
                log.error("the database fails at %s, requests are answered with status 503: %s", doing, why)

    def _ends(self, doing: str) -> None:
        with self._lock:
            if doing in self._failing:
                self._failing = set()  # whoever can write can read; who could not even read was away altogether
                log.warning("the database is back after %.0f s", time.monotonic() - self._since)
