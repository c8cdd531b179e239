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
    "busy",  # turns that the plan may still take when tickets are drawn
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
    BUSY,
) = range(len(NAMES))

# turn, missing, paid, wild, scored, piece, tunnel, passenger, off_plan, danger, draw_at, second, keep, slack,
# most, reserve, wild_taken, blind, aims, first_long, finish, ready, going, nerve, port, linger, busy
TABLE = np.array(
    [
        [  # Berlin: two seats, more
            (17, 22, 4, 12, 59, 12, 0, 0, 12, 7, 154, 185, 7, 23, 12, 0, 473, 109, 1, 17, 70, 70, 14, 179, 0, 0, 99),
            (26, 21, 6, 20, 62, 7, 0, 0, 1, 15, 60, 46, 17, 18, 18, 0, 475, 96, 1, 10, 33, 61, 35, 157, 0, 22, 99),
        ],
        [  # Europe
            (34, 5, 13, 15, 53, 5, 0, 0, 38, 13, 120, 100, 9, 6, 41, 3, 120, 147, 3, 0, 62, 49, 38, 468, 0, 4, 0),
            (45, 5, 16, 11, 80, 9, 9, 0, 40, 7, 150, 60, 13, 18, 15, 0, 237, 158, 1, 7, 6, 77, 43, 324, 0, 9, 0),
        ],
        [  # Germany
            (39, 34, 15, 27, 0, 0, 0, 66, 44, 44, 172, 22, 40, 56, 32, 0, 362, 107, 4, 9, 38, 66, 66, 268, 0, 0, 99),
            (113, 43, 30, 28, 5, 0, 0, 19, 98, 26, 42, 50, 30, 111, 51, 0, 710, 68, 9, 12, 48, 59, 30, 184, 0, 16, 99),
        ],
        [  # World
            (50, 14, 10, 44, 44, 4, 0, 0, 24, 18, 120, 100, 63, 71, 46, 0, 330, 75, 3, 9, 65, 62, 9, 250, 105, 7, 0),
            (106, 16, 9, 22, 70, 8, 0, 0, 47, 5, 150, 60, 31, 66, 55, 0, 348, 111, 3, 0, 35, 75, 49, 81, 238, 26, 0),
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
def look_up(board: Any, state: Any, memory: Any) -> None:
    """Put the weights for this board and these seats in the memory, unless others were put there."""
    if memory.tuned == 0:
        row = row_of(board)
        column = column_of(state.seats)
        for n in range(len(TABLE[0, 0])):
            memory.weight[n] = TABLE[row, column, n]
