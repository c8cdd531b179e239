"""`tournament`: everybody against everybody, and who is how strong.

Every pairing plays the same seeds, each with its bots in all rotations of the seats. It is played round by round,
so that what is there when somebody stops it early is balanced; and it can be continued from its folder.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from branchline.arena import ratings, statistics
from branchline.arena.errors import SeriesError
from branchline.arena.executors import (
    BotSpec,
    LineUp,
    engine_named,
    make_executor,
    run_batches,
)
from branchline.arena.folder import Folder, FolderError
from branchline.arena.play import GAME
from branchline.arena.ratings import Rating
from branchline.arena.results import Results
from branchline.arena.rounds import Pairing, Rounds
from branchline.arena.series import MOST_GAMES, called, check_bots, plan_series, weights_named
from branchline.arena.sprt import Sprt
from branchline.arena.statistics import Estimate, Numbers
from branchline.arena.table import Games, period_of
from branchline.boards import Board
from branchline.boards.arguments import instance, whole_number
from branchline.boards.catalogue import as_board
from branchline.boards.faults import quoted
from branchline.bots import BotError, bot_maker, maker_of
from branchline.bots.api.tuned_weights import Weights
from branchline.plain_data import JsonObject
from branchline.providers import provider

MOST_BOTS = 40
MOST_OF_A_CHALLENGE = 20_000  # games


@dataclass(frozen=True)
class Tournament:
    """What came out of a tournament, whole or in part."""

    results: Results  # all its games; `entrant` is a number in `results.bots`
    pairings: tuple[Pairing, ...]
    resumed: int = field(default=0)  # games that were in the folder already

    @cached_property
    def ratings(self) -> tuple[Rating, ...]:
        """How strong each bot is, the best first (see `arena.ratings`)."""
        return ratings.rate(self.results.bots, self.results.games, self.results.seats)

    @cached_property
    def matrix(self) -> dict[tuple[str, str], Estimate]:
        """For each two bots that met: the share of pairs of seats in which the first came before the second."""
        shares = {}
        for number, first in enumerate(self.results.bots):
            for other, second in enumerate(self.results.bots):
                scores, blocks = self._met(number, other)
                if len(scores):
                    shares[first, second] = statistics.share(scores, blocks)
        return shares

    def _met(self, bot: int, other: int) -> tuple[Numbers, Numbers]:
        """Return every comparison of two bots, and the block it belongs to."""
        games, seats = self.results.games, self.results.seats
        scores, blocks = [np.zeros(0)], [np.zeros(0, dtype=np.int64)]
        for here in range(seats):
            for there in range(seats):
                both = (games["entrant"][:, here] == bot) & (games["entrant"][:, there] == other)
                if bot != other and both.any():
                    scores.append(ratings.before(games[both], here, there))
                    blocks.append(games["block"][both])
        return np.concatenate(scores), np.concatenate(blocks)

    def report(self) -> str:
        """Return a page to look at: one HTML file that needs nothing else."""
        page: str = provider("Tournament.report")(self)
        return page

    def columns(self) -> JsonObject:
        """Return the games one by one, as `Results.columns`."""
        return self.results.columns()

    def rows(self) -> Any:
        """Return the same as rows of plain values."""
        return self.results.rows()

    def as_dict(self) -> JsonObject:
        """Return everything for JSON except the games themselves."""
        return self.results.as_dict() | {
            "resumed": self.resumed,
            "ratings": [rating.as_dict() for rating in self.ratings],
            "matrix": [
                {"bot": bot, "against": other, **share.as_dict()} for (bot, other), share in self.matrix.items()
            ],
            "pairings": [pairing.as_dict() for pairing in self.pairings],
        }


def tournament(
    board: Board | str,
    bots: Sequence[BotSpec],
    games: int = 200,
    seed: int = 0,
    *,
    seats: int = 2,
    jobs: int = 1,
    on: str = "processes",
    sprt: Sprt | None = None,
    folder: Folder | str | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Tournament:
    """Let all bots play against all others and rate them.

    Every set of `seats` bots is a pairing; where there are fewer bots than seats, they take turns to fill them, and
    there is one pairing. `games`: of each pairing, at most, rounded up to whole rounds of all rotations. With
    `sprt` a pairing stops as soon as it is decided (two different bots in it). `jobs`, `on`: as in `simulate`. With
    a `folder` every game is kept there, and what is there already is not played again; a later call may ask for
    more games, and name more bots: those before play on with them. The same seed gives the same table, whatever
    `jobs` and `on` are and however often it was interrupted. Ctrl-C stops it; what was played is returned, with
    `results.stopped` set.

    Raise `SeriesError`, `BotError`, `FolderError`, and whatever `load_board` does.
    """
    on_board = as_board(board)
    if sprt is not None:
        instance("sprt", sprt, Sprt, "an `Sprt`", SeriesError)
    if folder is not None:
        instance("folder", folder, (str, Folder), "a path", FolderError)  # type: ignore[arg-type]
        folder = Folder(folder) if isinstance(folder, str) else folder
    bots, known = with_those_before(check_bots(bots), folder)
    _, pairings = plan_tournament(on_board, bots, games, seed, seats=seats, sprt=sprt, known=known)
    return _play(on_board, bots, pairings, seed, seats, jobs, on, folder, on_progress)


def challenge(
    board: Board | str,
    bot: BotSpec,
    folder: Folder | str,
    games: int = MOST_OF_A_CHALLENGE,
    *,
    bots: Sequence[BotSpec] = (),
    sprt: Sprt | None = None,
    jobs: int = 1,
    on: str = "processes",
    on_progress: Callable[[int], None] | None = None,
) -> Tournament:
    """Let a newcomer play against the best bot of a tournament's folder until a sequential test has decided.

    The best is the one with the highest rating without the newcomer's games. Both play the seeds of the tournament in
    all rotations of the seats; with more than two seats the best has all the others. `games`: at most, rounded up to
    whole rounds. `bots`: those in the folder that are no built-in ones. `sprt`: what is to be decided; None for
    `Sprt()`. The games are kept in the folder: the newcomer has a rating there, and a challenge that was interrupted
    goes on. The pairing that has an `sprt` is theirs.

    Raise `SeriesError`, `BotError`, `FolderError`, and whatever `load_board` does.
    """
    on_board = as_board(board)
    instance("folder", folder, (str, Folder), "a path", FolderError)  # type: ignore[arg-type]
    place = Folder(folder) if isinstance(folder, str) else folder
    everybody, pairings, seed, seats = plan_challenge(on_board, bot, place, games, bots, sprt)
    return _play(on_board, everybody, pairings, seed, seats, jobs, on, place, on_progress)


def plan_challenge(
    board: Board,
    bot: BotSpec,
    folder: Folder,
    games: int,
    bots: Sequence[BotSpec] = (),
    sprt: Sprt | None = None,
) -> tuple[list[BotSpec], tuple[Pairing, ...], int, int]:
    """Return the bots of a challenge, its pairings, the seed and the number of seats.

    Raise `SeriesError`, `BotError` or `FolderError`.
    """
    test = Sprt() if sprt is None else sprt
    instance("sprt", test, Sprt, "an `Sprt`", SeriesError)
    games = whole_number("games", games, 1, MOST_GAMES, SeriesError)
    newcomer = called(bot)
    others = [bot for bot in check_bots(bots) if called(bot) in folder.bots and called(bot) != newcomer]
    everybody, known = with_those_before([*others, bot], folder)
    names = [called(bot) for bot in everybody]
    own = names.index(newcomer)
    seed, seats = ((folder.plan or {}).get(name) for name in ("seed", "seats"))
    if not known or not isinstance(seed, int) or not isinstance(seats, int):
        raise SeriesError("a challenge needs the folder of a tournament with games in it")
    if len(everybody) > MOST_BOTS:
        raise SeriesError(f"{len(everybody)} bots are too many; a tournament has at most {MOST_BOTS}")
    plan_series(board, [bot], games, seed, seats=seats)
    kept = folder.games()
    counts = [int((kept["pairing"] == number).sum()) for number in range(len(known))]
    pairings = [_pairing(number, pairing, everybody, counts[number], None) for number, pairing in enumerate(known)]
    played = Rounds(pairings, seats, kept).games()
    without = played[(played["entrant"][:, :seats] != own).all(axis=1)]
    if not len(played):
        raise SeriesError("a challenge needs the folder of a tournament with games in it")
    rated = ratings.rate(tuple(names), without if len(without) else played, seats)
    best = next(rating.bot for rating in rated if rating.bot != newcomer)
    entrants = tuple(sorted((own, *[names.index(best)] * (seats - 1))))
    number = known.index(entrants) if entrants in known else len(known)
    done = counts[number] if number < len(known) else 0
    pairings[number : number + 1] = [_pairing(number, entrants, everybody, max(games, done), test, newcomer)]
    return everybody, tuple(pairings), seed, seats


def _play(
    board: Board,
    bots: Sequence[BotSpec],
    pairings: Sequence[Pairing],
    seed: int,
    seats: int,
    jobs: int,
    on: str,
    folder: Folder | None,
    on_progress: Callable[[int], None] | None,
) -> Tournament:
    """Play what is missing of these pairings."""
    names = tuple(called(bot) for bot in bots)
    weights = weights_named(board, bots, seats)
    line_ups = [LineUp(board, tuple(bots[n] for n in pairing.entrants), seed) for pairing in pairings]
    started = time.perf_counter()
    kept: Games = np.zeros(0, dtype=GAME)
    if folder is not None:
        plan = plan_of(board, names, weights, seed, seats, networks_named(bots))
        kept = folder.open(plan, [list(pairing.entrants) for pairing in pairings])
    rounds = Rounds(pairings, seats, kept)
    resumed = rounds.played
    stopped = False
    workers = 1
    try:
        if not rounds.done:
            executor = make_executor(
                line_ups, engine_named(on), jobs, sum(pairing.asked for pairing in pairings) - resumed
            )
            workers = executor.size
            for played in run_batches(executor, rounds):
                if folder is not None:
                    folder.add(played.games)
                rounds.add(played.games)
                if on_progress:
                    on_progress(rounds.played)
    except KeyboardInterrupt:
        stopped = True
    finally:
        if folder is not None:
            folder.close()
    if stopped and folder is not None:
        rounds = Rounds(pairings, seats, folder.games())  # Ctrl-C may come when games are kept, but not counted
    results = Results(
        board=board,
        bots=names,
        seed=seed,
        asked=sum(pairing.asked for pairing in pairings),
        games=rounds.games(),
        seats=seats,
        seconds=time.perf_counter() - started,
        jobs=workers,
        stopped=stopped,
        weights=weights,
    )
    return Tournament(results, rounds.pairings(), resumed)


def plan_tournament(
    board: Board,
    bots: Sequence[BotSpec],
    games: int,
    seed: int,
    *,
    seats: int,
    sprt: Sprt | None,
    known: Sequence[tuple[int, ...]] = (),
) -> tuple[tuple[str, ...], tuple[Pairing, ...]]:
    """Return the names of the bots, and who plays whom. Raise `SeriesError` or `BotError`.

    `known`: pairings that have their numbers already, with the numbers of their bots.
    """
    names = tuple(called(bot) for bot in bots)
    if len(set(names)) < 2:
        raise SeriesError("a tournament needs two different bots")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise SeriesError(f"bot {twice} is named twice; each bot enters a tournament once")
    if len(names) > MOST_BOTS:
        raise SeriesError(f"{len(names)} bots are too many; a tournament has at most {MOST_BOTS}")
    plan_series(board, bots[:1], games, seed, seats=seats)
    everybody = tuple(range(len(bots)))
    tables = (
        list(combinations(everybody, seats))
        if len(bots) >= seats
        else [tuple(everybody[n % len(bots)] for n in range(seats))]
    )
    tables = [*known, *(table for table in tables if table not in known)]
    if sprt is not None and any(len(set(table)) != 2 for table in tables):
        raise SeriesError("sequential stopping compares two bots: name two of them, or play with 2 seats")
    pairings = []
    for number, entrants in enumerate(tables):
        pairings.append(_pairing(number, entrants, bots, games, sprt))
    return names, tuple(pairings)


def _pairing(
    number: int, entrants: tuple[int, ...], bots: Sequence[BotSpec], games: int, sprt: Sprt | None, about: str = ""
) -> Pairing:
    """Return a pairing of at least so many games, in whole rounds of all rotations."""
    period = period_of([maker_of(bots[n]) for n in entrants])
    asked = -(-games // period) * period
    return Pairing(number, entrants, tuple(called(bots[n]) for n in entrants), period, asked, sprt, about)


def with_those_before(bots: Sequence[BotSpec], folder: Folder | None) -> tuple[list[BotSpec], list[tuple[int, ...]]]:
    """Return the bots of a folder's tournament, in their order, followed by the new ones; and its pairings.

    Bots of one's own must be named again: a folder does not say what is to be imported. Raise `SeriesError`.
    """
    if folder is None or folder.plan is None:
        return list(bots), []
    named = {called(bot): bot for bot in bots}
    there = folder.bots
    for name in there:
        if name not in named and not known_by_name(name):
            raise SeriesError(
                f"the tournament there has a bot {quoted(name)} of your own: name it too, as module:Class"
            )
    return [named.get(name, name) for name in there] + [
        bot for bot in bots if called(bot) not in there
    ], folder.pairings


def known_by_name(name: str) -> bool:
    """Return whether a name alone says which bot it is."""
    try:
        bot_maker(name)
    except BotError:
        return False
    return True


def networks_named(bots: Sequence[BotSpec]) -> dict[str, str]:
    """Return the names of the networks of those bots that play by a file: another one may take its place there."""
    networks = {called(bot): getattr(maker_of(bot), "network", None) for bot in bots}
    return {bot: network.name for bot, network in networks.items() if network is not None}


def plan_of(
    board: Board,
    names: tuple[str, ...],
    weights: Mapping[str, Weights],
    seed: int,
    seats: int,
    networks: Mapping[str, str],
) -> dict[str, object]:
    """Return what must not change while a tournament goes on. Without weights or networks they are not mentioned."""
    used: JsonObject = {"weights": {name: weight.digest for name, weight in weights.items()}} if weights else {}
    if networks:
        used["networks"] = dict(networks)
    return used | {
        "edition": board.id,
        "board_digest": board.digest,
        "rules_version": board.rules_version,
        "bots": list(names),
        "seats": seats,
        "seed": seed,
    }
