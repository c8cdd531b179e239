"""Transport cards: decks, discards, hands. Atoms DRAW-5, DRAW-7."""

from __future__ import annotations

from branchline.boards.tables import KINDS, SHIP, WILD_KIND, BoardTables
from branchline.rules import chance
from branchline.rules.kernel import rule
from branchline.rules.log import RESHUFFLED, note
from branchline.rules.state import NO_CARD, NOBODY, Scratch, State


@rule
def deck_of(kind: int) -> int:
    """Return the deck that a kind of card belongs to: 1 for ships, 0 for all others, wilds included."""
    return 1 if SHIP <= kind < WILD_KIND else 0


@rule
def build_decks(board: BoardTables, state: State) -> None:
    """Put every card of the box, shuffled, into its deck."""
    for kind in range(KINDS):
        put_into_deck(state, kind, board.copies[kind])
    for deck in range(board.decks):
        chance.shuffle_cards(state, deck)


@rule
def put_into_deck(state: State, kind: int, count: int) -> None:
    """Put `count` cards of a kind on top of their deck."""
    deck = deck_of(kind)
    size = state.deck_size[deck]
    for i in range(count):
        state.deck[deck, size + i] = kind
    state.deck_size[deck] = size + count


@rule
def left(state: State, deck: int) -> int:
    """Return the number of cards that can still be drawn from a deck, its discards included."""
    return state.deck_size[deck] + state.discard_size[deck]


@rule
def any_left(board: BoardTables, state: State) -> bool:
    """Return whether any deck can still be drawn from."""
    return left(state, 0) > 0 or (board.decks > 1 and left(state, 1) > 0)


@rule
def draw(state: State, scratch: Scratch, deck: int) -> int:
    """DRAW-5: Return the top card of a deck; shuffle its discards first if it is empty. Return NO_CARD if both are
    empty.
    """
    if state.deck_size[deck] == 0:
        if state.discard_size[deck] == 0:
            return NO_CARD
        shuffle_discards(state, scratch, deck)
    state.deck_size[deck] -= 1
    return state.deck[deck, state.deck_size[deck]]


@rule
def shuffle_discards(state: State, scratch: Scratch, deck: int) -> None:
    """DRAW-5: Turn the discards of an empty deck into the deck."""
    note(scratch, RESHUFFLED, NOBODY, deck, state.discard_size[deck])
    first = SHIP if deck == 1 else 0
    behind = WILD_KIND if deck == 1 else SHIP
    for kind in range(first, behind):
        put_into_deck(state, kind, state.discards[kind])
        state.discards[kind] = 0
    if deck == 0:
        put_into_deck(state, WILD_KIND, state.discards[WILD_KIND])
        state.discards[WILD_KIND] = 0
    state.discard_size[deck] = 0
    chance.shuffle_cards(state, deck)


@rule
def discard(state: State, kind: int, count: int) -> None:
    """Put `count` cards of a kind on the discards of their deck."""
    state.discards[kind] += count
    state.discard_size[deck_of(kind)] += count


@rule
def give(state: State, seat: int, kind: int, openly: int) -> None:
    """Put one card into a hand; `openly` is 1 if everybody sees which."""
    state.hand[seat, kind] += 1
    state.seen[seat, kind] += openly
    state.hand_size[seat, deck_of(kind)] += 1


@rule
def spend(state: State, seat: int, kind: int, count: int) -> None:
    """Put cards from a hand on the discards.

    Those that everybody knew of are spent first, as far as anyone can tell.
    """
    state.hand[seat, kind] -= count
    state.seen[seat, kind] = max(0, state.seen[seat, kind] - count)
    state.hand_size[seat, deck_of(kind)] -= count
    discard(state, kind, count)
