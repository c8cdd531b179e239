"""Documents with parts that are written from the code.

Such a part lies between two marks, `<!-- keys: cards -->` and `<!-- end -->`. All else is written by hand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

_PART = re.compile(r"^<!-- ([^\n]+) -->\n(?:(?!<!--).*\n)*?<!-- end -->$", re.MULTILINE)


def rewritten(document: str, part: Callable[[str], Iterable[str]]) -> str:
    """Return a document in which the lines between the marks of each part are those that `part` gives for its name."""

    def anew(mark: re.Match[str]) -> str:
        text = "\n".join(part(mark[1])).strip("\n")
        return f"<!-- {mark[1]} -->\n\n{text}\n\n<!-- end -->"

    return _PART.sub(anew, document)
