"""What is wrong with a board, a file, a step or an action, in the reader's language.

The reader of boards and the workshop say it in English as a `Message`: its template stands in the catalogues, and the
words of the files are named as the forms of the editor name them.
"""

from __future__ import annotations

from string import Formatter

from branchline.boards.wording import Message, Term, joined
from branchline.game.reasons import IMPOSSIBLE, Reason
from branchline.web.core.pages import labels, reason_text
from branchline.web.core.pages.translation import N_, Translator, translator_for
from branchline.web.core.seen import TableContext

KINDS = {
    "city": N_("city"),
    "country": N_("country"),
    "waypoint": N_("junction"),
    "rail": N_("rail"),
    "tunnel": N_("tunnel"),
    "ferry": N_("ferry"),
    "sea": N_("sea"),
    "tram": N_("tram"),
    "subway": N_("subway"),
}
"""Of places and of routes."""

COLUMNS = {
    "name": N_("Name"),
    "kind": N_("Kind"),
    "port": N_("Port"),
    "lat": N_("Latitude"),
    "lon": N_("Longitude"),
    "x": N_("Across the sheet (0 to 1)"),
    "y": N_("Down the sheet (0 to 1)"),
    "count": N_("Passengers"),
    "nudge_x": N_("Nudge to the right (px)"),
    "nudge_y": N_("Nudge down (px)"),
    "label": N_("Side of the name"),
    "aliases": N_("Other names"),
    "city_a": N_("From"),
    "city_b": N_("To"),
    "length": N_("Length"),
    "colour": N_("Colour"),
    "wilds": N_("Wild symbols"),
    "pairs": N_("Difficult spaces"),
    "wraps": N_("Crosses the edge of a round map"),
    "value": N_("Value"),
    "deck": N_("Deck"),
    "cities": N_("Cities in order"),
    "value_in_order": N_("Value in this order"),
    "value_any_order": N_("Value in any order"),
    "penalty": N_("Points lost"),
}

_TERMS = {**COLUMNS, **KINDS, **labels.COLOURS}


def told(language: str, message: str) -> str:
    """Return a message in a language. A text that is not a `Message` stays as it is."""
    words = translator_for(language)
    return message if words.language == "en" else str(_told(words, message))


def refusal(context: TableContext, why: str) -> str:
    """Return why what somebody at this table did is not allowed, in their language.

    A reason is told alone, without what it stands in. A line that is no message is English: other languages speak in
    general.
    """
    words = translator_for(context.visit.language)
    within = why.values.get("why") if isinstance(why, Message) else None
    reason = within if isinstance(within, Reason) else why
    if not isinstance(reason, Message) and words.language != "en":
        reason = IMPOSSIBLE()
    if isinstance(reason, Reason):
        return reason_text.in_words(words, context.players, reason)
    return told(words.language, reason)


def _told(words: Translator, value: object) -> object:
    if isinstance(value, Reason):
        return reason_text.in_words(words, (), value)
    if isinstance(value, Message):
        template = value.template.lstrip()
        before = value.template.removesuffix(template)
        fields = {name: joined(_told(words, item)) for name, item in value.values.items()}
        return before + (_Fields().format(words(template), **fields) if fields else words(template))
    if isinstance(value, tuple):
        return tuple(_told(words, item) for item in value)
    if isinstance(value, Term):
        return words(_TERMS[value]) if value in _TERMS else str(value)
    return value


class _Fields(Formatter):
    """Fills in numbers as all our other languages write them: a decimal comma, thousands apart."""

    def format_field(self, value: object, format_spec: str) -> str:
        """Return one field as text."""
        text = str(super().format_field(value, format_spec))
        if isinstance(value, float):
            return text.replace(".", ",")
        return text.replace(",", "\N{NO-BREAK SPACE}") if isinstance(value, int) else text
