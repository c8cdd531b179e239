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
    "ready",  # per cent of the best route's rate that one has to reach to be claimed
    "going",  # per cent that the going rate counts in what a turn is worth, the first weight being the rest
    "nerve",  # per cent of the time left that a plan may seem to take before a ticket is given up
    "port",  # per cent as much as it deserves that a port is wanted
    "linger",  # per cent more turns than others would have if they hurried
    "busy",  # turns that the plan may still take when tickets are drawn
    "plenty",  # per cent of the cards that can still be spent from which on a hand is a glut
    "glut",  # hundredths of a turn that a card missing takes more, when the hand is so much larger: 100 per cent
    "trail",  # tenths of points for each space of a route that touches the own ones, if the longest trail has a bonus
    "filled",  # per cent of haste to claim when the hand holds all cards that can still be spent (`urgency`)
    "hurry",  # likewise when one turn is left; half of it with two, and so on
    "rated",  # likewise for the route that brings most for its time; for others in proportion
    "scoring",  # likewise for each point of a route
    "attached",  # likewise for a route that touches the own ones
    "contested",  # likewise for each end of a route where others are
    "priced",  # per cent that the time and the pieces of a plan count when tickets are chosen
    "daring",  # per cent more that tickets have to bring for each ten points ahead; behind so much less
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
    FILLED,
    HURRY,
    RATED,
    SCORING,
    ATTACHED,
    CONTESTED,
    PRICED,
    DARING,
) = range(len(NAMES))

PLAIN, SMALL, PASSENGERS, PORTS = range(4)  # families of boards
FOR_TWO, FOR_MORE = range(2)
GENERAL = np.array(
    [
        [  # plain
            [
                # turn, missing, paid, wild, scored, piece, tunnel, passenger, off_plan, danger, draw_at, second, keep
                *(226, 1, 2, 16, 165, 28, 15, 9, 109, 9, 164, 35, 27),
                # slack, most, reserve, wild_taken, blind, aims, first_long, finish, ready, going, nerve, port, linger
                *(57, 77, 1, 95, 271, 1, 8, 197, 84, 35, 261, 36, 11),
                # busy, plenty, glut, trail, filled, hurry, rated, scoring, attached, contested, priced, daring
                *(1, 83, 273, 8, 71, 29, 29, 1, 1, 17, 53, 1),
            ],
            [
                *(333, 3, 1, 21, 129, 15, 14, 57, 99, 17, 68, 38, 2),
                *(40, 18, 5, 337, 91, 5, 5, 49, 77, 40, 208, 151, 31),
                *(4, 26, 58, 4, 109, 35, 12, 10, 6, 16, 103, 17),
            ],
        ],
        [  # small
            [
                *(88, 4, 9, 11, 65, 13, 137, 5, 99, 35, 12, 94, 5),
                *(3, 15, 0, 283, 101, 16, 4, 5, 65, 30, 475, 18, 2),
                *(0, 3, 44, 11, 71, 3, 34, 8, 30, 3, 107, 5),
            ],
            [
                *(102, 11, 13, 5, 47, 8, 2, 78, 35, 6, 8, 18, 11),
                *(17, 30, 43, 226, 109, 8, 10, 32, 66, 2, 535, 8, 16),
                *(2, 61, 20, 9, 93, 49, 22, 13, 30, 27, 107, 1),
            ],
        ],
        [  # passengers
            [
                *(225, 20, 7, 29, 37, 10, 22, 38, 11, 104, 41, 5, 79),
                *(254, 129, 3, 242, 156, 16, 10, 24, 72, 1, 603, 13, 28),
                *(0, 75, 488, 1, 112, 81, 26, 19, 1, 7, 198, 1),
            ],
            [
                *(76, 13, 15, 4, 14, 3, 15, 25, 13, 52, 122, 14, 36),
                *(126, 53, 8, 270, 141, 9, 10, 46, 63, 45, 1000, 35, 44),
                *(1, 20, 212, 24, 326, 10, 7, 22, 0, 7, 251, 13),
            ],
        ],
        [  # ports
            [
                *(203, 3, 8, 19, 201, 55, 36, 18, 37, 119, 14, 79, 34),
                *(1, 218, 1, 442, 72, 16, 3, 23, 85, 11, 655, 408, 141),
                *(0, 29, 86, 9, 668, 1, 6, 13, 6, 2, 53, 14),
            ],
            [
                *(162, 7, 7, 33, 92, 23, 16, 13, 41, 21, 11, 51, 76),
                *(3, 155, 9, 513, 142, 3, 6, 5, 84, 17, 191, 83, 18),
                *(1, 52, 49, 1, 326, 120, 6, 1, 3, 1, 140, 1),
            ],
        ],
    ],
    dtype=np.int32,
)
"""The general weights of each family of boards, with two seats and with more: in the order of `NAMES`.

They were found by `benchmarks/general_weights.py` over many boards.

Two of them are in per cent of what the board is like: `turn` of what a turn brings on it, `keep` of a ticket's mean
value.
"""

LARGEST = 1000  # of any weight
FEW_PIECES = 25  # of a seat: a game of two dozen turns
MOST_AIMS = 16


@rule
def look_up(board: Any, seats: int, memory: Any) -> None:
    """Put the general weights, as they are on this board, in the memory, unless others were put there."""
    if memory.tuned:
        return
    family, row = family_of(board), row_of(seats)
    for n in range(len(NAMES)):
        memory.weight[n] = GENERAL[family, row, n]
    spaces = 0
    points = 0
    half_turns = 0  # to claim every route: one turn for the claim, one for every two cards
    for route in range(board.routes):
        spaces += board.route_length[route]
        points += board.route_points[route]
        half_turns += 2 + board.route_price[route]
    memory.weight[TURN] = share_of(GENERAL[family, row, TURN], 20 * (points + spaces), half_turns)
    value = 0
    for ticket in range(board.tickets):
        value += board.ticket_any_order[ticket]
    memory.weight[KEEP] = share_of(GENERAL[family, row, KEEP], 10 * value, board.tickets)


@rule
def family_of(board: Any) -> int:
    """Which general weights are for a board: ports, passengers, and short games change what everything is worth."""
    if board.ports:
        return PORTS
    if board.passenger_colours:
        return PASSENGERS
    return SMALL if board.pieces[0] + board.pieces[1] <= FEW_PIECES else PLAIN


@rule
def row_of(seats: int) -> int:
    """Which of a family's general weights are for so many seats."""
    return FOR_TWO if seats == 2 else FOR_MORE


@rule
def share_of(per_cent: int, whole: int, parts: int) -> int:
    """So many per cent of the mean of `whole` over `parts`, rounded."""
    return min(LARGEST, (per_cent * whole + 50 * parts) // (100 * max(1, parts)))
