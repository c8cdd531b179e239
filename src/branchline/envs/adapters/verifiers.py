"""Verifiers: whole games for language models as a taskset; bots have the other seats."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator

import verifiers.v1 as vf

from branchline.boards import builtin_boards
from branchline.envs.text import SeatInWords
from branchline.plain_data import JsonObject

__all__ = ["Games", "GamesEnv"]


class GamesConfig(vf.TasksetConfig):  # type: ignore[misc]  # where the library is missing
    """What is played, see `SeatInWords`."""

    board: str = builtin_boards()[0]
    seats: int = 2
    seat: int = 0
    opponents: str = "greedy"


class GameData(vf.TaskData):  # type: ignore[misc]
    """The arguments from which a game is dealt again."""

    dealt: JsonObject


class GameTask(vf.Task[GameData, vf.State, vf.TaskConfig]):  # type: ignore[misc]
    """One game."""


class Games(vf.Taskset[GameTask, GamesConfig]):  # type: ignore[misc]
    """Any number of games: the number of a task is the seed of its game."""

    INFINITE = True

    def load(self) -> Iterator[GameTask]:
        """Yield one game after the other."""
        for seed in itertools.count():
            dealt = {"seed": seed} | self.config.model_dump(include={"board", "seats", "seat", "opponents"})
            data = GameData(name=f"{self.config.board}-{seed}", prompt=SeatInWords(**dealt).prompt, dealt=dealt)
            yield GameTask(data, self.config.task)


class GamesEnvConfig(vf.EnvConfig):  # type: ignore[misc]
    """Who plays."""

    player: vf.AgentConfig = vf.AgentConfig()


class GamesEnv(vf.Env[GamesEnvConfig]):  # type: ignore[misc]
    """Plays a game with a model, and rewards it as `SeatInWords` does."""

    async def run(self, task: GameTask, agents: vf.Agents) -> None:
        """Let the model answer until the game is over; bots think beside the other games."""
        game = SeatInWords(**task.data.dealt)
        async with agents.player.interaction(task) as talk:
            reply = await talk.turn()
            while not reply.terminated:
                told = await asyncio.to_thread(game.answer, reply.last_reply)
                if game.over:
                    break
                reply = await talk.turn(told)
        talk.trace.record_reward("win", game.reward, 1.0)
