"""Who may know what. Atom HIDE.

`redact` builds what one seat may know, field by field: whatever is not named here stays zero, so that nothing is
shown because it was forgotten. `imagine` deals what is hidden at random, consistently with what is known.
"""

from __future__ import annotations

from branchline.boards.limits import MAX_COLOURS, MAX_MARKET, MAX_OFFER, MAX_SEATS, MAX_TURNED
from branchline.boards.tables import KINDS, PLACE_WORDS, ROUTE_WORDS, WILD_KIND, BoardTables
from branchline.rules import cards, chance, fleet, payment, tickets
from branchline.rules.kernel import rule, shared_rule
from branchline.rules.state import (
    FOR_EXTRA,
    FOR_ROUTE,
    HIDDEN,
    IN_DECK,
    LEFT_GAME,
    NOTHING,
    OVER,
    PASSENGER,
    TUNNEL,
    TURN,
    State,
)

# ------------------------------------------------------------------------------------------------ what one knows


@shared_rule
def redact(board: BoardTables, state: State, seen: State, seat: int) -> None:
    """Write into `seen`, an empty state, what `seat` may know; -1 is a spectator, who knows what is public.

    Of other hands it holds the cards that everybody knows to be there; their tickets are HIDDEN.
    """
    know_course(state, seen)
    know_cards(state, seen, seat)
    know_board(board, state, seen)
    know_tickets(board, state, seen, seat)
    know_fleets(state, seen, seat)
    know_payment(state, seen, seat)


@rule
def know_course(state: State, seen: State) -> None:
    """Copy whose turn it is and how far the game has come."""
    seen.seats = state.seats
    seen.first_seat = state.first_seat
    seen.seat = state.seat
    seen.question = state.question
    seen.setting_up = state.setting_up
    seen.turns = state.turns
    seen.turns_to_go = state.turns_to_go
    seen.idle = state.idle
    seen.drawn = state.drawn
    seen.slot = state.slot
    seen.stop = state.stop
    seen.extra = state.extra
    for n in range(MAX_TURNED):
        seen.turned[n] = state.turned[n]


@rule
def know_cards(state: State, seen: State, seat: int) -> None:
    """Copy the market, the discards, all sizes and the own hand; of other hands, what was taken openly."""
    for deck in range(2):
        seen.deck_size[deck] = state.deck_size[deck]
        seen.discard_size[deck] = state.discard_size[deck]
    for kind in range(KINDS):
        seen.discards[kind] = state.discards[kind]
    for slot in range(MAX_MARKET):
        seen.market[slot] = state.market[slot]
    for other in range(state.seats):
        for deck in range(2):
            seen.hand_size[other, deck] = state.hand_size[other, deck]
        for kind in range(KINDS):
            seen.seen[other, kind] = state.seen[other, kind]
            seen.hand[other, kind] = state.hand[other, kind] if other == seat else state.seen[other, kind]


@rule
def know_board(board: BoardTables, state: State, seen: State) -> None:
    """Copy everything that stands on the board, and each seat's stock."""
    for route in range(len(state.route_owner)):
        seen.route_owner[route] = state.route_owner[route]
    for word in range(ROUTE_WORDS):
        seen.free[word] = state.free[word]
    for word in range(PLACE_WORDS):
        seen.station_free[word] = state.station_free[word]
        seen.port_free[word] = state.port_free[word]
    for place in range(len(state.station_owner)):
        seen.station_owner[place] = state.station_owner[place]
        seen.port_owner[place] = state.port_owner[place]
    if board.passenger_colours:
        for place in range(board.places):
            for colour in range(MAX_COLOURS):
                seen.waiting[place, colour] = state.waiting[place, colour]
    for seat in range(state.seats):
        know_stock(state, seen, seat)


@rule
def know_stock(state: State, seen: State, seat: int) -> None:
    """Copy what lies open of a seat's things."""
    for word in range(ROUTE_WORDS):
        seen.barred[seat, word] = state.barred[seat, word]
    for word in range(PLACE_WORDS):
        seen.reached[seat, word] = state.reached[seat, word]
    for kind in range(2):
        seen.pieces[seat, kind] = state.pieces[seat, kind]
        seen.box[seat, kind] = state.box[seat, kind]
    seen.route_points[seat] = state.route_points[seat]
    seen.swapped[seat] = state.swapped[seat]
    seen.stations_built[seat] = state.stations_built[seat]
    seen.ports_built[seat] = state.ports_built[seat]
    for colour in range(MAX_COLOURS):
        seen.passengers[seat, colour] = state.passengers[seat, colour]


