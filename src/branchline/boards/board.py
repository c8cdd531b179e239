"""What a board is, for people: frozen records of places, routes, tickets and of the rules in play.

Everything here is read from a board folder (see `docs/board_format.md`) and never changes afterwards. An attribute that
a key of `board.toml` fills is declared with that key (`boards.keys`): there is no other list of them. Indices
(`Place.index`, `Route.index`, `Ticket.index`) count from 0 in the order of the files.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypedDict

from branchline.boards.arguments import text
from branchline.boards.faults import BranchlineError
from branchline.boards.keys import (
    Before,
    Deal,
    Decimal,
    Decimals,
    Edges,
    Flag,
    Lengths,
    Mix,
    Number,
    Numbers,
    Pieces,
    Share,
    Text,
    Texts,
    Titles,
    Word,
    Words,
)
from branchline.boards.limits import (
    LONGEST_ID,
    LONGEST_TITLE,
    MAX_EACH,
    MAX_EXTRA_TURNS,
    MAX_LENGTH,
    MAX_LINE,
    MAX_MARKET,
    MAX_OFFER,
    MAX_PIECES,
    MAX_POINTS,
    MAX_PORT_TICKETS,
    MAX_PORTS,
    MAX_SEATS,
    MAX_STATIONS,
    MAX_TICKET_DECKS,
    MAX_TURNED,
)
from branchline.boards.wording import worded
from branchline.copying import Unchanging
from branchline.plain_data import JsonObject
from branchline.providers import provider

if TYPE_CHECKING:
    from branchline.boards.names import PlaceIndex
    from branchline.boards.tables import BoardTables
    from branchline.runtime.structs import Buffer

COLOURS = ("purple", "blue", "orange", "white", "green", "yellow", "black", "red")
"""The card colours, in the order of the rulebooks; a colour's number in the rules is its place here."""

GRAY = "gray"
WILD = "wild"

ROUTE_KINDS = ("rail", "tunnel", "ferry", "sea", "tram", "subway")
PLACE_KINDS = ("city", "country", "waypoint")
LABEL_SIDES = ("n", "ne", "e", "se", "s", "sw", "w", "nw")


class PieceKind(NamedTuple):
    """A kind of pieces."""

    lies_on: tuple[str, ...]  # kinds of routes
    second: bool = False  # beside the first kind that every board has


PIECE_KINDS = {
    "train": PieceKind(("rail", "tunnel", "ferry")),
    "tram": PieceKind(("tram",)),
    "ship": PieceKind(("sea",), second=True),
    "subway": PieceKind(("subway",), second=True),
}
"""The kinds of pieces, by their words in board.toml. Every list of them is made from this one."""
FIRST_PIECES = tuple(name for name, kind in PIECE_KINDS.items() if not kind.second)
SECOND_PIECES = tuple(name for name, kind in PIECE_KINDS.items() if kind.second)
PIECE_OF = {route: name for name, kind in PIECE_KINDS.items() for route in kind.lies_on}
"""What lies on a route of each kind."""

REJECTED = {"under the deck": "under", "leave the game": "out", "reshuffled": "reshuffled"}
"""What happens to tickets not kept: the words of board.toml, and those of `TicketDraw.rejected`."""
NEVER = MAX_MARKET + 1  # so many wilds never lie in a market: it is never swept
TIES = ("tickets_done", "fewest_stations", "longest_trail", "passengers")


@dataclass(frozen=True)
class Place(Unchanging):
    """A city, a dead-end country or a nameless waypoint (atoms TIC-4, TIC-5)."""

    index: int
    name: str
    kind: str  # one of PLACE_KINDS
    lat: float  # degrees north
    lon: float  # degrees east
    aliases: tuple[str, ...] = ()
    exonyms: tuple[tuple[str, str], ...] = field(default=(), repr=False)  # by language, where it has another name
    port: bool = False  # a port may be built here (PORT-1)
    passengers: int = 0  # passengers standing here at the start (PAS-1)
    sheet: tuple[float, float] | None = None  # position on the drawn sheet, 0..1 from left and top; None: by lat/lon
    nudge: tuple[float, float] = (
        0.0,
        0.0,
    )  # how far the drawing moves it from there, in px of a 1,600 px map
    label: str = ""  # one of LABEL_SIDES, on which the name is to stand; empty: where there is most room

    def __hash__(self) -> int:
        """Return its number: what stands for all its fields need not be worked out of them at every look-up."""
        return self.index

    @property
    def names(self) -> tuple[str, ...]:
        """All names of the place: the printed one, its aliases, its names in other languages."""
        return (self.name, *self.aliases, *(name for _, name in self.exonyms))

    def exonym(self, language: str) -> str:
        """Return its name in a language if that differs from the printed one (`Monachium` in `pl`), otherwise ""."""
        return dict(self.exonyms).get(text("language", language, BranchlineError), "")

    def name_in(self, language: str) -> str:
        """Return the printed name with a differing name in brackets: `München (Monachium)`."""
        exonym = self.exonym(language)
        return f"{self.name} ({exonym})" if exonym else self.name


