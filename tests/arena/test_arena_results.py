"""What is made of the games: wins, standings, order of play, files."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from unittest import mock

import numpy as np
import pytest

from branchline.arena import Export, ExportError, Results, simulate
from branchline.arena.play import GAME
from branchline.arena.results import COMPONENTS
from branchline.boards import load_board
from table import EDITIONS


def results_of(*games: dict[str, list[int]], bots: tuple[str, ...] = ("a", "b")) -> Results:
    table = np.zeros(len(games), dtype=GAME)
    for n, game in enumerate(games):
        table[n]["number"] = table[n]["block"] = n
        table[n]["entrant"][: len(bots)] = range(len(bots))
        for name, values in game.items():
            table[n][name][: len(bots)] = values
    return Results(load_board("berlin"), bots, 1, len(games), table, len(bots))


def test_END_4_a_shared_victory_counts_in_parts() -> None:
    results = results_of({"winner": [1, 1]}, {"winner": [1, 0]}, {"winner": [0, 1]}, {"winner": [1, 0]})
    assert results.shared_victories == 1
    first, second = results.standings
    assert (first.bot, first.wins, first.shared_wins) == ("a", 2.5, 1)
    assert (second.bot, second.wins, second.shared_wins) == ("b", 1.5, 1)


def test_a_bot_on_several_seats_is_measured_against_its_share() -> None:
    games = [{"winner": [1, 0, 0]}, {"winner": [0, 1, 0]}, {"winner": [0, 0, 1]}]
    results = results_of(*games, bots=("a", "b", "b"))
    standings = {one.bot: one for one in results.standings}
    assert standings["b"].places == 2
    assert standings["b"].appearances == 6
    assert standings["b"].win_share.mean == pytest.approx(2 / 3)
    assert standings["b"].expected == pytest.approx(2 / 3)


def test_the_order_of_play_counts_from_the_seat_that_began() -> None:
    results = results_of({"winner": [1, 0], "total": [30, 10]}, {"winner": [0, 1], "total": [10, 30]})
    results.games["first_seat"] = [0, 1]
    assert [one.wins for one in results.order] == [2.0, 0.0]
    assert [one.advantage.mean for one in results.order] == [10.0, -10.0]


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_score_is_the_sum_of_its_parts(edition: str) -> None:
    results = simulate(edition, ["greedy", "random"], 30, seed=1)
    parts = sum(results.column(name).astype(int) for name in COMPONENTS)
    assert np.array_equal(parts, results.column("total"))
    for one in results.standings:
        assert sum(one.components.values()) == pytest.approx(one.score.mean)
    assert sum(one.wins for one in results.standings) == pytest.approx(30)
    assert sum(one.wins for one in results.order) == pytest.approx(30)


def test_json_holds_all_that_is_shown() -> None:
    answer = json.loads(json.dumps(simulate("berlin", ["greedy", "random"], 6, seed=1).as_dict()))
    assert set(answer) == {
        "edition",
        "board_digest",
        "rules_version",
        "bots",
        "weights",
        "seats",
        "seed",
        "games_asked",
        "games",
        "stopped",
        "seconds",
        "jobs",
        "turns",
        "actions",
        "shared_victories",
        "dried_up",
        "intervals",
        "standings",
        "order",
    }
    assert set(answer["standings"][0]) == {
        "bot",
        "places",
        "appearances",
        "wins",
        "shared_wins",
        "win_share",
        "expected",
        "score",
        "components",
        "tickets_done",
        "tickets_held",
    }
    assert set(answer["order"][0]) == {"position", "wins", "win_share", "score", "advantage"}
    assert set(answer["turns"]) == {"mean", "low", "high"}


# ------------------------------------------------------------------------------------------------ files


def written(target: Path) -> Results:
    results = simulate("world", ["greedy", "random", "random"], 7, seed=1)
    Export(target).write(results)
    assert [one.name for one in target.parent.iterdir()] == [target.name]
    return results


def test_games_as_csv(tmp_path: Path) -> None:
    results = written(tmp_path / "games.csv")
    with (tmp_path / "games.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 21
    assert [int(row["total"]) for row in rows] == [int(one) for one in results.column("total").ravel()]
    assert {row["bot"] for row in rows} == {"greedy", "random"}


def test_games_as_lines_of_json(tmp_path: Path) -> None:
    written(tmp_path / "games.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 21
    assert all(row["total"] == sum(row[name] for name in COMPONENTS) for row in rows)


def test_games_as_parquet(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    written(tmp_path / "games.parquet")
    assert parquet.read_table(tmp_path / "games.parquet").num_rows == 21


def test_parquet_without_pyarrow_says_what_to_install(tmp_path: Path) -> None:
    with (
        mock.patch.dict(sys.modules, {"pyarrow": None}),
        pytest.raises(ExportError, match=r"pip install .branchline\[parquet\]"),
    ):
        Export(tmp_path / "games.parquet")


def test_what_cannot_be_written_is_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()
    for target, said in (
        (tmp_path / "games.txt", "ends with .parquet, .csv or .jsonl"),
        (tmp_path / "nowhere" / "games.csv", "cannot be written"),
        (tmp_path / "folder.csv", "is a folder"),
        (tmp_path / "a\0b.csv", "cannot be written"),
    ):
        with pytest.raises(ExportError, match=said):
            Export(target)
    assert [one.name for one in tmp_path.iterdir()] == ["folder.csv"]
