"""Whose question, what is legal, what an action does. The chapters do the work; here they meet.

`legal` lists what may be done, `apply` does one of these things; nothing else changes a game.
"""

from __future__ import annotations

from branchline.boards.tables import ROUTE_WORDS, WILD_KIND, WORD, BoardTables
from branchline.rules import (
    cards,
    fleet,
    market,
    passengers,
    payment,
    ports,
    routes,
    setup,
    stations,
    tickets,
    tunnels,
)
from branchline.rules.kernel import popcount, rule, shared_rule
from branchline.rules.log import (
    ANNOUNCED_END,
    BUILT_PORT,
    BUILT_STATION,
    CLAIMED,
    DREW,
    ENDED,
    PASSED,
    SWAPPED,
    TOOK_PASSENGER,
    WITHDREW,
    note,
)
from branchline.rules.sets import lowest, offer
from branchline.rules.state import (
    ACTION_WORDS,
    BLIND,
    CLAIM,
    COLOUR,
    DOUBLES,
    DRAW_TICKETS,
    FLEET,
    FOR_EXTRA,
    FOR_PORT,
    FOR_ROUTE,
    FOR_STATION,
    KEEP,
    KEEP_TICKETS,
    MARKED,
    MAX_SWAP,
    MIX,
    NOTHING,
    OVER,
    PAIR,
    PASS,
    PASSENGER,
    PAY_COLOUR,
    PAY_EXTRA,
    PICK_PASSENGER,
    PORT,
    REFILL,
    REFILL_FROM,
    SECOND_CARD,
    STATION,
    SWAP,
    SWAP_FOR,
    SWAP_PIECES,
    TAKE,
    TICKET_MIX,
    TRAINS_IN_FLEET,
    TUNNEL,
    TURN,
    WITH_DOUBLES,
    WITH_MARKED,
    WITH_PAIR,
    WITH_WILDS,
    WITHDRAW,
    Scratch,
    State,
)

CARDS_A_TURN = 2  # DRAW-1
MOST_ROUNDS = 500  # ruling in END-2; games in which something happens in each turn have no room for 300


# ---------------------------------------------------------------------------------------------- what is legal


@shared_rule
def legal(board: BoardTables, state: State, scratch: Scratch) -> None:
    """Write the set of legal actions to `scratch.legal`; it is empty when the game is over and never otherwise."""
    for word in range(ACTION_WORDS):
        scratch.legal[word] = 0
    question = state.question
    if question == TURN:
        turn_actions(board, state, scratch)
    elif question == SECOND_CARD:
        offer(scratch, TAKE, market.second_cards(board, state))
        offer(scratch, BLIND, market.blind(board, state))
    elif question == REFILL:
        offer(scratch, REFILL_FROM, market.blind(board, state))
    elif question == TICKET_MIX:
        offer(scratch, MIX, tickets.mixes(state, mix_size(board, state)))
    elif question == KEEP_TICKETS:
        keep_actions(board, state, scratch)
    elif question == TUNNEL:
        offer(scratch, WITHDRAW, 1)
        if tunnels.can_pay_extra(state):
            offer(scratch, PAY_EXTRA, 1)
    elif question == PASSENGER:
        offer(scratch, PICK_PASSENGER, passengers.choices(state, stop_of(board, state)))
    elif question == FLEET:
        for trains in range(fleet.fewest_trains(board), fleet.most_trains(board) + 1):
            offer(scratch, TRAINS_IN_FLEET + trains, 1)
    elif question == SWAP:
        swap_actions(state, scratch)
    elif question != OVER:
        offer(scratch, first_of(question), payment.options(board, state))


@rule
def first_of(question: int) -> int:
    """Return the first action of a payment question."""
    if question == COLOUR:
        return PAY_COLOUR
    if question == DOUBLES:
        return WITH_DOUBLES
    if question == MARKED:
        return WITH_MARKED
    if question == PAIR:
        return WITH_PAIR
    return WITH_WILDS


