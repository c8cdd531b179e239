"""Values that hardly any function expects, for tests of what is said about wrong arguments."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np


class Odd:
    """An object that is nothing, and says so in many lines."""

    def __repr__(self) -> str:
        return "odd\n" * 2000


ODD: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    7,
    10**9,
    10**5000,
    -(2**63),
    1.5,
    float("nan"),
    float("inf"),
    1j,
    Fraction(1, 3),
    "",
    "0",
    "nope",
    "\x00",
    "\ud800",
    "x" * 5000,
    "9" * 5000,
    b"",
    b"berlin",
    bytearray(b"x"),
    memoryview(b"x"),
    [],
    [None],
    [[]],
    ["\n"],
    (),
    (1, 2),
    {},
    {"a": 1},
    {7: object()},
    set(),
    object(),
    object,
    Odd(),
    np.int8(-1),
    np.float64("nan"),
    np.array([1, 2]),
    np.array(None),
    range(3),
    lambda: None,
)
