"""Suggestions for a draft, as steps: colours and values, dealt tickets, and what a new route may be like."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from branchline.boards.limits import MAX_TICKETS
from branchline.boards.wording import worded
from branchline.web.workshop.saving import SaveError
from branchline.workshop import Draft, Step, colouring, dealing, suggestions


def suggested(draft: Draft, fields: Mapping[str, str]) -> Step:
    """Return the step that a form asks for. Raise `BranchlineError` where there is none."""
    task = fields.get("what", "")
    if task == "values":
        return suggestions.valued(draft)
    if task == "colours":
        return colouring.coloured(draft, secrets.randbelow(1 << 30), everything=True)
    if task == "deal":
        counts = {name.removeprefix("deck "): _count(text) for name, text in fields.items() if name.startswith("deck ")}
        return dealing.dealt(draft, counts, secrets.randbelow(1 << 30), keep=fields.get("keep") == "1")
    raise SaveError("there is no such suggestion")


def _count(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or len(text) > 3 or int(text) > MAX_TICKETS:
        raise SaveError(worded("expected a number of tickets, 0 to {most}", most=MAX_TICKETS))
    return int(text)


def suggested_route(draft: Draft, params: Mapping[str, str]) -> dict[str, str]:
    """Return length and colour for a route between the places `a` and `b`; empty where nothing can be suggested."""
    a, b, kind, row = (params.get(name, "")[:60] for name in ("a", "b", "kind", "row"))
    text = params.get("length", "")
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 3 else None
    length = number or suggestions.length(draft, a, b) or 1
    return {"length": str(length), "colour": suggestions.colour(draft, a, b, length, kind or "rail", row)}
