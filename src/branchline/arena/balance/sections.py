"""What is shown of how a board plays: maps, plots and tables as HTML, in English or through a translator.

The same sections stand in the report of the command line and on the pages of the workshop. `words` turns an English
sentence into the reader's, and fills in its fields.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from branchline.arena.balance import game_sections, route_sections, ticket_sections
from branchline.arena.balance.cells import Words, english, percent, points
from branchline.arena.balance.figures import Balance
from branchline.arena.balance.improve import TICKET, TriedChange
from branchline.arena.balance.ranges import MAP_FIGURES, OFFICIAL, SEAT_FIGURES, Figure, range_of, spelt
from branchline.arena.balance.verdict import HIGH, LOW, marked, verdict
from branchline.arena.report.parts import scroll, section, soft, table

LEAST_SHARE = 0.0005  # of the points: what is less is not shown


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
    yield words("Routes"), route_sections.used_routes(balance, full, words, name), True
    yield words("Contested routes and bottlenecks"), route_sections.contested_routes(balance, full, words, name), True
    yield words("Tickets"), ticket_sections.ticket_values(balance, words, name), True
    yield words("Turn order"), game_sections.turn_order(balance, words), False
    yield words("Racing or building"), game_sections.racing(balance, words), False
    yield words("Length of a game"), game_sections.length(balance, words), False
    yield words("Spread of scores"), game_sections.scores(balance, words), False
    yield words("Points by source"), game_sections.sources(balance, words), False
    yield words("Blocking"), game_sections.blocking(balance, words), True


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
    return points(value, signed=True)[0] if trial.change.kind == TICKET else percent(value)
