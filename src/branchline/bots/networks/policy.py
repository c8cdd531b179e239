"""A learned choice: a small network rates what the planner would consider, and the best rated is done.

The network sees the position and each candidate as the planner does: what is planned, what routes and cards are worth
to it, how much time is left; and which route a claim is of, so that it can learn the map. Only what the seat may know
goes in. A network of zeros rates all alike; then the planner's own choice, which stands first, is done. How a route is
paid for and what a tunnel asks are left to the planner.

`branchline.training` makes such networks; `learned` reads them and plays by them.
"""

from __future__ import annotations

from typing import Annotated, cast

import numpy as np

from branchline.boards.limits import MAX_ROUTES
from branchline.boards.tables import ANY_COLOUR, WILD_KIND, WORD, BoardTables
from branchline.bots.api.memory import Memory
from branchline.bots.networks import value_inputs
from branchline.bots.planner import candidates, drawing, pace, plan, planner, route_values, ticket_prospects, tunnelling
from branchline.bots.planner.candidates import MOST
from branchline.bots.planner.plan import NO_ROUTE
from branchline.rules import turn
from branchline.rules.kernel import popcount, rule, shared_rule, vector_rule
from branchline.rules.sets import is_legal
from branchline.rules.state import (
    BLIND,
    CLAIM,
    DRAW_TICKETS,
    KEEP,
    KEEP_TICKETS,
    NO_CARD,
    PORT,
    REFILL_FROM,
    SECOND_CARD,
    STATION,
    SWAP_PIECES,
    TAKE,
    TURN,
    Scratch,
    State,
)
from branchline.runtime.structs import Int32, Reals, Struct, Vector, layout

POSITION = 48  # inputs of the position
CANDIDATE = 40  # inputs of each candidate
WIDE, NARROW = 64, 32  # the layers
VERSION = 2
"""Of the network. Whatever changes its size, or what its inputs mean, raises it; other versions are refused."""

PARTS = (
    (POSITION, WIDE),  # the first layer: weights of the position,
    (CANDIDATE, WIDE),  # of the candidate,
    (MAX_ROUTES, WIDE),  # of the route that is claimed,
    (1, WIDE),  # biases
    (WIDE, NARROW),  # the second layer
    (1, NARROW),
    (NARROW, 1),  # the rating; only differences count, so that it has no bias
    (1, 1),  # the doubt: by how much another candidate must be rated better than the planner's own
)
SIZE = sum(rows * columns for rows, columns in PARTS)
"""Numbers in a network: these parts one behind the other, each row by row."""

_CANDIDATE_AT = POSITION * WIDE
_ROUTE_AT = _CANDIDATE_AT + CANDIDATE * WIDE
_BIAS_AT = _ROUTE_AT + MAX_ROUTES * WIDE
_SECOND_AT = _BIAS_AT + WIDE
_SECOND_BIAS_AT = _SECOND_AT + WIDE * NARROW
_LAST_AT = _SECOND_BIAS_AT + NARROW
DOUBT_AT = _LAST_AT + NARROW

ZERO = cast(float, np.float32(0.0))
MOST_RATED = cast(float, np.float32(8.0))  # no input is larger


class Considered(Struct):
    """What is noted of a choice."""

    count: Int32
    action: Annotated[Vector, np.int32, MOST]  # the candidates, the planner's own first
    route: Annotated[Vector, np.int32, MOST]  # that each claims, or NO_ROUTE
    position: Annotated[Reals, np.float32, POSITION]
    candidate: Annotated[Reals, np.float32, MOST * CANDIDATE]  # one behind the other
    first: Annotated[Reals, np.float32, WIDE]  # what the position adds to the first layer
    hidden: Annotated[Reals, np.float32, WIDE + NARROW]
    rating: Annotated[Reals, np.float32, MOST]


NOTES = layout(Considered)


@shared_rule
def choose(
    board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int, net: Reals, notes: Considered
) -> int:
    """Return the planner's own answer unless another candidate is rated higher. `net` holds SIZE numbers."""
    question = state.question
    if question != TURN and question != KEEP_TICKETS:  # of second cards it would change few, at a third of the cost
        return planner.choose(board, state, scratch, memory, seat)
    if look(board, state, scratch, memory, seat, notes) == 1:
        return notes.action[0]
    rate(net, notes)
    best = 0
    highest = notes.rating[0] + net[DOUBT_AT]
    for c in range(1, notes.count):
        if notes.rating[c] > highest:
            highest = notes.rating[c]
            best = c
    return notes.action[best]


