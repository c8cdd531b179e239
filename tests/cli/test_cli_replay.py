"""`branchline replay`."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from branchline import Game, Record, load_board
from cli.running import branchline_here, branchline_process, refused


@pytest.fixture(scope="module")
def record() -> Record:
    """A short game to its end, random but always the same."""
    game = Game(load_board("berlin"), seats=2, seed=5)
    luck = random.Random(5)
    while not game.over:
        game.play(luck.choice(list(game.legal)))
    return game.record(["Anna", "Bert"])


@pytest.fixture
def file(record: Record, tmp_path: Path) -> Path:
    path = tmp_path / "evening.json"
    record.save(path)
    return path


def changed(record: Record, **fields: object) -> str:
    return json.dumps({**json.loads(record.to_json()), **fields})


def test_the_final_scores(record: Record, file: Path) -> None:
    run = branchline_here("replay", str(file))
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith("edition berlin   rules 1   seats 2   seed 5\n")
    game = record.replay()
    words = [line.split() for line in run.out.splitlines()]
    assert ["Anna", "Bert"] in words
    assert ["total", *(str(total) for total in game.scores.totals)] in words
    assert f"{len(record.actions)} actions." in run.out
    assert " | " not in run.out


def test_every_move_and_what_happened(record: Record, file: Path) -> None:
    run = branchline_here("replay", str(file), "--moves")
    _, seats, *moves = run.out.splitlines()[: 2 + len(record.actions)]
    assert seats == "0 Anna   1 Bert"
    assert [line.partition(" | ")[0].rstrip() for line in moves] == list(record.actions)
    blind = next(line for line in moves if line[2:].startswith("blind"))
    assert blind.partition(" | ")[2]


def test_the_answer_for_machines(record: Record, file: Path) -> None:
    answer = json.loads(branchline_here("replay", str(file), "--json", "--moves").out)
    game = record.replay()
    assert answer["fingerprint"] == record.fingerprint == game.fingerprint
    assert [seat["total"] for seat in answer["scores"]["seats"]] == list(game.scores.totals)
    assert answer["names"] == ["Anna", "Bert"] and answer["over"] is True
    assert [f"{move['seat']} {move['action']}" for move in answer["moves"]] == list(record.actions)
    assert "moves" not in json.loads(branchline_here("replay", str(file), "--json").out)


@pytest.mark.parametrize("at", [0, 1, 20])
def test_a_position_on_the_way(record: Record, file: Path, at: int) -> None:
    answer = json.loads(branchline_here("replay", str(file), "--at", str(at), "--json").out)
    assert answer["actions"] == at and answer["over"] is False
    assert str(answer["question"]["seat"]) == record.actions[at].split()[0]
    assert "Next question" in branchline_here("replay", str(file), "--at", str(at)).out


def test_the_last_position_is_the_end(record: Record, file: Path) -> None:
    whole = branchline_here("replay", str(file)).out
    assert branchline_here("replay", str(file), "--at", str(len(record.actions))).out == whole


def test_a_position_is_drawn(record: Record, file: Path, tmp_path: Path) -> None:
    out = tmp_path / "evening.svg"
    assert branchline_here("replay", str(file), "--svg", str(out), "--theme", "contrast").code == 0
    assert out.read_text(encoding="utf-8") == record.replay().svg(theme="contrast").rstrip("\n") + "\n"
    alone = branchline_here("replay", str(file), "--svg", "-")
    assert alone.out.startswith("<svg") and alone.out.rstrip().endswith("</svg>")


def test_a_record_from_standard_input(record: Record) -> None:
    assert branchline_here("replay", "-", stdin=record.to_json()).code == 0


def test_a_board_from_its_folder(record: Record, file: Path) -> None:
    assert branchline_here("replay", str(file), "--board", str(load_board("berlin").folder)).code == 0
    said = refused(branchline_here("replay", str(file), "--board", "europe"))
    assert 'the game was recorded on the board "berlin", not on "europe"' in said


def test_a_game_that_is_not_finished(record: Record) -> None:
    text = changed(record, actions=list(record.actions[:10]), fingerprint="")
    run = branchline_here("replay", "-", stdin=text)
    assert run.code == 0 and "Next question" in run.out and "win" not in run.out


def test_names_cannot_steer_the_terminal(record: Record) -> None:
    run = branchline_here("replay", "-", stdin=changed(record, names=["\x1b[2J", "[/]", "third of two"]))
    assert run.code == 0 and "\x1b" not in run.out and "[/]" in run.out


def test_bad_records_give_one_clear_line(record: Record) -> None:
    actions = list(record.actions)
    for text, said in (
        ("", "empty"),
        ("{", "standard input:1: not JSON"),
        ("{}", "not a record"),
        ('{"edition": "europe", "seats": []}', "branchline score"),
        (b"\x80\x01", "not UTF-8"),
        (changed(record, branchline_record=99), "format"),
        (changed(record, rules_version=99), "rules 99"),
        (changed(record, board="nosuch"), "unknown board"),
        (changed(record, board_digest="0" * 16), "have changed"),
        (changed(record, seats=9), "seats"),
        (changed(record, seed=-1), "seed"),
        (changed(record, seed="x"), "seed"),
        (changed(record, actions=["0 fly to the moon"]), "action 1"),
        (changed(record, actions=[*actions, "0 pass"]), "over already"),
        (changed(record, actions=actions[:-1]), "a different state"),
        (changed(record, fingerprint="0" * 16), "a different state"),
        (changed(record, actions=[7]), "actions"),
        (changed(record, names=["\ud800"]), "unpaired surrogate"),
        (record.to_json()[: len(record.to_json()) // 2], "not JSON"),
    ):
        assert said in refused(branchline_here("replay", "-", stdin=text)), text[:80]


def test_bad_options(file: Path, tmp_path: Path) -> None:
    assert "--at 99999" in refused(branchline_here("replay", str(file), "--at", "99999"))
    assert branchline_here("replay", str(file), "--at", "-1").code == 2
    assert "cannot be written" in refused(branchline_here("replay", str(file), "--svg", str(tmp_path)))


@pytest.mark.long
def test_the_command_in_a_process_of_its_own(file: Path, record: Record) -> None:
    run = branchline_process("replay", str(file), "--json")
    assert run.err == ""
    assert json.loads(run.out)["fingerprint"] == record.fingerprint
