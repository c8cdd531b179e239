"""What a score consists of: one row for each part, from which every list of them is made.

Sheets, results of many games, reports, pages and scripts go through these rows; only names stand here, no sentences.
"""

from __future__ import annotations

from typing import NamedTuple


class Part(NamedTuple):
    """A part of the score."""

    name: str  # in results of many games, their files, and reports
    uses: str = ""  # the attribute of a board that says whether it plays with this part; empty: all boards do
    sheet: str = ""  # in score sheets and their JSON, where that is another word
    called: str = ""  # for people, where that is another word

    @property
    def key(self) -> str:
        """Its word in score sheets and their JSON."""
        return self.sheet or self.name

    @property
    def label(self) -> str:
        """What it is called on a sheet, in English."""
        return (self.called or self.name.replace("_", " ")).capitalize()


SCORE_PARTS = (
    Part("routes"),
    Part("tickets"),
    Part("tours", uses="tours"),
    Part("stations", uses="stations", called="stations kept"),
    Part("trail_bonus", uses="longest_trail", sheet="longest_trail_bonus", called="longest trail"),
    Part("tickets_bonus", uses="most_tickets", sheet="globetrotter", called="most tickets"),
    Part("passengers", uses="passengers"),
    Part("ports", uses="ports"),
    Part("swaps", uses="pieces.swap_price"),
)
"""In the order in which they are told and written. A new part goes to the end."""

PARTS = len(SCORE_PARTS)
ROUTES, TICKETS, TOURS, STATIONS, TRAIL_BONUS, TICKETS_BONUS, PASSENGERS, PORTS, SWAPS = range(9)
"""The rows of `Scratch.parts` that rules and bots name."""
