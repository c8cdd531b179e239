"""What an action did, noted while it is done: a short list of facts in the scratch record.

Every fact is one row of `scratch.log`: what happened, whose doing it was (NOBODY: the table's), and two numbers.
`turn.apply` and `setup.deal` begin a new list; `branchline.game.events` words it.
"""

from __future__ import annotations

from branchline.rules.catalogue import EVENT_KINDS
from branchline.rules.kernel import rule
from branchline.rules.state import Scratch

(
    TOOK, DREW, TURNED_UP, SWEPT, RESHUFFLED, ANNOUNCED, OFFERED, CHOSE, PAID, TURNED, TUNNELLED, WITHDREW, CLAIMED,
    BUILT_STATION, BUILT_PORT, TOOK_PASSENGER, SWAPPED, CHOSE_FLEET, SHOWED_FLEET, PASSED, ANNOUNCED_END, ENDED,
    PUT_AWAY, LOOKED, MOVED_ON,
) = range(len(EVENT_KINDS))  # fmt: skip
"""What happened, see `catalogue.EventKinds`."""

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
