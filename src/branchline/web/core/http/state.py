"""The state of one server process: everything a handler needs, in one place."""

from __future__ import annotations

from dataclasses import dataclass, field

from branchline.web.core.http.audience import Audience
from branchline.web.core.http.heavy_work import HeavyWork
from branchline.web.core.http.layouts import Layouts
from branchline.web.core.http.rate_limits import Costs, RateLimits
from branchline.web.core.rooms.analyses import Analyses
from branchline.web.core.rooms.fair_threads import FairThreads
from branchline.web.core.rooms.live import LiveRooms
from branchline.web.core.security.signing import Signer
from branchline.web.core.settings import Settings
from branchline.web.core.store.database import Store
from branchline.web.dealing.live import LiveTables
from branchline.web.notices.service import TurnNotices
from branchline.web.replay.replays import ReplayCache
from branchline.web.workshop.balancing import Balances


@dataclass
class ServerState:
    """One server process. `live` is there once it is open."""

    settings: Settings
    store: Store
    signer: Signer
    live: LiveRooms
    rates: RateLimits
    replays: ReplayCache = field(default_factory=ReplayCache)
    analyses: Analyses = field(init=False)
    balances: Balances = field(init=False)
    coach_threads: FairThreads = field(default_factory=lambda: FairThreads(1, "coach"))
    heavy: HeavyWork = field(init=False)
    audience: Audience = field(init=False)
    costs: Costs = field(init=False)
    deals: LiveTables = field(init=False)
    notices: TurnNotices = field(init=False)
    layouts: Layouts = field(default_factory=Layouts)
    warm: bool = False  # the boards are laid out

    def __post_init__(self) -> None:
        """What is made of the rest."""
        self.heavy = HeavyWork(self.settings)
        self.audience = Audience(self.settings.limits)
        self.costs = Costs(self.settings.limits)
        self.analyses = Analyses(self.store)
        self.balances = Balances(self.store)
        self.live.when_over.append(self.analyses.begin_if_idle)
        self.deals = LiveTables(self.live)
        self.notices = TurnNotices(self.live, self.signer, self.settings)
