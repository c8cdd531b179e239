"""`branchline compile`: compile the rules and the bots now, rather than during the first games."""

from __future__ import annotations

import gc
import os
import sys
import threading
import time
from typing import Annotated

import typer

from branchline.commands.files import CommandError
from branchline.commands.progress import progress
from branchline.commands.screen import say

KINDNESS = 5  # niceness in the background: somebody is playing meanwhile


def compile_rules(
    background: Annotated[bool, typer.Option("--background", hidden=True)] = False,
) -> None:
    """Compile the rules and the bots now, once for this version.

    Nothing needs this: without it the first games run interpreted while the rules are compiled in the background.
    """
    os.environ["BRANCHLINE_INTERPRET"] = "0"
    gc.disable()  # this process ends soon, and looking for lost objects takes a twentieth of its time
    from branchline.arena.compiling import compile_all
    from branchline.runtime import code_cache

    if background:
        _end_with_parent()
        compile_all(code_cache.note_progress)
        return
    if code_cache.folder() is None:
        raise CommandError("no folder for compiled code can be written to; name one in BRANCHLINE_CACHE")
    if code_cache.is_complete():
        say(f"Everything is compiled: {code_cache.folder()}")
        return
    started = time.monotonic()
    with progress("compiling", 100) as done:

        def report(share: float) -> None:
            code_cache.note_progress(share)
            if done:
                done(round(100 * share))

        compile_all(report)
    if (failure := code_cache.failure) is not None:
        why = failure.strerror or failure
        raise CommandError(f"{code_cache.folder()}: compiled code cannot be kept there: {why}")
    say(f"Compiled in {time.monotonic() - started:.0f} s, into {code_cache.folder()}")


def _end_with_parent() -> None:
    """Give way to others, and end as soon as standard input is closed: nobody waits for this any more."""
    if hasattr(os, "nice"):
        os.nice(KINDNESS)

    def watch() -> None:
        while os.read(sys.stdin.fileno(), 1024):
            pass
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
