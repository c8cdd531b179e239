"""How something may have been paid: as it was noted, or in any way that its price allows.

These are proposals: whether a payment is legal the rules say when the game is played.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations_with_replacement

from branchline.boards import COLOURS, Board, Route
from branchline.boards.tables import DOUBLE, MARKED, SHIP, TRAIN, WILD_KIND
from branchline.rules.cards import deck_of

Cards = tuple[tuple[int, int], ...]
"""Kinds and numbers."""

Size = tuple[int, int]
"""How many cards of each deck."""


@dataclass(frozen=True)
class Price:
    """What something costs."""

    spaces: int = 0  # of one colour; at sea, a double ship covers two
    colour: int | None = None  # None: any
    wilds: int = 0  # at least
    pairs: int = 0
    sea: bool = False
    port: Size | None = None


def price_of(board: Board, route: Route) -> Price:
    """Return what a route costs."""
    colour = COLOURS.index(route.colour) if route.colour in COLOURS else None
    return Price(route.price - 2 * route.pairs, colour, max(route.wilds, 0), route.pairs, route.kind == "sea")


def size_of(cards: Cards) -> Size:
    """Return how many cards of each deck a payment takes."""
    ships = sum(count for kind, count in cards if deck_of(kind) == 1)
    return sum(count for _, count in cards) - ships, ships


def by_size(ways: list[Cards]) -> dict[Size, tuple[Cards, ...]]:
    """Return ways to pay by how many cards of each deck they take, those with few wilds first."""
    grouped: dict[Size, list[Cards]] = {}
    for way in sorted(ways, key=lambda cards: (dict(cards).get(WILD_KIND, 0), cards)):
        grouped.setdefault(size_of(way), []).append(way)
    return {size: tuple(same_size) for size, same_size in grouped.items()}


def all_ways(board: Board, price: Price, extra: int = 0) -> list[Cards]:
    """Return every way to pay a price, a tunnel's extra cards included."""
    if price.port is not None:
        return _port(board, price.port)
    if price.pairs:
        pairs = _pairs(board, price.pairs)
        if not price.spaces:
            return pairs
        return [
            _cards(Counter(dict(first)) + Counter(dict(other)))
            for first in _plain(board, price, extra)
            for other in pairs
        ]
    return _sea(board, price) if price.sea else _plain(board, price, extra)


def marked_ways(board: Board, cards: Cards) -> list[Cards]:
    """Return a noted payment and, where no port mark was noted, those that differ only in port marks."""
    ways = [cards]
    if any(MARKED <= kind < 2 * MARKED for kind, _ in cards) or not board.tables[0].port_marks:
        return ways
    for kind, count in cards:
        copies = int(board.tables[0].copies[kind + MARKED]) if kind < MARKED else 0
        for marked in range(1, min(count, copies) + 1):
            for way in list(ways):
                if dict(way).get(kind, 0) == count:
                    ways.append(
                        _cards(Counter(dict(way)) + Counter({kind: -marked}) + Counter({kind + MARKED: marked}))
                    )
                    other = Counter(dict(way))
                    other[kind] -= marked
                    other[kind + MARKED] += marked
                    ways[-1] = _cards(other)
    return ways


def _cards(counts: Counter[int]) -> Cards:
    return tuple(sorted((+counts).items()))


def _colours(board: Board, price: Price) -> list[int]:
    known = [COLOURS.index(colour) for colour in board.cards.colours]
    return known if price.colour is None else [price.colour]


def _plain(board: Board, price: Price, extra: int) -> list[Cards]:
    copies = board.tables[0].copies
    ways, count = [], price.spaces + extra
    for colour in _colours(board, price):
        for wilds in range(price.wilds, count):
            for marked in range(count - wilds + 1):
                plain = count - wilds - marked
                if plain <= copies[TRAIN + colour] and marked <= copies[MARKED + colour]:
                    ways.append(_cards(Counter({TRAIN + colour: plain, MARKED + colour: marked, WILD_KIND: wilds})))
    return [*ways, ((WILD_KIND, count),)]


def _sea(board: Board, price: Price) -> list[Cards]:
    copies = board.tables[0].copies
    ways: list[Cards] = []
    for colour in _colours(board, price):
        for wilds in range(price.wilds, price.spaces):
            rest = price.spaces - wilds
            for doubles in range((rest + (wilds == 0)) // 2 + 1):
                single = max(0, rest - 2 * doubles)
                if doubles <= copies[DOUBLE + colour] and single <= copies[SHIP + colour]:
                    ways.append(_cards(Counter({DOUBLE + colour: doubles, SHIP + colour: single, WILD_KIND: wilds})))
    return [*ways, ((WILD_KIND, price.spaces),)]


def _pairs(board: Board, count: int) -> list[Cards]:
    colours = [COLOURS.index(colour) for colour in board.cards.colours]
    kinds = [Counter({colour: 2}) for colour in colours]
    kinds += [Counter({colour: 1, WILD_KIND: 1}) for colour in colours] + [Counter({WILD_KIND: 2})]
    if board.tables[0].port_marks:
        kinds += [Counter({colour + MARKED: 2}) for colour in colours]
        kinds += [Counter({colour: 1, colour + MARKED: 1}) for colour in colours]
    pairs = {_cards(sum(choice, Counter())) for choice in combinations_with_replacement(kinds, count)}
    return sorted(way for way in pairs if all(n <= board.tables[0].copies[kind] for kind, n in way))


def _port(board: Board, asked: Size) -> list[Cards]:
    ways = []
    for colour in board.cards.colours:
        n = COLOURS.index(colour)
        for wild in range(asked[0] + 1):
            for other in range(asked[1] + 1):
                trains, ships = asked[0] - wild, asked[1] - other
                if trains + ships:
                    ways.append(_cards(Counter({MARKED + n: trains, SHIP + n: ships, WILD_KIND: wild + other})))
    return [*ways, ((WILD_KIND, sum(asked)),)]
