"""Compiled rules, and compiled code of others that calls them or is called."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import pytest

from branchline.arena.choosers import function_pointer
from branchline.arena.table import Table
from branchline.boards import load_board
from branchline.bots import CompiledBot
from branchline.rules import chance, kernel, playout
from branchline.rules.sets import lowest
from branchline.rules.state import ACTION_WORDS, SCRATCH, STATE, WORD
from branchline.runtime import code_cache
from full_disk import files_no_larger_than

pytestmark = pytest.mark.native


def choose_in_their_way(board: Any, state: Any, scratch: Any, memory: Any, seat: int) -> int:
    """The first legal action, found with what our own rules never use: closures, arrays of their own, exceptions."""
    firsts = [word * WORD + lowest(scratch.legal[word]) for word in range(ACTION_WORDS) if scratch.legal[word] != 0]
    if len(firsts) == 0:
        raise ValueError(f"nothing to do for {seat}")
    return min(firsts)


def test_compiled_code_of_others_can_call_rules() -> None:
    @numba.njit  # type: ignore[untyped-decorator]
    def any_action(lucky: Any, scratch: Any) -> int:
        return playout.random_action(lucky, scratch)

    lucky, scratch = kernel.new_buffer(STATE)[0], kernel.new_buffer(SCRATCH)[0]
    scratch.legal[0], scratch.legal[2] = 0b101, 0b11
    chance.seed(lucky, 1)
    found = {any_action(lucky, scratch) for _ in range(100)}
    assert found == {0, 2, 2 * WORD, 2 * WORD + 1}


@pytest.mark.parametrize("mark", [pytest.param(kernel.rule, marks=pytest.mark.long), numba.njit])
def test_bots_of_others_may_use_all_of_numba(mark: Any) -> None:
    class TheirBot(CompiledBot):
        name = "theirs"
        choice = staticmethod(mark(choose_in_their_way))

    games = Table(load_board("berlin"), [TheirBot, TheirBot], seed=1).play(0, 2)
    assert (games["actions"] > 0).all()


def test_a_choice_that_gives_a_narrow_number_is_widened() -> None:
    @kernel.rule
    def always_the_seat(board: Any, state: Any, scratch: Any, memory: Any, seat: int) -> int:
        return state.seat  # type: ignore[no-any-return]

    made = function_pointer(always_the_seat)
    assert made.signature().return_type == numba.types.int64


@kernel.rule
def halvings(number: int) -> int:
    """How often a number can be halved, by asking oneself."""
    if number <= 1:
        return 0
    return 1 + halvings(number // 2)


@kernel.rule
def more_halvings(number: int) -> int:
    """Called by a rule, such a rule is a part."""
    return halvings(number) + 1


def test_a_rule_may_call_itself() -> None:
    assert more_halvings(1000) == 10
    assert halvings(1000) == 9


def touch_elements(state: Any, scratch: Any, at: int, value: int) -> int:
    """Reads and writes elements of fields in every way there is."""
    pieces = state.pieces
    pieces[at, 1] = value  # in a variable
    state.pieces[at, -1] += 1  # from the end
    state.turned[0] = value  # too wide: wraps around
    state.free[at - 3] = value << 40
    for seat in range(len(state.route_points)):  # as a whole, too
        state.route_points[seat] -= state.pieces[seat, 1]
    scratch.legal[state.turned[0] & 1] |= state.free[at - 3] | 1
    return state.turned[0] + pieces[at, 0] + state.free[-1] + state.pieces[state.turned[0] % 2, 1]


def test_elements_of_fields_are_read_and_written_as_numba_does() -> None:
    ours, theirs = kernel.rule(touch_elements), numba.njit(touch_elements)
    for at in range(2, 5):
        for value in (-1, 5, 200, 70_000):
            left, right = ([kernel.new_buffer(STATE), kernel.new_buffer(SCRATCH)] for _ in range(2))
            assert ours(left[0][0], left[1][0], at, value) == theirs(right[0][0], right[1][0], at, value)
            for here, there in zip(left, right, strict=True):
                assert here.tobytes() == there.tobytes()


THEIR_PROGRAM = """
import sys
import numba
from branchline.boards import load_board
from branchline.rules import kernel, playout
from branchline.rules.state import SCRATCH, STATE

@numba.njit(cache=True)
def two_games(board, states, empty, scratch):
    return playout.play_many(board, states, empty, scratch, 2, 1, 2)

buffers = kernel.new_buffer(STATE, 2), kernel.new_buffer(SCRATCH)
print(two_games(load_board("berlin").tables[0], buffers[0][:1], buffers[0][1:], buffers[1][0]), end=" ")
print(sum(two_games.stats.cache_hits.values()))
"""


@pytest.mark.long
def test_code_of_others_that_is_kept_in_a_cache_finds_the_rules_again(tmp_path: Path) -> None:
    (tmp_path / "theirs.py").write_text(THEIR_PROGRAM, encoding="utf-8")
    around = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "BRANCHLINE_INTERPRET": "0"}
    said = []
    for _ in range(3):  # compiled; with the rules from the cache; everything from the cache
        done = subprocess.run(
            [sys.executable, tmp_path / "theirs.py"], capture_output=True, text=True, env=around, check=False
        )
        assert done.returncode == 0, done.stderr
        said.append(done.stdout.split())
        for kept in tmp_path.rglob("*.nb?") if len(said) == 1 else ():
            kept.unlink()
    assert len({actions for actions, _ in said}) == 1
    assert [hits for _, hits in said] == ["0", "0", "1"]


UNKNOWN_NUMBA = """
import sys
import numba
numba.__version__ = "9.0.0"
from branchline.rules import chance, kernel, sets
from branchline.rules.state import STATE
state = kernel.new_buffer(STATE)[0]
chance.seed(state, 1)
print(state.luck.tolist(), sets.nth(0b101, 1), "branchline.runtime.whole_program" in sys.modules)
"""


def test_a_numba_that_nobody_has_tried_compiles_in_its_own_way(tmp_path: Path) -> None:
    around = os.environ | {"BRANCHLINE_CACHE": str(tmp_path), "BRANCHLINE_INTERPRET": "0"}
    done = subprocess.run(
        [sys.executable, "-c", UNKNOWN_NUMBA], capture_output=True, text=True, env=around, check=False
    )
    state = kernel.new_buffer(STATE)[0]
    chance.seed(state, 1)
    assert done.stdout.strip() == f"{state.luck.tolist()} 2 False", done.stderr


def test_what_a_full_disk_cannot_keep_is_used_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_cache, "failure", None)
    monkeypatch.setattr(code_cache, "folder", lambda: tmp_path)
    (tmp_path / "doubling.py").write_text(
        "from branchline.rules import kernel\n\n@kernel.rule\ndef doubled(number):\n    return 2 * number\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    doubling = importlib.import_module("doubling")
    with files_no_larger_than(100):
        assert doubling.doubled(21) == 42
    assert isinstance(code_cache.failure, OSError)
