"""Saving: the steps of a browser are put on what is there. A browser that is behind is told what it has missed."""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass, replace
from typing import Any

from branchline.boards import BranchlineError
from branchline.boards.wording import worded
from branchline.web.core.rooms.ids import new_room_id
from branchline.web.core.store.database import Conflict, Store
from branchline.web.workshop import store as drafts
from branchline.web.workshop.store import DraftRow, SaveRow
from branchline.workshop import Draft, DraftError, Step, StepError, applied
from branchline.workshop.draft import packed, title_of

AT_ONCE = 100  # steps in one save
MOST_COMMAS = 150_000  # Python reads JSON in one go, and as long nothing else runs
_MARK = re.compile(r"[A-Za-z0-9_-]{8,40}")


class SaveError(BranchlineError):
    """A save that cannot be taken; the text says why."""


@dataclass(frozen=True)
class Save:
    """Steps that fit a draft, ready to be written."""

    before: DraftRow
    after: DraftRow
    rows: list[SaveRow]


def begun(draft: Draft) -> DraftRow:
    """Return the row of a new draft. Raise `DraftError` for one that is too large."""
    now = time.time()
    return DraftRow(new_room_id(), 0, title_of(draft), packed(draft), False, now, now)


def unpacked(row: DraftRow) -> Draft:
    """Return the draft in a row of ours."""
    return Draft.from_json(json.loads(row.content))


def prepared(row: DraftRow, text: str) -> Save:
    """Put steps (JSON: a list of `[mark, step]`) on a draft, without writing anything.

    Raise `SaveError` for what is no list of steps, or does not fit.
    """
    draft = unpacked(row)
    rows: list[SaveRow] = []
    try:
        for mark, step in _steps(text):
            draft = applied(draft, step)
            rows.append(SaveRow(row.version + len(rows) + 1, mark, json.dumps(step.as_json()), time.time()))
        title, content = title_of(draft), packed(draft)
    except (DraftError, StepError) as error:
        raise SaveError(error.message) from None
    after = replace(row, version=row.version + len(rows), title=title, content=content, touched=time.time())
    return Save(row, after, rows)


def write(store: Store, save: Save) -> bool:
    """Write what was prepared; whether nobody else was quicker."""
    try:
        if save.rows:
            drafts.save(store, save.before, save.after, save.rows)
    except Conflict:
        return False
    return True


def _steps(text: str) -> list[tuple[str, Step]]:
    """Return the steps that a browser sends."""
    data = read_json(text)
    if not isinstance(data, list) or len(data) > AT_ONCE:
        raise SaveError(f"expected a list of at most {AT_ONCE} steps")
    steps = []
    for entry in data:
        if (
            not isinstance(entry, list)
            or len(entry) != 2
            or not isinstance(entry[0], str)
            or not _MARK.fullmatch(entry[0])
        ):
            raise SaveError("expected a mark and a step")
        steps.append((entry[0], Step.from_json(entry[1])))
    return steps


def read_json(text: str) -> Any:
    """Return JSON from outside. Raise `SaveError`."""
    if text.count(",") > MOST_COMMAS:
        raise SaveError(worded("that is too much at once"))
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise SaveError("that is not JSON") from None


def _refuse(word: str) -> None:
    """Refuse what is not a number in JSON, though Python reads it."""
    raise ValueError(word)