@rule
def know_tickets(board: BoardTables, state: State, seen: State, seat: int) -> None:
    """Copy the own tickets, the own offer and what the seat put out of the game; of the rest only numbers.

    Where the backs of the decks look alike, of a ticket that another seat holds nobody sees which deck it is
    from: `tickets_held` has the sum in its first place then. When the game is over the tickets lie open.
    """
    for ticket in range(board.tickets):
        at = state.ticket_at[ticket]
        own = seat >= 0 and (at == seat or LEFT_GAME - at == seat)
        seen.ticket_at[ticket] = at if own or state.question == OVER else HIDDEN
    for deck in range(board.ticket_decks):
        seen.ticket_count[deck] = state.ticket_count[deck]
    for other in range(MAX_SEATS):
        seen.mix[other] = state.mix[other]
        seen.offer_size[other] = state.offer_size[other]
        seen.tickets_out[other] = state.tickets_out[other]
        for n in range(MAX_OFFER):
            seen.offer[other, n] = state.offer[other, n] if other == seat else -1
        for deck in range(board.ticket_decks):
            seen.offered[other, deck] = state.offered[other, deck]
            counted = deck if other == seat or board.backs_differ else 0
            seen.tickets_held[other, counted] += state.tickets_held[other, deck]


@rule
def know_fleets(state: State, seen: State, seat: int) -> None:
    """FLE-1: Hide the chosen fleets until all have chosen."""
    for other in range(MAX_SEATS):
        chosen = state.fleet[other]
        secret = state.setting_up and other != seat and chosen >= 0
        seen.fleet[other] = HIDDEN if secret else chosen


@rule
def know_payment(state: State, seen: State, seat: int) -> None:
    """Copy a payment once it is laid, when it is public. Until then only the payer knows what it is choosing.

    That a step of a payment is asked at all, instead of skipped, would tell the others about the hand.
    """
    payment.clear(seen)
    if state.paying_for == NOTHING:
        return
    if seat == state.seat or state.question == TUNNEL:
        copy_payment(state, seen)
    elif state.question == PASSENGER:  # paid already
        seen.target = state.target
        seen.paying_for = state.paying_for
    elif state.paying_for == FOR_EXTRA:
        copy_payment(state, seen)
        seen.question = TUNNEL
        seen.open_spaces = 0
        seen.open_colour = -1
        seen.paying_for = FOR_ROUTE
        for kind in range(KINDS):
            seen.laid[kind] = state.shown[kind]
    else:
        seen.question = TURN


@rule
def copy_payment(state: State, seen: State) -> None:
    """Copy the payment as it stands."""
    seen.paying_for = state.paying_for
    seen.target = state.target
    seen.colour = state.colour
    seen.open_spaces = state.open_spaces
    seen.open_pairs = state.open_pairs
    seen.last_pair = state.last_pair
    seen.open_colour = state.open_colour
    for kind in range(KINDS):
        seen.laid[kind] = state.laid[kind]
        seen.shown[kind] = state.shown[kind]


# ------------------------------------------------------------------------------------------- what one may imagine


@rule
def imagine(board: BoardTables, state: State, seat: int, seed: int) -> None:
    """Turn a copy of a redacted state into a whole one: every hidden thing dealt at random, as likely as it is.

    `redact` of the result gives the redacted state back. Beliefs beyond the rules (what others' play tells about
    their hands) are not used.
    """
    chance.seed(state, seed)
    imagine_cards(board, state)
    if state.question != OVER:
        imagine_tickets(board, state, seat)
    for other in range(state.seats):
        if state.fleet[other] == HIDDEN:
            fewest = fleet.fewest_trains(board)
            state.fleet[other] = fewest + chance.below(state, fleet.most_trains(board) - fewest + 1)


