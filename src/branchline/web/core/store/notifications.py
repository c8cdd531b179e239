"""Notices between server processes: "something was written in this room".

PostgreSQL sends them itself with the commit (LISTEN/NOTIFY); Redis can do it for any database; without either, each
process looks at the versions of the rooms it has open, unless there is no other process. A notice may be lost, come
late or come twice: who gets one looks into the database, and every few seconds without one (`rooms.looking_after`).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol

from branchline.web.core.store.database import CHANNEL

log = logging.getLogger("branchline.notifications")

FIRST_PAUSE, LONGEST_PAUSE = 0.2, 5.0  # seconds before a connection that was lost is made anew
STEADY = 30.0  # seconds after which a connection counts as a good one
HANGING = 2.0  # seconds that Redis may take for a notice
MOST_WAITING = 1000  # notices that have not been sent; further ones are dropped, and made up for by the sweep

OnNotice = Callable[[str | None], Awaitable[None]]
"""Called with a room's id; None: notices may have been lost, look at all rooms."""


class Notifier(Protocol):
    """Carries notices to the other processes."""

    async def open(self, on_notice: OnNotice) -> None:
        """Begin to listen."""

    async def publish(self, room: str) -> None:
        """Tell the others that this process has written in a room, and it is committed."""

    async def close(self) -> None:
        """Stop."""


class _Listening:
    """A task that listens, and begins anew when the connection is lost."""

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None
        self._interrupted = False  # it has been said

    def _start(self, listen: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._task = asyncio.create_task(self._keep_on(listen))

    async def _keep_on(self, listen: Callable[[], Coroutine[Any, Any, None]]) -> None:
        pause = FIRST_PAUSE
        while True:
            began = asyncio.get_running_loop().time()
            try:
                await listen()
            except Exception as error:  # the network, the other server: whatever it is, it may come back
                if not self._interrupted:
                    log.warning("notices interrupted: %s", (str(error) or type(error).__name__).splitlines()[0])
                self._interrupted = True
            if asyncio.get_running_loop().time() - began > STEADY:
                pause = FIRST_PAUSE
            await asyncio.sleep(pause)
            pause = min(LONGEST_PAUSE, pause * 2)

    def _stands(self) -> None:
        """Note that there is a connection."""
        if self._interrupted:
            log.warning("notices go on")
        self._interrupted = False

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task


class NoNotifier:
    """Nobody to hear from: the site of one browser has its database to itself."""

    async def open(self, on_notice: OnNotice) -> None:
        """Do nothing."""

    async def publish(self, room: str) -> None:
        """Do nothing."""

    async def close(self) -> None:
        """Do nothing."""


class PollingNotifier(_Listening):
    """No notices: every so often all open rooms are looked at."""

    def __init__(self, seconds: float) -> None:
        """Begin with `seconds` between two looks."""
        super().__init__()
        self._seconds = seconds

    async def open(self, on_notice: OnNotice) -> None:
        """Begin to look."""

        async def look() -> None:
            while True:
                await asyncio.sleep(self._seconds)
                await on_notice(None)
                self._stands()

        self._start(look)

    async def publish(self, room: str) -> None:
        """Do nothing: the others will see it when they look."""


class PostgresNotifier(_Listening):
    """LISTEN; the store sends the NOTIFY inside the transaction, so that it comes exactly when it is committed."""

    def __init__(self, url: str, process: str) -> None:
        """Begin with a `url` as libpq takes it; `process` identifies us, to leave our own notices unread."""
        super().__init__()
        self._url, self._process = url, process

    async def open(self, on_notice: OnNotice) -> None:
        """Begin to listen; returns when the connection stands."""
        ready = asyncio.Event()

        async def listen() -> None:
            import psycopg

            async with await psycopg.AsyncConnection.connect(self._url, autocommit=True) as connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                self._stands()
                ready.set()
                async for notice in connection.notifies():
                    room, _, process = notice.payload.partition(" ")
                    if process != self._process:
                        await on_notice(room)

        self._start(listen)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(ready.wait(), 10)

    async def publish(self, room: str) -> None:
        """Do nothing: the store has published it."""


class RedisNotifier(_Listening):
    """Redis PUBLISH and SUBSCRIBE."""

    def __init__(self, url: str, process: str) -> None:
        """Begin; `process` identifies us, to leave our own notices unread."""
        super().__init__()
        from redis.asyncio import Redis

        self._redis: Any = Redis.from_url(url, decode_responses=True, socket_connect_timeout=HANGING)
        self._process = process
        self._unsent: asyncio.Queue[str] = asyncio.Queue(MOST_WAITING)
        self._sending: asyncio.Task[None] | None = None
        self._failing = False  # it has been said that notices cannot be sent

    async def open(self, on_notice: OnNotice) -> None:
        """Begin to listen; returns when the subscription stands."""
        ready = asyncio.Event()

        async def listen() -> None:
            async with self._redis.pubsub() as subscription:
                await subscription.subscribe(CHANNEL)
                self._stands()
                ready.set()
                async for message in subscription.listen():
                    if message["type"] == "message":
                        room, _, process = str(message["data"]).partition(" ")
                        if process != self._process:
                            await on_notice(room)

        self._start(listen)
        self._sending = asyncio.create_task(self._send())
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(ready.wait(), 10)

    async def publish(self, room: str) -> None:
        """Have it sent; nobody waits for that. When Redis is away the others learn it from their next look."""
        try:
            self._unsent.put_nowait(room)
        except asyncio.QueueFull:
            self._fails("too many are waiting")

    async def _send(self) -> None:
        """Send what is waiting, each room once."""
        while True:
            rooms = {await self._unsent.get()}
            while not self._unsent.empty():
                rooms.add(self._unsent.get_nowait())
            for room in rooms:
                try:
                    async with asyncio.timeout(HANGING):
                        await self._redis.publish(CHANNEL, f"{room} {self._process}")
                    self._failing = False
                except Exception as error:  # the network, the other server: the room is looked at without a notice
                    self._fails(str(error) or "no answer")
                    break

    def _fails(self, why: str) -> None:
        """Say it once, until it works again."""
        if not self._failing:
            self._failing = True
            log.warning("notices cannot be sent: %s", why.splitlines()[0])

    async def close(self) -> None:
        """Stop listening, and let Redis go."""
        await super().close()
        if self._sending is not None:
            self._sending.cancel()
            await asyncio.gather(self._sending, return_exceptions=True)
        await self._redis.aclose()
