"""What is shown of how a board plays: maps, plots and tables as HTML, in English or through a translator.

The same sections stand in the report of the command line and on the pages of the workshop. `words` turns an English
sentence into the reader's, and fills in its fields.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Protocol

import numpy as np

from branchline.arena.balance.figures import Balance, ConnectionFigures, SeatFigures
from branchline.arena.balance.improve import TICKET, TriedChange
from branchline.arena.balance.ranges import MAP_FIGURES, OFFICIAL, SEAT_FIGURES, Figure, range_of, spelt
from branchline.arena.balance.tickets import TicketFigures
from branchline.arena.balance.verdict import HIGH, LOW, marked, verdict
from branchline.arena.report import plots
from branchline.arena.report.parts import more, scroll, section, soft, table
from branchline.arena.results import COMPONENTS
from branchline.arena.statistics import Estimate
from branchline.draw import Chord, Heat, board_svg
from branchline.draw.page import PAGE
from branchline.rules.catalogue import SCORE_PARTS

TENTHS = 10  # the hottest step is rounded up to a share of so many parts
FEW_BOTTLENECKS = 8
LEAST_SHARE = 0.0005  # of the points: what is less is not shown


class Words(Protocol):
    """Says an English sentence in the reader's language."""

    def __call__(self, text: str, **fields: object) -> str:
        """Return the sentence, its fields filled in."""
        ...


def english(text: str, **fields: object) -> str:
    """Return the sentence as it is."""
    return text.format(**fields) if fields else text


def sections(balance: Balance, words: Words = english, *, name: str = "balance", folded: bool = False) -> str:
    """Write the verdict, and all figures behind it; `folded`: to be opened one by one.

    `name` tells the drawings of one page apart from others: letters and digits.
    """
    if not balance.tables:
        return ""
    judged = "".join(f"<p>{escape(words(sentence.text, **sentence.fields))}</p>" for sentence in verdict(balance))
    first = section(words("In short"), f"<div class='verdict'>{judged}</div>", wide=True)
    return first + "".join(
        section(title, body, wide=wide, folded=folded) for title, body, wide in _sections(balance, words, name)
    )


def _sections(balance: Balance, words: Words, name: str) -> Iterator[tuple[str, str, bool]]:
    """Yield title, content, and whether it takes the whole breadth."""
    full = balance.tables[-1]
    yield words("At a glance"), _glance(balance, words), True
    yield words("Map and tickets"), _map(balance, words), True
    yield words("Routes"), _routes(balance, full, words, name), True
    yield words("Contested routes and bottlenecks"), _contested(balance, full, words, name), True
    yield words("Tickets"), _tickets(balance, words, name), True
    yield words("Turn order"), _order(balance, words), False
    yield words("Racing or building"), _racing(balance, words), False
    yield words("Length of a game"), _length(balance, words), False
    yield words("Spread of scores"), _scores(balance, words), False
    yield words("Points by source"), _sources(balance, words), False
    yield words("Blocking"), _blocking(balance, words), True


# ------------------------------------------------------------------------------------------------ beside the editions


def _glance(balance: Balance, words: Words) -> str:
    head = [words("figure")]
    for at_seats in balance.tables:
        head += [words("{count} seats", count=at_seats.seats), words("published")]
    rows = []
    keyed = [at_seats.keyed() for at_seats in balance.tables]
    for name, figure in SEAT_FIGURES.items():
        if name.startswith("from_") and not any(figures.get(name, 0) > LEAST_SHARE for figures in keyed):
            continue
        row = [words(figure.name)]
        for seats, figures in zip(balance.tables, keyed, strict=True):
            span = range_of(name, seats.seats)
            row += [marked(figure, figures.get(name), span), spelt(figure, span)]
        rows.append(row)
    return _ranges(head, rows, every=2) + soft(
        words("Published editions: the range over all five with this number of players. ▲ lies above it, ▼ below it.")
    )


def _map(balance: Balance, words: Words) -> str:
    head = (words("figure"), words("here"), words("published editions"), words("official boards"))
    figures = balance.keyed()
    rows = [
        [
            words(figure.name),
            marked(figure, figures.get(name), range_of(name)),
            spelt(figure, range_of(name)),
            _official(figure, name),
        ]
        for name, figure in MAP_FIGURES.items()
    ]
    crowded = ", ".join(connection.name for connection in balance.network.crowded(balance.board.seats[1]))
    remark = soft(words("Crowded: {routes}.", routes=crowded)) if crowded else ""
    return (
        _ranges(head, rows, every=0)
        + remark
        + soft(
            words(
                "A connection is all lines between two places. It is crowded if the shortest ways of three or "
                "more tickets per line use it and it is among the busiest tenth, or if they are twice as many "
                "as on an average connection."
            )
        )
    )


