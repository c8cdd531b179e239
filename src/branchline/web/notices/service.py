"""Tells people of their turns, in the background of a server process.

Every few seconds it asks the store whose turn it is that should be told by now. So nothing has to be noted when an
action is played, and a turn of which no process has told anybody is found by the next one that looks. Whoever writes
the row of a notice sends it (`store.claim`): once, however many processes look.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import random
import time
from collections.abc import Callable, Coroutine
from typing import Any

from branchline.web.core import metrics
from branchline.web.core.rooms import kept_boards
from branchline.web.core.rooms.live import LiveRooms
from branchline.web.core.rooms.perspective import seated
from branchline.web.core.security.signing import Signer
from branchline.web.core.settings import Settings
from branchline.web.core.store.outage import Unavailable
from branchline.web.core.store.rows import MailAddress, NoticeChoice, NoticeRow
from branchline.web.notices import store as notices
from branchline.web.notices import words as notice_words
from branchline.web.notices.delivery import Undelivered
from branchline.web.notices.mail import Mailer
from branchline.web.notices.page import NoticeReport
from branchline.web.notices.store import EMAIL, WEBHOOK, Occasion
from branchline.web.notices.timing import is_due, quiet_until
from branchline.web.notices.webhook import Webhooks, phrase
from branchline.web.notices.words import NoticeContext

log = logging.getLogger("branchline.notices")

AT_ONCE = 32  # notices under way
GOODBYE = 4.0  # seconds that notices under way get when the process stops
LOST = 120.0  # seconds after which one that is still under way was interrupted


class TurnNotices:
    """The notices of one server process."""

    def __init__(
        self, live: LiveRooms, signer: Signer, settings: Settings, clock: Callable[[], float] = time.time
    ) -> None:
        """Begin without sending anything before `run`.

        Without a public address there are no links, and so no notices.
        """
        self.live, self.store, self.signer, self.settings, self.clock = live, live.store, signer, settings, clock
        known = bool(settings.url)
        self.mailer = Mailer(settings.mail, settings.url) if known and settings.mail else None
        self.webhooks = Webhooks(private=settings.webhooks == "any") if known and settings.webhooks != "off" else None
        ways = ((EMAIL, self.mailer), (WEBHOOK, self.webhooks))
        self.channels = tuple(name for name, way in ways if way is not None)
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._under_way: dict[tuple[object, ...], asyncio.Task[None]] = {}

    async def run(self) -> None:
        """Look again and again."""
        while self.channels:
            await asyncio.sleep(self.settings.notice_look * random.uniform(0.8, 1.2))
            try:
                await self.look()
            except Unavailable:
                pass
            except Exception:
                log.exception("people could not be told of their turns")

    async def look(self) -> None:
        """Begin to send what is due."""
        now = self.clock()
        for occasion, row in await self.live.read(notices.to_repeat, self.store, now):
            if row.channel in self.channels:
                self._begin(occasion, row.channel, self._repeat(occasion, row))
        due = await self.live.read(notices.occasions, self.store, lambda occasion: is_due(occasion, now), self.channels)
        for occasion in due:
            for channel in occasion.channels:
                if channel in self.channels:
                    self._begin(occasion, channel, self._send_first(occasion, channel))

    async def settled(self) -> None:
        """Wait until nothing is under way."""
        while self._under_way:
            await asyncio.wait(list(self._under_way.values()))

    async def close(self) -> None:
        """Stop; what is under way gets a moment."""
        if self._under_way:
            _, late = await asyncio.wait(list(self._under_way.values()), timeout=GOODBYE)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        if self.webhooks:
            await self.webhooks.close()

    def _begin(self, occasion: Occasion, channel: str, work: Coroutine[Any, Any, None]) -> None:
        name = occasion.room, occasion.seat, occasion.turn, occasion.choice.key, channel
        if name in self._under_way:
            work.close()
            return
        task = asyncio.create_task(self._guarded(work))
        self._under_way[name] = task
        task.add_done_callback(lambda _: self._under_way.pop(name, None))

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            async with self._slots:
                await work
        except Unavailable:
            pass  # a notice that was not claimed yet is found again; one that was sent is not sent twice
        except Exception:
            log.exception("a notice could not be sent")
        finally:
            work.close()

    # ------------------------------------------------------------------------------------------------ one notice

    async def _send_first(self, occasion: Occasion, channel: str) -> None:
        row = await self.live.write(notices.claim, self.store, occasion, channel, self.clock())
        if row is not None:
            await self._send(occasion, row)

    async def _repeat(self, occasion: Occasion, row: NoticeRow) -> None:
        now = self.clock()
        until = quiet_until(occasion.choice, now)
        if until is not None:
            await self.live.write(notices.postpone, self.store, row, until)
        elif row.channel in occasion.channels and await self.live.write(notices.claim_again, self.store, row, now):
            await self._send(occasion, NoticeRow(**{**vars(row), "attempts": row.attempts + 1}))

    async def _send(self, occasion: Occasion, row: NoticeRow) -> None:
        """Send a notice that is ours to send, and note what came of it."""
        state, again_at, reason, detail = notices.SENT, None, "", ""
        try:
            notice = await self._notice(occasion)
            await self._deliver(occasion.choice, row.channel, occasion.mail, notice, _id_of(row))
        except Undelivered as trouble:
            state, reason, detail = notices.FAILED, trouble.reason, trouble.detail
            pauses = self.settings.notice_pauses
            if trouble.again and row.attempts <= len(pauses):
                state, again_at = notices.AGAIN, self.clock() + pauses[row.attempts - 1]
        except Unavailable:
            raise
        except Exception:
            log.exception("a notice could not be made")
            state, reason = notices.FAILED, "fault"
        metrics.NOTICES.labels(row.channel, state).inc()
        await self.live.write(notices.settle, self.store, row, state, again_at, reason, detail)

    async def _deliver(self, choice: NoticeChoice, channel: str, mail: str, notice: NoticeContext, id_: str) -> int:
        if channel == EMAIL:
            assert self.mailer is not None
            stop = self.stop_link(mail)
            words = await asyncio.to_thread(notice_words.notice_mail, notice, self.mailer.site, stop)
            await self.mailer.send(choice.email, words, id_, stop)
            return 250
        assert self.webhooks is not None
        texts = await asyncio.to_thread(notice_words.notice, notice)
        secret = self.signer.webhook_secret(choice.key)
        return await self.webhooks.send(choice.webhook, choice.format, notice, texts, id_, secret)

    async def _notice(self, occasion: Occasion) -> NoticeContext:
        stored = await self.live.read(notices.room_and_seats, self.store, occasion.room)
        if stored is None:
            raise Undelivered("fault")
        room, sitting = stored
        board = await self.live.read(kept_boards.board_of, self.store, room)
        return NoticeContext(
            kind="over" if occasion.over else "turn",
            language=occasion.choice.language,
            link=f"{self.settings.url}/t/{room.id}",
            board=board.title_in(occasion.choice.language) if board else room.board,
            seat=occasion.seat,
            players=seated(sitting, (occasion.seat,)),
        )

    # ------------------------------------------------------------------------------------------------ from the dialog

    async def ask_address(self, choice: NoticeChoice) -> None:
        """Ask an address by mail whether it agrees. Raise `TooMany`, `Unwanted`, `Undelivered`."""
        assert self.mailer is not None
        asked = await self.live.write(
            notices.ask_address, self.store, choice.key, choice.email, choice.language, self.clock()
        )
        confirm, stop = self._mail_link("confirm", asked.id), self.stop_link(asked.id)
        words = await asyncio.to_thread(notice_words.consent_mail, choice.language, self.mailer.site, confirm, stop)
        await self.mailer.send(choice.email, words, f"consent-{asked.id}-{asked.asked_at:.0f}-{asked.asked}", stop)

    async def test(self, choice: NoticeChoice, room: str, mail: MailAddress | None) -> list[NoticeReport]:
        """Send a test on every way that was chosen; what came of each."""
        notice = NoticeContext("test", choice.language, f"{self.settings.url}/t/{room}")
        reports = []
        for channel in self.channels:
            if not (choice.email if channel == EMAIL else choice.webhook):
                continue
            if channel == EMAIL and (mail is None or not mail.agreed):
                reports.append(NoticeReport(channel, "unconfirmed"))
                continue
            id_ = f"test-{random.getrandbits(64):016x}"
            try:
                status = await self._deliver(choice, channel, mail.id if mail else "", notice, id_)
            except Undelivered as trouble:
                reports.append(NoticeReport(channel, "test_failed", 0.0, trouble.reason, trouble.detail))
                metrics.NOTICES.labels(channel, "test failed").inc()
            else:
                outcome = ("handed_over", "") if channel == EMAIL else ("answered", phrase(status))
                reports.append(NoticeReport(channel, outcome[0], detail=outcome[1]))
                metrics.NOTICES.labels(channel, "test").inc()
        return reports

    def reports(self, latest: dict[str, NoticeRow]) -> tuple[NoticeReport, ...]:
        """Return the fate of the last notices, for the dialog."""
        reports_kept = []
        for channel, row in latest.items():
            if row.state == notices.SENDING and row.at < self.clock() - LOST:
                reports_kept.append(NoticeReport(channel, "interrupted", row.at))
            elif row.reason == "too_many":
                reports_kept.append(NoticeReport(channel, "failed", row.at, row.reason))
            elif row.state in (notices.SENT, notices.AGAIN, notices.FAILED):
                reports_kept.append(NoticeReport(channel, row.state, row.at, row.reason, row.detail))
        return tuple(reports_kept)

    def stop_link(self, mail: str) -> str:
        """Return the link that stops the mails to an address."""
        return self._mail_link("stop", mail)

    def _mail_link(self, purpose: str, mail: str) -> str:
        return f"{self.settings.url}/mail/{purpose}/{mail}/{self.signer.link('mail', purpose, mail)}"


def _id_of(row: NoticeRow) -> str:
    """Return the same id at each attempt, so that a receiver can recognise a repetition."""
    named = "\0".join(map(str, (row.room, row.seat, row.turn, row.key, row.channel)))
    return hashlib.sha256(named.encode()).hexdigest()[:32]
