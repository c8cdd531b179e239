"""`fast`: a planner cheap enough to play games out with: the shortest connections for its tickets, kept in mind.

The plan is made anew only when a claim of somebody else hits it or the tickets change. One screen for the turn, one
line for each other question. It weighs what a claim brings against the time it takes, and never looks at what others
may be up to, but for the stations, ports and passengers they leave.
"""

from __future__ import annotations

from typing import Any

from branchline.atlas.tables import SHIP, WILD_KIND, WORD
from branchline.bots import harbour, keeping, paying, plan, tunnelling, worth
from branchline.bots.bot import CompiledBot
from branchline.rules.kernel import rule
from branchline.rules.sets import is_legal, lowest
from branchline.rules.state import (
    BLIND,
    CLAIM,
    COLOUR,
    DOUBLES,
    DRAW_TICKETS,
    FLEET,
    KEEP_TICKETS,
    NO_CARD,
    PAIR,
    PASS,
    PASSENGER,
    PORT,
    REFILL,
    REFILL_FROM,
    SECOND_CARD,
    STATION,
    SWAP,
    SWAP_PIECES,
    TAKE,
    TICKET_MIX,
    TUNNEL,
    TURN,
)

LAST_TURNS = 2  # of the seat: no time to collect a reserve for a tunnel


@rule
def choose(board: Any, state: Any, slate: Any, desk: Any, seat: int) -> int:
    """The answer to any question."""
    question = state.question
    if question == TURN:
        return choose_turn(board, state, slate, desk, seat)
    return answer(board, state, slate, desk, seat)


@rule
def answer(board: Any, state: Any, slate: Any, desk: Any, seat: int) -> int:
    """The answer to any question but what to do with a turn."""
    question = state.question
    if question == SECOND_CARD:
        want_as_rated(board, state, desk, seat)
        return choose_card(board, state, slate, desk)
    if question == REFILL:
        want_as_rated(board, state, desk, seat)
        return REFILL_FROM + wanted_deck(board, state, desk)
    if question == TICKET_MIX:
        return keeping.choose_mix(board, state, slate, seat)
    if question == KEEP_TICKETS:
        return keeping.choose_kept(board, state, slate, desk, seat)
    if question == FLEET:
        return keeping.choose_fleet(board, state, desk, seat)
    if question == SWAP:
        return keeping.choose_swap(board, state, slate, desk, seat)
    if question == TUNNEL:
        return tunnelling.answer(state, slate, desk, seat)
    if question == PASSENGER:
        return paying.choose_passenger(board, state, slate, seat)
    if question == COLOUR:
        want_as_rated(board, state, desk, seat)
        return paying.choose_colour(board, state, slate, desk, seat)
    if question == PAIR:
        return paying.choose_pair(board, state, slate)
    if question == DOUBLES:
        return paying.highest(slate)
    return paying.lowest_action(slate)  # wilds, port-marked cards: spare them


@rule
def want(board: Any, state: Any, desk: Any, seat: int) -> None:
    """Rate the routes, and want the cards for the best ones."""
    plan.refresh(board, state, desk, seat)
    worth.rate_routes(board, state, desk, seat)
    want_cards(board, state, desk, seat)


@rule
def want_as_rated(board: Any, state: Any, desk: Any, seat: int) -> None:
    """Want cards with the hand as it is now, the routes being rated as they were when the turn began."""
    if desk.planned == 0 or desk.seat != seat or desk.turns != state.turns:
        want(board, state, desk, seat)
    else:
        worth.lay_out_hand(board, state, desk, seat)
        want_cards(board, state, desk, seat)


@rule
def want_cards(board: Any, state: Any, desk: Any, seat: int) -> None:
    """Want the cards for the routes rated best, and for ports."""
    worth.want_cards(board, desk)
    if board.ports:
        harbour.want_cards(board, state, desk, seat, 100)


# ------------------------------------------------------------------------------------------------------- the turn


