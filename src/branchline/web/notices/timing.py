"""When somebody is told: after a wait without a look at the table, and not in quiet hours.

Time comes in from outside as a number, so that everything here can be tested without waiting.
"""

from __future__ import annotations

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from branchline.web.core.store.rows import NoticeChoice
from branchline.web.notices.store import DAY, Occasion

AFTER_A_LOOK = 300.0  # seconds at least, for somebody who has been at the table in this very turn and so knows
SOON = 60.0  # seconds; no pause is shorter


def is_due(occasion: Occasion, now: float) -> bool:
    """Return whether a notice is due now. What began long before the choice was made is left alone."""
    choice = occasion.choice
    if occasion.asked_at < choice.changed - DAY:
        return False
    return now >= due_at(occasion) and quiet_until(choice, now) is None


def due_at(occasion: Occasion) -> float:
    """Return when a notice is due, quiet hours aside."""
    wait = occasion.choice.wait
    if occasion.seen_until >= occasion.asked_at:
        return occasion.seen_until + max(wait, AFTER_A_LOOK)
    return occasion.asked_at + wait


def quiet_until(choice: NoticeChoice, now: float) -> float | None:
    """Return when the quiet hours end, or None outside them."""
    begin, end = choice.quiet_from, choice.quiet_to
    if begin is None or end is None or begin == end:
        return None
    local = datetime.fromtimestamp(now, ZoneInfo(choice.zone))
    minute = local.hour * 60 + local.minute
    quiet = begin <= minute < end if begin < end else minute >= begin or minute < end
    if not quiet:
        return None
    day = local.date() + timedelta(days=minute >= end)
    ends = datetime.combine(day, time(end // 60, end % 60), tzinfo=local.tzinfo)
    return max(ends.timestamp(), now + SOON)  # on the night when clocks go back an hour comes twice
