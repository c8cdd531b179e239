"""Dense networks: many short routes on few places, the hardest there are for the longest trail."""

from __future__ import annotations

import random
import time

from branchline.boards import Board, Route
from branchline.boards.tables import BoardTables
from branchline.rules import kernel, routes, setup, trail
from branchline.rules.state import SCRATCH, STATE, Scratch, State


def dense_network(board: Board, pieces: int, seed: int) -> list[Route]:
    """Return a connected network of `pieces` pieces that one seat could build, as full of loops as chance makes it."""
    luck = random.Random(seed)
    own = [luck.choice(board.routes)]
    while True:
        ends = {place.index for route in own for place in (route.a, route.b)}
        held = {route.parallel for route in own}
        left = pieces - sum(route.length for route in own)
        near = [
            route
            for route in board.routes
            if route.length <= left and route.parallel not in held and {route.a.index, route.b.index} & ends
        ]
        if not near:
            return own
        closing = [{route.a.index, route.b.index} <= ends for route in near]
        weights = [(1 + 3 * closes) / route.length**2 for route, closes in zip(near, closing, strict=True)]
        own.append(luck.choices(near, weights)[0])


def laid_out(board: Board, own: list[Route]) -> tuple[BoardTables, State, Scratch]:
    """Return board, state and scratch records, with these routes belonging to seat 0."""
    table = kernel.record_in(board.tables)
    state, scratch = kernel.record_in(kernel.new_buffer(STATE)), kernel.record_in(kernel.new_buffer(SCRATCH))
    state.seats = board.seats[1]
    setup.empty_table(table, state)
    for route in own:
        routes.own(table, state, 0, route.index)
    return table, state, scratch


def time_trails(board: Board, pieces: int, networks: int, seed: int) -> list[float]:
    """Return seconds for the longest trail of `networks` dense networks, slowest last."""
    taken = []
    trail.longest(*laid_out(board, dense_network(board, pieces, seed)), 0)  # compile
    for n in range(networks):
        laid = laid_out(board, dense_network(board, pieces, seed + n))
        started = time.perf_counter()
        trail.longest(*laid, 0)
        taken.append(time.perf_counter() - started)
    return sorted(taken)
