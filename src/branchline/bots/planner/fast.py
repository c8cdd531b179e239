"""`fast`: a planner cheap enough to play games out with: the shortest connections for its tickets, kept in mind.

The plan is made anew only when a claim of somebody else hits it or the tickets change. One screen for the turn, one
line for each other question. It weighs what a claim brings against the time it takes, and never looks at what others
may be up to, but for the stations, ports and passengers they leave.
"""

from __future__ import annotations

from branchline.boards.tables import SHIP, WILD_KIND, WORD, BoardTables
from branchline.bots.api.bot import CompiledBot
from branchline.bots.api.memory import Memory
from branchline.bots.planner import paying, plan, ports, route_values, ticket_choice, tunnelling
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
    Scratch,
    State,
)

LAST_TURNS = 2  # of the seat: no time to collect a reserve for a tunnel


@rule
def choose(board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int) -> int:
    """Return the answer to any question."""
    question = state.question
    if question == TURN:
        return choose_turn(board, state, scratch, memory, seat)
    return answer(board, state, scratch, memory, seat)


@rule
def answer(board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int) -> int:
    """Return the answer to any question except what to do with a turn."""
    question = state.question
    if question == SECOND_CARD:
        want_as_rated(board, state, memory, seat)
        return choose_card(board, state, scratch, memory)
    if question == REFILL:
        want_as_rated(board, state, memory, seat)
        return REFILL_FROM + wanted_deck(board, state, memory)
    if question == TICKET_MIX:
        return ticket_choice.choose_mix(board, state, scratch)
    if question == KEEP_TICKETS:
        return ticket_choice.choose_kept(board, state, scratch, memory, seat)
    if question == PASSENGER:
        return paying.choose_passenger(board, state, scratch, seat)
    if question == COLOUR:
        want_as_rated(board, state, memory, seat)
        return paying.choose_colour(board, state, scratch, memory, seat)
    if question == PAIR:
        want_as_rated(board, state, memory, seat)
        return paying.choose_pair(board, state, scratch, memory, seat)
    return answer_alike(board, state, scratch, memory, seat)


@rule
def answer_alike(board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int) -> int:
    """Return the answer to a question that all planners answer alike: about pieces, tunnels, and kinds of cards."""
    question = state.question
    if question == FLEET:
        return ticket_choice.choose_fleet(board, state, memory, seat)
    if question == SWAP:
        return ticket_choice.choose_swap(state, scratch, memory, seat)
    if question == TUNNEL:
        return tunnelling.answer(state, scratch, memory, seat)
    if question == DOUBLES:
        return paying.highest(scratch)
    return paying.lowest_action(scratch)  # wilds, port-marked cards: spare them


@rule
def want(board: BoardTables, state: State, memory: Memory, seat: int) -> None:
    """Rate the routes, and want the cards for the best ones."""
    plan.refresh(board, state, memory, seat)
    route_values.rate_routes(board, state, memory, seat)
    want_cards(board, state, memory, seat)


@rule
def want_as_rated(board: BoardTables, state: State, memory: Memory, seat: int) -> None:
    """Want cards with the hand as it is now, the routes being rated as they were when the turn began."""
    if memory.planned == 0 or memory.seat != seat or memory.turns != state.turns:
        want(board, state, memory, seat)
    else:
        route_values.lay_out_hand(board, state, memory, seat)
        want_cards(board, state, memory, seat)


@rule
def want_cards(board: BoardTables, state: State, memory: Memory, seat: int) -> None:
    """Want the cards for the routes rated best, and for ports."""
    route_values.want_cards(board, memory)
    if board.ports:
        ports.want_cards(board, state, memory, seat, 100)


# ------------------------------------------------------------------------------------------------------- the turn


@rule
def choose_turn(board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int) -> int:
    """Claim, build, draw tickets, swap or draw cards."""
    want(board, state, memory, seat)
    tunnelling.rule_out_retries(board, state, scratch, memory, seat)
    may_draw = can_draw(scratch, board)
    claim = best_claim(board, scratch, memory, may_draw and route_values.turns_left(board, state) > LAST_TURNS)
    port = port_now(board, state, scratch, memory, seat)
    if port >= 0 and (claim < 0 or ports.rate(board, state, memory, seat, port - PORT) >= memory.rate[claim]):
        return port
    if claim >= 0 and (not may_draw or memory.rate[claim] >= memory.rate[memory.aim[0]]):
        return CLAIM + claim
    if wants_station(board, scratch, memory):
        return STATION + memory.station_at
    if is_legal(scratch, DRAW_TICKETS) and ticket_choice.wants_tickets(board, state, memory):
        return DRAW_TICKETS
    if is_legal(scratch, SWAP_PIECES) and ticket_choice.swap_needed(state, memory, seat) > 0:
        return SWAP_PIECES
    if may_draw:
        return choose_card(board, state, scratch, memory)
    return least_evil(board, scratch)


