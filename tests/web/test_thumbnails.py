"""The small maps of the pages."""

from __future__ import annotations

import re

import pytest

import branchline as bl
from branchline.web.core.pages.thumbnail import drawn
from table import EDITIONS


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_dark_route_has_a_rim_for_dark_ground(edition: str) -> None:
    board = bl.load_board(edition)
    dark = {
        frozenset((route.a, route.b))
        for route in board.routes
        if route.colour in ("black", "blue") and route.line == 0 and not route.wraps
    }
    found = re.search('<path class="rims" d="([^"]*)"', drawn(board))
    assert found and found[1].count("M") >= len(dark) > 0


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_map_that_is_taller_than_broad_is_a_sheet_of_its_own(edition: str) -> None:
    picture = drawn(bl.load_board(edition))
    found = re.search(r'class="([^"]*)" viewBox="0 0 (\d+) (\d+)"', picture)
    assert found and (" tall" in found[1]) == (int(found[3]) > int(found[2]))
    assert f'<rect class="sheet" width="{found[2]}" height="{found[3]}"/>' in picture
