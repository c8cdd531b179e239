"""What somebody chooses in the dialog: read from a form, checked, and shown in a form again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from branchline.web.core.store.rows import NoticeChoice
from branchline.web.notices.webhook import FORMATS

WAITS = (0, 5, 15, 60, 240)  # minutes without a look at the table
LONGEST_EMAIL, LONGEST_WEBHOOK, LONGEST_ZONE = 254, 500, 64
PORTS = (80, 443)  # below 1024 no others: there are no webhooks there, but mail servers

_EMAIL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z0-9-]{2,63}")
_TIME = re.compile(r"([01]\d|2[0-3]):([0-5]\d)")


class BadChoice(Exception):  # noqa: N818  it reads as a sentence
    """A field that cannot be used."""

    def __init__(self, field: str) -> None:
        """Make the error of the field with this name."""
        self.field = field
        super().__init__(field)


def read_choice(
    fields: Mapping[str, str], key: str, room: str, language: str, now: float, *, email: bool, webhook: bool
) -> NoticeChoice:
    """Return a choice from a form. Raise `BadChoice`. `email` and `webhook` say whether this server offers them."""
    begin, end = (_minutes(fields, name) if fields.get("quiet") else None for name in ("quiet_from", "quiet_to"))
    wait, form = fields.get("wait", "5"), fields.get("format", FORMATS[0])
    if wait not in map(str, WAITS):
        raise BadChoice("wait")
    if form not in FORMATS:
        raise BadChoice("format")
    return NoticeChoice(
        key=key,
        room=None if fields.get("all") else room,
        language=language,
        email=_email(fields.get("email", "").strip()) if email else "",
        webhook=_webhook(fields.get("webhook", "").strip()) if webhook else "",
        format=form,
        wait=60.0 * int(wait),
        quiet_from=begin,
        quiet_to=end,
        zone=_zone(fields.get("zone", "")),
        changed=now,
    )


def as_fields(choice: NoticeChoice | None) -> dict[str, str]:
    """Return the fields of the form for a choice; None: nothing has been chosen yet, and it is meant for all tables."""
    if choice is None:
        choice = replace(NoticeChoice("", None), quiet_from=None)
    quiet = choice.quiet_from is not None and choice.quiet_to is not None
    return {
        "email": choice.email,
        "webhook": choice.webhook,
        "format": choice.format,
        "wait": f"{choice.wait / 60:.0f}",
        "quiet": "1" if quiet else "",
        "quiet_from": _clock(choice.quiet_from if quiet else 22 * 60),
        "quiet_to": _clock(choice.quiet_to if quiet else 7 * 60),
        "all": "1" if choice.room is None else "",
    }


def _clock(minutes: int | None) -> str:
    return f"{(minutes or 0) // 60:02}:{(minutes or 0) % 60:02}"


def _minutes(fields: Mapping[str, str], name: str) -> int:
    time = _TIME.fullmatch(fields.get(name, ""))
    if not time:
        raise BadChoice("quiet")
    return int(time[1]) * 60 + int(time[2])


def _zone(name: str) -> str:
    if not name:
        return "UTC"
    try:
        if len(name) > LONGEST_ZONE:
            raise ValueError
        ZoneInfo(name)
    except (ValueError, ZoneInfoNotFoundError, OSError):  # a name may look like a path
        raise BadChoice("quiet") from None
    return name


def _email(address: str) -> str:
    if not address:
        return ""
    local, _, domain = address.rpartition("@")
    try:
        if len(address) > LONGEST_EMAIL:
            raise UnicodeError
        address = f"{local}@{domain.encode('idna').decode().lower()}"
    except UnicodeError:
        raise BadChoice("email") from None
    if len(address) > LONGEST_EMAIL or not _EMAIL.fullmatch(address):
        raise BadChoice("email")
    return address


def _webhook(url: str) -> str:
    """Return a URL that may be called, as far as can be told without resolving its name."""
    if not url:
        return ""
    try:
        parts = urlsplit(url)
        port = parts.port
        good = (
            len(url) <= LONGEST_WEBHOOK
            and url.isascii()
            and url.isprintable()
            and " " not in url
            and "\\" not in url
            and parts.scheme in ("http", "https")
            and parts.hostname
            and "%" not in parts.netloc
            and "@" not in parts.netloc
            and (port is None or port in PORTS or port >= 1024)
        )
    except ValueError:
        good = False
    if not good:
        raise BadChoice("webhook")
    return url