@shared_rule
def look(board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int, notes: Considered) -> int:
    """List the candidates, and write the inputs if there are several; how many there are."""
    count = candidates.listed(board, state, scratch, memory, seat, notes.action)
    notes.count = without_retries(board, state, scratch, memory, seat, notes.action, count)
    if notes.count > 1:
        for n in range(POSITION):
            notes.position[n] = 0.0
        for n in range(notes.count * CANDIDATE):
            notes.candidate[n] = 0.0
        look_at_candidates(board, state, memory, seat, notes)
        look_at_position(board, state, memory, seat, notes.position)
        limit(notes.position, POSITION)
        limit(notes.candidate, notes.count * CANDIDATE)
    return notes.count


@vector_rule
def limit(inputs: Reals, count: int) -> None:
    """Let none of so many inputs be too large."""
    for n in range(count):
        inputs[n] = max(-MOST_RATED, min(MOST_RATED, inputs[n]))


@rule
def without_retries(
    board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int, actions: Vector, count: int
) -> int:
    """Strike the tunnels off that the planner has no patience for; how many candidates are left. See `tunnelling`."""
    if state.question != TURN:
        return count
    turn.legal(board, state, scratch)
    tunnelling.rule_out_retries(board, state, scratch, memory, seat)
    left = 1
    for c in range(1, count):
        if is_legal(scratch, actions[c]):
            actions[left] = actions[c]
            left += 1
    return left


# -------------------------------------------------------------------------------------------------- the position


@rule
def look_at_position(board: BoardTables, state: State, memory: Memory, seat: int, inputs: Reals) -> None:
    """Set the inputs of the position, most of them between 0 and 3."""
    inputs[0] = state.turns / (25.0 * state.seats)
    inputs[1] = state.turns_to_go >= 0
    inputs[2] = max(0, state.turns_to_go) / (1.0 * state.seats)
    inputs[3] = state.pieces[seat, 0] / 15.0
    inputs[4] = state.pieces[seat, 1] / 15.0
    inputs[5] = state.hand_size[seat, 0] / 5.0
    inputs[6] = state.hand_size[seat, 1] / 5.0
    inputs[7] = state.hand[seat, WILD_KIND] / 2.0
    inputs[8] = state.route_points[seat] / 30.0
    inputs[9] = state.question == TURN
    inputs[10] = state.question == SECOND_CARD
    inputs[11] = state.setting_up
    inputs[12] = state.deck_size[0] / 50.0
    inputs[13] = state.stations_built[seat] / 3.0
    inputs[14] = state.ports_built[seat] / 3.0
    look_at_others(board, state, seat, inputs, 15)
    if state.question != KEEP_TICKETS:  # there it has thought of many plans, one for each set
        look_at_plan(board, memory, inputs, 23)


@rule
def look_at_plan(board: BoardTables, memory: Memory, inputs: Reals, at: int) -> None:
    """Set 25 inputs: what the planner has in mind."""
    value_inputs.look_at_tickets(board, memory, inputs, at)
    inputs[at + 4] = memory.plan_pieces[0] / 15.0
    inputs[at + 5] = memory.plan_pieces[1] / 15.0
    inputs[at + 6] = memory.time_left / 1000.0
    inputs[at + 7] = memory.time_needed / 1000.0
    inputs[at + 8] = (memory.time_left - memory.time_needed) / 1000.0
    inputs[at + 9] = memory.aims / 3.0
    inputs[at + 10] = memory.turn_price / 30.0
    inputs[at + 11] = memory.missing_price / 100.0
    inputs[at + 12] = memory.card_price / 100.0
    inputs[at + 13] = memory.held_count / 3.0
    inputs[at + 14] = memory.too_late
    inputs[at + 15] = memory.given_up
    value_inputs.look_at_aims(memory, inputs, at + 16)


@rule
def look_at_others(board: BoardTables, state: State, seat: int, inputs: Reals, at: int) -> None:
    """Set eight inputs: pieces, cards, tickets and points of the next seat, and the extremes of all others."""
    after = (seat + 1) % state.seats
    fewest = 1000
    cards = 0
    tickets = 0
    points = 0
    for other in range(state.seats):
        if other != seat:
            fewest = min(fewest, plan.all_pieces(board, state, other))
            cards = max(cards, plan.cards_held(state, other))
            tickets = max(tickets, tickets_of(state, other))
            points = max(points, state.route_points[other])
    inputs[at] = plan.all_pieces(board, state, after) / 15.0
    inputs[at + 1] = plan.cards_held(state, after) / 5.0
    inputs[at + 2] = tickets_of(state, after) / 3.0
    inputs[at + 3] = state.route_points[after] / 30.0
    inputs[at + 4] = fewest / 15.0
    inputs[at + 5] = cards / 5.0
    inputs[at + 6] = tickets / 3.0
    inputs[at + 7] = points / 30.0


