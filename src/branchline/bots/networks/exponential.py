"""The exponential function by plain arithmetic, so that it is the same to the last bit however the rules are run.

That of the machine's mathematical library differs from one library to the next, and WebAssembly has none.
"""

from __future__ import annotations

from branchline.rules.kernel import rule

MOST = 700.0  # beyond it the result would not be a number of double precision
LOG2_E = 1.4426950408889634
LN2_HIGH, LN2_LOW = 0.6931471803691238, 1.9082149292705877e-10  # ln 2 in two parts, the first exact when multiplied
TERMS = 13  # of the series, for at most half of ln 2: the error is less than one unit in the last place


@rule
def exp(x: float) -> float:
    """Return e to the power of `x`; beyond -700 and 700, of the nearest of these."""
    x = min(MOST, max(-MOST, x))
    halves = int(abs(x) * LOG2_E + 0.5)
    whole = halves if x >= 0.0 else -halves
    rest = (x - whole * LN2_HIGH) - whole * LN2_LOW
    power = 1.0
    for n in range(TERMS, 0, -1):
        power = 1.0 + rest * power / n
    step = 2.0 if whole >= 0 else 0.5
    for _ in range(halves):
        power *= step
    return power
