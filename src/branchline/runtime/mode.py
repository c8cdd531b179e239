"""How this process runs the rules: decided once, when this module is imported.

The engine that comes with the package runs them (`runtime.engine`), unless the environment asks for something else:
`BRANCHLINE_RULES=native` has Numba translate them for this machine when they are first called (extra `native`), and
`BRANCHLINE_RULES=interpreted` (or the older `BRANCHLINE_INTERPRET=1`, or Numba's own `NUMBA_DISABLE_JIT=1`) runs them
as plain Python, for debuggers and coverage. `branchline.engine`, which makes the engine's file, asks for `building`: as
`native`, but nothing is made for this machine.
"""

from __future__ import annotations

import os
import warnings
from importlib.util import find_spec

from branchline.errors import BranchlineError
from branchline.runtime import INSTALL

VARIABLE = "BRANCHLINE_RULES"
WAYS = ("engine", "native", "interpreted", "building")


def _asked() -> str:
    """Return the way that the environment asks for. Raise `BranchlineError` where it cannot be gone."""
    if asked := os.environ.get(VARIABLE):
        if asked not in WAYS:
            raise BranchlineError(f"{VARIABLE}: expected engine, native or interpreted, not {asked!r:.60}")
        return asked
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return "interpreted"
    asked = os.environ.get("BRANCHLINE_INTERPRET", "")
    return ("interpreted" if asked != "0" else "native") if asked else "engine"


def need_numba(feature: str) -> None:
    """Raise `BranchlineError` where Numba is not installed, which `what` is done by."""
    if find_spec("numba") is None:
        raise BranchlineError(f"{feature} needs Numba, which is not installed: {INSTALL}")


def say_untried(library: str, version: str) -> None:
    """Warn, once, of a compiler whose insides nobody has looked at."""
    warnings.warn(
        f"{library} {version} has not been tried: games are the same, but take longer to compile", stacklevel=3
    )


WAY = _asked()
"""One of `WAYS`."""

ENGINE = WAY == "engine"
INTERPRETED = WAY == "interpreted"
"""Whether this process runs the rules as plain Python."""
BUILDING = WAY == "building"
NATIVE = WAY == "native" or BUILDING
"""Whether Numba translates the rules."""

if NATIVE:
    need_numba("making the engine" if BUILDING else f"{VARIABLE}=native")


def without_native_code(feature: str) -> str:
    """Say why this process cannot do what only native code does; nothing where it can."""
    if NATIVE:
        return ""
    how = f"{INSTALL}, then set" if find_spec("numba") is None else "set"
    return f"{feature} takes native code, which this process does not run: {how} {VARIABLE}=native"
