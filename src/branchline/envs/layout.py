"""What an observation holds, and where: one layout for a board and a number of seats.

An observation is a vector of numbers, nearly all of them 0 … 1, made of the state redacted for one seat. It is
described once, here, as a table of features. The compiled encoder, the decoder and the documents read that table, so
they cannot disagree. Seats are counted from the one that observes: 0 is itself, 1 the next one, and so on.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from branchline.boards import Board
from branchline.boards.faults import shown
from branchline.boards.limits import MAX_COLOURS, MAX_LENGTH, MAX_OFFER, MAX_PORTS, MAX_STATIONS, MAX_TURNED
from branchline.boards.tables import KINDS, WILD_KIND, BoardTables
from branchline.copying import Unchanging
from branchline.envs.rewards import EnvError, board_for
from branchline.rules import state as at
from branchline.rules.state import STATE

VERSION = 2
"""Of the layout. Whatever changes the numbers of an observation raises it."""

ID_VERSION = 1
"""In the ids of the environments. Once a release has them, it is raised whenever the layout's is."""

COUNT, ONE_HOT, OWNER, TICKET = range(4)
"""How a number of the state is written: divided by a scale; as a 1 at its place; as a 1 at the seat that owns it
(and one more place for a closed route); as "mine" and "put out of the game by me"."""

HOW, WIDE, AT, LOW, SIZE, START, STEP = range(7)
"""The columns of a table of cells, one row for each number of the state that is told: how it is written; its bytes in
the state, 1 or 2; its place among the numbers of that breadth; the least number there may be; how many numbers there
may be (of a count: the scale); where it stands in the observation; how far apart its places are, if it has several."""

MOST_SMALL, MOST_LARGE = 2**8, 2**15  # numbers of one byte and of two, from the least one on


@dataclass(frozen=True)
class Feature:
    """A part of the observation: the numbers `start` … `stop - 1`, of this shape."""

    name: str  # the field of `rules.state.STATE` that is told
    about: str
    start: int
    shape: tuple[int, ...]
    axes: tuple[str, ...]  # what each axis counts
    scale: int = 0  # of counts: the number is the count divided by this; 0: ones and zeros

    @property
    def stop(self) -> int:
        """The first number behind it."""
        return self.start + int(np.prod(self.shape))


class UnknownFeature(EnvError, KeyError):  # noqa: N818  it reads as a sentence
    """An observation has no such feature."""

    __str__ = EnvError.__str__


def shape_of(value: object) -> str:
    """Return the shape of what was passed for an array, in words."""
    return f"{value.dtype} {value.shape}" if isinstance(value, np.ndarray) else shown(value)


