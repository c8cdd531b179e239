"""Standard environments for learning: observations as numbers, and the interfaces that the field knows."""

from branchline.envs.batch import Batch, Snapshot
from branchline.envs.encoding import Observer, decode, mask_of
from branchline.envs.layout import VERSION, Feature, Layout, layout_of

__all__ = ["VERSION", "Batch", "Feature", "Layout", "Observer", "Snapshot", "decode", "layout_of", "mask_of"]
