"""How the rules are run by commands that play or score one game only."""

from __future__ import annotations

import os
import sys


def interpret_rules() -> None:
    """Run the rules as they stand: for one game that takes a second, compiling them first would take many.

    Compiled and interpreted rules give the same game, byte for byte. `BRANCHLINE_INTERPRET=0` in the environment
    compiles all the same; rules that are loaded already stay as they are.
    """
    if "branchline.rules.kernel" not in sys.modules:
        os.environ.setdefault("BRANCHLINE_INTERPRET", "1")
