"""Where people learn the game: the lessons of each edition, and how far one is."""

from __future__ import annotations

from branchline.web.context import LearnContext
from branchline.web.core.pages.render import render
from branchline.web.core.pages.thumbnail import thumbnail
from branchline.web.core.pages.translation import translator_for


def learn(context: LearnContext) -> str:
    """All lessons by edition."""
    words = translator_for(context.visit.language)
    title = words("Learn by playing")
    return render(
        "lessons/learn.html", context.visit, context=context, title=f"{title} · branchline", thumbnail=thumbnail
    )
