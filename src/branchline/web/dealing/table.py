"""A dealt table as a value: what lies with the dealer, who sits there, and what may be taken back.

A table begins with the names of those who play; each name is a seat with a link of its own. What a seat does is a deed
of `tabletop.dealer`, or one of those below, which concern the table. Every deed says how many its seat has done before:
a request that comes twice, or from a second phone that has not seen the first, is refused.
"""

from __future__ import annotations

import functools
import hashlib
import json
import secrets
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from branchline.boards import Board
from branchline.game import Event, IllegalAction, SetupError
from branchline.game.events import events_from
from branchline.game.game import SEEDS
from branchline.plain_data import JsonObject
from branchline.tabletop.dealer import Dealer, Gone, reveals
from branchline.web.core.rooms import seats
from branchline.web.core.rooms.ids import new_room_id
from branchline.web.core.rooms.room import Refused
from branchline.web.dealing.store import DealingRow, DeedRow

MOST_DEEDS = 3_000  # of all seats of a table, of each an equal part; a long evening has 500
MOST_QUIET = 1_000  # seats taken and links made anew, besides
BACK, ASK, AGREE = "back", "ask", "agree"  # take the last deed back; ask whether one may; let somebody do so
OPEN, HIDE, SIT, RELINK = "open", "hide", "sit", "relink"


@dataclass(frozen=True)
class Last:
    """The last deed, which can be taken back."""

    seat: int
    reveals: bool  # it showed somebody something: the others have to agree
    asked: bool = False  # its seat has asked them


@dataclass(frozen=True)
class Desk:
    """What a table is besides its cards."""

    names: tuple[str, ...]
    links: tuple[int, ...]  # how often the link of each seat was made anew
    taken: tuple[bool, ...]  # somebody has opened the seat with the link for all
    open: tuple[bool, ...]  # the tickets of the seat lie open
    steps: tuple[int, ...]  # deeds of each seat
    last: Last | None = None


@dataclass(frozen=True)
class DoneDeed:
    """A deed, and what came of it."""

    n: int
    seat: int
    deed: str
    events: tuple[Event, ...]  # secrets included: see `Event.for_seat`
    at: float


@dataclass(frozen=True)
class DealingTable:
    """One table; `done` has what happened, in order."""

    row: DealingRow
    board: Board
    desk: Desk
    done: tuple[DoneDeed, ...] = field(default=(), repr=False)

    @functools.cached_property
    def dealer(self) -> Dealer:
        """For looking. Whoever deals takes another one."""
        return Dealer.resume(self.board, self.row.state)

    @property
    def over(self) -> bool:
        """Whether all tickets lie open."""
        return all(self.desk.open)

    @property
    def seal(self) -> str:
        """What is told of the seed from the beginning: it shows afterwards that no other one was dealt from."""
        return sealed(self.row.id, self.row.seed)

    def after(self, seat: int, deed: str, step: int, now: float) -> tuple[DealingTable, DeedRow]:
        """Return the table after a deed, and its row. Raise `Refused` with a reason that pages have a sentence for."""
        if step != self.desk.steps[seat]:
            raise Refused("stale", "something has happened since")
        text = deed.strip()
        share = MOST_DEEDS // len(self.desk.steps)
        if step >= share and text != OPEN:  # the game can always be ended
            raise Refused("too_long", "this seat has done too much")
        self._check_that_it_goes_on()
        act = _ACTS.get(text)
        desk, state, before, facts = act(self, seat) if act else _dealt(self, seat, text)
        if text == BACK and desk.last is not None:
            text = ASK
        desk = replace(desk, steps=_with(desk.steps, seat, step + 1))
        return self._written(seat, text, (desk, state, before, facts), now)

    def did(self, seat: int, step: int, deed: str) -> bool:
        """Return whether the deed of a seat after `step` others was this one."""
        own = [own_deed.deed for own_deed in self.done if own_deed.seat == seat and own_deed.deed not in _OF_LINKS]
        text = deed.strip()
        return 0 <= step < len(own) and own[step] in ((BACK, ASK) if text == BACK else (text,))

    def quietly(self, seat: int, deed: str, now: float) -> tuple[DealingTable, DeedRow]:
        """Return the same for SIT and RELINK, which concern the link of a seat: its own phone cannot ask for them."""
        if self.row.version - sum(self.desk.steps) >= MOST_QUIET:
            raise Refused("too_long", "too many links were made")
        self._check_that_it_goes_on()
        return self._written(seat, deed, _OF_LINKS[deed](self, seat), now)

    def _check_that_it_goes_on(self) -> None:
        if self.over:
            raise Refused("over", "all tickets lie open")

    def _written(self, seat: int, text: str, outcome: Outcome, now: float) -> tuple[DealingTable, DeedRow]:
        desk, state, before, facts = outcome
        row = replace(
            self.row, version=self.row.version + 1, desk=_as_json(desk), state=state, before=before, touched=now
        )
        deed = DeedRow(row.version, seat, text, json.dumps(facts, separators=(",", ":")), now)
        return DealingTable(row, self.board, desk, (*self.done, _done(self.board, deed))), deed


def sealed(dealing: str, seed: int) -> str:
    """Return a digest of a table's seed."""
    return hashlib.sha256(f"{dealing} {seed}".encode()).hexdigest()


Outcome = tuple[Desk, bytes, bytes | None, list[list[int]]]


def _dealt(table: DealingTable, seat: int, deed: str) -> Outcome:
    """Return the outcome of a deed of the dealer."""
    dealer = Dealer.resume(table.board, table.row.state)
    if deed == "next" and dealer.choosing:
        raise Refused("choose", "all choose their tickets first")
    try:
        facts = dealer.do(seat, deed)
    except Gone as error:
        raise Refused("gone", str(error)) from None
    except IllegalAction as error:
        raise Refused("not_now", str(error)) from None
    last = Last(seat, reveals(facts))
    return replace(table.desk, last=last), dealer.snapshot, table.row.state, facts


