"""`branchline tune`, and where other commands name the weights."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from boards.board_files import example, spoil, write
from branchline.boards import read_board
from branchline.bots.api import tuned_weights, weights
from cli.running import branchline_here, branchline_process, refused


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BRANCHLINE_DATA", str(tmp_path / "data"))
    return write(tmp_path / "bodensee", example())


def with_weights(folder: Path) -> tuned_weights.Weights:
    board = read_board(folder)
    numbers = tuple(min(16, number) for number in board.weights.general(2).numbers)
    kept = tuned_weights.Tuned(numbers, "2026-11-22", 1, 2000, 0.6, 0.57, 0.63)
    tuned_weights.write_file(folder / "weights.toml", board, {2: kept})
    return read_board(folder).weights.at(2)


@pytest.mark.long
def test_tune_says_what_it_found_and_that_it_is_not_kept(folder: Path) -> None:
    run = branchline_process("tune", str(folder), "--games", "400", "--seed", "3", "--jobs", "2", "--seats", "2")
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith("Bodensee: weights of planner\n")
    assert "Not kept" in run.out or "Kept for 2 seats" in run.out
    assert (folder / "weights.toml").exists() == ("Kept" in run.out)


def test_tune_as_json(folder: Path) -> None:
    run = branchline_here("tune", str(folder), "--games", "300", "--seed", "3", "--jobs", "1", "--json")
    assert run.code == 0
    found = json.loads(run.out)
    assert all(set(group["weights"]) == set(weights.NAMES) for group in found["found"])
    judged = [one for group in found["found"] for one in group["judged"]]
    assert [one["seats"] for one in judged] == [2, 3]
    assert (found["kept"] is None) == (not any(one["better"] for one in judged))


def test_bad_input_is_one_line(folder: Path) -> None:
    assert "seats" in refused(branchline_here("tune", str(folder), "--seats", "7"))
    for minutes in ("0", "nan", "inf"):
        assert "minutes: expected more than 0" in refused(branchline_here("tune", str(folder), "--minutes", minutes))
    assert "unknown board" in refused(branchline_here("tune", "nowhere"))
    (folder / "weights.toml").write_text("\n[seats\n", encoding="utf-8")
    run = branchline_here("tune", str(folder), "--games", "1")
    assert run.code == 2
    assert "weights.toml:2: is not TOML" in run.err and "Traceback" not in run.err
    assert run.err.endswith("; move this file away to tune anew\n")


def test_results_name_the_weights(folder: Path) -> None:
    general = read_board(folder).weights.general(2)
    run = branchline_here("simulate", str(folder), "--bots", "planner,fast", "--games", "4", "--seed", "1", "--json")
    assert json.loads(run.out)["weights"] == {"planner": {"from": "general", "digest": general.digest}}
    own = with_weights(folder)
    for command in ("simulate", "tournament"):
        bots = "planner,planner@general"
        run = branchline_here(command, str(folder), "--bots", bots, "--games", "4", "--seed", "1")
        assert f"Weights: planner tuned {own.digest}, planner@general general {general.digest}\n" in run.out


def test_bots_weights_lists_them_by_seats(folder: Path) -> None:
    own, general = with_weights(folder), read_board(folder).weights.general(3)
    run = branchline_here("bots", "weights", str(folder))
    lines = [line.split() for line in run.out.splitlines()]
    assert ["2", "tuned", own.digest, "2026-11-22", "60.0", "%", "57.0", "…", "63.0", "2,000"] in lines
    assert ["3", "general", general.digest] in lines
    found = json.loads(branchline_here("bots", "weights", str(folder), "--json").out)
    assert [one["from"] for one in found] == ["tuned", "general"]
    assert found[0]["weights"] == dict(zip(weights.NAMES, own.numbers, strict=True))


def test_files_that_do_not_count_are_said(folder: Path) -> None:
    with_weights(folder)
    write(folder, spoil(example(), "board.toml", "train = 12", "train = 13"))
    for arguments in (("simulate", str(folder), "--bots", "planner", "--games", "2"), ("bots", "weights", str(folder))):
        run = branchline_here(*arguments)
        assert run.code == 0
        assert "the board has changed since; these weights are not used, tune again" in run.err


def test_a_tournament_does_not_go_on_with_other_weights(folder: Path, tmp_path: Path) -> None:
    play = ("tournament", str(folder), "--bots", "planner,fast", "--seed", "1", "--folder", str(tmp_path / "spring"))
    assert branchline_here(*play, "--games", "4").code == 0
    with_weights(folder)
    assert "weights is" in refused(branchline_here(*play, "--games", "8"))
