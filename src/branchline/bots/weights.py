"""The weights of `planner`, by edition and seats: what its heuristics count, tuned by `benchmarks/tune.py`.

A board is told by what it has; one that is not in the box is played with the weights of the most alike.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from branchline.rules.kernel import rule

NAMES = (
    "turn",  # what a turn is worth, in tenths of points
    "missing",  # what a card missing takes, in hundredths of a turn
    "paid",  # what a card paid out of the hand takes, in hundredths of a turn
    "wild",  # what a wild paid takes more, in hundredths of a turn
    "scored",  # per cent of a route's own points that count for a plan
    "piece",  # what a piece is worth, in tenths of points
    "tunnel",  # the risk of a tunnel, in hundredths of a turn
    "passenger",  # what a passenger is worth, in tenths of points
    "off_plan",  # per cent of its points that a route beside the plan counts
    "danger",  # per cent more for a planned route that joins places where others are
    "draw_at",  # tickets are drawn when they are expected to bring so many per cent of what a turn does
    "second",  # per cent that further tickets of one draw count
    "keep",  # a ticket beyond those that must be kept has to bring so many tenths of points
    "slack",  # per cent more time than it seems to take that a plan is given
    "most",  # per cent of the bonus for most tickets that each ticket counts
    "reserve",  # turns before the end up to which a reserve is collected for a tunnel
    "wild_taken",  # per cent of the two best others that a wild from the market has to be wanted
    "blind",  # per cent of its mean want that a card from the deck counts
    "aims",  # routes on the schedule
    "first_long",  # tickets from the more valuable deck when the first mix is announced
    "finish",  # per cent more that a card is wanted which completes what a route takes
    "ready",  # per cent of the best route's rate that one has to reach to be claimed before it
    "going",  # per cent that the going rate counts in what a turn is worth, the first weight being the rest
    "nerve",  # per cent of the time left that a plan may seem to take before a ticket is given up
    "port",  # per cent as much as it deserves that a port is wanted
    "linger",  # per cent more turns than others would have if they hurried
)
(
    TURN,
    MISSING,
    PAID,
    WILD,
    SCORED,
    PIECE,
    TUNNEL,
    PASSENGER,
    OFF_PLAN,
    DANGER,
    DRAW_AT,
    SECOND,
    KEEP,
    SLACK,
    MOST,
    RESERVE,
    WILD_TAKEN,
    BLIND,
    AIMS,
    FIRST_LONG,
    FINISH,
    READY,
    GOING,
    NERVE,
    PORT,
    LINGER,
) = range(len(NAMES))

# turn, missing, paid, wild, scored, piece, tunnel, passenger, off_plan, danger, draw_at, second, keep, slack,
# most, reserve, wild_taken, blind, aims, first_long, finish, ready, going, nerve, port, linger
TABLE = np.array(
    [
        [  # Berlin: two seats, more
            (18, 24, 17, 14, 58, 6, 50, 15, 9, 0, 150, 110, 10, 8, 10, 5, 170, 112, 9, 2, 25, 90, 60, 110, 100, 20),
            (26, 21, 6, 20, 62, 7, 0, 0, 1, 15, 60, 46, 17, 18, 18, 0, 475, 96, 1, 10, 33, 61, 35, 157, 0, 22),
        ],
        [  # Europe
            (42, 4, 18, 14, 55, 4, 9, 0, 45, 13, 235, 32, 16, 12, 26, 0, 223, 142, 3, 0, 59, 61, 46, 215, 0, 5),
            (42, 4, 18, 14, 55, 4, 9, 0, 45, 13, 235, 32, 16, 12, 26, 0, 223, 142, 3, 0, 59, 61, 46, 215, 0, 5),
        ],
        [  # Germany
            (67, 36, 26, 31, 33, 0, 48, 34, 80, 30, 200, 53, 28, 50, 20, 4, 165, 91, 9, 5, 29, 85, 48, 76, 100, 13),
            (67, 36, 26, 31, 33, 0, 48, 34, 80, 30, 200, 53, 28, 50, 20, 4, 165, 91, 9, 5, 29, 85, 48, 76, 100, 13),
        ],
        [  # World
            (50, 14, 10, 44, 44, 4, 0, 32, 24, 18, 296, 13, 63, 71, 46, 0, 330, 75, 3, 9, 65, 62, 9, 250, 105, 7),
            (106, 16, 9, 22, 70, 8, 0, 25, 47, 5, 150, 4, 31, 66, 55, 0, 348, 111, 3, 0, 35, 75, 49, 81, 238, 26),
        ],
    ],
    dtype=np.int32,
)


@rule
def row_of(board: Any) -> int:
    """The row of the table for a board, by what it has."""
    if board.ports:
        return 3
    if board.passenger_colours:
        return 2
    if board.stations:
        return 1
    return 0


@rule
def column_of(seats: int) -> int:
    """The column of the table for so many seats: those for three and five are the ones tuned with four."""
    return min(1, seats - 2)


@rule
def look_up(board: Any, state: Any, desk: Any) -> None:
    """Put the weights for this board and these seats on the desk, unless others were put there."""
    if desk.tuned == 0:
        row = row_of(board)
        column = column_of(state.seats)
        for n in range(len(TABLE[0, 0])):
            desk.weight[n] = TABLE[row, column, n]
