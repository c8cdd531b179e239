"""How a command has the rules run: as they stand, or compiled first.

Compiled and interpreted rules give the same game, byte for byte. `BRANCHLINE_INTERPRET` in the environment decides in
place of the command; rules that are loaded already stay as they are.
"""

from __future__ import annotations

import os
import sys

from branchline.commands.progress import progress


def interpret_rules() -> None:
    """Run the rules as they stand: for one game that takes a second, compiling them first would take many."""
    if "branchline.rules.kernel" not in sys.modules:
        os.environ.setdefault("BRANCHLINE_INTERPRET", "1")


def compile_rules_when_called() -> None:
    """Compile what the command needs and nothing else, when it is first called, and say so to whoever looks on."""
    if "branchline.rules.kernel" in sys.modules or os.environ.get("BRANCHLINE_INTERPRET"):
        return
    os.environ["BRANCHLINE_INTERPRET"] = "0"
    from branchline.runtime import code_cache

    if sys.stderr.isatty() and not code_cache.is_complete():
        print("compiling once, which takes half a minute; then the games begin", file=sys.stderr)


def compile_rules_first() -> None:
    """Compile what is missing before anything else: interpreted, the command would take a hundred times as long."""
    if "branchline.rules.kernel" in sys.modules or os.environ.get("BRANCHLINE_INTERPRET"):
        return
    os.environ["BRANCHLINE_INTERPRET"] = "0"
    from branchline.runtime import code_cache

    if code_cache.folder() is None or code_cache.is_complete():
        return
    from branchline.arena.compiling import compile_all

    with progress("compiling, once", 100) as done:
        compile_all(lambda share: done(round(100 * share)) if done else None)
