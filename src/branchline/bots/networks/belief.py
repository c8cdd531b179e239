"""How likely another seat holds a ticket: a small network over what the whole table sees (`belief_inputs`).

Beside that it counts how much of what the seat has built a ticket explains that its other tickets do not: whoever has
built a line to the south holds one ticket that leads there, rarely two.

`search` deals the tickets of imagined worlds by it. It was trained on games between bots of different habits;
`benchmarks/belief_network.py` makes it anew. Each edition has a network of its own, which also knows each of its
tickets by itself; a general one serves all other boards.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from branchline.boards import Board
from branchline.boards.limits import MAX_TICKETS
from branchline.bots.networks.belief_inputs import INPUTS
from branchline.bots.networks.board_networks import Networks, network_for, networks_in
from branchline.bots.networks.exponential import exp
from branchline.rules.kernel import rule
from branchline.runtime.structs import RealMatrix, Reals

WIDE = 16  # the hidden layer
BIASES = INPUTS * WIDE
LAST = BIASES + WIDE
EXPLAINING = LAST + WIDE  # where the weights of what a ticket explains begin: on its way, and near it
TICKETS = EXPLAINING + 2  # where the numbers of single tickets begin
SIZE = TICKETS + MAX_TICKETS
"""Numbers in a network: the weights of the hidden layer, input by input, its biases, the weights of the last one, two
for what a ticket explains that the seat's other tickets do not, and a number for each ticket.
"""

FILE = Path(__file__).with_name("belief_networks.npz")
MOST = 10.0  # as the logarithm of a likelihood, either way


def networks() -> Networks:
    """Return the networks that ship with the package, by name: SIZE numbers each."""
    return networks_in(FILE, SIZE)


def network(board: Board) -> npt.NDArray[np.float32]:
    """Return the network for a board: its own, or the general one."""
    return network_for(networks(), board)


@rule
def likelihood(net: Reals, inputs: RealMatrix, ticket: int) -> float:
    """Return how likely a ticket is held, relative to other tickets, by its row of the inputs alone."""
    rating = 0.0 + net[TICKETS + ticket]
    for j in range(WIDE):
        hidden = 0.0 + net[BIASES + j]
        for i in range(INPUTS):
            hidden += inputs[ticket, i] * net[i * WIDE + j]
        rating += max(0.0, hidden) * net[LAST + j]
    return exp(min(MOST, max(-MOST, rating)))
