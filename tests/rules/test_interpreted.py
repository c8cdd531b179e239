"""The same games, byte for byte, in processes that run the rules on the engine, interpreted and natively."""

import hashlib
import os
import subprocess
import sys

import pytest

import table

# Plays whole games through the public API and prints a hash of the state's bytes after every action.
PLAYS = """
import hashlib, random
import branchline as bl
from branchline.rules import kernel, knowledge
from branchline.runtime import mode

print(mode.WAY)
for edition, seats, seed in (("germany", 2, 1), ("europe", 3, 2), ("berlin", 4, 3), ("world", 2, 4)):
    luck = random.Random(seed)
    game = bl.Game(bl.load_board(edition), seats, seed)
    print(game.fingerprint)
    while not game.over:
        game.play(luck.choice(game.legal))
        print(game.fingerprint)
    print(game.scores.totals, game.scores.winners, len(game.actions))
    buffer = game.redacted(0)
    knowledge.imagine(kernel.record_in(game.board.tables), kernel.record_in(buffer), 0, seed)
    print(hashlib.sha256(game.redacted(0).tobytes() + game.redacted(None).tobytes() + buffer.tobytes()).hexdigest())
"""


def played(**settings: str) -> list[str]:
    """What the games print in a new process."""
    environment = {
        key: value
        for key, value in os.environ.items()
        if key not in ("BRANCHLINE_INTERPRET", "BRANCHLINE_RULES", "NUMBA_DISABLE_JIT")
    }
    answer = subprocess.run(
        [sys.executable, "-c", PLAYS],
        env=environment | settings,
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    return answer.stdout.splitlines()


@pytest.fixture(scope="module")
def on_the_engine() -> list[str]:
    return played(BRANCHLINE_RULES="engine")


@pytest.mark.parametrize(
    ("settings", "way"),
    [
        ({"BRANCHLINE_RULES": "interpreted"}, "interpreted"),
        pytest.param({"BRANCHLINE_INTERPRET": "1"}, "interpreted", marks=pytest.mark.long),
        pytest.param({"NUMBA_DISABLE_JIT": "1"}, "interpreted", marks=pytest.mark.long),
        pytest.param({"BRANCHLINE_RULES": "native"}, "native", marks=pytest.mark.long),
    ],
)
def test_games_have_the_same_bytes_after_every_action(on_the_engine, settings, way):
    others = played(**settings)
    assert on_the_engine[0] == "engine" and others[0] == way
    for n, (one, other) in enumerate(zip(on_the_engine[1:], others[1:], strict=True)):
        assert one == other, f"line {n}"
    assert len(others) > 600


def test_a_new_process_gives_the_same_bytes(on_the_engine):
    """As this process does, whatever was played in it before."""
    import random

    import branchline as bl

    lines = iter(on_the_engine[1:])
    for edition, seats, seed in (("germany", 2, 1), ("europe", 3, 2), ("berlin", 4, 3), ("world", 2, 4)):
        luck = random.Random(seed)
        game = bl.Game(table.board(edition), seats, seed)
        assert game.fingerprint == next(lines)
        while not game.over:
            game.play(luck.choice(game.legal))
            assert game.fingerprint == next(lines)
        assert next(lines).startswith(str(game.scores.totals)) and next(lines)


def test_the_fingerprints_of_a_game_of_each_edition_have_not_changed():
    """A change here is a change of the rules: raise `rules_version` of the boards, and regenerate the golden games."""
    known = {}
    for edition in table.EDITIONS:
        game = table.start(edition, 3, seed=1)
        for _ in range(6):
            table.rest(game)
        known[edition] = hashlib.sha256("|".join(_seen(game)).encode()).hexdigest()[:16]
    assert known == KNOWN


def _seen(game):
    """What lies on the table and in the hands, as words: it does not depend on how a state is laid out."""
    for seat in range(3):
        yield str(sorted(game.view(seat).hand.items()))
        yield str([ticket.name for ticket in game.view(seat).tickets])
    yield str(game.view(None).market)
    yield str(game.question)


KNOWN = {
    "germany": "29389e251acf48a1",
    "europe": "feb57ecbaee31f08",
    "berlin": "e0b7e14b387a1bc7",
    "world": "8e777a6394fd0ed7",
    "great_lakes": "80b3fe1ee2d447f7",
}