@dataclass(frozen=True, eq=False)
class Layout(Unchanging):
    """What an observation holds, of one board with so many seats."""

    board: Board
    seats: int
    features: tuple[Feature, ...]
    cells: npt.NDArray[np.int32]  # (seats, cells, columns): for each seat that observes, see `HOW`

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle what it was made from."""
        return layout_of, (self.board, self.seats)

    @property
    def size(self) -> int:
        """How many numbers an observation has."""
        return self.features[-1].stop

    @functools.cached_property
    def high(self) -> npt.NDArray[np.float32]:
        """The most that each number can be; the least is 0."""
        most = np.ones(self.size, dtype=np.float32)
        counts = self.cells[0][self.cells[0][:, HOW] == COUNT]
        most[counts[:, START]] = np.where(counts[:, WIDE] == 1, MOST_SMALL, MOST_LARGE) / counts[:, SIZE]
        return most

    def __getitem__(self, name: str) -> Feature:
        """Return the feature of this name. Raise `UnknownFeature`, which is a `KeyError` too."""
        if not isinstance(name, str) or name not in self._by_name:
            raise UnknownFeature(f"there is no feature {shown(name)}; there are {', '.join(self._by_name)}")
        return self._by_name[name]

    @functools.cached_property
    def _by_name(self) -> dict[str, Feature]:
        return {feature.name: feature for feature in self.features}

    def part(self, observation: npt.NDArray[np.float32], name: str) -> npt.NDArray[np.float32]:
        """Return a view of one feature in an observation or in a batch of them, in the feature's shape.

        Raise `UnknownFeature`, and `EnvError` for an array of anything else.
        """
        feature = self[name]
        if not isinstance(observation, np.ndarray) or observation.shape[-1:] != (self.size,):
            raise EnvError(f"observation: expected arrays of {self.size} numbers, not {shape_of(observation)}")
        return observation[..., feature.start : feature.stop].reshape(*observation.shape[:-1], *feature.shape)


def layout_of(board: Board | str, seats: int) -> Layout:
    """Return the layout for a board with `seats` seats, without what the board does not have.

    The same board and seats give the same object. Raise `EnvError`, and whatever `load_board` does.
    """
    return _written(*board_for(board, seats))


@functools.lru_cache(maxsize=64)
def _written(board: Board, seats: int) -> Layout:
    writer = _Writer(board, seats)
    for add in (_course, _cards, _hands, _routes, _stock, _tickets, _buildings, _passengers, _payment):
        add(writer)
    cells = [[cell.seen_by(me, seats) for cell in writer.cells] for me in range(seats)]
    return Layout(board, seats, tuple(writer.features), np.array(cells, dtype=np.int32))


class _Cell(NamedTuple):
    """A number of the state, as it is written for any seat that observes."""

    how: int
    wide: int
    offset: int  # of its first byte, for the seat 0 where `stride` is not 0
    stride: int  # bytes from one seat to the next
    seat: int  # of whom it is told, counted from the one that observes
    low: int
    size: int
    start: int
    step: int

    def seen_by(self, me: int, seats: int) -> tuple[int, ...]:
        """Return a row of the table of a seat."""
        first = self.offset + self.stride * ((self.seat + me) % seats)
        return self.how, self.wide, first // self.wide, self.low, self.size, self.start, self.step


class _Writer:
    """Puts features one behind the other."""

    def __init__(self, board: Board, seats: int) -> None:
        self.board, self.seats = board, seats
        self.row = board.tables[0]
        self.features: list[Feature] = []
        self.cells: list[_Cell] = []
        self.end = 0

    def counts(self, name: str, about: str, indices: Sequence[object], axis: str, scale: int, low: int = 0) -> None:
        """Write numbers of the state, divided by `scale` after `low` is taken off."""
        self._add(name, about, COUNT, indices, (axis,), low, max(1, scale), 1)

    def seat_counts(
        self, name: str, about: str, indices: Sequence[object], axis: str, scale: int, low: int = 0
    ) -> None:
        """Write the same for every seat; `indices` follow that of the seat."""
        self._add(name, about, COUNT, indices, ("seat", axis), low, max(1, scale), 1, per_seat=self.seats)

    def one_hot(self, name: str, about: str, indices: Sequence[object], axis: str, low: int, size: int) -> None:
        """Write the numbers low … low + size - 1, as a 1 at their place."""
        self._add(name, about, ONE_HOT, indices, (axis, "value"), low, size, size)

    def own_counts(self, name: str, about: str, indices: Sequence[object], axis: str, scale: int) -> None:
        """Write numbers that only the observing seat has."""
        self._add(name, about, COUNT, indices, ("seat", axis), 0, scale, 1, per_seat=1)

    def own(self, name: str, about: str, indices: Sequence[Any], axis: str, low: int, size: int) -> None:
        """Write one-hot numbers that only the observing seat has."""
        self._add(name, about, ONE_HOT, indices, (axis, "value"), low, size, size, per_seat=1)

    def owners(self, name: str, about: str, indices: Sequence[object], axis: str, extra: int = 0) -> None:
        """Write whose something is, all things of a seat side by side; nobody's are zeros."""
        self._sets(name, about, OWNER, indices, ("seat", axis), self.seats + extra)

    def held(self, name: str, about: str, indices: Sequence[object], axis: str) -> None:
        """Write where tickets are, as far as the seat knows."""
        self._sets(name, about, TICKET, indices, ("mine, put out by me", axis), 2)

    def _sets(
        self, name: str, about: str, how: int, indices: Sequence[object], axes: tuple[str, str], size: int
    ) -> None:
        """Write `size` sets one after another, each with a place for all things."""
        indices = list(indices)
        if not indices:
            return
        for n, index in enumerate(indices):
            offset, wide, _ = _address(name, index, per_seat=False)
            self.cells.append(_Cell(how, wide, offset, 0, 0, 0, size, self.end + n, len(indices)))
        self.features.append(Feature(name, about, self.end, (size, len(indices)), axes))
        self.end += size * len(indices)

    def _add(
        self,
        name: str,
        about: str,
        how: int,
        indices: Sequence[object],
        axes: tuple[str, ...],
        low: int,
        size: int,
        columns: int,
        per_seat: int = 0,
    ) -> None:
        indices = list(indices)
        if not indices:
            return
        start = self.end
        for seat in range(max(1, per_seat)):
            for index in indices:
                offset, wide, stride = _address(name, index, per_seat > 0)
                self.cells.append(_Cell(how, wide, offset, stride, seat, low, size, self.end, 1))
                self.end += columns
        shape = (*((per_seat,) if per_seat > 1 else ()), len(indices), *((columns,) if columns > 1 else ()))
        axes = axes if per_seat != 1 or how != COUNT else axes[1:]
        self.features.append(Feature(name, about, start, shape, axes, size if how == COUNT else 0))


