"""No rule, and no bot of ours, counts from the end of an array: compiled code would read or write elsewhere."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from table import EDITIONS

# Plays games, interpreted, in which a negative index of a record's field is an error.
PLAYS = """
import random, sys
import branchline as bl
from branchline.bots import Position, bot_maker
from branchline.rules import kernel

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
edition, names, games, decisions = sys.argv[1], sys.argv[2].split(","), int(sys.argv[3]), int(sys.argv[4])
for number in range(games):
    luck = random.Random(number)
    board = bl.load_board(edition)
    seats = luck.randint(*board.seats)
    game = bl.Game(board, seats, number)
    bots = [bot_maker(luck.choice(names))(number + seat) for seat in range(seats)]
    while not game.over and len(game.actions) < decisions:
        position = Position.of(game)
        game.view(position.seat)
        game.play(luck.choice(game.legal) if luck.random() < 0.1 else bots[position.seat].choose(position))
    print(len(game.actions))
"""

PLAIN = "random,greedy,fast,hungry,long-route,one-step,racer,route-focused,planner,learned"


def play(edition: str, bots: str, games: int, decisions: int = 10_000) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PLAYS, edition, bots, str(games), str(decisions)],
        env=os.environ | {"BRANCHLINE_INTERPRET": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert len(done.stdout.splitlines()) == games


@pytest.mark.parametrize("edition", ["berlin", pytest.param("world", marks=pytest.mark.long)])
def test_none_is_negative_in_a_game(edition: str) -> None:
    play(edition, "planner,random", 1)


@pytest.mark.long
@pytest.mark.parametrize("edition", EDITIONS)
def test_none_is_negative_with_any_bot(edition: str) -> None:
    play(edition, PLAIN, 3)


@pytest.mark.long
def test_none_is_negative_while_a_search_tries_things_out() -> None:
    play("berlin", "search@2", 1, 5)
