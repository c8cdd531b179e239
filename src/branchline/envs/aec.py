"""PettingZoo: each seat is an agent, and they act one after the other (Terry et al. 2021, "PettingZoo").

from branchline.envs import aec

env = aec.env("europe", seats=3)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from branchline.boards import Board
from branchline.boards.faults import shown
from branchline.copying import Copied
from branchline.envs.encoding import Observation, observe
from branchline.envs.layout import ID_VERSION, layout_of
from branchline.envs.position import RENDER_MODES, checked_mode, rendered
from branchline.envs.rewards import EnvError, Payments, action_number, board_for, seed_for
from branchline.envs.spaces import observations, seen, seen_by_agents
from branchline.game import Game, IllegalAction
from branchline.game.game import SEEDS
from branchline.plain_data import JsonObject
from branchline.rules.state import ACTIONS


def env(board: Board | str, seats: int = 2, *, reward: str = "win", render_mode: str | None = None) -> Any:
    """Return the environment with PettingZoo's usual wrappers: an illegal action ends the game and costs 1.

    Raise `EnvError`, and whatever `load_board` does.
    """
    wrapped: Any = raw_env(board, seats, reward=reward, render_mode=render_mode)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return _InOrder(wrapped)


class _InOrder(Copied, wrappers.OrderEnforcingWrapper):  # type: ignore[misc]  # it has no types
    """The outermost wrapper; it is copied with all that it wraps."""

    def __getattr__(self, name: str) -> Any:
        """Fail for a copy that is being made, which has nothing yet to ask."""
        if "env" not in vars(self):
            raise AttributeError(name)
        return super().__getattr__(name)

    def step(self, action: Any) -> None:
        """Do what the asked agent chose. Raise `IllegalAction` for what is no action at all."""
        if self._has_reset and self.agents and not (action is None and self.terminations[self.agent_selection]):
            number = action_number(action)
            if not 0 <= number < ACTIONS:
                raise IllegalAction(f"action: expected a number from 0 to {ACTIONS - 1}, not {shown(number)}")
        super().step(action)


class raw_env(Copied, AECEnv):  # type: ignore[misc]  # the name is PettingZoo's
    """The environment itself; `step` raises `IllegalAction` for what may not be done.

    Agents are `seat_0` …. An observation is a dictionary: `observation`, float32 `(layout.size,)`, see
    `envs.layout`; `action_mask`, int8 `(ACTIONS,)`, never empty. `reward`: see `envs.rewards`. `state()` is what all
    seats observe, one behind the other.
    """

    metadata: JsonObject = {"render_modes": list(RENDER_MODES), "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self, board: Board | str, seats: int = 2, *, reward: str = "win", render_mode: str | None = None
    ) -> None:
        super().__init__()
        self.board, self.seats = board_for(board, seats)
        self.metadata = {**type(self).metadata, "name": f"{self.board.id}_v{ID_VERSION}"}
        self.render_mode = checked_mode(render_mode)
        self.layout = layout_of(self.board, self.seats)
        self.game = Game(self.board, self.seats, 0)
        self.possible_agents = [f"seat_{seat}" for seat in range(self.seats)]
        self._number = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []  # until `reset`
        self._payments = Payments(reward)
        self._luck = np.random.default_rng()
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen_by_agents(self.layout))
        self.action_spaces = dict.fromkeys(self.possible_agents, spaces.Discrete(ACTIONS))
        self.state_space = observations(self.layout, self.seats)

    def observation_space(self, agent: str) -> Any:
        """Return the space, the same for all agents. Raise `EnvError` for any other name."""
        self._seat_of(agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the action numbers of `rules.state`, the same on every board. Raise `EnvError`."""
        self._seat_of(agent)
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: JsonObject | None = None) -> None:
        """Begin a new game. The same seed gives the same game, and the same games at the resets after it."""
        seed = seed_for(seed)
        if seed is not None:
            self._luck = np.random.default_rng(seed)
        self.game = Game(self.board, self.seats, int(self._luck.integers(SEEDS)))
        self._payments.begin(self.seats)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, JsonObject] = {agent: {} for agent in self.agents}
        self.agent_selection = self._asked()

    def step(self, action: Any) -> None:
        """Do what the asked agent chose; None for one that is done. Raise `IllegalAction` or `EnvError`."""
        if not self.agents:
            raise EnvError("nobody is asked anything: reset() begins a game")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise IllegalAction(f"action: {agent} is done, so that None is expected, not {shown(action)}")
            self._was_dead_step(action)
            return
        self.game.play(action_number(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        for seat, paid in enumerate(self._payments.due(self.game)):
            self.rewards[self.possible_agents[seat]] = paid
        if self.game.over:
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
            self._deads_step_first()
        else:
            self.agent_selection = self._asked()
            self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> JsonObject:
        """Return what this seat may know, and what it may do. Raise `EnvError`."""
        return seen(self.layout, self.game, self._seat_of(agent))

    def state(self) -> Observation:
        """Return what all seats observe, float32 `(seats * layout.size,)`: for a critic that sees everything."""
        return np.concatenate([observe(self.layout, self.game, seat) for seat in range(self.seats)])

    def render(self) -> object:
        """Return what lies open, see `envs.position`."""
        return rendered(self.game, self.render_mode)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _seat_of(self, agent: Any) -> int:
        if not isinstance(agent, str) or agent not in self._number:
            raise EnvError(f"agent: expected one of {', '.join(self._number)}, not {shown(agent)}")
        return self._number[agent]

    def _asked(self) -> str:
        seat = self.game.question.seat
        assert seat is not None
        return self.possible_agents[seat]
