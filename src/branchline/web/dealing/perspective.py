"""From a dealt table to what one viewer is shown; as with rooms, the only door through which it gets to pages.

Everything about cards and tickets comes from the view of the viewer's seat and from events without the secrets of
others. Tickets of others are there when their owners have laid them open.
"""

from __future__ import annotations

from branchline.web.core.rooms.kept_boards import MARK
from branchline.web.core.seen import LogEntry, Player
from branchline.web.core.visit import Visit
from branchline.web.dealing.page import DealContext
from branchline.web.dealing.table import AGREE, ASK, BACK, HIDE, OPEN, RELINK, SIT, DealingTable, DoneDeed, position_of

LINES = 60  # of the log
_SAID = {SIT: "sit", RELINK: "relink", OPEN: "open", HIDE: "hide", BACK: "undo", ASK: "ask", AGREE: "agreed"}


def deal_context(table: DealingTable, seat: int | None, visit: Visit, path: str) -> DealContext:
    """Return the table as a seat may know it, or with None what lies open."""
    dealer, desk, board = table.dealer, table.desk, table.board
    view = dealer.view(seat)
    rules = board.ticket_rules.first if dealer.choosing else board.ticket_rules.later
    asked = desk.last.seat if desk.last and desk.last.asked else None
    return DealContext(
        visit=visit,
        path=path,
        board=board,
        players=players(table),
        seat=seat,
        view=view,
        turn=dealer.turn,
        drawn=dealer.drawn,
        choosing=dealer.choosing,
        turned=dealer.turned,
        allowed=() if seat is None or table.over else dealer.allowed(seat),
        refills=dealer.refills,
        keep_at_least=min(rules.keep, len(view.offer)),
        open=tuple(dealer.tickets(seat_asked) if desk.open[seat_asked] else None for seat_asked in range(dealer.seats)),
        undo=_undo(table, seat),
        asks=asked if asked != seat else None,
        log=tuple(_entry(deed, seat) for deed in table.done[-LINES:]),
        step=0 if seat is None else desk.steps[seat],
        version=table.row.version,
        seal=table.seal,
        over=table.over,
        position=position_of(table) if table.over and MARK not in table.row.board else None,
    )


def players(table: DealingTable) -> tuple[Player, ...]:
    """Return who plays."""
    return tuple(Player(seat, "person", name) for seat, name in enumerate(table.desk.names))


def _undo(table: DealingTable, seat: int | None) -> str:
    last = table.desk.last
    if last is None or seat is None or last.seat != seat or table.over:
        return ""
    if last.asked:
        return "asked"
    return "ask" if last.reveals else "now"


def _entry(done: DoneDeed, seat: int | None) -> LogEntry:
    events = tuple(event.for_seat(seat) for event in done.events)
    return LogEntry(done.n, done.seat, events, _SAID.get(done.deed, "action"), done.at)
