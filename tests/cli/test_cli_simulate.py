"""`branchline simulate`, `branchline bots`, and the door itself."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from branchline.arena import simulate
from cli.running import branchline_here, branchline_process, refused
from table import SEATINGS

INTERRUPTED = 130

# A long series that says on standard error when it is under way, and then plays on.
LONG_SERIES = """
import sys
from contextlib import contextmanager
import branchline.commands.simulate as command
from branchline.cli import main
from branchline.commands.progress import Reporter

@contextmanager
def telling(what, whole):
    told = []
    def done(count):
        if not told:
            told.append(count)
            print("playing", file=sys.stderr, flush=True)
    yield Reporter(done, lambda table: None)

command.progress = telling
if __name__ == "__main__":
    main(sys.argv[1:])
"""


def test_a_table_of_results_for_people() -> None:
    run = branchline_here("simulate", "berlin", "--bots", "greedy,random", "--games", "20", "--seed", "1")
    assert (run.code, run.err) == (0, "")
    assert "Berlin: greedy, random" in run.out
    assert "20 games, seed 1" in run.out
    words = [line.split() for line in run.out.splitlines()]
    best = simulate("berlin", ["greedy", "random"], 20, seed=1).standings[0]
    assert any(line[:3] == [best.bot, f"{best.wins:g}", f"{100 * best.win_share.mean:.1f}"] for line in words)
    assert any(line[:1] == ["routes"] for line in words)
    assert any(line[:1] == ["1."] for line in words)
    assert max(len(line) for line in run.out.splitlines()) <= 100
    assert "reconstruction" in run.out


def test_a_bot_against_itself_is_shown_by_the_order_of_play_not_as_winner_of_all_games() -> None:
    run = branchline_here("simulate", "berlin", "--bots", "greedy,greedy", "--games", "20", "--seed", "1")
    assert (run.code, run.err) == (0, "")
    assert "the same bot, greedy" in run.out and "100.0 %" not in run.out
    rows = [line.split() for line in run.out.splitlines()]
    for place in simulate("berlin", ["greedy", "greedy"], 20, seed=1).order:
        score = f"{place.score.mean:.1f}"
        (row,) = [row for row in rows if row[:1] == [f"{place.position}."]]
        assert row[1:4] == [f"{place.wins:g}", f"{100 * place.win_share.mean:.1f}", "%"] and score in row
    assert max(len(line) for line in run.out.splitlines()) <= 90
    alike = json.loads(branchline_here("simulate", "berlin", "--bots", "greedy,greedy", "--games", "2", "--json").out)
    assert [one["bot"] for one in alike["standings"]] == ["greedy"] and len(alike["order"]) == 2


def test_results_for_machines_are_the_same_for_one_seed() -> None:
    call = ("simulate", "berlin", "--games", "10", "--seed", "5", "--json")
    first, second = (json.loads(branchline_here(*call).out) for _ in range(2))
    assert first | {"seconds": 0} == second | {"seconds": 0}
    assert first["games"] == first["games_asked"] == 10
    assert first["bots"] == ["greedy", "random"]
    assert not first["stopped"]


def test_without_a_seed_one_is_drawn_and_told() -> None:
    seeds = {json.loads(branchline_here("simulate", "berlin", "--games", "1", "--json").out)["seed"] for _ in range(3)}
    assert len(seeds) > 1


def test_games_go_into_a_file(tmp_path: Path) -> None:
    target = tmp_path / "games.csv"
    run = branchline_here("simulate", "berlin", "--games", "3", "--seed", "1", "--out", str(target))
    assert run.code == 0
    assert len(target.read_text(encoding="utf-8").splitlines()) == 1 + 3 * 2


def test_decisions_are_saved_row_by_row_and_only_where_that_can_be(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    target = tmp_path / "decisions.parquet"
    call = ("simulate", "berlin", "--bots", "greedy,random", "--games", "3", "--seed", "1", "--decisions")
    run = branchline_here(*call, "--out", str(target))
    assert run.code == 0 and "3 games, seed 1" in run.out
    table = parquet.read_table(target, columns=["game", "step"])
    assert set(table["game"].to_pylist()) == {0, 1, 2}
    for more, said in ((("--out", "some.csv"), "FILE.parquet"), (("--on", "ray"), "this machine"), ((), "--out")):
        run = branchline_here(*call, *more)
        assert run.code != 0 and said in run.err
    assert "--decisions" in refused(branchline_here("simulate", "berlin", "--games", "3", "--labels"))


def test_seats_and_bots(tmp_path: Path) -> None:
    run = branchline_here("simulate", "berlin", "--seats", "4", "--games", "4", "--seed", "1", "--json")
    assert json.loads(run.out)["bots"] == ["greedy", "random", "greedy", "random"]


def test_the_great_audit() -> None:
    games = str(2 * len(SEATINGS))
    run = branchline_here("simulate", "all", "--audit", "--games", games, "--seed", "1", "--json")
    assert run.code == 0, run
    answer = json.loads(run.out)
    assert str(answer["games"]) == games
    assert {(one["edition"], one["seats"]) for one in answer["tables"]} == set(SEATINGS)
    shown = branchline_here("simulate", "berlin", "--audit", "--games", "3", "--seed", "1")
    assert "all invariants held" in shown.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("simulate", "berln"), 'unknown board "berln" (did you mean "berlin"?)'),
        (("simulate", "berlin", "--bots", "gredy"), 'unknown bot "gredy" (did you mean "greedy"?)'),
        (("simulate", "berlin", "--bots", ""), "unknown bot"),
        (("simulate", "berlin", "--bots", "greedy,,random"), 'unknown bot ""'),
        (("simulate", "berlin", "--bots", ",".join(["random"] * 5)), "5 bots are too many"),
        (("simulate", "berlin", "--seats", "7"), "2 to 4 seats, not 7"),
        (("simulate", "berlin", "--games", "many"), "--games"),
        (("simulate", "berlin", "--games", "0"), "--games"),
        (("simulate", "berlin", "--games", "1e3"), "--games"),
        (("simulate", "berlin", "--games", str(10**30)), "--games"),
        (("simulate", "berlin", "--seed", "-1"), "--seed"),
        (("simulate", "berlin", "--jobs", "-1"), "--jobs"),
        (("simulate", "berlin", "--out", "/nowhere/at/all.csv"), "cannot be written"),
        (("simulate", "berlin", "--out", "games.xls"), "expected a name that ends with"),
        (("simulate", "all"), "needs --audit"),
        (("simulate", "all", "--audit", "--seats", "9"), "no edition is for 9 seats"),
        (("simulate",), "Missing argument"),
        (("simulate", "berlin", "europe"), "unexpected extra argument"),
        (("simulate", "berlin", "--game", "3"), "No such option"),
        (("simulat",), "simulate"),
    ],
)
def test_bad_input_gives_one_line_and_exit_code_2(arguments: tuple[str, ...], said: str) -> None:
    assert said in refused(branchline_here(*arguments))


def test_an_unwritable_file_is_refused_before_a_game_is_played(tmp_path: Path) -> None:
    run = branchline_here("simulate", "berlin", "--games", "10000000", "--out", str(tmp_path / "no" / "games.csv"))
    assert "cannot be written" in refused(run)


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.long)])
def test_ctrl_c_ends_cleanly_with_what_was_done(jobs: int, tmp_path: Path) -> None:
    script, target = tmp_path / "series.py", tmp_path / "games.csv"
    script.write_text(LONG_SERIES, encoding="utf-8")
    call = ["simulate", "berlin", "--bots", "random,greedy", "--games", "10000000", "--seed", "1", "--jobs", str(jobs)]
    with subprocess.Popen(
        [sys.executable, str(script), *call, "--json", "--out", str(target)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "playing\n"
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the command and all its workers
        out, err = process.communicate(timeout=120)
    assert process.returncode == INTERRUPTED
    assert err == ""
    answer = json.loads(out)
    assert answer["stopped"]
    assert 0 < answer["games"] < answer["games_asked"]
    assert len(target.read_text(encoding="utf-8").splitlines()) == 1 + 2 * answer["games"]
    assert [one.name for one in tmp_path.iterdir() if one.suffix == ".part"] == []


def test_the_bots_are_listed() -> None:
    run = branchline_here("bots")
    assert run.code == 0
    assert [line.split()[0] for line in run.out.splitlines()][:1] == ["bot"]
    assert {"greedy", "random"} <= {line.split()[0] for line in run.out.splitlines()}
    assert {"greedy", "random"} <= {one["name"] for one in json.loads(branchline_here("bots", "--json").out)}


def test_the_door_itself() -> None:
    assert branchline_here().code == 0
    assert "simulate" in branchline_here().out
    assert branchline_here("--version").out.startswith("branchline ")
    assert branchline_process("--version").code == 0
