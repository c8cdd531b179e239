"""Names of the transport cards, and reading them: `red`, `wild`; with ships also `red port`, `red double ship`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from branchline.boards import COLOURS, WILD, Board
from branchline.boards.faults import did_you_mean, quoted
from branchline.boards.names import common_marks
from branchline.boards.tables import DOUBLE, KINDS, MARKED, SHIP, TRAIN, WILD_KIND
from branchline.boards.wording import worded
from branchline.game.errors import IllegalAction

_SUFFIX = {TRAIN: "", MARKED: " port", SHIP: " ship", DOUBLE: " double ship"}
_FAMILY = {
    "": TRAIN,
    "train": TRAIN,
    "card": TRAIN,
    "port": MARKED,
    "port train": MARKED,
    "train port": MARKED,
    "ship": SHIP,
    "single ship": SHIP,
    "double ship": DOUBLE,
    "double": DOUBLE,
}
_SEPARATOR = re.compile(r"\s*(?:,|;|\+|&|\band\b)\s*")
_COUNTED = re.compile(r"(?:(\d{1,3})\s*(?:[x×*]\s*)?)?([^\d]+)$")
_NAMES = tuple(
    WILD if kind == WILD_KIND else COLOURS[kind % MARKED] + _SUFFIX[kind - kind % MARKED] for kind in range(KINDS)
)


COLOUR_WORDS = {
    **{colour: colour for colour in COLOURS},
    "gray": "gray",
    "grey": "gray",
    "pink": "purple",
    "violet": "purple",
    "magenta": "purple",
}
"""By the word for a colour, the colour as boards call it."""

WILD_WORDS = (WILD, "wilds", "joker", "jokers", "loco", "locos", "locomotive", "locomotives")


def card_name(kind: int) -> str:
    """Return the name of this kind of card."""
    return _NAMES[kind]


def card_kind(name: str, board: Board) -> int:
    """Return the kind of card with this name. Raise `ValueError` with a clear line for any other text."""
    words = common_marks(name).strip().casefold().removesuffix(" cards").removesuffix(" card")
    if words in (*WILD_WORDS, board.cards.wild_name, f"{board.cards.wild_name}s"):
        return WILD_KIND
    colour, _, family = words.partition(" ")
    colour = COLOUR_WORDS.get(colour, colour)
    if colour in board.cards.colours and family.removesuffix("s") in _FAMILY:
        kind = COLOURS.index(colour) + _FAMILY[family.removesuffix("s")]
        if board.tables[0].copies[kind]:
            return kind
    known = [card_name(kind) for kind in range(KINDS) if board.tables[0].copies[kind]]
    raise ValueError(worded("unknown card {text}{near}", text=quoted(name), near=did_you_mean(words, known)))


def read_cards(text: str, board: Board) -> Counter[int]:
    """Return kinds and numbers from `2 green + 1 wild`. Raise `IllegalAction` where a part names no card."""
    counts: Counter[int] = Counter()
    for part in _SEPARATOR.split(common_marks(text).strip()):
        for piece in _split_counted(part):
            match = _COUNTED.match(piece)
            if not match:
                raise IllegalAction(worded("expected cards, as in `2 green + 1 wild`, not {text}", text=quoted(text)))
            try:
                counts[card_kind(match[2], board)] += int(match[1] or 1)
            except ValueError as error:
                raise IllegalAction(error.args[0]) from None
    return +counts


def _split_counted(part: str) -> list[str]:
    """Return the parts of `2 green 1 wild`: two, although nothing stands between them."""
    return [piece.strip() for piece in re.split(r"\s+(?=\d)", part) if piece.strip()] or [part]


def cards_text(cards: Mapping[int, int]) -> str:
    """Return cards as text, `2 green + 1 wild`, in the order of the kinds."""
    return " + ".join(f"{count} {card_name(kind)}" for kind, count in sorted(cards.items()) if count) or "nothing"
