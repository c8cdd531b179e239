"""The features of the web application, each a folder of its own. A new one is one line here."""

from __future__ import annotations

from branchline.web.core.feature import Feature
from branchline.web.count import routes as count
from branchline.web.dealing import routes as dealing
from branchline.web.evenings import routes as evenings
from branchline.web.exercises import routes as exercises
from branchline.web.lessons import routes as lessons
from branchline.web.lobby import routes as lobby
from branchline.web.my_games import routes as my_games
from branchline.web.notate import routes as notate
from branchline.web.notices import routes as notices
from branchline.web.replay import routes as replay
from branchline.web.rules import routes as rules
from branchline.web.table import routes as table
from branchline.web.workshop import feature as workshop

FEATURES: tuple[Feature, ...] = (
    lobby.FEATURE,
    table.FEATURE,
    replay.FEATURE,
    exercises.FEATURE,  # before the lessons, whose addresses take any two words
    lessons.FEATURE,
    notices.FEATURE,
    workshop.FEATURE,
    dealing.FEATURE,
    rules.FEATURE,
    my_games.FEATURE,
    count.FEATURE,
    evenings.FEATURE,
    notate.FEATURE,
)

_OUR_OWN = ("api", "healthz", "manifest.webmanifest", "offline", "readyz", "service-worker.js", "static")


def first_words() -> frozenset[str]:
    """Return what the paths of the application begin with."""
    return frozenset(_OUR_OWN).union(*(feature.words for feature in FEATURES))
