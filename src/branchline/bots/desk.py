"""The desk of a compiled bot: one flat record on which it reckons and keeps its thoughts from move to move.

A desk belongs to one seat in one game. It is empty at the start but for `luck`, the bot's own random generator;
so `rules.chance.below(desk, n)` is the bot's dice, never the game's.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from branchline.atlas.limits import MAX_PLACES, MAX_ROUTES
from branchline.atlas.tables import KINDS, ROUTE_WORDS
from branchline.rules import chance, kernel

MAX_HELD = 40  # tickets of one seat that are planned for; nobody has been seen to hold half as many
NOTES = 64

DESK = np.dtype(
    [
        ("luck", np.int64, 4),  # the bot's own random generator
        ("notes", np.int64, NOTES),  # free for any bot
        # for whom and when the plan was made
        ("planned", np.int8),  # 0: there is no plan yet
        ("seat", np.int8),
        ("turns", np.int16),
        ("tickets", np.int16),
        ("stations", np.int16),
        # ways out of each place, and what a route costs to build
        ("first_way", np.int16, MAX_PLACES + 1),
        ("way_route", np.int16, 2 * MAX_ROUTES),
        ("way_place", np.int16, 2 * MAX_ROUTES),
        ("price", np.int32, MAX_ROUTES),  # on an empty board
        ("cost", np.int32, MAX_ROUTES),  # now: 0 for own and planned routes, NEVER for lost ones
        ("distance", np.int32, MAX_PLACES),
        ("came_by", np.int16, MAX_PLACES),
        ("settled", np.int8, MAX_PLACES),
        # the plan
        ("held", np.int16, MAX_HELD),  # tickets, most valuable first
        ("held_count", np.int16),
        ("outlook", np.int8, MAX_HELD),  # of each: DONE, PLANNED, BORROWING or GIVEN_UP
        ("connection", np.int64, (MAX_HELD, ROUTE_WORDS)),  # of each: routes that its plan still had to claim
        ("plan", np.int64, ROUTE_WORDS),  # routes to be claimed
        ("trial", np.int64, ROUTE_WORDS),  # the connection being tried
        ("plan_pieces", np.int16, 2),  # pieces the plan takes, of each kind
        ("trial_pieces", np.int16, 2),
        ("given_up", np.int16),  # tickets without a way
        ("station_at", np.int16),  # where a station would save one, or -1
        # cards
        ("worth", np.int32, MAX_ROUTES),  # of claiming each route, in tenths of points; 0: not now
        ("rate", np.int32, MAX_ROUTES),  # the same for each half-turn it takes
        ("missing", np.int16, MAX_ROUTES),  # cards each route still takes, the wilds in hand being used
        ("spare", np.int16, KINDS),  # cards in hand that no better route has laid claim to
        ("need", np.int32, KINDS),  # how much another card of a kind is wanted
    ],
    align=True,
)


def new_desks(count: int = 1) -> Any:
    """A box of empty desks."""
    return kernel.fresh(DESK, count)


def seed(desk: Any, number: int) -> None:
    """Give a desk its luck."""
    chance.seed(desk, number)
