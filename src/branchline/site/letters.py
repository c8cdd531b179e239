"""What the program uses of the package `regex`, which is compiled and so not for browsers: its few expressions.

Letters are told apart nearly as there: marks, joiners and what follows a joiner belong to the letter before. Joiners
stay wherever they stand between two characters of a script or an emoji; only the reader's own names are looked at here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_LETTER = re.compile(
    "\r\n|(?:[\U0001f1e6-\U0001f1ff]{2}|.)(?:[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u093c-"
    "\u094d\u0e31-\u0e4e\u1ab0-\u1aff\u1dc0-\u1dff\u200c\u200d\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\U0001f3fb-"
    "\U0001f3ff\U000e0020-\U000e007f]|(?<=\u200d)[\u2190-\u2bff\U0001f000-\U0001faff])*",
    re.DOTALL,
)
_NEEDED = re.compile(
    "(?<=[^\x00-\x7f])[\u200c\u200d\ufe0e\ufe0f\U000e0020-\U000e007f\u180b-\u180d]|(?<=[0-9#*])\ufe0f(?=\u20e3)"
)


class _Hidden:
    """The characters that are made to be seen by nobody."""

    def match(self, text: str) -> bool:
        """Return whether the first one is such a character."""
        letter = text[:1]
        return unicodedata.category(letter) == "Cf" or "\ufe00" <= letter <= "\ufe0f" or letter in "\u034f\u3164\uffa0"


class _Letters:
    """The letters of a text."""

    def findall(self, text: str) -> list[str]:
        """Return the letters one by one."""
        return _LETTER.findall(text)


class _Needed:
    """The joiners of a text that stay."""

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Yield them."""
        return _NEEDED.finditer(text)


def compile(expression: str) -> _Letters | _Hidden | _Needed:
    r"""Return what is found by `\\X`, by the property of hidden characters, or by any other expression."""
    if expression == r"\X":
        return _Letters()
    return _Hidden() if "Default_Ignorable" in expression else _Needed()
