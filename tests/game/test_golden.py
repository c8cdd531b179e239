"""Golden games: readable files that must replay to exactly what they say."""

import re
import sys
from functools import cache
from itertools import product
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parent.parent / "golden"
sys.path.insert(0, str(GOLDEN))

import regenerate  # noqa: E402  it lies beside the files

from branchline.game.question import KINDS  # noqa: E402


def lines_of(name):
    return (GOLDEN / f"{name}.txt").read_text(encoding="utf-8").splitlines()


@cache
def replay(name):
    """The lines that a golden game replays to, the questions it asks, and how it ends."""
    kinds, ends = set(), []

    def watch(game):
        kinds.add(game.question.kind)
        if game.over:
            ends.append("trigger" if game.view(None).turns_to_go == 0 else "all passed")

    return list(regenerate.replayed(name, lines_of(name), watch)), kinds, ends


@pytest.mark.parametrize("name", regenerate.GAMES)
def test_a_golden_game_replays_line_by_line(name):
    for n, (now, then) in enumerate(zip(replay(name)[0], lines_of(name), strict=True), 1):
        assert now == then, f"{name}.txt:{n}"


def test_every_file_is_a_golden_game_and_every_game_a_file():
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(regenerate.GAMES)


def test_the_golden_games_have_every_question_and_every_ending_of_every_edition():
    assert set().union(*(replay(name)[1] for name in regenerate.GAMES)) == set(KINDS)
    endings = {(game[0], *replay(name)[2]) for name, game in regenerate.GAMES.items()}
    assert endings == set(product(("germany", "europe", "berlin", "world", "great_lakes"), ("trigger", "all passed")))


def test_the_golden_games_show_what_games_are_made_of():
    text = "\n".join(line for name in regenerate.GAMES for line in lines_of(name))
    for shown in (
        "market swept",
        "discards shuffled",
        "takes back",
        "pay extra",
        "passes",
        "the last turns begin",
        "station in",
        "port in",
        "double ship",
        "passenger from",
        "for ships",
        "for trains",
        "pair ",
        "marked ",
        "refill ship",
    ):
        assert shown in text, shown


def test_the_left_side_alone_gives_the_right_side_back():
    name = "europe_tunnels_and_stations"
    lines = lines_of(name)
    left = [lines[0], *(re.sub(r"\s*\|.*", "", line) for line in lines[1:])]
    assert left != lines
    assert list(regenerate.replayed(name, left)) == lines