def _official(figure: Figure, name: str) -> str:
    return spelt(figure, OFFICIAL.get(name))


def _ranges(head: Sequence[str], rows: Sequence[Sequence[str]], *, every: int) -> str:
    """Return a table of figures; the columns of ranges are softer.

    `every`: each such column, or all but the first two.
    """
    top = "".join(f'<th scope="col">{escape(heading)}</th>' for heading in head)
    body = ""
    for row in rows:
        cells = ""
        for n, cell in enumerate(row[1:], 1):
            is_range = n % every == 0 if every else n > 1
            kind = " class=range" if is_range else " class=out" if cell.endswith((HIGH, LOW)) else ""
            cells += f"<td{kind}>{escape(cell)}</td>"
        body += f'<tr><th scope="row" class="wide-name">{escape(row[0])}</th>{cells}</tr>'
    return scroll(f"<table class='figures'><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>")


# ------------------------------------------------------------------------------------------------ routes


def _routes(balance: Balance, full: SeatFigures, words: Words, name: str) -> str:
    shares = {
        line.index: share
        for connection in full.connections
        for line, share in zip(connection.connection.lines, connection.claimed, strict=True)
    }
    texts = {route: words("claimed in {share} of games", share=_percent(share)) for route, share in shares.items()}
    title = words("{board}: how often routes are claimed", board=balance.board.title)
    drawn = _heat_map(balance, shares, texts, name + "used", title)
    low, high = words("never claimed"), words("in {share} of games", share=_percent(_top(shares)))
    remark = soft(words("With {count} seats. Point at a route to see its value.", count=full.seats))
    tables = "".join(
        more(words("All routes with {count} seats", count=at_seats.seats), _connections(at_seats, words))
        for at_seats in reversed(balance.tables)
    )
    return f"<figure>{drawn}{plots.ramp(low, high)}</figure>{remark}{tables}"


def _connections(seats: SeatFigures, words: Words) -> str:
    head = (
        (words("connection"), False),
        (words("spaces"), True),
        (words("claimed"), True),
        (words("needed"), True),
        (words("contested"), True),
        (words("blocks"), True),
        (words("turn"), True),
        (words("tickets"), True),
        (words("detour"), True),
    )
    rows = []
    for connection in seats.connections:
        lines = connection.connection.lines
        each = " + ".join(_percent(share) for share in connection.claimed)
        rows.append(
            (
                connection.connection.name + (f" ×{len(lines)}" if len(lines) > 1 else ""),
                (str(connection.connection.spaces), connection.connection.spaces),
                (each, sum(connection.claimed)),
                (_percent(connection.needed), connection.needed),
                (_percent(connection.contested), connection.contested),
                (_percent(connection.blocking), connection.blocking),
                (
                    "–" if connection.turn is None else f"{connection.turn:.0f}",
                    -1 if connection.turn is None else connection.turn,
                ),
                (f"{connection.load:.1f}", connection.load),
                _detour(connection),
            )
        )
    return sortable(head, rows, words("Connections"))


def _detour(connection: ConnectionFigures) -> tuple[str, float]:
    return ("∞", 1000.0) if connection.detour is None else (f"+{connection.detour}", connection.detour)


def _contested(balance: Balance, full: SeatFigures, words: Words, name: str) -> str:
    shares = {
        line.index: connection.contested for connection in full.connections for line in connection.connection.lines
    }
    texts = {route: words("contested in {share} of games", share=_percent(share)) for route, share in shares.items()}
    title = words("{board}: how often routes are contested", board=balance.board.title)
    drawn = _heat_map(balance, shares, texts, name + "contested", title)
    low, high = words("never contested"), words("in {share} of games", share=_percent(_top(shares)))
    worst = sorted(full.connections, key=lambda connection: -connection.contested)[:FEW_BOTTLENECKS]
    rows = [
        (
            connection.connection.name,
            _percent(connection.contested),
            _percent(connection.blocking),
            _detour(connection)[0],
            f"{connection.load:.1f}",
        )
        for connection in worst
        if connection.contested > 0
    ]
    head = (words("bottleneck"), words("contested"), words("blocks"), words("detour"), words("tickets"))
    return (
        f"<figure>{drawn}{plots.ramp(low, high)}</figure>"
        + (table(head, rows) if rows else "")
        + soft(
            words(
                "With {count} seats. A seat needs a connection while the plan for its tickets uses it. A "
                "connection is contested in a game if at some moment more seats need it than it has free "
                "lines; it blocks when a claim leaves none for a seat that needed it. “Detour” is the number "
                "of extra spaces from end to end without it.",
                count=full.seats,
            )
        )
    )


