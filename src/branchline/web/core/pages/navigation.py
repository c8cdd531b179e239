"""The sections of the site, which every page names at its top."""

from __future__ import annotations

from branchline.web.core.pages.translation import N_, Translator

REAL_TABLE = "/table"

SECTIONS = (
    ("/", N_("Play"), ("new", "t", "j", "d", "w", "upload")),
    ("/learn", N_("Learn"), ("learn",)),
    (REAL_TABLE, N_("At the table"), ("table", "deal", "rules", "referee", "count", "notate", "evenings")),
    ("/workshop", N_("Make"), ("workshop",)),
    ("/mine", N_("Mine"), ("mine", "along")),
)
"""Where each begins, how it is called, and the first words of the addresses that belong to it."""


def sections(words: Translator, path: str) -> list[tuple[str, str, str]]:
    """List the sections: "page" where the reader is, "true" for the section of that page, else ""; address; name."""
    first = path.split("/")[1] if path.startswith("/") else ""
    return [
        ("page" if path == start else "true" if first in inside else "", start, words(name))
        for start, name, inside in SECTIONS
    ]


WHAT_IT_IS = N_(
    "Five railway board games in your browser: against bots right away, with friends by link, or around one device."
)
