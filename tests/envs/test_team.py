"""Teams of threads: every game is done once by one of them, and no order is lost, whoever sleeps, fails or forks."""

from __future__ import annotations

import os
import time
from typing import Any

import numpy as np
import pytest

from branchline.envs.team import Team, carried_out, next_games, next_order
from branchline.rules import kernel
from branchline.rules.kernel import rule

pytestmark = pytest.mark.skipif(kernel.INTERPRETED, reason="teams run compiled code")

GAMES = 100


@rule
def work(signals: Any, member: int, order: Any, done: Any, by: Any) -> None:
    """Add the order's first number to each game's; fail at the game of its second one."""
    while next_order(signals, member):
        first, end = next_games(signals, member)
        while first < end:
            for n in range(first, end):
                if n == order[1]:
                    raise ValueError("this game fails")
                done[n] += order[0]
                by[n] = member
            first, end = next_games(signals, member)
        if carried_out(signals, member):
            return


def a_team(threads: int, games: int = GAMES) -> tuple[Team, Any, Any]:
    """One that counts what is done with each game, and notes by whom."""
    done, by = np.zeros(games, dtype=np.int64), np.zeros(games, dtype=np.int64)
    return Team(games, threads, work, lambda: (done, by)), done, by


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


def test_threads_end_with_their_team() -> None:
    team, _done, _by = a_team(3)
    team.run(1, -1)
    threads = [worker._thread for worker in team._workers]
    del team
    for thread in threads:
        assert thread is not None
        thread.join(timeout=20)
        assert not thread.is_alive()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system cannot fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_fork_of_the_process_has_threads_of_its_own() -> None:
    team, done, _by = a_team(2)
    team.run(1, -1)
    child = os.fork()
    if child == 0:
        for _ in range(50):
            team.run(1, -1)
        os._exit(0 if (done == 51).all() else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert (done == 1).all()
