"""The weights of `planner`: what its heuristics count.

The general ones serve every board. A board may have weights of its own, tuned on it (`tuned_weights`).
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
    "plenty",  # per cent of the cards that can still be spent from which on a hand is a glut
    "glut",  # hundredths of a turn that a card missing takes more, when the hand is so much larger: 100 per cent
    "trail",  # tenths of points for each space of a route that touches the own ones, if the longest trail has a bonus
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
    PLENTY,
    GLUT,
    TRAIL,
) = range(len(NAMES))

GENERAL = np.array(
    [
        # turn, missing, paid, wild, scored, piece, tunnel, passenger, off_plan, danger, draw_at, second, keep, slack
        *(103, 20, 5, 21, 37, 7, 5, 19, 73, 28, 41, 83, 36, 11),
        # most, reserve, wild_taken, blind, aims, first_long, finish, ready, going, nerve, port, linger, busy
        *(39, 3, 338, 123, 3, 6, 20, 66, 27, 384, 53, 28, 0),
        # plenty, glut, trail
        *(55, 65, 5),
    ],
    dtype=np.int32,
)
"""The general weights, found by `benchmarks/general_weights.py` over many boards.

Two of them are in per cent of what the board is like: `turn` of what a turn brings on it, `keep` of a ticket's mean
value.
"""

LARGEST = 1000  # of any weight
MOST_AIMS = 16


@rule
def look_up(board: Any, memory: Any) -> None:
    """Put the general weights, as they are on this board, in the memory, unless others were put there."""
    if memory.tuned:
        return
    for n in range(len(GENERAL)):
        memory.weight[n] = GENERAL[n]
    spaces = 0
    points = 0
    half_turns = 0  # to claim every route: one turn for the claim, one for every two cards
    for route in range(board.routes):
        spaces += board.route_length[route]
        points += board.route_points[route]
        half_turns += 2 + board.route_price[route]
    memory.weight[TURN] = share_of(GENERAL[TURN], 20 * (points + spaces), half_turns)
    value = 0
    for ticket in range(board.tickets):
        value += board.ticket_any_order[ticket]
    memory.weight[KEEP] = share_of(GENERAL[KEEP], 10 * value, board.tickets)


@rule
def share_of(per_cent: int, whole: int, parts: int) -> int:
    """So many per cent of the mean of `whole` over `parts`, rounded."""
    return min(LARGEST, (per_cent * whole + 50 * parts) // (100 * max(1, parts)))
