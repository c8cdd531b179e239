"""OpenEnv: one seat of a game as a server of environments, for language models; bots have the others."""

from __future__ import annotations

import secrets
from typing import Unpack

from fastapi import FastAPI
from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State

from branchline.envs.options import WordOptions
from branchline.envs.rewards import EnvError
from branchline.envs.text import SeatInWords


class Written(Action):  # type: ignore[misc]  # where the library is missing
    """What a model writes; the last line is its action."""

    text: str


class Told(Observation):  # type: ignore[misc]
    """What it reads, and which actions are legal."""

    text: str
    legal: tuple[str, ...] = ()


class TrainGame(Environment[Written, Told, State]):  # type: ignore[misc]
    """A game for each episode; `how` is passed on to `SeatInWords`."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, board: str, seats: int = 2, **how: Unpack[WordOptions]) -> None:
        super().__init__()
        self._table, self._how = (board, seats), how
        self._game: SeatInWords | None = None
        self._state = State()

    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: object) -> Told:
        """Begin a game; without a seed one is drawn."""
        self._game = SeatInWords(*self._table, secrets.randbits(32) if seed is None else seed, **self._how)
        self._state = State(episode_id=episode_id)
        return Told(text=self._game.prompt, legal=self._game.legal)

    def step(self, action: Written, timeout_s: float | None = None, **_: object) -> Told:
        """Do what the model wrote. A refusal says why and changes nothing. Raise `EnvError` without a game."""
        if (game := self._game) is None:
            raise EnvError("there is no game: reset() begins one")
        text = game.answer(action.text)
        self._state.step_count += 1
        return Told(text=text, legal=game.legal, done=game.over, reward=game.reward)

    @property
    def state(self) -> State:
        """Which episode it is, and how many steps it has taken."""
        return self._state


def app(board: str, seats: int = 2, games: int = 64, **how: Unpack[WordOptions]) -> FastAPI:
    """Return a server, for uvicorn, that plays at most so many games at a time."""
    served: FastAPI = create_app(
        lambda: TrainGame(board, seats, **how), Written, Told, env_name="branchline", max_concurrent_envs=games
    )
    return served
