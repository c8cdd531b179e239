"""`tune` finds weights, judges them in fresh games, and keeps only what is better beyond doubt."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boards.board_files import example, write
from branchline.arena import SeriesError, tuning
from branchline.arena.evolution import Evolution
from branchline.arena.statistics import Estimate
from branchline.arena.table import Table
from branchline.arena.tuning import Judged, tune
from branchline.boards import Board, load_board, read_board
from branchline.bots import bot_maker
from branchline.bots.api import tuned_weights, weights
from branchline.bots.api.tuned_weights import TUNED, Weights, WeightsError


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BRANCHLINE_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def unknown(folder: Path) -> Board:
    return read_board(write(folder / "bodensee", example()))


def test_the_search_finds_the_top_of_a_noisy_hill() -> None:
    luck = np.random.default_rng(1)
    top = np.array([40.0, 3.0, 0.0, 100.0])
    search = Evolution([20, 10, 5, 60], seed=1)
    for _ in range(60):
        search.tell(
            [-float(np.sum(((one - top) / (top + 5)) ** 2)) + 0.05 * luck.standard_normal() for one in search.ask()]
        )
    assert np.all(np.abs(search.answer - top) <= 0.15 * top + 2)


@pytest.mark.long
def test_the_same_seed_and_games_find_the_same_weights(tmp_path: Path) -> None:
    found = [tune(unknown(tmp_path / str(jobs)), games=2000, seed=4, jobs=jobs) for jobs in (1, 2)]
    assert found[0].found == found[1].found
    assert found[0].games == found[1].games >= 2000
    assert all(one.generations >= 1 for one in found[0].found)
    other = tune(unknown(tmp_path / "other"), games=2000, seed=5, jobs=1).found
    assert all(one.weights != another.weights for one, another in zip(found[0].found, other, strict=True))


def test_two_seats_and_more_are_searched_for_apart(tmp_path: Path) -> None:
    told: list[tuning.Progress] = []
    found = tune(unknown(tmp_path), games=1600, seed=1, jobs=1, on_progress=told.append)
    assert [[one.seats for one in group.judged] for group in found.found] == [[2], [3]]
    assert found.found[0].weights != found.found[1].weights
    assert list(dict.fromkeys(one.seats for one in told)) == [(2,), (3,)]
    assert [one.done for one in told] == sorted(one.done for one in told)
    assert told[-1].done <= told[-1].whole == 1600


def test_weights_that_are_no_better_are_not_kept(tmp_path: Path) -> None:
    board = unknown(tmp_path)
    found = tune(board, seats=2, games=1, seed=1, jobs=1)
    assert board.folder is not None
    ((judged,),) = [one.judged for one in found.found]
    assert judged.seats == 2
    assert not judged.better
    assert found.kept is None
    assert not (board.folder / "weights.toml").exists()


def better(self: Any) -> tuple[Judged, ...]:
    """As if the judge had been convinced."""
    return tuple(Judged(count, 600, Estimate(0.9, 0.88, 0.92), None) for count in self._counts)


def test_better_ones_are_kept_beside_the_board_and_used_from_then_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = unknown(tmp_path)
    monkeypatch.setattr(tuning._Course, "judged", better)
    found = tune(board, seats=2, games=500, seed=1, jobs=1)
    assert board.folder is not None
    assert found.kept == board.folder / "weights.toml"
    assert board.weights.at(2) == Weights(found.found[0].weights.numbers, TUNED)
    assert read_board(board.folder).weights.at(2).numbers == found.found[0].weights.numbers
    kept = tuned_weights.read_file(found.kept)
    assert (kept.board, kept.digest) == (board.id, board.digest)
    assert (kept.tuned[2].seed, kept.tuned[2].games, kept.tuned[2].won) == (1, 600, 0.9)
    again = tune(board, seats=3, games=500, seed=2, jobs=1)  # what there is for 2 seats stays
    assert tuned_weights.read_file(found.kept).tuned[2] == kept.tuned[2]
    assert tuned_weights.read_file(found.kept).tuned[3].numbers == again.found[0].weights.numbers


def test_what_is_tuned_for_other_seats_meanwhile_is_kept_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    board = unknown(tmp_path)
    assert board.folder is not None
    file = board.folder / "weights.toml"
    other = tuned_weights.Tuned((1,) * len(weights.NAMES), "2026-11-22", 1, 100, 0.5, 0.4, 0.6)
    monkeypatch.setattr(tuning._Course, "judged", better)
    found = tune(
        board, seats=2, games=500, jobs=1, on_progress=lambda _: tuned_weights.write_file(file, board, {3: other})
    )
    kept = tuned_weights.read_file(file).tuned
    assert kept.keys() == {2, 3}
    assert kept[3] == other and kept[2].numbers == found.found[0].weights.numbers


@pytest.mark.long
def test_those_of_an_edition_are_kept_with_the_users_data(own_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuning._Course, "judged", better)
    board = load_board("berlin")
    try:
        found = tune(board, seats=2, games=500, seed=1, jobs=1)
        assert found.kept is not None and own_data in found.kept.parents
        assert board.weights.at(2).origin == TUNED
    finally:
        board.__dict__.pop("weights", None)


def test_what_is_judged_against_is_named_and_must_be_beaten_too(tmp_path: Path) -> None:
    sure, unsure = Estimate(0.6, 0.55, 0.65), Estimate(0.52, 0.48, 0.56)
    assert Judged(2, 500, sure, None).better
    assert not Judged(2, 500, unsure, None).better
    assert Judged(2, 500, sure, sure).better
    assert not Judged(2, 500, sure, unsure).better
    assert Judged(4, 500, Estimate(0.3, 0.26, 0.34), None).better  # of four, equals win a quarter
    assert not Judged(2, 0, sure, None).better
    board = unknown(tmp_path)
    worse = tuned_weights.Tuned((1,) * len(weights.NAMES), "2026-11-22", 1, 100, 0.5, 0.4, 0.6)
    assert board.folder is not None
    tuned_weights.write_file(board.folder / "weights.toml", board, {2: worse})
    found = tune(board, seats=2, games=600, seed=1, jobs=1)
    assert found.found[0].judged[0].against_used is not None


def test_after_ctrl_c_what_was_found_is_judged(tmp_path: Path) -> None:
    def stop(now: tuning.Progress) -> None:
        if not now.judging and now.generation == 1:
            raise KeyboardInterrupt

    found = tune(unknown(tmp_path), seats=2, minutes=60, seed=1, jobs=1, on_progress=stop)
    assert found.stopped
    assert [one.generations for one in found.found] == [1]
    assert found.found[0].judged[0].games == tuning.JUDGED_IN_HASTE


def test_a_damaged_file_is_not_written_over(tmp_path: Path) -> None:
    board = unknown(tmp_path)
    assert board.folder is not None
    (board.folder / "weights.toml").write_text("board = 3\n", encoding="utf-8")
    with pytest.raises(WeightsError, match=r"weights\.toml:1: board is 3, expected a text"):
        tune(board, games=1)
    assert (board.folder / "weights.toml").read_text(encoding="utf-8") == "board = 3\n"


@pytest.mark.parametrize(
    ("wrong", "said"),
    (
        ({"seats": 9}, "is for 2 to 3 seats, not 9"),
        ({"games": 0}, "games"),
        ({"seed": -1}, "seed"),
        ({"minutes": 0}, "minutes"),
        ({"minutes": float("nan")}, "minutes"),
    ),
)
def test_what_cannot_be_asked_for_is_refused(wrong: dict[str, Any], said: str, tmp_path: Path) -> None:
    with pytest.raises(SeriesError, match=said):
        tune(unknown(tmp_path), **wrong)


def test_at_a_table_each_of_the_line_up_can_have_weights_of_its_own(tmp_path: Path) -> None:
    """And with the rotations on one seed, equals share every block evenly."""
    board = unknown(tmp_path)
    planner = bot_maker("planner")
    general = board.weights.general(2)
    strange = Weights((1,) * len(weights.NAMES), TUNED)
    table = Table(board, [planner, planner], 3)
    equals = table.play(0, 40, [general, general])
    assert tuning.won_by_first(equals).mean() == 0.5
    odd = table.play(0, 40, [general, strange])
    assert odd["total"].tolist() != equals["total"].tolist()
    assert tuning.won_by_first(odd).mean() > 0.5
