"""The end: every component of the score, and who wins. Atoms TIC-3, TIC-6, TIC-7, STA-5, PAS-3, PORT-3, END."""

from __future__ import annotations

from branchline.boards.limits import MAX_COLOURS, MAX_PORT_TICKETS
from branchline.boards.tables import BoardTables
from branchline.rules import borrowing, network, tours, trail
from branchline.rules.catalogue import (
    PARTS,
    PASSENGERS,
    PORTS,
    ROUTES,
    STATIONS,
    SWAPS,
    TICKETS,
    TICKETS_BONUS,
    TOURS,
    TRAIL_BONUS,
)
from branchline.rules.kernel import rule, shared_rule
from branchline.rules.state import FAILED, IN_ORDER, JOINED, Scratch, State

# Numbers of `boards.tables.TIES`
_TICKETS_DONE, _FEWEST_STATIONS, _LONGEST_TRAIL, _PASSENGERS = 1, 2, 3, 4


@shared_rule
def score(board: BoardTables, state: State, scratch: Scratch) -> None:
    """Fill the score sheet of the scratch from the position as it stands."""
    for seat in range(state.seats):
        network.find_components(board, state, scratch, seat)
        score_tickets(board, state, scratch, seat)
        scratch.parts[ROUTES, seat] = state.route_points[seat]
        scratch.parts[SWAPS, seat] = -board.swap_price * state.swapped[seat]
        scratch.parts[STATIONS, seat] = board.station_bonus * (board.stations - state.stations_built[seat])
        scratch.parts[PORTS, seat] = score_ports(board, state, scratch, seat)
        scratch.trail[seat] = trail.longest(board, state, scratch, seat) if board.trail_bonus else 0
        scratch.parts[PASSENGERS, seat] = score_passengers(board, state, seat)
    share_bonuses(board, state, scratch)
    for seat in range(state.seats):
        scratch.total[seat] = 0
        for part in range(PARTS):
            scratch.total[seat] += scratch.parts[part, seat]
    find_winners(board, state, scratch)


@rule
def score_tickets(board: BoardTables, state: State, scratch: Scratch, seat: int) -> None:
    """TIC-3, TIC-6, STA-3: Set the result of each held ticket, and their sums. Needs the seat's components."""
    list_held(board, state, scratch, seat)
    scratch.failed_count = 0
    for n in range(scratch.held_count):
        ticket = scratch.held[n]
        result = own_result(board, state, scratch, seat, ticket)
        scratch.ticket_result[ticket] = result
        if result == FAILED:
            scratch.failed[scratch.failed_count] = ticket
            scratch.failed_count += 1
    if board.stations:
        borrowing.borrow_best(board, state, scratch, seat)
    add_up_tickets(board, scratch, seat)


@rule
def list_held(board: BoardTables, state: State, scratch: Scratch, seat: int) -> None:
    """List the tickets of a seat, without a branch that a processor could not foresee."""
    count = 0
    for ticket in range(board.tickets):
        scratch.held[count] = ticket
        count += state.ticket_at[ticket] == seat
    scratch.held_count = count


@rule
def add_up_tickets(board: BoardTables, scratch: Scratch, seat: int) -> None:
    """TIC-3, TIC-6: Add up the points of the held tickets."""
    scratch.parts[TICKETS, seat] = 0
    scratch.parts[TOURS, seat] = 0
    scratch.tickets_done[seat] = 0
    for n in range(scratch.held_count):
        ticket = scratch.held[n]
        points = points_of(board, ticket, scratch.ticket_result[ticket])
        if board.ticket_size[ticket] > 2:
            scratch.parts[TOURS, seat] += points
        else:
            scratch.parts[TICKETS, seat] += points
        scratch.tickets_done[seat] += scratch.ticket_result[ticket] != FAILED


@rule
def own_result(board: BoardTables, state: State, scratch: Scratch, seat: int, ticket: int) -> int:
    """TIC-3, TIC-6: Return FAILED, JOINED or, for tours, IN_ORDER, by the seat's own routes."""
    if not network.ticket_joined(board, scratch, ticket):
        return FAILED
    if board.ticket_size[ticket] > 2 and tours.in_order(board, state, scratch, seat, ticket):
        return IN_ORDER
    return JOINED


