"""The ground of a draft: the same that the finished drawing has, and something for every unfinished one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from branchline.boards import builtin_boards, load_board
from branchline.draw.projection import sheet_of
from branchline.draw.scenery import scenery_of
from branchline.workshop import Draft
from branchline.workshop.ground import WHOLE_EARTH, ground_of
from workshop.test_drafts import edition


@pytest.mark.parametrize("name", builtin_boards())
def test_an_edition_stands_on_the_ground_of_its_drawing(name: str) -> None:
    board, ground = load_board(name), ground_of(edition(name))
    sheet = sheet_of(board)
    assert ground.width == sheet.width
    if "bounds" in board.map or any(place.sheet for place in board.places):
        assert ground.height == sheet.height
        assert ground.paths == scenery_of(board, sheet).paths
    assert "land" in ground.paths or "street" in ground.paths


def test_an_empty_draft_shows_the_earth() -> None:
    ground = ground_of(Draft())
    assert ground.bounds == WHOLE_EARTH
    assert ground.paths == {}


JSON = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=4)
)


@given(st.lists(JSON, max_size=5) | JSON, JSON, st.lists(st.lists(st.text(max_size=6), min_size=3, max_size=3)))
def test_any_draft_has_a_ground(bounds: object, ratio: object, cities: list[list[str]]) -> None:
    rows = [{"name": name, "lat": lat, "lon": lon} for name, lat, lon in cities]
    clean = lambda text: "".join(one for one in text if one.isprintable())  # noqa: E731
    rows = [{column: clean(text) for column, text in row.items()} for row in rows]
    said = {
        "settings": {"map": {"bounds": bounds, "ratio": ratio}} if _settable(bounds) and _settable(ratio) else {},
        "tables": {"cities": [[f"c{n}", row] for n, row in enumerate(rows)]},
        "backdrop": {"features": [{"properties": {"kind": "land"}}, 7]},
    }
    ground = ground_of(Draft.from_json(said))
    assert ground.width > 0 and ground.height > 0


def _settable(value: object) -> bool:
    if isinstance(value, list):
        return all(map(_settable, value))
    if isinstance(value, str):
        return value.isprintable()
    return value is not None and not (isinstance(value, int) and abs(value) > 2**53)
