"""One page about a bot."""

from __future__ import annotations

import json

import pytest

from branchline.teaching.evaluation import Errors, whole_page
from cli.running import branchline_here


@pytest.mark.long
def test_a_page_tells_wins_puzzles_and_mistakes_the_same_for_the_same_seed() -> None:
    options = ["evaluate", "greedy", "--boards", "berlin", "--games", "6", "--seed", "3"]
    page = branchline_here(*options)
    assert page.code == 0 and page.out.startswith("# greedy") and page.out.count("| berlin |") == 10
    found = json.loads(branchline_here(*options, "--json").out)
    assert [one["against"] for one in found if "against" in one][:4] == ["planner", "planner", "planner", "one-step"]
    [solved] = [one["solved"]["mean"] for one in found if "solved" in one]
    assert f"| berlin | {100 * solved:.0f} % |" in page.out


def test_an_unknown_bot_is_refused() -> None:
    assert branchline_here("evaluate", "gredy").code == 2


def test_a_table_without_rows_is_left_out() -> None:
    told: list[str] = []
    whole_page([Errors("mine", 98.0, 0, 1, 1)], "planner", told.append)
    assert told[0] == "# planner" and told[-1] == "| mine | 98 | 0 | 1 | 1 |"
    assert sum(line.startswith("\n| board |") for line in told) == 1
