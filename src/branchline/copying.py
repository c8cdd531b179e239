"""What `copy.copy`, `copy.deepcopy` and `pickle` make of things: the same once more, sharing nothing that changes.

What holds views into its own buffers leaves them out of `__getstate__` and binds them again in `__setstate__`.
"""

from __future__ import annotations

import copy
from typing import Self


class Copied:
    """Something that changes: every copy of it is whole, so that what is done to one does not change the other."""

    def __copy__(self) -> Self:
        """Return a whole copy: a shallow one would share what changes."""
        return copy.deepcopy(self)


class Unchanging:
    """Something that never changes: its copy is itself."""

    def __copy__(self) -> Self:
        """Return itself."""
        return self

    def __deepcopy__(self, memo: object) -> Self:
        """Return itself."""
        return self
