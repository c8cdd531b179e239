"""The memory of a compiled bot: one flat record in which it computes, and keeps its plan from move to move.

A memory belongs to one seat in one game. It is empty at the start but for `luck`, the bot's own random generator;
so `rules.chance.below(memory, n)` is the bot's dice, never the game's.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from branchline.boards.limits import MAX_COLOURS, MAX_LENGTH, MAX_PLACES, MAX_ROUTES, MAX_TICKETS
from branchline.boards.tables import KINDS, PLACE_WORDS, ROUTE_WORDS
from branchline.bots.api.weights import MOST_AIMS, NAMES
from branchline.rules import chance, kernel
from branchline.runtime.structs import Buffer, Int8, Int16, Int32, Matrix, Records, Struct, Vector, layout

MAX_HELD = 40  # tickets of one seat that are planned for; nobody has been seen to hold half as many
NOTES = 64
MOST_ALIKE = 2 * MAX_LENGTH  # cards of one colour; nothing takes more


class Memory(Struct):
    """What a bot keeps from move to move."""

    luck: Annotated[Vector, np.int64, 4]  # the bot's own random generator
    notes: Annotated[Vector, np.int64, NOTES]  # free for any bot
    weight: Annotated[Vector, np.int32, len(NAMES)]  # of the heuristics, see `weights`
    tuned: Int8  # 1: the weights are not the general ones, but were put there
    # for whom and when the plan was made
    planned: Int8  # 0: there is no plan yet
    seat: Int8
    turns: Int16
    tickets: Int16
    stations: Int16
    # ways out of each place, and what a route costs to build
    first_way: Annotated[Vector, np.int16, MAX_PLACES + 1]
    way_route: Annotated[Vector, np.int16, 2 * MAX_ROUTES]
    way_place: Annotated[Vector, np.int16, 2 * MAX_ROUTES]
    price: Annotated[Vector, np.int32, MAX_ROUTES]  # on an empty board
    cost: Annotated[Vector, np.int32, MAX_ROUTES]  # now: 0 for own and planned routes, NEVER for lost ones
    distance: Annotated[Vector, np.int32, MAX_PLACES]
    came_by: Annotated[Vector, np.int16, MAX_PLACES]
    front: Annotated[Vector, np.int64, MAX_PLACES]  # places reached, but not yet left, with their distance
    front_at: Annotated[Vector, np.int16, MAX_PLACES]  # where on the front a place is
    front_size: Int16
    # the plan
    held: Annotated[Vector, np.int16, MAX_HELD]  # tickets, most valuable first
    held_count: Int16
    outlook: Annotated[Vector, np.int8, MAX_HELD]  # of each: DONE, PLANNED, BORROWING or GIVEN_UP
    joined: Annotated[Vector, np.int8, MAX_TICKETS]  # 1: own routes alone join its places
    connection: Annotated[Matrix, np.int64, MAX_HELD, ROUTE_WORDS]  # of each: routes that its plan still had to claim
    plan: Annotated[Vector, np.int64, ROUTE_WORDS]  # routes to be claimed
    trial: Annotated[Vector, np.int64, ROUTE_WORDS]  # the connection being tried
    plan_pieces: Annotated[Vector, np.int16, 2]  # pieces the plan takes, of each kind
    trial_pieces: Annotated[Vector, np.int16, 2]
    given_up: Int16  # tickets without a way
    withdrew_with: Int16  # cards in hand when a tunnel failed, 0 if none did
    station_at: Int16  # where a station would save one, or -1
    # cards
    route_value: Annotated[Vector, np.int32, MAX_ROUTES]  # of claiming each route, in tenths of points; 0: not now
    valued_beside: Int16  # the route being paid when all got their value, or forest.NOT_VALUED
    rate: Annotated[Vector, np.int32, MAX_ROUTES]  # the same for each half-turn it takes
    shortlist: Annotated[Vector, np.int16, MAX_ROUTES]  # routes that are compared, see `forest` and `schedule`
    shortlist_size: Int16
    #: of each on the shortlist: its rate with all cards in hand; 0: struck off
    bound: Annotated[Vector, np.int32, MAX_ROUTES]
    missing: Annotated[Vector, np.int16, MAX_ROUTES]  # cards each route still takes, the wilds in hand being used
    spare: Annotated[Vector, np.int16, KINDS]  # cards in hand that no better route has laid claim to
    #: the first colour of which there are so many spare train cards
    trains_of: Annotated[Vector, np.int8, MOST_ALIKE + 1]
    ships_of: Annotated[Vector, np.int8, MOST_ALIKE + 1]  # the first colour whose spare ship cards cover so many spaces
    trains_most: Int8  # spare train cards of the commonest colour
    ships_most: Int8  # likewise, in spaces
    need: Annotated[Vector, np.int32, KINDS]  # how much another card of a kind is wanted
    #: the schedule: routes to be claimed, the one that brings most for its time first
    aim: Annotated[Vector, np.int16, MOST_AIMS]
    aims: Int16
    ruled_out: Annotated[Vector, np.int64, ROUTE_WORDS]  # routes on the schedule, and their parallels
    # time, in hundredths of turns
    takes_route: Annotated[Vector, np.int32, MAX_ROUTES]  # that claiming each route takes, its cards included
    missing_price: Int32  # of a card missing
    card_price: Int32  # of a card in hand
    turn_price: Int32  # what a turn is worth, in tenths of points
    time_left: Int32
    time_needed: Int32
    too_late: Int16  # tickets given up for want of time
    # passengers
    stake: Annotated[Vector, np.int32, MAX_COLOURS]  # what one more of each colour is worth, in tenths of points
    waits: Annotated[Vector, np.int32, MAX_PLACES]  # the most that one waiting at each place is worth
    # the longest trail
    trails_pieces: Int16  # the pieces the seat had, and
    trails_reached: Annotated[Vector, np.int64, PLACE_WORDS]  # the places it had reached, when it was looked for
    longest_trail: Int16  # spaces
    trail_to: Annotated[Vector, np.int16, MAX_PLACES]  # spaces of the longest one that ends at each place
    part: Annotated[Vector, np.int16, MAX_PLACES]  # of the network: its first place, for each place
    walked: Annotated[Vector, np.int64, ROUTE_WORDS]  # routes of the trail being walked,
    walk_route: Annotated[Vector, np.int16, MAX_ROUTES + 1]  # the same in their order,
    walk_place: Annotated[Vector, np.int16, MAX_ROUTES + 1]  # the places they lead to,
    walk_way: Annotated[Vector, np.int16, MAX_ROUTES + 1]  # and the next way to be tried from each
    # what the value network sees
    plan_reaches: Annotated[Vector, np.int64, PLACE_WORDS]  # places with a planned route
    # prospects
    looked_at: Annotated[Vector, np.int8, MAX_PLACES]  # 1: in a part of the network that was looked at
    gain: Annotated[Vector, np.int32, MAX_TICKETS]  # what each unseen ticket would bring, in tenths of points
    on_the_way: Annotated[Matrix, np.int16, MAX_PLACES, 2]  # pieces of each kind that the cheapest way takes
    takes: Annotated[Vector, np.int32, MAX_PLACES]  # hundredths of turns that it takes


Memories = Records[Memory]

MEMORY = layout(Memory)


def new_memory(count: int = 1) -> Buffer[Memory]:
    """Return a buffer of `count` empty memories."""
    return kernel.new_buffer(MEMORY, count)


@kernel.rule
def forget(memory: Memory, seed: int) -> None:
    """Begin anew, with luck by this seed: no plan, no notes."""
    chance.seed(memory, seed)
    memory.planned = 0
    for n in range(len(memory.notes)):
        memory.notes[n] = 0


def seed(memory: Memory, number: int) -> None:
    """Seed the random generator of a memory."""
    chance.seed(memory, number)
