"""The engine plays the same games as other ways to run the rules, from the sources that are here, and is safe."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

import branchline as bl

# Games of bots on every edition, and a few decisions by search.
SERIES = """
import hashlib, sys
import branchline as bl

for one in sys.argv[1:]:
    edition, bots, games = one.split()
    played = bl.simulate(edition, bots.split(","), int(games), 5)
    print(one, hashlib.sha256(played.games.tobytes()).hexdigest())
"""

EVERY_BOT = (
    "berlin planner,fast 4", "europe planner,greedy,random 4", "germany planner,planner 4", "world fast,planner 4",
    "great_lakes greedy,planner,fast,random 4", "europe search@4,planner 2", "germany learned,search@4 2",
)  # fmt: skip
QUICK_BOTS = ("berlin random,fast 2", "europe random,greedy 1", "germany fast,random 1", "world random,fast 1",
              "great_lakes random,fast 1")  # fmt: skip

MEMORY = """
import gc, sys
import branchline as bl
from branchline.runtime import instances
from branchline.runtime.engine_file import EngineError

board, sizes, games = bl.load_board("berlin"), [], int(sys.argv[1])
for n in range(25):
    bl.simulate(board, ["random", "random"], games // 5 + n, 1)
sizes.append(instances.here()._size)
for seed in range(games):
    game = bl.Game(board, 2, seed)
    game.play(game.legal[0])
    if seed in (100, games - 1):
        gc.collect()
        sizes.append(instances.here()._size)
print(sizes)
"""

FORGED = """
import collections, random, sys, threading
import numpy as np
import branchline as bl
from branchline.bots.planner import planner
from branchline.bots.api.memory import new_memory
from branchline.rules import kernel, knowledge, scoring, turn
from branchline.rules.state import ACTIONS, SCRATCH, STATE
from branchline.runtime import instances
from branchline.runtime.engine_file import EngineError

instances.PATIENCE, luck, ended = 0.25, random.Random(5), collections.Counter()
reals = {}  # before anything is written over
for edition in ("berlin", "europe", "germany", "world", "great_lakes"):
    board, real = bl.load_board(edition), reals.setdefault(edition, [])
    for seed in range(min(10, int(sys.argv[1]) // 5)):
        game = bl.Game(board, board.seats[1], seed)
        for _ in range(luck.randrange(5, 150)):
            game.over or game.play(luck.choice(list(game.legal)))
        real.append(game.state.tobytes())
for edition, real in reals.items():
    board = bl.load_board(edition)
    table, sizes = kernel.record_in(board.tables), (STATE, STATE, SCRATCH)
    for n in range(int(sys.argv[1]) // 5):
        if n == 0 or instances._own.instance.spoilt:
            buffers = [kernel.new_buffer(one) for one in sizes]
            state, seen, scratch = map(kernel.record_in, buffers)
            memory = kernel.record_in(new_memory())
        forged = bytearray(luck.choice(real) if n % 4 else luck.randbytes(STATE.itemsize))
        for _ in range(luck.choice((1, 3, 10, 100))):
            forged[luck.randrange(len(forged))] = luck.choice((0, 1, 127, 128, 255))
        seat, action = luck.randrange(board.seats[1]), luck.randrange(ACTIONS)
        calls = [(turn.legal, scratch), (turn.apply, scratch, action), (knowledge.redact, seen, seat)]
        if n % 250 == 0:
            calls += [(scoring.score, scratch), (planner.choose, scratch, memory, seat)]
        for call, *others in calls:
            buffers[0].view("u1")[:] = np.frombuffer(bytes(forged), "u1")
            try:
                call(table, state, *others)
            except EngineError as error:
                assert call.__name__ in str(error)
                ended["of time" if "processor time" in str(error) else "of place"] += 1
instances.PATIENCE, said = 30, []
def play():
    again = bl.Game(bl.load_board("europe"), 3, 11)
    while not again.over:
        again.play(again.legal[0])
    said.append(again.fingerprint == sys.argv[2])
elsewhere = threading.Thread(target=play)  # with memory of its own: in this one's anything may have been written over
elsewhere.start()
elsewhere.join()
print(len(ended), *said)
"""

ENDLESS = """
import branchline as bl
from branchline.rules import kernel, playout
from branchline.rules.state import SCRATCH, STATE
from branchline.runtime import instances
from branchline.runtime.engine_file import EngineError

instances.PATIENCE, instances.UNLIMITED, board = 0.5, frozenset(), bl.load_board("europe")
states, empty = kernel.new_buffer(STATE), kernel.new_buffer(STATE)
scratch = kernel.record_in(kernel.new_buffer(SCRATCH))
for games in (2**62, 2**62, 5):
    try:
        print(playout.play_many(kernel.record_in(board.tables), states, empty, scratch, 2, 1, games) > 500)
    except EngineError as error:
        print(error)
"""

BOUND = """
import numpy as np
import branchline as bl
from branchline.bots.api.memory import new_memory
from branchline.envs.batch import first_illegal
from branchline.rules import kernel, turn
from branchline.rules.state import SCRATCH

legal, actions = kernel.new_array((2, 5), np.int64), kernel.new_array(2, np.int64)
first = kernel.bound(first_illegal, legal, actions)
print(first(), end=" ")
legal[0, 0] = 1
print(first())
try:
    kernel.bound(first_illegal, legal, np.zeros(2, np.int64))
except ValueError as error:
    print(error)
for wrong in (kernel.new_array((2, 5, 1), np.int64), kernel.new_array((2, 5), np.int32)):
    try:
        first_illegal(wrong, actions)
    except TypeError as error:
        print(error)
game, memory = bl.Game(bl.load_board("berlin"), 2, 1), kernel.record_in(new_memory())
try:
    turn.legal(game._table, memory, kernel.record_in(kernel.new_buffer(SCRATCH)))
except TypeError as error:
    print(str(error).split(" takes ")[0])
"""


COPIED = """
import branchline as bl
from branchline.bots import Position, make_bot
from branchline.runtime import engine

visitors = []
visit = engine._Visitor.__init__
engine._Visitor.__init__ = lambda self, *where: (visitors.append(where[-1]), visit(self, *where))[1]
for bot in ("search@4", "learned", "planner"):
    game, answers = bl.Game(bl.load_board("europe"), 2, 3), make_bot(bot, 1)
    for _ in range(12):
        game.play(answers.choose(Position.of(game)))
bl.simulate("europe", ["learned", "planner"], 2, 1)
print(visitors)
"""

GIVEN_BACK = """
import sys
from branchline.runtime import instances

block, ran = instances.allocated(100), []
sys.setprofile(lambda frame, event, _: event == "call" and ran.append(frame.f_code.co_name))
del block
sys.setprofile(None)
print(ran, len(instances.here()._given_back))
"""


def said(program: str, *arguments: str, way: str = "engine") -> str:
    """Return what a program prints in a process that runs the rules in this way."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("BRANCHLINE_INTERPRET")}
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env=environment | {"BRANCHLINE_RULES": way},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.long
def test_the_engine_is_made_from_the_sources_that_are_here() -> None:
    found = said(
        "from branchline.engine.building import modules_in, sources_of\n"
        "from branchline.runtime.engine_file import contents\n"
        "print(sources_of(modules_in()) == contents()['sources'])",
        way="building",
    )
    assert found.strip() == "True", "the rules or bots have changed: run `make engine`"


@pytest.mark.native
def test_bots_play_the_same_games_on_the_engine_and_natively() -> None:
    assert said(SERIES, *EVERY_BOT) == said(SERIES, *EVERY_BOT, way="native")


@pytest.mark.long
def test_bots_play_the_same_games_on_the_engine_and_interpreted() -> None:
    assert said(SERIES, *QUICK_BOTS) == said(SERIES, *QUICK_BOTS, way="interpreted")


@pytest.mark.long
def test_what_bots_need_lies_where_the_engine_finds_it_and_is_copied_for_no_call() -> None:
    assert said(COPIED).strip() == "[]"


@pytest.mark.parametrize("games", [400, pytest.param(8_000, marks=pytest.mark.long)])
def test_what_games_leave_behind_is_used_again(games: int) -> None:
    after_many, first, last = json.loads(said(MEMORY, str(games)))
    assert after_many < 1 << 25 and last == first


def test_no_python_runs_when_memory_is_given_back_where_ctrl_c_would_be_lost() -> None:
    assert said(GIVEN_BACK).strip() == "[] 1"


@pytest.mark.parametrize("states", [20, pytest.param(2_000, marks=pytest.mark.long)])
def test_forged_states_end_a_call_at_most_and_games_of_other_threads_are_as_ever(states: int) -> None:
    game = bl.Game(bl.load_board("europe"), 3, 11)
    while not game.over:
        game.play(game.legal[0])
    assert said(FORGED, str(states), game.fingerprint).split()[1] == "True"


@pytest.mark.long
def test_a_call_that_would_go_on_for_ever_is_ended() -> None:
    ended = "rules.playout.play_many was ended by the engine: it took more than 0.5 s of processor time"
    assert said(ENDLESS).splitlines() == [ended, ended, "True"]


def test_a_rule_with_its_arguments_reads_them_where_they_lie() -> None:
    assert said(BOUND).splitlines() == [
        "0 1", "envs.batch.first_illegal is bound to an array outside the engine's memory",
        "envs.batch.first_illegal takes arrays of 8 bytes and 2 axes, not of 8 and 3",
        "envs.batch.first_illegal takes arrays of 8 bytes and 2 axes, not of 4 and 2",
        "rules.turn.legal",
    ]  # fmt: skip


def test_the_file_imports_nothing_and_lists_what_it_exports() -> None:
    wasmtime = pytest.importorskip("wasmtime")
    from branchline.runtime.engine_file import FILE, entry_points

    module = wasmtime.Module(wasmtime.Engine(), FILE.read_bytes())
    assert not module.imports
    exported = {one.name for one in module.exports}
    assert {"rules.turn.legal", "bots.planner.choose", "arena.play.play_games"} <= exported & entry_points().keys()


@pytest.mark.parametrize(
    ("way", "hidden", "said_so"),
    [
        ("engine", "wasmtime", "branchline: the engine needs wasmtime: pip install 'wasmtime>=50,<60'"),
        ("quick", "", "branchline: BRANCHLINE_RULES: expected engine, native or interpreted, not 'quick'"),
    ],
)
def test_what_is_missing_or_misspelt_is_said_in_one_line(way: str, hidden: str, said_so: str) -> None:
    program = (
        f"import sys; sys.modules[{hidden or 'unused'!r}] = None\n"
        "from branchline.cli import main; main(['simulate', 'berlin', '--games', '1', '--jobs', '1'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"BRANCHLINE_RULES": way},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 2 and done.stderr.strip() == said_so
