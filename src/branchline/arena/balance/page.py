"""The report of a board's balance as one HTML file, and the page of the documents about the editions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib import resources

from branchline.arena import statistics
from branchline.arena.balance.figures import Balance
from branchline.arena.balance.improve import TriedChange
from branchline.arena.balance.ranges import MAP_FIGURES, OFFICIAL, SEAT_FIGURES, Figure, spelt
from branchline.arena.balance.sections import improvement, sections
from branchline.arena.report.parts import document, section

TICKETS_NAMED = 5  # at each end of the list


def balance_html(balance: Balance, tried: Sequence[TriedChange] | None = None) -> str:
    """Return the report: nothing is fetched, and its only script sorts tables."""
    title = f"{balance.board.title}: how it plays"
    body = _header(balance) + f"<main>{sections(balance)}"
    if tried is not None:
        body += section("Suggested changes", improvement(tried), wide=True)
    body += f"</main>{_footer(balance)}"
    script = resources.files("branchline.arena.report").joinpath("sort_tables.js").read_text(encoding="utf-8")
    return document(balance.board, title, body, script=script)


def _header(balance: Balance) -> str:
    seats = ", ".join(str(table.seats) for table in balance.tables)
    facts = f"{balance.games:,} games between {balance.bot} with {seats} seats, seed {balance.seed}"
    stopped = '<p class="stop">Stopped before all games were played.</p>' if balance.stopped else ""
    return f"<header><h1>{escape(balance.board.title)}</h1><p>How it plays</p><p>{escape(facts)}</p>{stopped}</header>"


def _footer(balance: Balance) -> str:
    notes = [
        "These are games between bots that plan well and never bluff; people play differently.",
        f"Intervals: {statistics.METHOD}; of tickets: linear regression, clustered by game.",
        "Official boards: eight maps of the publisher, measured by others.",
    ]
    if balance.board.reconstructed:
        notes.append("The map is a reconstruction.")
    return f"<footer>{''.join(f'<p>{escape(note)}</p>' for note in notes)}</footer>"


# ------------------------------------------------------------------------------------------------ docs/balance.md


def published(balances: Sequence[Balance], seed: int, games: int) -> str:
    """Return `docs/balance.md`: the figures of several boards side by side, and what they mean."""
    return "\n".join(_published(balances, seed, games)) + "\n"


def _published(balances: Sequence[Balance], seed: int, games: int) -> Iterator[str]:
    yield "# How the editions play"
    yield ""
    yield (
        "`branchline board balance BOARD` describes how a board plays and compares each figure with the range of the"
        " five editions. This page shows the figures of the editions. `make balance` writes it and the ranges again,"
        f" from {games:,} games between `planner` bots at each number of seats, and half as many with one `racer`"
        f" among them, seed {seed}."
    )
    yield ""
    yield (
        "The figures describe games between bots that plan well and never bluff. They are no judgement: a crowded map"
        " is tense, a spacious one is friendly."
    )
    yield ""
    yield "## What the figures mean"
    yield ""
    yield from (f"- **{name}**: {meaning}" for name, meaning in MEANINGS.items())
    yield ""
    yield "## Maps and tickets"
    yield ""
    head = ["", *(balance.board.title for balance in balances), "official boards"]
    yield from _table(head, _map_rows(balances))
    yield ""
    for seats in sorted({table.seats for balance in balances for table in balance.tables}):
        there = [balance for balance in balances if any(table.seats == seats for table in balance.tables)]
        yield f"## {seats} seats"
        yield ""
        yield from _table(["", *(balance.board.title for balance in there)], _seat_rows(there, seats))
        yield ""
    yield "## Bottlenecks and tickets"
    for balance in balances:
        yield ""
        yield f"### {balance.board.title}"
        yield ""
        yield from _named(balance)


def _map_rows(balances: Sequence[Balance]) -> Iterator[list[str]]:
    for name, figure in MAP_FIGURES.items():
        yield [
            figure.name,
            *_cells(figure, name, [balance.keyed() for balance in balances]),
            spelt(figure, OFFICIAL.get(name)),
        ]


def _seat_rows(balances: Sequence[Balance], seats: int) -> Iterator[list[str]]:
    keyed = [next(table for table in balance.tables if table.seats == seats).keyed() for balance in balances]
    for name, figure in SEAT_FIGURES.items():
        if any(figures.get(name) for figures in keyed):
            yield [figure.name, *_cells(figure, name, keyed)]


def _cells(figure: Figure, name: str, keyed: Sequence[Mapping[str, float]]) -> list[str]:
    return [figure.shown(figures[name]) if name in figures else "–" for figures in keyed]


def _table(head: Sequence[str], rows: Iterator[list[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|---{'|---:' * (len(head) - 1)}|"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _named(balance: Balance) -> Iterator[str]:
    full = balance.tables[-1]
    worst = sorted(full.connections, key=lambda each: -each.contested)[:TICKETS_NAMED]
    contested = ", ".join(f"{each.connection.name} ({100 * each.contested:.0f} %)" for each in worst if each.contested)
    yield f"- Most contested with {full.seats} seats: {contested or 'none'}."
    known = sorted((each for each in balance.tickets if each.off), key=lambda each: each.off.mean if each.off else 0)
    for direction, part in (("more", known[::-1]), ("less", known)):
        names = ", ".join(
            f"{each.ticket.name} ({each.ticket.value}; {each.off.mean:+.1f})".replace("-", "\N{MINUS SIGN}")
            for each in part[:TICKETS_NAMED]
            if each.off
        )
        yield f"- Tickets that pay {direction} than others of their length, with value and points: {names}."
    never = ", ".join(each.ticket.name for each in balance.tickets if each.never_kept)
    yield f"- Never kept: {never or 'none'}."


MEANINGS = {
    "Connection": "all parallel lines between two places.",
    "Crowded": (
        "the shortest paths of at least three tickets use each of its lines, and it is among the busiest tenth; or"
        " twice as many as an average connection. Lines that cannot be claimed at a full table do not count."
    ),
    "Needed, contested": (
        "a seat needs a connection while the plan for its tickets uses it. A connection is contested in a game if at"
        " some moment more seats need it than lines of it can still be claimed."
    ),
    "Block": (
        "a claim that leaves no line to a seat that needed the connection. It is on the claimer's own way if the"
        " claimer's plan used the connection, too. The detour is the number of extra spaces in the blocked seat's plan"
        " at its next turn, if it gave up no ticket. The win shares of blocking and blocked seats show a correlation,"
        " not a cause: seats that build much block much."
    ),
    "Net worth of a ticket": (
        "how many more points in total a seat that holds it has at the end, by a linear regression of the scores on the"
        " tickets held. Bots keep tickets that suit them, so it is the worth of a ticket that was chosen."
    ),
    "Pays more or less": (
        "the distance of the net worth from a line fitted to those of all tickets by the lengths of their shortest"
        " paths (Theil and Sen). The suggested value would compensate for it, by at most a quarter of the value at a"
    ),
    "Racer": "a bot among planners that keeps its cheapest tickets, claims long routes and ends the game early.",
}
