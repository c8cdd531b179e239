"""A draft keeps all of a board, and every step on it can be taken back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from branchline.boards import builtin_boards, load_board, read_board
from branchline.boards.catalogue import BUILTIN
from branchline.boards.columns import TABLES
from branchline.boards.letters import without_unseen
from branchline.workshop import (
    Draft,
    DraftError,
    Edit,
    Step,
    StepError,
    applied,
    findings,
    read_draft,
    step_between,
    undone,
)
from branchline.workshop.findings import written
from branchline.workshop.steps import SETTINGS, added, changed, removed
from branchline.workshop.tables import LETTERS


def files_of(folder: Path) -> dict[str, str]:
    return {file.name: file.read_text(encoding="utf-8") for file in sorted(folder.iterdir()) if file.is_file()}


def edition(name: str) -> Draft:
    return read_draft(files_of(BUILTIN / name))[0]


def set_to(draft: Draft, path: tuple[str, ...], value: Any) -> Edit:
    """An edit of a setting, as the editor makes it; None takes it away."""
    there: Any = draft.settings
    for key in path:
        there = there.get(key) if isinstance(there, dict) else None
    return Edit(SETTINGS, "", there, value, path)


def in_order(draft: Draft) -> str:
    """All of a draft with the order of its rows; cells and settings have no order."""
    return json.dumps(draft.as_json(), sort_keys=True)


@pytest.mark.parametrize("name", builtin_boards())
def test_a_draft_keeps_all_of_an_edition(name: str, tmp_path: Path) -> None:
    files = files_of(BUILTIN / name)
    draft, reasons = read_draft(files)
    assert [reason for reason in reasons if "comments" not in reason.message] == []
    assert written(draft, tmp_path).digest == load_board(name).digest
    again, lost = read_draft(draft.files())
    assert (again, lost) == (draft, ())
    assert in_order(again) == in_order(draft)
    assert set(draft.files()) == set(files)
    assert draft.files()[draft.backdrop_file] and json.loads(files["map.geojson"]) == draft.backdrop


@pytest.mark.parametrize("name", builtin_boards())
def test_nothing_that_people_see_of_an_edition_is_lost(name: str, tmp_path: Path) -> None:
    """The digest leaves out titles, notes, other names and the look."""
    before, after = load_board(name), written(edition(name), tmp_path)
    for field in ("title", "titles", "notes", "rulebook", "map", "places", "routes", "tickets"):
        assert getattr(after, field) == getattr(before, field)


@pytest.mark.parametrize("name", builtin_boards())
def test_a_draft_goes_through_json(name: str) -> None:
    draft = edition(name)
    assert in_order(Draft.from_json(json.loads(json.dumps(draft.as_json())))) == in_order(draft)


def test_an_edition_has_no_findings_but_advice() -> None:
    for name in builtin_boards():
        assert [one for one in findings(edition(name)) if not one.advice] == []


def test_the_folder_of_a_draft_is_called_as_the_board(tmp_path: Path) -> None:
    draft = applied(edition("berlin"), Step("", (set_to(edition("berlin"), ("id",), "berlin_by-night2"),)))
    assert [one for one in findings(draft) if "folder" in one.message] == []


def test_a_fault_leads_back_to_its_row_and_setting() -> None:
    draft = edition("berlin")
    row = list(draft["routes"])[4]
    draft = applied(draft, Step("", (changed(draft, "routes", row, length="17", city_a="Nowhere"),)))
    found = findings(draft)
    assert {(one.table, one.row) for one in found} == {("routes", row)}
    draft = applied(edition("berlin"), Step("", (set_to(draft, ("cards", "train"), -1),)))
    assert ("settings", ("cards", "train")) in [(one.table, one.path) for one in findings(draft)]


def test_a_row_that_would_be_read_as_a_comment_is_a_fault() -> None:
    draft = edition("berlin")
    draft = applied(draft, Step("", added(draft, "cities", [{"name": "#1", "lat": "1", "lon": "2"}, {}])))
    messages = {one.row: one.message for one in findings(draft) if one.table == "cities"}
    ids = list(draft["cities"])[-2:]
    assert "comment" in messages[ids[0]] and "empty" in messages[ids[1]]


# ------------------------------------------------------------------------------------------------ steps


CELL = st.text(st.characters(codec="utf-8", exclude_characters="\n\r\0"), max_size=8).map(str.strip)
CELLS = st.dictionaries(st.sampled_from(("name", "lat", "city_a", "value", "odd")), CELL, max_size=3)


@st.composite
def drafts(draw: st.DrawFn) -> Draft:
    tables = {}
    for table in TABLES:
        count = draw(st.integers(0, 4))
        numbers = draw(st.permutations(range(1, count + 1)))
        tables[table] = [[f"{LETTERS[table]}{number}", draw(CELLS)] for number in numbers]
    settings = draw(st.fixed_dictionaries({}, optional={"id": CELL, "cards": st.dictionaries(CELL, st.integers(0, 9))}))
    files = draw(st.dictionaries(st.sampled_from(("a.txt", "b.txt")), CELL))
    backdrop = draw(st.none() | st.just({"type": "FeatureCollection", "features": []}))
    return Draft.from_json({"tables": tables, "settings": settings, "files": files, "backdrop": backdrop})


@pytest.mark.long
@settings(max_examples=60)
@given(drafts(), drafts())
def test_a_step_leads_from_any_draft_to_any_other_and_back_and_is_the_same_after_json(
    before: Draft, after: Draft
) -> None:
    step = step_between("all at once", before, after)
    there = applied(before, step)
    assert in_order(there) == in_order(after)
    assert in_order(applied(there, undone(step))) == in_order(before)
    assert Step.from_json(json.loads(json.dumps(step.as_json()))) == step
    assert undone(undone(step)) == step


@pytest.mark.long
@given(drafts())
def test_what_a_draft_holds_comes_back_from_its_files(draft: Draft) -> None:
    again, _ = read_draft(draft.files())
    for table in TABLES:
        kept = [
            dict(cells) for cells in draft[table].values() if cells and not first(table, draft, cells).startswith("#")
        ]
        assert list(map(squeezed, again[table].values())) == list(map(squeezed, kept))


def first(table: str, draft: Draft, cells: dict[str, str]) -> str:
    return cells.get(TABLES[table].needed[0], "")


def squeezed(cells: dict[str, str]) -> dict[str, str]:
    """Spaces of all kinds are one, what nobody sees is gone, and accents are composed when a file is read."""
    import unicodedata

    texts = {
        column: " ".join(without_unseen(unicodedata.normalize("NFC", text)).split()) for column, text in cells.items()
    }
    return {column: text for column, text in texts.items() if text}


def test_single_edits_can_be_taken_back() -> None:
    draft = edition("world")
    row = list(draft["tickets"])[7]
    for edits in (
        (removed(draft, "tickets", row),),
        (changed(draft, "tickets", row, value="3", deck=""),),
        added(draft, "routes", [{"city_a": "Lima"}, {"city_a": "Sydney"}]),
        (set_to(draft, ("cards", "wild"), 3),),
        (set_to(draft, ("fleet",), None),),
        (Edit("backdrop", "", draft.backdrop, None),),
    ):
        step = Step("", tuple(edits))
        assert in_order(applied(draft, step)) != in_order(draft)
        assert in_order(applied(applied(draft, step), undone(step))) == in_order(draft)


def test_a_step_that_no_longer_fits_is_refused() -> None:
    draft = edition("berlin")
    row = next(iter(draft["cities"]))
    step = Step("", (changed(draft, "cities", row, name="Elsewhere"),))
    with pytest.raises(StepError):
        applied(applied(draft, step), step)
    with pytest.raises(StepError):
        applied(draft, Step("", (Edit("settings", "", None, 3, ("nowhere", "key")),)))


# ------------------------------------------------------------------------------------- damaged and hostile


def test_a_damaged_folder_opens_as_far_as_it_goes_with_reasons() -> None:
    files = files_of(BUILTIN / "germany")
    files["board.toml"] = files["board.toml"].replace("[seats]", "[seats", 1).replace('title = "', "title = 7 '", 1)
    files["cities.csv"] = files["cities.csv"].replace(",", ";")
    files["routes.csv"] += "Berlin,Leipzig\nBerlin,Leipzig,2,red,rail,and,more\n"
    files["tickets.csv"] = "what,is,this\n1,2,3\n"
    files["map.geojson"] = "{"
    draft, reasons = read_draft(files)
    said = {reason.file for reason in reasons}
    assert {"board.toml", "cities.csv", "routes.csv", "tickets.csv", "map.geojson"} <= said
    assert draft.settings["id"] == "germany" and draft.settings["cards"]["train"]
    assert len(draft["cities"]) == len(load_board("germany").places)
    assert list(draft["routes"].values())[-2:] == [
        {"city_a": "Berlin", "city_b": "Leipzig"},
        {"city_a": "Berlin", "city_b": "Leipzig", "length": "2", "colour": "red", "kind": "rail"},
    ]
    assert draft.backdrop is None and draft.others["map.geojson"] == "{"
    assert findings(draft)


@pytest.mark.long
@given(st.dictionaries(st.sampled_from(("board.toml", "cities.csv", "routes.csv", "map.geojson", "x/../y")), st.text()))
def test_any_files_open_and_are_checked_without_an_error(files: dict[str, str]) -> None:
    draft, _ = read_draft(files)
    assert findings(draft)  # no such folder is a board
    assert in_order(Draft.from_json(json.loads(json.dumps(draft.as_json())))) == in_order(draft)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
)


@pytest.mark.long
@given(JSON, JSON, JSON)
def test_whatever_is_handed_over_as_a_draft_or_step_is_refused_in_words(
    one: object, two: object, three: object
) -> None:
    for said in (one, {"settings": one, "tables": two, "files": three}, {"tables": {"cities": [["c1", one]]}}):
        try:
            Draft.from_json(said).files()
        except DraftError as error:
            assert str(error)
    for said in (one, {"edits": [one]}, {"edits": [{"table": "cities", "row": "c1", "before": one, "after": two}]}):
        try:
            applied(Draft(), Step.from_json(said))
        except (DraftError, StepError) as error:
            assert str(error)


def test_files_of_a_draft_stay_in_their_folder() -> None:
    for name in ("../x", "/etc/x", "cities.csv", "board.toml", ".hidden", ""):
        with pytest.raises(DraftError):
            Draft.from_json({"files": {name: "x"}})
    draft = Draft.from_json({"settings": {"map": {"backdrop": "../up.geojson"}, "id": "../up"}, "backdrop": {}})
    assert "map.geojson" in draft.files()
    assert findings(draft)


def test_a_board_made_of_steps_alone_is_read(tmp_path: Path) -> None:
    whole = edition("berlin")
    made = applied(Draft(), step_between("everything", Draft(), whole))
    assert written(made, tmp_path) == read_board(tmp_path / "berlin")
