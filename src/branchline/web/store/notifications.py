"""Notices between server processes: "something was written in this room".

PostgreSQL sends them itself with the commit (LISTEN/NOTIFY); Redis can do it for any database; without either, each
process looks at the versions of the rooms it has open. A notice may be lost, come late or come twice: who gets one
looks into the database.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol

from branchline.web.store.database import CHANNEL

log = logging.getLogger("branchline.notifications")

OnNotice = Callable[[str | None], Awaitable[None]]
"""Called with a room's id; None: notices may have been lost, look at all rooms."""


class Notifier(Protocol):
    """Carries notices to the other processes."""

    async def open(self, on_notice: OnNotice) -> None:
        """Begin to listen."""

    async def publish(self, room: str) -> None:
        """This process has written in a room, and it is committed."""

    async def close(self) -> None:
        """Stop."""


class _Listening:
    """A task that listens, and begins anew when the connection is lost."""

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None

    def _start(self, listen: Callable[[], Coroutine[Any, Any, None]], on_notice: OnNotice) -> None:
        self._task = asyncio.create_task(self._keep_on(listen, on_notice))

    async def _keep_on(self, listen: Callable[[], Coroutine[Any, Any, None]], on_notice: OnNotice) -> None:
        pause = 0.2
        while True:
            try:
                await listen()
            except asyncio.CancelledError:
                raise
            except Exception as error:  # the network, the other server: whatever it is, it may come back
                log.warning("notices interrupted: %s", (str(error) or type(error).__name__).splitlines()[0])
            await asyncio.sleep(pause)
            pause = min(5.0, pause * 2)
            await on_notice(None)

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task


class PollingNotifier(_Listening):
    """No notices: every so often all open rooms are looked at."""

    def __init__(self, seconds: float) -> None:
        """`seconds` between two looks."""
        super().__init__()
        self._seconds = seconds

    async def open(self, on_notice: OnNotice) -> None:
        """Begin to look."""

        async def look() -> None:
            while True:
                await asyncio.sleep(self._seconds)
                await on_notice(None)

        self._start(look, on_notice)

    async def publish(self, room: str) -> None:
        """The others will see it when they look."""


class PostgresNotifier(_Listening):
    """LISTEN; the store sends the NOTIFY inside the transaction, so that it comes exactly when it is committed."""

    def __init__(self, url: str, process: str) -> None:
        """`url` as libpq takes it; `process`: who we are, to leave our own notices unread."""
        super().__init__()
        self._url, self._process = url, process

    async def open(self, on_notice: OnNotice) -> None:
        """Begin to listen; returns when the connection stands."""
        ready = asyncio.Event()

        async def listen() -> None:
            import psycopg

            async with await psycopg.AsyncConnection.connect(self._url, autocommit=True) as connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                ready.set()
                async for notice in connection.notifies():
                    room, _, process = notice.payload.partition(" ")
                    if process != self._process:
                        await on_notice(room)

        self._start(listen, on_notice)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(ready.wait(), 10)

    async def publish(self, room: str) -> None:
        """The store has done it."""


class RedisNotifier(_Listening):
    """Redis PUBLISH and SUBSCRIBE."""

    def __init__(self, url: str, process: str) -> None:
        """`process`: who we are, to leave our own notices unread."""
        super().__init__()
        from redis.asyncio import Redis

        self._redis: Any = Redis.from_url(url, decode_responses=True)
        self._process = process

    async def open(self, on_notice: OnNotice) -> None:
        """Begin to listen; returns when the subscription stands."""
        ready = asyncio.Event()

        async def listen() -> None:
            async with self._redis.pubsub() as subscription:
                await subscription.subscribe(CHANNEL)
                ready.set()
                async for message in subscription.listen():
                    if message["type"] == "message":
                        room, _, process = str(message["data"]).partition(" ")
                        if process != self._process:
                            await on_notice(room)

        self._start(listen, on_notice)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(ready.wait(), 10)

    async def publish(self, room: str) -> None:
        """Publish it; when Redis is away the others learn it from the next sweep."""
        from redis.exceptions import RedisError

        try:
            await self._redis.publish(CHANNEL, f"{room} {self._process}")
        except (RedisError, OSError) as error:
            log.warning("a notice could not be sent: %s", error)

    async def close(self) -> None:
        """Stop listening, and let Redis go."""
        await super().close()
        await self._redis.aclose()
