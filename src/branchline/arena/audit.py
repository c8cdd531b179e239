"""What must hold in every position: nothing gets lost, nothing appears, every account agrees with the board.

`broken_law` looks at a whole state and names the first law that does not hold. It counts everything anew from
the board and trusts none of the sums that the rules keep.
"""

from __future__ import annotations

from branchline.boards.limits import MAX_COLOURS, MAX_TICKETS
from branchline.boards.tables import KINDS, PLACE_WORDS, ROUTE_WORDS, WORD, BoardTables
from branchline.rules import cards, catalogue
from branchline.rules.kernel import rule
from branchline.rules.sets import lowest
from branchline.rules.state import CLOSED, IN_DECK, LEFT_GAME, NO_CARD, NOBODY, OVER, Scratch, State

LAWS = (
    "",
    "every card is in a deck, the discards, the market or a hand",
    "decks, discards and hands hold as many cards as they say",
    "every piece is in the stock, on the board or in the box",
    "every ticket is in its deck, with a seat or out of the game",
    "every seat holds as many tickets as it says",
    "every passenger waits at a place or is with a seat",
    "a route is free, closed or owned, and the sets of routes say so",
    "nobody owns two routes of a parallel set, and few seats share none",
    "the points for routes are those of the routes owned",
    "stations stand one to a city and are counted",
    "ports stand one to a port city and are counted",
    "somebody can always do something until the game is over",
    "the score is the sum of its parts",
)
(
    _KEPT,
    CARDS,
    SIZES,
    PIECES,
    TICKETS,
    HELD,
    PASSENGERS,
    ROUTES,
    PARALLELS,
    POINTS,
    STATIONS,
    PORTS,
    SOMETHING_TO_DO,
    SUM,
) = range(14)


@rule
def broken_law(board: BoardTables, state: State, passengers: int) -> int:
    """Return the first law that does not hold, 0 if all do; `passengers` is `passengers_in_play` of the first
    position.
    """
    if not cards_agree(board, state):
        return CARDS
    if not sizes_agree(board, state):
        return SIZES
    if not pieces_agree(board, state):
        return PIECES
    if not tickets_agree(board, state):
        return TICKETS
    if not held_agree(board, state):
        return HELD
    if passengers_in_play(board, state) != passengers:
        return PASSENGERS
    if not routes_agree(board, state):
        return ROUTES
    if not parallels_agree(board, state):
        return PARALLELS
    if not points_agree(board, state):
        return POINTS
    if not stations_agree(board, state):
        return STATIONS
    if not ports_agree(board, state):
        return PORTS
    return 0


@rule
def cards_agree(board: BoardTables, state: State) -> bool:
    """Return whether every card of the box is somewhere, and in one place only."""
    for kind in range(KINDS):
        deck = cards.deck_of(kind)
        count = state.discards[kind]
        for n in range(state.deck_size[deck]):
            if state.deck[deck, n] == kind:
                count += 1
        for slot in range(board.market):
            if state.market[slot] == kind:
                count += 1
        for seat in range(state.seats):
            if state.hand[seat, kind] < 0 or not 0 <= state.seen[seat, kind] <= state.hand[seat, kind]:
                return False
            count += state.hand[seat, kind]
        if count != board.copies[kind] or state.discards[kind] < 0:
            return False
    return True


@rule
def sizes_agree(board: BoardTables, state: State) -> bool:
    """Return whether the numbers of cards are as counted; with the cards themselves in order this leaves the two
    piles.
    """
    for deck in range(board.decks):
        discarded = 0
        everywhere = state.deck_size[deck]
        box = 0
        for kind in range(KINDS):
            if cards.deck_of(kind) == deck:
                discarded += state.discards[kind]
                box += board.copies[kind]
        if discarded != state.discard_size[deck] or everywhere < 0:
            return False
        everywhere += discarded
        for slot in range(board.market):
            if state.market[slot] != NO_CARD and cards.deck_of(state.market[slot]) == deck:
                everywhere += 1
        for seat in range(state.seats):
            held = 0
            for kind in range(KINDS):
                if cards.deck_of(kind) == deck:
                    held += state.hand[seat, kind]
            if held != state.hand_size[seat, deck]:
                return False
            everywhere += held
        if everywhere != box:
            return False
    return True


@rule
def pieces_agree(board: BoardTables, state: State) -> bool:
    """Return whether stock, board and box add up to what a seat began with."""
    for seat in range(state.seats):
        for kind in range(board.piece_kinds):
            placed = 0
            for route in range(board.routes):
                if state.route_owner[route] == seat and board.route_piece[route] == kind:
                    placed += board.route_length[route]
            stock = state.pieces[seat, kind]
            box = state.box[seat, kind]
            if stock < 0 or box < 0:
                return False
            chosen = board.fleet == 0 or not state.setting_up
            if stock + box + placed != (board.pieces[kind] if chosen else 0):
                return False
    return True


