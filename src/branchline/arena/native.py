"""Compiled choices in a form in which compiled code can be handed any of them."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

import numba
from numba.core import config, types
from numba.core.errors import NumbaExperimentalFeatureWarning

from branchline.atlas.tables import BOARD
from branchline.bots.desk import DESK
from branchline.rules.kernel import CACHE_FOLDER, INTERPRETED
from branchline.rules.state import SLATE, STATE

# Handing functions to compiled code works and is tested here; that numba calls it new need not alarm the user.
warnings.filterwarnings("ignore", message="First-class function type", category=NumbaExperimentalFeatureWarning)


@functools.cache
def native(choice: Callable[..., int]) -> Any:
    """A bot's `choice` as a pointer to machine code; when interpreted, the function itself."""
    if INTERPRETED:
        return choice
    records = [numba.from_dtype(layout) for layout in (BOARD, STATE, SLATE, DESK)]
    source = getattr(choice, "py_func", choice)
    kept, config.CACHE_DIR = config.CACHE_DIR, CACHE_FOLDER
    try:
        return numba.cfunc(types.int64(*records, types.int64), cache=True, error_model="numpy")(source)
    finally:
        config.CACHE_DIR = kept