@dataclass(frozen=True)
class Route(Unchanging):
    """One printed line of spaces between two places, which one seat can claim as a whole.

    Two or three lines that join the same places are parallel, on some boards only if they are of the same kind. What it
    takes to claim one is in `price`, `colour`, `kind`, `wilds` and `pairs`, what it brings in `points_row`.
    """

    index: int
    a: Place
    b: Place
    length: int  # spaces on the board; a subway has 1
    price: int  # cards asked, before a tunnel's; a pair counts two. At sea: spaces, of which a double ship covers two
    colour: str  # one of COLOURS, or GRAY
    kind: str  # one of ROUTE_KINDS
    wilds: int = 0  # wild symbols of a ferry (ROUTE-5)
    pairs: int = 0  # spaces of difficult terrain (ROUTE-9)
    parallel: int = 0  # number of its parallel set; routes with the same number join the same two places
    line: int = 0  # 0, 1, 2 among the routes that join these two places
    lines: int = 1  # how many those are
    wraps: bool = False  # drawn over the map's edge
    end_a: tuple[float, float] | None = None  # where the drawing ends instead of at `a`: (lat, lon)
    end_b: tuple[float, float] | None = None

    def __hash__(self) -> int:
        """Return its number: what stands for all its fields need not be worked out of them at every look-up."""
        return self.index

    @property
    def name(self) -> str:
        """The names of its two ends, as in `Paris–Dieppe`."""
        return f"{self.a.name}–{self.b.name}"

    @property
    def piece(self) -> int:
        """Which of its owner's kinds of pieces lies on it: 0 the first, 1 the second."""
        return int(PIECE_OF[self.kind] in SECOND_PIECES)

    @property
    def points_row(self) -> int:
        """Its row in the table of points: its length, or for a subway its price (ROUTE-6)."""
        return self.price - self.pairs


@dataclass(frozen=True)
class Ticket(Unchanging):
    """Two places to join, or several for a tour, and the value of doing so (TIC-3, TIC-6)."""

    index: int
    deck: int  # number of its deck in TicketRules.decks
    places: tuple[Place, ...]  # two; a tour has more, in printed order
    value: int  # points when done (a tour: done in order)
    any_order: int  # points of a tour whose cities are joined, but not in order; otherwise = value
    penalty: int  # points lost when not done, positive

    def __hash__(self) -> int:
        """Return its number: what stands for all its fields need not be worked out of them at every look-up."""
        return self.index

    @property
    def tour(self) -> bool:
        """Whether it names more than two places."""
        return len(self.places) > 2

    @property
    def name(self) -> str:
        """The names of its places, as in `Paris–Wien`."""
        return "–".join(place.name for place in self.places)


def _train_cards(cards: Before) -> int:
    """Return the number of train cards of each colour."""
    return int(cards["train"])


def _offered(draw: Before) -> int:
    """Return the number of tickets that a draw offers."""
    return max(1, min(draw["mix"] or sum(draw["deal"]), MAX_OFFER))


def _in_the_box(pieces: Before) -> int:
    """Return the pieces that a seat chooses from."""
    return sum(pieces["count"])


