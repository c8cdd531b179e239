"""Every colour, symbol and pattern, in one place: the board, the cards and the pages all take them from here.

The card colours were tuned from the first sketch until all pairs, gray included, stay at least `CARDS_APART`
apart (CIEDE2000) for full vision, protanopia, deuteranopia and tritanopia; the seats `SEATS_APART` from each
other, and `SEAT_FROM_CARD` from every card colour. `tests/draw/test_draw_palette.py` measures it; and
`tests/draw/test_draw_at_a_glance.py` measures the pieces on the boards. Symbols and marks say the same a second time.
"""

from __future__ import annotations

from dataclasses import dataclass

from branchline.draw.colour_vision import seen_as

CARDS_APART = 17.0
SEATS_APART = 23.0
SEAT_FROM_CARD = 10.0
SEATS_APART_IN_GREY = 7.0  # of 100 steps of lightness
SEATS_FROM_ACCENT = 18.0

CARD_COLOURS = {
    "purple": "#9977c1",
    "blue": "#0a4775",
    "orange": "#d4690e",
    "white": "#f7f4ec",
    "green": "#579274",
    "yellow": "#fed15f",
    "black": "#2d2d2d",
    "red": "#9f3223",
}
"""The eight colours of cards, routes and passengers."""

ROUTE_COLOURS = {**CARD_COLOURS, "gray": "#abb0b6"}
"""The same, and the gray of routes that take any one colour."""

INK = "#33302a"
PAPER = "#f7f1e3"

SYMBOLS = {
    "purple": "M0-1 .8 0 0 1-.8 0Z",
    "blue": "M0-.9.95.75H-.95Z",
    "orange": "M0-.82A.82.82 0 1 1 0 .82.82.82 0 1 1 0-.82Z",
    "white": "M-.3-.9H.3V-.3H.9V.3H.3V.9H-.3V.3H-.9V-.3H-.3Z",
    "green": "M-.74-.74H.74V.74H-.74Z",
    "yellow": "M0-1 .26-.33.97-.3.42.13.61.82 0 .43-.61.82-.42.13-.97-.3-.26-.33Z",
    "black": "M0-.95.93-.25.57.82H-.57L-.93-.25Z",
    "red": (
        "M0 .92C-.45.5-1 .12-1-.36-1-.72-.73-.92-.48-.92-.25-.92-.07-.8 0-.58"
        ".07-.8.25-.92.48-.92.73-.92 1-.72 1-.36 1 .12.45.5 0 .92Z"
    ),
}
"""The symbol of each card colour: SVG path data in a square from -1 to 1, to be filled."""

ANCHOR = "M0-.5V.85M-.42-.22H.42M-.8.2C-.72.66-.36.85 0 .85S.72.66.8.2M0-.95A.22.22 0 1 1 0-.51.22.22 0 1 1 0-.95Z"
"""A port: SVG path data in the same square, to be stroked."""

SYMBOL_LETTERS = {
    "purple": "◆",
    "blue": "▲",
    "orange": "●",
    "white": "✚",
    "green": "■",
    "yellow": "★",
    "black": "⬟",
    "red": "♥",
}
"""The same symbols as characters, for text."""


@dataclass(frozen=True)
class Mark:
    """A line along a roof, whole or broken: it tells seats apart where colours cannot."""

    breadth: float  # in breadths of the roof
    dashes: tuple[float, ...] = ()  # lengths of lines and gaps by turns, in lengths of the whole; none: unbroken
    dots: bool = False  # round ends

    def stroke(self, length: float, breadth: float) -> str:
        """Return the attributes that draw it along a line of that length, on a roof of that breadth."""
        dashes = " ".join(f"{share * length:.2f}".rstrip("0").rstrip(".") for share in self.dashes)
        return (
            f'stroke-width="{self.breadth * breadth:.1f}"'
            + (f' stroke-dasharray="{dashes}"' if dashes else "")
            + (' stroke-linecap="round"' if self.dots else "")
        )


@dataclass(frozen=True)
class SeatLook:
    """How the pieces of one seat look."""

    name: str
    colour: str
    mark: Mark


SEATS = (
    SeatLook("maroon", "#6b0000", Mark(0.8, (0.12, 0.76, 0.12))),
    SeatLook("teal", "#006b5c", Mark(0.8, (0.0, 0.4, 0.2, 0.4))),
    SeatLook("orchid", "#a63cde", Mark(0.24)),
    SeatLook("khaki", "#bab47c", Mark(0.5, (0.02, 0.47), dots=True)),
    SeatLook("aqua", "#7ff0ff", Mark(0.8, (0.08, 0.15))),
)
"""The five seats: a family of their own from dark to light, marked with two bars, a band, a stripe, dots, rungs."""


def mark_colour(look: SeatLook) -> str:
    """Return the colour of a seat's mark: ink or paper, with some of the seat's own colour."""
    return mixed(symbol_colour(look.colour), look.colour, 0.25)


