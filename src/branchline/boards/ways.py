"""The cheapest ways from a place to all others: one search, for whatever a step costs."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple, TypeVar

from branchline.boards.board import Board, Place

Node = TypeVar("Node", int, str, tuple[int, int])
Step = tuple[Node, int, int]
"""Where a step leads, what it costs, and by what: a number of the caller's, such as that of a route."""


class Reached(NamedTuple):
    """A place on a cheapest way: what that costs, the place before it, and by what one came."""

    cost: int
    before: int | str | tuple[int, int] | None
    by: int


def nearest_first(start: Node, steps: Callable[[Node], Iterable[Step[Node]]]) -> Iterator[tuple[Node, Reached]]:
    """Yield each place that can be reached, the cheapest to reach first, beginning with the start.

    Of ways that cost the same, the first that was found counts. A place that `steps` leads nowhere from is a dead end.
    """
    best = {start: Reached(0, None, -1)}
    queue = [(0, start)]
    while queue:
        cost, here = heapq.heappop(queue)
        if cost > best[here].cost:
            continue
        yield here, best[here]
        for there, price, by in steps(here):
            total = cost + price
            if there not in best or total < best[there].cost:
                best[there] = Reached(total, here, by)
                heapq.heappush(queue, (total, there))


def way_to(goal: Node, reached: Mapping[Node, Reached]) -> tuple[int, ...]:
    """Return by what one came to a place, step by step from the start."""
    by: list[int] = []
    here = reached[goal]
    while here.before is not None:
        by.append(here.by)
        here = reached[here.before]  # type: ignore[index]
    return tuple(reversed(by))


def passes(board: Board, start: Place, here: int) -> bool:
    """Return whether a way from the start may lead on through a place: never through a country (TIC-4)."""
    return here == start.index or board.places[here].kind != "country"
