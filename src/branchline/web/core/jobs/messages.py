"""What is said between whoever wants work done elsewhere and where it is done: reports, and one answer."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from typing import Any, TypeVar

from branchline.boards import BranchlineError
from branchline.boards.wording import worded
from branchline.web.core.jobs.errors import JobError, Overspent

log = logging.getLogger("branchline.server")

REPORT, ANSWER, REFUSAL, FAULT = "report", "answer", "refusal", "fault"
Message = tuple[str, Any]
"""Of which kind, and what is said."""
Hear = Callable[[Any], None]
"""What takes the reports of a function, of whatever type they are."""
Answer = TypeVar("Answer")


def done(function: Callable[..., object], arguments: tuple[object, ...]) -> Message:
    """Return the last message: what a function answers, or why it does not."""
    try:
        return ANSWER, function(*arguments)
    except BranchlineError as error:
        return REFUSAL, error
    except MemoryError:
        return REFUSAL, Overspent(worded("this took more memory than one request may use"))
    except Exception:
        return FAULT, traceback.format_exc()


def answer(message: Message, function: Callable[..., Answer]) -> Answer:
    """Return what the last message says that a function answered, or raise why it did not."""
    kind, content = message
    if kind == ANSWER:
        found: Answer = content
        return found
    if kind == REFUSAL:
        raise content
    log.error("%s failed where it was done:\n%s", function.__name__, content)
    raise JobError(worded("something went wrong here; it has been logged"))
