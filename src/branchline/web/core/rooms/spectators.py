"""What all who watch a room without a seat are shown: made once, however many they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from branchline.web.core.rooms import seats
from branchline.web.core.rooms.perspective import Viewer, table_context
from branchline.web.core.rooms.room import Room
from branchline.web.core.security.signing import Signer
from branchline.web.core.seen import TableContext
from branchline.web.core.visit import Visit

FRESH = 1.0  # seconds for which a context is shared: clocks stand in it


class Spectators:
    """The contexts and messages that the spectators of one room share, while it is as it is."""

    def __init__(self) -> None:
        """Begin for a room that nobody watches yet."""
        self._room: Room | None = None
        self._contexts: dict[tuple[str, str, str], TableContext] = {}
        self._messages: dict[tuple[int, int, bool], tuple[TableContext | None, TableContext, str | None]] = {}

    def context(self, room: Room, viewer: Viewer, signer: Signer, now: float) -> TableContext:
        """Return the table as a spectator may see it at `now`; `viewer` has no seat and is not the host."""
        if room is not self._room:
            self._room, self._contexts, self._messages = room, {}, {}
        visit = _shared(room, viewer.visit)
        key = (visit.language, visit.origin, visit.csrf)
        context = self._contexts.get(key)
        if context is None or not 0 <= now - context.now < FRESH:
            context = self._contexts[key] = table_context(room, replace(viewer, visit=visit), signer, now)
            self._messages = {}
        return context

    def message(
        self, before: TableContext | None, context: TableContext, drawn: bool, make: Callable[[], str | None]
    ) -> str | None:
        """Return the message that leads from one context to another, made by the first who needs it; None: none is
        needed.
        """
        key = id(before), id(context), drawn
        if key not in self._messages:
            self._messages[key] = before, context, make()
        return self._messages[key][2]


def shares(viewer: Viewer) -> bool:
    """Return whether a viewer is shown what all spectators are."""
    return not viewer.mine and not viewer.host


def _shared(room: Room, visit: Visit) -> Visit:
    """Return what fragments need of a visit; the form for sitting down has a token of its own."""
    sits = room.options.open and any(seat.kind == seats.OPEN for seat in room.seats)
    return Visit(language=visit.language, root=visit.root, origin=visit.origin, csrf=visit.csrf if sits else "")
