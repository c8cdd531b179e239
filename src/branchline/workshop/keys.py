"""The keys of `board.toml` with their meaning and default: what `docs/board_format.md` says, and the form shows.

A test holds this list and the document against each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from branchline.boards.board import COLOURS
from branchline.boards.components import REJECTED
from branchline.boards.limits import (
    MAX_EACH,
    MAX_EXTRA_TURNS,
    MAX_LENGTH,
    MAX_MARKET,
    MAX_OFFER,
    MAX_PIECES,
    MAX_POINTS,
    MAX_PORTS,
    MAX_SEATS,
    MAX_TURNED,
)
from branchline.boards.rulebook import TIES


@dataclass(frozen=True)
class Key:
    """One key, or several that are explained together.

    `kind` is what it holds: text, number, decimal, flag, word (one of `words`), words (a list of them), numbers,
    lines (a list of texts), share (a number, or one for each deck or pile), edges (routes over the edge of the map).
    """

    names: tuple[str, ...]
    kind: str
    meaning: str  # as in the document
    default: str = ""  # as in the document; empty: the key is needed
    low: int = 0
    high: int = 0
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class KeySection:
    """A section of board.toml. An optional one begins with `usual` when a board gets it."""

    path: tuple[str, ...]  # () : the top of the file
    keys: tuple[Key, ...]
    usual: Mapping[str, Any] | None = None  # None: every board has it


def _number(name: str, low: int, high: int, meaning: str, default: str = "") -> Key:
    return Key((name,), "number", meaning, default, low, high)


_SEATS = Key(("from", "to"), "number", "minimum and maximum number of seats, 2 to 5", "", 2, MAX_SEATS)

_DRAW = (
    Key(
        ("deal",),
        "share",
        "number of tickets offered: `2`, or `{ long = 1, regular = 3 }` with two decks",
        "required, or `mix`",
        0,
        MAX_OFFER,
    ),
    _number(
        "mix",
        1,
        MAX_OFFER,
        "number of tickets offered, if the seat announces how many it draws from each deck",
        "required, or `deal`",
    ),
    _number("keep_at_least", 1, MAX_OFFER, "minimum number of tickets to keep"),
    Key(
        ("rejected",),
        "word",
        'what happens to the others: `"under the deck"`; at the start also `"leave the game"` or `"reshuffled"`',
        words=tuple(REJECTED),
    ),
)

SECTIONS: tuple[KeySection, ...] = (
    KeySection(
        (),
        (
            Key(
                ("id",), "text", "short name for files and the command line: lowercase letters a to z, digits, `-`, `_`"
            ),
            Key(("title",), "text", "name shown to people"),
            Key(("rulebook",), "text", "the rulebook that the board follows", "none"),
            _number(
                "rules_version",
                1,
                1_000_000,
                "version of the rules; raise it when a change alters the outcome of a recorded game",
                "1",
            ),
            Key(
                ("reconstructed",),
                "flag",
                "`true` if the map is not the printed one (say in `notes` what is real)",
                "false",
            ),
            Key(("notes",), "lines", "list of sentences that readers of the board should know", "none"),
        ),
    ),
    KeySection(("seats",), (_SEATS,)),
    KeySection(
        ("cards",),
        (
            Key(
                ("colours",),
                "words",
                "list of colours, from purple, blue, orange, white, green, yellow, black, red",
                words=COLOURS,
            ),
            _number("train", 1, MAX_EACH, "train (or tram) cards of each colour"),
            _number("port_marked", 0, MAX_EACH, "how many of these have a port mark", "0"),
            _number(
                "ship_single", 0, MAX_EACH, "ship cards of each colour that cover one space; all have a port mark", "0"
            ),
            _number("ship_double", 0, MAX_EACH, "ship cards of each colour that cover two spaces", "0"),
            _number("wild", 0, MAX_EACH, "total number of wild cards; they are in the train deck"),
            Key(("wild_name",), "text", "the rulebook's word for them", "wild"),
            Key(
                ("hand",),
                "share",
                "cards dealt to each seat: `4`, or `{ train = 3, ship = 7 }` with two decks",
                "",
                0,
                20,
            ),
            Key(("market",), "share", "face-up cards: `5`, or `{ train = 3, ship = 3 }`", "", 0, MAX_MARKET),
            _number("sweep_at", 1, MAX_MARKET, "number of wilds in the market that causes a sweep", "never"),
            Key(
                ("market_lasts",),
                "flag",
                "whether seats may draw from the market when decks and discards are empty",
                "false",
            ),
        ),
    ),
    KeySection(
        ("tickets",),
        (
            Key(("decks",), "lines", "names of the one or two ticket decks"),
            Key(
                ("backs_differ",),
                "flag",
                "whether the backs of the two decks differ, so that everyone sees which deck a held ticket is from",
                "false",
            ),
        ),
    ),
    KeySection(("tickets", "first"), _DRAW),
    KeySection(("tickets", "later"), _DRAW),
    KeySection(
        ("pieces",),
        (
            Key(
                ("train", "tram"),
                "number",
                "trains for rail, tunnel and ferry routes; trams for tram routes",
                "one is required",
                1,
                MAX_PIECES,
            ),
            Key(
                ("ship", "subway"),
                "number",
                "second kind of piece: ships for sea routes, subway cars for subways",
                "none",
                1,
                MAX_PIECES,
            ),
        ),
    ),
    KeySection(
        ("fleet",),
        (
            _number("choose", 1, MAX_PIECES, "number of pieces each seat chooses"),
            _number("swap_price", 0, MAX_POINTS, "points lost for each piece swapped later"),
        ),
        {"choose": 50, "swap_price": 1},
    ),
    KeySection(
        ("passengers",),
        (
            Key(("colours",), "words", "list of colours, as for cards", words=COLOURS),
            _number("each", 1, MAX_EACH, "passengers of each colour in the bag"),
            Key(
                ("most", "second"),
                "number",
                "points for the most and the second most passengers of a colour",
                "",
                0,
                MAX_POINTS,
            ),
        ),
        {"colours": ["red", "yellow", "green", "blue", "white", "black"], "each": 10, "most": 20, "second": 10},
    ),
    KeySection(
        ("parallel",),
        (
            _number(
                "one_line_up_to_seats",
                0,
                MAX_SEATS,
                "up to this number of seats, only one line of a parallel set may be used",
                "0",
            ),
            Key(
                ("kinds_apart",),
                "flag",
                (
                    "`true` if lines of different kinds, such as rail and sea, that join the same two places are "
                    "not parallel"
                ),
                "false",
            ),
        ),
        {"one_line_up_to_seats": 3},
    ),
    KeySection(
        ("tunnels",),
        (_number("cards_turned", 1, MAX_TURNED, "number of cards turned at a tunnel"),),
        {"cards_turned": 3},
    ),
    KeySection(
        ("stations",),
        (
            Key(
                ("prices",),
                "numbers",
                "list: price in cards of the first, second, … station of a seat",
                "",
                1,
                MAX_LENGTH,
            ),
            _number("kept_bonus", -MAX_POINTS, MAX_POINTS, "points for each station not built"),
        ),
        {"prices": [1, 2, 3], "kept_bonus": 4},
    ),
    KeySection(("points",), ()),
    KeySection(("points_subway",), (), {"1": 1, "2": 2, "3": 4, "4": 7}),
    KeySection(
        ("ports",),
        (
            _number("each_seat", 1, MAX_PORTS, "number of ports of each seat"),
            Key(
                ("train_cards", "ship_cards"),
                "number",
                "price of a port in cards, all of one colour and port-marked",
                "",
                0,
                MAX_LENGTH,
            ),
            Key(
                ("points",),
                "numbers",
                (
                    "list: points for 0, 1, 2, … completed tickets that name the city; the last number applies to "
                    "more tickets"
                ),
                "",
                -MAX_POINTS,
                MAX_POINTS,
            ),
            _number("unbuilt", -MAX_POINTS, 0, "points for each port not built, 0 or negative"),
        ),
        {"each_seat": 3, "train_cards": 2, "ship_cards": 2, "points": [0, 20, 30, 40], "unbuilt": -4},
    ),
    KeySection(
        ("ending",),
        (
            _number(
                "pieces_left",
                0,
                MAX_PIECES,
                "when a seat ends its turn with this number of pieces or fewer in total, the last turns begin",
            ),
            _number("extra_turns", 1, MAX_EXTRA_TURNS, "number of turns each seat then has"),
            Key(
                ("ties",),
                "words",
                (
                    'list of tie-breaks, in order, from `"tickets_done"`, `"fewest_stations"`, `"longest_trail"`, '
                    '`"passengers"`'
                ),
                words=TIES,
            ),
        ),
    ),
    KeySection(
        ("bonuses",),
        (
            _number("longest_trail", 0, MAX_POINTS, "points for the longest trail", "0"),
            _number("most_tickets", 0, MAX_POINTS, "points for the most completed tickets", "0"),
        ),
        {"longest_trail": 10},
    ),
    KeySection(
        ("titles",),
        (),
        {},
    ),
    KeySection(
        ("map",),
        (
            Key(
                ("backdrop",), "text", "GeoJSON file in the folder with land, borders, rivers, parks; see below", "none"
            ),
            Key(
                ("bounds",),
                "numbers",
                (
                    "part of the globe to show: `[west, south, east, north]` in degrees; "
                    "over the antimeridian east is more than 180"
                ),
                "around the places",
                -180,
                360,
            ),
            Key(("seam",), "decimal", "longitude at which a round map is cut", "-180", -180, 180),
            Key(
                ("shun_land",),
                "decimal",
                "how far sea routes bend to stay off the land: 0 not at all, 1 as usual",
                "1",
                0,
                4,
            ),
            Key(("ratio",), "decimal", "height of a drawn sheet (`layout.csv`) for a width of 1", "0.6", 0, 3),
            Key(("plank", "font"), "decimal", "length of a space and font size in px", "fitted", 4, 60),
            Key(
                ("edges",),
                "edges",
                (
                    "for a route that crosses the edge: its spaces in the west and in the east, as in "
                    '`"Lima–Sydney" = [5, 3]`; an optional third number says where it crosses, from 0 (top) to 1'
                ),
                "by distance",
            ),
        ),
        {},
    ),
)
"""In the order of the document."""
