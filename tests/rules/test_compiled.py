"""Compiled rules, and compiled code of others that calls them or is called."""

from __future__ import annotations

from typing import Any

import numba
import pytest

from branchline.arena.function_pointers import function_pointer
from branchline.arena.table import Table
from branchline.atlas import load_board
from branchline.bots import CompiledBot
from branchline.rules import chance, kernel, playout
from branchline.rules.sets import lowest
from branchline.rules.state import ACTION_WORDS, SCRATCH, STATE, WORD

pytestmark = pytest.mark.skipif(kernel.INTERPRETED, reason="nothing is compiled")


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


@pytest.mark.parametrize("mark", [kernel.rule, numba.njit])
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
