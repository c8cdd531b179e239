"""Dealing for a board that lies on a real table: cards and tickets alone, made of the same rules as a game.

Who is on turn, what is built and whether it was paid rightly, the people there see for themselves: nothing here asks
for it, and `state.seat` is no more than a marker that they move. Atoms DRAW-1 … DRAW-6, TIC-1, TIC-2, TUN-1.
"""

from __future__ import annotations

from branchline.boards.limits import MAX_TICKET_DECKS
from branchline.boards.tables import KINDS, WILD_KIND, BoardTables
from branchline.rules import cards, chance, market, tickets, tunnels
from branchline.rules.kernel import rule, shared_rule
from branchline.rules.log import DREW, LOOKED, MOVED_ON, PAID, PUT_AWAY, TURNED, note
from branchline.rules.state import NO_CARD, TURN, Scratch, State
from branchline.rules.turn import CARDS_A_TURN

# Deeds. In brackets their two numbers; the cards of the last but one are in `state.laid`.
(
    TAKE_CARD,  # from the market (its place, the deck it is replaced from where both have cards)
    DRAW_CARD,  # blind (the deck)
    DRAW_TICKETS,  # (how many from the first deck, where the seat says so)
    KEEP_TICKETS,  # of the offer (those kept, as bits)
    LAY_CARDS,  # from the hand to the discards
    TURN_CARDS,  # as many as a tunnel asks
    NEXT_SEAT,  # the marker moves on
) = range(7)

EVERY_DECK = 0b11  # both decks have cards


@shared_rule
def begin(board: BoardTables, state: State) -> None:
    """Let anybody act from now on, after `setup.deal`. Where a mix is announced, nobody has tickets yet."""
    state.question = TURN
    state.seat = state.first_seat


@shared_rule
def may(board: BoardTables, state: State, seat: int, deed: int, first: int, second: int) -> bool:
    """Return whether there is anything to deal for this deed.

    Until all have their first tickets, nothing else is dealt.
    """
    if deed == KEEP_TICKETS:
        least = board.first_keep if state.setting_up else board.later_keep
        return state.offer_size[seat] > 0 and tickets.may_keep(state, seat, least, first)
    if deed == NEXT_SEAT:
        return state.setting_up == 0
    if state.offer_size[seat] > 0:
        return False
    if deed == DRAW_TICKETS:
        return may_draw_tickets(board, state, seat, first)
    if state.setting_up:
        return False
    if deed == TAKE_CARD:
        both = market.blind(board, state) == EVERY_DECK
        return (market.first_cards(board, state) >> first) & 1 == 1 and (not both or 0 <= second < board.decks)
    if deed == DRAW_CARD:
        return (market.blind(board, state) >> first) & 1 == 1
    if deed == TURN_CARDS:
        return board.tunnel_cards > 0 and cards.left(state, 0) > 0
    return may_lay(state, seat)


@rule
def may_draw_tickets(board: BoardTables, state: State, seat: int, from_first: int) -> bool:
    """TIC-1, TIC-2: Return whether tickets can be drawn, in this mix if the seat announces one; at the start, once."""
    mix = board.first_mix if state.setting_up else board.later_mix
    if state.setting_up and (mix == 0 or state.mix[seat] >= 0):
        return False
    if mix > 0:
        return (tickets.mixes(state, mix) >> from_first) & 1 == 1 and tickets.left(
            board, state, board.later_deal, mix
        ) > 0
    return tickets.left(board, state, board.later_deal, mix) > 0


@rule
def may_lay(state: State, seat: int) -> bool:
    """Return whether the hand holds the cards in `state.laid`, and these are at least one."""
    total = 0
    for kind in range(KINDS):
        if state.laid[kind] > state.hand[seat, kind]:
            return False
        total += state.laid[kind]
    return total > 0


