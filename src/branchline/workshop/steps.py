"""Steps: what is done to a draft, as data. The same few lines apply a step here and in the browser, and undo it.

A step is a list of edits. Each says what was there and what is there afterwards (None: nothing), so a step that is
turned round undoes it, and a step that no longer fits is noticed instead of overwriting what somebody else has done.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from branchline.boards import BranchlineError
from branchline.boards.columns import TABLES
from branchline.boards.wording import worded
from branchline.plain_data import JsonObject
from branchline.workshop.draft import (
    Cells,
    Draft,
    DraftError,
    Rows,
    checked_backdrop,
    checked_cells,
    checked_file,
    checked_id,
    checked_value,
    is_cell,
)
from branchline.workshop.tables import LETTERS, MAX_DEPTH, MAX_FILES, MAX_ROWS

SETTINGS, BACKDROP, FILES = "settings", "backdrop", "files"
"""What else an edit may be about, in place of a table."""
MAX_EDITS = 3_000  # of one step
MAX_NAME = 120  # letters


class StepError(BranchlineError):
    """A step does not fit the draft: something else stands there by now."""


@dataclass(frozen=True)
class Edit:
    """One thing that changes. `before` and `after`: cells, a setting, a backdrop or a text; None: it is not there."""

    table: str  # one of `tables.TABLES`, or SETTINGS, BACKDROP, FILES
    row: str  # id of a row, name of a file; "" for the others
    before: Any
    after: Any
    path: tuple[str, ...] = ()  # of a setting, as in ("cards", "train")
    at: int | None = None  # of a row that comes or goes: its number in the table; None: the last

    def as_json(self) -> JsonObject:
        """Return the edit as plain JSON."""
        where: JsonObject = {"path": list(self.path)} if self.table == SETTINGS else {"row": self.row}
        place = {} if self.at is None else {"at": self.at}
        return {"table": self.table, **where, "before": self.before, "after": self.after, **place}

    @classmethod
    def from_json(cls, data: object) -> Edit:
        """Return an edit from JSON, wherever that comes from. Raise `DraftError`."""
        if not isinstance(data, dict):
            raise DraftError("an edit is an object")
        table, row, path, at = data.get("table"), data.get("row", ""), data.get("path", []), data.get("at")
        if at is not None and (type(at) is not int or not 0 <= at <= MAX_ROWS):
            raise DraftError("`at` is the number of a row")
        if not isinstance(path, list) or len(path) > MAX_DEPTH or not all(is_cell(part) for part in path):
            raise DraftError("`path` is a list of keys")
        before, after = data.get("before"), data.get("after")
        if table in TABLES:
            row, path = checked_id(row), []
            before, after = (None if cells is None else checked_cells(cells) for cells in (before, after))
        elif table == SETTINGS and path:
            row = ""
            before, after = (None if value is None else checked_value(value, len(path)) for value in (before, after))
        elif table == BACKDROP:
            row, path = "", []
            before, after = checked_backdrop(before), checked_backdrop(after)
        elif table == FILES:
            path = []
            before, after = (None if text is None else checked_file(row, text) for text in (before, after))
        else:
            raise DraftError("an edit is about a table, a setting, the backdrop or a file")
        return cls(str(table), str(row), before, after, tuple(path), at)

    def turned(self) -> Edit:
        """Return the edit that takes this one back."""
        return replace(self, before=self.after, after=self.before)


@dataclass(frozen=True)
class Step:
    """What is done and undone at once."""

    name: str  # for the list of steps: what was done, in the words of who did it
    edits: tuple[Edit, ...]

    def as_json(self) -> JsonObject:
        """Return the step as plain JSON."""
        return {"name": self.name, "edits": [edit.as_json() for edit in self.edits]}

    @classmethod
    def from_json(cls, data: object) -> Step:
        """Return a step from JSON, wherever that comes from. Raise `DraftError`."""
        if not isinstance(data, dict) or not isinstance(data.get("edits"), list):
            raise DraftError("a step is an object with edits")
        if len(data["edits"]) > MAX_EDITS:
            raise DraftError(worded("a step has at most {most} edits", most=MAX_EDITS))
        name = data.get("name", "")
        if not is_cell(name) or len(name) > MAX_NAME:
            raise DraftError("the name of a step is a short text")
        return cls(name, tuple(Edit.from_json(edit) for edit in data["edits"]))


def undone(step: Step) -> Step:
    """Return the step that takes this one back."""
    return Step(step.name, tuple(edit.turned() for edit in reversed(step.edits)))


def applied(draft: Draft, step: Step) -> Draft:
    """Return the draft after a step. Raise `StepError` where the draft is not as the step expects."""
    tables: dict[str, dict[str, Cells]] = {}
    settings, backdrop, others = draft.settings, draft.backdrop, draft.others
    for edit in step.edits:
        if edit.table in TABLES:
            if edit.table not in tables:
                tables[edit.table] = dict(draft[edit.table])
            tables[edit.table] = _with_row(tables[edit.table], edit)
        elif edit.table == SETTINGS:
            settings = _with_setting(settings, edit, edit.path)
        elif edit.table == BACKDROP:
            _check(backdrop, edit)
            backdrop = edit.after
        else:
            others = _with_file(others, edit)
    return replace(draft, settings=settings, tables={**draft.tables, **tables}, backdrop=backdrop, others=others)


def _check(there: object, edit: Edit) -> None:
    if there != edit.before:
        where = ".".join(edit.path) or edit.row or edit.table
        raise StepError(worded("{table}: {where} has changed since", table=edit.table, where=where))


def _with_row(rows: dict[str, Cells], edit: Edit) -> dict[str, Cells]:
    _check(rows.get(edit.row), edit)
    if edit.before is not None and edit.after is not None:
        rows[edit.row] = edit.after
    elif edit.before is not None:
        del rows[edit.row]
    elif edit.after is not None:
        if len(rows) >= MAX_ROWS:
            raise StepError(worded("{table}: at most {most} rows are allowed", table=edit.table, most=MAX_ROWS))
        order = list(rows.items())
        order.insert(len(order) if edit.at is None else edit.at, (edit.row, edit.after))
        return dict(order)
    return rows


def _with_setting(section: Mapping[str, object], edit: Edit, path: tuple[str, ...]) -> dict[str, object]:
    """Return the tree with a setting. The section around it must be there: an edit of the section itself brings it."""
    key, rest = path[0], path[1:]
    there, changed_section = section.get(key), dict(section)
    if rest:
        if not isinstance(there, dict):
            raise StepError(worded("settings: there is no section {key}", key=key))
        changed_section[key] = _with_setting(there, edit, rest)
        return changed_section
    _check(there, edit)
    if edit.after is None:
        changed_section.pop(key, None)
    else:
        changed_section[key] = edit.after
    return changed_section


def _with_file(others: Mapping[str, str], edit: Edit) -> dict[str, str]:
    _check(others.get(edit.row), edit)
    files = dict(others)
    if edit.after is None:
        files.pop(edit.row, None)
    else:
        files[edit.row] = edit.after
    if len(files) > MAX_FILES:
        raise StepError(worded("at most {most} other files are allowed", most=MAX_FILES))
    return files


# ------------------------------------------------------------------------------------------------ making steps


def added(draft: Draft, table: str, cells: Iterable[Cells]) -> tuple[Edit, ...]:
    """Return edits that add rows at the end of a table, under ids of their own."""
    letter, taken, edits, number = LETTERS[table], set(draft[table]), [], len(draft[table])
    for row in cells:
        number += 1
        while f"{letter}{number}" in taken:
            number += 1
        edits.append(Edit(table, f"{letter}{number}", None, {key: text for key, text in row.items() if text}))
    return tuple(edits)


def removed(draft: Draft, table: str, row: str) -> Edit:
    """Return an edit that takes a row away."""
    return Edit(table, row, draft[table][row], None, at=list(draft[table]).index(row))


def changed(draft: Draft, table: str, row: str, **cells: str) -> Edit:
    """Return an edit that writes into some cells of a row; an empty text empties the cell."""
    before = draft[table][row]
    return Edit(table, row, before, {key: text for key, text in {**before, **cells}.items() if text})


def step_between(name: str, before: Draft, after: Draft) -> Step:
    """Return the step that leads from one draft to another."""
    edits: list[Edit] = []
    for table in TABLES:
        edits += _rows_between(table, before[table], after[table])
    for key in dict.fromkeys((*before.settings, *after.settings)):
        if before.settings.get(key) != after.settings.get(key):
            edits.append(Edit(SETTINGS, "", before.settings.get(key), after.settings.get(key), (key,)))
    if before.backdrop != after.backdrop:
        edits.append(Edit(BACKDROP, "", before.backdrop, after.backdrop))
    for file in dict.fromkeys((*before.others, *after.others)):
        if before.others.get(file) != after.others.get(file):
            edits.append(Edit(FILES, file, before.others.get(file), after.others.get(file)))
    return Step(name, tuple(edits))


def _rows_between(table: str, before: Rows, after: Rows) -> Iterable[Edit]:
    staying = [row for row in before if row in after]
    if staying != [row for row in after if row in before]:
        staying = []  # put into another order: all go, and come again
    for number, row in reversed(list(enumerate(before))):
        if row not in staying:
            yield Edit(table, row, before[row], None, at=number)
    for number, row in enumerate(after):
        if row not in staying:
            yield Edit(table, row, None, after[row], at=number)
        elif before[row] != after[row]:
            yield Edit(table, row, before[row], after[row])
