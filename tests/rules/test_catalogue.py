"""What a score consists of, what can happen, and what is laid on routes: each stands in one list."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_type_hints

import pytest

import branchline as bl
from branchline.arena import results
from branchline.arena.balance import ranges
from branchline.boards.board import PIECE_KINDS, PIECE_OF, ROUTE_KINDS
from branchline.game import events, sheet
from branchline.game.sheet import SeatScore, parts_of
from branchline.rules import catalogue, log, state
from branchline.rules.catalogue import EVENT_KINDS, SCORE_PARTS, EventKinds, Part, event_words
from branchline.tabletop.position import as_json
from branchline.teaching import looking
from branchline.web.core.pages import labels, log_text
from branchline.web.core.rooms import steps
from branchline.web.count import page as count_page
from branchline.web.table import story
from table import EDITIONS

SOURCE = Path(bl.__file__).parent
WORDS = {part.name for part in SCORE_PARTS} | {part.key for part in SCORE_PARTS}


def test_every_list_of_parts_is_made_from_the_catalogue() -> None:
    assert state.SCRATCH["parts"].shape == (len(SCORE_PARTS), 5)
    assert results.COMPONENTS == looking.SHEET == tuple(part.name for part in SCORE_PARTS)
    assert list(labels.SCORE_PARTS) == list(SeatScore(0).parts()) == [part.key for part in SCORE_PARTS]
    assert {f"from_{part.name}" for part in SCORE_PARTS[:-1]} < set(ranges.SEAT_FIGURES)
    assert [getattr(catalogue, part.name.upper()) for part in SCORE_PARTS] == list(range(len(SCORE_PARTS)))


def test_tools_know_every_part_of_a_score_by_its_declaration() -> None:
    declared = get_type_hints(SeatScore)
    assert {part.key: declared[part.key] for part in SCORE_PARTS} == {part.key: int for part in SCORE_PARTS}
    assert [part.key for part in SCORE_PARTS if part.name != part.key] == ["longest_trail_bonus", "globetrotter"]


def test_a_new_part_is_in_the_sheet_by_its_row_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    more = (*SCORE_PARTS, Part("castles", uses="stations", called="castles built"))
    for module in (sheet, count_page):
        monkeypatch.setattr(module, "SCORE_PARTS", more)
    monkeypatch.setattr(sheet, "_KEYS", {part.key: n for n, part in enumerate(more)})
    score = SeatScore(0, tuple(range(len(more))))
    assert score.castles == score.parts()["castles"] == as_json(score)["castles"] == len(SCORE_PARTS)
    europe, berlin = bl.load_board("europe"), bl.load_board("berlin")
    assert parts_of(europe)[-1] == len(SCORE_PARTS) and len(SCORE_PARTS) not in parts_of(berlin)
    assert '"castles"' in count_page.count_facts.__wrapped__(europe, "en")  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("board", "not_used"),
    [
        ("europe", {"tours", "globetrotter", "passengers", "ports", "swaps"}),
        ("germany", {"tours", "stations", "longest_trail_bonus", "ports", "swaps"}),
        ("world", {"stations", "longest_trail_bonus", "globetrotter", "passengers"}),
    ],
)
def test_a_board_plays_with_the_parts_of_its_rulebook(board: str, not_used: set[str]) -> None:
    used = {SCORE_PARTS[n].key for n in parts_of(bl.load_board(board))}
    assert used == {part.key for part in SCORE_PARTS} - not_used


def test_every_kind_of_event_is_told_and_worded() -> None:
    words = event_words()
    assert [name for name, number in vars(log).items() if name in get_type_hints(EventKinds) if number >= 0] == list(
        get_type_hints(EventKinds)
    )
    assert {fact for fact, kind in enumerate(EVENT_KINDS) if kind.word} == set(events._EVENTS)
    assert set(events._TEXTS) == words
    assert set(log_text._TELL) == words - {"market"}, "cards that come to the market are told with what made room"
    assert story._BUILT < steps.HARMLESS < words and words - steps.HARMLESS > story._DRAWN


def test_every_route_has_its_pieces_and_every_kind_of_pieces_its_words() -> None:
    assert set(PIECE_OF) == set(ROUTE_KINDS) and set(labels.PIECES) == set(PIECE_KINDS)
    for edition in EDITIONS:
        board = bl.load_board(edition)
        assert {board.pieces.names[route.piece] for route in board.routes} <= set(PIECE_KINDS)
        assert all(board.pieces.names[route.piece] == PIECE_OF[route.kind] for route in board.routes)


def test_no_second_list_of_the_parts_stands_anywhere() -> None:
    """Where most of the words stand in quotes within a few lines, somebody lists the parts again.

    Details of each part, which only it has, may stand beside one another; they name no list of words.
    """
    again = []
    for path in (*SOURCE.rglob("*.py"), *SOURCE.rglob("*.js")):
        if path.name in ("catalogue.py", "result.js"):
            continue
        quoted = [
            set(re.findall(r'"(\w+)"|^\s+(\w+): "', line)) for line in path.read_text(encoding="utf-8").splitlines()
        ]
        for n in range(len(quoted)):
            near = {word for words in quoted[n : n + 10] for pair in words for word in pair if word}
            if len(near & WORDS) >= 7:
                again.append(f"{path.name}:{n + 1}")
    assert not again, again
