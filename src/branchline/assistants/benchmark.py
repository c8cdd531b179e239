"""A graded benchmark for whatever reads a position and writes a move, such as a language model.

Three steps: tasks of the lessons and puzzles, whose answers the player is not shown; then whole games against the
levels. A player is a function from a prompt to an answer; it may tell how many tokens that took. The same seed and the
same answers give the same result.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field

from branchline.arena.play import game_seed
from branchline.assistants.tools import number_of
from branchline.boards.arguments import whole_number
from branchline.bots import Position, make_bot
from branchline.envs.opponents import answer
from branchline.envs.text import RULES, TextGame, map_in_words
from branchline.errors import BranchlineError
from branchline.game import Game, IllegalAction
from branchline.plain_data import JsonObject
from branchline.teaching.lesson_files import lessons, position_of
from branchline.teaching.puzzles import collection

TRIES = 3  # at a legal move, before one is drawn for the player


class BenchmarkError(BranchlineError):
    """A benchmark that cannot be run like this."""


@dataclass(frozen=True)
class Reply:
    """An answer, and how many tokens it took, prompt included."""

    text: str
    tokens: int = 0


Player = Callable[[str], "str | Reply"]


@dataclass
class Share:
    """How often something went well, with its 95 % interval (Wilson 1927)."""

    won: float = 0.0
    of: int = 0

    @property
    def mean(self) -> float:
        """The share, 0 to 1."""
        return self.won / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Where it lies with 95 %."""
        if not self.of:
            return 0.0, 1.0
        z, n, p = 1.96, self.of, self.mean
        middle, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return max(0.0, (middle - half) / (1 + z * z / n)), min(1.0, (middle + half) / (1 + z * z / n))

    @property
    def elo(self) -> tuple[float, float, float]:
        """By how many Elo points the player is stronger: least, expected, most."""
        low, high = self.interval
        return _elo(low), _elo(self.mean), _elo(high)

    def add(self, share: float) -> None:
        """Count another one."""
        self.won, self.of = self.won + share, self.of + 1


@dataclass
class Report:
    """What came out."""

    lessons: Share = field(default_factory=Share)
    puzzles: Share = field(default_factory=Share)
    given_away: float = 0.0  # of the chance to win, in the puzzles, on average
    games: dict[str, Share] = field(default_factory=dict)  # by level
    asked: int = 0  # answers
    refused: int = 0  # of these, how many were no legal move
    tokens: int = 0

    def as_dict(self) -> JsonObject:
        """Return the report as data for JSON."""
        data = {
            name: asdict(tally) | {"share": tally.mean, "interval": tally.interval}
            for name, tally in (("lessons", self.lessons), ("puzzles", self.puzzles))
        }
        games = {
            level: asdict(tally) | {"share": tally.mean, "interval": tally.interval, "elo": tally.elo}
            for level, tally in self.games.items()
        }
        costs = {"asked": self.asked, "refused": self.refused, "tokens": self.tokens}
        return data | {"given_away": self.given_away, "games": games} | costs


class Examiner:
    """Asks a player, and keeps count."""

    def __init__(self, player: Player, seed: int = 0) -> None:
        """Begin; `seed` decides the games, and the moves drawn for a player who finds none."""
        self._player, self._seed = player, whole_number("seed", seed, 0, 2**31, BenchmarkError)
        self._luck = random.Random(seed)
        self.report = Report()

    def lessons(self, boards: Sequence[str]) -> Iterator[str]:
        """Yield the name of each lesson when its first task is graded."""
        for board in boards:
            for lesson in lessons(board):
                game, step = position_of(lesson).replay(), lesson.steps[0]
                task = "\n".join([*(text.said() for text in step.say), step.task.said()])
                before = len(game.actions)
                self._ask(TextGame.of(game), task)
                lines = [line.partition(" ")[2] for line in game.actions[before:]]
                self.report.lessons.add(float(step.accepts(lines)))
                yield lesson.name

    def puzzles(self, boards: Sequence[str], most: int) -> Iterator[str]:
        """Yield the id of each of the first puzzles of each board when it is graded."""
        lost = 0.0
        for board in boards:
            shelf = collection.of_edition(board)
            for puzzle in shelf.puzzles[:most] if shelf else ():
                game = puzzle.game()
                position = Position.of(game)
                answered = puzzle.answers.to(position, self._ask(TextGame.of(game), "Find the best move."))
                self.report.puzzles.add(float(answered is not None and answered.right))
                lost += (
                    max(puzzle.answers.found, key=lambda known: known.behind).behind
                    if answered is None
                    else answered.behind
                )
                self.report.given_away = lost / self.report.puzzles.of
                yield puzzle.id

    def games(self, boards: Sequence[str], levels: Sequence[str], most: int) -> Iterator[str]:
        """Yield the level of each game when it is graded: whole games of two against each level, in both seats by
        turns.
        """
        for level in levels:
            share = self.report.games.setdefault(level, Share())
            for number in range(most):
                share.add(self._whole_game(boards[number // 2 % len(boards)], level, number))
                yield level

    def _whole_game(self, board: str, level: str, number: int) -> float:
        own_seed = int(game_seed(self._seed, number // 2))
        game, me = TextGame(board, 2, own_seed), number % 2
        bot = make_bot(level, own_seed)
        while (seat := game.asked) is not None:
            if seat == me:
                self._ask(game, "", with_map=not game.heard(me))
            else:
                legal = game.game.legal.get(answer(bot, Position.of(game.game)))
                game.play(seat, str(legal))
        return game.game.scores.shares[me]

    def _ask(self, game: TextGame, task: str, with_map: bool = True) -> int:
        """Let the player do something; the number of what was done."""
        seat = game.asked
        assert seat is not None
        parts = [RULES, map_in_words(game.game.board) if with_map else "", task, game.look(seat)]
        prompt = "\n\n".join(part for part in parts if part)
        for _ in range(TRIES):
            reply = self._player(prompt)
            text, tokens = (reply.text, reply.tokens) if isinstance(reply, Reply) else (reply, 0)
            if not isinstance(text, str):
                raise BenchmarkError("a player answers with a text, or with a Reply")
            self.report.asked, self.report.tokens = self.report.asked + 1, self.report.tokens + tokens
            try:
                chosen = _first_number(game.game, text)
                game.play(seat, text.strip())
                return chosen
            except BranchlineError as refused:
                self.report.refused += 1
                prompt = f"{prompt}\n\nYou answered: {text.strip()[:200]}\nRefused: {refused}\nAnswer again."
        drawn = self._luck.choice(list(game.game.legal))
        game.play(seat, str(drawn))
        return int(drawn)


def _first_number(game: Game, answer: str) -> int:
    """Return the number of the action that a text begins with; a payment may follow it. Raise `IllegalAction`."""
    if game.question.kind in ("colour", "wilds", "ship_wilds", "doubles", "marked", "pair"):
        return -1  # how to pay is not graded
    if not answer.strip():
        raise IllegalAction("expected an action, not an empty text")
    return number_of(game, answer.strip().partition(" with ")[0])


def _elo(share: float) -> float:
    return -math.inf if share <= 0 else math.inf if share >= 1 else 400 * math.log10(share / (1 - share))
