"""Stable-Baselines3: compiled games as a `VecEnv`, for sb3-contrib's `MaskablePPO`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Unpack

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv

from branchline.envs.encoding import Observation
from branchline.envs.options import ManyOptions
from branchline.envs.seat_batch import SeatBatch
from branchline.envs.spaces import observations
from branchline.plain_data import JsonObject
from branchline.rules.state import ACTIONS

Indices = None | int | Iterable[int]
Mask = npt.NDArray[np.bool_]


class SeatVecEnv(VecEnv):  # type: ignore[misc]  # where the library is missing
    """Many games of one seat; `how` is passed on to `SeatBatch`. Observations are plain vectors."""

    def __init__(self, games: int, board: str, seats: int = 2, **how: Unpack[ManyOptions]) -> None:
        self.batch, self.render_mode = SeatBatch(board, games, seats, **how), None
        super().__init__(games, observations(self.batch.layout), spaces.Discrete(ACTIONS))

    def reset(self) -> Observation:
        """Begin all games anew, with the seed that `seed` was told."""
        self.batch.reset(int(self._seeds[0] or 0))
        self._reset_seeds()
        return self.batch.observation

    def step_async(self, actions: npt.NDArray[np.int64]) -> None:
        """Note what is to be done."""
        self._actions = actions

    def step_wait(self) -> tuple[Observation, Observation, Mask, list[JsonObject]]:
        """Do it; where a game ends, the next one begins at once."""
        batch, infos = self.batch, [JsonObject() for _ in range(self.num_envs)]
        batch.step(self._actions)
        reward, done = batch.reward.astype(np.float32), batch.done
        for place in np.flatnonzero(done).tolist():
            infos[place] = {"terminal_observation": batch.observation[place], "places": batch.places[place].tolist()}
        if done.any():
            batch.renew()
        return batch.observation, reward, done, infos

    def env_method(self, method_name: str, *given: object, indices: Indices = None, **named: object) -> list[Mask]:
        """Return the result of `action_masks`, the only method there is."""
        return [self.batch.mask[place].astype(bool) for place in self._get_indices(indices)]

    def has_attr(self, attr_name: str) -> bool:
        """Tell whether there is something of this name."""
        return attr_name in ("action_masks", "render_mode")

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[object]:
        """Return the same value for each game."""
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: object, indices: Indices = None) -> None:
        """Refuse: nothing can be set in single games."""

    def env_is_wrapped(self, wrapper_class: type, indices: Indices = None) -> list[bool]:
        """Return that no game is wrapped."""
        return [False for _ in self._get_indices(indices)]

    def close(self) -> None:
        """Do nothing: there is nothing to close."""
