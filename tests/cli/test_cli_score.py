"""`branchline score`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from branchline import score_position
from cli.running import branchline_here, branchline_process, refused

ANNA = {
    "name": "Anna",
    "routes": [["Paris", "Dieppe"], ["Madrid", "Pamplona", "white"]],
    "tickets": [["Paris", "Wien"]],
    "stations": ["Roma"],
}
POSITION = {"edition": "europe", "seats": [ANNA, {"name": "Bert", "routes": [["Roma", "Venezia"]]}]}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "table.json"
    path.write_text(json.dumps(POSITION, indent=1), encoding="utf-8")
    return path


def test_a_score_sheet_for_people(file: Path) -> None:
    run = branchline_here("score", str(file))
    assert (run.code, run.err) == (0, "")
    words = [line.split() for line in run.out.splitlines()]
    assert ["Anna", "Bert"] in words
    assert ["routes", "5", "2"] in words
    assert ["tickets", "-8", "0"] in words
    assert ["longest", "trail", "10", "0"] in words
    assert ["stations", "kept", "8", "12"] in words
    assert ["total", "15", "14"] in words
    assert "Anna, not done: Paris–Wien -8" in run.out
    assert run.out.endswith("Anna wins.\n")
    assert "passengers" not in run.out and "ports" not in run.out


def test_every_component_for_machines(file: Path) -> None:
    run = branchline_here("score", str(file), "--json")
    assert run.code == 0
    assert json.loads(run.out) == score_position(POSITION)


def test_a_position_from_standard_input() -> None:
    run = branchline_here("score", "-", "--json", stdin=json.dumps(POSITION))
    assert json.loads(run.out)["winners"] == ["Anna"]


def test_a_position_on_a_board_of_ones_own(file: Path) -> None:
    from branchline import load_board

    run = branchline_here("score", str(file), "--board", str(load_board("europe").folder), "--json")
    assert json.loads(run.out)["winners"] == ["Anna"]


def test_notes_are_printed() -> None:
    both = {"edition": "europe", "seats": [{"routes": [["Paris", "Dieppe"]]}, {"routes": [["Paris", "Zürich"]]}]}
    double = {"edition": "europe", "seats": [{"routes": [["Wien", "Budapest"]]}, {"routes": [["Wien", "Budapest"]]}]}
    assert "Note:" not in branchline_here("score", "-", stdin=json.dumps(both)).out
    assert "Note: Budapest–Wien" in branchline_here("score", "-", stdin=json.dumps(double)).out


def test_names_cannot_steer_the_terminal_or_the_printer() -> None:
    seats = [{"name": "\x1b[31mred"}, {"name": "[bold]x[/nonsense]"}, {"name": "Łucja 🚂"}]
    run = branchline_here("score", "-", stdin=json.dumps({"edition": "germany", "seats": seats}))
    assert run.code == 0
    assert "\x1b" not in run.out and "[bold]x[/nonsense]" in run.out and "Łucja" in run.out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        ("  \n", "empty"),
        ('{"edition": "europe",\n "seats": [}', "standard input:2: not JSON"),
        ('{"edition": "europe"', "standard input:1: not JSON"),
        ("[" * 100_000, "not JSON"),
        ('{"edition": "europe", "seats": [{"swapped": NaN}]}', "NaN is not a number"),
        ('{"edition": "europe", "seats": [{"swapped": ' + "9" * 5000 + "}]}", "not JSON"),
        ('{"edition": "europe", "edition": "berlin", "seats": []}', '"edition" appears twice'),
        ('{"edition": "europe", "seats": [{"name": "\\ud800"}]}', "unpaired surrogate"),
        ("[]", "expected a table"),
        ("42", "expected a table"),
        ("null", "expected a table"),
        ("{}", "edition"),
        ('{"edition": 3, "seats": [{}]}', "edition"),
        ('{"edition": "eurpoe", "seats": [{}]}', 'did you mean "europe"?'),
        ('{"edition": "../europe", "seats": [{}]}', "position"),
        ('{"edition": "europe"}', "seats"),
        ('{"edition": "europe", "seats": {}}', "seats"),
        ('{"edition": "europe", "seats": [{}, {}, {}, {}, {}, {}]}', "6 seats"),
        ('{"edition": "europe", "seats": [{"routes": [["Paris", "Dieppe"], ["Dieppe", "Paris"]]}]}', "seat 0"),
        ('{"edition": "europe", "seats": [{"routes": [["Paris", "Dippe"]]}]}', 'did you mean "Dieppe"?'),
        ('{"edition": "europe", "seats": [{"tickets": [["Paris"]]}]}', "seat 0"),
        ('{"edition": "europe", "seats": [{"ports": ["Brest"]}]}', "no ports"),
        ('{"branchline_record": 1}', "branchline replay"),
        (b"\xff\xfe\x00binary", "standard input:1: not UTF-8"),
        (b"\x00" * 100, "standard input:1: not text: it holds a zero byte"),
    ],
)
def test_bad_positions_give_one_clear_line(text: str | bytes, said: str) -> None:
    assert said in refused(branchline_here("score", "-", stdin=text))


def test_what_is_no_readable_file(tmp_path: Path) -> None:
    huge = tmp_path / "huge.json"
    with huge.open("wb") as file:
        file.truncate(9_000_000)
    for wrong, said in (
        (str(tmp_path), "folder"),
        (str(tmp_path / "none.json"), "No such file"),
        (str(huge), "larger than 8 MB"),
        ("/dev/zero", "larger than 8 MB"),
        ("/dev/null", "empty"),
        ("a\0b", "cannot be read"),
        ("x" * 5000, "cannot be read"),
    ):
        assert said in refused(branchline_here("score", wrong)), wrong


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_one_may_not_read(file: Path) -> None:
    file.chmod(0)
    assert "Permission denied" in refused(branchline_here("score", str(file)))


@pytest.mark.long
def test_the_command_in_a_process_of_its_own(file: Path) -> None:
    """Also where the terminal knows no accents."""
    sheet = branchline_process("score", str(file))
    assert sheet.code == 0 and "Anna wins." in sheet.out and sheet.err == ""
    plain = branchline_process("score", str(file), PYTHONUTF8="0", PYTHONIOENCODING="ascii", LC_ALL="C")
    assert plain.code == 0 and "Anna wins." in plain.out
    assert "position" in refused(branchline_process("score", "-", stdin=""))