@rule
def port_now(board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int) -> int:
    """Return the most valuable port to build now, or -1."""
    if board.ports:
        site = ports.best_site(board, state, memory, seat, True)
        if site >= 0 and is_legal(scratch, PORT + site):
            return PORT + site
    return -1


@rule
def best_claim(board: BoardTables, scratch: Scratch, memory: Memory, careful: bool) -> int:
    """Return the best rated route that may be claimed now, or -1; if `careful`, no tunnel without a reserve."""
    best = -1
    highest = 0
    for word in range(board.route_words):
        bits = scratch.legal[CLAIM // WORD + word]
        while bits != 0:
            route = word * WORD + lowest(bits)
            bits &= bits - 1
            if memory.rate[route] > highest and not (careful and memory.missing[route] > 0):
                highest = memory.rate[route]
                best = route
    return best


@rule
def can_draw(scratch: Scratch, board: BoardTables) -> bool:
    """Return whether any card may be taken."""
    for slot in range(board.market):
        if is_legal(scratch, TAKE + slot):
            return True
    for deck in range(board.decks):
        if is_legal(scratch, BLIND + deck):
            return True
    return False


@rule
def wants_station(board: BoardTables, scratch: Scratch, memory: Memory) -> bool:
    """Return whether a station saves a ticket whose own routes are all built."""
    if memory.station_at < 0 or not is_legal(scratch, STATION + memory.station_at):
        return False
    for n in range(memory.held_count):
        if memory.outlook[n] == plan.BORROWING and route_values.claims_missing(board, memory, n) == 0:
            return True
    return False


@rule
def least_evil(board: BoardTables, scratch: Scratch) -> int:
    """Return the least bad action where nothing worth doing is possible: claim anything, pass, swap, draw tickets,
    or build.
    """
    for word in range(board.route_words):
        if scratch.legal[CLAIM // WORD + word] != 0:
            return CLAIM + word * WORD + lowest(scratch.legal[CLAIM // WORD + word])
    if is_legal(scratch, PASS):
        return PASS
    if is_legal(scratch, SWAP_PIECES):
        return SWAP_PIECES
    if is_legal(scratch, DRAW_TICKETS):
        return DRAW_TICKETS
    return paying.lowest_action(scratch)


# ---------------------------------------------------------------------------------------------------------- cards


@rule
def choose_card(board: BoardTables, state: State, scratch: Scratch, memory: Memory) -> int:
    """Return the market card most wanted; a wild, which costs a whole turn, only where it brings more; otherwise
    blind.
    """
    best = -1
    most = 0
    wild = -1
    any_slot = -1
    for slot in range(board.market):
        if is_legal(scratch, TAKE + slot):
            kind = state.market[slot]
            any_slot = slot
            if kind == WILD_KIND:
                wild = slot
            elif kind != NO_CARD and memory.need[kind] > most:
                most = memory.need[kind]
                best = slot
    if wild >= 0 and memory.need[WILD_KIND] > most * 3 // 2:
        return TAKE + wild
    if best >= 0:
        return TAKE + best
    deck = wanted_deck(board, state, memory)
    if is_legal(scratch, BLIND + deck):
        return BLIND + deck
    if is_legal(scratch, BLIND + 1 - deck):
        return BLIND + 1 - deck
    return TAKE + any_slot


@rule
def wanted_deck(board: BoardTables, state: State, memory: Memory) -> int:
    """Return the deck whose kinds are wanted more, among those with cards in them."""
    if board.decks == 1:
        return 0
    train = 0
    ship = 0
    for kind in range(SHIP):
        train += memory.need[kind]
    for kind in range(SHIP, WILD_KIND):
        ship += memory.need[kind]
    deck = 1 if ship > train else 0
    if state.deck_size[deck] + state.discard_size[deck] == 0:
        return 1 - deck
    return deck


class FastBot(CompiledBot):
    """Connects its tickets the shortest way."""

    name = "fast"
    quick = True
    choice = staticmethod(choose)
