"""One page about a bot: how often it wins where and against whom, the puzzles it solves, and how it errs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from branchline.analysis import analyse
from branchline.arena import simulate, statistics
from branchline.arena.statistics import Estimate
from branchline.boards import Board, load_board
from branchline.bots import Position, make_bot
from branchline.envs.opponents import answer
from branchline.game import Game
from branchline.game.record import Record
from branchline.plain_data import JsonObject
from branchline.teaching.puzzles import collection

STANDARD = "planner"
HABITS = ("one-step", "long-route", "route-focused", "hungry", "racer")
ROLLOUTS = 60  # of the analysis of a game


@dataclass(frozen=True)
class TableResult:
    """The share of games that a bot won at one kind of table."""

    board: str
    seats: int
    against: str
    won: Estimate

    def as_dict(self) -> JsonObject:
        """Return the line as data for JSON."""
        return {"board": self.board, "seats": self.seats, "against": self.against, "won": self.won.as_dict()}


@dataclass(frozen=True)
class Riddles:
    """What a bot made of the puzzles of a board."""

    board: str
    solved: Estimate
    given_away: float  # of the chance to win, on average

    def as_dict(self) -> JsonObject:
        """Return the puzzle results as data for JSON."""
        return {"board": self.board, "solved": self.solved.as_dict(), "given_away": self.given_away}


@dataclass(frozen=True)
class Errors:
    """How a bot played in one game against the standard, as an analysis sees it."""

    board: str
    accuracy: float
    large: int
    medium: int
    small: int

    def as_dict(self) -> JsonObject:
        """Return the errors as data for JSON."""
        sizes = {"large": self.large, "medium": self.medium, "small": self.small}
        return {"board": self.board, "accuracy": self.accuracy, **sizes}


Part = TableResult | Riddles | Errors


def evaluate(bot: str, boards: Sequence[str], games: int, seed: int = 0, jobs: int = 1) -> Iterator[Part]:
    """Yield the parts of the page as they come. The same seed gives the same page.

    `games` for each line. Raise `BotError`, `SeriesError`, and whatever `load_board` does.
    """
    for name in boards:
        board = load_board(name)
        tables = [(seats, STANDARD) for seats in range(board.seats[0], board.seats[1] + 1)]
        tables += [(board.seats[0], habit) for habit in HABITS]
        for seats, against in tables:
            if bot == against:
                continue
            results = simulate(board, [bot, *[against] * (seats - 1)], games, seed, jobs=jobs)
            own = next(standing for standing in results.standings if standing.bot == results.bots[0])
            yield TableResult(board.id, seats, against, own.win_share)
        if shelf := collection.of_edition(board.id):
            yield _riddles(bot, board, shelf, seed)
        yield _errors(bot, board, seed)


def _riddles(bot: str, board: Board, shelf: collection.Collection, seed: int) -> Riddles:
    right, lost = [], []
    for puzzle in shelf.puzzles:
        position = puzzle.position(board)
        answered = puzzle.answers.to(position, answer(make_bot(bot, seed), position))
        right.append(float(answered is not None and answered.right))
        lost.append(max(known.behind for known in puzzle.answers.found) if answered is None else answered.behind)
    solved = statistics.share(np.array(right), np.arange(len(right)))
    return Riddles(board.id, solved, float(np.mean(lost)))


def _errors(bot: str, board: Board, seed: int) -> Errors:
    game, players = Game(board, board.seats[0], seed), [make_bot(bot, seed)]
    players += [make_bot(STANDARD, seed + seat) for seat in range(1, game.seats)]
    while (seat := game.question.seat) is not None:
        game.play(answer(players[seat], Position.of(game)))
    ledger = analyse(Record.of(game), board=board, rollouts=ROLLOUTS, jobs=1, seed=1, seats=[0]).ledger(0)
    return Errors(board.id, ledger.accuracy, ledger.large, ledger.medium, ledger.small)


def whole_page(parts: Sequence[Part], bot: str, show: Callable[[str], None]) -> None:
    """Tell the page in Markdown, line by line. A table without rows is left out: not every board has puzzles."""
    show(f"# {bot}")
    for head, kind in (
        ("| board | seats | against | won | 95 % | equal would be |\n|---|---:|---|---:|---:|---:|", TableResult),
        ("| board | puzzles solved | 95 % | chance given away |\n|---|---:|---:|---:|", Riddles),
        ("| board | accuracy in a game | large mistakes | medium | small |\n|---|---:|---:|---:|---:|", Errors),
    ):
        if rows := [_row(part) for part in parts if isinstance(part, kind)]:
            show("\n" + head)
            for row in rows:
                show(row)


def _row(part: Part) -> str:
    if isinstance(part, TableResult):
        interval = f"{100 * part.won.low:.1f} … {100 * part.won.high:.1f}"
        equal = f"{100 / part.seats:.0f} %"
        return f"| {part.board} | {part.seats} | {part.against} | {100 * part.won.mean:.1f} % | {interval} | {equal} |"
    if isinstance(part, Riddles):
        interval = f"{100 * part.solved.low:.0f} … {100 * part.solved.high:.0f}"
        return f"| {part.board} | {100 * part.solved.mean:.0f} % | {interval} | {100 * part.given_away:.1f} % |"
    return f"| {part.board} | {part.accuracy:.0f} | {part.large} | {part.medium} | {part.small} |"
