"""Who wants to be told of a turn, and what was sent: the tables `notice_choices`, `mail_addresses` and `notices`.

A notice goes out once because its row exists once: the process that writes the row sends it, and no row is written for
the same turn again. Should a process die while it sends, that notice is not sent a second time. Every transaction
writes before it reads, so that two processes on one SQLite file wait for each other.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import sqlalchemy as sa

from branchline.web.core.store.database import Store
from branchline.web.core.store.mailboxes import LARGE_PROVIDERS, domain_of, mailbox_of
from branchline.web.core.store.rows import MailAddress, NoticeChoice, NoticeRow, RoomRow, SeatRow
from branchline.web.core.store.tables import actions, keys, mail_addresses, notice_choices, notices, rooms, seats

Answer = TypeVar("Answer")

EMAIL, WEBHOOK = "email", "webhook"
SENDING, SENT, AGAIN, FAILED, LEFT_OUT = "sending", "sent", "again", "failed", "left out"
OVER = 2**31 - 1  # in place of a turn: the game is over
BEFORE = 1_000_000  # less than nothing: the turns before the first one has ended
HOUR, DAY = 3600.0, 86_400.0
HOURLY = 60  # notices to one address
HOURLY_OF_BROWSER = 120  # notices of one browser, whatever the addresses
DAILY_QUESTIONS = 3  # mails that ask one address whether it agrees, however it is spelt
DAILY_QUESTIONS_OF_DOMAIN = 30  # such mails to all addresses of a domain: whoever owns it may get all of them
DAILY_QUESTIONS_OF_PROVIDER = 300  # and of a large one, where strangers have their addresses
DAILY_QUESTIONS_OF_BROWSER = 10  # such mails of one browser
LEFT_ALONE = 90 * DAY  # how long an address is not asked that did not want to be asked


class Unwanted(Exception):  # noqa: N818  it reads as a sentence
    """An address has asked not to be asked."""


class TooMany(Exception):  # noqa: N818  it reads as a sentence
    """An address or a browser has asked for more mails than it may."""


@dataclass(frozen=True)
class Occasion:
    """What a browser could be told now: it is a seat's turn, or the game is over."""

    choice: NoticeChoice
    room: str
    seat: int
    turn: int  # `rooms.turns`, less than 0 before the first turn has ended, or OVER
    asked_at: float
    seen_until: float
    mail: str  # id of the confirmed address; empty: no mail may be sent

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.turn == OVER

    @property
    def channels(self) -> tuple[str, ...]:
        """The ways on which this browser is told."""
        return (*((EMAIL,) if self.mail else ()), *((WEBHOOK,) if self.choice.webhook else ()))

    def address(self, channel: str) -> str:
        """Return where a notice goes."""
        return self.choice.email if channel == EMAIL else self.choice.webhook


def target_of(channel: str, address: str) -> str:
    """Return what is kept of an address beside a notice: the same for all spellings of a mail address."""
    return hashlib.sha256(f"{channel} {mailbox_of(address) if channel == EMAIL else address}".encode()).hexdigest()


# ---------------------------------------------------------------------------------------------------- choices


def choices_of(store: Store, key: str, room: str) -> tuple[NoticeChoice | None, NoticeChoice | None]:
    """Return what a browser has chosen for a room, and for all rooms."""
    query = sa.select(notice_choices).where(notice_choices.c.id.in_([_id(key, room), _id(key, None)]))
    with store.engine.connect() as connection:
        choices = {row.room: _choice(row) for row in connection.execute(query)}
    return choices.get(room), choices.get(None)


def choose(store: Store, choice: NoticeChoice, *, forget: str | None = None) -> None:
    """Keep a choice in place of the one before; `forget`: the room whose own choice it replaces as well."""
    replaced = [_id(choice.key, choice.room), *([_id(choice.key, forget)] if forget is not None else [])]

    def write() -> None:
        with store.engine.begin() as connection:
            connection.execute(notice_choices.delete().where(notice_choices.c.id.in_(replaced)))
            connection.execute(notice_choices.insert().values(id=_id(choice.key, choice.room), **vars(choice)))

    _twice(write)


def _twice(write: Callable[[], Answer]) -> Answer:
    """Return the result of `write`; repeat it if another process has written the same row at the same moment."""
    try:
        return write()
    except sa.exc.IntegrityError:
        return write()


