"""Noting a game of a real table turn by turn: the page, which works in the browser (`web/notate`) like the count."""

from __future__ import annotations

from branchline.web.core.pages.desk_words import WORDS as COUNT_WORDS
from branchline.web.core.pages.desk_words import CountContext
from branchline.web.core.pages.render import data, render
from branchline.web.core.pages.translation import N_, N_many, Several, translator_for

WORDS: dict[str, str | Several] = {
    "title": N_("Record a game turn by turn"),
    "turn_of": N_("{name}’s turn"),
    "cards": N_("Cards"),
    "route": N_("Route"),
    "tickets": N_("Tickets"),
    "build": N_("Build"),
    "more": N_("More"),
    "end": N_("End"),
    "open_card": N_("Taken from the market:"),
    "blind": N_("face down"),
    "blind_train": N_("train card, face down"),
    "blind_ship": N_("ship card, face down"),
    "two_unknown": N_("2 cards, not seen"),
    "refilled": N_("{card}: refilled from the {deck}"),
    "sweep": N_("The market was swept"),
    "drawn": N_("Drawn: {cards}"),
    "tap_route": N_("Tap the route on the map, or type two cities."),
    "tap_place": N_("Tap the city on the map, or type its name."),
    "paid_with": N_("Paid with:"),
    "turned": N_("Turned over:"),
    "enter": N_("Record"),
    "enter_unpaid": N_("Record without the cards"),
    "withdrawn": N_("Withdrawn from the tunnel"),
    "cancel": N_("Cancel"),
    "kept": N_("Tickets kept:"),
    "kept_count": N_many("{count} ticket kept", "{count} tickets kept"),
    "unknown": N_("unknown"),
    "passenger_at": N_("Passenger at {place}"),
    "nobody": N_("none"),
    "swap_for": N_("{count} swapped for {pieces}"),
    "pass": N_("pass"),
    "before": N_("Before the first turn"),
    "taken_by": N_("{route} already belongs to {name}."),
    "noted": N_("{name}: {what}"),
    "taken_back": N_("Undone: {what}"),
    "whose_tickets": N_("Choose a player above, then the tickets they held at the end."),
    "held_count": N_many("{name}: {count} ticket", "{name}: {count} tickets"),
    "make": N_("Create the replay"),
    "making": N_("Working out the hidden cards…"),
    "not_over": N_("The last turns are missing: according to the record, the game is not over yet."),
    "wrong": N_("Line {line}: {why}"),
    "no_network": N_("You are offline. The game is saved here; create the replay when you are online again."),
    "not_kept": N_(
        "This browser does not store data. Copy the text, or the game will be lost when you close the page."
    ),
    "unread": N_("This text does not name a known edition and its players."),
    "begin_anew": N_("Discard this game and start another?"),
    "turns": N_many("{count} turn recorded", "{count} turns recorded"),
    "fits": N_many(
        "{count} turn recorded. Everything is consistent so far.",
        "{count} turns recorded. Everything is consistent so far.",
    ),
}
SHARED = (
    "player",
    "nothing_near",
    "which",
    "none",
    "search_ticket",
    "all_tickets",
    "none_found",
    "type_route",
    "no_board",
    "of_seat",
    "station_of",
    "port_of",
    "unknown_edition",
)
"""Sentences of the count that are said here, too."""


def notate(context: CountContext) -> str:
    """Return the page, which holds no board: the browser asks for that of the game."""
    words = translator_for(context.visit.language)
    texts = {name: COUNT_WORDS[name] for name in SHARED} | WORDS
    start = {
        "language": words.language,
        "texts": {key: words.for_browser(text) for key, text in texts.items()},
        "boards": [
            {"edition": board.id, "title": board.title_in(words.language), "seats": board.seats}
            for board in context.boards
        ],
    }
    return render(
        "notate/notate.html",
        context.visit,
        title=f"{words('Record a game turn by turn')} · branchline",
        start=data(start),
        boards=context.boards,
    )
