"""Interpreted or compiled: decided once for each process, when this module is imported.

Compiled, unless the compiled code is not there yet, or the environment asks for something else:
`BRANCHLINE_INTERPRET=1`, or Numba's own `NUMBA_DISABLE_JIT=1`, interprets the rules, for debuggers and coverage;
`BRANCHLINE_INTERPRET=0` compiles whatever is missing when it is first called.
"""

from __future__ import annotations

import os

from branchline.runtime import code_cache


def _asked_to_interpret() -> bool | None:
    """What the environment asks for; None: nothing."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return True
    asked = os.environ.get("BRANCHLINE_INTERPRET", "")
    return asked != "0" if asked else None


_ASKED = _asked_to_interpret()

COLD = _ASKED is None and code_cache.folder() is not None and not code_cache.is_complete()
"""Whether this process runs interpreted because there was no compiled code when it started."""

INTERPRETED = COLD or bool(_ASKED)
"""Whether this process runs the rules as plain Python."""
