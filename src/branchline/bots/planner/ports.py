"""Ports: where one would bring most, and the cards for it."""

from __future__ import annotations

from branchline.boards.limits import MAX_PORT_TICKETS
from branchline.boards.tables import MARKED, PLACE_WORDS, SHIP, WILD_KIND, WORD, BoardTables
from branchline.bots.api.memory import Memory
from branchline.bots.planner import plan
from branchline.bots.planner.route_values import CARD_MISSING, CARD_PAID, SCALE, TENTHS, THE_CLAIM
from branchline.rules.kernel import rule
from branchline.rules.sets import lowest
from branchline.rules.state import State

COLLECTED_FROM = 15 * TENTHS  # no cards are collected for a port that brings less


@rule
def best_site(board: BoardTables, state: State, memory: Memory, seat: int, reached: bool) -> int:
    """Return the most valuable port city for the seat, or -1; if `reached`, only those its routes reach."""
    best = -1
    most = 0
    if state.ports_built[seat] >= board.ports:
        return best
    for word in range(PLACE_WORDS):
        bits = state.port_free[word]
        if reached:
            bits &= state.reached[seat, word]
        while bits != 0:
            place = word * WORD + lowest(bits)
            bits &= bits - 1
            brings = worth_of(board, memory, place)
            if brings > most:
                most = brings
                best = place
    return best


@rule
def worth_of(board: BoardTables, memory: Memory, place: int) -> int:
    """Return the worth of a port in the city: its points by the tickets likely to be done, and no fine."""
    naming = 0
    for n in range(memory.held_count):
        if memory.outlook[n] != plan.GIVEN_UP:
            ticket = memory.held[n]
            for m in range(board.ticket_size[ticket]):
                if board.ticket_place[ticket, m] == place:
                    naming += 1
    return TENTHS * (board.port_points[min(naming, MAX_PORT_TICKETS - 1)] - board.port_unbuilt)


@rule
def rate(board: BoardTables, state: State, memory: Memory, seat: int, place: int) -> int:
    """Return the worth of a port per time, in the unit of `route_values.rate_routes`."""
    missing = max(0, missing_in(board, state, seat, best_colour(board, state, seat)) - state.hand[seat, WILD_KIND])
    takes = THE_CLAIM + CARD_MISSING * missing + CARD_PAID * (board.port_trains + board.port_ships)
    return worth_of(board, memory, place) * SCALE // takes


@rule
def best_colour(board: BoardTables, state: State, seat: int) -> int:
    """Return the colour in which the fewest cards for a port are missing."""
    best = board.colour[0]
    for n in range(1, board.colours):
        if missing_in(board, state, seat, board.colour[n]) < missing_in(board, state, seat, best):
            best = board.colour[n]
    return best


@rule
def missing_in(board: BoardTables, state: State, seat: int, colour: int) -> int:
    """Return the number of cards of a colour missing for a port, wilds aside."""
    trains = max(0, board.port_trains - state.hand[seat, MARKED + colour])
    return trains + max(0, board.port_ships - state.hand[seat, SHIP + colour])


@rule
def want_cards(board: BoardTables, state: State, memory: Memory, seat: int, zeal: int) -> None:
    """Want the cards for the best port, where it brings enough; `zeal`: so many per cent as much as it deserves."""
    site = best_site(board, state, memory, seat, True)
    if site < 0 or worth_of(board, memory, site) < COLLECTED_FROM:
        return
    weight = rate(board, state, memory, seat, site) * zeal // 100
    colour = best_colour(board, state, seat)
    if state.hand[seat, MARKED + colour] < board.port_trains:
        memory.need[MARKED + colour] += weight
    if state.hand[seat, SHIP + colour] < board.port_ships:
        memory.need[SHIP + colour] += weight
    memory.need[WILD_KIND] += weight // 2
