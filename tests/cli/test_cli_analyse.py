"""`branchline analyse`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from branchline import Game, Record, analyse, load_board
from branchline.bots import Position, make_bot
from cli.running import branchline_here, refused

QUICK = ("--rollouts", "20", "--jobs", "1")


@pytest.fixture(scope="module", autouse=True)
def few_worlds() -> Iterator[None]:
    """How good analyses are is tested elsewhere, and is most of the work."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("branchline.analysis.game.BUDGET", 1)
        yield


@pytest.fixture(scope="module")
def record() -> Record:
    game = Game(load_board("berlin"), seats=2, seed=5)
    bots = [make_bot("random", 1), make_bot("random", 2)]
    while not game.over:
        position = Position.of(game)
        game.play(bots[position.seat].choose(position))
    return game.record(["Anna", "[b]Bert"])


@pytest.fixture
def file(record: Record, tmp_path: Path) -> Path:
    path = tmp_path / "evening.json"
    record.save(path)
    return path


@pytest.mark.long
def test_how_well_each_played_and_where_the_result_comes_from(record: Record, file: Path) -> None:
    run = branchline_here("analyse", str(file), *QUICK)
    assert (run.code, run.err) == (0, "")
    totals = record.replay().scores.totals
    assert run.out.startswith(f"Berlin: Anna {totals[0]}, [b]Bert {totals[1]}\n")
    found = analyse(record, rollouts=20)
    for seat, name in enumerate(record.names):
        start, luck, lost, others, end = re.search(
            re.escape(name)
            + r" started with (\S+), luck (\S+), own mistakes (\S+), the others' mistakes (\S+) = (\S+) at",
            run.out.replace("\N{MINUS SIGN}", "-"),
        ).groups()
        assert int(start) + int(luck) + int(lost) + int(others) == int(end) == round(100 * found.results[seat])
    lines = [line.split() for line in run.out.splitlines()]
    assert any(line[:2] == ["Anna", f"{found.ledger(0).accuracy:.0f}"] for line in lines)
    worst = found.turning_points()[0]
    assert any(line[:3] == [str(worst.step + 1), record.names[worst.seat], worst.mistake] for line in lines)
    assert "tunnels" not in run.out


@pytest.mark.long
def test_of_more_names_than_seats_the_first_count_and_none_reaches_the_terminal_as_a_command(
    record: Record, tmp_path: Path
) -> None:
    file = tmp_path / "many.json"
    Record(**{**vars(record), "names": ("An\x1b[31mna", "Bert", "Cora")}).save(file)
    run = branchline_here("analyse", str(file), *QUICK)
    assert (run.code, run.err) == (0, "")
    assert "Bert" in run.out and "Cora" not in run.out and "\x1b" not in run.out


@pytest.mark.long
def test_for_machines_with_a_picture(file: Path, tmp_path: Path) -> None:
    picture = tmp_path / "curve.svg"
    run = branchline_here("analyse", str(file), *QUICK, "--json", "--seat", "1", "--svg", str(picture))
    found = json.loads(run.out)
    assert found["branchline_analysis"] == 5
    assert {one["seat"] for one in found["decisions"]} == {1}
    ElementTree.parse(picture)


def test_what_cannot_be_analysed_is_refused_in_one_line(record: Record, file: Path, tmp_path: Path) -> None:
    short = tmp_path / "short.json"
    Record(**{**vars(record), "actions": record.actions[:-3], "fingerprint": ""}).save(short)
    for arguments, said in (
        ((str(short), *QUICK), "the game is not over"),
        ((str(file), "--seat", "2"), "the record has seats 0 to 1"),
        ((str(file), "--json", "--svg", "-"), "both use standard output"),
        ((str(tmp_path / "nothing.json"),), "nothing.json"),
        ((str(file), "--rollouts", "1"), "rollouts"),
    ):
        assert said in refused(branchline_here("analyse", *arguments))