def _id(key: str, room: str | None) -> str:
    return f"{key}/{room or ''}"


def _choice(row: Any) -> NoticeChoice:
    return NoticeChoice(**{name: getattr(row, name) for name in NoticeChoice.__dataclass_fields__})


# ---------------------------------------------------------------------------------------------------- mail addresses


def mail_address(store: Store, key: str, address: str) -> MailAddress | None:
    """Return an address that a browser has named."""
    here = mail_addresses.c.key == key, mail_addresses.c.address == address
    with store.engine.connect() as connection:
        row = connection.execute(sa.select(mail_addresses).where(*here)).one_or_none()
    return None if row is None else MailAddress(**row._mapping)


def mail_address_by_id(store: Store, id_: str) -> MailAddress | None:
    """Return the address that a link in a mail is about."""
    with store.engine.connect() as connection:
        row = connection.execute(sa.select(mail_addresses).where(mail_addresses.c.id == id_)).one_or_none()
    return None if row is None else MailAddress(**row._mapping)


def ask_address(store: Store, key: str, address: str, language: str, now: float) -> MailAddress:
    """Note that an address is asked whether it agrees. Raise `Unwanted` or `TooMany`."""
    return _twice(lambda: _ask_address(store, key, address, language, now))


def _ask_address(store: Store, key: str, address: str, language: str, now: float) -> MailAddress:
    of, known = mail_addresses.c, sa.and_(mail_addresses.c.key == key, mail_addresses.c.address == address)
    mailbox = mailbox_of(address)
    domain = domain_of(mailbox)
    recent = of.asked_at > now - DAY
    with store.engine.begin() as connection:
        again = {
            "language": language,
            "asked": sa.case((recent, of.asked + 1), else_=1),
            "asked_at": sa.case((recent, of.asked_at), else_=now),
            "mailbox": mailbox,
            "domain": domain,
        }
        if not connection.execute(mail_addresses.update().where(known).values(again)).rowcount:
            fresh = MailAddress(secrets.token_hex(12), key, address, language, 1, now, mailbox=mailbox, domain=domain)
            connection.execute(mail_addresses.insert().values(vars(fresh)))
        same = sa.or_(of.mailbox == mailbox, sa.func.lower(of.address) == address.lower())
        refused = sa.select(of.id).where(same, of.confirmed_at.is_(None), of.stopped_at > now - LEFT_ALONE)
        if connection.execute(refused.limit(1)).scalar() is not None:
            raise Unwanted
        of_domain = DAILY_QUESTIONS_OF_PROVIDER if domain in LARGE_PROVIDERS else DAILY_QUESTIONS_OF_DOMAIN
        total = sa.select(sa.func.coalesce(sa.func.sum(of.asked), 0)).where(recent)
        for whose, most in (
            (same, DAILY_QUESTIONS),
            (of.domain == domain, of_domain),
            (of.key == key, DAILY_QUESTIONS_OF_BROWSER),
        ):
            if connection.execute(total.where(whose)).scalar_one() > most:
                raise TooMany
        row = connection.execute(sa.select(mail_addresses).where(known)).one()
    return MailAddress(**row._mapping)


def confirm_address(store: Store, id_: str, now: float) -> None:
    """Note that the owner of an address agrees."""
    values = {"confirmed_at": now, "stopped_at": None}
    with store.engine.begin() as connection:
        connection.execute(mail_addresses.update().where(mail_addresses.c.id == id_).values(values))


def stop_address(store: Store, id_: str, now: float) -> None:
    """Note that the owner of an address wants no more mails.

    One that has never agreed is left alone by all browsers.
    """
    with store.engine.begin() as connection:
        connection.execute(mail_addresses.update().where(mail_addresses.c.id == id_).values(stopped_at=now))


# ---------------------------------------------------------------------------------------------------- what is due


def occasions(
    store: Store, is_due: Callable[[Occasion], bool], channels: tuple[str, ...], at_most: int = 200
) -> list[Occasion]:
    """Return notices that are due and unsent, the longest waiting first, for the `channels` that this server has."""
    notified = sa.exists().where(
        notices.c.room == rooms.c.id,
        notices.c.seat == keys.c.seat,
        notices.c.turn == _TURN,
        notices.c.key == keys.c.hash,
    )
    ways = {EMAIL: mail_addresses.c.id.is_not(None), WEBHOOK: notice_choices.c.webhook != ""}
    query = _asked().where(~notified, sa.or_(*(ways[channel] for channel in channels))).order_by(rooms.c.asked_at)
    waiting: list[Occasion] = []
    with store.engine.connect() as connection:
        for row in connection.execute(query):
            occasion = _occasion(row)
            if is_due(occasion):
                waiting.append(occasion)
                if len(waiting) >= at_most:
                    break
    return waiting


