"""Tianshou: environments whose observations hold `obs` and `mask`, which its policies look for."""

from __future__ import annotations

from typing import Any, Unpack

import gymnasium
from gymnasium import spaces
from tianshou.env import DummyVectorEnv

from branchline.envs.options import SeatOptions
from branchline.envs.single import SeatEnv
from branchline.plain_data import JsonObject


class MaskedSeat(gymnasium.ObservationWrapper[JsonObject, Any, JsonObject]):
    """One seat of a game, named as Tianshou wants it."""

    def __init__(self, board: str, seats: int = 2, **how: Unpack[SeatOptions]) -> None:
        super().__init__(SeatEnv(board, seats, **how))
        inner = self.env.observation_space
        assert isinstance(inner, spaces.Dict)
        self.observation_space = spaces.Dict({"obs": inner["observation"], "mask": inner["action_mask"]})

    def observation(self, observation: JsonObject) -> JsonObject:
        """Rename what is seen."""
        return {"obs": observation["observation"], "mask": observation["action_mask"].astype(bool)}


def envs(games: int, board: str, seats: int = 2, **how: Unpack[SeatOptions]) -> DummyVectorEnv:
    """Make so many games of one seat; `how` is passed on to `SeatEnv`."""
    return DummyVectorEnv([lambda: MaskedSeat(board, seats, **how) for _ in range(games)])
