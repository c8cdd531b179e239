"""`branchline tournament` and `branchline bots check`."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from branchline.arena.play import GAME
from cli.running import branchline_here, refused

INTERRUPTED = 130

# A long tournament that says on standard error when it is under way, and then plays on.
LONG_TOURNAMENT = """
import sys
from contextlib import contextmanager
import branchline.commands.tournament as command
from branchline.cli import main

@contextmanager
def telling(what, whole):
    told = []
    def done(count):
        if not told:
            told.append(count)
            print("playing", file=sys.stderr, flush=True)
    yield done

command.progress = telling
if __name__ == "__main__":
    main(sys.argv[1:])
"""

BAD_BOT = """
class Bad:
    name = "bad"

    def __init__(self, seed):
        pass

    def choose(self, position):
        return -5
"""


def test_a_table_of_ratings_for_people() -> None:
    run = branchline_here("tournament", "berlin", "--bots", "greedy,random", "--games", "30", "--seed", "1")
    assert (run.code, run.err) == (0, "")
    assert "Berlin: tournament of 2 bots, 2 seats" in run.out
    words = [line.split() for line in run.out.splitlines()]
    assert any(line[:1] == ["greedy"] and line[1].startswith("+") for line in words)
    assert any(line[:3] == ["ranks", "above,", "in"] for line in words)
    assert any(line[:1] == ["1."] for line in words)
    assert max(len(line) for line in run.out.splitlines()) <= 100


def test_sequential_stopping_is_explained() -> None:
    run = branchline_here("tournament", "berlin", "--games", "5000", "--seed", "1", "--sprt", "--elo1", "50")
    assert "greedy, random: decided: greedy is stronger than random, by 50 Elo rather than 0" in run.out


def test_everything_is_kept_in_the_folder_and_not_played_again(tmp_path: Path) -> None:
    folder = tmp_path / "spring"
    call = ("tournament", "berlin", "--games", "20", "--folder", str(folder), "--json")
    first = json.loads(branchline_here(*call, "--seed", "7").out)
    again = json.loads(branchline_here(*call).out)  # the seed is that of the folder
    assert again["resumed"] == 20 and first["resumed"] == 0
    apart = {"resumed": 0, "seconds": 0, "jobs": 0}
    assert first | apart == again | apart == json.loads((folder / "results.json").read_text("utf-8")) | apart
    assert (folder / "report.html").read_text("utf-8").startswith("<!doctype html>")
    names = {one.name for one in folder.iterdir()}
    assert {"plan.json", "games.bin", "report.html", "results.json"} < names
    assert names & {"games.parquet", "games.csv"}
    assert not [name for name in names if name.endswith(".part")]


def test_a_newcomer_challenges_the_best_one_of_a_folder(tmp_path: Path) -> None:
    folder = str(tmp_path / "ladder")
    branchline_here("tournament", "berlin", "--games", "20", "--folder", folder, "--seed", "7")
    run = branchline_here("tournament", "berlin", "--folder", folder, "--challenge", "fast", "--elo1", "100")
    assert "greedy, fast: decided: fast is stronger than greedy, by 100 Elo rather than 0" in run.out
    [_, line] = (tmp_path / "ladder" / "history.jsonl").read_text("utf-8").splitlines()
    assert "decided: fast" in json.loads(line)["tests"]["greedy, fast"]
    assert "--folder" in refused(branchline_here("tournament", "berlin", "--challenge", "fast"))


def test_games_and_report_go_where_they_are_wanted(tmp_path: Path) -> None:
    table, page = tmp_path / "games.csv", tmp_path / "page.html"
    run = branchline_here("tournament", "berlin", "--games", "4", "--out", str(table), "--report", str(page))
    assert run.code == 0
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 8
    assert {row["bot"] for row in rows} == {"greedy", "random"}
    assert "<svg" in page.read_text("utf-8")


def test_games_as_parquet(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    target = tmp_path / "games.parquet"
    branchline_here("tournament", "berlin", "--games", "4", "--out", str(target))
    table = parquet.read_table(target)
    assert table.num_rows == 8
    assert {"pairing", "number", "bot", "total", "winner"} <= set(table.column_names)


@pytest.mark.long
@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_loses_nothing(jobs: int, tmp_path: Path) -> None:
    script, folder = tmp_path / "long.py", tmp_path / "kept"
    script.write_text(LONG_TOURNAMENT, encoding="utf-8")
    call = ["tournament", "berlin", "--games", "1000000", "--seed", "1", "--jobs", str(jobs), "--folder", str(folder)]
    with subprocess.Popen(
        [sys.executable, str(script), *call, "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "playing\n"
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the command and all its workers
        out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (INTERRUPTED, "")
    answer = json.loads(out)
    assert answer["stopped"] and 0 < answer["games"] < answer["games_asked"]
    assert (folder / "games.bin").stat().st_size == answer["games"] * GAME.itemsize
    short = json.loads(branchline_here("tournament", "berlin", "--games", "2", "--folder", str(folder), "--json").out)
    assert short["seed"] == 1 and short["resumed"] > 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("tournament", "berln"), 'unknown board "berln" (did you mean "berlin"?)'),
        (("tournament", "berlin", "--bots", "greedy"), "needs two different bots"),
        (("tournament", "berlin", "--bots", "greedy,gredy"), 'unknown bot "gredy"'),
        (("tournament", "berlin", "--seats", "9"), "2 to 4 seats, not 9"),
        (("tournament", "berlin", "--on", "steam"), "on: expected processes or ray"),
        (("tournament", "berlin", "--sprt", "--elo1", "-5"), "elo0 must lie below elo1"),
        (("tournament", "berlin", "--sprt", "--alpha", "2"), "alpha: expected a probability"),
        (("tournament", "berlin", "--report", "page.pdf"), "ends with .html"),
        (("tournament", "berlin", "--out", "games.xls"), "expected a name that ends with"),
        (("tournament", "berlin", "--games", "0"), "--games"),
        (("tournament", "berlin", "--folder", __file__), "is a file, not a folder"),
        (("simulate", "berlin", "--on", "steam"), "on: expected processes or ray"),
        (("bots", "check"), "Missing argument"),
        (("bots", "check", "gredy"), 'unknown bot "gredy" (did you mean "greedy"?)'),
        (("bots", "check", "greedy", "--edition", "berln"), 'unknown board "berln"'),
        (("bots", "check", "greedy", "--budget", "0"), "--budget"),
    ],
)
def test_bad_input_gives_one_line_and_exit_code_2(arguments: tuple[str, ...], said: str) -> None:
    assert said in refused(branchline_here(*arguments))


def test_a_bot_is_checked() -> None:
    run = branchline_here("bots", "check", "greedy", "--edition", "berlin")
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith("greedy: all is well\n")
    assert "A decision took" in run.out
    assert json.loads(branchline_here("bots", "check", "greedy", "--edition", "berlin", "--json").out)["ok"]


def test_a_bot_that_is_not_fit_to_play_ends_with_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_bad_bot.py").write_text(BAD_BOT, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    run = branchline_here("bots", "check", "my_bad_bot:Bad", "--edition", "berlin")
    assert run.code == 1
    assert "FAIL  legality" in run.out and "answered -5, which is not legal" in run.out