def _heat_map(balance: Balance, shares: Mapping[int, float], texts: Mapping[int, str], name: str, title: str) -> str:
    top = _top(shares)
    heat = Heat(name, {route: share / top for route, share in shares.items()}, texts)
    return board_svg(balance.board, theme=PAGE, style=False, heat=heat, title=title)


def _top(shares: Mapping[int, float]) -> float:
    """Return the upper end of the scale: the largest share, rounded up."""
    return max(1, -int(-max(shares.values(), default=0.0) * TENTHS // 1)) / TENTHS


# ------------------------------------------------------------------------------------------------ tickets


def _tickets(balance: Balance, words: Words, name: str) -> str:
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
        (_percent(kept) if ticket.offered else "–", kept),
        (_percent(done) if ticket.held else "–", done),
        _points(ticket.brings),
        _points(ticket.costs),
        _points(ticket.net.mean if ticket.net else None, signed=True),
        _interval(ticket.net) if ticket.net else "–",
        _points(ticket.off.mean if ticket.off else None, signed=True),
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
                kept=_percent(ticket.kept / ticket.offered),
                done=_percent(ticket.done / max(1, ticket.held)),
                points=_points(ticket.off.mean, signed=True)[0],
            ),
        )
        for ticket in sorted(known, key=lambda ticket: abs(ticket.off.mean) if ticket.off else 0)
        if ticket.off
    )
    title = words("{board}: what tickets are worth", board=balance.board.title)
    heat = Heat(name + "tickets", chords=lines)
    return board_svg(balance.board, theme=PAGE, style=False, heat=heat, title=title)


# ------------------------------------------------------------------------------------------------ seats


def _order(balance: Balance, words: Words) -> str:
    rows = []
    for at_seats in balance.tables:
        for each in at_seats.order:
            share = each.win_share
            times = at_seats.seats
            name = words("{seats} seats, {position}.", seats=at_seats.seats, position=each.position)
            rows.append((name, Estimate(times * share.mean, times * share.low, times * share.high)))
    plot = plots.reaches(rows, words("Wins by turn order"), expected=1.0)
    body = [
        (
            words("{count} seats", count=at_seats.seats),
            *(f"{each.score.mean:.1f}" for each in at_seats.order),
            *("" for _ in range(balance.tables[-1].seats - at_seats.seats)),
        )
        for at_seats in balance.tables
    ]
    head = (words("average score"), *(f"{n}." for n in range(1, balance.tables[-1].seats + 1)))
    return (
        f"<figure>{plot}</figure>"
        + soft(words("1 means as many as each seat would win by chance."))
        + table(head, body)
    )


def _racing(balance: Balance, words: Words) -> str:
    rows, body = [], []
    for at_seats in balance.tables:
        if at_seats.racer is None or at_seats.rivals is None:
            continue
        share, times = at_seats.racer.win_share, at_seats.seats
        name = words("{count} seats", count=at_seats.seats)
        rows.append((name, Estimate(times * share.mean, times * share.low, times * share.high)))
        body.append(
            (
                name,
                f"{at_seats.racer.score.mean:.0f}",
                f"{at_seats.rivals.score.mean:.0f}",
                f"{at_seats.race_turns.mean:.1f}",
                f"{at_seats.turns.mean:.1f}",
            )
        )
    if not rows:
        return soft(words("No game with a racer has been played yet."))
    head = (
        "",
        words("average score of racers"),
        words("average score of builders"),
        words("turns holding it"),
        words("without"),
    )
    plot = plots.reaches(rows, words("Wins of a racer"), expected=1.0)
    return (
        f"<figure>{plot}</figure>"
        + table(head, body)
        + soft(
            words(
                "A racer keeps its cheapest tickets, claims long routes and hurries to end the game; the "
                "others build for their tickets. 1 means that racing is as good as building."
            )
        )
    )


def _length(balance: Balance, words: Words) -> str:
    rows = [(words("{count} seats", count=at_seats.seats), at_seats.lengths) for at_seats in balance.tables]
    body = [
        (
            words("{count} seats", count=at_seats.seats),
            f"{at_seats.turns.mean:.1f}",
            *(f"{value:.0f}" for value in np.quantile(at_seats.lengths, (0.05, 0.5, 0.95))),
        )
        for at_seats in balance.tables
    ]
    plot = plots.hills(rows, words("Number of turns per game"))
    return f"<figure>{plot}</figure>" + table(("", words("average"), "5 %", "50 %", "95 %"), body)


