"""What a score consists of and what can happen: one field for each, from which every list of them is made.

Sheets, results of many games, events, reports, pages and scripts go through these; only names stand here, no sentences.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple, get_type_hints


class Part(NamedTuple):
    """A part of the score."""

    name: str = ""  # in results of many games, their files, and reports; empty: the field's
    uses: str = ""  # the attribute of a board that says whether it plays with this part; empty: all boards do
    sheet: str = ""  # in score sheets and their JSON: the field's name
    called: str = ""  # for people, where that is another word

    @property
    def key(self) -> str:
        """Its word in score sheets and their JSON."""
        return self.sheet or self.name

    @property
    def label(self) -> str:
        """What it is called on a sheet, in English."""
        return (self.called or self.name.replace("_", " ")).capitalize()


class ScoreParts:
    """The points for each part of a score, in the order in which they are told and written.

    A new part goes to the end.
    """

    routes: Annotated[int, Part()]
    tickets: Annotated[int, Part()]
    tours: Annotated[int, Part(uses="tours")]
    stations: Annotated[int, Part(uses="stations", called="stations kept")]
    longest_trail_bonus: Annotated[int, Part("trail_bonus", uses="longest_trail", called="longest trail")]
    globetrotter: Annotated[int, Part("tickets_bonus", uses="most_tickets", called="most tickets")]
    passengers: Annotated[int, Part(uses="passengers")]
    ports: Annotated[int, Part(uses="ports")]
    swaps: Annotated[int, Part(uses="pieces.swap_price")]


def _declared(field: str, part: Part) -> Part:
    """Return a part with the names that its field gives it."""
    return part._replace(name=part.name or field, sheet=field)


SCORE_PARTS = tuple(
    _declared(field, hint.__metadata__[0]) for field, hint in get_type_hints(ScoreParts, include_extras=True).items()
)
"""The parts in their order."""

PARTS = len(SCORE_PARTS)
ROUTES, TICKETS, TOURS, STATIONS, TRAIL_BONUS, TICKETS_BONUS, PASSENGERS, PORTS, SWAPS = range(9)
"""The rows of `Scratch.parts` that rules and bots name."""


class EventKind(NamedTuple):
    """Something that happens in a game: what the rules note of it becomes an event."""

    word: str = ""  # of the event; empty: it goes with the event that follows
    does: str = ""  # DRAWS, BUILDS, or what is neither
    paid: bool = False  # whether the cards paid before it belong to it
    harmless: bool = False  # whether nobody is shown what lay hidden, so that it may be taken back


DRAWS, BUILDS = "draws", "builds"


class EventKinds:
    """All that can happen. In brackets: the two numbers that the rules note of it (`log.note`); a 0 is left out."""

    TOOK: Annotated[int, EventKind("take", DRAWS)]  # a card from the market (its place, its kind)
    DREW: Annotated[int, EventKind("blind", DRAWS)]  # a card from the top of a deck, unseen (the deck, the kind)
    TURNED_UP: Annotated[int, EventKind("market")]  # a card to a place of the market (the place, the kind)
    SWEPT: Annotated[int, EventKind("sweep")]  # a card of a swept market, one row for each (the place, the kind)
    RESHUFFLED: Annotated[int, EventKind("reshuffle")]  # the discards became the deck (the deck, how many cards)
    ANNOUNCED: Annotated[int, EventKind("mix")]  # a mix of tickets (how many from the first deck)
    OFFERED: Annotated[int, EventKind("tickets")]  # a ticket drawn, to choose from (the ticket, its deck)
    CHOSE: Annotated[int, EventKind("keep", harmless=True)]  # what becomes of a ticket (the ticket, see `log.KEPT`)
    PAID: Annotated[int, EventKind()]  # cards laid for what comes next, see `paid`, or TUNNELLED (the kind, how many)
    TURNED: Annotated[int, EventKind()]  # a card at a tunnel (the kind)
    TUNNELLED: Annotated[int, EventKind("tunnel")]  # its cards are turned (the route, how many cards more it asks)
    WITHDREW: Annotated[int, EventKind("withdraw", paid=True, harmless=True)]  # the payment for a tunnel (the route)
    CLAIMED: Annotated[int, EventKind("claim", BUILDS, paid=True, harmless=True)]  # a route (the route, its points)
    BUILT_STATION: Annotated[int, EventKind("station", BUILDS, paid=True, harmless=True)]  # (the place)
    BUILT_PORT: Annotated[int, EventKind("port", BUILDS, paid=True, harmless=True)]  # (the place)
    TOOK_PASSENGER: Annotated[int, EventKind("passenger", harmless=True)]  # (the place, the colour)
    SWAPPED: Annotated[int, EventKind("swap", harmless=True)]  # pieces (the kind received, how many)
    CHOSE_FLEET: Annotated[int, EventKind("fleet", harmless=True)]  # in secret (the trains)
    SHOWED_FLEET: Annotated[int, EventKind("fleet_revealed")]  # (the trains)
    PASSED: Annotated[int, EventKind("pass", harmless=True)]
    ANNOUNCED_END: Annotated[int, EventKind("last_turns", harmless=True)]  # the last turns begin (how many each)
    ENDED: Annotated[int, EventKind("over")]  # the game is over
    PUT_AWAY: Annotated[int, EventKind("put", paid=True)]  # cards laid at a real table, see `dealer`; people know why
    LOOKED: Annotated[int, EventKind("look")]  # the cards of a tunnel are turned at a real table
    MOVED_ON: Annotated[int, EventKind("next")]  # the marker of the turn at a real table is at this seat now


EVENT_KINDS: tuple[EventKind, ...] = tuple(
    hint.__metadata__[0] for hint in get_type_hints(EventKinds, include_extras=True).values()
)
"""What can happen, by the number that the rules note."""


def event_words(*, does: str = "", harmless: bool = False) -> frozenset[str]:
    """Return the words of all events, of those that do this, or of those that are harmless."""
    return frozenset(
        kind.word
        for kind in EVENT_KINDS
        if kind.word and (not does or kind.does == does) and (not harmless or kind.harmless)
    )