@rule
def tickets_agree(board: BoardTables, state: State) -> bool:
    """Return whether tickets said to be in their deck lie there exactly once and others do not, and offers are their
    seat's.
    """
    in_decks = 0
    for deck in range(board.ticket_decks):
        in_decks += state.ticket_count[deck]
        for n in range(state.ticket_count[deck]):
            ticket = state.ticket_deck[deck, (state.ticket_top[deck] + n) % MAX_TICKETS]
            if board.ticket_deck[ticket] != deck or state.ticket_at[ticket] != IN_DECK:
                return False
            for m in range(n):
                if state.ticket_deck[deck, (state.ticket_top[deck] + m) % MAX_TICKETS] == ticket:
                    return False
    for ticket in range(board.tickets):
        if state.ticket_at[ticket] == IN_DECK:
            in_decks -= 1
    for seat in range(state.seats):
        for n in range(state.offer_size[seat]):
            if state.ticket_at[state.offer[seat, n]] != seat:
                return False
    return in_decks == 0


@rule
def held_agree(board: BoardTables, state: State) -> bool:
    """Return whether the numbers of tickets held and put out of the game are as counted."""
    for seat in range(state.seats):
        held = -state.offer_size[seat]
        out = 0
        for ticket in range(board.tickets):
            if state.ticket_at[ticket] == seat:
                held += 1
            if state.ticket_at[ticket] == LEFT_GAME - seat:
                out += 1
        if held != state.tickets_held[seat, 0] + state.tickets_held[seat, 1] or out != state.tickets_out[seat]:
            return False
    return True


@rule
def passengers_in_play(board: BoardTables, state: State) -> int:
    """Return how many passengers of each colour there are, waiting and taken, as one number."""
    passengers = 0
    for colour in range(MAX_COLOURS):
        count = 0
        for place in range(board.places):
            count += state.waiting[place, colour]
        for seat in range(state.seats):
            count += state.passengers[seat, colour]
        passengers = passengers * 100 + count
    return passengers


@rule
def routes_agree(board: BoardTables, state: State) -> bool:
    """Return whether `free` and `reached` agree with the owners of each route and place."""
    for word in range(ROUTE_WORDS):
        free = 0
        for bit in range(WORD):
            route = word * WORD + bit
            if route < board.routes and state.route_owner[route] == NOBODY:
                free |= 1 << bit
        if free != state.free[word]:
            return False
    for seat in range(state.seats):
        for word in range(PLACE_WORDS):
            reached = 0
            for route in range(board.routes):
                if state.route_owner[route] == seat:
                    if board.route_a[route] // WORD == word:
                        reached |= 1 << (board.route_a[route] % WORD)
                    if board.route_b[route] // WORD == word:
                        reached |= 1 << (board.route_b[route] % WORD)
            if reached != state.reached[seat, word]:
                return False
    return True


@rule
def parallels_agree(board: BoardTables, state: State) -> bool:
    """ROUTE-4: Return whether no seat has two of a parallel set and, with few seats, one is taken and the others
    closed.
    """
    for route in range(board.routes):
        owner = state.route_owner[route]
        owned_beside = 0
        for word in range(board.route_words):
            bits = board.siblings[route, word]
            while bits != 0:
                other = state.route_owner[word * WORD + lowest(bits)]
                bits &= bits - 1
                if other >= 0:
                    owned_beside += 1
                    if other == owner:
                        return False
        if state.seats <= board.one_line_up_to:
            if owned_beside > 0 and owner != CLOSED:
                return False
            if owned_beside == 0 and owner == CLOSED:
                return False
        elif owner == CLOSED:
            return False
    return True


@rule
def points_agree(board: BoardTables, state: State) -> bool:
    """ROUTE-3: Return whether the running points are those of the routes owned."""
    for seat in range(state.seats):
        points = 0
        for route in range(board.routes):
            if state.route_owner[route] == seat:
                points += board.route_points[route]
        if points != state.route_points[seat]:
            return False
    return True


@rule
def stations_agree(board: BoardTables, state: State) -> bool:
    """STA-1: Return whether as many stations are on the board as were built, none where one is said to be free."""
    for seat in range(state.seats):
        built = 0
        for place in range(board.places):
            if state.station_owner[place] == seat:
                built += 1
        if built != state.stations_built[seat] or built > board.stations:
            return False
    for place in range(board.places):
        free = (state.station_free[place // WORD] >> (place % WORD)) & 1 == 1
        city = (board.cities[place // WORD] >> (place % WORD)) & 1 == 1
        if free != (city and state.station_owner[place] == NOBODY):
            return False
    return True


@rule
def ports_agree(board: BoardTables, state: State) -> bool:
    """PORT-1: Return whether as many ports are on the board as were built, each where its owner has a route."""
    for seat in range(state.seats):
        built = 0
        for place in range(board.places):
            if state.port_owner[place] == seat:
                built += 1
                if (state.reached[seat, place // WORD] >> (place % WORD)) & 1 == 0:
                    return False
        if built != state.ports_built[seat] or built > board.ports:
            return False
    for place in range(board.places):
        free = (state.port_free[place // WORD] >> (place % WORD)) & 1 == 1
        if free != (board.place_port[place] != 0 and state.port_owner[place] == NOBODY):
            return False
    return True


@rule
def scores_agree(board: BoardTables, state: State, scratch: Scratch) -> bool:
    """Return whether every total is the sum of its parts, and there is a winner; needs the score sheet."""
    winners = 0
    for seat in range(state.seats):
        total = 0
        for part in range(catalogue.PARTS):
            total += scratch.parts[part, seat]
        if total != scratch.total[seat] or scratch.parts[catalogue.ROUTES, seat] != state.route_points[seat]:
            return False
        winners += scratch.winner[seat]
    return state.question == OVER and 0 < winners <= state.seats
