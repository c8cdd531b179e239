"""Several neighbouring numbers of an array at once; compiled, a few machine instructions (`runtime.lanes`)."""

from __future__ import annotations

from typing import Any

from branchline.atlas.tables import WORD
from branchline.runtime.mode import INTERPRETED


def _where_equal(numbers: Any, row: int, at: int, number: int) -> int:
    return sum(1 << n for n, one in enumerate(numbers[row, at : at + 64].tolist()) if one == number)


def _spread(rows: Any, row: int, at: int, word: int) -> None:
    rows[row, at : at + WORD] = [word >> n & 1 for n in range(WORD)]


def _scale_four(numbers: Any, row: int, at: int, plus: int, share: float, rows: Any, target: int, to: int) -> None:
    rows[target, to : to + 4] = (numbers[row, at : at + 4].astype(float) + plus) * share


def _fetch(numbers: Any, row: int, at: int) -> None:
    """Nothing is gained by it in plain Python."""


where_equal: Any = _where_equal
"""`(numbers, row, at, number)`: of the 64 bytes from `numbers[row, at]` on, those equal to a number, as bits."""

spread: Any = _spread
"""`(rows, row, at, word)`: writes the WORD bits of a word from `rows[row, at]` on, a byte for each."""

scale_four: Any = _scale_four
"""`(numbers, row, at, plus, share, rows, target, to)`: four numbers, `plus` added, times `share`, go to `rows`."""

fetch: Any = _fetch
"""`(numbers, row, at)`: what stands there, and around it, is soon to be read and written."""

if not INTERPRETED:
    from branchline.runtime import lanes

    where_equal, spread, scale_four, fetch = lanes.where_equal, lanes.spread, lanes.scale_four, lanes.fetch
