"""A lesson: a small game set up beforehand, and steps that are said and answered one after the other.

Nothing here plays: from what its pupil has done so far follows which step a lesson is at, and whether the next action
is the one that is meant. Pupils sit at seat `PUPIL`.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from branchline.teaching.lesson_positions import Deal

PUPIL = 0
TURN, OVER = "turn", "over"


class Text(NamedTuple):
    """What a lesson says, in English."""

    english: str
    what: str = ""
    """What stands for `{what}` in it."""

    def said(self, translated: Callable[[str], str] = str) -> str:
        """Return the text in the language of `translated`, filled in; without it in English."""
        return translated(self.english).replace("{what}", self.what)


class Done(NamedTuple):
    """An action of the pupil that was accepted: its lines, and whether its turn ended with it."""

    lines: tuple[str, ...]
    ends_turn: bool


@dataclass(frozen=True)
class Wrong:
    """What people try instead, and what they are told."""

    tried: str  # a pattern of actions
    say: Text


@dataclass(frozen=True)
class LessonStep:
    """One thing that is said, and what is to be done then."""

    say: tuple[Text, ...]  # paragraphs
    task: Text
    right: tuple[str, ...]  # patterns of actions, `*` stands for anything
    until: int | str = 1  # so many actions; `TURN`: all of the pupil's turn; `OVER`: the rest of the game
    wrong: tuple[Wrong, ...] = ()
    otherwise: Text | None = None  # to every other answer; None: that the lesson wants the task done
    done: Text | None = None  # when it is done

    def accepts(self, lines: Sequence[str]) -> bool:
        """Return whether an action, in as many lines as it has answers, is one that the step asks for.

        What `wrong` names in full is not, whatever the patterns say.
        """
        if any(wrong.tried in lines for wrong in self.wrong):
            return False
        return all(any(fnmatch.fnmatchcase(line, pattern) for pattern in self.right) for line in lines)

    def answer(self, lines: Sequence[str]) -> Text | None:
        """Return what to tell a pupil who tried something else, or None if there is nothing special to say."""
        for wrong in self.wrong:
            if any(fnmatch.fnmatchcase(line, wrong.tried) for line in lines):
                return wrong.say
        return self.otherwise


@dataclass(frozen=True, eq=False)
class Lesson:
    """One idea, taught by playing."""

    board: str  # id of an edition
    file: Path
    name: str  # as in `berlin/first`: how it is known, in addresses and when it was done
    title: Text
    start: Deal | Path  # where it begins: what is dealt, or a recorded game; see `lesson_files.position_of`
    others: tuple[str, ...]  # what the other seats do in their turns, in this order; then they draw
    steps: tuple[LessonStep, ...]
    end: tuple[Text, ...]  # paragraphs, when all is done

    def at(self, done: Sequence[Done], over: bool = False) -> int:
        """Return how many steps are done after what the pupil did; `over` says whether the game is, and with it the
        last step.
        """
        n = used = 0
        for action in done:
            if n == len(self.steps):
                break
            used += 1
            until = self.steps[n].until
            if (until == TURN and action.ends_turn) or (isinstance(until, int) and used >= until):
                n, used = n + 1, 0
        return len(self.steps) if over else n