def mixed(one: str, two: str, share: float) -> str:
    """Return a colour `#rrggbb` between two others, with that share of the second."""
    parts = (round((1 - share) * int(one[i : i + 2], 16) + share * int(two[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{part:02x}" for part in parts)


def symbol_colour(colour: str) -> str:
    """Return ink or paper, whichever shows better on that colour `#rrggbb`."""
    return INK if seen_as(colour, "full")[0] > 57 else PAPER


def wheel() -> str:
    """Return the wild symbol, a wheel in all colours, as SVG in a square from -1 to 1."""
    spokes = (
        ("M0 0 0-.86A.86.86 0 0 1 .61-.61Z", "purple"),
        ("M0 0 .61-.61A.86.86 0 0 1 .86 0Z", "orange"),
        ("M0 0 .86 0A.86.86 0 0 1 .61.61Z", "blue"),
        ("M0 0 .61.61A.86.86 0 0 1 0 .86Z", "white"),
        ("M0 0 0 .86A.86.86 0 0 1-.61.61Z", "red"),
        ("M0 0-.61.61A.86.86 0 0 1-.86 0Z", "yellow"),
        ("M0 0-.86 0A.86.86 0 0 1-.61-.61Z", "green"),
        ("M0 0-.61-.61A.86.86 0 0 1 0-.86Z", "black"),
    )
    wedges = "".join(f'<path d="{path}" fill="{CARD_COLOURS[colour]}"/>' for path, colour in spokes)
    return f'<circle r="1" fill="{INK}"/>{wedges}<circle r=".3" fill="{PAPER}" stroke="{INK}" stroke-width=".14"/>'


@dataclass(frozen=True)
class Theme:
    """The colours of everything that is not a card, a route or a seat."""

    name: str
    sea: str
    shallows: tuple[str, str, str]  # lines along the coast, from the farthest to the nearest
    net: str  # meridians and parallels
    land: str
    coast: str
    border: str
    park: str
    water: str  # rivers and lakes
    street: str
    ink: str  # names
    halo: str  # around names
    soft_ink: str  # frame, signs, legends
    outline: str  # of spaces
    dark_outline: str  # of black and blue spaces
    bed: str  # the line spaces are threaded on
    place: str  # fill of a place
    place_ring: str
    place_dot: str
    port_ring: str
    inland_ring: str
    lamp: str  # light around places; empty for none
    accent: str  # you may do this
    line: float  # thickness of outlines against the usual


THEMES = {
    "light": Theme(
        name="light",
        sea="#cfdfe6", shallows=("#c8dae2", "#bfd4dd", "#b3cbd6"), net="#c2d4dc",
        land="#f1e9d8", coast="#8fa3ab", border="#cdbd9d", park="#dfe3c4", water="#b9d0dc", street="#e4d8c0",
        ink="#33302a", halo="#f6f0e2", soft_ink="#7b7364", outline="#3b372f", dark_outline="#16150f",
        bed="#9c927f", place="#fffaf0", place_ring="#33302a", place_dot="#a8402e",
        port_ring="#1f6a94", inland_ring="#4c7a3d", lamp="", accent="#e0218a", line=1.0,
    ),
    "dark": Theme(
        name="dark",
        sea="#13202b", shallows=("#172734", "#1b2e3c", "#213847"), net="#1b2b38",
        land="#39332a", coast="#6d6350", border="#574d3d", park="#37402f", water="#1d3342", street="#463f33",
        ink="#f3e8cf", halo="#2a251e", soft_ink="#a89b80", outline="#100f0d", dark_outline="#d6cbb0",
        bed="#7a705d", place="#ffe7ad", place_ring="#14110d", place_dot="#b4541f",
        port_ring="#2f7fae", inland_ring="#4f8a3c", lamp="#ffce7a", accent="#ff6fc0", line=1.0,
    ),
    "contrast": Theme(
        name="contrast",
        sea="#d5e2ea", shallows=("#d5e2ea", "#d5e2ea", "#d5e2ea"), net="#d5e2ea",
        land="#ffffff", coast="#4a5a62", border="#9a9a9a", park="#eef3e4", water="#9fbfd0", street="#e6e6e6",
        ink="#000000", halo="#ffffff", soft_ink="#222222", outline="#000000", dark_outline="#000000",
        bed="#555555", place="#ffffff", place_ring="#000000", place_dot="#000000",
        port_ring="#003f6b", inland_ring="#1f5a10", lamp="", accent="#c4007a", line=1.6,
    ),
}  # fmt: skip
"""Paper by day, the same map by lamplight at night, and one for tired eyes."""

_HEAT = {
    "light": "f4ead3 f1dcb4 edcb93 e8b873 e2a257 d88a41 c96f32 b25527 943c1e 702616",
    "dark": "37332b 4a4031 5f4d35 775b38 916b3b ac7d3f c79247 e0aa58 f3c576 ffe2a6",
    "contrast": "ffffff e8e8e8 d0d0d0 b8b8b8 a0a0a0 888888 6c6c6c 505050 303030 000000",
}
HEAT = {theme: tuple(f"#{colour}" for colour in steps.split()) for theme, steps in _HEAT.items()}
"""Ten steps from cold to hot, for shares: from the land to what stands out most; lightness alone tells them apart."""
