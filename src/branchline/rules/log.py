"""What an action did, noted while it is done: a short list of facts in the scratch record.

Every fact is one row of `scratch.log`: what happened, whose doing it was (NOBODY: the table's), and two numbers.
`turn.apply` and `setup.deal` begin a new list; `branchline.game.events` words it.
"""

from __future__ import annotations

from branchline.rules.kernel import rule
from branchline.rules.state import Scratch

# What happened. In brackets: the two numbers; a 0 is left out.
(
    TOOK,  # a card from the market (its place, its kind)
    DREW,  # a card from the top of a deck, unseen by the others (the deck, the kind)
    TURNED_UP,  # a card to a place of the market (the place, the kind)
    SWEPT,  # a card of a swept market to the discards, one row for each (the place, the kind)
    RESHUFFLED,  # the discards became the deck (the deck, how many cards)
    ANNOUNCED,  # a mix of tickets (how many from the first deck)
    OFFERED,  # a ticket drawn, to choose from (the ticket, its deck)
    CHOSE,  # what becomes of an offered ticket (the ticket, one of the three below)
    PAID,  # cards laid for what comes next: TUNNELLED, WITHDREW, PUT_AWAY or something built (the kind, how many)
    TURNED,  # a card at a tunnel (the kind)
    TUNNELLED,  # a tunnel's cards are turned (the route, how many cards more it asks)
    WITHDREW,  # took the payment for a tunnel back (the route)
    CLAIMED,  # a route (the route, its points)
    BUILT_STATION,  # (the place)
    BUILT_PORT,  # (the place)
    TOOK_PASSENGER,  # (the place, the colour)
    SWAPPED,  # pieces (the kind received, how many)
    CHOSE_FLEET,  # in secret (the trains)
    SHOWED_FLEET,  # (the trains)
    PASSED,
    ANNOUNCED_END,  # the last turns begin (how many each)
    ENDED,  # the game is over
    PUT_AWAY,  # cards laid at a real table, see `dealer`; what for, people know
    LOOKED,  # the cards of a tunnel are turned at a real table
    MOVED_ON,  # the marker of the turn at a real table is at this seat now
) = range(25)

PUT_BACK, KEPT, PUT_OUT = range(3)  # to its deck; kept; out of the game, unseen


@rule
def note(scratch: Scratch, what: int, seat: int, first: int, second: int) -> None:
    """Add one fact to the list. That none has more than MAX_LOG of them is reckoned at `state.MAX_LOG`."""
    row = scratch.log_size
    scratch.log[row, 0] = what
    scratch.log[row, 1] = seat
    scratch.log[row, 2] = first
    scratch.log[row, 3] = second
    scratch.log_size = row + 1
