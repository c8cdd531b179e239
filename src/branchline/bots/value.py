"""What a position is worth to a seat: a small network over what every seat has, holds and plans.

`search` asks it where a playout stops before the game has ended. It was trained on games between planners that stray
now and then; `benchmarks/value_network.py` makes it anew. Each edition has a network of its own, a general one serves
all other boards; some inputs say what the board is like. All serve every number of seats: the seats stand in them in
their order, the absent ones as zeros.
"""

from __future__ import annotations

import functools
import math
from pathlib import Path
from typing import Any

import numpy as np

from branchline.atlas import Board
from branchline.atlas.digest import digest_under
from branchline.atlas.limits import MAX_SEATS
from branchline.atlas.tables import MARKED, TRAIN, WILD_KIND
from branchline.bots import plan, planner, route_values
from branchline.rules import scoring
from branchline.rules.kernel import popcount, rule, shared_rule

OF_SEAT = 47
OF_BOARD = 14
INPUTS = MAX_SEATS * OF_SEAT + OF_BOARD
AIMS = 3  # routes of each seat's schedule that are looked at
WIDE, NARROW = 48, 16  # the layers
HIDDEN = WIDE + NARROW
SIZE = (INPUTS + 1) * WIDE + (WIDE + 1) * NARROW + NARROW + 1
"""Numbers in a network: each layer's weights, input by input, and then its biases."""

FILE = Path(__file__).with_name("value_networks.npz")
GENERAL = "general"


@functools.cache
def networks() -> dict[str, Any]:
    """The networks that ship with the package, by name: SIZE numbers each."""
    with np.load(FILE) as file:
        found = {name: file[name].astype(np.float32) for name in file.files}
    if wrong := [name for name, numbers in found.items() if numbers.shape != (SIZE,)]:
        raise ValueError(f"{FILE}: {wrong[0]} is not a network for {INPUTS} inputs")
    return found


def network(board: Board) -> Any:
    """The network for a board: its own, or the general one."""
    return networks().get(name_on(board), networks()[GENERAL])


def name_on(board: Board) -> str:
    """The name of a board's own network: it counts for exactly this board, whatever the version of its rules."""
    return f"{board.id}-{digest_under(board, 0)}"


@shared_rule
def look(board: Any, state: Any, scratch: Any, memories: Any, seat: int, inputs: Any) -> None:
    """Write the inputs: the seat's own, those of the others by falling score as it stands, those of the board.

    All hands and tickets must be known, as in an imagined world. Each seat's memory has its plan afterwards.
    """
    scoring.score(board, state, scratch)
    for n in range(INPUTS):
        inputs[n] = 0.0
    for other in range(state.seats):
        planner.want(board, state, memories[other], other)
    for other in range(state.seats):
        at = OF_SEAT * place_of(state, scratch, seat, other)
        look_at_seat(board, state, scratch, memories[other], other, inputs, at)
        look_at_plan(board, state, memories[other], other, inputs, at + 27 + 3 * AIMS)
        look_at_rivals(board, state, memories, other, inputs, at + 34 + 3 * AIMS)
        look_at_hand(board, state, other, inputs, at + 36 + 3 * AIMS)
    at = MAX_SEATS * OF_SEAT
    inputs[at] = state.turns / (25.0 * state.seats)
    inputs[at + 1] = state.turns_to_go >= 0
    inputs[at + 2] = max(0, state.turns_to_go) / (1.0 * state.seats)
    inputs[at + 3] = state.seats / 5.0
    inputs[at + 4] = (board.fleet + board.pieces[0] + board.pieces[1]) / 50.0
    inputs[at + 5] = board.trail_bonus / 10.0
    inputs[at + 6] = board.tickets_bonus / 10.0
    inputs[at + 7] = board.stations / 3.0
    inputs[at + 8] = board.passenger_colours / 5.0
    inputs[at + 9] = board.ports / 3.0
    inputs[at + 10] = board.extra_turns
    inputs[at + 11] = board.routes / 100.0
    inputs[at + 12] = (state.ticket_count[0] + state.ticket_count[1]) / 30.0
    inputs[at + 13] = (state.deck_size[0] + state.deck_size[1]) / 100.0


@rule
def place_of(state: Any, scratch: Any, seat: int, other: int) -> int:
    """Where a seat stands among the inputs: the one that asks, then whoever has most; of equals the first."""
    if other == seat:
        return 0
    ahead = 1
    for one in range(state.seats):
        if one not in (seat, other):
            more = scratch.total[one] - scratch.total[other]
            ahead += more > 0 or (more == 0 and one < other)
    return ahead


