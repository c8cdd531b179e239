"""The page: what stands where."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from branchline.arena import statistics
from branchline.arena.report import maps, plots
from branchline.arena.report.parts import between, document, more, scroll, section, soft, table
from branchline.arena.results import COMPONENTS, Results
from branchline.arena.statistics import Estimate

if TYPE_CHECKING:
    from branchline.arena.tournaments import Tournament

MATRIX_MOST = 16  # bots; a larger table tells nobody anything


def report_html(tournament: Tournament) -> str:
    """Return the whole report as one HTML file: no scripts, nothing fetched, light and dark as the reader's system
    is.
    """
    results = tournament.results
    title = f"{results.board.title}: tournament of {len(results.bots)} bots"
    body = _header(tournament)
    if results.played:
        body += f"<main>{''.join(_sections(tournament))}</main>"
    return document(results.board, title, body + _footer(results))


def _header(tournament: Tournament) -> str:
    results = tournament.results
    facts = f"{results.played:,} games with {results.seats} seats, seed {results.seed}, {results.board.title}"
    facts += f" (rules {results.board.rules_version})"
    stopped = f'<p class="stop">Stopped after {results.played:,} of {results.asked:,} games.</p>'
    return (
        f"<header><h1>{escape(results.board.title)}</h1><p>{escape(', '.join(results.bots))}</p>"
        f"<p>{escape(facts)}</p>{stopped if results.stopped else ''}</header>"
    )


def _footer(results: Results) -> str:
    notes = [
        "Bots change seats from game to game; as many games as there are rotations have the same luck, and all "
        "pairings play the same seeds.",
        f"Intervals: {statistics.METHOD}.",
        "Ratings: Bradley and Terry on the scale of Elo, mean 0; a game of several seats counts as pairs of ranks.",
    ]
    if results.board.reconstructed:
        notes.append("The map is a reconstruction.")
    return f"<footer>{''.join(f'<p>{escape(note)}</p>' for note in notes)}</footer>"


def _sections(tournament: Tournament) -> Iterable[str]:
    results = tournament.results
    yield section("Ratings", _ratings(tournament), wide=len(results.bots) > MATRIX_MOST)
    if len(results.bots) <= MATRIX_MOST:
        yield section("Head to head", _matrix(tournament))
    yield section("Standings", _standings(tournament), wide=True)
    yield section("Points by source", _points(tournament))
    yield section("Spread of scores", _scores(tournament))
    yield section("Turn order", _order(results))
    yield section("Length of games", _length(results))
    uses = maps.route_use(results)
    yield section("Routes", _routes(results, uses), wide=True)
    yield section("Tickets", _tickets(results), wide=True)
    yield section("Pairings", _pairings(tournament), wide=True)


# ------------------------------------------------------------------------------------------------ who is how good


def _ratings(tournament: Tournament) -> str:
    rows = [(rating.bot, rating.elo) for rating in tournament.ratings]
    title = "Ratings with 95% intervals: " + ", ".join(f"{name} {elo.mean:+.0f}" for name, elo in rows)
    return f"<figure>{plots.reaches(rows, title, signed=True)}</figure>" + soft(
        "Elo, the mean of all being 0. 100 points more win about 64 of 100 games."
    )


def _standings(tournament: Tournament) -> str:
    results = tournament.results
    standing = {standing_of_bot.bot: standing_of_bot for standing_of_bot in results.standings}
    rows = []
    for rating in tournament.ratings:
        standing_of_bot = standing[rating.bot]
        rows.append(
            (
                rating.bot,
                f"{rating.elo.mean:+.0f}",
                between(rating.elo, "+.0f"),
                f"{standing_of_bot.appearances:,}",
                f"{100 * standing_of_bot.win_share.mean:.1f}%",
                between(standing_of_bot.win_share, ".1f", 100),
                f"{standing_of_bot.score.mean:.1f}",
                between(standing_of_bot.score, ".1f"),
                f"{standing_of_bot.tickets_done:.1f} of {standing_of_bot.tickets_held:.1f}",
            )
        )
    head = ("bot", "Elo", "95%", "games", "won", "95%", "score", "95%", "tickets done")
    return table(head, rows)


def _matrix(tournament: Tournament) -> str:
    bots = [rating.bot for rating in tournament.ratings]
    head = "".join(f'<th scope="col">{escape(bot)}</th>' for bot in bots)
    body = ""
    for bot in bots:
        cells = "".join(_cell(tournament.matrix.get((bot, other)), bot == other) for other in bots)
        body += f'<tr><th scope="row">{escape(bot)}</th>{cells}</tr>'
    return scroll(f'<table class="matrix"><thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table>') + soft(
        "Percentage of meetings in which the bot on the left finished ahead of the bot above, with 95% intervals."
    )


def _cell(share: Estimate | None, same: bool) -> str:
    if share is None:
        return f'<td class="self">{"–" if same else ""}</td>'
    step = min(9, int(10 * share.mean))
    return f'<td class="m{step}">{100 * share.mean:.1f}<small>{between(share, ".1f", 100)}</small></td>'


# ------------------------------------------------------------------------------------------------ how they play


def _points(tournament: Tournament) -> str:
    standing = {standing_of_bot.bot: standing_of_bot for standing_of_bot in tournament.results.standings}
    used = [
        part
        for part in COMPONENTS
        if any(abs(standing_of_bot.components[part]) >= 0.05 for standing_of_bot in standing.values())
    ]
    bots = [rating.bot for rating in tournament.ratings]
    rows = [(bot, {part: standing[bot].components[part] for part in used}) for bot in bots]
    body = [(bot, *(f"{row[part]:.1f}" for part in used)) for bot, row in rows]
    figures = table(("mean points from", *map(plots.spelt, used)), body)
    return f"<figure>{plots.stacks(rows, used, 'Average points by source')}{plots.key(used)}</figure>" + more(
        "In figures", figures
    )


def _scores(tournament: Tournament) -> str:
    results = tournament.results
    total, entrant = results.column("total"), results.column("entrant")
    bots = [rating.bot for rating in tournament.ratings]
    rows = [(bot, total[entrant == results.bots.index(bot)]) for bot in bots]
    return f"<figure>{plots.hills(rows, 'Distribution of scores')}</figure>" + soft("The line marks the median.")


def _order(results: Results) -> str:
    rows = [
        (
            f"plays {place.position}.",
            Estimate(*(100 * value for value in (place.win_share.mean, place.win_share.low, place.win_share.high))),
        )
        for place in results.order
    ]
    first = results.order[0]
    remark = f"The first seat scores {first.advantage.mean:+.1f} points against the mean of the table"
    remark += f" ({between(first.advantage, '+.1f')}). The dashed line is an even share."
    plot = plots.reaches(rows, "Share of wins by order of play", unit="%", expected=100 / results.seats)
    return f"<figure>{plot}</figure>" + soft(remark)


def _length(results: Results) -> str:
    turns = np.ceil(results.column("turns") / results.seats)
    remark = f"Turns of each seat: {results.turns.mean:.1f} ({between(results.turns, '.1f')})."
    remark += f" Decisions in a game: {results.actions:.0f}."
    if results.dried_up:
        remark += f" {results.dried_up:,} games ended because nobody could move any more."
    return f"<figure>{plots.hills([('turns', turns)], 'Number of turns per game')}</figure>" + soft(remark)


# ------------------------------------------------------------------------------------------------ the board


def _routes(results: Results, uses: list[maps.RouteUse]) -> str:
    rows = [
        (
            use.route.name + (f" ({use.route.colour})" if use.route.lines > 1 else ""),
            str(use.route.length),
            f"{100 * use.claimed:.1f}%",
            f"{100 * use.won:.1f}%" if use.claimed else "–",
        )
        for use in uses
    ]
    scale = plots.ramp("never claimed", f"in {maps.hottest(uses):.0%} of games")
    return f"<figure>{maps.routes_map(results.board, uses)}{scale}</figure>" + more(
        "All routes", table(("route", "spaces", "claimed", "owner won"), rows)
    )


def _tickets(results: Results) -> str:
    uses = maps.ticket_use(results)
    rows = [
        (
            use.name,
            str(use.ticket.value),
            f"{100 * use.held:.1f}%",
            f"{100 * use.done:.1f}%" if use.held else "–",
            f"{100 * use.won:.1f}%" if use.held else "–",
        )
        for use in uses
    ]
    scale = plots.ramp("never done", "always done")
    remark = soft("The wider a line, the more often its ticket was held at the end.")
    return f"<figure>{maps.tickets_map(results.board, uses)}{scale}</figure>{remark}" + more(
        "All tickets", table(("ticket", "value", "held", "of these done", "holder won"), rows)
    )


def _pairings(tournament: Tournament) -> str:
    rows = [(", ".join(pairing.bots), f"{pairing.played:,}", pairing.why) for pairing in tournament.pairings]
    body = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{games}</td><td class="left wrap">{escape(why)}</td></tr>'
        for name, games, why in rows
    )
    head = '<tr><th scope="col">seats</th><th scope="col">games</th><th scope="col" class="left">why it ended</th></tr>'
    listed = scroll(f"<table><thead>{head}</thead><tbody>{body}</tbody></table>")
    return listed if len(rows) <= 12 else more(f"All {len(rows)} pairings", listed)
