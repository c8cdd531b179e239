"""Which card `planner` takes: the one most wanted, a card from the deck being worth what it is on average."""

from __future__ import annotations

from branchline.boards.tables import WILD_KIND, BoardTables
from branchline.bots.api import weights
from branchline.bots.api.memory import Memory
from branchline.rules import cards
from branchline.rules.kernel import rule
from branchline.rules.sets import is_legal
from branchline.rules.state import BLIND, NO_CARD, TAKE, Scratch, State


@rule
def choose_card(board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int) -> int:
    """Return the market card most wanted, one from a deck, or a wild where it is wanted more than two others."""
    best = -1
    most = -1
    next_most = 0
    wild = -1
    for slot in range(board.market):
        if is_legal(scratch, TAKE + slot):
            kind = state.market[slot]
            if kind == WILD_KIND:
                wild = TAKE + slot
            elif kind != NO_CARD:
                wanted = memory.need[kind]
                if wanted > most:
                    next_most = most
                    most = wanted
                    best = TAKE + slot
                elif wanted > next_most:
                    next_most = wanted
    for deck in range(board.decks):
        if is_legal(scratch, BLIND + deck):
            wanted = mean_want(board, state, memory, seat, deck) * memory.weight[weights.BLIND] // 100
            next_most = max(next_most, wanted)
            if wanted >= most:
                next_most = wanted
                most = wanted
                best = BLIND + deck
    if wild >= 0 and (
        best < 0 or memory.need[WILD_KIND] * 100 > (most + next_most) * memory.weight[weights.WILD_TAKEN]
    ):
        return wild
    return best


@rule
def mean_want(board: BoardTables, state: State, memory: Memory, seat: int, deck: int) -> int:
    """Return how much the next card of a deck is wanted on average, over all cards that are out of sight."""
    shuffled = state.deck_size[deck] == 0  # then the discards are the deck
    count = 0
    sum_ = 0
    for kind in range(WILD_KIND + 1):
        if board.copies[kind] > 0 and cards.deck_of(kind) == deck:
            unseen = state.discards[kind] if shuffled else unseen_of(board, state, seat, kind)
            count += unseen
            sum_ += unseen * memory.need[kind]
    return sum_ // max(1, count)


@rule
def unseen_of(board: BoardTables, state: State, seat: int, kind: int) -> int:
    """Return the number of cards of a kind that may be in the deck or in another hand, as far as a seat knows."""
    unseen = board.copies[kind] - state.discards[kind]
    for slot in range(board.market):
        if state.market[slot] == kind:
            unseen -= 1
    for other in range(state.seats):
        unseen -= state.hand[other, kind] if other == seat else state.seen[other, kind]
    return unseen


@rule
def wanted_deck(board: BoardTables, state: State, memory: Memory, seat: int) -> int:
    """Return the deck from which a place in the market is filled: the one whose cards are wanted more."""
    if board.decks == 1 or cards.left(state, 1) == 0:
        return 0
    if cards.left(state, 0) == 0:
        return 1
    return 1 if mean_want(board, state, memory, seat, 1) > mean_want(board, state, memory, seat, 0) else 0
