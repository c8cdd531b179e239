"""The features of the web application, each a folder of its own. A new one is one line here."""

from __future__ import annotations

from importlib import import_module

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
    "count",
    "evenings",
    "notate",
)
"""The folders, in the order in which their addresses are tried. What each does is said by `FEATURE` of its `routes`."""

_OUR_OWN = ("api", "healthz", "manifest.webmanifest", "offline", "readyz", "service-worker.js", "static")


def _feature(name: str) -> Feature:
    feature = import_module(f"branchline.web.{name}.routes").FEATURE
    assert isinstance(feature, Feature)
    return feature


FEATURES = tuple(map(_feature, NAMES))


def first_words() -> frozenset[str]:
    """Return what the paths of the application begin with."""
    return frozenset(_OUR_OWN).union(*(feature.words for feature in FEATURES))
