"""Setting up a game, from the box to the first turn. Atoms END-0, DRAW-4, TIC-2, FLE-1, PAS-1."""

from __future__ import annotations

from branchline.boards.limits import MAX_MARKET, MAX_PLACES, MAX_ROUTES, MAX_SEATS
from branchline.boards.tables import PLACE_WORDS, ROUTE_WORDS, BoardTables
from branchline.rules import cards, chance, fleet, market, passengers, payment, tickets, tunnels
from branchline.rules.kernel import popcount, rule, shared_rule
from branchline.rules.log import CHOSE_FLEET, SHOWED_FLEET, note
from branchline.rules.sets import lowest
from branchline.rules.state import FLEET, KEEP_TICKETS, NO_CARD, NOBODY, TICKET_MIX, TURN, Scratch, State


@shared_rule
def prepare(board: BoardTables, state: State, seats: int, number: int) -> None:
    """Shuffle everything and put it in its place, with nothing dealt yet; the state must be empty (all zeros).

    `number` is the seed. Decks may be stacked between this and `deal`.
    """
    state.seats = seats
    state.setting_up = 1
    state.turns_to_go = -1
    chance.seed(state, number)
    state.first_seat = chance.below(state, seats)
    empty_table(board, state)
    cards.build_decks(board, state)
    tickets.build_decks(board, state)
    passengers.place_all(board, state)


@rule
def empty_table(board: BoardTables, state: State) -> None:
    """Clear the board of pieces, and give every seat all of its own."""
    for route in range(MAX_ROUTES):
        state.route_owner[route] = NOBODY
    for place in range(MAX_PLACES):
        state.station_owner[place] = NOBODY
        state.port_owner[place] = NOBODY
    for slot in range(MAX_MARKET):
        state.market[slot] = NO_CARD
    for word in range(ROUTE_WORDS):
        state.free[word] = board.all_routes[word]
    for word in range(PLACE_WORDS):
        state.station_free[word] = board.cities[word]
        state.port_free[word] = board.port_cities[word]
    for seat in range(MAX_SEATS):
        state.fleet[seat] = -1
        state.mix[seat] = -1
    for seat in range(state.seats):
        if board.fleet == 0:
            for kind in range(board.piece_kinds):
                state.pieces[seat, kind] = board.pieces[kind]
    payment.clear(state)
    tunnels.forget_turned(state)
    state.slot = -1
    state.stop = -1


@shared_rule
def deal(board: BoardTables, state: State, scratch: Scratch) -> None:
    """Deal whole hands to all seats in turn, from seat 0 on; then the market; then the tickets."""
    scratch.log_size = 0
    for seat in range(state.seats):
        for deck in range(board.decks):
            for _ in range(board.deal[deck]):
                cards.give(state, seat, cards.draw(state, scratch, deck), 0)
    market.lay_out(board, state, scratch)
    market.sweep(board, state, scratch)
    if board.first_mix == 0:
        for seat in range(state.seats):
            tickets.draw_deal(state, scratch, seat, board.first_deal)
    state.seat = state.first_seat
    state.question = TICKET_MIX if board.first_mix else KEEP_TICKETS
    if board.first_mix:
        skip_single_mix(board, state, scratch)


@rule
def skip_single_mix(board: BoardTables, state: State, scratch: Scratch) -> None:
    """TIC-2: Draw the mix without asking where only one is possible."""
    while state.question == TICKET_MIX:
        choices = tickets.mixes(state, board.first_mix)
        if popcount(choices) != 1:
            return
        announce(board, state, scratch, lowest(choices))


@rule
def announce(board: BoardTables, state: State, scratch: Scratch, from_first: int) -> None:
    """TIC-2: Announce the mix of the seat and draw it; ask the next seat, and in the end all what to keep."""
    tickets.draw_mix(state, scratch, state.seat, from_first, board.first_mix)
    if to_next_seat(state):
        state.question = KEEP_TICKETS


@rule
def keep(board: BoardTables, state: State, scratch: Scratch, chosen: int) -> None:
    """TIC-1, TIC-2: Keep some of the seat's tickets; after the last seat, choose fleets or begin the first turn."""
    tickets.keep(board, state, scratch, state.seat, chosen, board.first_rejected)
    if to_next_seat(state):
        tickets.first_choice_is_over(board, state)
        if board.fleet:
            state.question = FLEET
        else:
            begin(state)


@rule
def choose_fleet(board: BoardTables, state: State, scratch: Scratch, trains: int) -> None:
    """FLE-1: Choose the seat's fleet in secret; after the last one, reveal all and begin the first turn."""
    note(scratch, CHOSE_FLEET, state.seat, trains, 0)
    state.fleet[state.seat] = trains
    if to_next_seat(state):
        fleet.reveal(board, state)
        for seat in range(state.seats):
            note(scratch, SHOWED_FLEET, seat, state.fleet[seat], 0)
        begin(state)


@rule
def to_next_seat(state: State) -> bool:
    """Go on to the next seat, and return whether it is the first one's question again."""
    state.seat = (state.seat + 1) % state.seats
    return state.seat == state.first_seat


@rule
def begin(state: State) -> None:
    """Begin the first turn."""
    state.setting_up = 0
    state.question = TURN
