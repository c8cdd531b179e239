"""Tickets: decks, offers, keeping. Atoms TIC-1, TIC-2. When one is done: `scoring`."""

from __future__ import annotations

from branchline.boards.limits import MAX_OFFER, MAX_TICKET_DECKS, MAX_TICKETS
from branchline.boards.tables import OUT, RESHUFFLED, BoardTables
from branchline.rules import chance
from branchline.rules.kernel import popcount, rule
from branchline.rules.log import ANNOUNCED, CHOSE, KEPT, OFFERED, PUT_BACK, PUT_OUT, note
from branchline.rules.state import IN_DECK, LEFT_GAME, Scratch, State
from branchline.runtime.structs import Vector


@rule
def build_decks(board: BoardTables, state: State) -> None:
    """Put every ticket into its deck, shuffled."""
    for ticket in range(board.tickets):
        state.ticket_at[ticket] = IN_DECK
        put_under(board, state, ticket)
    for deck in range(board.ticket_decks):
        shuffle(state, deck)
    for seat in range(state.seats):
        clear_offer(state, seat)


@rule
def shuffle(state: State, deck: int) -> None:
    """Shuffle one deck of tickets."""
    top = state.ticket_top[deck]
    for last in range(state.ticket_count[deck] - 1, 0, -1):
        here = (top + last) % MAX_TICKETS
        there = (top + chance.below(state, last + 1)) % MAX_TICKETS
        ticket = state.ticket_deck[deck, here]
        state.ticket_deck[deck, here] = state.ticket_deck[deck, there]
        state.ticket_deck[deck, there] = ticket


@rule
def put_under(board: BoardTables, state: State, ticket: int) -> None:
    """Put a ticket at the bottom of its deck."""
    deck = board.ticket_deck[ticket]
    state.ticket_deck[deck, (state.ticket_top[deck] + state.ticket_count[deck]) % MAX_TICKETS] = ticket
    state.ticket_count[deck] += 1
    state.ticket_at[ticket] = IN_DECK


@rule
def draw(state: State, scratch: Scratch, seat: int, deck: int, count: int) -> None:
    """Draw up to `count` tickets from the top of a deck into the offer of a seat."""
    for _ in range(min(count, state.ticket_count[deck])):
        top = state.ticket_top[deck]
        ticket = state.ticket_deck[deck, top]
        state.ticket_top[deck] = (top + 1) % MAX_TICKETS
        state.ticket_count[deck] -= 1
        state.ticket_at[ticket] = seat
        state.offer[seat, state.offer_size[seat]] = ticket
        state.offer_size[seat] += 1
        state.offered[seat, deck] += 1
        note(scratch, OFFERED, seat, ticket, deck)


@rule
def clear_offer(state: State, seat: int) -> None:
    """Clear the offer of the seat."""
    state.offer_size[seat] = 0
    for deck in range(MAX_TICKET_DECKS):
        state.offered[seat, deck] = 0
    for n in range(MAX_OFFER):
        state.offer[seat, n] = -1


@rule
def left(board: BoardTables, state: State, deal: Vector, mix: int) -> int:
    """TIC-1: Return how many tickets are in the decks from which this kind of draw deals."""
    total = 0
    for deck in range(board.ticket_decks):
        if mix > 0 or deal[deck] > 0:
            total += state.ticket_count[deck]
    return total


@rule
def mixes(state: State, count: int) -> int:
    """TIC-2: Return how many of `count` tickets may come from the first deck, as bits; never more than a deck has."""
    first = state.ticket_count[0]
    second = state.ticket_count[1]
    drawn = min(count, first + second)
    possible = 0
    for n in range(max(0, drawn - second), min(drawn, first) + 1):
        possible |= 1 << n
    return possible


@rule
def draw_mix(state: State, scratch: Scratch, seat: int, from_first: int, count: int) -> None:
    """TIC-2: Draw the announced mix of `count` tickets into the offer of a seat, as far as the decks have them."""
    note(scratch, ANNOUNCED, seat, from_first, 0)
    state.mix[seat] = from_first
    draw(state, scratch, seat, 0, from_first)
    draw(state, scratch, seat, 1, count - from_first)


@rule
def draw_deal(state: State, scratch: Scratch, seat: int, deal: Vector) -> None:
    """TIC-1: Draw a fixed number from each deck into the offer of a seat."""
    for deck in range(len(deal)):
        draw(state, scratch, seat, deck, deal[deck])


@rule
def may_keep(state: State, seat: int, at_least: int, chosen: int) -> bool:
    """TIC-1: Return whether these places in the offer (bits) may be kept."""
    size = state.offer_size[seat]
    return chosen < (1 << size) and popcount(chosen) >= min(at_least, size)


@rule
def keep(board: BoardTables, state: State, scratch: Scratch, seat: int, chosen: int, rejected: int) -> None:
    """TIC-1: Keep these places of the offer (bits); the rest goes where `rejected` says."""
    for n in range(state.offer_size[seat]):
        ticket = state.offer[seat, n]
        if (chosen >> n) & 1:
            note(scratch, CHOSE, seat, ticket, KEPT)
            state.tickets_held[seat, board.ticket_deck[ticket]] += 1
        elif rejected == OUT:
            note(scratch, CHOSE, seat, ticket, PUT_OUT)
            state.ticket_at[ticket] = LEFT_GAME - seat
            state.tickets_out[seat] += 1
        else:
            note(scratch, CHOSE, seat, ticket, PUT_BACK)
            put_under(board, state, ticket)
    clear_offer(state, seat)


@rule
def first_choice_is_over(board: BoardTables, state: State) -> None:
    """TIC-2: Allow the decks to be shuffled again once all seats have chosen for the first time."""
    if board.first_rejected == RESHUFFLED:
        for deck in range(board.ticket_decks):
            shuffle(state, deck)