@rule
def tickets_of(state: State, seat: int) -> int:
    """Return how many tickets a seat holds, from all decks."""
    return state.tickets_held[seat, 0] + state.tickets_held[seat, 1]


# ------------------------------------------------------------------------------------------------ the candidates


@rule
def look_at_candidates(board: BoardTables, state: State, memory: Memory, seat: int, notes: Considered) -> None:
    """Set the inputs of all candidates; the planner's thoughts about this very question are in its memory."""
    if state.question == KEEP_TICKETS:
        look_at_sets(board, state, memory, seat, notes)
    most_wanted = 1
    for c in range(notes.count):
        most_wanted = max(most_wanted, wanted(board, state, memory, seat, notes.action[c]))
    for c in range(notes.count):
        action = notes.action[c]
        at = c * CANDIDATE
        notes.route[c] = NO_ROUTE
        notes.candidate[at] = c == 0
        if CLAIM <= action < STATION:
            notes.route[c] = action - CLAIM
            look_at_claim(board, state, memory, seat, action - CLAIM, notes.candidate, at)
        elif action < PORT:
            notes.candidate[at + 2] = 1.0
        elif action < TAKE:
            notes.candidate[at + 3] = 1.0
        elif action < REFILL_FROM:
            look_at_card(board, state, memory, seat, action, most_wanted, notes.candidate, at)
        elif action == DRAW_TICKETS:
            look_at_drawing(board, state, memory, seat, notes.candidate, at)
        elif action == SWAP_PIECES:
            notes.candidate[at + 8] = 1.0


