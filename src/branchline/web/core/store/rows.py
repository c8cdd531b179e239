"""The rows of the tables as values, and what one step of a room writes."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class RoomRow:
    """One row of `rooms`; see `models`."""

    id: str
    board: str
    digest: str
    rules_version: int
    seats: int
    seed: int
    first_seat: int | None
    stacked: str
    options: str
    status: str
    version: int
    turns: int
    asked: int | None
    asked_at: float
    due_at: float | None
    created: float
    touched: float
    open: bool
    host: str
    rematch_of: str | None = None
    links: int = 0
    guide: str = ""
    asked_ahead: float = 0.0


@dataclass(frozen=True)
class SeatRow:
    """One row of `seats`, without its room."""

    seat: int
    kind: str
    name: str
    bot: str = ""
    away: bool = False
    resigned: bool = False
    time_left: float | None = None
    seen_until: float = 0.0
    links: int = 0


@dataclass(frozen=True)
class LogRow:
    """One row of `actions`, without its room."""

    n: int
    seat: int
    kind: str
    text: str = ""
    events: str = "[]"
    quiet: bool = False
    at: float = 0.0


@dataclass(frozen=True)
class Snapshot:
    """The state after a row of the log."""

    n: int
    rules_version: int
    state: bytes


@dataclass(frozen=True)
class NoticeChoice:
    """How a browser wants to be told of its turns; a row of `notice_choices`, without its id."""

    key: str
    room: str | None
    language: str = "en"
    email: str = ""
    webhook: str = ""
    format: str = "json"
    wait: float = 300.0
    quiet_from: int | None = None
    quiet_to: int | None = None
    zone: str = "UTC"
    changed: float = 0.0


@dataclass(frozen=True)
class MailAddress:
    """One row of `mail_addresses`."""

    id: str
    key: str
    address: str
    language: str
    asked: int
    asked_at: float
    confirmed_at: float | None = None
    stopped_at: float | None = None
    mailbox: str = ""
    domain: str = ""

    @property
    def agreed(self) -> bool:
        """Whether mails may go there."""
        return self.confirmed_at is not None and self.stopped_at is None


@dataclass(frozen=True)
class NoticeRow:
    """One row of `notices`."""

    room: str
    seat: int
    turn: int
    key: str
    channel: str
    target: str | None
    state: str
    attempts: int
    at: float
    again_at: float | None = None
    reason: str = ""
    detail: str = ""


@dataclass(frozen=True)
class TalkRow:
    """One row of `talk`, without its room."""

    n: int
    seat: int
    text: str
    reaction: bool = False
    everybody: bool = False
    at: float = 0.0


@dataclass(frozen=True)
class Mistake:
    """How far somebody is with a mistake of an own game, as an exercise."""

    step: int
    seat: int
    lost: float
    card: str = ""
    answered: int = 0
    right: int = 0
    due_at: float = 0.0


@dataclass(frozen=True, kw_only=True)
class MistakeRow(Mistake):
    """One row of `mistakes`."""

    key: str
    room: str
    answers: str = ""


@dataclass(frozen=True)
class Attempt:
    """A puzzle that was tried."""

    puzzle: str
    board: str
    first: bool
    solved: bool
    at: float


@dataclass(frozen=True, kw_only=True)
class AttemptRow(Attempt):
    """One row of `puzzle_attempts`."""

    key: str


@dataclass(frozen=True)
class PuzzleRating:
    """How well somebody solves puzzles, or how hard a puzzle is."""

    rating: float
    deviation: float
    volatility: float
    attempts: int = 0


@dataclass(frozen=True, kw_only=True)
class RatingRow(PuzzleRating):
    """One row of `puzzle_ratings`."""

    of: str


@dataclass(frozen=True)
class Stored:
    """All that is kept of a room; `log`, `snapshots` and `talk` only as far as they were asked for."""

    room: RoomRow
    seats: tuple[SeatRow, ...]
    log: tuple[LogRow, ...]
    snapshots: tuple[Snapshot, ...]
    rematch: str = ""  # id of the room where the rematch is played
    talk: tuple[TalkRow, ...] = ()


@dataclass(frozen=True)
class Change:
    """What is written in one go, or not at all."""

    room: RoomRow  # as it is afterwards
    rows: tuple[LogRow, ...] = ()
    seats: tuple[SeatRow, ...] = ()  # those that changed
    snapshot: Snapshot | None = None
    forget_before: int | None = None  # snapshots below this number can no longer be gone back to
    forget_from: int | None = None  # snapshots from this number on were undone
    keys: tuple[tuple[str, int], ...] = field(default=())  # hash and seat, new ones

    def then(self, later: Change) -> Change:
        """Return both changes as one; of the states in between, to which nobody can go back, only the last is kept."""
        befores = [number for number in (self.forget_before, later.forget_before) if number is not None]
        seats = {seat.seat: seat for seat in (*self.seats, *later.seats)}
        return Change(
            room=later.room,
            rows=self.rows + later.rows,
            seats=tuple(seats.values()),
            snapshot=later.snapshot or self.snapshot,
            forget_before=max(befores, default=None),
            forget_from=self.forget_from,
            keys=self.keys + later.keys,
        )
