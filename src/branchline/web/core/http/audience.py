"""How many may watch at once: seats before spectators, spectators before strangers, none of them at another's cost.

WebSockets and requests that wait are counted alike. Whoever holds a seat has room of its own there, in the room and
at its address; those who were allowed to watch, and strangers in an open room, have theirs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from branchline.web.core.rooms.perspective import Viewer
from branchline.web.core.settings import Limits


class Full(Exception):  # noqa: N818  it reads as a sentence
    """There is no place left for somebody of this kind."""


class Audience:
    """Counts those who watch, in this process."""

    def __init__(self, limits: Limits) -> None:
        """Begin without watchers."""
        self._limits = limits
        self._counts: Counter[tuple[str, ...]] = Counter()

    @property
    def size(self) -> int:
        """How many watch now."""
        return sum(count for name, count in self._counts.items() if name[0] == "address")

    @contextmanager
    def place(self, room: str, viewer: Viewer, address: str) -> Iterator[None]:
        """Hold a place for one WebSocket or one waiting request. Raise `Full`."""
        limits = self._limits
        most: dict[tuple[str, ...], int]
        if viewer.mine:
            kind, most = "seat", {("seat", room, str(seat)): limits.sockets_per_seat for seat in viewer.mine}
        else:
            kind = "spectator" if viewer.invited else "stranger"
            most = {(kind, room): limits.sockets_per_room}
        most[("address", "seat" if viewer.mine else "others", address)] = limits.sockets_per_address
        if any(self._counts[name] >= limit for name, limit in most.items()):
            raise Full(f"too many watch as a {kind}")
        self._counts.update(most.keys())
        try:
            yield
        finally:
            for name in most:
                self._counts[name] -= 1
                if not self._counts[name]:
                    del self._counts[name]
