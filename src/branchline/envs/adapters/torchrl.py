"""TorchRL: compiled games as an environment of TensorDicts, illegal actions masked."""

from __future__ import annotations

from typing import Unpack

import torch
from tensordict import TensorDict, TensorDictBase
from torchrl.data import Binary, Categorical, Composite, Unbounded
from torchrl.envs import ActionMask, EnvBase, TransformedEnv

from branchline.envs.options import ManyOptions
from branchline.envs.seat_batch import SeatBatch
from branchline.rules.state import ACTIONS


class SeatGames(EnvBase):  # type: ignore[misc]  # where the library is missing
    """Many games of one seat; `how` is passed on to `SeatBatch`."""

    def __init__(self, games: int, board: str, seats: int = 2, **how: Unpack[ManyOptions]) -> None:
        super().__init__(batch_size=[games])
        self._own_seed = 0
        self.batch = SeatBatch(board, games, seats, **how)
        seen = Unbounded((games, self.batch.layout.size))
        mask = Binary(shape=(games, ACTIONS), dtype=torch.bool)
        self.observation_spec = Composite(observation=seen, action_mask=mask, shape=[games])
        self.action_spec = Categorical(ACTIONS, shape=(games,))
        self.reward_spec = Unbounded((games, 1))

    def _reset(self, tensordict: TensorDictBase | None = None, **_: object) -> TensorDict:
        if tensordict is not None and "_reset" in tensordict.keys():  # noqa: SIM118  it is no dictionary
            self.batch.renew()
        else:
            self.batch.reset(self._own_seed)
        return TensorDict(self._seen(), self.batch_size)

    def _step(self, tensordict: TensorDictBase) -> TensorDict:
        self.batch.step(tensordict["action"].numpy())
        reward, done = torch.from_numpy(self.batch.reward).float(), torch.from_numpy(self.batch.done)
        return TensorDict({**self._seen(), "reward": reward[:, None], "done": done[:, None]}, self.batch_size)

    def _seen(self) -> dict[str, torch.Tensor]:
        mask = torch.from_numpy(self.batch.mask).bool()
        return {"observation": torch.from_numpy(self.batch.observation), "action_mask": mask}

    def _set_seed(self, seed: int | None) -> None:
        self._own_seed = seed or 0


def env(games: int, board: str, seats: int = 2, **how: Unpack[ManyOptions]) -> TransformedEnv:
    """Make many games of one seat, of whose actions only legal ones are drawn; `how` is passed on to `SeatBatch`."""
    return TransformedEnv(SeatGames(games, board, seats, **how), ActionMask(mask_key="action_mask"))