def _address(name: str, index: object, per_seat: bool) -> tuple[int, int, int]:
    """Return first byte, breadth and stride of a number in the state.

    `index`: without that of the seat, () for none.
    """
    field, offset = STATE.fields[name][:2]  # type: ignore[index]
    wide = field.base.itemsize
    strides = [wide * int(np.prod(field.shape[n + 1 :])) for n in range(len(field.shape))]
    stride = strides.pop(0) if per_seat else 0
    index = index if isinstance(index, tuple) else (index,)
    return offset + sum(n * step for n, step in zip(index, strides, strict=True)), wide, stride


def _kinds(row: BoardTables) -> list[int]:
    """Return the kinds of cards: whole rows of colours, as numbers without gaps are quicker to write, and the wild
    cards.
    """
    rows = 1 + max(kind for kind in range(WILD_KIND) if row["copies"][kind]) // MAX_COLOURS
    return [*range(rows * MAX_COLOURS), WILD_KIND]


def _each(outer: range, inner: Sequence[int]) -> list[tuple[int, int]]:
    return [(first, other) for first in outer for other in inner]


def _course(to: _Writer) -> None:
    to.owners("first_seat", "who began", [()], "")
    to.owners("seat", "whose question it is", [()], "")
    to.one_hot("question", "what is asked, see `rules.state`", [()], "", at.OVER, at.SWAP + 1)
    to.counts("setting_up", "1 until the first turn", [()], "", 1)
    to.counts("turns", "turns ended", [()], "", 200)
    to.counts("turns_to_go", "after the end was announced; -1 before", [()], "", 10, low=-1)
    to.counts("idle", "half-turns in a row in which nobody could do a thing", [()], "", 10)
    to.counts("drawn", "cards taken in this turn", [()], "", 2)
    to.one_hot("slot", "empty place in the market that is being filled; none first", [()], "", -1, to.row["market"] + 1)


def _cards(to: _Writer) -> None:
    decks, most = range(to.row["decks"]), max(1, int(to.row["copies"].sum()))
    to.one_hot("market", "what lies there: nothing, or a kind", range(to.row["market"]), "place", at.NO_CARD, KINDS + 1)
    to.counts("deck_size", "cards in the deck", decks, "deck", most)
    to.counts("discard_size", "cards discarded", decks, "deck", most)
    to.counts("discards", "cards discarded", _kinds(to.row), "kind", int(to.row["copies"].max()))


def _hands(to: _Writer) -> None:
    kinds = _kinds(to.row)
    to.seat_counts("hand", "cards that are known to be in the hand; all of one's own", kinds, "kind", 10)
    to.own_counts("seen", "of one's own cards, how many everybody knows", kinds, "kind", 10)
    to.seat_counts("hand_size", "cards in the hand", range(to.row["decks"]), "deck", 20)


