"""What is shown of the tickets of a board: which are kept, and what they are worth."""

from __future__ import annotations

from branchline.arena.balance.cells import Words, interval, percent, points, sortable
from branchline.arena.balance.figures import Balance
from branchline.arena.balance.tickets import TicketFigures
from branchline.arena.report import plots
from branchline.arena.report.parts import more, soft
from branchline.draw import Chord, Heat, board_svg
from branchline.draw.page import PAGE


def ticket_values(balance: Balance, words: Words, name: str) -> str:
    """Return a map of what tickets are worth, and all figures of them."""
    head = (
        (words("ticket"), False),
        (words("value"), True),
        (words("spaces"), True),
        (words("kept"), True),
        (words("completed"), True),
        (words("brings"), True),
        (words("costs"), True),
        (words("net"), True),
        ("95 %", False),
        (words("against its like"), True),
        (words("suggested"), True),
    )
    rows = [_ticket(ticket) for ticket in balance.tickets]
    never = ", ".join(ticket.ticket.name for ticket in balance.tickets if ticket.never_kept)
    remark = " " + words("Never kept: {tickets}.", tickets=never) if never else ""
    low, high = words("brings less than others of its length"), words("extra points")
    return (
        f"<figure>{_ticket_map(balance, words, name)}{plots.ramp(low, high)}</figure>"
        + soft(words("The wider the line, the more often the ticket is kept.") + remark)
        + more(words("All tickets"), sortable(head, rows, words("Tickets")))
        + soft(
            words(
                "“Brings” is the average points, failures included. “Net” is how many more points in total a "
                "seat with the ticket scores; “costs” is the difference. “Against its like” compares the net "
                "value with other tickets of that length. Bots keep the tickets that suit them, so these are "
                "values of chosen tickets."
            )
        )
    )


def _ticket(ticket: TicketFigures) -> tuple[str | tuple[str, float], ...]:
    kept = ticket.kept / ticket.offered if ticket.offered else 0.0
    done = ticket.done / ticket.held if ticket.held else 0.0
    return (
        ticket.ticket.name,
        (str(ticket.ticket.value), ticket.ticket.value),
        (str(ticket.way), ticket.way),
        (percent(kept) if ticket.offered else "–", kept),
        (percent(done) if ticket.held else "–", done),
        points(ticket.brings),
        points(ticket.costs),
        points(ticket.net.mean if ticket.net else None, signed=True),
        interval(ticket.net) if ticket.net else "–",
        points(ticket.off.mean if ticket.off else None, signed=True),
        ("" if ticket.suggested is None else str(ticket.suggested), ticket.suggested or -1),
    )


def _ticket_map(balance: Balance, words: Words, name: str) -> str:
    """Return a line for each ticket that is held: broad if it is often kept, hot if it pays more than others."""
    known = [ticket for ticket in balance.tickets if ticket.off is not None and ticket.offered]
    most = max((abs(ticket.off.mean) for ticket in known if ticket.off), default=0.0) or 1.0
    lines = tuple(
        Chord(
            tuple(place.index for place in ticket.ticket.places),
            0.5 + 0.499 * ticket.off.mean / most,
            ticket.kept / ticket.offered,
            words(
                "{ticket} ({value}): kept in {kept}, done in {done}, {points} points against others of its length",
                ticket=ticket.ticket.name,
                value=ticket.ticket.value,
                kept=percent(ticket.kept / ticket.offered),
                done=percent(ticket.done / max(1, ticket.held)),
                points=points(ticket.off.mean, signed=True)[0],
            ),
        )
        for ticket in sorted(known, key=lambda ticket: abs(ticket.off.mean) if ticket.off else 0)
        if ticket.off
    )
    title = words("{board}: what tickets are worth", board=balance.board.title)
    heat = Heat(name + "tickets", chords=lines)
    return board_svg(balance.board, theme=PAGE, style=False, heat=heat, title=title)
