"""Teams of threads: every game is done once by one of them, and no order is lost, whoever sleeps, fails or forks."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import threading
import time
from typing import Any, NamedTuple

import numpy as np
import pytest

from branchline.envs.team import THREAD, Team, carried_out, next_games, next_order
from branchline.rules.kernel import rule

pytestmark = pytest.mark.native  # on the engine a team is one thread

GAMES = 100


class Workplace(NamedTuple):
    """What is noted of each game: the sum of the orders carried out for it, and by whom it was done last."""

    done: Any
    by: Any


@rule
def work(signals: Any, member: int, order: Any, workplace: Workplace) -> None:
    """Add the order's first number to each game's; fail at the game of its second one."""
    while next_order(signals, member):
        first, end = next_games(signals, member)
        while first < end:
            for n in range(first, end):
                if n == order[1]:
                    raise ValueError("this game fails")
                workplace.done[n] += order[0]
                workplace.by[n] = member
            first, end = next_games(signals, member)
        if carried_out(signals, member):
            return


def a_team(threads: int, games: int = GAMES) -> tuple[Team, Any, Any]:
    """One that counts what is done with each game, and notes by whom."""
    done, by = np.zeros(games, dtype=np.int64), np.zeros(games, dtype=np.int64)
    return Team(games, threads, work, lambda: Workplace(done, by)), done, by


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
@pytest.mark.parametrize("games", [1, 7, GAMES, 1000])
def test_every_order_is_carried_out_once_for_each_game(threads: int, games: int) -> None:
    team, done, _by = a_team(threads, games)
    for order in range(1, 201):
        team.run(order, -1)
        assert (done == order * (order + 1) // 2).all()


def test_those_who_fell_asleep_take_part_again_and_nobody_waits_for_them() -> None:
    team, done, by = a_team(2, 20_000)
    orders = 0
    for _ in range(3):
        time.sleep(0.01)  # long enough to fall asleep
        by[:] = 0
        while not by.any():
            team.run(1, -1)
            orders += 1
    assert (done == orders).all()


def test_what_fails_in_any_thread_is_raised_and_the_next_order_is_carried_out() -> None:
    team, done, _by = a_team(2)
    for game in (0, 50, 99):
        with pytest.raises(ValueError, match="this game fails"):
            team.run(0, game)
        done[:] = 0
        team.run(1, -1)
        assert (done == 1).all()


def threads_of_teams() -> list[threading.Thread]:
    return [one for one in threading.enumerate() if one.name == THREAD]


def test_threads_end_with_their_team_also_after_a_failure() -> None:
    for fails in (-1, 99):
        before = set(threads_of_teams())
        team, _done, _by = a_team(3)
        with contextlib.suppress(ValueError):
            team.run(1, fails)
        mine = set(threads_of_teams()) - before
        assert len(mine) == 2
        del team
        gc.collect()
        for thread in mine:
            thread.join(timeout=20)
            assert not thread.is_alive()


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no such timer")
def test_an_interrupted_order_is_carried_out_for_all_games_or_for_none() -> None:
    team, done, _by = a_team(2)
    team.run(0, -1)
    threads, luck, armed, interrupted = len(threads_of_teams()), np.random.default_rng(1), [], 0

    def interrupt(*_: Any) -> None:
        if armed:
            armed.clear()
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        for n in range(3000):
            try:
                armed.append(n)
                signal.setitimer(signal.ITIMER_REAL, float(luck.uniform(1e-6, 5e-5)))
                team.run(1, -1)
                armed.clear()
            except KeyboardInterrupt:
                interrupted += 1
            if n % 500 == 0:
                time.sleep(0.001)  # now and then they are asleep
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    team.run(1, -1)
    assert interrupted > 0
    assert (done == done[0]).all()
    assert len(threads_of_teams()) == threads


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system cannot fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_fork_of_the_process_has_threads_of_its_own() -> None:
    team, done, _by = a_team(2)
    team.run(1, -1)
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        right = False
        try:
            for _ in range(50):
                team.run(1, -1)
            right = bool((done == 51).all())
        finally:
            os._exit(0 if right else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert (done == 1).all()
