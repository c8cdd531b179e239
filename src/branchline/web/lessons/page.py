"""Where people learn the game: the lessons of each edition, and how far one is."""

from __future__ import annotations

from dataclasses import dataclass

from branchline.boards import Board
from branchline.web.core.pages.render import render
from branchline.web.core.pages.thumbnail import thumbnail
from branchline.web.core.pages.translation import translator_for
from branchline.web.core.visit import Visit


@dataclass(frozen=True)
class LessonLine:
    """A lesson in a list."""

    name: str
    title: str
    done: bool


@dataclass(frozen=True)
class LessonCourse:
    """The lessons of an edition."""

    board: Board
    lessons: tuple[LessonLine, ...]
    next: str  # the name of the first that is not done; empty: all are


@dataclass(frozen=True)
class LearnContext:
    """Where people learn the game."""

    visit: Visit
    courses: tuple[LessonCourse, ...]


def learn(context: LearnContext) -> str:
    """Return all lessons by edition."""
    words = translator_for(context.visit.language)
    title = words("Learn by playing")
    return render(
        "lessons/learn.html", context.visit, context=context, title=f"{title} · branchline", thumbnail=thumbnail
    )
