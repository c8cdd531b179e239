"""Everything a handler needs, in one place: the house that serves the rooms."""

from __future__ import annotations

from dataclasses import dataclass, field

from branchline.web.keys import Seals
from branchline.web.live import Live
from branchline.web.replays import Moments
from branchline.web.safety import Rates
from branchline.web.settings import Settings
from branchline.web.store import Store
from branchline.web.studies import Studies


@dataclass
class House:
    """One server process. `live` is there once it is open."""

    settings: Settings
    store: Store
    seals: Seals
    live: Live
    moments: Moments = field(default_factory=Moments)
    studies: Studies = field(init=False)
    sockets: dict[str, int] = field(default_factory=dict)  # open WebSockets by address
    warm: bool = False  # the rules are compiled and the boards laid out

    def __post_init__(self) -> None:
        """What lives on the store, and the rates that are not every request's."""
        self.studies = Studies(self.store)
        self.rooms = Rates(self.settings.limits.rooms)
        self.guesses = Rates(self.settings.limits.guesses)
