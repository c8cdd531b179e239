"""What agents see and do, in the words of Gymnasium; PettingZoo uses the same."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces

from branchline.envs.encoding import mask_of, observe
from branchline.envs.layout import Layout
from branchline.game import Game
from branchline.plain_data import JsonObject
from branchline.rules.state import ACTIONS


def observations(layout: Layout, seats: int = 1) -> spaces.Box:
    """Return what `seats` seats observe, one after another."""
    most = np.tile(layout.high, seats)
    return spaces.Box(np.zeros_like(most), most, dtype=np.float32)


def seen_by_agents(layout: Layout) -> spaces.Dict:
    """Return the space of what `seen` gives."""
    mask = spaces.Box(0, 1, (ACTIONS,), np.int8)
    return spaces.Dict({"observation": observations(layout), "action_mask": mask})


def seen(layout: Layout, game: Game, seat: int) -> JsonObject:
    """Return what a seat may know, float32 `(layout.size,)`, and what it may do, int8 `(ACTIONS,)`."""
    return {"observation": observe(layout, game, seat), "action_mask": mask_of(game, seat)}
