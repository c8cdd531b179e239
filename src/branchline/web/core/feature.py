"""What a feature tells the application of itself: one value, listed in `web/features.py`."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field

from starlette.routing import BaseRoute

from branchline.web.core.http.middleware import Largest
from branchline.web.core.http.state import BoardPage, ServerState
from branchline.web.core.rooms.purging import Purge


@dataclass(frozen=True)
class Feature:
    """A room of the web application: its addresses, and what it does in each process of the server."""

    routes: Callable[[ServerState], Sequence[BaseRoute]]
    words: tuple[str, ...] = ()  # the first words of its addresses, unless another feature names them
    parts: tuple[Callable[[ServerState], object], ...] = ()  # what it keeps in a process; closed at the end
    tasks: tuple[Callable[[ServerState], Coroutine[None, None, None]], ...] = ()  # what it does in the background
    places: tuple[BoardPage, ...] = ()
    largest: Mapping[str, Largest] = field(default_factory=dict)
    """How many bytes may be sent to an address where that is not as usual; `/word/`: to it and all below it."""
    purges: tuple[Purge, ...] = ()  # what is deleted when nobody has touched it for long
