"""What a puzzle is about: worked out from the position, and from what its best move changes on the score sheets."""

from __future__ import annotations

from branchline.bots import Position
from branchline.rules import state as at
from branchline.teaching.looking import SHEET, Looking

THEMES = (
    "keep tickets",
    "tunnel risk",
    "swap",
    "port",
    "passenger",
    "last turns",
    "block",
    "longest trail",
    "new tickets",
    "own tickets",
    "cards or route",
)
"""All themes; the first that fits is a puzzle's main one."""

LAST = 3.0  # turns of each seat, and fewer, are the last ones
CLEAR = 2.0  # points by which a part of the sheet differs when that is what it is about
HALF = 0.5  # of the whole gain, for a part to be what it is about


def themes(position: Position, looking: Looking, best: int, second: int) -> tuple[str, ...]:
    """Return the themes of a puzzle with this best and second best answer, the main one first; at least one."""
    fitting = _of_the_moves(position, best, second) | _of_the_sheets(position, looking, best, second)
    seats = int(position.state.seats)
    if looking.mean(best, "turns") <= LAST * seats:
        fitting.add("last turns")
    if not fitting:
        fitting.add("cards or route")
    return tuple(theme for theme in THEMES if theme in fitting)


def _of_the_moves(position: Position, best: int, second: int) -> set[str]:
    """Return the themes that show in the question and the two answers themselves."""
    fitting = set()
    if position.question == at.KEEP_TICKETS:
        fitting.add("keep tickets")
    if position.question == at.PASSENGER:
        fitting.add("passenger")
    if position.question == at.TUNNEL or _tunnel(position, best) != _tunnel(position, second):
        fitting.add("tunnel risk")
    if at.SWAP_PIECES in (best, second) or position.question == at.SWAP:
        fitting.add("swap")
    if at.PORT <= best < at.TAKE:
        fitting.add("port")
    if best == at.DRAW_TICKETS:
        fitting.add("new tickets")
    return fitting


def _tunnel(position: Position, action: int) -> bool:
    return at.CLAIM <= action < at.STATION and position.board.routes[action - at.CLAIM].kind == "tunnel"


def _of_the_sheets(position: Position, looking: Looking, best: int, second: int) -> set[str]:
    """Return what the best move changes: on the seat's own sheet, and in what the others get."""
    parts = {part: looking.lead(best, second, part).mean for part in SHEET}
    taken = -looking.lead(best, second, "others").mean  # points that the best of the others has less
    gain = sum(parts.values()) + max(0.0, taken)
    least = max(CLEAR, HALF * gain)
    fitting = set()
    if at.CLAIM <= best < at.STATION and taken >= least:
        fitting.add("block")
    if parts["trail_bonus"] >= least:
        fitting.add("longest trail")
    if parts["passengers"] >= least:
        fitting.add("passenger")
    if parts["ports"] >= least:
        fitting.add("port")
    if parts["tickets"] + parts["tours"] >= least:
        fitting.add("own tickets")
    return fitting