@rule
def shuffle_decks(board: BoardTables, state: State, seed: int) -> None:
    """Shuffle what lies in the decks of a whole state, which nobody at the table can know."""
    chance.seed(state, seed)
    for deck in range(board.decks):
        chance.shuffle_cards(state, deck)
    for deck in range(board.ticket_decks):
        tickets.shuffle(state, deck)


@rule
def imagine_cards(board: BoardTables, state: State) -> None:
    """Deal all cards that are out of sight, shuffled, to the other hands; the rest is the deck."""
    for deck in range(board.decks):
        state.deck_size[deck] = 0
    for kind in range(KINDS):
        hidden = board.copies[kind] - state.discards[kind]
        for slot in range(board.market):
            if state.market[slot] == kind:
                hidden -= 1
        for other in range(state.seats):
            hidden -= state.hand[other, kind]
        cards.put_into_deck(state, kind, hidden)
    for deck in range(board.decks):
        chance.shuffle_cards(state, deck)
        for other in range(state.seats):
            for _ in range(unknown_cards(state, other, deck)):
                state.deck_size[deck] -= 1
                state.hand[other, state.deck[deck, state.deck_size[deck]]] += 1


@rule
def unknown_cards(state: State, seat: int, deck: int) -> int:
    """Return how many cards of a deck a hand holds beyond those that are known."""
    unknown = state.hand_size[seat, deck]
    for kind in range(WILD_KIND + 1):
        if cards.deck_of(kind) == deck:
            unknown -= state.hand[seat, kind]
    return unknown


@rule
def imagine_tickets(board: BoardTables, state: State, seat: int) -> None:
    """Deal all tickets out of sight, shuffled, to offers, to other seats, out of the game, and into the decks."""
    in_first = state.ticket_count[0]
    in_second = state.ticket_count[1]
    for deck in range(board.ticket_decks):
        state.ticket_top[deck] = 0
        state.ticket_count[deck] = 0
    for ticket in range(board.tickets):
        if state.ticket_at[ticket] == HIDDEN:
            tickets.put_under(board, state, ticket)
    for deck in range(board.ticket_decks):
        tickets.shuffle(state, deck)
    for other in range(state.seats):
        if other != seat:
            imagine_offer(board, state, other)
    for other in range(state.seats):
        if other != seat:
            imagine_held(board, state, other, in_first, in_second)
    for other in range(state.seats):  # last: held tickets may be bound to a deck, these never are
        if other != seat:
            for _ in range(state.tickets_out[other]):
                state.ticket_at[next_hidden(state, in_first, in_second)] = LEFT_GAME - other


@rule
def imagine_offer(board: BoardTables, state: State, other: int) -> None:
    """Imagine the offer of another seat: its known number of tickets from each deck."""
    place = 0
    for deck in range(board.ticket_decks):
        for _ in range(state.offered[other, deck]):
            ticket = pop(state, deck)
            state.ticket_at[ticket] = other
            state.offer[other, place] = ticket
            place += 1


@rule
def imagine_held(board: BoardTables, state: State, other: int, in_first: int, in_second: int) -> None:
    """Imagine the tickets another seat holds: by deck where the backs tell, otherwise by their number."""
    if board.backs_differ:
        for deck in range(board.ticket_decks):
            for _ in range(state.tickets_held[other, deck]):
                state.ticket_at[pop(state, deck)] = other
        return
    held = state.tickets_held[other, 0]
    state.tickets_held[other, 0] = 0
    for _ in range(held):
        ticket = next_hidden(state, in_first, in_second)
        state.ticket_at[ticket] = other
        state.tickets_held[other, board.ticket_deck[ticket]] += 1


@rule
def next_hidden(state: State, in_first: int, in_second: int) -> int:
    """Return a hidden ticket that is in no deck, from either kind in proportion to the surplus of each."""
    over_first = state.ticket_count[0] - in_first
    over_second = state.ticket_count[1] - in_second
    return pop(state, 0 if chance.below(state, over_first + over_second) < over_first else 1)


@rule
def pop(state: State, deck: int) -> int:
    """Return the top ticket of a deck."""
    ticket = state.ticket_deck[deck, state.ticket_top[deck]]
    state.ticket_top[deck] += 1
    state.ticket_count[deck] -= 1
    state.ticket_at[ticket] = IN_DECK
    return ticket