@rule
def turn_actions(board: BoardTables, state: State, scratch: Scratch) -> None:
    """List what a seat may do with its turn; it may pass only if there is nothing else (END-2)."""
    claimable = routes.list_claimable(board, state, scratch)
    if board.stations and stations.may_build(board, state):
        for word in range(board.place_words):
            scratch.legal[STATION // WORD + word] = state.station_free[word]
            claimable |= state.station_free[word]
    if board.ports and ports.may_build(board, state):
        for word in range(board.place_words):
            scratch.legal[PORT // WORD + word] = ports.sites(state, word)
            claimable |= ports.sites(state, word)
    first = market.first_cards(board, state)
    blind = market.blind(board, state)
    offer(scratch, TAKE, first)
    offer(scratch, BLIND, blind)
    if tickets.left(board, state, board.later_deal, board.later_mix) > 0:
        offer(scratch, DRAW_TICKETS, 1)
        claimable = 1
    if board.fleet and (fleet.most_swapped(state, 0) > 0 or fleet.most_swapped(state, 1) > 0):
        offer(scratch, SWAP_PIECES, 1)
        claimable = 1
    if claimable == 0 and first == 0 and blind == 0:
        offer(scratch, PASS, 1)
    for word in range(ROUTE_WORDS):  # at the end: what has just been written one by one is slow to read all at once
        scratch.legal[CLAIM // WORD + word] = scratch.claimable[word]


@rule
def keep_actions(board: BoardTables, state: State, scratch: Scratch) -> None:
    """TIC-1: List every choice from the offer that keeps enough."""
    least = board.first_keep if state.setting_up else board.later_keep
    for chosen in range(1 << state.offer_size[state.seat]):
        if tickets.may_keep(state, state.seat, least, chosen):
            offer(scratch, KEEP + chosen, 1)


@rule
def swap_actions(state: State, scratch: Scratch) -> None:
    """FLE-2: List every number of pieces that the box gives and the stock can return, either way."""
    for kind in range(2):
        for count in range(1, fleet.most_swapped(state, kind) + 1):
            offer(scratch, SWAP_FOR + kind * MAX_SWAP + count - 1, 1)


# ------------------------------------------------------------------------------------------- what an action does


@shared_rule
def apply(board: BoardTables, state: State, scratch: Scratch, action: int) -> None:
    """Do a legal action, with all that follows from it up to the next question; what came of it is in the log."""
    scratch.log_size = 0
    question = state.question
    if question == TURN:
        take_turn(board, state, scratch, action)
    elif question == SECOND_CARD:
        draw_card(board, state, scratch, action)
    elif question == REFILL:
        refill(board, state, scratch, action - REFILL_FROM)
    elif question == TICKET_MIX:
        announce(board, state, scratch, action - MIX)
    elif question == KEEP_TICKETS:
        keep(board, state, scratch, action - KEEP)
    elif question == TUNNEL:
        answer_tunnel(board, state, scratch, action)
    elif question == PASSENGER:
        colour = action - PICK_PASSENGER
        if colour != passengers.NONE:
            note(scratch, TOOK_PASSENGER, state.seat, stop_of(board, state), colour)
        passengers.take(state, stop_of(board, state), colour)
        next_stop(board, state, scratch)
    elif question == FLEET:
        setup.choose_fleet(board, state, scratch, action - TRAINS_IN_FLEET)
    elif question == SWAP:
        swapped = action - SWAP_FOR
        fleet.swap(state, swapped // MAX_SWAP, swapped % MAX_SWAP + 1)
        note(scratch, SWAPPED, state.seat, swapped // MAX_SWAP, swapped % MAX_SWAP + 1)
        end_turn(board, state, scratch)
    elif question != OVER:
        payment.choose(board, state, action - first_of(question))
        pay_on(board, state, scratch)


@rule
def take_turn(board: BoardTables, state: State, scratch: Scratch, action: int) -> None:
    """Take the answer to TURN.

    A payment shows the others nothing before it is laid; all else happens at once (HIDE).
    """
    if action < STATION:
        routes.begin_payment(board, state, action - CLAIM)
        pay_on(board, state, scratch)
    elif action < PORT:
        stations.begin_payment(board, state, action - STATION)
        pay_on(board, state, scratch)
    elif action < TAKE:
        ports.begin_payment(board, state, action - PORT)
        pay_on(board, state, scratch)
    elif action == PASS:
        note_deed(board, state, state.idle + 2)
        note(scratch, PASSED, state.seat, 0, 0)
        end_turn(board, state, scratch)
    elif action == SWAP_PIECES:
        note_deed(board, state, state.idle + 1 if nothing_but_swaps(board, state) else 0)
        state.question = SWAP
    else:
        note_deed(board, state, 0)
        if action == DRAW_TICKETS:
            draw_tickets(board, state, scratch)
        else:
            draw_card(board, state, scratch, action)


@rule
def note_deed(board: BoardTables, state: State, idle: int) -> None:
    """Note that the seat's deed happens now: the last tunnel's cards are off the table (END-2: `idle`)."""
    if board.tunnel_cards:
        tunnels.forget_turned(state)
    state.idle = idle


@rule
def nothing_but_swaps(board: BoardTables, state: State) -> bool:
    """Return whether the seat could do nothing this turn but swap pieces (ruling in END-2)."""
    if market.first_cards(board, state) or market.blind(board, state) or ports_possible(board, state):
        return False
    if tickets.left(board, state, board.later_deal, board.later_mix) > 0:
        return False
    if board.stations and stations.may_build(board, state):
        return False
    for route in range(board.routes):
        if routes.may_claim(board, state, route):
            return False
    return True


@rule
def ports_possible(board: BoardTables, state: State) -> bool:
    """PORT-1: Return whether a port can be built anywhere."""
    if board.ports and ports.may_build(board, state):
        for word in range(board.place_words):
            if ports.sites(state, word):
                return True
    return False


@rule
def end_turn(board: BoardTables, state: State, scratch: Scratch) -> None:
    """END-1, END-2: End the turn: look whether the end of the game has come; otherwise begin the next seat's turn."""
    state.turns += 1
    state.drawn = 0
    if state.paying_for != NOTHING:
        payment.clear(state)
    if state.turns_to_go > 0:
        state.turns_to_go -= 1
    elif state.pieces[state.seat, 0] + state.pieces[state.seat, 1] <= board.pieces_left:
        state.turns_to_go = board.extra_turns * state.seats
        note(scratch, ANNOUNCED_END, state.seat, board.extra_turns, 0)
    if state.turns_to_go == 0 or state.idle >= 2 * state.seats or state.turns >= MOST_ROUNDS * state.seats:
        state.question = OVER
        note(scratch, ENDED, state.seat, 0, 0)
        return
    state.seat = (state.seat + 1) % state.seats
    state.question = TURN
    market.fill_gaps(board, state, scratch)


# cards


@rule
def draw_card(board: BoardTables, state: State, scratch: Scratch, action: int) -> None:
    """DRAW-1 … DRAW-3: Draw one card from the market or blind; a market wild ends the turn."""
    state.drawn += 1
    if action >= BLIND:
        kind = cards.draw(state, scratch, action - BLIND)
        cards.give(state, state.seat, kind, 0)
        note(scratch, DREW, state.seat, action - BLIND, kind)
        after_card(board, state, scratch)
        return
    slot = action - TAKE
    if market.take(state, scratch, state.seat, slot) == WILD_KIND:
        state.drawn = CARDS_A_TURN
    decks = market.blind(board, state)
    if decks == 0b11:
        state.slot = slot
        state.question = REFILL
    else:
        if decks:
            market.put(state, scratch, slot, decks >> 1)
            market.sweep(board, state, scratch)
        after_card(board, state, scratch)


@rule
def refill(board: BoardTables, state: State, scratch: Scratch, deck: int) -> None:
    """DRAW-1: Refill the market from the deck that the taker of a card names."""
    market.put(state, scratch, state.slot, deck)
    state.slot = -1
    market.sweep(board, state, scratch)
    after_card(board, state, scratch)


@rule
def after_card(board: BoardTables, state: State, scratch: Scratch) -> None:
    """DRAW-1, DRAW-6: Go on to the second card; one that cannot be had is not drawn."""
    if state.drawn < CARDS_A_TURN and (market.second_cards(board, state) or market.blind(board, state)):
        state.question = SECOND_CARD
    else:
        end_turn(board, state, scratch)


# tickets


@rule
def mix_size(board: BoardTables, state: State) -> int:
    """TIC-2: Return how many tickets the announced mix is of."""
    return board.first_mix if state.setting_up else board.later_mix


@rule
def draw_tickets(board: BoardTables, state: State, scratch: Scratch) -> None:
    """TIC-1, TIC-2: Draw tickets, after announcing the mix where one is chosen."""
    if board.later_mix == 0:
        tickets.draw_deal(state, scratch, state.seat, board.later_deal)
        ask_to_keep(board, state, scratch)
        return
    state.question = TICKET_MIX
    choices = tickets.mixes(state, board.later_mix)
    if popcount(choices) == 1:
        announce(board, state, scratch, lowest(choices))


@rule
def announce(board: BoardTables, state: State, scratch: Scratch, from_first: int) -> None:
    """TIC-2: Announce the mix and draw it."""
    if state.setting_up:
        setup.announce(board, state, scratch, from_first)
        setup.skip_single_mix(board, state, scratch)
        return
    tickets.draw_mix(state, scratch, state.seat, from_first, board.later_mix)
    ask_to_keep(board, state, scratch)


@rule
def ask_to_keep(board: BoardTables, state: State, scratch: Scratch) -> None:
    """TIC-1: Ask which tickets to keep; a single one must be kept."""
    state.question = KEEP_TICKETS
    if state.offer_size[state.seat] == 1 and board.later_keep >= 1:
        keep(board, state, scratch, 1)


@rule
def keep(board: BoardTables, state: State, scratch: Scratch, chosen: int) -> None:
    """TIC-1: Keep tickets, at the start or as a turn."""
    if state.setting_up:
        setup.keep(board, state, scratch, chosen)
    else:
        tickets.keep(board, state, scratch, state.seat, chosen, board.later_rejected)
        end_turn(board, state, scratch)


# paying and building


@rule
def pay_on(board: BoardTables, state: State, scratch: Scratch) -> None:
    """Go on with a payment; when every card is chosen, do what it is for."""
    if not payment.proceed(board, state):
        return
    paying_for = state.paying_for
    if paying_for != FOR_EXTRA:
        note_deed(board, state, 0)
    if paying_for == FOR_ROUTE and board.route_tunnel[state.target]:
        payment.show(state, scratch)
        tunnels.turn_cards(board, state, scratch)
        if state.extra > 0:
            state.question = TUNNEL
            return
    payment.spend(board, state, scratch)
    if paying_for == FOR_STATION:
        stations.build(state, state.seat, state.target)
        note(scratch, BUILT_STATION, state.seat, state.target, 0)
        end_turn(board, state, scratch)
    elif paying_for == FOR_PORT:
        ports.build(state, state.seat, state.target)
        note(scratch, BUILT_PORT, state.seat, state.target, 0)
        end_turn(board, state, scratch)
    else:
        routes.take(board, state, state.target)
        note(scratch, CLAIMED, state.seat, state.target, board.route_points[state.target])
        state.stop = -1
        next_stop(board, state, scratch)


@rule
def answer_tunnel(board: BoardTables, state: State, scratch: Scratch, action: int) -> None:
    """TUN-4: Pay all the tunnel asks more, or take everything back."""
    if action == WITHDRAW:
        payment.note_laid(state, scratch)
        note(scratch, WITHDREW, state.seat, state.target, 0)
        end_turn(board, state, scratch)  # with it the payment is cleared; the cards never left the hand
    else:
        payment.begin_extra(state, state.extra)
        pay_on(board, state, scratch)


@rule
def stop_of(board: BoardTables, state: State) -> int:
    """Return the end of the claimed route at which a passenger is being chosen."""
    return board.route_a[state.target] if state.stop == 0 else board.route_b[state.target]


@rule
def next_stop(board: BoardTables, state: State, scratch: Scratch) -> None:
    """PAS-2: Ask about passengers at each end of the claimed route where some stand; then end the turn."""
    while board.passenger_colours and state.stop < 1:
        state.stop += 1
        if passengers.choices(state, stop_of(board, state)):
            state.question = PASSENGER
            return
    state.stop = -1
    end_turn(board, state, scratch)
