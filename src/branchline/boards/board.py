"""What a board is, for people: frozen records of places, routes, tickets and of the rules in play.

Everything here is read from a board folder (see `docs/board_format.md`) and never changes afterwards.
Indices (`Place.index`, `Route.index`, `Ticket.index`) count from 0 in the order of the files.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from branchline.boards.arguments import text
from branchline.boards.faults import BranchlineError
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

    @property
    def name(self) -> str:
        """The names of its two ends, as in `Paris–Dieppe`."""
        return f"{self.a.name}–{self.b.name}"

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

    @property
    def tour(self) -> bool:
        """Whether it names more than two places."""
        return len(self.places) > 2

    @property
    def name(self) -> str:
        """The names of its places, as in `Paris–Wien`."""
        return "–".join(place.name for place in self.places)


@dataclass(frozen=True)
class CardRules:
    """The transport cards (DRAW)."""

    colours: tuple[str, ...]
    train: int  # train (or tram) cards of each colour, port-marked ones included
    train_port_marked: int  # of these, with a port mark
    ship_single: int  # single ship cards of each colour; all carry a port mark
    ship_double: int  # double ship cards of each colour
    wild: int
    wild_name: str  # what the rulebook calls it: locomotive, bicycle, joker
    hand: tuple[int, int]  # dealt at the start from the train deck and the ship deck
    market: tuple[int, int]  # turned up at the start, and after a sweep, from the two decks
    sweep_at: int  # so many wilds in the market sweep it (DRAW-4)
    market_lasts: bool  # the market may be drawn from when decks and discards are empty (DRAW-6)

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

    deal: tuple[int, ...]  # cards per deck; empty where the seat announces a mix
    mix: int  # cards in all where the seat announces how many of each deck; otherwise 0
    keep: int  # at least so many are kept
    rejected: str  # "under", "out" (leave the game unseen) or "reshuffled"

    @property
    def most(self) -> int:
        """The most tickets one draw can offer."""
        return self.mix or sum(self.deal)


@dataclass(frozen=True)
class TicketRules:
    """The ticket decks and the two ways to draw from them."""

    decks: tuple[str, ...]
    first: TicketDraw
    later: TicketDraw
    backs_differ: bool = False  # everybody sees which deck a held ticket is from (HIDE)


@dataclass(frozen=True)
class PieceRules:
    """The pieces of a seat: trains (trams) and, on some boards, a second kind: ships or subway cars."""

    names: tuple[str, ...]  # one or two kinds, singular
    count: tuple[int, ...]  # pieces of each kind at the start; with a fleet choice, how many the box holds
    fleet: int = 0  # pieces each seat chooses from its box (FLE-1); 0: no choice
    swap_price: int = 0  # points lost for each piece swapped (FLE-2)


@dataclass(frozen=True)
class EndRules:
    """When and how the game ends (END)."""

    pieces_left: int
    extra_turns: int
    ties: tuple[str, ...]  # of "tickets_done", "fewest_stations", "longest_trail", "passengers", in this order


@dataclass(frozen=True)
class StationRules:
    """The rules of stations (STA)."""

    prices: tuple[int, ...]
    kept_bonus: int


@dataclass(frozen=True)
class PassengerRules:
    """The rules of passengers (PAS)."""

    colours: tuple[str, ...]
    each: int
    most: int
    second: int


@dataclass(frozen=True)
class PortRules:
    """The rules of ports (PORT)."""

    count: int
    train_cards: int
    ship_cards: int
    points: tuple[int, ...]  # for 0, 1, 2, … completed tickets that name the city; the last holds for more
    unbuilt: int  # points for each port not built, negative


@dataclass(frozen=True)
class Board(Unchanging):
    """A board with its rules, as `load_board` returns it. Boards that play alike have the same `digest`."""

    id: str  # short name, used in files and on the command line
    title: str  # in English or as its makers call it; in other languages: see `title_in`
    rules_version: int  # raised when a change alters the outcome of a recorded game
    rulebook: str  # whose rules these are
    notes: tuple[str, ...]  # what its reader must know: reconstructions, decisions about the data
    reconstructed: bool  # the map is not the printed one
    seats: tuple[int, int]  # fewest, most
    one_line_up_to: int  # with so many seats or fewer, one line of a parallel set only (ROUTE-4)
    kinds_apart: bool  # whether lines of different kinds between two places are no parallel set
    cards: CardRules
    ticket_rules: TicketRules
    pieces: PieceRules
    points: tuple[int, ...]  # points[n] for a route of n spaces; 0 where no such length exists
    subway_points: tuple[int, ...]  # points[n] for a subway that costs n cards
    ending: EndRules
    places: tuple[Place, ...]
    routes: tuple[Route, ...]
    tickets: tuple[Ticket, ...]
    tunnel_cards: int = 0  # cards turned at a tunnel (TUN-1)
    stations: StationRules | None = None
    passengers: PassengerRules | None = None
    ports: PortRules | None = None
    longest_trail: int = 0  # bonus; 0: none
    most_tickets: int = 0  # bonus; 0: none
    map: JsonObject = field(default_factory=dict, compare=False, repr=False)  # projection and backdrop
    folder: Path | None = field(default=None, compare=False, repr=False)
    digest: str = ""  # of everything that can change a game; see `boards.folder`
    titles: tuple[tuple[str, str], ...] = field(default=(), repr=False)  # by language

    @property
    def tours(self) -> tuple[Ticket, ...]:
        """The tickets with more than two places."""
        return tuple(ticket for ticket in self.tickets if ticket.tour)

    def __hash__(self) -> int:
        """Of the digest alone: equal boards have the same, and boards are the keys of many caches."""
        return hash(self.digest)

    def __getstate__(self) -> dict[str, object]:
        """All but the numbers for the rules: read only, which a pickle would forget, and quickly made again."""
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
        found: Buffer[BoardTables] = provider("Board.tables")(self)
        return found

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
