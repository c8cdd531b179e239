"""The memory of a compiled bot: one flat record in which it computes, and keeps its plan from move to move.

A memory belongs to one seat in one game. It is empty at the start but for `luck`, the bot's own random generator;
so `rules.chance.below(memory, n)` is the bot's dice, never the game's.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from branchline.atlas.limits import MAX_COLOURS, MAX_LENGTH, MAX_PLACES, MAX_ROUTES, MAX_TICKETS
from branchline.atlas.tables import KINDS, PLACE_WORDS, ROUTE_WORDS
from branchline.bots.weights import MOST_AIMS, NAMES
from branchline.rules import chance, kernel

MAX_HELD = 40  # tickets of one seat that are planned for; nobody has been seen to hold half as many
NOTES = 64
MOST_ALIKE = 2 * MAX_LENGTH  # cards of one colour; nothing takes more

MEMORY = np.dtype(
    [
        ("luck", np.int64, 4),  # the bot's own random generator
        ("notes", np.int64, NOTES),  # free for any bot
        ("weight", np.int32, len(NAMES)),  # of the heuristics, see `weights`
        ("tuned", np.int8),  # 1: the weights are not the general ones, but were put there
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
        ("front", np.int64, MAX_PLACES),  # places reached, but not yet left, with their distance
        ("front_at", np.int16, MAX_PLACES),  # where on the front a place is
        ("front_size", np.int16),
        # the plan
        ("held", np.int16, MAX_HELD),  # tickets, most valuable first
        ("held_count", np.int16),
        ("outlook", np.int8, MAX_HELD),  # of each: DONE, PLANNED, BORROWING or GIVEN_UP
        ("joined", np.int8, MAX_TICKETS),  # 1: own routes alone join its places
        ("connection", np.int64, (MAX_HELD, ROUTE_WORDS)),  # of each: routes that its plan still had to claim
        ("plan", np.int64, ROUTE_WORDS),  # routes to be claimed
        ("trial", np.int64, ROUTE_WORDS),  # the connection being tried
        ("plan_pieces", np.int16, 2),  # pieces the plan takes, of each kind
        ("trial_pieces", np.int16, 2),
        ("given_up", np.int16),  # tickets without a way
        ("withdrew_with", np.int16),  # cards in hand when a tunnel failed, 0 if none did
        ("station_at", np.int16),  # where a station would save one, or -1
        # cards
        ("route_value", np.int32, MAX_ROUTES),  # of claiming each route, in tenths of points; 0: not now
        ("valued_beside", np.int16),  # the route being paid when all got their value, or forest.NOT_VALUED
        ("rate", np.int32, MAX_ROUTES),  # the same for each half-turn it takes
        ("shortlist", np.int16, MAX_ROUTES),  # routes that are compared, see `forest` and `schedule`
        ("shortlist_size", np.int16),
        ("bound", np.int32, MAX_ROUTES),  # of each on the shortlist: its rate with all cards in hand; 0: struck off
        ("missing", np.int16, MAX_ROUTES),  # cards each route still takes, the wilds in hand being used
        ("spare", np.int16, KINDS),  # cards in hand that no better route has laid claim to
        ("trains_of", np.int8, MOST_ALIKE + 1),  # the first colour of which there are so many spare train cards
        ("ships_of", np.int8, MOST_ALIKE + 1),  # the first colour whose spare ship cards cover so many spaces
        ("trains_most", np.int8),  # spare train cards of the commonest colour
        ("ships_most", np.int8),  # likewise, in spaces
        ("need", np.int32, KINDS),  # how much another card of a kind is wanted
        ("aim", np.int16, MOST_AIMS),  # the schedule: routes to be claimed, the one that brings most for its time first
        ("aims", np.int16),
        ("ruled_out", np.int64, ROUTE_WORDS),  # routes on the schedule, and their parallels
        # time, in hundredths of turns
        ("takes_route", np.int32, MAX_ROUTES),  # that claiming each route takes, its cards included
        ("missing_price", np.int32),  # of a card missing
        ("card_price", np.int32),  # of a card in hand
        ("turn_price", np.int32),  # what a turn is worth, in tenths of points
        ("time_left", np.int32),
        ("time_needed", np.int32),
        ("too_late", np.int16),  # tickets given up for want of time
        # passengers
        ("stake", np.int32, MAX_COLOURS),  # what one more of each colour is worth, in tenths of points
        ("waits", np.int32, MAX_PLACES),  # the most that one waiting at each place is worth
        # the longest trail
        ("trails_pieces", np.int16),  # the pieces the seat had, and
        ("trails_reached", np.int64, PLACE_WORDS),  # the places it had reached, when it was looked for
        ("longest_trail", np.int16),  # spaces
        ("trail_to", np.int16, MAX_PLACES),  # spaces of the longest one that ends at each place
        ("part", np.int16, MAX_PLACES),  # of the network: its first place, for each place
        ("walked", np.int64, ROUTE_WORDS),  # routes of the trail being walked,
        ("walk_route", np.int16, MAX_ROUTES + 1),  # the same in their order,
        ("walk_place", np.int16, MAX_ROUTES + 1),  # the places they lead to,
        ("walk_way", np.int16, MAX_ROUTES + 1),  # and the next way to be tried from each
        # what the value network sees
        ("plan_reaches", np.int64, PLACE_WORDS),  # places with a planned route
        # prospects
        ("looked_at", np.int8, MAX_PLACES),  # 1: in a part of the network that was looked at
        ("gain", np.int32, MAX_TICKETS),  # what each unseen ticket would bring, in tenths of points
        ("on_the_way", np.int16, (MAX_PLACES, 2)),  # pieces of each kind that the cheapest way takes
        ("takes", np.int32, MAX_PLACES),  # hundredths of turns that it takes
    ],
    align=True,
)


def new_memory(count: int = 1) -> Any:
    """A buffer of `count` empty memories."""
    return kernel.new_buffer(MEMORY, count)


@kernel.rule
def forget(memory: Any, seed: int) -> None:
    """Begin anew, with luck by this seed: no plan, no notes."""
    chance.seed(memory, seed)
    memory.planned = 0
    for n in range(len(memory.notes)):
        memory.notes[n] = 0


def seed(memory: Any, number: int) -> None:
    """Seed the random generator of a memory."""
    chance.seed(memory, number)
