"""Quiet hours, by the clocks of the places where people live."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from branchline.web.core.store.rows import NoticeChoice
from branchline.web.notices.timing import SOON, quiet_until

WARSAW = ZoneInfo("Europe/Warsaw")


def quiet(begin: str, end: str, zone: str = "Europe/Warsaw") -> NoticeChoice:
    def minutes(text: str) -> int:
        return int(text[:2]) * 60 + int(text[3:])

    return NoticeChoice("key", None, quiet_from=minutes(begin), quiet_to=minutes(end), zone=zone)


def at(text: str, zone: ZoneInfo = WARSAW) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=zone).timestamp()


@pytest.mark.parametrize(
    ("now", "until"),
    [
        ("2026-05-01T21:59:59", None),
        ("2026-05-01T22:00:00", "2026-05-02T07:00:00"),
        ("2026-05-01T23:59:59", "2026-05-02T07:00:00"),
        ("2026-05-02T00:00:00", "2026-05-02T07:00:00"),
        ("2026-05-02T06:59:00", "2026-05-02T07:00:00"),
        ("2026-05-02T07:00:00", None),
        ("2026-03-28T22:00:00", "2026-03-29T07:00:00"),  # the night is an hour shorter
        ("2026-10-24T23:00:00", "2026-10-25T07:00:00"),  # the night is an hour longer
    ],
)
def test_quiet_hours_go_over_midnight_and_over_a_change_of_clocks(now: str, until: str | None) -> None:
    assert quiet_until(quiet("22:00", "07:00"), at(now)) == (at(until) if until else None)


def test_quiet_hours_within_a_day() -> None:
    choice = quiet("12:00", "14:00")
    assert quiet_until(choice, at("2026-05-01T11:59:00")) is None
    assert quiet_until(choice, at("2026-05-01T13:00:00")) == at("2026-05-01T14:00:00")
    assert quiet_until(choice, at("2026-05-01T14:00:00")) is None


def test_quiet_hours_are_those_of_the_place() -> None:
    noon = datetime(2026, 5, 1, 12, tzinfo=UTC).timestamp()
    assert quiet_until(quiet("22:00", "07:00", "Pacific/Auckland"), noon) is not None
    assert quiet_until(quiet("22:00", "07:00", "America/New_York"), noon) is None


def test_in_the_hour_that_comes_twice_the_end_is_ahead() -> None:
    second = datetime(2026, 10, 25, 2, 30, tzinfo=WARSAW, fold=1).timestamp()
    until = quiet_until(quiet("22:00", "02:45"), second)
    assert until is not None and until >= second + SOON


def test_no_hours_or_hours_of_no_length_are_not_quiet() -> None:
    assert quiet_until(NoticeChoice("key", None), 0.0) is None
    assert quiet_until(quiet("22:00", "22:00"), at("2026-05-01T22:00:00")) is None
