"""Minari: games of a bot as an offline data set of the Farama Foundation."""

from __future__ import annotations

from typing import Unpack

import minari
import numpy as np
from minari.data_collector import EpisodeBuffer

from branchline.bots import Position, make_bot
from branchline.envs.options import SeatOptions
from branchline.envs.single import SeatEnv


def export(
    name: str, board: str, bot: str, games: int, seats: int = 2, seed: int = 0, **how: Unpack[SeatOptions]
) -> minari.MinariDataset:
    """Let a bot play one seat of so many games, and keep them as the data set `name`; `how` goes to `SeatEnv`."""
    env = SeatEnv(board, seats, **how)
    kept = []
    for number in range(games):
        seen, _ = env.reset(seed=seed + number)
        player, over = make_bot(bot, seed + number), False
        observations, actions, rewards = [seen], [], []
        while not over:
            action = player.choose(Position.of(env.game))
            seen, reward, over, _, _ = env.step(action)
            observations.append(seen)
            actions.append(action)
            rewards.append(reward)
        last = len(actions) - 1
        course = {part: np.stack([np.asarray(one[part]) for one in observations]) for part in seen}
        ends = [n == last for n in range(last + 1)]
        none = [False] * len(ends)
        buffer = EpisodeBuffer(number, seed + number, None, course, np.array(actions), rewards, ends, none, None)
        kept.append(buffer)
    return minari.create_dataset_from_buffers(
        name, kept, env=env, algorithm_name=bot, description=f"{bot} on {board}, {seats} seats, seed {seed}"
    )
