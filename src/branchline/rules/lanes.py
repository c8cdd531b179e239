"""Several neighbouring numbers of an array at once; compiled, a few machine instructions (`runtime.lanes`)."""

from __future__ import annotations

import numpy as np

from branchline.boards.tables import WORD
from branchline.runtime.mode import NATIVE
from branchline.runtime.structs import Matrix, RealMatrix


def _where_equal(numbers: Matrix, row: int, at: int, number: int) -> int:
    return sum(1 << n for n, element in enumerate(np.asarray(numbers)[row, at : at + 64].tolist()) if element == number)


def _spread(rows: Matrix, row: int, at: int, word: int) -> None:
    np.asarray(rows)[row, at : at + WORD] = [word >> n & 1 for n in range(WORD)]


def _ones_of_8(rows: RealMatrix, row: int, at: int, bits: int) -> None:
    np.asarray(rows)[row, at : at + 8] = [bits >> n & 1 for n in range(8)]


def _ones_of_32(rows: RealMatrix, row: int, at: int, bits: int) -> None:
    np.asarray(rows)[row, at : at + 32] = [bits >> n & 1 for n in range(32)]


def _divide_8(
    numbers: Matrix, row: int, at: int, plus: int, scale: float, rows: RealMatrix, target: int, to: int
) -> None:
    np.asarray(rows)[target, to : to + 8] = (np.asarray(numbers)[row, at : at + 8].astype(float) + plus) / scale


def _fetch(numbers: Matrix, row: int, at: int) -> None:
    """Do nothing: plain Python gains nothing by fetching ahead."""


where_equal = _where_equal
"""`(numbers, row, at, number)`: of the 64 bytes from `numbers[row, at]` on, those equal to a number, as bits."""

spread = _spread
"""`(rows, row, at, word)`: writes the WORD bits of a word from `rows[row, at]` on, a byte for each."""

ones_of_8 = _ones_of_8
"""`(rows, row, at, bits)`: writes the lowest 8 bits of a word from `rows[row, at]` on, a float32 for each."""

ones_of_32 = _ones_of_32
"""The same of the lowest 32."""

divide_8 = _divide_8
"""`(numbers, row, at, plus, scale, rows, target, to)`: eight numbers, `plus` added, over `scale`, go to `rows`."""

fetch = _fetch
"""`(numbers, row, at)`: what stands there, and around it, is soon to be read and written."""

if NATIVE:
    from branchline.runtime import lanes

    where_equal, spread, divide_8, fetch = lanes.where_equal, lanes.spread, lanes.divide_8, lanes.fetch
    ones_of_8, ones_of_32 = lanes.ones_of_8, lanes.ones_of_32
