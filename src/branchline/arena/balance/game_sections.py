"""What is shown of the games on a board: turn order, racers, lengths, scores, blocking."""

from __future__ import annotations

import numpy as np

from branchline.arena.balance.cells import Words, percent
from branchline.arena.balance.figures import Balance
from branchline.arena.report import plots
from branchline.arena.report.parts import soft, table
from branchline.arena.results import COMPONENTS
from branchline.arena.statistics import Estimate
from branchline.rules.catalogue import SCORE_PARTS


def turn_order(balance: Balance, words: Words) -> str:
    """Return who wins, by the order of play."""
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


def racing(balance: Balance, words: Words) -> str:
    """Return how those do who hurry to end the game."""
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


def length(balance: Balance, words: Words) -> str:
    """Return how many turns games take."""
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


def scores(balance: Balance, words: Words) -> str:
    """Return how scores are spread."""
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


def sources(balance: Balance, words: Words) -> str:
    """Return where the points come from."""
    used = [part for part in COMPONENTS if any(abs(at_seats.sources[part]) >= 0.05 for at_seats in balance.tables)]
    rows = [(words("{count} seats", count=at_seats.seats), at_seats.sources) for at_seats in balance.tables]
    spoken = {part.name: words(part.label) for part in SCORE_PARTS if part.name in used}
    body = [(name, *(f"{row[part]:.1f}" for part in used)) for name, row in rows]
    plot = plots.stacks(rows, used, words("Average points by source"), spoken)
    return f"<figure>{plot}{plots.key(used, spoken)}</figure>" + table(("", *spoken.values()), body)


def blocking(balance: Balance, words: Words) -> str:
    """Return how often seats are blocked, and what it costs them."""
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
            percent(at_seats.passing),
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
