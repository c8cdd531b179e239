"""What a score consists of: one field for each part, from which every list of them is made.

Sheets, results of many games, reports, pages and scripts go through these parts; only names stand here, no sentences.
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
