"""The market: the cards that lie face up. Atoms DRAW-1, DRAW-2, DRAW-4 … DRAW-6."""

from __future__ import annotations

from branchline.boards.tables import WILD_KIND, BoardTables
from branchline.rules import cards
from branchline.rules.kernel import rule
from branchline.rules.log import SWEPT, TOOK, TURNED_UP, note
from branchline.rules.state import MOST_SWEEPS, NO_CARD, NOBODY, Scratch, State


@rule
def lay_out(board: BoardTables, state: State, scratch: Scratch) -> None:
    """Turn up a whole new market, so many from each deck."""
    for slot in range(board.market):
        put(state, scratch, slot, 0 if slot < board.market_from[0] else 1)


@rule
def put(state: State, scratch: Scratch, slot: int, deck: int) -> None:
    """Fill a place from a deck, or from the other one where it has nothing left (ruling in DRAW-5)."""
    kind = cards.draw(state, scratch, deck)
    if kind == NO_CARD:
        kind = cards.draw(state, scratch, 1 - deck)
    if kind != NO_CARD:
        note(scratch, TURNED_UP, NOBODY, slot, kind)
    state.market[slot] = kind


@rule
def sweep(board: BoardTables, state: State, scratch: Scratch) -> None:
    """DRAW-4: Discard the market and turn up a new one while too many wilds lie open."""
    for _ in range(MOST_SWEEPS):
        if wilds(board, state) < board.sweep_at or not another_is_possible(board, state):
            return
        for slot in range(board.market):
            if state.market[slot] != NO_CARD:
                note(scratch, SWEPT, NOBODY, slot, state.market[slot])
                cards.discard(state, state.market[slot], 1)
        lay_out(board, state, scratch)


@rule
def wilds(board: BoardTables, state: State) -> int:
    """Return how many wilds lie open."""
    count = 0
    for slot in range(board.market):
        if state.market[slot] == WILD_KIND:
            count += 1
    return count


@rule
def another_is_possible(board: BoardTables, state: State) -> bool:
    """Return whether the cards not in hands could make any market with fewer wilds (ruling in DRAW-4)."""
    trains = cards.left(state, 0)
    ships = cards.left(state, 1)
    wild = board.copies[WILD_KIND]
    for seat in range(state.seats):
        wild -= state.hand[seat, WILD_KIND]
    for slot in range(board.market):
        if state.market[slot] != NO_CARD:
            if cards.deck_of(state.market[slot]) == 0:
                trains += 1
            else:
                ships += 1
    from_trains = min(trains, board.market_from[0])
    from_ships = min(ships, board.market_from[1])
    from_trains = min(trains, board.market - from_ships) if from_ships < board.market_from[1] else from_trains
    return from_trains - (trains - wild) < board.sweep_at


@rule
def fill_gaps(board: BoardTables, state: State, scratch: Scratch) -> None:
    """Fill the market places that stayed empty as soon as there are cards again (ruling in DRAW-5)."""
    filled = False
    for slot in range(board.market):
        if state.market[slot] == NO_CARD and cards.any_left(board, state):
            put(state, scratch, slot, 0 if slot < board.market_from[0] else 1)
            filled = True
    if filled:
        sweep(board, state, scratch)


@rule
def first_cards(board: BoardTables, state: State) -> int:
    """DRAW-6: Return the market places from which the first card of a turn may be taken, as bits."""
    if not board.market_lasts and not cards.any_left(board, state):
        return 0
    open_slots = 0
    for slot in range(board.market):
        if state.market[slot] != NO_CARD:
            open_slots |= 1 << slot
    return open_slots


@rule
def second_cards(board: BoardTables, state: State) -> int:
    """DRAW-2: Return the market places from which the second card may be taken, as bits: no wild."""
    open_slots = 0
    for slot in range(board.market):
        if state.market[slot] != NO_CARD and state.market[slot] != WILD_KIND:
            open_slots |= 1 << slot
    return open_slots


@rule
def blind(board: BoardTables, state: State) -> int:
    """Return the decks from which a card may be drawn unseen, as bits."""
    decks = 0
    for deck in range(board.decks):
        if cards.left(state, deck) > 0:
            decks |= 1 << deck
    return decks


@rule
def take(state: State, scratch: Scratch, seat: int, slot: int) -> int:
    """DRAW-1: Move a card of the market, seen by all, into the hand and return its kind. Its place is empty then."""
    kind = state.market[slot]
    note(scratch, TOOK, seat, slot, kind)
    state.market[slot] = NO_CARD
    cards.give(state, seat, kind, 1)
    return kind
