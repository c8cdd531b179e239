"""A cold start: while compiled code is not there yet, this process runs interpreted and another one compiles.

Compiled is a property of a process. One that starts without compiled code stays interpreted to its end; those that
start once everything is compiled run compiled code. The games are the same, byte for byte.
"""

from __future__ import annotations

import atexit
import subprocess
import sys
import threading
from typing import Any

from branchline.runtime import code_cache, mode

_lock = threading.Lock()
_process: Any = None


def compile_if_cold() -> None:
    """Where this process runs interpreted for want of compiled code, have it compiled in the background, once."""
    global _process
    if not mode.COLD or _process is not None:
        return
    with _lock:
        if _process is None and not code_cache.is_complete():
            _process = start_compiling()


def start_compiling() -> Any:
    """A process that compiles; it ends when its standard input is closed, so at the latest when this one ends."""
    process = subprocess.Popen(
        [sys.executable, "-m", "branchline", "compile", "--background"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is for the program in front
    )
    atexit.register(stop_compiling, process)
    return process


def stop_compiling(process: Any) -> None:
    """End it; what is compiled so far is kept."""
    process.stdin.close()
    try:
        process.wait(timeout=2)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def compiling() -> bool:
    """Whether this process waits for compiled code that is being made."""
    return _process is not None and _process.poll() is None and not code_cache.is_complete()
