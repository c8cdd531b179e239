"""Everything but native code works where Numba is not installed: nothing imports it on the engine."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from web.servers import Bot, serving

PLAYS = """
import branchline as bl
from branchline.bots import Position, make_bot
from branchline.teaching.coach import Coach

game = bl.Game(bl.load_board("berlin"), 2, seed=1)
bots = [make_bot("search@4"), make_bot("learned")]
for _ in range(6):
    game.play(bots[game.question.seat].choose(Position.of(game)))
assert Coach().advise(Position.of(game)) is not None
while not game.over:
    game.play(make_bot("planner").choose(Position.of(game)))
assert bl.analyse(game, rollouts=2).decisions
assert len(bl.simulate("europe", ["planner", "greedy"], 8, seed=1, jobs=2).games) == 8
assert len(bl.simulate("berlin", ["hard", "medium"], 4, seed=1, jobs=1).games) == 4
"""


@pytest.fixture
def no_numba(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever imports Numba, in a process that is started now, ends with an error."""
    for name in ("numba", "llvmlite"):
        (tmp_path / "stubs" / name).mkdir(parents=True)
        (tmp_path / "stubs" / name / "__init__.py").write_text("raise SystemExit('Numba was imported')\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path / "stubs"), *sys.path]))
    for name in ("BRANCHLINE_RULES", "BRANCHLINE_INTERPRET"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.long
def test_games_bots_series_analyses_and_the_coach_run(no_numba: None) -> None:
    done = subprocess.run([sys.executable, "-c", PLAYS], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


@pytest.mark.long
def test_the_server_serves_a_game_against_bots(no_numba: None, tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path / 'rooms.sqlite'}", tmp_path) as server:
        assert asyncio.run(played(server.url)) == 4


async def played(url: str) -> int:
    async with Bot(url) as me:
        made = await me.create("europe", [{"kind": "me"}, {"kind": "bot", "bot": "master"}])
        return await me.play(made["room"], lambda actions: actions[0], most=4)


@pytest.mark.parametrize(
    ("program", "way", "said"),
    [
        ("from branchline.cli import main; main(['bots'])", "engine", ""),
        (
            "from branchline.cli import main; main(['simulate', 'berlin', '--games', '1'])",
            "native",
            "branchline: BRANCHLINE_RULES=native needs Numba, which is not installed: pip install 'branchline[native]'",
        ),
        (
            "from branchline.engine.__main__ import main; main()",
            "engine",
            "branchline.engine: making the engine needs Numba, which is not installed: "
            "pip install 'branchline[native]'",
        ),
        (
            "from branchline.errors import BranchlineError\n"
            "try:\n    import branchline.envs.gpu\nexcept BranchlineError as error:\n    sys.exit(str(error))",
            "engine",
            "playing on a GPU needs Numba, which is not installed: pip install 'branchline[native]'",
        ),
        (
            "from branchline.errors import BranchlineError\n"
            "import branchline as bl\nfrom branchline.training.iteration import Run\n"
            "try:\n    Run(bl.load_board('berlin'), 2)\nexcept BranchlineError as error:\n    sys.exit(str(error))",
            "engine",
            "training takes native code, which this process does not run: "
            "pip install 'branchline[native]', then set BRANCHLINE_RULES=native",
        ),
        ("from branchline.cli import main; main(['compile'])", "engine", ""),
    ],
)
def test_what_needs_numba_says_how_to_get_it(program: str, way: str, said: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import sys; sys.modules['numba'] = sys.modules['llvmlite'] = None\n" + program],
        env={name: value for name, value in os.environ.items() if name != "BRANCHLINE_INTERPRET"}
        | {"BRANCHLINE_RULES": way},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stderr.strip() == said
    assert (done.returncode == 0) == (said == "")
