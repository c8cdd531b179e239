"""The engine in a browser, where Python itself is WebAssembly: it lodges in Python's memory (`moved_engine`).

What `site/files/lodged_engine.js` does in JavaScript, it does for this module: make an instance of the moved file, and
call an entry point with the arguments that lie in `values`. There are no threads, and nothing can end a call.
"""

from __future__ import annotations

import ctypes
import json
import threading
from collections import OrderedDict
from typing import Any

from branchline.runtime.engine_file import ARRAY, FILE, REAL, RECORD, EngineError, entry_points
from branchline.runtime.engine_file import contents as described
from branchline.runtime.instances import MOST_ARGUMENTS, SLOT, Instance
from branchline.runtime.moved_engine import extent, moved

ALL_MEMORY = 1 << 32


def _plan() -> str:
    """Return how each entry point is called, as JSON: a letter for each value, and one for the result."""
    letters = {RECORD: "a", ARRAY: "a", REAL: "r"}
    plan = {
        name: [
            "".join(letters.get(argument.kind, "n") + "n" * argument.axes for argument in entry.arguments),
            entry.result or "",
        ]
        for name, entry in entry_points().items()
    }
    return json.dumps(plan)


Lodging = tuple["ctypes.Array[ctypes.c_char]", bytes]
"""Room for the engine's stack and constants, which stays as long as it is held, and the engine's file moved there."""
_ready: list[Lodging] = []


def make_ready() -> None:
    """Move the engine's file before anybody needs it: it takes long."""
    _ready.append(_lodging())


def _lodging() -> Lodging:
    file = FILE.read_bytes()
    room = ctypes.create_string_buffer(extent(file) + 16)
    base = -(-ctypes.addressof(room) // 16) * 16
    return room, moved(file, described()["addresses"], base)


class LodgedInstance(Instance):
    """The engine in the memory of this Python: whatever Python has made, it can see."""

    def __init__(self) -> None:
        """Move in."""
        from js import branchlineEngine
        from pyodide.ffi import JsException, to_js

        self._error: Any = JsException
        self._room, file = _ready.pop() if _ready else _lodging()
        self._raw = (ctypes.c_int64 * (SLOT * MOST_ARGUMENTS))()
        self.values = memoryview(self._raw).cast("B").cast("q")
        self.reals = memoryview(self._raw).cast("B").cast("d")
        self._engine = branchlineEngine.lodge(to_js(file), _plan(), ctypes.addressof(self._raw))
        self._functions = {}
        self.lock = threading.RLock()
        self.spoilt = False
        self.begin, self.end = 0, ALL_MEMORY
        self._kept = OrderedDict()

    def block(self, size: int) -> Any:
        """Return so many bytes, all zero, as an object with the buffer protocol."""
        return (ctypes.c_char * size)()

    def run(self, name: str, count: int) -> None:
        """Call an entry point with the first `count` of `values`; its result is the first of them then."""
        function = self._functions.get(name)
        if function is None:
            function = self._functions[name] = self._engine.entry(name)
        try:
            function()
        except self._error as error:
            raise EngineError(f"{name} was ended by the engine: {str(error).strip()}") from None