@rule
def points_of(board: BoardTables, ticket: int, result: int) -> int:
    """TIC-3, TIC-6: Return what a ticket is worth."""
    if result == FAILED:
        return -board.ticket_penalty[ticket]
    if result == IN_ORDER or board.ticket_size[ticket] == 2:
        return board.ticket_value[ticket]
    return board.ticket_any_order[ticket]


@rule
def score_ports(board: BoardTables, state: State, scratch: Scratch, seat: int) -> int:
    """PORT-3: Return the points for ports, by the completed tickets that name their city, and for those not built."""
    points = board.port_unbuilt * (board.ports - state.ports_built[seat])
    if state.ports_built[seat] == 0:
        return points
    for place in range(board.places):
        if state.port_owner[place] == seat:
            points += points_of_port(board, tickets_naming(board, state, scratch, seat, place))
    return points


@rule
def tickets_naming(board: BoardTables, state: State, scratch: Scratch, seat: int, place: int) -> int:
    """PORT-3: Return how often completed tickets of the seat name a place. Needs their results."""
    naming = 0
    for ticket in range(board.tickets):
        if state.ticket_at[ticket] == seat and scratch.ticket_result[ticket] != FAILED:
            for stop in range(board.ticket_size[ticket]):
                naming += board.ticket_place[ticket, stop] == place
    return naming


@rule
def points_of_port(board: BoardTables, naming: int) -> int:
    """PORT-3: Return what a port is worth whose city `naming` completed tickets name."""
    return 0 + board.port_points[min(naming, MAX_PORT_TICKETS - 1)]  # an entry point gives a wide number


@rule
def score_passengers(board: BoardTables, state: State, seat: int) -> int:
    """PAS-3: Return 20 points for most and 10 for second of each colour; a tie for most leaves no second; none scores
    nothing.
    """
    points = 0
    for n in range(board.passenger_colours):
        colour = board.passenger_colour[n]
        mine = state.passengers[seat, colour]
        ahead = 0
        for other in range(state.seats):
            if state.passengers[other, colour] > mine:
                ahead += 1
        if mine > 0 and ahead < 2:  # behind two that tie for most, or behind two at all: nothing
            points += board.passenger_points[ahead]
    return points


@rule
def share_bonuses(board: BoardTables, state: State, scratch: Scratch) -> None:
    """END-3, TIC-7: Share out the bonuses for longest trail and most tickets: all who tie get them; nobody does with
    none.
    """
    longest = 0
    most_done = 0
    for seat in range(state.seats):
        longest = max(longest, scratch.trail[seat])
        most_done = max(most_done, scratch.tickets_done[seat])
    for seat in range(state.seats):
        scratch.parts[TRAIL_BONUS, seat] = board.trail_bonus if longest > 0 and scratch.trail[seat] == longest else 0
        has_most = most_done > 0 and scratch.tickets_done[seat] == most_done
        scratch.parts[TICKETS_BONUS, seat] = board.tickets_bonus if has_most else 0


@rule
def find_winners(board: BoardTables, state: State, scratch: Scratch) -> None:
    """END-4: Find the winners by most points; ties are broken in the order of the board, and those still level share
    the victory.
    """
    for seat in range(state.seats):
        scratch.winner[seat] = 1
        for other in range(state.seats):
            if is_ahead(board, state, scratch, other, seat):
                scratch.winner[seat] = 0


@rule
def is_ahead(board: BoardTables, state: State, scratch: Scratch, seat: int, other: int) -> bool:
    """Return whether a seat is placed before another."""
    if scratch.total[seat] != scratch.total[other]:
        return scratch.total[seat] > scratch.total[other]
    for n in range(len(board.ties)):
        mine = tie_break(state, scratch, seat, board.ties[n])
        theirs = tie_break(state, scratch, other, board.ties[n])
        if mine != theirs:
            return mine > theirs
    return False


@rule
def tie_break(state: State, scratch: Scratch, seat: int, tie: int) -> int:
    """Return the number that decides a tie; more is better."""
    if tie == _TICKETS_DONE:
        return scratch.tickets_done[seat]
    if tie == _FEWEST_STATIONS:
        return -state.stations_built[seat]
    if tie == _LONGEST_TRAIL:
        return scratch.trail[seat]
    passengers = 0
    if tie == _PASSENGERS:
        for colour in range(MAX_COLOURS):
            passengers += state.passengers[seat, colour]
    return passengers
