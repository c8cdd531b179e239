"""A second Python in the browser, beside the one that makes the pages: what takes long is worked out there.

`files/second_python.js` starts it and hands the messages over, pickled as between processes.
"""

from __future__ import annotations

import json
import pickle
import traceback
from collections.abc import Callable
from typing import Protocol

from branchline.web.core.jobs import at_once, messages
from branchline.web.core.jobs.at_once import Work
from branchline.web.core.jobs.messages import ANSWER, FAULT, REPORT, Message


class JavaScriptBytes(Protocol):
    """Bytes as JavaScript hands them over."""

    def to_bytes(self) -> bytes:
        """Return a copy of them."""


def stands_by() -> None:
    """Have what takes long done there from now on."""
    at_once.apart = begin


def begin(work: Work, heard: Callable[[Message | None], None]) -> Callable[[], None]:
    """Begin work over there; return what ends it."""
    from js import branchlineSecondPython
    from pyodide.ffi import create_proxy, to_js

    def told(message: JavaScriptBytes | None = None, fault: str | None = None) -> None:
        said: Message | None = None
        if message is not None:
            said = _read(message)
        elif fault is not None:
            said = FAULT, fault
        if said is None or said[0] != REPORT:
            proxy.destroy()
        heard(said)

    def end() -> None:
        branchlineSecondPython.end(number)
        proxy.destroy()

    proxy = create_proxy(told)
    number = branchlineSecondPython.begin(to_js(pickle.dumps(work)), proxy)
    return end


def _read(message: JavaScriptBytes) -> Message:
    try:
        read: Message = pickle.loads(message.to_bytes())
        return read
    except Exception:
        return FAULT, traceback.format_exc()


def done(work: JavaScriptBytes, tell: Callable[[object], None]) -> object:
    """Do work over here, and return the last message; `tell` hands over those before it."""
    from pyodide.ffi import to_js

    def sent(message: Message) -> object:
        return to_js(pickle.dumps(message))

    function, arguments, hears = pickle.loads(work.to_bytes())
    told = (lambda report: tell(sent((REPORT, report))),) if hears else ()
    return sent(messages.done(function, (*told, *arguments)))


def thought(work: str, tell: Callable[[str], object]) -> str:
    """Do work that a page of a server has for its visitor, and return the last message; all of it is JSON."""
    from branchline.web.thinking import KINDS

    kind, data = json.loads(work)
    last, content = messages.done(KINDS[kind], (lambda report: tell(json.dumps((REPORT, report))), data))
    return json.dumps((last, content if last == ANSWER else str(content)))