@dataclass(frozen=True)
class CardRules:
    """The transport cards (DRAW)."""

    colours: Annotated[
        tuple[str, ...],
        Words(
            "list of colours, from purple, blue, orange, white, green, yellow, black, red",
            COLOURS,
            worded("colour"),
            sorted=True,
        ),
    ]
    train: Annotated[int, Number("train (or tram) cards of each colour", 1, MAX_EACH)]
    train_port_marked: Annotated[
        int,
        Number(
            "how many of these have a port mark",
            0,
            MAX_EACH,
            default=0,
            up_to=_train_cards,
            names=("port_marked",),
        ),
    ]
    ship_single: Annotated[
        int,
        Number("ship cards of each colour that cover one space; all have a port mark", 0, MAX_EACH, default=0),
    ]
    ship_double: Annotated[int, Number("ship cards of each colour that cover two spaces", 0, MAX_EACH, default=0)]
    wild: Annotated[int, Number("total number of wild cards; they are in the train deck", 0, MAX_EACH)]
    wild_name: Annotated[str, Text("the rulebook's word for them", 30, default="wild", counts=False)]
    hand: Annotated[
        tuple[int, int], Share("cards dealt to each seat: `4`, or `{ train = 3, ship = 7 }` with two decks", 20)
    ]
    market: Annotated[tuple[int, int], Share("face-up cards: `5`, or `{ train = 3, ship = 3 }`", MAX_MARKET)]
    sweep_at: Annotated[  # DRAW-4
        int, Number("number of wilds in the market that causes a sweep", 1, MAX_MARKET, default=NEVER, said="never")
    ]
    market_lasts: Annotated[  # DRAW-6
        bool, Flag("whether seats may draw from the market when decks and discards are empty")
    ]

    @property
    def two_decks(self) -> bool:
        """Whether there is a ship deck."""
        return self.ship_single + self.ship_double > 0

    @property
    def total(self) -> int:
        """The number of transport cards in the box."""
        each = self.train + self.ship_single + self.ship_double
        return len(self.colours) * each + self.wild


@dataclass(frozen=True)
class TicketDraw:
    """How tickets are drawn, at the start or later in the game (TIC-1, TIC-2)."""

    deal: Annotated[  # empty where the seat announces a mix
        tuple[int, ...],
        Deal(
            "number of tickets offered: `2`, or `{ long = 1, regular = 3 }` with two decks",
            MAX_OFFER,
            said="required, or `mix`",
        ),
    ]
    mix: Annotated[  # 0 where the deal is fixed
        int,
        Mix(
            "number of tickets offered, if the seat announces how many it draws from each deck",
            1,
            MAX_OFFER,
            said="required, or `deal`",
        ),
    ]
    keep: Annotated[
        int,
        Number(
            "minimum number of tickets to keep",
            1,
            MAX_OFFER,
            names=("keep_at_least",),
            up_to=_offered,
        ),
    ]
    rejected: Annotated[  # "under", "out" (leave the game unseen) or "reshuffled"
        str,
        Word(
            'what happens to the others: `"under the deck"`; at the start also `"leave the game"` or `"reshuffled"`',
            REJECTED,
            {"tickets.later": ("under the deck",)},
        ),
    ]

    @property
    def most(self) -> int:
        """The most tickets one draw can offer."""
        return self.mix or sum(self.deal)


@dataclass(frozen=True)
class TicketRules:
    """The ticket decks and the two ways to draw from them."""

    decks: Annotated[
        tuple[str, ...], Texts("names of the one or two ticket decks", MAX_TICKET_DECKS, 20, said="`tickets`")
    ]
    first: TicketDraw
    later: TicketDraw
    backs_differ: Annotated[  # HIDE
        bool,
        Flag("whether the backs of the two decks differ, so that everyone sees which deck a held ticket is from"),
    ] = False


@dataclass(frozen=True)
class PieceRules:
    """The pieces of a seat: trains (trams) and, on some boards, a second kind: ships or subway cars.

    `count`: pieces of each kind at the start; with a fleet choice (FLE-1), how many the box holds.
    """

    names: tuple[str, ...]  # one or two kinds, singular
    count: Annotated[
        tuple[int, ...],
        Pieces(
            "trains for rail, tunnel and ferry routes; trams for tram routes",
            1,
            MAX_PIECES,
            names=FIRST_PIECES,
            said="one is required",
        ),
        Pieces(
            "second kind of piece: ships for sea routes, subway cars for subways",
            1,
            MAX_PIECES,
            names=SECOND_PIECES,
            said="none",
        ),
    ]
    fleet: Annotated[  # 0: no choice
        int,
        Number(
            "number of pieces each seat chooses",
            1,
            MAX_PIECES,
            names=("choose",),
            section="fleet",
            up_to=_in_the_box,
        ),
    ] = 0
    swap_price: Annotated[int, Number("points lost for each piece swapped later", 0, MAX_POINTS, section="fleet")] = 0

    @property
    def of_a_seat(self) -> int:
        """How many pieces a seat begins with: those that it chooses, or all."""
        return self.fleet or sum(self.count)


