"""Improvements that simulations suggest (`arena.balance.improve`) as a step on the draft that was played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from branchline.arena.balance.improve import TICKET, Change
from branchline.boards.wording import worded
from branchline.workshop.draft import Draft
from branchline.workshop.steps import Edit, Step, StepError

_COLUMNS = {TICKET: ("tickets", "value")}
_ROUTES = ("routes", "colour")


def step_of(draft: Draft, changes: Sequence[Change]) -> Step:
    """Return all these changes as one step.

    The numbers of a change count the tickets and routes of the board that the draft makes, which are the rows of its
    tables in their order. Raise `StepError` where the draft has changed since, so that something else stands there.
    """
    return Step(", ".join(_said(change) for change in changes)[:120], tuple(_edits(draft, changes)))


def _edits(draft: Draft, changes: Sequence[Change]) -> Iterator[Edit]:
    for change in changes:
        table, column = _COLUMNS.get(change.kind, _ROUTES)
        rows = list(draft[table].items())
        for number, before, after in zip(change.items, change.before, change.after, strict=True):
            row, cells = rows[number] if number < len(rows) else ("", {})
            if cells.get(column) != before:
                raise StepError(
                    worded("{table}: {name} has changed since it was played", table=table, name=change.name)
                )
            yield Edit(table, row, dict(cells), {**cells, column: after})


def _said(change: Change) -> str:
    return f"{change.name}: {' / '.join(change.before)} → {' / '.join(change.after)}"