def _routes(to: _Writer) -> None:
    routes = range(to.row["routes"])
    to.owners("route_owner", "whose it is; the last place: closed", routes, "route", extra=1)


def _stock(to: _Writer) -> None:
    kinds = range(to.row["piece_kinds"])
    to.seat_counts("pieces", "pieces in stock", kinds, "kind", 50)
    to.seat_counts("route_points", "points for routes", [()], "", 100)
    if to.row["fleet"]:
        to.seat_counts("box", "pieces left out, to swap for", kinds, "kind", 50)
        to.seat_counts("fleet", "trains chosen; -1: not yet, -9: secret", [()], "", 50, low=at.HIDDEN)
        to.seat_counts("swapped", "pieces swapped", [()], "", 10)


def _tickets(to: _Writer) -> None:
    decks, tickets = range(to.row["ticket_decks"]), range(to.row["tickets"])
    to.held("ticket_at", "whether one holds it, or has put it out of the game", tickets, "ticket")
    to.own(
        "offer",
        "which ticket lies there to choose from; none first",
        range(MAX_OFFER),
        "place",
        -1,
        len(tickets) + 1,
    )
    to.seat_counts("offer_size", "tickets to choose from", [()], "", MAX_OFFER)
    to.seat_counts("offered", "of these, from each deck", decks, "deck", MAX_OFFER)
    to.seat_counts("tickets_held", "tickets held", decks, "deck", 10)
    to.seat_counts("tickets_out", "tickets put out of the game", [()], "", 10)
    to.counts("ticket_count", "tickets left in the deck", decks, "deck", 50)
    if to.row["first_mix"] or to.row["later_mix"]:
        to.seat_counts("mix", "last announced number from the first deck; -1: none", [()], "", MAX_OFFER, low=-1)


def _buildings(to: _Writer) -> None:
    places = range(to.row["places"])
    if to.row["stations"]:
        to.owners("station_owner", "whose station stands there", places, "place")
        to.seat_counts("stations_built", "stations built", [()], "", MAX_STATIONS)
    if to.row["ports"]:
        to.owners("port_owner", "whose port stands there", places, "place")
        to.seat_counts("ports_built", "ports built", [()], "", MAX_PORTS)


def _passengers(to: _Writer) -> None:
    if not to.row["passenger_colours"]:
        return
    colours = range(MAX_COLOURS)
    to.counts("waiting", "passengers at the place", _each(range(to.row["places"]), colours), "place and colour", 5)
    to.seat_counts("passengers", "passengers taken", colours, "colour", 10)
    to.one_hot("stop", "end of the route at which one is chosen; none first", [()], "", -1, 3)


def _payment(to: _Writer) -> None:
    row, kinds = to.row, _kinds(to.row)
    to.one_hot("paying_for", "what is being paid for", [()], "", at.NOTHING, at.FOR_EXTRA + 1)
    to.one_hot(
        "target", "the route or place it is for; none first", [()], "", -1, 1 + max(row["routes"], row["places"])
    )
    to.one_hot("colour", "of the payment; undecided first, wilds only last", [()], "", at.UNDECIDED, MAX_COLOURS + 2)
    to.counts("open_spaces", "still to be covered in one colour", [()], "", MAX_LENGTH, low=-1)
    to.counts("laid", "cards chosen so far", kinds, "kind", 10)
    if row["mixed_routes"] or row["difficult_routes"]:
        to.counts("open_pairs", "pairs still to be covered", [()], "", MAX_LENGTH, low=-1)
        to.counts("last_pair", "the last pair chosen", [()], "", 2 * MAX_COLOURS + 1, low=-1)
    if row["port_marks"]:
        to.one_hot("open_colour", "whose port marks are asked; none first", [()], "", -1, MAX_COLOURS + 2)
    if row["tunnel_cards"]:
        to.counts("shown", "laid open before a tunnel's cards were turned", kinds, "kind", 10)
        to.one_hot("turned", "cards turned at a tunnel; none first", range(MAX_TURNED), "card", at.NO_CARD, KINDS + 1)
        to.counts("extra", "cards more that the tunnel asks", [()], "", MAX_TURNED)
