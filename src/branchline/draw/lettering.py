"""How wide words come out, without asking a font.

The widths are those of Arial bold, which the other faces in the list below match or undercut; a little is added,
because the reader's own font decides in the end.
"""

from __future__ import annotations

import unicodedata

NAMES = "'Gill Sans','Gill Sans MT',Calibri,'Segoe UI','Helvetica Neue',Arial,'Liberation Sans',sans-serif"
"""The humanist sans of the names."""

TITLES = "'Hoefler Text',Baskerville,'Iowan Old Style',Palatino,Georgia,'Liberation Serif',serif"
"""The serif of titles and countries."""

_WIDTHS = {
    0.28: "ijlI .,:;’'|!",
    0.33: "ft-()/r",
    0.42: "*°",
    0.51: "z",
    0.56: "aceksvxyJ0123456789–?",
    0.61: "bdghnopquFLTZ",
    0.67: "EPSVXY",
    0.73: "ABCDHKNRU&",
    0.78: "wGOQ",
    0.84: "Mß",
    0.89: "m",
    0.95: "W—",
}
_WIDTH = {letter: width for width, letters in _WIDTHS.items() for letter in letters}


def text_width(text: str, size: float) -> float:
    """Return the width in px of a text in bold letters of that size, rather too much than too little."""
    plain = unicodedata.normalize("NFD", text)
    return 1.04 * size * sum(_WIDTH.get(c, 0.75) for c in plain if not unicodedata.combining(c))
