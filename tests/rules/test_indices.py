"""No rule, and no bot of ours, counts from the end of an array: compiled code would read or write elsewhere."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

# Plays games, interpreted, in which a negative index of a record's field is an error.
PLAYS = """
import random, sys
import branchline as bl
from branchline.bots import Position, bot_maker
from branchline.rules import kernel
from table import with_few_pieces

class Field:
    def __init__(self, numbers):
        self.numbers = numbers

    def __getitem__(self, index):
        return self.numbers[checked(index)]

    def __setitem__(self, index, number):
        self.numbers[checked(index)] = number

    def __getattr__(self, name):
        return getattr(self.numbers, name)

    def __len__(self):
        return len(self.numbers)

    def __iter__(self):
        return iter(self.numbers)

def checked(index):
    for one in index if isinstance(index, tuple) else (index,):
        assert isinstance(one, slice) or one >= 0, index
    return index

def opened(view, name):
    found = as_it_is(view, name)
    if name in view._parts:
        found = view._parts[name] = Field(found)
    return found

as_it_is, kernel.RecordView._open = kernel.RecordView._open, opened
assert kernel.INTERPRETED
edition, names, length = sys.argv[1], sys.argv[2].split(","), sys.argv[3]
luck = random.Random(edition)
game = bl.Game(bl.load_board(edition) if length == "whole" else with_few_pieces(edition), len(names), 1)
decisions = 4 if length == "opening" else 10_000
bots = [bot_maker(name)(seat) for seat, name in enumerate(names)]
while not game.over and len(game.actions) < decisions:
    position = Position.of(game)
    game.view(position.seat)
    game.play(luck.choice(game.legal) if luck.random() < 0.1 else bots[position.seat].choose(position))
print(len(game.actions))
"""

AT_TABLES = (  # every bot at two of them, and random ones besides
    ("germany", "greedy,fast,hungry,long-route,planner"),
    ("germany", "sprawler,early-blocker,ticket-lover,hoarder,random"),
    ("europe", "one-step,racer,route-focused,learned,random"),
    ("berlin", "planner,greedy,racer,hungry"),
    ("world", "fast,long-route,learned,planner,random"),
    ("great_lakes", "one-step,route-focused,planner,racer,greedy"),
    ("great_lakes", "sprawler,early-blocker,ticket-lover,hoarder,random"),
)


def play(edition: str, bots: str, length: str) -> None:
    """Play a game: the whole of it, one with few pieces, or an opening of that."""
    path = os.pathsep.join(filter(None, (str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH"))))
    done = subprocess.run(
        [sys.executable, "-c", PLAYS, edition, bots, length],
        env=os.environ | {"BRANCHLINE_INTERPRET": "1", "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout) > 3


@pytest.mark.parametrize("edition", ["berlin", pytest.param("world", marks=pytest.mark.long)])
def test_none_is_negative_in_a_game(edition: str) -> None:
    play(edition, "planner,random", "whole")


@pytest.mark.long
@pytest.mark.parametrize(("edition", "bots"), AT_TABLES)
def test_none_is_negative_with_any_bot(edition: str, bots: str) -> None:
    play(edition, bots, "short")


@pytest.mark.long
def test_none_is_negative_while_a_search_tries_things_out() -> None:
    play("berlin", "search@2,search@2", "opening")
