"""The features of the web application, each a folder of its own. A new one is one line here."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from branchline.web.core.feature import Feature

NAMES = (
    "lobby",
    "table",
    "replay",
    "exercises",  # before the lessons, whose addresses take any two words
    "lessons",
    "notices",
    "workshop",
    "dealing",
    "rules",
    "my_games",
    "along",
    "count",
    "evenings",
    "notate",
)
"""The folders, in the order in which their addresses are tried. What each does is said by `FEATURE` of its `routes`."""

_OUR_OWN = ("api", "healthz", "manifest.webmanifest", "offline", "readyz", "service-worker.js", "static")


@cache
def features() -> tuple[Feature, ...]:
    """Return all features.

    They are imported here, because importing them takes longer than all else, and the process that only looks after
    the others needs none of them.
    """
    return tuple(import_module(f"branchline.web.{name}.routes").FEATURE for name in NAMES)


def first_words() -> frozenset[str]:
    """Return what the paths of the application begin with."""
    return frozenset(_OUR_OWN).union(*(feature.words for feature in features()))
