"""The boards, read once and laid out once for all tests of the drawings."""

from __future__ import annotations

from functools import cache

import pytest

from branchline.boards import Board, load_board
from branchline.draw.layout import Layout, layout_of

EDITIONS = ("germany", "europe", "berlin", "world", "great_lakes")


@cache
def _board(name: str) -> Board:
    return load_board(name)


@pytest.fixture(params=EDITIONS)
def board(request: pytest.FixtureRequest) -> Board:
    return _board(request.param)


@pytest.fixture
def layout(board: Board) -> Layout:
    return layout_of(board)


@pytest.fixture(scope="session")
def europe() -> Board:
    return _board("europe")


@pytest.fixture
def world() -> Board:
    return _board("world")


@pytest.fixture
def germany() -> Board:
    return _board("germany")


@pytest.fixture
def berlin() -> Board:
    return _board("berlin")
