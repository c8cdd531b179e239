"""How a batch shows its arrays: as copies that stay as they are, or as those into which every step writes."""

from __future__ import annotations

from typing import Generic, TypeVar, cast, overload

import numpy as np

from branchline.boards.arguments import truth
from branchline.envs.rewards import EnvError

Array = TypeVar("Array")


class ShowsArrays:
    """Something with arrays that compiled code writes."""

    def __init__(self, copy: bool) -> None:
        """Begin; with `copy`, what is shown is never written again."""
        self._copy = truth("copy", copy, EnvError)
        self._copies: dict[str, object] = {}  # to be emptied before anything is written


class Shown(Generic[Array]):
    """An array of a batch, kept under its name with a line before it, and copied at most once a step."""

    def __set_name__(self, owner: type[ShowsArrays], name: str) -> None:
        self._name = name

    @overload
    def __get__(self, batch: None, owner: type[ShowsArrays]) -> Shown[Array]: ...

    @overload
    def __get__(self, batch: ShowsArrays, owner: type[ShowsArrays]) -> Array: ...

    def __get__(self, batch: ShowsArrays | None, owner: type[ShowsArrays]) -> Shown[Array] | Array:
        """Return the array as the batch shows it."""
        if batch is None:
            return self
        kept = vars(batch)[f"_{self._name}"]
        if kept is None or not batch._copy:
            return cast("Array", kept)
        if self._name not in batch._copies:
            batch._copies[self._name] = np.array(kept)
        return cast("Array", batch._copies[self._name])
