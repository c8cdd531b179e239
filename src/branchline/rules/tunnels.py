"""Tunnels: cards turned, and what they ask more. Atoms TUN-1 … TUN-5."""

from __future__ import annotations

from branchline.boards.limits import MAX_TURNED
from branchline.boards.tables import MARKED as MARKED_KIND
from branchline.boards.tables import TRAIN, WILD_KIND, BoardTables
from branchline.rules import cards, payment
from branchline.rules.kernel import rule
from branchline.rules.log import TUNNELLED, TURNED, note
from branchline.rules.state import ALL_WILD, NO_CARD, Scratch, State


@rule
def turn_cards(board: BoardTables, state: State, scratch: Scratch) -> None:
    """TUN-1, TUN-2, TUN-5: Turn the top cards, count those that ask for one more, and discard them."""
    state.extra = 0
    forget_turned(state)
    for n in range(board.tunnel_cards):
        state.turned[n] = cards.draw(state, scratch, 0)
    for n in range(board.tunnel_cards):
        kind = state.turned[n]
        if kind != NO_CARD:
            note(scratch, TURNED, state.seat, kind, 0)
            cards.discard(state, kind, 1)
            if asks_more(kind, state.colour):
                state.extra += 1
    note(scratch, TUNNELLED, state.seat, state.target, state.extra)


@rule
def forget_turned(state: State) -> None:
    """Clear the turned cards off the table."""
    for n in range(MAX_TURNED):
        state.turned[n] = NO_CARD


@rule
def asks_more(kind: int, colour: int) -> bool:
    """TUN-2, TUN-3: Return whether a turned card is of the colour played, or wild."""
    if kind == WILD_KIND:
        return True
    return colour != ALL_WILD and (kind == TRAIN + colour or kind == MARKED_KIND + colour)


@rule
def can_pay_extra(state: State) -> bool:
    """TUN-4: Return whether the hand holds what the tunnel asks more."""
    wild = payment.in_hand(state, WILD_KIND)
    if state.colour == ALL_WILD:
        return wild >= state.extra
    return wild + payment.trains_in_hand(state, state.colour) >= state.extra
