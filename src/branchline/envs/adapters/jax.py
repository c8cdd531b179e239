"""JAX: a batch as pure functions. All of the games goes to the processor and back at every step, 4 KB a game."""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import io_callback

from branchline.arena.statistics import Numbers
from branchline.envs.batch import Batch


class Games(NamedTuple):
    """All of a batch; the same games and actions give the same."""

    states: jax.Array  # uint8 (games, bytes of a state)
    numbers: jax.Array  # int32 (games,): which game of its place each is


class PureBatch:
    """`reset(seed)` and `step(games, actions)` as functions for `jit` and `scan`."""

    def __init__(self, board: str, games: int, seats: int = 2, seed: int = 0, *, reward: str = "win") -> None:
        self._batch, self._seed = Batch(board, games, seats, seed=seed, reward=reward), seed
        self._kinds = tuple(jax.ShapeDtypeStruct(array.shape, array.dtype) for array in self._all())

    def reset(self) -> tuple[Games, tuple[jax.Array, ...]]:
        """Begin: the games, and observation, mask, seat, done and reward."""
        self._batch.reset(self._seed)
        arrays = tuple(map(jnp.asarray, self._all()))
        return Games(*arrays[:2]), arrays[2:]

    def step(self, games: Games, actions: jax.Array) -> tuple[Games, tuple[jax.Array, ...]]:
        """Do an action in each game; the rest as in `reset`."""
        arrays = io_callback(self._step, self._kinds, games.states, games.numbers, actions, ordered=True)
        return Games(*arrays[:2]), arrays[2:]

    def _step(self, states: Numbers, numbers: Numbers, actions: Numbers) -> tuple[Numbers, ...]:
        one = self._batch
        kept = one.snapshot()
        kept.states.view(np.ndarray).view(np.uint8).reshape(one.games, -1)[:] = states
        one.restore(kept._replace(numbers=np.asarray(numbers, np.int64)))
        one.step(np.asarray(actions))
        return self._all()

    def _all(self) -> tuple[Numbers, ...]:
        one, kept = self._batch, self._batch.snapshot()
        assert one.observation is not None
        states = kept.states.view(np.ndarray).view(np.uint8).reshape(one.games, -1)
        return states, kept.numbers.astype(np.int32), one.observation, one.mask, one.seat, one.done, one.reward
