"""Plays by a network that `branchline train` has made, without search, in microseconds."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from branchline.boards import Board
from branchline.boards.faults import quoted
from branchline.bots.api import memory as memories
from branchline.bots.api.bot import Position, another, scratch_for
from branchline.bots.api.tuned_weights import TRAINED, Weights
from branchline.bots.networks import policy
from branchline.bots.networks.policy_networks import NOBODY, NetworkError, PolicyNetwork, read_network, shipped_network
from branchline.bots.planner import planner
from branchline.copying import Copied
from branchline.rules import kernel


class LearnedBot(Copied):
    """Plays by what it has learned, without search; on other boards as `planner`."""

    name = "learned"
    network: ClassVar[PolicyNetwork | None] = None  # of a file; None: what ships with the package

    @classmethod
    def playing_by(cls, file: Path) -> type[LearnedBot]:
        """Return the bot that plays by the network in this file. Raise `NetworkError`."""
        return another(cls, (cls.playing_by, (file,)), name=str(file), network=read_network(file))

    @classmethod
    def weights_on(cls, board: Board, seats: int) -> Weights:
        """Return the weights with which the network was trained, as it sees what the planner has in mind; else the
        planner's.

        So it plays the same after the board has been tuned. Raise `NetworkError` for another board.
        """
        cls._numbers_for(board, seats)
        if cls.network is not None and cls.network.weights is not None and cls.network.seats == seats:
            return Weights(cls.network.weights, TRAINED)
        return planner.PlannerBot.weights_on(board, seats)

    @classmethod
    def _numbers_for(cls, board: Board, seats: int) -> npt.NDArray[np.float32]:
        if cls.network is None:
            return shipped_network(board, seats)
        if cls.network.digest != board.digest:
            other = "an older or newer " if cls.network.board == board.id else ""
            raise NetworkError(f"{cls.name}: this network was trained on {other}{quoted(cls.network.board)}")
        return cls.network.numbers

    def __init__(self, seed: int = 0) -> None:
        """Sit down."""
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """Begin another game."""
        self._notes = kernel.record_in(kernel.new_buffer(policy.NOTES))
        self._memory = kernel.record_in(memories.new_memory())
        memories.seed(self._memory, seed)
        self._network = NOBODY
        self._table: tuple[Board, int] | None = None  # the board and seats that the memory and the network are for

    def choose(self, position: Position) -> int:
        """Return one of `position.legal`."""
        seats = int(position.state.seats)
        if self._table != (position.board, seats):
            self._network = self._numbers_for(position.board, seats)
            self.weights_on(position.board, seats).put_in(self._memory)
            self._table = position.board, seats
        board, scratch = kernel.record_in(position.board.tables), kernel.record_in(scratch_for(position))
        if not len(self._network):
            return int(planner.choose(board, position.state, scratch, self._memory, position.seat))
        return int(
            policy.choose(board, position.state, scratch, self._memory, position.seat, self._network, self._notes)
        )
