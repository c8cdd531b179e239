"""Python of a site plays the same games as Python of a server: the same bytes, the same log, the same bots."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import branchline as bl
from branchline.site.building import LATER, later_name
from needs import missing
from sites import written_site

pytestmark = pytest.mark.long
IN_NODE = Path(__file__).with_name("in_node.mjs")
PROGRAM = """
import hashlib, json
import branchline as bl
from branchline.bots.api.bot import Position
found = {}
for name in bl.builtin_boards():
    game = bl.Game(bl.load_board(name), seats=3, seed=39)
    bots = [bl.make_bot(level, seed) for seed, level in enumerate(("easy", "medium", "hard"))]
    states, log = hashlib.sha256(), hashlib.sha256()
    while not game.over:
        events = game.play(bots[game.question.seat].choose(Position.of(game)))
        states.update(game.state.tobytes())
        log.update("".join(f"{event}\\n" for event in events).encode())
    found[name] = [game.turns, states.hexdigest(), log.hexdigest(), list(game.scores.totals)]
said = json.dumps(found)
"""
THINKING = """
import json
import branchline as bl
from branchline.bots.api.bot import Position
game = bl.Game(bl.load_board("berlin"), seats=2, seed=39)
hard, searching = bl.make_bot("hard", 6), bl.make_bot("search@100", 5)
chosen = []
while not game.over:
    position = Position.of(game)
    if game.turns in (4, 20) and len(chosen) < game.turns // 4:
        chosen.append(searching.choose(position))
    game.play(hard.choose(position))
said = json.dumps([chosen, bl.analyse(game.record(), rollouts=4).as_dict()], sort_keys=True)
"""


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with what starts Python."""
    if not shutil.which("node"):
        missing("node is not installed (apt-get install nodejs)")
    (made,) = (written_site(tmp_path_factory) / "site").iterdir()
    found = tmp_path_factory.mktemp("started")
    shutil.copytree(made, found, dirs_exist_ok=True)
    (found / "package.json").write_text('{"type": "module"}')  # for node, which reads the scripts as they are
    return found


def test_all_editions_are_played_as_on_a_server(started: Path) -> None:
    assert set(said_in_both(started, PROGRAM)) == set(bl.builtin_boards())


def test_who_searches_and_who_analyses_finds_the_same(started: Path) -> None:
    chosen, _ = said_in_both(started, THINKING)
    assert len(chosen) > 1


def said_in_both(started: Path, program: str) -> Any:
    """What a program says here and in the site's Python."""
    later = json.dumps({name: later_name(name) for name in LATER})
    done = subprocess.run(["node", IN_NODE, started, later], input=program, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    here: dict[str, str] = {}
    exec(program, here)
    there = nearly(done.stdout)
    assert there == nearly(here["said"])
    return there


def nearly(text: str) -> Any:
    """What is said as JSON; the last bits of `exp` are not the same in all libraries."""
    return json.loads(text, parse_float=lambda number: round(float(number), 9))
