"""Environments for reinforcement learning: observations as numbers, and the standard interfaces."""

from branchline.envs.batch import Batch, Snapshot
from branchline.envs.encoding import decode, mask_of, observe, observe_position
from branchline.envs.layout import VERSION, Feature, Layout, layout_of
from branchline.envs.opponents import Batched, Pool
from branchline.envs.seat_batch import SeatBatch

__all__ = [
    "VERSION",
    "Batch",
    "Batched",
    "Feature",
    "Layout",
    "Pool",
    "SeatBatch",
    "Snapshot",
    "decode",
    "layout_of",
    "mask_of",
    "observe",
    "observe_position",
]
