"""What a position is worth to a seat: a small network over what every seat has, holds and plans.

`search` asks it where a playout stops before the game has ended. It was trained on games between planners that stray
now and then; `benchmarks/value_network.py` makes it anew. Each edition has a network of its own, a general one serves
all other boards. What they see: `value_inputs`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from branchline.boards import Board
from branchline.bots.networks.board_networks import Networks, network_for, networks_in
from branchline.bots.networks.exponential import exp
from branchline.bots.networks.value_inputs import INPUTS
from branchline.rules.kernel import rule
from branchline.runtime.structs import Reals

WIDE, NARROW = 48, 16  # the layers
HIDDEN = WIDE + NARROW
SIZE = (INPUTS + 1) * WIDE + (WIDE + 1) * NARROW + NARROW + 1
"""Numbers in a network: each layer's weights, input by input, and then its biases."""

FILE = Path(__file__).with_name("value_networks.npz")


def networks() -> Networks:
    """Return the networks that ship with the package, by name: SIZE numbers each."""
    return networks_in(FILE, SIZE)


def network(board: Board) -> npt.NDArray[np.float32]:
    """Return the network for a board: its own, or the general one."""
    return network_for(networks(), board)


@rule
def judge(net: Reals, inputs: Reals, hidden: Reals) -> float:
    """Return the value, 0 to 1, in the sense of `rollout.value_of`. `hidden` is room for HIDDEN numbers."""
    bias = INPUTS * WIDE
    for j in range(WIDE):
        hidden[j] = net[bias + j]
    for i in range(INPUTS):
        x = inputs[i]
        if x != 0.0:
            for j in range(WIDE):
                hidden[j] += x * net[i * WIDE + j]
    second = bias + WIDE
    bias = second + WIDE * NARROW
    for j in range(NARROW):
        hidden[WIDE + j] = net[bias + j]
    for i in range(WIDE):
        x = hidden[i]
        if x > 0.0:
            for j in range(NARROW):
                hidden[WIDE + j] += x * net[second + i * NARROW + j]
    last = bias + NARROW
    value = 0.0 + net[last + NARROW]
    for j in range(NARROW):
        value += max(0.0, hidden[WIDE + j]) * net[last + j]
    return 1.0 / (1.0 + exp(-value))
