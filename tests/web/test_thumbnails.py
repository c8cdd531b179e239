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
