"""The engine can be used without Python: what is said of it is so, and plain JavaScript plays the same games."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from pathlib import Path

import pytest

import branchline as bl
from branchline.bots import bot_maker
from branchline.bots.api.bot import Position
from branchline.engine import layouts
from branchline.engine.page import PAGE, page
from branchline.runtime.engine_file import FILE, contents
from needs import missing

EXAMPLE = Path(__file__).parents[2] / "examples" / "play_from_javascript.mjs"


def test_the_tables_of_the_page_are_those_of_the_code() -> None:
    written = PAGE.read_text("utf-8")
    assert page(written) == written, "entry points or layouts have changed: run `make engine-page`"


def test_the_file_says_of_its_records_what_the_code_says() -> None:
    described = {name: layouts.described(layout) for name, layout in layouts.LAYOUTS.items()}
    assert contents()["layouts"] == json.loads(json.dumps(described))
    assert contents()["numbers"] == layouts.numbers()


@pytest.mark.parametrize(
    ("edition", "seats", "seed"),
    [("berlin", 2, 7), ("europe", 3, 42), ("germany", 2, 9), ("world", 2, 1), ("great_lakes", 4, 5)],
)
def test_plain_javascript_plays_the_same_game(tmp_path: Path, edition: str, seats: int, seed: int) -> None:
    node = shutil.which("node") or missing("node is not installed")
    board = bl.load_board(edition)
    board.tables.tofile(tmp_path / "board.tables")
    command = [node, str(EXAMPLE), str(FILE), str(tmp_path / "board.tables"), str(seats), str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    game = bl.Game(board, seats=seats, seed=seed)
    bots = [bot_maker("planner@general")(seed + seat) for seat in range(seats)]
    decisions = 0
    while not game.over:
        position = Position.of(game)
        game.play(bots[position.seat].choose(position))
        decisions += 1
    assert json.loads(done.stdout) == {
        "decisions": decisions,
        "scores": list(game.sheet().totals),
        "state": hashlib.sha256(game.state.tobytes()).hexdigest(),
    }


def test_the_example_is_short_enough_to_be_read() -> None:
    assert len(EXAMPLE.read_text("utf-8").splitlines()) <= 60