def _back(table: DealingTable, seat: int) -> Outcome:
    """Take the last deed back, or ask whether one may."""
    last = table.desk.last
    if last is None or last.seat != seat or last.asked or table.row.before is None:
        raise Refused("no_undo", "there is nothing to take back")
    if last.reveals:
        return replace(table.desk, last=replace(last, asked=True)), table.row.state, table.row.before, []
    return replace(table.desk, last=None), table.row.before, None, []


def _agree(table: DealingTable, seat: int) -> Outcome:
    """Let somebody take the last deed back."""
    last = table.desk.last
    if last is None or not last.asked or last.seat == seat or table.row.before is None:
        raise Refused("no_undo", "nobody asks for that")
    dealer = Dealer.resume(table.board, table.row.state)
    dealer.take_back(table.row.before)
    return replace(table.desk, last=None), dealer.snapshot, None, []


def _opened(yes: bool) -> Callable[[DealingTable, int], Outcome]:
    def act(table: DealingTable, seat: int) -> Outcome:
        if table.desk.open[seat] == yes:
            raise Refused("stale", "they do already")
        if table.dealer.choosing or table.dealer.view(seat).offer:
            raise Refused("choose", "choose your tickets first")
        desk = replace(table.desk, open=_with(table.desk.open, seat, yes))
        return desk, table.row.state, table.row.before, []

    return act


def _sat(table: DealingTable, seat: int) -> Outcome:
    if table.desk.taken[seat]:
        raise Refused("taken", "somebody else has chosen this name")
    desk = replace(table.desk, taken=_with(table.desk.taken, seat, True))
    return desk, table.row.state, table.row.before, []


def _relinked(table: DealingTable, seat: int) -> Outcome:
    desk = table.desk
    links, taken = _with(desk.links, seat, desk.links[seat] + 1), _with(desk.taken, seat, False)
    return replace(desk, links=links, taken=taken), table.row.state, table.row.before, []


_ACTS: dict[str, Callable[[DealingTable, int], Outcome]] = {
    BACK: _back,
    ASK: _back,
    AGREE: _agree,
    OPEN: _opened(True),
    HIDE: _opened(False),
}
_OF_LINKS: dict[str, Callable[[DealingTable, int], Outcome]] = {SIT: _sat, RELINK: _relinked}


def new_table(name: str, board: Board, names: Sequence[str], now: float) -> DealingTable:
    """Return a table, shuffled and dealt. Raise `SetupError` in one clear line."""
    called = named(names)
    if not board.seats[0] <= len(called) <= board.seats[1]:
        raise SetupError(f"{board.title} is for {board.seats[0]} to {board.seats[1]} players, not {len(called)}")
    seed = secrets.randbelow(SEEDS)
    count = len(called)
    desk = Desk(tuple(called), (0,) * count, (False,) * count, (False,) * count, (0,) * count)
    state = Dealer(board, count, seed).snapshot
    row = DealingRow(new_room_id(), name, board.digest, seed, 0, _as_json(desk), state, None, now, now)
    return DealingTable(row, board, desk)


def named(names: Sequence[str]) -> list[str]:
    """Return names fit to be shown, each only once; empty fields are left out."""
    different: list[str] = []
    for name in filter(None, map(seats.clean_name, names)):
        called, n = name, 1
        while called.casefold() in (other.casefold() for other in different):
            n += 1
            called = seats.numbered(name, n)
        different.append(called)
    return different


def restored(board: Board, row: DealingRow, deeds: Sequence[DeedRow]) -> DealingTable:
    """Return a table as the store has it."""
    table: JsonObject = json.loads(row.desk)
    last = table.pop("last")
    lists = {name: tuple(values) for name, values in table.items()}
    desk = Desk(**lists, last=None if last is None else Last(**last))
    return DealingTable(row, board, desk, tuple(_done(board, deed) for deed in deeds))


def record_of(table: DealingTable) -> dict[str, object]:
    """Return everything that was dealt, for checking: the same seed and deeds give the same cards."""
    desk = table.desk
    deeds = [{"seat": deed.seat, "deed": deed.deed, "at": round(deed.at, 1)} for deed in table.done]
    head = {"dealing": table.row.id, "board": table.board.id, "digest": table.row.digest, "names": list(desk.names)}
    return {**head, "seed": table.row.seed, "seal": table.seal, "deeds": deeds}


def position_of(table: DealingTable) -> dict[str, object]:
    """Return the start of a scoresheet, as `branchline score` reads it: names, and the tickets that lie open."""
    seats = []
    for seat, name in enumerate(table.desk.names):
        held = table.dealer.tickets(seat) if table.desk.open[seat] else ()
        written = [([place.name for place in ticket.places] + [ticket.value], ticket.tour) for ticket in held]
        seat_position: JsonObject = {
            "name": name,
            "routes": [],
            "tickets": [text for text, tour in written if not tour],
        }
        tours = [text for text, tour in written if tour]
        seats.append(seat_position | ({"tours": tours} if tours else {}))
    return {"edition": table.board.id, "seats": seats}


def _done(board: Board, row: DeedRow) -> DoneDeed:
    return DoneDeed(row.n, row.seat, row.deed, events_from(board, row.seat, json.loads(row.facts)), row.at)


def _as_json(desk: Desk) -> str:
    return json.dumps(asdict(desk), ensure_ascii=False, separators=(",", ":"))


def _with(values: tuple[Any, ...], n: int, value: Any) -> tuple[Any, ...]:
    return (*values[:n], value, *values[n + 1 :])
