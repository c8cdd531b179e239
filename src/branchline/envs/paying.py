"""What games pay, for compiled code; `envs.rewards` says it by score sheets, and tests compare them."""

from __future__ import annotations

from branchline.boards.tables import BoardTables
from branchline.rules.kernel import rule
from branchline.rules.state import Scratch, State

WIN, MARGIN, POINTS, SHAPED = range(4)
"""The numbers of `envs.rewards.REWARDS`."""


@rule
def final_worth(scratch: Scratch, seats: int, seat: int, reward: int) -> float:
    """Return what a game that was scored is worth to a seat, by the number of a reward."""
    if reward == POINTS:
        return float(scratch.total[seat] / 100.0)
    if reward != WIN:
        best = -32768
        for other in range(seats):
            if other != seat and scratch.total[other] > best:
                best = scratch.total[other]
        return float((scratch.total[seat] - best) / 100.0)
    winners = 0
    for other in range(seats):
        winners += scratch.winner[other]
    return float((scratch.winner[seat] * seats / winners - 1.0) / (seats - 1))


@rule
def lead_so_far(board: BoardTables, state: State, seats: int, seat: int) -> float:
    """Return the points, in hundreds, by which a seat leads in what everybody sees while the game runs."""
    best = -32768
    for other in range(seats):
        if other != seat:
            best = max(best, state.route_points[other] - board.swap_price * state.swapped[other])
    return float((state.route_points[seat] - board.swap_price * state.swapped[seat] - best) / 100.0)


@rule
def rank_of(scratch: Scratch, seats: int, seat: int) -> int:
    """Return the rank of a seat in a game that was scored, from 1: winners come first, then totals, as in
    `game.sheet`.
    """
    rank = 1
    for other in range(seats):
        if scratch.winner[other] > scratch.winner[seat] or (
            scratch.winner[other] == scratch.winner[seat] and scratch.total[other] > scratch.total[seat]
        ):
            rank += 1
    return rank
