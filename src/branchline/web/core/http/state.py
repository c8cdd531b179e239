"""The state of one server process: everything a handler needs, in one place."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

from branchline.boards import Board
from branchline.web.core.http.audience import Audience
from branchline.web.core.http.heavy_work import HeavyWork
from branchline.web.core.http.layouts import Layouts
from branchline.web.core.http.rate_limits import Costs, RateLimits
from branchline.web.core.rooms.analyses import Analyses
from branchline.web.core.rooms.kept_boards import MadeBoard
from branchline.web.core.rooms.live import LiveRooms
from branchline.web.core.security.signing import Signer
from branchline.web.core.settings import Settings
from branchline.web.core.store.database import Store

Part = TypeVar("Part")


@dataclass(frozen=True)
class BoardPage:
    """Where a board has a page of its own, so that rules, referee and dealing can be about it.

    `board` and `made` are handed the request of a page (`page_requests.PageRequest`), whose address begins with `path`.
    """

    word: str  # what it is called in the address
    path: str
    board: Callable[..., Awaitable[Board]]
    made: Callable[..., Awaitable[MadeBoard]] | None = None  # a board that is no edition, ready to be kept


@dataclass
class ServerState:
    """One server process. `live` is there once it is open."""

    settings: Settings
    store: Store
    signer: Signer
    live: LiveRooms
    rates: RateLimits
    analyses: Analyses = field(init=False)
    heavy: HeavyWork = field(init=False)
    audience: Audience = field(init=False)
    costs: Costs = field(init=False)
    layouts: Layouts = field(default_factory=Layouts)
    parts: dict[type[object], object] = field(default_factory=dict)  # of the features, see `core.feature`
    places: dict[str, BoardPage] = field(default_factory=dict)  # by their words in addresses
    warm: bool = False  # the boards are laid out

    def __post_init__(self) -> None:
        """Build the parts that depend on the others."""
        self.heavy = HeavyWork(self.settings)
        self.audience = Audience(self.settings.limits)
        self.costs = Costs(self.settings.limits)
        self.analyses = Analyses(self.store)
        if self.settings.analyse_ended:
            self.live.when_over.append(self.analyses.begin_if_idle)

    def add(self, part: object) -> None:
        """Keep what a feature needs in this process; `part` finds it again."""
        self.parts[type(part)] = part

    def part(self, kind: type[Part]) -> Part:
        """Return what a feature keeps in this process, by its class."""
        part = self.parts[kind]
        assert isinstance(part, kind)
        return part
