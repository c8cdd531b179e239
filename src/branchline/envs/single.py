"""Gymnasium: one seat learns, bots have the others.

    from branchline.envs import single

    env = single.SeatEnv("europe", seats=3, opponents=["planner", "greedy"])

or by its id, `branchline/europe-v1`, see `envs.registry`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from branchline.boards import Board
from branchline.boards.arguments import whole_number
from branchline.boards.faults import shown
from branchline.bots import Bot, Position
from branchline.copying import Copied
from branchline.envs.encoding import mask_of
from branchline.envs.layout import layout_of
from branchline.envs.opponents import Opponent, answer, opponents_for, seated
from branchline.envs.position import RENDER_MODES, checked_mode, rendered
from branchline.envs.rewards import EnvError, Payments, action_number, board_for, seed_for
from branchline.envs.seat_batch import LOST
from branchline.envs.spaces import seen, seen_by_agents
from branchline.game import Game
from branchline.game.game import SEEDS
from branchline.plain_data import JsonObject
from branchline.rules.state import ACTIONS


class SeatEnv(Copied, gymnasium.Env[dict[str, Any], Any]):
    """One seat of a game against bots.

    `opponents`: who plays all other seats, or a list of one for each: the name of a bot, a class of bots, a bot, or a
    function `(observation, mask) -> action`, see `envs.opponents`. A bot or a function plays on as it is from game to
    game; a bot that has `begin(seed)` is told of each. `seat`: which one learns; None: drawn by
    lot for each game. Observations and rewards: as in `envs.aec`. The mask also stands in `info["action_mask"]`, and
    `action_masks()` gives it to those who ask in the manner of sb3-contrib. An illegal action is not played: the game
    ends with a reward of -1, and `info["illegal"]` says why.

    Raise `EnvError`, `BotError`, and whatever `load_board` does.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012 (the base class has it so)

    def __init__(
        self,
        board: Board | str,
        seats: int = 2,
        *,
        opponents: Opponent | Sequence[Opponent] = "planner",
        seat: int | None = 0,
        reward: str = "win",
        render_mode: str | None = None,
    ) -> None:
        self.board, self.seats = board_for(board, seats)
        self._opponents = opponents_for(opponents, self.seats)
        if seat is not None:
            seat = whole_number("seat", seat, 0, self.seats - 1, EnvError)
        self.render_mode = checked_mode(render_mode)
        self.layout = layout_of(self.board, self.seats)
        self.game = Game(self.board, self.seats, 0)
        self.seat = seat or 0
        self._wanted = seat
        self._bots: dict[int, Bot] = {}
        self._payments = Payments(reward)
        self.observation_space = seen_by_agents(self.layout)
        self.action_space = spaces.Discrete(ACTIONS)

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[dict[str, object], dict[str, object]]:
        """Begin a new game, up to the first question to the learning seat, and return what it sees."""
        super().reset(seed=seed_for(seed))
        self.seat = int(self.np_random.integers(self.seats)) if self._wanted is None else self._wanted
        others = [number for number in range(self.seats) if number != self.seat]
        self._bots = {
            number: seated(opponent, int(self.np_random.integers(SEEDS)), self.layout)
            for number, opponent in zip(others, self._opponents, strict=True)
        }
        self.game = Game(self.board, self.seats, int(self.np_random.integers(SEEDS)))
        self._payments.begin(self.seats)
        self._others_play()
        return self._found()

    def step(self, action: Any) -> tuple[JsonObject, float, bool, bool, JsonObject]:
        """Do this, and let the others play until the seat is asked again or the game is over.

        Raise `IllegalAction` for what is no number, `EnvError` when the game is over.
        """
        if self.game.over:
            raise EnvError("the game is over: reset() begins another one")
        number = action_number(action)
        if number not in self.game.legal.numbers:
            observation, info = self._found()
            why = str(self.game.why_not(number)) if 0 <= number < ACTIONS else f"there is no action {shown(number)}"
            return observation, LOST, True, False, info | {"illegal": why}
        self.game.play(number)
        self._others_play()
        paid = self._payments.due(self.game)[self.seat]
        if self.render_mode == "human":
            self.render()
        observation, info = self._found()
        if self.game.over:
            info |= {"points": self.game.scores.totals, "places": self.game.scores.ranks}
        return observation, paid, self.game.over, False, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal, bool `(ACTIONS,)`."""
        return mask_of(self.game, self.seat).astype(np.bool_)

    def render(self) -> Any:
        """Return what lies open, see `envs.position`."""
        return rendered(self.game, self.render_mode)

    def _found(self) -> tuple[dict[str, object], dict[str, object]]:
        observed = seen(self.layout, self.game, self.seat)
        return observed, {"action_mask": observed["action_mask"]}

    def _others_play(self) -> None:
        while not self.game.over and self.game.question.seat != self.seat:
            position = Position.of(self.game)
            self.game.play(answer(self._bots[position.seat], position))
