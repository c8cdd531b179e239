"""What a position is worth to a seat: a small network over what every seat has, holds and plans.

`search` asks it where a playout stops before the game has ended. It was trained on games between planners that stray
now and then; `benchmarks/value_network.py` makes it anew. Each edition has a network of its own, a general one serves
all other boards. What they see: `value_inputs`.
"""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np
import numpy.typing as npt

from branchline.boards import Board
from branchline.boards.digest import digest_under
from branchline.bots.networks.exponential import exp
from branchline.bots.networks.value_inputs import INPUTS
from branchline.rules.kernel import rule, unchanging
from branchline.runtime.structs import Reals

WIDE, NARROW = 48, 16  # the layers
HIDDEN = WIDE + NARROW
SIZE = (INPUTS + 1) * WIDE + (WIDE + 1) * NARROW + NARROW + 1
"""Numbers in a network: each layer's weights, input by input, and then its biases."""

FILE = Path(__file__).with_name("value_networks.npz")
GENERAL = "general"


@functools.cache
def networks() -> dict[str, npt.NDArray[np.float32]]:
    """Return the networks that ship with the package, by name: SIZE numbers each."""
    with np.load(FILE) as file:
        networks = {name: unchanging(file[name].astype(np.float32)) for name in file.files}
    if wrong := [name for name, numbers in networks.items() if numbers.shape != (SIZE,)]:
        raise ValueError(f"{FILE}: {wrong[0]} is not a network for {INPUTS} inputs")
    return networks


def network(board: Board) -> npt.NDArray[np.float32]:
    """Return the network for a board: its own, or the general one."""
    return networks().get(name_on(board), networks()[GENERAL])


def name_on(board: Board) -> str:
    """Return the name of a board's own network: it holds for exactly this board, whatever the version of its rules."""
    return f"{board.id}-{digest_under(board, 0)}"


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