def to_repeat(store: Store, now: float, at_most: int = 200) -> list[tuple[Occasion, NoticeRow]]:
    """Return notices that failed, are to be repeated by now, and are still of use."""
    same = sa.and_(
        notices.c.room == rooms.c.id,
        notices.c.seat == keys.c.seat,
        notices.c.turn == _TURN,
        notices.c.key == keys.c.hash,
    )
    columns = [column.label(f"notice_{column.name}") for column in notices.c]
    query = _asked().add_columns(*columns).where(same, notices.c.state == AGAIN, notices.c.again_at <= now)
    with store.engine.connect() as connection:
        rows = connection.execute(query.order_by(notices.c.again_at).limit(at_most)).all()
    return [
        (_occasion(row), NoticeRow(**{column.name: getattr(row, f"notice_{column.name}") for column in notices.c}))
        for row in rows
    ]


def _turn() -> Any:
    """Return what tells a seat's turn from its others.

    Before the first turn ends it is what the other seats have done so far, because each is asked for its tickets first.
    """
    done = sa.case((actions.c.kind == "action", 1), (actions.c.kind == "undo", -1), else_=0)
    others = sa.select(sa.func.coalesce(sa.func.sum(done), 0)).where(
        actions.c.room == rooms.c.id, actions.c.seat != rooms.c.asked
    )
    begin = others.correlate(rooms).scalar_subquery() - BEFORE
    return sa.case((rooms.c.status == "over", OVER), (rooms.c.turns > 0, rooms.c.turns), else_=begin)


_TURN = _turn()


def _asked() -> Any:
    """Return seats whose turn it is, or whose game is over unseen, with the choices of the browsers that open them."""
    own = notice_choices.alias()
    overridden = sa.exists().where(own.c.key == keys.c.hash, own.c.room == keys.c.room)
    chosen = sa.or_(notice_choices.c.room == keys.c.room, sa.and_(notice_choices.c.room.is_(None), ~overridden))
    playing = sa.and_(rooms.c.status == "playing", rooms.c.asked == keys.c.seat, seats.c.bot == "")
    over = sa.and_(
        rooms.c.status == "over",
        seats.c.resigned.is_(False),
        seats.c.seen_until < rooms.c.asked_at - rooms.c.asked_ahead,
        notice_choices.c.changed < rooms.c.asked_at,
    )
    confirmed = sa.and_(
        mail_addresses.c.key == notice_choices.c.key,
        mail_addresses.c.address == notice_choices.c.email,
        mail_addresses.c.confirmed_at.is_not(None),
        mail_addresses.c.stopped_at.is_(None),
    )
    tables = (
        notice_choices.join(keys, keys.c.hash == notice_choices.c.key)
        .join(rooms, sa.and_(rooms.c.id == keys.c.room, rooms.c.guide == ""))
        .join(seats, sa.and_(seats.c.room == keys.c.room, seats.c.seat == keys.c.seat))
        .outerjoin(mail_addresses, confirmed)
    )
    columns = [column.label(f"choice_{column.name}") for column in notice_choices.c if column.name != "id"]
    seen = (seats.c.seen_until + rooms.c.asked_ahead).label("seen_until")  # as a date
    rest = (keys.c.room, keys.c.seat, _TURN.label("turn"), rooms.c.asked_at, seen)
    mail = sa.func.coalesce(mail_addresses.c.id, "").label("mail")
    return (
        sa.select(*columns, *rest, mail)
        .select_from(tables)
        .where(chosen, seats.c.kind == "person", sa.or_(playing, over))
    )


def _occasion(row: Any) -> Occasion:
    choice = NoticeChoice(**{name: getattr(row, f"choice_{name}") for name in NoticeChoice.__dataclass_fields__})
    return Occasion(choice, row.room, row.seat, row.turn, row.asked_at, row.seen_until, row.mail)


# ---------------------------------------------------------------------------------------------------- sending once