def _scores(balance: Balance, words: Words) -> str:
    rows = [(words("{count} seats", count=at_seats.seats), at_seats.scores) for at_seats in balance.tables]
    body = [
        (
            words("{count} seats", count=at_seats.seats),
            f"{at_seats.score.mean:.1f}",
            *(f"{value:.0f}" for value in at_seats.quantiles),
            f"{at_seats.margin:.1f}",
        )
        for at_seats in balance.tables
    ]
    head = ("", words("average"), "5 %", "50 %", "95 %", words("winner’s lead"))
    plot = plots.hills(rows, words("Distribution of scores"))
    return f"<figure>{plot}</figure>" + table(head, body)


def _sources(balance: Balance, words: Words) -> str:
    used = [part for part in COMPONENTS if any(abs(at_seats.sources[part]) >= 0.05 for at_seats in balance.tables)]
    rows = [(words("{count} seats", count=at_seats.seats), at_seats.sources) for at_seats in balance.tables]
    spoken = {part.name: words(part.label) for part in SCORE_PARTS if part.name in used}
    body = [(name, *(f"{row[part]:.1f}" for part in used)) for name, row in rows]
    plot = plots.stacks(rows, used, words("Average points by source"), spoken)
    return f"<figure>{plot}{plots.key(used, spoken)}</figure>" + table(("", *spoken.values()), body)


def _blocking(balance: Balance, words: Words) -> str:
    head = (
        "",
        words("blocks per game"),
        words("on own way"),
        words("detour"),
        words("tickets given up"),
        words("wins of blockers"),
        words("wins when blocked"),
    )
    body = [
        (
            words("{count} seats", count=at_seats.seats),
            f"{at_seats.blocked:.2f}",
            _percent(at_seats.passing),
            f"+{at_seats.detour:.1f}",
            f"{at_seats.dropped:.2f}",
            f"{at_seats.blockers.won:.2f}",
            f"{at_seats.victims.won:.2f}",
        )
        for at_seats in balance.tables
    ]
    return table(head, body) + soft(
        words(
            "A block is a claim that leaves no line to a seat that planned to go there. “Detour” and “tickets "
            "given up” show what each block did to that plan by the seat’s next turn. The last two are the win "
            "shares of seats that blocked, or were blocked, in a game; 1 is an even share. They show "
            "correlation, not cause."
        )
    )


# ------------------------------------------------------------------------------------------------ improve


def improvement(tried: Sequence[TriedChange], words: Words = english) -> str:
    """Return the changes that were tried, each with its figure before and after."""
    head = (words("change"), words("before"), words("after"), words("value before"), words("and after"), "")
    rows = [
        (
            trial.change.name,
            " / ".join(_value(each, words) for each in trial.change.before),
            " / ".join(_value(each, words) for each in trial.change.after),
            _figure(trial, trial.before),
            _figure(trial, trial.after),
            words("helps") if trial.helped else words("does not help"),
        )
        for trial in tried
    ]
    if not rows:
        return soft(words("No suggestions."))
    return table(head, rows) + soft(
        words(
            "All changes together, tested by playing the same games again. For a ticket: how many points more "
            "it brings than others of its length. For two routes that swap colours: how unevenly the colours "
            "are used."
        )
    )


def _value(text: str, words: Words) -> str:
    return text if text.isdigit() else words(text)


def _figure(trial: TriedChange, value: float) -> str:
    return _points(value, signed=True)[0] if trial.change.kind == TICKET else _percent(value)


# ------------------------------------------------------------------------------------------------ small parts


def sortable(head: Sequence[tuple[str, bool]], rows: Sequence[Sequence[str | tuple[str, float]]], label: str) -> str:
    """Return a table that readers can sort by a script. A cell is a text, or a text and the number to sort by.

    `head`: what a column is called, and whether it holds numbers.
    """
    top = "".join(
        f'<th scope="col"{" data-number" if is_number else ""}>{escape(name)}</th>' for name, is_number in head
    )
    body = ""
    for row in rows:
        cells = ""
        for cell in row[1:]:
            text, value = cell if isinstance(cell, tuple) else (cell, None)
            cells += f"<td>{escape(text)}</td>" if value is None else f'<td data-value="{value:g}">{escape(text)}</td>'
        name = row[0] if isinstance(row[0], str) else row[0][0]
        body += f'<tr><th scope="row">{escape(name)}</th>{cells}</tr>'
    return scroll(f'<table class="sortable"><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>', label)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _points(value: float | None, *, signed: bool = False) -> tuple[str, float]:
    if value is None:
        return "–", -1000.0
    value = round(value, 1) + 0.0  # never a minus before nought
    text = f"{value:+.1f}" if signed else f"{value:.1f}"
    return text.replace("-", "\N{MINUS SIGN}"), value


def _interval(estimate: Estimate) -> str:
    return f"{estimate.low:+.1f} … {estimate.high:+.1f}".replace("-", "\N{MINUS SIGN}")


def N_(text: str) -> str:
    """Mark a text that is translated later."""
    return text
