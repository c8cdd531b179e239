"""How often an address may ask: sliding windows of the `limits` library, in the memory of this process."""

from __future__ import annotations

from limits import RateLimitItem, RateLimitItemPerSecond
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter

from branchline.web.settings import Limits

FOR_EVER = 10 * 365 * 86_400  # seconds


class RateLimits:
    """The rates of `settings.Limits`, counted for each address or seat."""

    def __init__(self, limits: Limits) -> None:
        """Nobody has asked for anything yet."""
        self._limiter = SlidingWindowCounterRateLimiter(MemoryStorage())
        rates = (
            "reads",
            "writes",
            "rooms",
            "guesses",
            "messages",
            "lines",
            "talk",
            "notices",
            "drafts",
            "saves",
            "checks",
            "exercises",
            "drawings",
        )
        self._windows = {name: window(*getattr(limits, name)) for name in rates}

    def allow(self, rate: str, who: str) -> bool:
        """Count one more of `rate` for an address or a seat; whether that is not too many."""
        return self._limiter.hit(self._windows[rate], rate, who)


def window(at_once: int, per_second: float) -> RateLimitItem:
    """So many at once, and no more than so many a second in the long run, to the second in which they are counted."""
    seconds = round(at_once / per_second) if per_second else FOR_EVER
    return RateLimitItemPerSecond(at_once, max(1, seconds))