def claim(store: Store, occasion: Occasion, channel: str, now: float) -> NoticeRow | None:
    """Return the right to send a notice if nobody else has it, or None if it is taken, no longer of use, or one too
    many.
    """
    target = target_of(channel, occasion.address(channel))
    row = NoticeRow(occasion.room, occasion.seat, occasion.turn, occasion.choice.key, channel, target, SENDING, 1, now)
    try:
        with store.engine.begin() as connection:
            connection.execute(notices.insert().values(vars(row)))
            if not _still(connection, occasion):
                connection.execute(notices.delete().where(*_one(row)))
                return None
            many = _too_many(connection, row)
            if many:
                connection.execute(notices.update().where(*_one(row)).values(state=LEFT_OUT, reason="too_many"))
            old = (notices.c.room == row.room, notices.c.seat == row.seat, notices.c.key == row.key)
            connection.execute(notices.delete().where(*old, notices.c.turn < row.turn, notices.c.at < now - HOUR))
        return None if many else row
    except sa.exc.IntegrityError:
        _leave_out(store, row)
        return None


def _leave_out(store: Store, row: NoticeRow) -> None:
    """Note that the same address is told of this turn by another browser's choice, unless the row is there already."""
    store.insert_new(notices, **{**vars(row), "target": None, "state": LEFT_OUT, "reason": "twice"})


def _still(connection: sa.Connection, occasion: Occasion) -> bool:
    """Return whether the turn of a notice still lasts."""
    query = sa.select(rooms.c.asked, _TURN.label("turn")).where(rooms.c.id == occasion.room)
    room = connection.execute(query).one_or_none()
    return room is not None and room.turn == occasion.turn and (occasion.over or room.asked == occasion.seat)


def _too_many(connection: sa.Connection, row: NoticeRow) -> bool:
    latest = sa.select(sa.func.count()).select_from(notices).where(notices.c.at > row.at - HOUR)
    to_target = connection.execute(latest.where(notices.c.target == row.target)).scalar_one()
    of_browser = connection.execute(latest.where(notices.c.key == row.key)).scalar_one()
    return to_target > HOURLY or of_browser > HOURLY_OF_BROWSER


def claim_again(store: Store, row: NoticeRow, now: float) -> bool:
    """Return whether this process may repeat a notice: only the first to ask may."""
    due = notices.c.state == AGAIN, notices.c.attempts == row.attempts
    values = {"state": SENDING, "attempts": row.attempts + 1, "at": now, "again_at": None}
    with store.engine.begin() as connection:
        return connection.execute(notices.update().where(*_one(row), *due).values(values)).rowcount == 1


def settle(store: Store, row: NoticeRow, state: str, again_at: float | None, reason: str, detail: str) -> None:
    """Note what came of an attempt."""
    values = {"state": state, "again_at": again_at, "reason": reason, "detail": detail[:200]}
    with store.engine.begin() as connection:
        connection.execute(notices.update().where(*_one(row)).values(values))


def postpone(store: Store, row: NoticeRow, until: float) -> None:
    """Have a notice that failed wait longer."""
    with store.engine.begin() as connection:
        connection.execute(notices.update().where(*_one(row), notices.c.state == AGAIN).values(again_at=until))


def latest(store: Store, key: str, room: str) -> dict[str, NoticeRow]:
    """Return the last notice of a browser in a room, for each channel."""
    query = sa.select(notices).where(notices.c.key == key, notices.c.room == room).order_by(notices.c.at)
    with store.engine.connect() as connection:
        return {row.channel: NoticeRow(**row._mapping) for row in connection.execute(query)}


def room_and_seats(store: Store, room: str) -> tuple[RoomRow, tuple[SeatRow, ...]] | None:
    """Return a room and who sits there, without its game, or None if there is no such room."""
    sitting = sa.select(*(column for column in seats.c if column.name != "room")).where(seats.c.room == room)
    with store.engine.connect() as connection:
        row = connection.execute(sa.select(rooms).where(rooms.c.id == room)).one_or_none()
        if row is None:
            return None
        sitters = connection.execute(sitting.order_by(seats.c.seat)).all()
    return RoomRow(**row._mapping), tuple(SeatRow(**sitter._mapping) for sitter in sitters)


def _one(row: NoticeRow) -> tuple[sa.ColumnElement[bool], ...]:
    names = ("room", "seat", "turn", "key", "channel")
    return tuple(notices.c[name] == getattr(row, name) for name in names)


# ---------------------------------------------------------------------------------------------------- forgetting
