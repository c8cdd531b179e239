"""From a room to what one viewer is shown. The only door through which a game gets to pages and API.

Every context is made from the game *redacted* for the viewer and from log entries that it may see:
nothing else of a game goes in. (`tests/web/test_leaks.py` makes the same context from the redacted state alone, and
compares every byte that is sent.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from branchline.boards import Board
from branchline.web.core.rooms import clock, coach, guides, seats, talk
from branchline.web.core.rooms.room import OVER, UNDO, Room
from branchline.web.core.rooms.steps import Step
from branchline.web.core.security.signing import Signer
from branchline.web.core.seen import GameLine, LogEntry, Player, TableContext
from branchline.web.core.store.rows import RoomRow, SeatRow
from branchline.web.core.visit import Visit

AT_THE_TABLE = frozenset({"sit", "away", "back", "resign", "late", *coach.HELPED, coach.AGREE, coach.DECLINE})


@dataclass(frozen=True)
class Viewer:
    """Who looks at a room."""

    mine: tuple[int, ...] = ()  # seats that its keys open
    seat: int | None = None  # whose cards lie open in front of it
    host: bool = False
    invited: bool = False  # it may watch by a link, or as the host
    visit: Visit = field(default_factory=Visit)


def seat_shown(room: Room, mine: Sequence[int], chosen: int | None) -> tuple[int | None, int | None]:
    """Return whose cards lie open, and to whom the device should be handed.

    With one seat those are its own. With several on one device the cards are covered until the next one says
    that it has taken the device (`chosen`). Whoever has drawn a card face down looks at it first.
    """
    if len(mine) <= 1:
        return (mine[0] if mine else None), None
    asked = room.row.asked
    if room.row.status == OVER:
        return (chosen if chosen in mine else mine[0]), None
    if asked is not None and asked in mine and asked != chosen and not seats.automatic(room.seats[asked]):
        return (chosen if chosen in mine and _drew_unseen(room, chosen) else None), asked
    return (chosen if chosen in mine else None), None


def _drew_unseen(room: Room, seat: int | None) -> bool:
    """Return whether the last step of a seat was to draw a card face down, which it has not seen before."""
    last = next((step for step in reversed(room.steps) if step.row.seat == seat), None)
    return last is not None and any(event.kind == "blind" for event in last.events)


def table_context(room: Room, viewer: Viewer, signer: Signer, now: float | None = None) -> TableContext:
    """Return the table as a viewer may see it at `now`, by the clock of the tables; with None, when its question was
    asked.
    """
    now = clock.asked_at(room.row) if now is None else now
    seat, pass_to = seat_shown(room, viewer.mine, viewer.seat)
    game, view = room.perspective(seat)
    over = room.row.status == OVER
    acted = viewer.seat if pass_to is not None else seat  # who hands the device over may still take back
    sits = bool(viewer.mine)
    invites = room.guide is None
    return TableContext(
        visit=viewer.visit,
        room=room.id,
        board=room.board,
        options=room.options,
        players=tuple(player(room, seat, viewer, signer, now) for seat in room.seats),
        mine=viewer.mine,
        seat=seat,
        pass_to=pass_to,
        game=game,
        view=view,
        log=log_for(room, seat),
        version=room.version_for(viewer.mine),
        undo=acted is not None and acted in viewer.mine and room.may_undo(acted),
        host=viewer.host,
        rematch=room.rematch,
        spectator_link=sharing_link(signer, room, viewer),
        invite=_invite_link(signer, room.row) if invites and viewer.host and not clock.gathered(room.seats) else "",
        device_link=_device_link(signer, room, viewer.mine) if invites and sits else "",
        now=now,
        scores=game.sheet() if over else None,
        fingerprint=game.fingerprint,
        talk=talk.heard(room, viewer.mine),
        talks=talk.is_on(room, viewer.mine),
        coach=coach.view(room, seat, viewer.visit.settings),
        guide=guides.view(room, viewer.visit.language),
    )


def player(room: Room, row: SeatRow, viewer: Viewer, signer: Signer, now: float) -> Player:
    """Return a seat as everybody may know it; the host sees the links to open seats."""
    return Player(
        seat=row.seat,
        kind=row.kind,
        name=row.name,
        bot=row.bot,
        connected=row.seen_until > now,
        away=row.away,
        resigned=row.resigned,
        mine=row.seat in viewer.mine,
        time_left=clock.left(room.options, room.seats, row.seat, room.row, now),
        ticking=clock.ticks(room.row, room.seats, row.seat),
        invite=_seat_link(signer, room.id, row) if viewer.host and row.kind == seats.OPEN else "",
    )


def log_for(room: Room, seat: int | None) -> tuple[LogEntry, ...]:
    """Return what this viewer saw happen, undone steps left out.

    The steps are numbered only when the game is over: before, their numbers would tell how many questions somebody's
    payment took.
    """
    if room.row.status == OVER:
        return _log(room, seat, 0)
    rows, entries = room.logs.get(seat, (0, ()))
    if rows > len(room.log) or any(row.kind == UNDO for row in room.log[rows:]):
        rows, entries = 0, ()
    if rows < len(room.log):
        entries = (*entries, *_log(room, seat, rows))
        room.logs[seat] = len(room.log), entries
    return entries


def _log(room: Room, seat: int | None, after: int) -> tuple[LogEntry, ...]:
    """Return the entries of a log from its row `after` on."""
    over = room.row.status == OVER
    numbers = {step.row.n: n for n, step in enumerate(room.steps, 1)} if after == 0 else _last_steps(room, after)
    entries = []
    for row in room.log[after:]:
        n = numbers.get(row.n)
        if n is not None:
            step = room.steps[n - 1]
            if step.events:
                entries.append(_entry(room, step, seat, n if over else 0))
        elif row.kind in AT_THE_TABLE or (row.kind == UNDO and not row.quiet):
            entries.append(LogEntry(0, row.seat, (), row.kind, row.at))
    return tuple(entries)


def _last_steps(room: Room, after: int) -> dict[int, int]:
    """Return the numbers of the steps that the rows of a log from `after` on belong to."""
    first, numbers = room.log[after].n, {}
    for n in range(len(room.steps), 0, -1):
        if room.steps[n - 1].row.n < first:
            break
        numbers[room.steps[n - 1].row.n] = n
    return numbers


def _entry(room: Room, step: Step, seat: int | None, n: int) -> LogEntry:
    key = step.row.n, seat, n
    if key not in room.entries:
        seen = tuple(event.for_seat(seat) for event in step.events)
        room.entries[key] = LogEntry(n, step.row.seat, seen, at=step.row.at)
    return room.entries[key]


# ---------------------------------------------------------------------------------------------------- links


# What a link is about includes how often it was made anew, once it was: so those before are no longer good.


def _seat_link(signer: Signer, room: str, seat: SeatRow) -> str:
    return f"/j/{room}/{signer.link('seat', room, seat.seat, *_renewed(seat.links))}"


def opens_seat(signer: Signer, key: str, room: str, seat: SeatRow) -> bool:
    """Return whether the key of a link is the invitation to a seat."""
    return signer.opens(key, "seat", room, seat.seat, *_renewed(seat.links))


def _invite_link(signer: Signer, room: RoomRow) -> str:
    return f"/j/{room.id}/{signer.link('invite', room.id, *_renewed(room.links))}"


def opens_any_seat(signer: Signer, key: str, room: RoomRow) -> bool:
    """Return whether the key of a link is the invitation to any open seat of a room."""
    return signer.opens(key, "invite", room.id, *_renewed(room.links))


def sharing_link(signer: Signer, room: Room, viewer: Viewer) -> str:
    """Return the path of the link for watching, for a viewer who may hand it on; empty for others.

    While a game is played, that is for its players to decide; a finished one may be shown by whoever was let in.
    """
    may = viewer.mine or viewer.host or (viewer.invited and room.row.status == OVER)
    return _watch_link(signer, room.row) if may and room.guide is None else ""


def _watch_link(signer: Signer, room: RoomRow) -> str:
    return f"/w/{room.id}/{signer.link('watch', room.id, *_renewed(room.links))}"


def opens_watching(signer: Signer, key: str, room: RoomRow) -> bool:
    """Return whether the key of a link lets its holder watch a room."""
    return signer.opens(key, "watch", room.id, *_renewed(room.links))


def _device_link(signer: Signer, room: Room, mine: Sequence[int]) -> str:
    named = "".join(str(seat) for seat in mine)
    return f"/d/{room.id}/{named}-{signer.link('device', room.id, named, *_renewed_seats(room, mine))}"


def opens_device(signer: Signer, key: str, room: Room) -> tuple[int, ...]:
    """Return the seats, named by the key of a link, that it brings to another device; none if it is not one of ours."""
    named, _, signature = key.partition("-")
    mine = tuple(int(digit) for digit in named) if named.isascii() and named.isdecimal() else ()
    if not mine or max(mine) >= len(room.seats):
        return ()
    return mine if signer.opens(signature, "device", room.id, named, *_renewed_seats(room, mine)) else ()


def _renewed(*counts: int) -> tuple[int, ...]:
    return counts if any(counts) else ()


def _renewed_seats(room: Room, mine: Sequence[int]) -> tuple[int, ...]:
    return _renewed(*(room.seats[seat].links for seat in mine))


# ---------------------------------------------------------------------------------------------------- lists


def game_line(room: RoomRow, sitting: Sequence[SeatRow], mine: Sequence[int], board: Board) -> GameLine:
    """Return a room in a list, with only what everybody may know of it."""
    return GameLine(
        room=room.id,
        board=board,
        players=seated(sitting, mine),
        status=room.status,
        your_turn=room.status != OVER and room.asked in mine and not sitting[room.asked or 0].bot,
        turns=room.turns,
        touched=room.touched,
        mine=bool(mine),
        open_seats=tuple(seat.seat for seat in sitting if seat.kind == seats.OPEN),
    )


def seated(sitting: Sequence[SeatRow], mine: Sequence[int]) -> tuple[Player, ...]:
    """Return who sits in a room, without links and clocks."""
    return tuple(
        Player(seat.seat, seat.kind, seat.name, seat.bot, False, seat.away, seat.resigned, seat.seat in mine)
        for seat in sitting
    )
