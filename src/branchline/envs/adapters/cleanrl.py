"""CleanRL's single files: a Gymnasium vector with plain observations, masks in `infos`, episodes recorded."""

from __future__ import annotations

from typing import Unpack

from gymnasium.vector import VectorObservationWrapper
from gymnasium.vector.utils import batch_space
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from branchline.envs.encoding import Observation
from branchline.envs.options import ManyOptions
from branchline.envs.spaces import observations
from branchline.envs.vector import SeatVectorEnv
from branchline.plain_data import JsonObject


class PlainObservations(VectorObservationWrapper):
    """Shows the observation alone; the mask stays in `infos["action_mask"]`."""

    def __init__(self, envs: SeatVectorEnv) -> None:
        super().__init__(envs)
        self.single_observation_space = observations(envs.batch.layout)
        self.observation_space = batch_space(self.single_observation_space, envs.num_envs)

    def observations(self, observations: JsonObject) -> Observation:
        """Leave the mask out."""
        seen: Observation = observations["observation"]
        return seen


def envs(games: int, board: str, seats: int = 2, **how: Unpack[ManyOptions]) -> RecordEpisodeStatistics:
    """Make many games of one seat; `how` is passed on to `SeatVectorEnv`."""
    many = SeatVectorEnv(games, board, seats, **how)
    return RecordEpisodeStatistics(PlainObservations(many))
