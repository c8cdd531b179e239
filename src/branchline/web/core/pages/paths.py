"""Paths over routes, to be lit on the map: the shortest between two places, and the longest trail."""

from __future__ import annotations

import functools
from collections.abc import Iterable

from branchline.boards import Board, Place, Route
from branchline.boards.ways import Reached, Step, nearest_first, passes, way_to
from branchline.game.scratch import scratch_buffer
from branchline.rules import kernel, setup, trail
from branchline.rules.state import STATE


def shortest_path(
    board: Board, routes: Iterable[Route], start: Place, goal: Place, paid: Iterable[Route] = ()
) -> tuple[Route, ...] | None:
    """Return the shortest path over these routes, or None. A country is never passed through (TIC-4).

    Those of the routes that are `paid` count as if they had no length.
    """
    return cheapest_path(board, prices(board, routes, paid), start, goal)


Prices = list[int]
"""What each route of a board costs, by its number; `BARRED`: it cannot be used."""

BARRED = -1


def prices(board: Board, routes: Iterable[Route], paid: Iterable[Route] = ()) -> Prices:
    """Return these routes at their lengths, and those that are `paid` at no cost; all others are barred."""
    lengths = [BARRED] * len(board.routes)
    for route in routes:
        lengths[route.index] = route.length
    for route in paid:
        if lengths[route.index] > 0:
            lengths[route.index] = 0
    return lengths


def cheapest_path(board: Board, prices: Prices, start: Place, goal: Place) -> tuple[Route, ...] | None:
    """Return the path of the lowest price, or None. A country is never passed through (TIC-4)."""
    edges = _edges_of(board)

    def steps(here: int) -> list[Step[int]]:
        if not passes(board, start, here):
            return []
        return [(there, prices[route], route) for route, there in edges[here] if prices[route] >= 0]

    reached: dict[int, Reached] = {}
    for here, way in nearest_first(start.index, steps):
        reached[here] = way
        if here == goal.index:
            return tuple(board.routes[route] for route in way_to(here, reached))
    return None


@functools.lru_cache(maxsize=64)
def _edges_of(board: Board) -> list[list[tuple[int, int]]]:
    """Return of each place the routes that end there, with their other ends."""
    edges: list[list[tuple[int, int]]] = [[] for _ in board.places]
    for route in board.routes:
        edges[route.a.index].append((route.index, route.b.index))
        edges[route.b.index].append((route.index, route.a.index))
    return edges


@functools.lru_cache(maxsize=256)
def longest_trail(board: Board, routes: tuple[Route, ...]) -> tuple[Route, ...]:
    """Return the routes of one longest trail of these."""
    tables, state = kernel.record_in(board.tables), kernel.record_in(kernel.new_buffer(STATE))
    state.seats = 1
    setup.empty_table(tables, state)
    for route in routes:
        state.route_owner[route.index] = 0
    scratch = kernel.record_in(scratch_buffer())
    trail.keep_longest(tables, state, scratch, 0)
    return tuple(board.routes[scratch.own[n]] for n in range(scratch.own_count))
