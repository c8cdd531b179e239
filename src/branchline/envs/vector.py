"""Gymnasium's `VectorEnv` made of compiled code: one seat of many games learns, compiled bots have the others.

    from branchline.envs import vector

    envs = vector.SeatVectorEnv(1024, "europe", seats=3, opponents=["planner", "greedy"], threads=2)

or by its id, `gymnasium.make_vec("branchline/europe-v1", 1024)`, see `envs.registry`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from branchline.boards import Board
from branchline.boards.faults import shown
from branchline.copying import Copied
from branchline.envs.opponents import Opponent
from branchline.envs.position import RENDER_MODES, checked_mode, rendered
from branchline.envs.rewards import EnvError, seed_for
from branchline.envs.seat_batch import SeatBatch
from branchline.envs.spaces import seen_by_agents
from branchline.game.game import SEEDS
from branchline.plain_data import JsonObject
from branchline.rules.state import ACTIONS

MODES = (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP)


class SeatVectorEnv(Copied, VectorEnv[dict[str, Any], Any, Any]):
    """The games of `envs.single.SeatEnv`, many at once.

    With `copy=False` observations (`observation`, `action_mask`) are the arrays into which every step writes, which is
    quicker: take a copy of what you keep. The mask also stands in `info["action_mask"]`, the learning seats in
    `info["seat"]`; `info["illegal"]` marks games that an illegal action has ended, at a reward of -1. `info["points"]`
    and `info["places"]`, `(num_envs, seats)`, are the final points and ranks of the last game that ended there.

    `autoreset_mode`: NEXT_STEP shows the end of a game, and the step after it begins the next one, whatever the action.
    SAME_STEP begins the next one at once; the end is in `info["final_obs"]` (one dictionary for each game that ended,
    None elsewhere) and `info["final_info"]`.

    `opponents`, `seat`, `threads`, `reward`: see `envs.seat_batch.SeatBatch`. Raise `EnvError`, `BotError`,
    and whatever `load_board` does.
    """

    metadata: dict[str, object] = {"render_modes": list(RENDER_MODES[1:]), "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int,
        board: Board | str,
        seats: int = 2,
        *,
        opponents: Opponent | Sequence[Opponent] = "planner",
        seat: int | None = 0,
        threads: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        reward: str = "win",
        copy: bool = True,
        render_mode: str | None = None,
    ) -> None:
        self._mode = _mode(autoreset_mode)
        self.metadata = {**type(self).metadata, "autoreset_mode": self._mode}
        self.batch = SeatBatch(
            board, num_envs, seats, opponents=opponents, seat=seat, threads=threads, reward=reward, copy=copy
        )
        self.num_envs = self.batch.games
        self.render_mode = checked_mode(render_mode, RENDER_MODES[1:])
        self.single_observation_space = seen_by_agents(self.batch.layout)
        self.single_action_space = spaces.Discrete(ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[dict[str, object], dict[str, object]]:
        """Begin all games anew. The same seed gives the same games, and the same games at the resets after it."""
        super().reset(seed=seed_for(seed))
        self.batch.reset(int(self.np_random.integers(SEEDS)))
        return self._seen(), self._told()

    def step(self, actions: npt.ArrayLike) -> tuple[JsonObject, Any, Any, Any, JsonObject]:
        """Do this in each game, and let the others play until the seat is asked again or the game is over."""
        self.batch.step(actions)
        infos: dict[str, object] = {}
        if self._mode is AutoresetMode.SAME_STEP and self.batch.done.any():
            infos = self._finals()
            self.batch.renew()
        return (
            self._seen(),
            self.batch.reward.copy(),
            self.batch.done.copy(),
            np.zeros(self.num_envs, dtype=np.bool_),
            self._told() | infos,
        )

    @property
    def autoreset_mode(self) -> AutoresetMode:
        """How games begin again, where TorchRL looks for it."""
        return self._mode

    def render(self) -> tuple[str | npt.NDArray[np.uint8], ...] | None:
        """Return what lies open in each game, see `envs.position`."""
        if self.render_mode is None:
            return None
        shown = (rendered(self.batch.game(place), self.render_mode) for place in range(self.num_envs))
        return tuple(picture for picture in shown if picture is not None)

    def _seen(self) -> JsonObject:
        return {"observation": self.batch.observation, "action_mask": self.batch.mask}

    def _told(self) -> dict[str, object]:
        batch = self.batch
        return {
            "action_mask": batch.mask,
            "seat": batch.seat,
            "illegal": batch.illegal.copy(),
            "points": batch.points.copy(),
            "places": batch.places.copy(),
        }

    def _finals(self) -> dict[str, object]:
        """Return the ends of games after which the next ones have begun already."""
        done, ends = self.batch.done.copy(), np.full(self.num_envs, None, dtype=object)
        for place in np.flatnonzero(done):
            ends[place] = {
                "observation": self.batch.observation[place].copy(),
                "action_mask": self.batch.mask[place].copy(),
            }
        facts = {"seat": self.batch.seat.copy(), "illegal": self.batch.illegal.copy()}
        masks = {f"_{name}": done for name in facts}
        return {"final_obs": ends, "_final_obs": done, "final_info": facts | masks, "_final_info": done}


def _mode(wanted: object) -> AutoresetMode:
    for mode in MODES:
        if isinstance(wanted, (AutoresetMode, str)) and wanted in (mode, mode.value):
            return mode
    expected = " or ".join(f"{mode.value}" for mode in MODES)
    raise EnvError(f"autoreset_mode: expected {expected}, not {shown(wanted)}")
