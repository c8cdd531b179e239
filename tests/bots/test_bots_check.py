"""`check_bot` finds what is wrong with a bot, and nothing where all is well."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from itertools import count

import numpy as np
import pytest

import branchline as bl
from branchline.arena import Checkup
from branchline.bots import BotError, Position
from branchline.rules.state import TURN
from table import SEATINGS


class Honest:
    """Any legal action, by its own luck."""

    name = "honest"

    def __init__(self, seed: int) -> None:
        self.luck = random.Random(seed)

    def choose(self, position: Position) -> int:
        return self.luck.choice(position.legal)


class Illegal(Honest):
    def choose(self, position: Position) -> int:
        return super().choose(position) if position.question != TURN else 9999


class Wordy(Honest):
    def choose(self, position: Position) -> int:
        return "claim"  # type: ignore[return-value]


class Failing(Honest):
    def choose(self, position: Position) -> int:
        raise KeyError("Wien")


class Unmade(Honest):
    def __init__(self, seed: int) -> None:
        raise OSError("no model")


class GlobalLuck(Honest):
    """Shares its luck with everybody."""

    shared = random.Random(1)

    def choose(self, position: Position) -> int:
        return self.shared.choice(position.legal)


class Peeking(Honest):
    """Looks at the table from behind: at the cards in all hands."""

    def choose(self, position: Position) -> int:
        table = sys._getframe(1).f_locals["self"]
        hidden = int((np.asarray(table._state.hand) * range(1, 34)).sum())
        return position.legal[hidden % len(position.legal)]


class Scribbling(Honest):
    """Writes on what it was given, as it may."""

    def choose(self, position: Position) -> int:
        position.state.hand[:] = 0
        position.state.seat = 0
        return super().choose(position)


def ticking(slow: float) -> Callable[[], float]:
    """A clock on which every decision takes a tenth of a second, and one in seven longer."""
    times = count()
    now = 0.0

    def clock() -> float:
        nonlocal now
        tick = next(times)
        if tick % 2:
            now += slow if tick // 2 % 7 == 3 else 0.1
        return now

    return clock


def faulty(found: Checkup) -> set[str]:
    assert found.ok == all(one.ok for one in found.findings)
    return {one.what for one in found.findings if not one.ok}


@pytest.mark.long
def test_a_good_bot_passes_on_every_edition_with_every_number_of_seats() -> None:
    found = bl.check_bot(Honest)
    assert found.ok, str(found)
    assert found.games == len(found.tables) == len(SEATINGS)
    assert set(found.tables) >= {"germany 5", "berlin 4", "world 2"}
    assert found.decisions > 500
    assert 0 < found.seconds["median"] <= found.seconds["slow"] <= found.seconds["slowest"]
    assert str(found).startswith("honest: all is well")


def test_a_bot_of_the_house_passes() -> None:
    """The others: `test_bots_players`."""
    found = bl.check_bot("random", boards=["berlin", "world"])
    assert found.ok, str(found)


def test_a_bot_may_scribble_on_what_it_is_given() -> None:
    assert bl.check_bot(Scribbling, boards=["berlin"]).ok


@pytest.mark.parametrize(
    ("bot", "what", "said"),
    [
        (Illegal, "legality", "answered 9999, which is not legal"),
        (Wordy, "legality", "answered 'claim', which is not legal"),
        (Failing, "legality", "failed: KeyError: 'Wien'"),
        (Unmade, "legality", "cannot be made: OSError: no model"),
        (GlobalLuck, "determinism", "a twin with the same seed answered otherwise"),
        (Peeking, "no peeking", "it answered otherwise"),
    ],
)
def test_what_is_wrong_is_found_and_said(bot: type[Honest], what: str, said: str) -> None:
    found = bl.check_bot(bot, boards=["berlin"])
    assert what in faulty(found) and "budget" not in faulty(found)
    assert said in str(found)
    assert "berlin 2 seats, decision " in str(found)
    assert str(found).startswith("honest: not fit to play yet")


def test_peeking_cannot_be_told_of_a_bot_without_a_will() -> None:
    found = bl.check_bot(GlobalLuck, boards=["berlin"])
    assert faulty(found) == {"determinism", "no peeking"}
    assert "cannot be told of a bot that is not deterministic" in str(found)


def test_time_is_measured_and_a_budget_kept() -> None:
    measured = bl.check_bot(Honest, boards=["berlin"], clock=ticking(0.5))
    assert measured.seconds["median"] == pytest.approx(0.1)
    assert measured.seconds["slowest"] == pytest.approx(0.5)
    assert "budget" not in {one.what for one in measured.findings}
    assert bl.check_bot(Honest, boards=["berlin"], clock=ticking(0.5), budget=0.46).ok  # a tenth is forgiven
    late = bl.check_bot(Honest, boards=["berlin"], clock=ticking(0.5), budget=0.4)
    assert faulty(late) == {"budget"}
    assert "took 500.00 ms of 400.00 ms" in str(late)
    assert "… and " in str(late)  # not each of them


class Waiting(Honest):
    """Computes nothing, and takes its time."""

    def choose(self, position: Position) -> int:
        time.sleep(0.002)
        return super().choose(position)


@pytest.mark.long
def test_a_budget_is_of_the_processor_and_a_bot_that_only_waits_may_not_wait_for_ever() -> None:
    patient = bl.check_bot(Waiting, boards=["berlin"], budget=0.1)
    assert patient.ok
    late = bl.check_bot(Waiting, boards=["berlin"], clock=lambda: 0.0, budget=0.0001)
    assert faulty(late) == {"budget"}
    assert "waited for " in str(late)


def test_the_same_seed_gives_the_same_games() -> None:
    one, other, third = (bl.check_bot(Honest, boards=["berlin"], seed=seed).decisions for seed in (1, 1, 2))
    assert one == other != third


def test_the_report_for_machines() -> None:
    answer = bl.check_bot(GlobalLuck, boards=["berlin"]).as_dict()
    assert set(answer) == {"bot", "ok", "findings", "games", "decisions", "tables", "seconds", "budget"}
    assert answer["ok"] is False


def test_a_bot_that_does_not_exist_is_refused() -> None:
    with pytest.raises(BotError, match="unknown bot"):
        bl.check_bot("nobody")
