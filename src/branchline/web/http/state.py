"""Everything a handler needs, in one place: the house that serves the rooms."""

from __future__ import annotations

from dataclasses import dataclass, field

from branchline.web.http.rate_limits import RateLimits
from branchline.web.rooms.analyses import Studies
from branchline.web.rooms.live import Live
from branchline.web.rooms.replays import Moments
from branchline.web.security.signing import Signer
from branchline.web.settings import Settings
from branchline.web.store.database import Store


@dataclass
class House:
    """One server process. `live` is there once it is open."""

    settings: Settings
    store: Store
    signer: Signer
    live: Live
    rates: RateLimits
    moments: Moments = field(default_factory=Moments)
    studies: Studies = field(init=False)
    sockets: dict[str, int] = field(default_factory=dict)  # open WebSockets by address
    warm: bool = False  # the rules are compiled and the boards laid out

    def __post_init__(self) -> None:
        """What lives on the store."""
        self.studies = Studies(self.store)
