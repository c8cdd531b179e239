"""Suggestions measured on the printed boards, and tickets and colours dealt: even, without doubles, by a seed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from branchline.boards import GRAY, Board, builtin_boards, load_board
from branchline.boards.advice import shortest_way
from branchline.workshop import Draft, applied, dealing, findings, read_draft, suggestions, undone
from branchline.workshop.colouring import coloured
from branchline.workshop.dealing import DealError, dealt
from branchline.workshop.positions import positions
from branchline.workshop.ways import ends, shortest_ways
from table import COSTLY_EDITIONS


def draft_of(name: str) -> Draft:
    folder = load_board(name).folder
    assert folder is not None
    return read_draft({file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()})[0]


def measured(board: Board, draft: Draft) -> list[int]:
    """By how many spaces the suggested lengths are off."""
    routes = [route for route in board.routes if route.line == 0 and not route.wraps and route.kind != "subway"]
    found = [suggestions.length(draft, route.a.name, route.b.name) for route in routes]
    return [abs(length - route.length) for length, route in zip(found, routes, strict=True) if length is not None]


# ------------------------------------------------------------------------------------------------ lengths


@pytest.mark.parametrize(
    ("name", "off"),
    [("berlin", 0.23), ("europe", 0.49), ("germany", 0.38), ("great_lakes", 0.40), ("world", 0.42)],
)
def test_suggested_lengths_are_as_far_off_as_the_docstring_says(name: str, off: float) -> None:
    found = measured(load_board(name), draft_of(name))
    assert mean(found) == pytest.approx(off, abs=0.006)
    assert mean(one <= 1 for one in found) >= 0.93
    assert f"{off:.2f}" in (suggestions.__doc__ or "")


def test_an_empty_board_begins_with_a_unit_near_that_of_the_editions() -> None:
    for name in builtin_boards():
        draft = draft_of(name)
        bare = replace(draft, tables={**draft.tables, "routes": {}})
        points = positions(draft)
        assert 0.75 < suggestions.unit(bare, points) / suggestions.unit(draft, points) < 1.35, name


def test_a_place_that_lies_nowhere_has_no_length() -> None:
    draft = Draft(tables={**Draft().tables, "cities": {"c1": {"name": "A"}, "c2": {"name": "B", "lat": "x"}}})
    assert suggestions.length(draft, "A", "B") is None
    assert suggestions.length(draft_of("europe"), "Paris", "Atlantis") is None
    assert suggestions.length(draft_of("europe"), "Paris", "Paris") is None


CELL = st.one_of(st.text(max_size=6), st.sampled_from(["1", "91", "nan", "inf", "1e999", "-0", "179.9"]))


@given(
    rows=st.lists(st.dictionaries(st.sampled_from(["name", "lat", "lon"]), CELL), max_size=6),
    bounds=st.lists(st.one_of(st.floats(), st.integers(-400, 400), st.text(max_size=2)), min_size=4, max_size=4),
)
def test_whatever_stands_in_a_draft_suggestions_answer(rows: list[dict[str, str]], bounds: list[object]) -> None:
    tables = {
        **Draft().tables,
        "cities": {f"c{number}": row for number, row in enumerate(rows)},
        "routes": {
            f"r{number}": {"city_a": row.get("name", ""), "length": row.get("lat", "")}
            for number, row in enumerate(rows)
        },
    }
    draft = Draft({"map": {"bounds": bounds}, "cards": bounds, "pieces": {"train": bounds[0]}}, tables)
    names = [row.get("name", "") for row in rows] or [""]
    suggestions.length(draft, names[0], names[-1])
    assert suggestions.colour(draft, names[0], names[-1], 3)
    assert not suggestions.valued(draft).edits
    coloured(draft)
    with pytest.raises(DealError):
        dealt(draft, {"tickets": 30})


# ------------------------------------------------------------------------------------------------ colours


@pytest.mark.parametrize("name", builtin_boards())
def test_colours_are_even_and_never_twice_in_parallel(name: str) -> None:
    draft = draft_of(name)
    after = applied(draft, coloured(draft, 5, everything=True))
    rows = [row for row in after["routes"].values() if row.get("kind") not in ("sea", "subway")]
    there = suggestions.spaces_by_colour(rows)
    gray = there.pop(GRAY)
    assert 0.1 < gray / (gray + there.total()) < 0.5
    assert min(there.values()) > 0.7 * max(there.values())
    assert not [one for one in findings(after) if not one.advice]


@pytest.mark.parametrize("name", ["europe", "germany"])
def test_neighbours_rarely_share_a_colour(name: str) -> None:
    draft = draft_of(name)
    rows = list(applied(draft, coloured(draft, 5, everything=True))["routes"].values())
    alike = [
        (one, other)
        for number, one in enumerate(rows)
        for other in rows[:number]
        if one["colour"] == other["colour"] != GRAY and set(ends(one)) & set(ends(other))
    ]
    assert len(alike) <= 4  # of some 200 pairs


def test_only_routes_without_a_colour_are_coloured() -> None:
    draft = draft_of("europe")
    assert not coloured(draft).edits
    row = next(iter(draft["routes"]))
    cells = {column: text for column, text in draft["routes"][row].items() if column != "colour"}
    open_one = replace(draft, tables={**draft.tables, "routes": {**draft["routes"], row: cells}})
    assert [edit.row for edit in coloured(open_one).edits] == [row]


def test_the_suggested_colour_is_rare_and_not_that_beside() -> None:
    draft = draft_of("europe")
    beside = {row["colour"] for row in draft["routes"].values() if set(ends(row)) == {"Edinburgh", "London"}}
    assert beside == {"black", "orange"}
    found = suggestions.colour(draft, "Edinburgh", "London", 4)
    assert found not in {*beside, GRAY}
    assert suggestions.colour(draft, "Edinburgh", "London", 2, "ferry") == GRAY


# ------------------------------------------------------------------------------------------------ tickets


@pytest.mark.parametrize("name", COSTLY_EDITIONS)
def test_dealt_tickets_are_spread_as_on_printed_boards(name: str) -> None:
    board, draft = load_board(name), draft_of(name)
    counts = {
        deck: sum(ticket.deck == number for ticket in board.tickets)
        for number, deck in enumerate(board.ticket_rules.decks)
    }
    after = applied(draft, dealt(draft, counts, 3))
    rows = list(after["tickets"].values())
    assert len(rows) == len(board.tickets)
    assert len({frozenset(ends(row)) for row in rows}) == len(rows)
    uses = Counter(place for row in rows for place in ends(row))
    named = [place.name for place in board.places if place.kind != "waypoint"]
    assert max(uses.values()) - min(uses[place] for place in named) <= 2
    joined = {frozenset((route.a.name, route.b.name)) for route in board.routes}
    assert not any(frozenset(ends(row)) in joined for row in rows)
    values = sorted(int(row["value"]) for row in rows)
    assert len(set(values)) >= 6
    assert not [one for one in findings(after) if not one.advice]


def test_the_long_deck_gets_the_longest() -> None:
    draft = draft_of("europe")
    rows = applied(draft, dealt(draft, {"regular": 40, "long": 6}, 1))["tickets"].values()
    long = [int(row["value"]) for row in rows if row["deck"] == "long"]
    regular = [int(row["value"]) for row in rows if row["deck"] == "regular"]
    assert (len(long), len(regular)) == (6, 40)
    assert min(long) >= max(regular)


@pytest.mark.long
def test_the_same_seed_deals_the_same_and_another_deals_others() -> None:
    draft = draft_of("europe")
    once = dealt(draft, {"tickets": 30}, 7)
    assert dealt(draft, {"tickets": 30}, 7) == once
    assert dealt(draft, {"tickets": 30}, 8) != once


def test_dealing_can_be_undone_and_can_keep_what_is_there() -> None:
    draft = draft_of("germany")
    step = dealt(draft, {"short": 20, "long": 10}, 2)
    assert applied(applied(draft, step), undone(step)) == draft
    more = applied(draft, dealt(draft, {"short": 8, "long": 2}, 2, keep=True))
    assert len(more["tickets"]) == len(draft["tickets"]) + 10
    assert not [one for one in findings(more) if not one.advice]


def test_values_are_shortest_ways() -> None:
    board, draft = load_board("europe"), draft_of("europe")
    after = applied(draft, suggestions.valued(draft))
    off = [row for row, cells in after["tickets"].items() if cells != draft["tickets"][row]]
    assert len(off) == 2  # London–Wien and Edinburgh–Athína are printed one dearer
    ways = shortest_ways(draft)
    for ticket in board.tickets:
        a, b = (place.name for place in ticket.places)
        assert ways[a][b] == shortest_way(board, *ticket.places)


def test_lengths_that_are_wanted_go_from_short_to_long() -> None:
    found = dealing.wanted(20, 30)
    assert found == sorted(found, reverse=True)
    assert 0.15 * 20 < found[-1] < 0.25 * 20
    assert 0.75 * 20 < found[0] < 20


@pytest.mark.parametrize("counts", [{"tickets": 0}, {"tickets": 181}, {"a": -1, "b": 5}, {}])
def test_impossible_numbers_are_refused_in_words(counts: dict[str, int]) -> None:
    with pytest.raises((DealError, ValueError), match="to deal") as caught:
        dealt(draft_of("berlin"), counts)
    assert isinstance(caught.value, DealError)


def test_too_few_pairs_are_said() -> None:
    with pytest.raises(DealError, match=r"180 tickets to deal, but only \d+ pairs"):
        dealt(draft_of("berlin"), {"tickets": 180})


@pytest.mark.long
def test_the_largest_drafts_are_answered_all_the_same() -> None:
    """500 rows a table, all routes at one place: far beyond what a board may have."""
    names = [f"P{number}" for number in range(500)]
    tables = {
        **Draft().tables,
        "cities": {f"c{number}": {"name": name, "lat": "1", "lon": "1"} for number, name in enumerate(names)},
        "routes": {f"r{number}": {"city_a": "P0", "city_b": name, "length": "2"} for number, name in enumerate(names)},
    }
    draft = Draft(tables=tables)
    assert len(coloured(draft).edits) == 500
    assert not suggestions.valued(draft).edits
    with pytest.raises(DealError, match="500 places, the limit is 120"):
        dealt(draft, {"tickets": 180})