@rule
def look_at_claim(
    board: BoardTables, state: State, memory: Memory, seat: int, route: int, inputs: Reals, at: int
) -> None:
    """Set the inputs of a route to claim."""
    here = board.route_a[route]
    there = board.route_b[route]
    inputs[at + 1] = 1.0
    inputs[at + 11] = board.route_length[route] / 4.0
    inputs[at + 12] = board.route_points[route] / 10.0
    inputs[at + 13] = memory.rate[route] / 1000.0
    inputs[at + 14] = memory.missing[route] / 2.0
    inputs[at + 15] = memory.route_value[route] / 100.0
    inputs[at + 16] = (memory.plan[route // WORD] >> (route % WORD)) & 1
    inputs[at + 17] = memory.aims > 0 and memory.aim[0] == route
    inputs[at + 18] = board.route_tunnel[route]
    inputs[at + 19] = board.route_wilds[route] / 2.0
    inputs[at + 20] = board.route_colour[route] == ANY_COLOUR
    inputs[at + 21] = reaches(state, seat, here) + reaches(state, seat, there)
    inputs[at + 22] = route_values.others_are_at(state, seat, here)
    inputs[at + 23] = route_values.others_are_at(state, seat, there)
    inputs[at + 24] = open_beside(board, state, route)
    if memory.aims > 0:
        inputs[at + 25] = memory.rate[route] / (1.0 + memory.rate[memory.aim[0]])
    pieces = state.pieces[seat, board.route_piece[route]] - board.route_length[route]
    inputs[at + 26] = pieces / 15.0
    inputs[at + 27] = pieces <= board.pieces_left
    inputs[at + 28] = (plan.cards_held(state, seat) - board.route_price[route]) / 5.0
    if board.passenger_colours:
        inputs[at + 29] = (memory.waits[here] + memory.waits[there]) / 50.0


@rule
def reaches(state: State, seat: int, place: int) -> int:
    """Return 1 if the seat has a route to the place."""
    return (state.reached[seat, place // WORD] >> (place % WORD)) & 1


@rule
def open_beside(board: BoardTables, state: State, route: int) -> int:
    """Return how many lines of its parallel set are open beside a route."""
    count = 0
    for word in range(board.route_words):
        count += popcount(board.siblings[route, word] & state.free[word])
    return count


@rule
def wanted(board: BoardTables, state: State, memory: Memory, seat: int, action: int) -> int:
    """Return how much the planner wants a card; of a deck: on average. Return 0 if the action takes none."""
    if BLIND <= action < REFILL_FROM:
        return drawing.mean_want(board, state, memory, seat, action - BLIND)
    if TAKE <= action < BLIND and state.market[action - TAKE] != NO_CARD:
        return memory.need[state.market[action - TAKE]]
    return 0


@rule
def look_at_card(
    board: BoardTables, state: State, memory: Memory, seat: int, action: int, most_wanted: int, inputs: Reals, at: int
) -> None:
    """Set the inputs of a card to take, from the market or a deck."""
    want = wanted(board, state, memory, seat, action)
    inputs[at + 30] = want / 1000.0
    inputs[at + 31] = want / (1.0 * most_wanted)
    if action >= BLIND:
        inputs[at + 6] = 1.0
        inputs[at + 35] = action - BLIND
        return
    kind = state.market[action - TAKE]
    inputs[at + 5 if kind == WILD_KIND else at + 4] = 1.0
    inputs[at + 32] = state.hand[seat, kind] / 3.0
    alike = 0
    for slot in range(board.market):
        alike += state.market[slot] == kind
    inputs[at + 33] = (alike - 1) / 2.0
    inputs[at + 34] = state.discards[kind] / 5.0


@rule
def look_at_drawing(board: BoardTables, state: State, memory: Memory, seat: int, inputs: Reals, at: int) -> None:
    """Set the inputs of tickets to draw."""
    inputs[at + 7] = 1.0
    if ticket_prospects.time_spare(memory) > -2 * pace.TURN and ticket_prospects.worth_a_look(memory):
        ticket_prospects.weigh_unseen(board, state, memory, seat)
        inputs[at + 36] = ticket_prospects.best_prospect(board, state, memory, seat) / 100.0
        inputs[at + 37] = 1.0


@rule
def look_at_sets(board: BoardTables, state: State, memory: Memory, seat: int, notes: Considered) -> None:
    """Set the inputs of sets of tickets to keep; afterwards the memory has no plan."""
    best = 0
    for c in range(notes.count):
        kept = notes.action[c] - KEEP
        worth = ticket_prospects.worth_of_keeping(board, state, memory, seat, kept)
        best = worth if c == 0 else best
        at = c * CANDIDATE
        notes.candidate[at + 9] = 1.0
        notes.candidate[at + 10] = popcount(kept) / 3.0
        notes.candidate[at + 38] = (worth - best) / 100.0
        notes.candidate[at + 39] = points_of(board, state, seat, kept) / 20.0
    memory.planned = 0


@rule
def points_of(board: BoardTables, state: State, seat: int, kept: int) -> int:
    """Return the value of a set of offered tickets."""
    points = 0
    for n in range(state.offer_size[seat]):
        if (kept >> n) & 1:
            points += board.ticket_any_order[state.offer[seat, n]]
    return points


# --------------------------------------------------------------------------------------------------- the network


@vector_rule
def rate(net: Reals, notes: Considered) -> None:
    """Rate all candidates by their inputs."""
    for j in range(WIDE):
        notes.first[j] = net[_BIAS_AT + j]
    for i in range(POSITION):
        x = notes.position[i]
        if x != 0.0:
            row = net[i * WIDE :]
            for j in range(WIDE):
                notes.first[j] += x * row[j]
    for c in range(notes.count):
        notes.rating[c] = rated(net, notes, c)


@rule
def rated(net: Reals, notes: Considered, c: int) -> float:
    """Return the rating of one candidate; what the position adds is known.

    Written so that the compiler reckons with eight numbers at a time: rows of a matrix lie side by side for it, other
    sums of indices do not.
    """
    wide = notes.hidden[:WIDE]
    for j in range(WIDE):
        wide[j] = notes.first[j]
    if notes.route[c] != NO_ROUTE:
        row = net[_ROUTE_AT + notes.route[c] * WIDE :]
        for j in range(WIDE):
            wide[j] += row[j]
    for i in range(CANDIDATE):
        x = notes.candidate[c * CANDIDATE + i]
        if x != 0.0:
            row = net[_CANDIDATE_AT + i * WIDE :]
            for j in range(WIDE):
                wide[j] += x * row[j]
    for j in range(WIDE):
        wide[j] = max(ZERO, wide[j])
    narrow = notes.hidden[WIDE:]
    for j in range(NARROW):
        narrow[j] = net[_SECOND_BIAS_AT + j]
    for i in range(0, WIDE, 4):
        w, x, y, z = wide[i], wide[i + 1], wide[i + 2], wide[i + 3]
        first, second = net[_SECOND_AT + i * NARROW :], net[_SECOND_AT + (i + 1) * NARROW :]
        third, fourth = net[_SECOND_AT + (i + 2) * NARROW :], net[_SECOND_AT + (i + 3) * NARROW :]
        for j in range(NARROW):
            narrow[j] += w * first[j] + x * second[j] + y * third[j] + z * fourth[j]
    rating = 0.0
    for j in range(NARROW):
        rating += max(ZERO, narrow[j]) * net[_LAST_AT + j]
    return rating
