"""Tickets dealt: spread over the map, each place about equally often, short to long as on the printed boards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from random import Random

from branchline.boards.faults import BranchlineError
from branchline.boards.limits import MAX_PLACES, MAX_TICKETS
from branchline.boards.wording import worded
from branchline.workshop.draft import Draft
from branchline.workshop.steps import Step, added, removed
from branchline.workshop.suggestions import value
from branchline.workshop.ways import Ways, ends, neighbours, shortest_ways

SHARES = (0.18, 0.25, 0.30, 0.37, 0.41, 0.46, 0.48, 0.55, 0.61, 0.73, 0.90)
"""How long the shortest ways of tickets are, by the longest way on the board: the shortest ticket, nine tenths between,
and the longest; the mean of the five editions."""

USED = 1.5  # spaces by which a pair is thought less fitting for each ticket that its places are on already
ALIKE = 2.0  # the same for each ticket from one of its places to a neighbour of the other
_ROUNDS = 10
_NEAREST = 300  # pairs that are looked at for each ticket: those whose ways are nearest to the wanted length


class DealError(BranchlineError):
    """Tickets that cannot be dealt; the text is one clear line."""


def dealt(
    draft: Draft, counts: Mapping[str, int], seed: int = 0, *, keep: bool = False, name: str = "tickets dealt"
) -> Step:
    """Return the step that deals `counts` tickets into each deck in place of the present ones, or with `keep` beside
    them.

    The longest go into the deck that is called `long`, else into the first. Values are the spaces of the shortest
    ways. Same seed, same tickets. Raise `DealError` where too few pairs of places are joined, or the draft has more
    places than a board may have.
    """
    total = sum(counts.values())
    kept = dict(draft["tickets"]) if keep else {}
    if not 0 < total <= MAX_TICKETS - len(kept) or min(counts.values(), default=0) < 0:
        raise DealError(
            worded("{total} tickets to deal, expected 1 to {most}", total=total, most=MAX_TICKETS - len(kept))
        )
    if len(draft["cities"]) > MAX_PLACES:
        raise DealError(worded("{count} places, the limit is {most}", count=len(draft["cities"]), most=MAX_PLACES))
    ways = shortest_ways(draft)
    pairs = _pairs(draft, ways)
    taken = {frozenset(ends(cells)) for cells in kept.values()}
    free = {pair: way for pair, way in pairs.items() if frozenset(pair) not in taken}
    if len(free) < total:
        raise DealError(
            worded(
                "{total} tickets to deal, but only {count} pairs of places are two or more routes apart",
                total=total,
                count=len(free),
            )
        )
    chosen = _chosen(free, total, [ends(cells) for cells in kept.values()], neighbours(draft["routes"]), Random(seed))
    chosen.sort(key=lambda pair: -free[pair])
    several = len(counts) > 1
    rows = []
    for deck in sorted(counts, key=lambda deck: ("long" not in deck.casefold(), list(counts).index(deck))):
        for pair in sorted(chosen[: counts[deck]]):
            cells = {"city_a": pair[0], "city_b": pair[1], "value": str(value(free[pair]))}
            rows.append({"deck": deck, **cells} if several else cells)
        chosen = chosen[counts[deck] :]
    removals = [] if keep else [removed(draft, "tickets", row) for row in list(draft["tickets"])[::-1]]
    return Step(name, (*removals, *added(draft, "tickets", rows)))


def _pairs(draft: Draft, ways: Ways) -> dict[tuple[str, str], int]:
    """Return the pairs that a ticket may name, and their shortest ways: no junctions, and no two that one route
    joins.
    """
    names = [
        cells["name"] for cells in draft["cities"].values() if cells.get("name") and cells.get("kind") != "waypoint"
    ]
    steps = neighbours(draft["routes"])
    return {
        (a, b): ways[a][b]
        for number, a in enumerate(names)
        for b in names[number + 1 :]
        if b in ways[a] and a != b and b not in steps.get(a, {})
    }


def wanted(longest: int, count: int) -> list[float]:
    """Return the lengths of `count` tickets on a board whose longest shortest way is `longest`, longest first."""
    lengths = []
    for number in range(count):
        place = (number + 0.5) / count * (len(SHARES) - 1)
        low = int(place)
        share = SHARES[low] + (place - low) * (SHARES[low + 1] - SHARES[low])
        lengths.append(share * longest)
    return lengths[::-1]


def _chosen(
    free: Mapping[tuple[str, str], int],
    count: int,
    kept: Sequence[tuple[str, str]],
    steps: Mapping[str, Mapping[str, int]],
    chance: Random,
) -> list[tuple[str, str]]:
    """Return a pair for each wanted length; then each is dealt anew, as long as that brings a better one."""
    lengths = wanted(max(free.values()), count)
    order = list(free)
    chance.shuffle(order)  # of pairs that fit equally well the first is taken
    uses = Counter(name for pair in kept for name in pair)
    tickets = {frozenset(pair) for pair in kept}

    def misfit(pair: tuple[str, str], length: float) -> float:
        a, b = pair
        alike = sum(frozenset((a, near)) in tickets for near in steps.get(b, ())) + sum(
            frozenset((b, near)) in tickets for near in steps.get(a, ())
        )
        return abs(free[pair] - length) + USED * (uses[a] + uses[b]) + ALIKE * alike

    nearest = {length: sorted(order, key=lambda pair: abs(free[pair] - length)) for length in set(lengths)}

    def take(length: float) -> tuple[str, str]:
        near = islice((pair for pair in nearest[length] if frozenset(pair) not in tickets), _NEAREST)
        pair = min(near, key=lambda candidate: misfit(candidate, length))
        uses.update(pair)
        tickets.add(frozenset(pair))
        return pair

    dealt_pairs = [take(length) for length in lengths]
    for _ in range(_ROUNDS):
        before = list(dealt_pairs)
        for number, length in enumerate(lengths):
            pair = dealt_pairs[number]
            uses.subtract(pair)
            tickets.discard(frozenset(pair))
            dealt_pairs[number] = take(length)
        if dealt_pairs == before:
            break
    return dealt_pairs