@dataclass(frozen=True)
class EndRules:
    """When and how the game ends (END)."""

    pieces_left: Annotated[
        int,
        Number(
            "when a seat ends its turn with this number of pieces or fewer in total, the last turns begin",
            0,
            MAX_PIECES,
        ),
    ]
    extra_turns: Annotated[int, Number("number of turns each seat then has", 1, MAX_EXTRA_TURNS)]
    ties: Annotated[
        tuple[str, ...],
        Words(
            'list of tie-breaks, in order, from `"tickets_done"`, `"fewest_stations"`, `"longest_trail"`, '
            '`"passengers"`',
            TIES,
            worded("tie-breaker"),
            fewest=0,
        ),
    ]


@dataclass(frozen=True)
class StationRules:
    """The rules of stations (STA)."""

    prices: Annotated[
        tuple[int, ...],
        Numbers("list: price in cards of the first, second, … station of a seat", 1, MAX_LENGTH, MAX_STATIONS),
    ]
    kept_bonus: Annotated[int, Number("points for each station not built", -MAX_POINTS, MAX_POINTS)]


@dataclass(frozen=True)
class PassengerRules:
    """The rules of passengers (PAS)."""

    colours: Annotated[tuple[str, ...], Words("list of colours, as for cards", COLOURS, worded("colour"), sorted=True)]
    each: Annotated[int, Number("passengers of each colour in the bag", 1, MAX_EACH)]
    most: Annotated[int, Number("points for the most and the second most passengers of a colour", 0, MAX_POINTS)]
    second: Annotated[int, Number("", 0, MAX_POINTS)]


@dataclass(frozen=True)
class PortRules:
    """The rules of ports (PORT)."""

    count: Annotated[int, Number("number of ports of each seat", 1, MAX_PORTS, names=("each_seat",))]
    train_cards: Annotated[int, Number("price of a port in cards, all of one colour and port-marked", 0, MAX_LENGTH)]
    ship_cards: Annotated[int, Number("", 0, MAX_LENGTH)]
    points: Annotated[
        tuple[int, ...],
        Numbers(
            "list: points for 0, 1, 2, … completed tickets that name the city; the last number applies to more tickets",
            -MAX_POINTS,
            MAX_POINTS,
            MAX_PORT_TICKETS,
        ),
    ]
    unbuilt: Annotated[int, Number("points for each port not built, 0 or negative", -MAX_POINTS, 0)]


class Looks(TypedDict, total=False):
    """How a board is drawn: what is given of it, as it is written."""

    backdrop: Annotated[
        str,
        Text("GeoJSON file in the folder with land, borders, rivers, parks; see below", 60, default="", said="none"),
    ]
    bounds: Annotated[
        list[float],
        Decimals(
            "part of the globe to show: `[west, south, east, north]` in degrees; "
            "over the antimeridian east is more than 180",
            -180,
            360,
            4,
            said="around the places",
        ),
    ]
    seam: Annotated[float, Decimal("longitude at which a round map is cut", -180, 180, said="-180")]
    shun_land: Annotated[
        float,
        Decimal("how far sea routes bend to stay off the land: 0 not at all, 1 as usual", 0, 4, said="1"),
    ]
    ratio: Annotated[float, Decimal("height of a drawn sheet (`layout.csv`) for a width of 1", 0.2, 3, said="0.6")]
    plank: Annotated[float, Decimal("length of a space and font size in px", 4, 60, said="fitted")]
    font: Annotated[float, Decimal("", 4, 60, said="fitted")]
    edges: Annotated[
        dict[str, list[float]],
        Edges(
            "for a route that crosses the edge: its spaces in the west and in the east, as in "
            '`"Lima–Sydney" = [5, 3]`; an optional third number says where it crosses, from 0 (top) to 1',
            said="by distance",
        ),
    ]