@rule
def look_at_seat(board: Any, state: Any, scratch: Any, memory: Any, seat: int, inputs: Any, at: int) -> None:
    """The inputs of one seat, most of them about 0 to 3."""
    inputs[at] = 1.0
    inputs[at + 1] = (seat - state.seat + state.seats) % state.seats / (1.0 * state.seats)  # how soon it is asked
    inputs[at + 2] = scratch.total[seat] / 30.0  # if the game ended now
    inputs[at + 3] = scratch.routes[seat] / 30.0
    inputs[at + 4] = (scratch.tickets[seat] + scratch.tours[seat]) / 30.0
    inputs[at + 5] = scratch.trail[seat] / 15.0
    inputs[at + 6] = scratch.trail_bonus[seat] / 10.0
    inputs[at + 7] = scratch.passengers[seat] / 30.0
    inputs[at + 8] = scratch.ports[seat] / 30.0
    inputs[at + 9] = scratch.tickets_bonus[seat] / 10.0
    inputs[at + 10] = scratch.stations[seat] / 10.0
    inputs[at + 11] = state.pieces[seat, 0] / 15.0
    inputs[at + 12] = state.pieces[seat, 1] / 15.0
    inputs[at + 13] = state.hand_size[seat, 0] / 5.0
    inputs[at + 14] = state.hand_size[seat, 1] / 5.0
    inputs[at + 15] = state.hand[seat, WILD_KIND] / 2.0
    inputs[at + 16] = scratch.tickets_done[seat] / 3.0
    look_at_tickets(board, memory, inputs, at + 17)
    inputs[at + 21] = memory.plan_pieces[0] / 15.0
    inputs[at + 22] = memory.plan_pieces[1] / 15.0
    inputs[at + 23] = memory.time_left / 1000.0
    inputs[at + 24] = memory.time_needed / 1000.0
    inputs[at + 25] = memory.aims / 3.0
    inputs[at + 26] = memory.turn_price / 30.0
    for n in range(min(AIMS, memory.aims)):
        route = memory.aim[n]
        inputs[at + 27 + 3 * n] = memory.rate[route] / 1000.0
        inputs[at + 28 + 3 * n] = memory.missing[route] / 2.0
        inputs[at + 29 + 3 * n] = memory.route_value[route] / 100.0


@rule
def look_at_plan(board: Any, state: Any, memory: Any, seat: int, inputs: Any, at: int) -> None:
    """Seven inputs: claims planned, what the schedule brings and lacks, what the time left is worth, pieces."""
    planned = 0
    for word in range(board.route_words):
        planned += popcount(memory.plan[word])
    brings = 0
    lacks = 0
    ready = 0
    for n in range(memory.aims):
        route = memory.aim[n]
        brings += memory.route_value[route]
        lacks += memory.missing[route]
        ready += memory.missing[route] == 0
    inputs[at] = planned / 5.0
    inputs[at + 1] = brings / 300.0
    inputs[at + 2] = lacks / 10.0
    inputs[at + 3] = ready / 2.0
    inputs[at + 4] = memory.turn_price * memory.time_left / 30_000.0
    inputs[at + 5] = max(0, plan.all_pieces(board, state, seat) - plan.cards_held(state, seat)) / 15.0
    inputs[at + 6] = state.ports_built[seat] / 3.0


@rule
def look_at_rivals(board: Any, state: Any, memories: Any, seat: int, inputs: Any, at: int) -> None:
    """Two inputs: on how many routes of the plan, and of the schedule, another seat has designs."""
    planned = 0
    for word in range(board.route_words):
        others = 0
        for other in range(state.seats):
            if other != seat:
                others |= memories[other].plan[word]
        planned += popcount(memories[seat].plan[word] & others)
    aimed = 0
    for other in range(state.seats):
        if other != seat:
            for n in range(memories[seat].aims):
                for m in range(memories[other].aims):
                    aimed += memories[seat].aim[n] == memories[other].aim[m]
    inputs[at] = planned / 3.0
    inputs[at + 1] = aimed / 3.0


@rule
def look_at_hand(board: Any, state: Any, seat: int, inputs: Any, at: int) -> None:
    """Two inputs: the cards of the commonest colour in hand, and the passengers taken."""
    most = 0
    for n in range(board.colours):
        colour = board.colour[n]
        most = max(most, state.hand[seat, TRAIN + colour] + state.hand[seat, MARKED + colour])
    taken = 0
    for n in range(board.passenger_colours):
        taken += state.passengers[seat, board.passenger_colour[n]]
    inputs[at] = most / 4.0
    inputs[at + 1] = taken / 10.0


@rule
def look_at_tickets(board: Any, memory: Any, inputs: Any, at: int) -> None:
    """Four inputs: what the tickets still to be done swing, those given up, how many are open, how long the longest."""
    swing = 0
    lost = 0
    still_open = 0
    claims = 0
    for n in range(memory.held_count):
        ticket = memory.held[n]
        if memory.outlook[n] == plan.GIVEN_UP:
            lost += board.ticket_penalty[ticket]
        elif memory.outlook[n] != plan.DONE:
            swing += board.ticket_any_order[ticket] + board.ticket_penalty[ticket]
            still_open += 1
            claims = max(claims, route_values.claims_missing(board, memory, n))
    inputs[at] = swing / 30.0
    inputs[at + 1] = lost / 20.0
    inputs[at + 2] = still_open / 3.0
    inputs[at + 3] = claims / 4.0


@rule
def judge(net: Any, inputs: Any, hidden: Any) -> float:
    """The value, 0 to 1, in the sense of `rollout.value_of`. `hidden`: room for HIDDEN numbers."""
    bias = INPUTS * WIDE
    for j in range(WIDE):
        hidden[j] = net[bias + j]
    for i in range(INPUTS):
        x = inputs[i]
        if x != 0.0:
            for j in range(WIDE):
                hidden[j] += x * net[i * WIDE + j]
    second = bias + WIDE
    bias = second + WIDE * NARROW
    for j in range(NARROW):
        hidden[WIDE + j] = net[bias + j]
    for i in range(WIDE):
        x = hidden[i]
        if x > 0.0:
            for j in range(NARROW):
                hidden[WIDE + j] += x * net[second + i * NARROW + j]
    last = bias + NARROW
    found = 0.0 + net[last + NARROW]
    for j in range(NARROW):
        found += max(0.0, hidden[WIDE + j]) * net[last + j]
    return 1.0 / (1.0 + math.exp(-found))
