"""How much an address may ask for: each rate is a bucket that is filled by what is asked, and runs out steadily.

Of our own, not of a library: one number and one moment for each who asks. (The memory of `limits`, which did this
before, starts a thread for every message: half a millisecond.)
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar
from weakref import WeakValueDictionary

from branchline.web.core.settings import Limits

RATES = Limits.rates()
EXPECTED = 0.02  # seconds that a page takes
REMEMBERED = 20_000  # who has asked lately, for each rate; those who have asked for least are forgotten first

Made = TypeVar("Made")


class Buckets:
    """One rate: for each who asks, a bucket that holds `most` and runs out by so much a second."""

    def __init__(self, most: float, per_second: float, now: Callable[[], float] = time.monotonic) -> None:
        """Begin without any requests."""
        self.most, self.per_second = most, per_second
        self._now = now
        self._levels: dict[str, tuple[float, float]] = {}  # how full each was, and when

    def __len__(self) -> int:
        """Return how many addresses are remembered."""
        return len(self._levels)

    def level(self, who: str) -> float:
        """Return how full a bucket is now."""
        level, then = self._levels.get(who, (0.0, 0.0))
        return max(0.0, level - (self._now() - then) * self.per_second) if level else 0.0

    def allow(self, who: str, amount: float = 1.0) -> bool:
        """Add so much, unless that is too much; whether it was not."""
        full = self.level(who) + amount
        if full > self.most:
            return False
        self._fill(who, full)
        return True

    def charge(self, who: str, amount: float) -> None:
        """Add what something has cost: afterwards the bucket may be more than full."""
        self._fill(who, max(0.0, self.level(who) + amount))

    def wait(self, who: str) -> float:
        """Return the seconds until the bucket is no longer full."""
        over = self.level(who) - self.most
        return over / self.per_second if over > 0 and self.per_second else 0.0

    def _fill(self, who: str, level: float) -> None:
        self._levels[who] = level, self._now()
        if len(self._levels) > REMEMBERED:
            fullest = sorted(self._levels, key=self.level, reverse=True)
            self._levels = {address: self._levels[address] for address in fullest[: REMEMBERED // 2]}


class RateLimits:
    """The rates of `settings.Limits`, counted for each address or seat."""

    def __init__(self, limits: Limits) -> None:
        """Begin without any requests."""
        self._buckets = {name: Buckets(*getattr(limits, name)) for name in RATES}

    def allow(self, rate: str, who: str) -> bool:
        """Count one more of `rate` for an address or a seat; whether that is not too many."""
        return self._buckets[rate].allow(who)


class TooMuch(Exception):  # noqa: N818  it reads as a sentence
    """An address has had so much worked out that it has to come again later."""


class Costs:
    """What is worked out for addresses on demand, in seconds: at most so much, one at a time."""

    PATIENCE = 10.0  # seconds for which a request may be put off; what would wait longer is refused

    def __init__(self, limits: Limits) -> None:
        """Begin without any costs."""
        self._spent = Buckets(*limits.processor)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._called: set[object] = set()

    async def turn(self, address: str) -> None:
        """Wait until something may be worked out for an address. Raise `TooMuch` when that takes too long.

        The wishes of one address have their turns one by one, and between two of them everybody else is served.
        """
        lock = self._turns.get(address)
        if lock is None:
            lock = self._turns[address] = asyncio.Lock()
        async with lock:
            if self._spent.wait(address) > self.PATIENCE:
                raise TooMuch
            await asyncio.sleep(self._spent.wait(address))

    def charge(self, address: str, seconds: float) -> None:
        """Note what something has cost."""
        self._spent.charge(address, seconds)

    async def in_thread(self, address: str, make: Callable[..., Made], *arguments: object) -> Made:
        """Return the result of a function for an address whose `turn` it is, in a thread; the address pays for the
        processor. The first time that a function is called its modules and templates are read, for all who come later:
        that is nobody's to pay.
        """
        first = _what(make) not in self._called
        self._called.add(_what(make))
        seconds = EXPECTED
        self.charge(address, seconds)  # at once, so that much at the same time does not all seem to cost nothing
        try:
            answer, taken = await asyncio.to_thread(_timed, make, arguments)
            seconds = EXPECTED if first else taken
        finally:
            self.charge(address, seconds - EXPECTED)
        return answer


def _what(make: Callable[..., object]) -> object:
    """Return what stands for a function, also for one that is defined anew for each call."""
    return getattr(getattr(make, "func", make), "__code__", type(make))


def _timed(make: Callable[..., Made], arguments: tuple[object, ...]) -> tuple[Made, float]:
    began = time.thread_time()
    return make(*arguments), time.thread_time() - began
