"""Types say something: no `Any` for what has a type, and each record is what its class declares."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pytest

from branchline.rules import chance, kernel, turn
from branchline.rules.state import STATE, State
from branchline.runtime.structs import Int8, Int64, Matrix, Struct, Vector, layout
from test_architecture import MODULES, called, tree

MOST = 383
"""Mentions of `Any` in annotations of the package: only ever lowered. The insides of Numba have no other type."""

RECORDS = {
    "board", "boards", "empty", "memories", "memory", "scratch", "seen", "seens", "state", "states", "tables", "tally",
}  # fmt: skip
"""Names of what is never `Any` where rules, bots and games are: a board, a state, a scratch, a memory."""

LAYERS = ("rules", "bots", "arena", "envs", "training", "game", "analysis")


def annotations(module: Path) -> Iterator[tuple[str, ast.expr]]:
    """Yield each annotation of a module with the name of what it stands at."""
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.FunctionDef) and node.name == "__setstate__":
            continue  # what it is given is no state of a game
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            arguments = node.args
            named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
            yield from ((one.arg, one.annotation) for one in named if one is not None and one.annotation is not None)
            if node.returns is not None:
                yield node.name, node.returns
        elif isinstance(node, ast.AnnAssign):
            yield ast.unparse(node.target).removeprefix("self."), node.annotation


def mentions(annotation: ast.expr) -> int:
    """Count how often an annotation says `Any`."""
    return sum(isinstance(node, ast.Name) and node.id == "Any" for node in ast.walk(annotation))


@pytest.mark.long
def test_few_annotations_say_any() -> None:
    count = sum(mentions(found) for module in MODULES for _, found in annotations(module))
    assert count <= MOST, f"{count} mentions of Any in annotations; {MOST} are allowed"


def test_no_record_is_any() -> None:
    spoilt = [
        f"{called(module)}: {name}"
        for module in MODULES
        if called(module).startswith(LAYERS)
        for name, found in annotations(module)
        if name.lstrip("_") in RECORDS and mentions(found)
    ]
    assert spoilt == []


class Small(Struct):
    """A record."""

    seats: Int8
    luck: Int64
    hand: Annotated[Matrix, np.int16, 2, 3]
    slots: Annotated[Vector, np.int8, 5]


def test_a_class_gives_the_layout() -> None:
    written = [("seats", np.int8), ("luck", np.int64), ("hand", np.int16, (2, 3)), ("slots", np.int8, 5)]
    assert layout(Small) == np.dtype(written, align=True)
    assert layout(Small, slots=(7,))["slots"].shape == (7,)


def test_a_class_that_is_no_layout_says_why() -> None:
    class Wrong(Struct):
        seats: int

    with pytest.raises(TypeError, match="seats"):
        layout(Wrong)


def test_every_field_of_the_state_is_declared() -> None:
    names = [name for name in STATE.names or () if not name.startswith("gap_")]
    assert names == list(inspect.get_annotations(State))


def test_a_rule_keeps_its_signature() -> None:
    """Tools see the parameters that are written, however the rules are run."""
    assert list(inspect.signature(turn.apply).parameters) == ["board", "state", "scratch", "action"]
    assert inspect.getdoc(chance.below)
    buffer = kernel.new_buffer(STATE)
    record: Any = kernel.record_in(buffer)
    record.hand[1, 2] = 3
    assert buffer["hand"][0, 1, 2] == 3
