"""What a search notes of the actions that it tries out: one record for each thread."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from branchline.boards.limits import MAX_PLACES, MAX_ROUTES, MAX_SEATS, MAX_TICKETS
from branchline.bots.networks import belief_inputs, value, value_inputs
from branchline.bots.planner.candidates import MOST
from branchline.runtime.structs import Int16, Matrix, RealMatrix, Reals, Struct, Vector, layout


class Trials(Struct):
    """What a search notes."""

    action: Annotated[Vector, np.int32, MOST]  # the candidates, the planner's own first
    count: Int16
    alive: Annotated[Vector, np.int8, MOST]  # 1: still in the running
    horizon: Int16  # rounds after which a playout stops and the network judges; 0: only at the end
    wanted: Annotated[Vector, np.int16, MAX_ROUTES]  # in how many worlds another seat plans each route
    #: how likely each hidden ticket is with each other seat
    belief: Annotated[RealMatrix, np.float64, MAX_SEATS, MAX_TICKETS]
    # what the network for that reckons with: ways on an empty board, for one seat the lines at each place and the
    # hidden tickets that name it, of each seat the price of its routes, and which of them lie on each ticket's ways
    apart: Annotated[Matrix, np.int16, MAX_PLACES, MAX_PLACES]
    lines: Annotated[Vector, np.int16, MAX_PLACES]
    ends: Annotated[Vector, np.int16, MAX_PLACES]
    built_price: Annotated[Matrix, np.int16, MAX_SEATS, belief_inputs.COUNTED]
    on_way: Annotated[Matrix, np.int64, MAX_SEATS, MAX_TICKETS]
    near_way: Annotated[Matrix, np.int64, MAX_SEATS, MAX_TICKETS]
    #: of each seat's routes, by how much explaining one makes a ticket likelier: on its way, and near it
    on_factor: Annotated[RealMatrix, np.float64, MAX_SEATS, belief_inputs.COUNTED]
    near_factor: Annotated[RealMatrix, np.float64, MAX_SEATS, belief_inputs.COUNTED]
    weight: Annotated[Reals, np.float64, MAX_TICKETS]  # how likely each is, beside the other tickets of the seat
    ticket_inputs: Annotated[RealMatrix, np.float64, MAX_TICKETS, belief_inputs.INPUTS]
    #: 1: a ticket of the world that is imagined, and dealt by that already
    dealt: Annotated[Vector, np.int8, MAX_TICKETS]
    # sums over the worlds in which each was tried
    worlds: Annotated[Vector, np.int64, MOST]
    won: Annotated[Reals, np.float64, MOST]  # games won; a shared victory is a part of one
    value: Annotated[Reals, np.float64, MOST]
    ahead: Annotated[Reals, np.float64, MOST]  # value less that of the first candidate in the same world
    ahead_squared: Annotated[Reals, np.float64, MOST]
    # what the network reckons with
    inputs: Annotated[Reals, np.float32, value_inputs.INPUTS]
    hidden: Annotated[Reals, np.float32, value.HIDDEN]
    # what came of each in the world that was tried last, if it was played to its end
    share: Annotated[RealMatrix, np.float64, MOST, MAX_SEATS]  # of the victory
    total: Annotated[Matrix, np.int16, MOST, MAX_SEATS]  # points


NOTES = layout(Trials)
