"""Files saved on Windows are read by every command that reads text."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from branchline.boards import load_board
from branchline.game import Game, Record
from cli.running import branchline_here

EXAMPLES = Path(__file__).parents[2] / "examples"
ENCODINGS = ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"]


@pytest.fixture(scope="module")
def record() -> str:
    game = Game(load_board("berlin"), seats=2, seed=5)
    luck = random.Random(5)
    for _ in range(6):
        game.play(luck.choice(list(game.legal)))
    return game.record(["Zoë", "Łucja"]).to_json()


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_what_windows_saves_is_read(tmp_path: Path, record: str, encoding: str) -> None:
    inputs = {
        "replay": record,
        "score": (EXAMPLES / "table.json").read_text(encoding="utf-8"),
        "notate": (EXAMPLES / "evening.txt").read_text(encoding="utf-8"),
    }
    for command, text in inputs.items():
        usual, file = tmp_path / f"{command}-usual", tmp_path / command
        usual.write_text(text, encoding="utf-8")
        file.write_bytes(text.replace("\n", "\r\n").encode(encoding))
        one, other = branchline_here(command, str(usual)), branchline_here(command, str(file))
        assert (other.code, other.out, other.err) == (0, one.out, ""), command


def test_a_code_page_is_read_and_said(tmp_path: Path) -> None:
    file = tmp_path / "evening.txt"
    text = (EXAMPLES / "evening.txt").read_text(encoding="utf-8").replace("Anna", "Grażyna")
    file.write_bytes(text.replace("København", "Kobenhavn").replace("ï", "i").encode("cp1250"))
    run = branchline_here("notate", str(file))
    assert run.code == 0, run
    assert "Grażyna" in run.out
    assert 'probably Windows-1250, as in "Grażyna", "Kyiv–Warszawa"' in run.err


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_record_is_loaded_from_any_of_them(tmp_path: Path, record: str, encoding: str) -> None:
    file = tmp_path / "evening.json"
    file.write_bytes(record.encode(encoding))
    assert Record.load(file) == Record.from_json(record) == Record.from_json("\ufeff" + record)
