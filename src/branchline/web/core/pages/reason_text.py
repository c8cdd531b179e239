"""Why something is not allowed, in the reader's language: the sentence that stands with a reason, by its code."""

from __future__ import annotations

from branchline.game.reasons import Reason
from branchline.web.core.pages import components, labels
from branchline.web.core.pages.translation import Several, Translator
from branchline.web.core.seen import Player


def in_words(words: Translator, players: tuple[Player, ...], reason: Reason) -> str:
    """Return what a page says of a reason. Seats without a player here are named by their number."""
    sentence = reason.sentence
    return words(sentence if isinstance(sentence, str) else Several(*sentence), **_fields(words, players, reason))


def _fields(words: Translator, players: tuple[Player, ...], reason: Reason) -> dict[str, object]:
    fields = dict(reason.values)
    if isinstance(seat := fields.get("seat"), int):
        fields["name"] = components.name_of(words, players[seat] if seat < len(players) else Player(seat, "person", ""))
    if "piece" in fields:
        fields["piece"] = labels.pieces(words, str(fields["piece"]))
    if "colour" in fields:
        fields["colour"] = labels.colour(words, str(fields["colour"]))
    return fields
