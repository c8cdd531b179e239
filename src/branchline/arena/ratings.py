"""Ratings from who came before whom: the model of Bradley and Terry, on the scale of Elo.

*Model.* Every bot has a strength; the chance that `a` comes before `b` is `1 / (1 + 10 ** ((elo_b - elo_a) / 400))`
(R. A. Bradley and M. E. Terry, "Rank Analysis of Incomplete Block Designs", Biometrika 39, 1952). A game with more
than two seats is taken apart into all pairs of its ranking: winners first, then the others by points; who is equal
shares the pair, half a win each. For rankings that follow Plackett and Luce, of whom Bradley and Terry are the case
of two, taking all pairs leads to the right strengths as games grow many (H. Azari Soufiani, W. Chen, D. Parkes and
L. Xia, "Generalized Method-of-Moments for Rank Aggregation", NIPS 2013). Two seats of the same bot tell nothing.

*Estimate.* Maximum likelihood by Newton's method, after each two bots were given one block that ended even: so
strengths stay finite where a bot wins everything. The mean of all ratings is 0.

*Intervals.* The pairs of one game, and games of one seed, depend on each other. So ratings are fitted anew to
resamples of whole blocks (see `statistics`), a block being all games of one seed, whoever played them. Where one of
two bots won in fewer than `statistics.FEW` groups of games the bootstrap cannot tell how rare that is; there the
share is drawn from its distribution after so many independent groups (Jeffreys' prior).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np

from branchline.arena import statistics
from branchline.arena.statistics import Estimate, Numbers
from branchline.arena.table import Games
from branchline.plain_data import JsonObject

ELO = 400 / log(10)  # points for a factor e of strength
WINNER = 1 << 20  # more than any points
STEP = 1.0  # Newton's steps go no farther
ROUNDS = 60


@dataclass(frozen=True)
class Rating:
    """How strong a bot is."""

    bot: str
    elo: Estimate
    pairs: int  # comparisons with others

    def as_dict(self) -> JsonObject:
        """Return the rating as data for JSON."""
        elo = {name: round(value, 1) for name, value in self.elo.as_dict().items()}
        return {"bot": self.bot, "elo": elo, "pairs": self.pairs}


def rate(bots: tuple[str, ...], games: Games, seats: int) -> tuple[Rating, ...]:
    """Return the ratings of the bots, best first; `entrant` of a game is a number in `bots`."""
    if len(games) == 0:
        return tuple(Rating(bot, Estimate(0.0, 0.0, 0.0), 0) for bot in bots)
    groups = statistics.grouped(games["block"])
    tallies = tally(len(bots), games, seats, groups)
    whole = tallies.sum(axis=0)
    even = even_block(games["block"], whole)
    elo = ELO * strengths(whole + even)
    count = len(tallies)
    if count > 1:
        drawn = (statistics.resamples(count) @ tallies.reshape(count, -1)).reshape(-1, len(bots), len(bots))
        low, high = statistics.limits(ELO * strengths(with_surprises(drawn + even, tallies)), count)
    else:
        low = high = elo
    pairs = whole.sum(axis=0) + whole.sum(axis=1)
    rated = [
        Rating(bot, Estimate(float(elo[n]), float(low[n]), float(high[n])), round(float(pairs[n])))
        for n, bot in enumerate(bots)
    ]
    return tuple(sorted(rated, key=lambda rating: -rating.elo.mean))


def before(games: Games, first: int, other: int) -> Numbers:
    """Return for each game whether the seat `one` came before the seat `other`: 1, 0, or ½ where they are equal."""
    rank = WINNER * games["winner"].astype(np.int64) + games["total"]
    came: Numbers = (np.sign(rank[:, first] - rank[:, other]) + 1) / 2
    return came


def tally(bots: int, games: Games, seats: int, groups: Numbers) -> Numbers:
    """Return for each group of games how often each bot (row) came before each other one (column)."""
    wins = np.zeros((int(groups.max()) + 1, bots, bots))
    entrant = games["entrant"].astype(np.intp)
    for seat in range(seats):
        for other in range(seat + 1, seats):
            score = before(games, seat, other)
            np.add.at(wins, (groups, entrant[:, seat], entrant[:, other]), score)
            np.add.at(wins, (groups, entrant[:, other], entrant[:, seat]), 1 - score)
    same = np.arange(bots)
    wins[:, same, same] = 0
    return wins


def even_block(blocks: Numbers, wins: Numbers) -> Numbers:
    """Return what each two bots would have won from each other in one more, even block; at least half a pair."""
    met = (wins + wins.T) / len(np.unique(blocks))
    answer: Numbers = np.maximum(0.5, met / 2) * (1 - np.eye(len(wins)))
    return answer


def with_surprises(drawn: Numbers, tallies: Numbers) -> Numbers:
    """Return resamples that include what has hardly happened: pairs that one side won nearly always."""
    luck = np.random.default_rng(len(tallies))
    surprising = drawn.copy()
    for bot in range(drawn.shape[-1]):
        for other in range(bot):
            wins, losses = tallies[:, bot, other], tallies[:, other, bot]
            groups = int((wins + losses > 0).sum())
            if groups and min((wins > 0).sum(), (losses > 0).sum()) < statistics.FEW:
                share = wins.sum() / (wins + losses).sum()
                guess = luck.beta(groups * share + 0.5, groups * (1 - share) + 0.5, size=len(drawn))
                met = drawn[:, bot, other] + drawn[:, other, bot]
                guess = np.clip(guess, 0.5 / met, 1 - 0.5 / met)
                surprising[:, bot, other], surprising[:, other, bot] = met * guess, met * (1 - guess)
    return surprising


def strengths(wins: Numbers) -> Numbers:
    """Return the likeliest strengths (natural logarithms, mean 0) for tables of wins, one or many in an array.

    Every bot must have won something of somebody; else its strength has no bounds.
    """
    bots = wins.shape[-1]
    apart = 1.0 - np.eye(bots)
    met = wins + np.swapaxes(wins, -1, -2)
    found_strengths = np.zeros(wins.shape[:-1])
    for _ in range(ROUNDS):
        expected = apart / (1.0 + np.exp(found_strengths[..., None, :] - found_strengths[..., :, None]))
        slope = (wins - met * expected).sum(axis=-1)
        bend = met * expected * (1 - expected)
        table = np.eye(bots) * bend.sum(axis=-1)[..., None] - bend + 1.0 / bots
        step = np.clip(np.linalg.solve(table, slope[..., None])[..., 0], -STEP, STEP)
        found_strengths = found_strengths + step
        if np.abs(step).max() < 1e-9:
            break
    answer: Numbers = found_strengths - found_strengths.mean(axis=-1, keepdims=True)
    return answer
