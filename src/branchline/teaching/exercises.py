"""An exercise: a position, a question, and what its answers are worth.

Mistakes of an analysed game and puzzles are both exercises. The first answer decides; a claim is one answer, however it
is paid for, and of a draw of two cards the first one counts. Right is whatever is not worse than the best beyond the
noise.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from branchline.analysis import Comparison, Move, Option, compare, mistakes
from branchline.boards import Board, BranchlineError
from branchline.boards.arguments import whole_number
from branchline.bots import Position
from branchline.bots.planner.planner import PlannerBot
from branchline.bots.search.reasons import reason
from branchline.game import Game, Record, RecordError
from branchline.plain_data import JsonObject
from branchline.teaching.looking import Looking, answers, meaning

FORMAT = 1  # of the answers as JSON
ROLLOUTS = 200  # worlds in which the answers are compared
SHOWN = 6  # answers that are kept


class ExerciseError(BranchlineError):
    """An exercise that cannot be made, or cannot be read."""


@dataclass(frozen=True)
class Answer:
    """One answer to the question of an exercise."""

    option: Option  # the move, the chance to win after it, why one would do it
    behind: float  # by how much less than with the best, 0 to 1
    error: float  # one standard error of that
    right: bool

    @property
    def move(self) -> Move:
        """What is done."""
        return self.option.move

    @property
    def interval(self) -> tuple[float, float]:
        """How far it is behind the best, with 95 %."""
        return self.behind - 1.96 * self.error, self.behind + 1.96 * self.error

    def as_dict(self) -> JsonObject:
        """Return the answer as data for a file or the store."""
        return {**self.option.as_dict(), "behind": self.behind, "error": self.error, "right": self.right}

    @classmethod
    def from_dict(cls, data: Any, board: Board) -> Answer:
        """Return the answer that `as_dict` wrote."""
        return cls(Option.from_dict(data, board), float(data["behind"]), float(data["error"]), bool(data["right"]))


@dataclass(frozen=True)
class Answers:
    """What the answers to one question are worth: the best first. What is not among them is wrong."""

    seat: int
    found: tuple[Answer, ...]
    worlds: int  # in which they were compared
    compared: Comparison | None = None  # the best one with another in points and turns; None in older files

    @property
    def best(self) -> Answer:
        """The best one."""
        return self.found[0]

    def to(self, position: Position, action: int) -> Answer | None:
        """Return what is known of an action in this position, or None if it is worse than all that are listed."""
        wanted = meaning(position, action)
        for answer in self.found:
            known = number_of(position, answer.move)
            if known is not None and meaning(position, known) == wanted:
                return answer
        return None

    def as_dict(self) -> JsonObject:
        """Return the answers as data for the store."""
        return {
            "branchline_answers": FORMAT,
            "seat": self.seat,
            "worlds": self.worlds,
            "answers": [answer.as_dict() for answer in self.found],
            "compared": self.compared.as_dict() if self.compared else None,
        }

    def written(self) -> str:
        """Return the answers as they are kept."""
        return json.dumps(self.as_dict(), ensure_ascii=False)

    @classmethod
    def read(cls, text: str, board: Board) -> Answers:
        """Return the answers that `written` gave. Raise `ExerciseError`."""
        try:
            return cls.from_dict(json.loads(text), board)
        except ValueError as error:
            raise ExerciseError(f"these are no answers: {error}") from None

    @classmethod
    def from_dict(cls, data: Any, board: Board) -> Answers:
        """Return the answers that `as_dict` wrote. Raise `ExerciseError`."""
        try:
            if data["branchline_answers"] != FORMAT:
                raise ExerciseError(f"expected answers in format {FORMAT}")
            answers = tuple(Answer.from_dict(answer, board) for answer in data["answers"])
            if not answers:
                raise ExerciseError("there is no answer")
            compared = Comparison.from_dict(data.get("compared"), board)
            return cls(int(data["seat"]), answers, int(data["worlds"]), compared)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
            raise ExerciseError(f"these are no answers: {type(error).__name__} {error}") from None


def number_of(position: Position, move: Move) -> int | None:
    """Return the legal action that a move is in this position, by its text."""
    return next((action for action in position.legal if Move.of(position, action).text == move.text), None)


def game_at(record: Record, step: int, board: Board | None = None) -> Game:
    """Return the game after `step` of its actions. Raise `RecordError`, or `ExerciseError` if it has fewer."""
    whole_number("step", step, 0, len(record.actions), ExerciseError)
    for game in record.steps(board):
        if len(game.actions) == step:
            return game.copy()
    raise RecordError(f"the record has no action {step}")


def option(position: Position, action: int, chance: float) -> Option:
    """Return an action as an option, with the reason that a planner would have for it."""
    bot = PlannerBot(0)
    bot.choose(position)
    return Option(Move.of(position, action), chance, reason(bot, position, action))


def answered(position: Position, looking: Looking, order: list[int], *, only_best: bool) -> tuple[Answer, ...]:
    """Return the results for the answers in this order, the best first.

    Right is the best one only, or whatever it is no mistake to do instead (`analysis.mistakes`).
    """
    best, answers = order[0], []
    for action in order:
        lead = looking.lead(best, action)
        behind, error = (0.0, 0.0) if action == best else (max(0.0, lead.mean), lead.error)
        right = action == best or not (only_best or mistakes.size(behind, error))
        answers.append(Answer(option(position, action, looking.mean(action)), behind, error, right))
    return tuple(answers)


def look_at(
    position: Position, played: int, better: int | None, left: float, *, rollouts: int = ROLLOUTS, seed: int = 1
) -> Answers:
    """Return the answers to a question that was answered wrongly in a game.

    `played`: the action that the analysis calls a mistake: never right. `better`: what it found better: always right.
    `left`: how much of the game was to be played, 1 to 0.
    """
    looking = Looking(position, seed, left=left)
    wrong, known = meaning(position, played), meaning(position, better) if better is not None else None
    tried = answers(position)
    kept = [candidate for candidate in looking.left_of(tried, rollouts) if meaning(position, candidate) != wrong]
    if known is not None and known not in [meaning(position, candidate) for candidate in kept]:
        kept.append(next(candidate for candidate in tried if meaning(position, candidate) == known))
    for action in kept:
        looking.try_out(action, rollouts)
    order = sorted(kept, key=looking.mean, reverse=True)
    others = sorted((candidate for candidate in tried if candidate not in order), key=looking.mean, reverse=True)
    others.sort(key=lambda candidate: meaning(position, candidate) != wrong)  # what was played stands there in any case
    shown = [*order[:SHOWN], *others[: max(1, SHOWN - len(order))]]
    answers_kept = []
    for action, answer in zip(shown, answered(position, looking, shown, only_best=False), strict=True):
        meant = meaning(position, action)
        answers_kept.append(replace(answer, right=meant != wrong and (meant == known or answer.right)))
    compared = compare(position, shown[0], played, seed)
    return Answers(position.seat, tuple(answers_kept), rollouts, compared)
