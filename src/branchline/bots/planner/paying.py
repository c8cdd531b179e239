"""How bots that plan pay, and which passengers they take."""

from __future__ import annotations

from branchline.boards.tables import DOUBLE, MARKED, SHIP, TRAIN, WORD, BoardTables
from branchline.bots.api.memory import Memory
from branchline.bots.planner import plan, route_values
from branchline.rules import payment
from branchline.rules.kernel import rule
from branchline.rules.sets import is_legal, lowest
from branchline.rules.state import (
    ACTION_WORDS,
    ALL_WILD,
    FOR_PORT,
    FOR_ROUTE,
    PAY_COLOUR,
    PICK_PASSENGER,
    WITH_PAIR,
    Scratch,
    State,
)


@rule
def lowest_action(scratch: Scratch) -> int:
    """Return the legal action with the lowest number."""
    for word in range(ACTION_WORDS):
        if scratch.legal[word] != 0:
            return word * WORD + lowest(scratch.legal[word])
    return -1


@rule
def highest(scratch: Scratch) -> int:
    """Return the legal action with the highest number."""
    action = -1
    for word in range(ACTION_WORDS):
        bits = scratch.legal[word]
        while bits != 0:
            action = word * WORD + lowest(bits)
            bits &= bits - 1
    return action


@rule
def route_paid(state: State) -> int:
    """Return the route being paid for, or -1."""
    return state.target if state.paying_for == FOR_ROUTE else -1


WILD_SPARED = 1 << 30  # one wild less counts more than any card that the plan then lacks
CARD_SPARED = 1 << 22  # and that more than a port-marked card
MARKED_SPARED = 1 << 16  # and that more than any want of a colour


@rule
def choose_colour(board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int) -> int:
    """Return the colour that takes the fewest wilds; of these, the one that the plan misses least and wants least."""
    best = PAY_COLOUR + ALL_WILD
    least = -1
    for n in range(board.colours):
        colour = board.colour[n]
        if is_legal(scratch, PAY_COLOUR + colour):
            price = WILD_SPARED * wilds_taken(board, state, seat, colour)
            price += CARD_SPARED * cards_missed(board, state, memory, seat, colour)
            price += memory.need[TRAIN + colour] + memory.need[SHIP + colour]
            if least < 0 or price < least:
                least = price
                best = PAY_COLOUR + colour
    return best


@rule
def wilds_taken(board: BoardTables, state: State, seat: int, colour: int) -> int:
    """Return the number of wilds without which this price cannot be paid in a colour."""
    marked = state.hand[seat, MARKED + colour]
    ships = state.hand[seat, SHIP + colour]
    if state.paying_for == FOR_PORT:
        return max(0, board.port_trains - marked) + max(0, board.port_ships - ships)
    if state.paying_for == FOR_ROUTE and board.route_sea[state.target]:
        return max(0, state.open_spaces - ships - 2 * state.hand[seat, DOUBLE + colour])
    return max(0, state.open_spaces - marked - state.hand[seat, TRAIN + colour])


@rule
def cards_missed(board: BoardTables, state: State, memory: Memory, seat: int, colour: int) -> int:
    """Return how many more cards the planned routes of a colour lack once this price has been paid in it."""
    if state.paying_for == FOR_PORT:
        return 0
    by_sea = board.route_sea[state.target] if state.paying_for == FOR_ROUTE else 0
    if by_sea:
        held = state.hand[seat, SHIP + colour] + 2 * state.hand[seat, DOUBLE + colour]
    else:
        held = payment.trains_in_hand(state, colour)
    return missed_of(board, state, memory, seat, colour, by_sea, held, state.open_spaces)


@rule
def missed_of(
    board: BoardTables, state: State, memory: Memory, seat: int, colour: int, by_sea: int, held: int, paid: int
) -> int:
    """Return how many more cards of a colour the planned routes lack when of those held so many are paid."""
    planned = 0
    for word in range(board.route_words):
        bits = memory.plan[word] & plan.open_routes(state, seat, word)
        while bits != 0:
            route = word * WORD + lowest(bits)
            bits &= bits - 1
            if board.route_colour[route] == colour and board.route_sea[route] == by_sea and route != route_paid(state):
                planned += route_values.ordinary_spaces(board, route)
    return max(0, planned - max(0, held - paid)) - max(0, planned - held)


@rule
def choose_pair(board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int) -> int:
    """Return the pair with the fewest wilds; of these, of the colour that the plan misses least, with the fewest
    port-marked cards, of the colour wanted least, or else of which most are held.
    """
    best = -1
    least = 0
    most = 0
    for n in range(board.colours):
        colour = board.colour[n]
        held = payment.trains_in_hand(state, colour)
        for wild in range(2):
            if is_legal(scratch, WITH_PAIR + 2 * colour + wild):
                price = WILD_SPARED * wild + memory.need[TRAIN + colour]
                price += CARD_SPARED * missed_of(board, state, memory, seat, colour, 0, held, 2 - wild)
                price += MARKED_SPARED * max(0, 2 - wild - payment.in_hand(state, TRAIN + colour))
                if best < 0 or price < least or (price == least and held > most):
                    least = price
                    most = held
                    best = WITH_PAIR + 2 * colour + wild
    return best if best >= 0 else lowest_action(scratch)


@rule
def choose_passenger(board: BoardTables, state: State, scratch: Scratch, seat: int) -> int:
    """Return the passenger who brings a majority nearest."""
    best = -1
    most = -1
    for n in range(board.passenger_colours):
        colour = board.passenger_colour[n]
        if is_legal(scratch, PICK_PASSENGER + colour):
            good = race(state, seat, colour)
            if good > most:
                most = good
                best = PICK_PASSENGER + colour
    return best


@rule
def race(state: State, seat: int, colour: int) -> int:
    """Return how much one more passenger of a colour helps: most where it takes or saves the lead."""
    mine = state.passengers[seat, colour]
    theirs = 0
    for other in range(state.seats):
        if other != seat:
            theirs = max(theirs, state.passengers[other, colour])
    lead = mine - theirs
    if lead == 0:
        return 40 - mine
    if lead < 0:
        return max(1, 38 + 8 * lead)
    return max(1, 30 - 6 * lead)
