"""PufferLib: compiled games as a native environment, and a policy that masks illegal actions."""

from __future__ import annotations

from typing import Unpack

import numpy as np
import numpy.typing as npt
import pufferlib
import pufferlib.models
import torch
from gymnasium import spaces

from branchline.envs.encoding import Observation
from branchline.envs.options import ManyOptions
from branchline.envs.seat_batch import SeatBatch
from branchline.plain_data import JsonObject
from branchline.rules.state import ACTIONS

Step = tuple[Observation, Observation, npt.NDArray[np.bool_], npt.NDArray[np.bool_], list[JsonObject]]


class SeatGames(pufferlib.PufferEnv):  # type: ignore[misc]  # where the library is missing
    """Many games of one seat; `how` is passed on to `SeatBatch`. The last `ACTIONS` numbers seen are the mask."""

    def __init__(
        self, games: int, board: str, seats: int = 2, buf: JsonObject | None = None, **how: Unpack[ManyOptions]
    ) -> None:
        self.batch, self.num_agents = SeatBatch(board, games, seats, **how), games
        self.single_observation_space = spaces.Box(-np.inf, np.inf, (self.batch.layout.size + ACTIONS,), np.float32)
        self.single_action_space = spaces.Discrete(ACTIONS)
        super().__init__(buf)

    def reset(self, seed: int | None = None) -> tuple[Observation, list[JsonObject]]:
        """Begin all games anew."""
        self.batch.reset(seed or 0)
        return self._seen(), []

    def step(self, actions: npt.NDArray[np.int64]) -> Step:
        """Do an action in each game; where a game ends, the next one begins at once."""
        self.batch.step(actions)
        self.rewards[:], self.terminals[:] = self.batch.reward, self.batch.done
        infos: list[JsonObject] = []
        if self.terminals.any():
            infos.append({"reward": float(self.rewards[self.terminals].mean())})
            self.batch.renew()
        return self._seen(), self.rewards, self.terminals, self.truncations, infos

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _seen(self) -> Observation:
        np.concatenate((self.batch.observation, self.batch.mask), axis=1, out=self.observations)
        seen: Observation = self.observations
        return seen


class MaskedPolicy(pufferlib.models.Default):  # type: ignore[misc]
    """PufferLib's default policy, which never draws an illegal action."""

    def forward_eval(self, observations: torch.Tensor, state: object = None) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the logits of the actions, and the value."""
        logits, value = super().forward_eval(observations, state)
        return logits.masked_fill(observations[:, -ACTIONS:] == 0, -1e9), value
