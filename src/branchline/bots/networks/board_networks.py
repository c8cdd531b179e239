"""Networks that ship with the package, one for each edition and a general one for all other boards, in one file."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt

from branchline.boards import Board
from branchline.boards.digest import digest_under
from branchline.rules.kernel import unchanging

Networks = Mapping[str, npt.NDArray[np.float32]]

GENERAL = "general"


@functools.cache
def networks_in(file: Path, size: int) -> Networks:
    """Return the networks of a file by name. Raise `ValueError` where one has not `size` numbers."""
    with np.load(file) as found:
        networks = {name: unchanging(found[name].astype(np.float32)) for name in found.files}
    if wrong := [name for name, numbers in networks.items() if numbers.shape != (size,)]:
        raise ValueError(f"{file}: {wrong[0]} is not a network of {size} numbers")
    return networks


def network_for(networks: Networks, board: Board) -> npt.NDArray[np.float32]:
    """Return the network for a board: its own, or the general one."""
    return networks.get(name_on(board), networks[GENERAL])


def name_on(board: Board) -> str:
    """Return the name of a board's own network: it holds for exactly this board, whatever the version of its rules."""
    return f"{board.id}-{digest_under(board, 0)}"