@rule
def choose_turn(board: Any, state: Any, slate: Any, desk: Any, seat: int) -> int:
    """Claim, build, draw tickets, swap or draw cards."""
    want(board, state, desk, seat)
    tunnelling.rule_out_retries(board, state, slate, desk, seat)
    may_draw = can_draw(slate, board)
    claim = best_claim(board, slate, desk, may_draw and worth.turns_left(board, state, seat) > LAST_TURNS)
    port = port_now(board, state, slate, desk, seat)
    if port >= 0 and (claim < 0 or harbour.rate(board, state, desk, seat, port - PORT) >= desk.rate[claim]):
        return port
    if claim >= 0 and (not may_draw or desk.rate[claim] >= desk.rate[desk.aim[0]]):
        return CLAIM + claim
    if wants_station(board, state, slate, desk):
        return STATION + desk.station_at
    if is_legal(slate, DRAW_TICKETS) and keeping.wants_tickets(board, state, desk, seat):
        return DRAW_TICKETS
    if is_legal(slate, SWAP_PIECES) and keeping.swap_needed(board, state, desk, seat) > 0:
        return SWAP_PIECES
    if may_draw:
        return choose_card(board, state, slate, desk)
    return least_evil(board, state, slate)


@rule
def port_now(board: Any, state: Any, slate: Any, desk: Any, seat: int) -> int:
    """The port to build now that brings most, or -1."""
    if board.ports:
        site = harbour.best_site(board, state, desk, seat, True)
        if site >= 0 and is_legal(slate, PORT + site):
            return PORT + site
    return -1


@rule
def best_claim(board: Any, slate: Any, desk: Any, careful: bool) -> int:
    """The best rated of the routes that may be claimed now, or -1; if `careful`, no tunnel without a reserve."""
    best = -1
    highest = 0
    for word in range(board.route_words):
        bits = slate.legal[CLAIM // WORD + word]
        while bits != 0:
            route = word * WORD + lowest(bits)
            bits &= bits - 1
            if desk.rate[route] > highest and not (careful and desk.missing[route] > 0):
                highest = desk.rate[route]
                best = route
    return best


@rule
def can_draw(slate: Any, board: Any) -> bool:
    """Whether any card may be taken."""
    for slot in range(board.market):
        if is_legal(slate, TAKE + slot):
            return True
    for deck in range(board.decks):
        if is_legal(slate, BLIND + deck):
            return True
    return False


@rule
def wants_station(board: Any, state: Any, slate: Any, desk: Any) -> bool:
    """Whether a station saves a ticket whose own routes are all built."""
    if desk.station_at < 0 or not is_legal(slate, STATION + desk.station_at):
        return False
    for n in range(desk.held_count):
        if desk.outlook[n] == plan.BORROWING and worth.claims_missing(board, desk, n) == 0:
            return True
    return False


@rule
def least_evil(board: Any, state: Any, slate: Any) -> int:
    """Nothing worth doing is possible: claim anything, else pass, swap, draw tickets, build a port or a station."""
    for word in range(board.route_words):
        if slate.legal[CLAIM // WORD + word] != 0:
            return CLAIM + word * WORD + lowest(slate.legal[CLAIM // WORD + word])
    if is_legal(slate, PASS):
        return PASS
    if is_legal(slate, SWAP_PIECES):
        return SWAP_PIECES
    if is_legal(slate, DRAW_TICKETS):
        return DRAW_TICKETS
    return paying.lowest_action(slate)


# ---------------------------------------------------------------------------------------------------------- cards


@rule
def choose_card(board: Any, state: Any, slate: Any, desk: Any) -> int:
    """The market card most wanted; a wild, which costs a whole turn, only where it brings more; else blind."""
    best = -1
    most = 0
    wild = -1
    any_slot = -1
    for slot in range(board.market):
        if is_legal(slate, TAKE + slot):
            kind = state.market[slot]
            any_slot = slot
            if kind == WILD_KIND:
                wild = slot
            elif kind != NO_CARD and desk.need[kind] > most:
                most = desk.need[kind]
                best = slot
    if wild >= 0 and desk.need[WILD_KIND] > most * 3 // 2:
        return TAKE + wild
    if best >= 0:
        return TAKE + best
    deck = wanted_deck(board, state, desk)
    if is_legal(slate, BLIND + deck):
        return BLIND + deck
    if is_legal(slate, BLIND + 1 - deck):
        return BLIND + 1 - deck
    return TAKE + any_slot


@rule
def wanted_deck(board: Any, state: Any, desk: Any) -> int:
    """The deck whose kinds are wanted more; one with cards in it."""
    if board.decks == 1:
        return 0
    train = 0
    ship = 0
    for kind in range(SHIP):
        train += desk.need[kind]
    for kind in range(SHIP, WILD_KIND):
        ship += desk.need[kind]
    deck = 1 if ship > train else 0
    if state.deck_size[deck] + state.discard_size[deck] == 0:
        return 1 - deck
    return deck


class FastBot(CompiledBot):
    """Connects its tickets the shortest way."""

    name = "fast"
    choice = staticmethod(choose)
