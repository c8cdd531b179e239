"""RLlib: one seat of a game as an environment whose observations `ActionMaskingTorchRLModule` understands."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

from branchline.envs.single import SeatEnv
from branchline.envs.spaces import observations
from branchline.plain_data import JsonObject
from branchline.rules.state import ACTIONS

NAME = "branchline"


class FloatMasks(SeatEnv):
    """Observations by the names that RLlib's module wants, and masks as float32, of which it takes the logarithm."""

    def __init__(self, config: JsonObject) -> None:
        """Make the environment; `config` holds the arguments of `SeatEnv`."""
        super().__init__(**config)
        mask = spaces.Box(0.0, 1.0, (ACTIONS,), np.float32)
        self.observation_space = spaces.Dict({"action_mask": mask, "observations": observations(self.layout)})

    def _found(self) -> tuple[JsonObject, JsonObject]:
        seen, info = super()._found()
        return {"action_mask": np.asarray(seen["action_mask"], np.float32), "observations": seen["observation"]}, info


def register() -> RLModuleSpec:
    """Register the environment as `branchline`, and return the module that masks illegal actions."""
    register_env(NAME, FloatMasks)
    return RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config={"head_fcnet_hiddens": [64, 64]})