@shared_rule
def act(board: BoardTables, state: State, scratch: Scratch, seat: int, deed: int, first: int, second: int) -> None:
    """Do what `may` allows, with all that follows for market and decks; what came of it is in the log."""
    scratch.log_size = 0
    if deed != LAY_CARDS:
        tunnels.forget_turned(state)
    if deed == TAKE_CARD:
        take(board, state, scratch, seat, first, second)
    elif deed == DRAW_CARD:
        kind = cards.draw(state, scratch, first)
        cards.give(state, seat, kind, 0)
        note(scratch, DREW, seat, first, kind)
        count(state, seat, 1)
    elif deed == DRAW_TICKETS:
        offer(board, state, scratch, seat, first)
    elif deed == KEEP_TICKETS:
        keep(board, state, scratch, seat, first)
    elif deed == LAY_CARDS:
        lay(state, scratch, seat)
    elif deed == TURN_CARDS:
        turn_up(board, state, scratch, seat)
    else:
        state.turns += 1
        state.drawn = 0
        state.seat = (state.seat + 1) % state.seats
        note(scratch, MOVED_ON, state.seat, 0, 0)
    if state.setting_up == 0:
        market.fill_gaps(board, state, scratch)


@rule
def count(state: State, seat: int, drawn: int) -> None:
    """Count how many cards the seat at the marker has drawn; no seat is held to a number."""
    if seat == state.seat:
        state.drawn = min(CARDS_A_TURN, state.drawn + drawn)


@rule
def take(board: BoardTables, state: State, scratch: Scratch, seat: int, slot: int, deck: int) -> None:
    """DRAW-1, DRAW-3, DRAW-4: Take a card of the market, which is filled up from the deck that its taker names."""
    wild = market.take(state, scratch, seat, slot) == WILD_KIND
    count(state, seat, CARDS_A_TURN if wild else 1)
    decks = market.blind(board, state)
    if decks:
        market.put(state, scratch, slot, deck if decks == EVERY_DECK else decks >> 1)
        market.sweep(board, state, scratch)


@rule
def offer(board: BoardTables, state: State, scratch: Scratch, seat: int, from_first: int) -> None:
    """TIC-1, TIC-2: Offer tickets to choose from."""
    mix = board.first_mix if state.setting_up else board.later_mix
    if mix > 0:
        tickets.draw_mix(state, scratch, seat, from_first, mix)
    else:
        tickets.draw_deal(state, scratch, seat, board.later_deal)


@rule
def keep(board: BoardTables, state: State, scratch: Scratch, seat: int, chosen: int) -> None:
    """TIC-1, TIC-2: Keep some of the offer; when the last seat has chosen for the first time, deal cards."""
    rejected = board.first_rejected if state.setting_up else board.later_rejected
    tickets.keep(board, state, scratch, seat, chosen, rejected)
    if state.setting_up == 0:
        return
    for other in range(state.seats):
        if state.offer_size[other] > 0 or (board.first_mix > 0 and state.mix[other] < 0):
            return
    tickets.first_choice_is_over(board, state)
    state.setting_up = 0


@rule
def lay(state: State, scratch: Scratch, seat: int) -> None:
    """Move the cards in `state.laid` from the hand to the discards."""
    for kind in range(KINDS):
        if state.laid[kind] > 0:
            note(scratch, PAID, seat, kind, state.laid[kind])
            cards.spend(state, seat, kind, state.laid[kind])
            state.laid[kind] = 0
    note(scratch, PUT_AWAY, seat, 0, 0)


@rule
def turn_up(board: BoardTables, state: State, scratch: Scratch, seat: int) -> None:
    """TUN-1, TUN-5: Turn up the top cards for a moment, then discard them. People see for themselves what they ask."""
    for n in range(board.tunnel_cards):
        state.turned[n] = cards.draw(state, scratch, 0)
    for n in range(board.tunnel_cards):
        if state.turned[n] != NO_CARD:
            note(scratch, TURNED, seat, state.turned[n], 0)
            cards.discard(state, state.turned[n], 1)
    note(scratch, LOOKED, seat, 0, 0)


@shared_rule
def shuffle_again(board: BoardTables, state: State, card_decks: int, ticket_decks: int) -> None:
    """Shuffle these decks (bits): somebody has seen what lay on top, and put it back."""
    for deck in range(board.decks):
        if (card_decks >> deck) & 1:
            chance.shuffle_cards(state, deck)
    for deck in range(MAX_TICKET_DECKS):
        if (ticket_decks >> deck) & 1:
            tickets.shuffle(state, deck)