@dataclass(frozen=True)
class Board(Unchanging):
    """A board with its rules, as `load_board` returns it. Boards that play alike have the same `digest`.

    `title` is in English or as its makers call it; in other languages: see `title_in`. The tables of points say
    `points[n]` for a route of n spaces (for a subway, `subway_points[n]` for n cards); 0 where no such length exists.
    """

    id: Annotated[
        str,
        Text(
            "short name for files and the command line: lowercase letters a to z, digits, `-`, `_`",
            LONGEST_ID,
            counts=False,
        ),
    ]
    title: Annotated[str, Text("name shown to people", LONGEST_TITLE, counts=False)]
    rules_version: Annotated[
        int,
        Number(
            "version of the rules; raise it when a change alters the outcome of a recorded game",
            1,
            1_000_000,
            default=1,
        ),
    ]
    rulebook: Annotated[str, Text("the rulebook that the board follows", 200, default="", said="none", counts=False)]
    notes: Annotated[
        tuple[str, ...],
        Texts("list of sentences that readers of the board should know", 50, MAX_LINE, said="none", counts=False),
    ]
    reconstructed: Annotated[
        bool, Flag("`true` if the map is not the printed one (say in `notes` what is real)", counts=False)
    ]
    seats: Annotated[  # fewest, most
        tuple[int, int],
        Number("minimum and maximum number of seats, 2 to 5", 2, MAX_SEATS, names=("from", "to"), section="seats"),
    ]
    one_line_up_to: Annotated[  # ROUTE-4
        int,
        Number(
            "up to this number of seats, only one line of a parallel set may be used",
            0,
            MAX_SEATS,
            default=0,
            names=("one_line_up_to_seats",),
            section="parallel",
        ),
    ]
    kinds_apart: Annotated[
        bool,
        Flag(
            "`true` if lines of different kinds, such as rail and sea, that join the same two places are not parallel",
            section="parallel",
            counts=False,  # the numbers of the parallel sets say it
        ),
    ]
    cards: CardRules
    ticket_rules: TicketRules
    pieces: PieceRules
    points: Annotated[tuple[int, ...], Lengths("", section="points")]
    subway_points: Annotated[tuple[int, ...], Lengths("", section="points_subway")]
    ending: EndRules
    places: tuple[Place, ...] = ()
    routes: tuple[Route, ...] = ()
    tickets: tuple[Ticket, ...] = ()
    tunnel_cards: Annotated[  # TUN-1
        int, Number("number of cards turned at a tunnel", 1, MAX_TURNED, names=("cards_turned",), section="tunnels")
    ] = 0
    stations: StationRules | None = None
    passengers: PassengerRules | None = None
    ports: PortRules | None = None
    longest_trail: Annotated[
        int, Number("points for the longest trail", 0, MAX_POINTS, default=0, section="bonuses")
    ] = 0
    most_tickets: Annotated[
        int, Number("points for the most completed tickets", 0, MAX_POINTS, default=0, section="bonuses")
    ] = 0
    map: JsonObject = field(default_factory=dict, compare=False, repr=False)  # see `Looks`
    folder: Path | None = field(default=None, compare=False, repr=False)
    digest: str = ""  # of everything that can change a game; see `boards.digest`
    titles: Annotated[tuple[tuple[str, str], ...], Titles("", section="titles", counts=False)] = field(
        default=(), repr=False
    )

    @property
    def tours(self) -> tuple[Ticket, ...]:
        """The tickets with more than two places."""
        return tuple(ticket for ticket in self.tickets if ticket.tour)

    def __hash__(self) -> int:
        """Return the hash of the digest alone: equal boards have the same, and boards are the keys of many caches."""
        return hash(self.digest)

    def __getstate__(self) -> dict[str, object]:
        """Return all but the tables for the rules: these are read only, which a pickle would forget, and quickly
        made again.
        """
        return {name: value for name, value in vars(self).items() if name != "tables"}

    def title_in(self, language: str) -> str:
        """Return its title in a language such as `pl`, or the printed title if it has none."""
        return dict(self.titles).get(text("language", language, BranchlineError), self.title)

    @cached_property
    def index(self) -> PlaceIndex:
        """The index that finds places, routes and tickets in any spelling."""
        index: PlaceIndex = provider("Board.index")(self)
        return index

    @cached_property
    def tables(self) -> Buffer[BoardTables]:
        """The board as one record of numbers, for the rules; see `boards.tables`."""
        tables: Buffer[BoardTables] = provider("Board.tables")(self)
        return tables

    @cached_property
    def weights(self) -> Any:
        """The weights of `planner` on this board; see `bots.api.tuned_weights`. They travel with pickled boards."""
        return provider("Board.weights")(self)

    def svg(self, **look: Any) -> str:
        """Return the empty board as SVG text; see `branchline.draw.board_svg` for the options."""
        drawn: str = provider("Board.svg")(self, **look)
        return drawn

    def _repr_svg_(self) -> str:
        return self.svg()
