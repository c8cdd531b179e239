"""The weights of `planner`: what its heuristics count.

The general ones serve every board. A board may have weights of its own, tuned on it (`tuned_weights`).
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from branchline.boards.tables import BoardTables
from branchline.rules.kernel import rule
from branchline.runtime.structs import Vector

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
    "trail",  # tenths of points for each space by which the longest trail grows, if there is a bonus for it
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

PLAIN, CITY, SUBWAYS, PASSENGERS, PORTS = range(5)  # families of boards
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
                *(166, 1, 0, 12, 98, 15, 5, 25, 82, 25, 87, 31, 0),
                *(96, 22, 1, 228, 85, 13, 7, 22, 78, 10, 363, 102, 20),
                *(1, 46, 106, 6, 120, 11, 24, 9, 9, 17, 89, 39),
            ],
        ],
        [  # city
            [
                *(132, 9, 1, 9, 20, 1, 250, 2, 107, 87, 7, 37, 7),
                *(25, 19, 2, 595, 86, 6, 27, 21, 55, 9, 213, 8, 2),
                *(1, 19, 41, 12, 58, 19, 53, 4, 6, 21, 82, 17),
            ],
            [
                *(202, 13, 0, 4, 126, 17, 2, 194, 116, 7, 26, 20, 15),
                *(39, 10, 54, 366, 114, 4, 12, 14, 64, 11, 655, 21, 0),
                *(4, 70, 89, 21, 33, 9, 52, 12, 20, 23, 57, 11),
            ],
        ],
        [  # subways
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
                *(514, 6, 5, 31, 121, 17, 34, 52, 77, 52, 28, 149, 23),
                *(19, 172, 3, 586, 152, 16, 14, 19, 90, 4, 406, 166, 279),
                *(2, 41, 86, 0, 104, 5, 7, 0, 8, 10, 45, 24),
            ],
            [
                *(293, 14, 7, 43, 147, 29, 32, 0, 48, 31, 2, 91, 23),
                *(10, 326, 6, 452, 75, 16, 51, 8, 85, 10, 290, 158, 36),
                *(0, 33, 26, 4, 360, 50, 26, 5, 1, 5, 75, 4),
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
FEW_PIECES = 25  # of a seat: a game of a dozen turns, or of two with subways, which take many cards for a piece
MOST_AIMS = 16


class Weighted(Protocol):
    """A record with weights in it: the memory of a bot."""

    weight: Vector
    tuned: int


@rule
def look_up(board: BoardTables, seats: int, memory: Weighted) -> None:
    """Put the general weights, as they are on this board, in the memory, unless others were put there."""
    if memory.tuned:
        return
    family, row = family_of(board), row_of(seats)
    for n in range(len(NAMES)):
        memory.weight[n] = GENERAL[family, row, n]
    whole, parts = turn_value(board)
    memory.weight[TURN] = share_of(GENERAL[family, row, TURN], whole, parts)
    whole, parts = ticket_value(board)
    memory.weight[KEEP] = share_of(GENERAL[family, row, KEEP], whole, parts)


@rule
def turn_value(board: BoardTables) -> tuple[int, int]:
    """Return the value of a turn if all routes are claimed, in tenths of points: as a whole, and through how much of
    it.

    A space counts as much as a point; it takes a turn to claim a route, and one for every two cards.
    """
    brought = 0
    half_turns = 0
    for route in range(board.routes):
        brought += board.route_points[route] + board.route_length[route]
        half_turns += 2 + board.route_price[route]
    return 20 * brought, half_turns


@rule
def ticket_value(board: BoardTables) -> tuple[int, int]:
    """Return the mean value of a ticket, in tenths of points, as the value of all and their number."""
    value = 0
    for ticket in range(board.tickets):
        value += board.ticket_any_order[ticket]
    return 10 * value, board.tickets


@rule
def family_of(board: BoardTables) -> int:
    """Return the family of general weights for a board: ports, passengers, and short games change what everything is
    worth.
    """
    if board.ports:
        return PORTS
    if board.passenger_colours:
        return PASSENGERS
    if board.pieces[0] + board.pieces[1] > FEW_PIECES:
        return PLAIN
    return SUBWAYS if board.pieces[1] else CITY


@rule
def row_of(seats: int) -> int:
    """Return which of a family's general weights are for this number of seats."""
    return FOR_TWO if seats == 2 else FOR_MORE


@rule
def share_of(per_cent: int, whole: int, parts: int) -> int:
    """Return `per_cent` per cent of the mean of `whole` over `parts`, rounded."""
    return min(LARGEST, (per_cent * whole + 50 * parts) // (100 * max(1, parts)))
