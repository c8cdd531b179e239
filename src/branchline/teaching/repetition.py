"""When an exercise comes back: spaced repetition by FSRS, in whole days.

What is kept of an exercise is a *card*, a text that only this module reads.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING

from branchline.boards import BranchlineError

if TYPE_CHECKING:
    from fsrs import Scheduler

RETENTION = 0.9  # the share of exercises that shall still be known when they come back


class RepetitionError(BranchlineError):
    """A card that cannot be read, or a time that is none."""


@cache
def _scheduler() -> Scheduler:
    """Return a scheduler without steps of minutes, which are for words learnt by heart, and without chance."""
    from fsrs import Scheduler

    return Scheduler(desired_retention=RETENTION, learning_steps=(), relearning_steps=(), enable_fuzzing=False)


def reviewed(card: str, right: bool, now: float) -> tuple[str, float]:
    """Return the card after an answer, and when the exercise is due again, both times in seconds since 1970.

    `card`: what this gave the last time; empty for an exercise that was never answered. Raise `RepetitionError`.
    """
    from fsrs import Card, Rating

    try:
        before = Card.from_dict(json.loads(card)) if card else Card(card_id=0)
        at = datetime.fromtimestamp(now, UTC)
        after, _ = _scheduler().review_card(before, Rating.Good if right else Rating.Again, at)
    except (ValueError, KeyError, TypeError, OverflowError, OSError) as error:
        raise RepetitionError(f"not a card of an exercise: {type(error).__name__} {error}") from None
    return json.dumps(dict(after.to_dict())), after.due.timestamp()
