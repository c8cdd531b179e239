"""The frame around the pages of a site that runs in the browser (`branchline.site`), and what it tells."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from markupsafe import Markup

from branchline.web.core.pages.render import render
from branchline.web.core.pages.translation import LANGUAGES, translator_for
from branchline.web.core.visit import Visit

_TOKEN = re.compile(r'name="csrf" value="([^"]+)"')


def frame(root: str, scripts: str, settings: Mapping[str, object]) -> str:
    """Return the page; `scripts` is where its scripts are, `settings` what they need to know."""
    data = json.dumps({**settings, "languages": list(LANGUAGES), "words": _words()}, ensure_ascii=False)
    text = Markup(data.replace("<", "\\u003c"))
    return render("site/site.html", Visit(root=root), scripts=scripts, said=text)


def _words() -> dict[str, dict[str, str]]:
    return {code: _in(code) for code in LANGUAGES}


def _in(code: str) -> dict[str, str]:
    words = translator_for(code)
    return {
        "starting": words("Loading… You can read on; playing starts when it is done."),
        "failed": words("Something is not working here:"),
        "unsafe": words("Without a server, games can be played only on https addresses and on this very machine."),
        "blocked": words(
            "This browser does not let this site store anything. Allow cookies and site data for this address, or "
            "leave the private window, and reload the page."
        ),
        "forgets": words(
            "This browser stores nothing: the window is private, or there is no room left. Games here are lost when "
            "you close the last page."
        ),
        "full": words(
            "This browser has no room left. Your last step was not saved; everything before it was. Save your games "
            "to a file, delete old ones or free some space on this device. Then go on playing."
        ),
        "only_online": words("This browser has no room left to store this site, so you can play only while online."),
        "unwritten": words(
            "The browser could not save your last step; everything before it was saved. Try again or reload the page."
        ),
        "offline": words(
            "You are offline. The game goes on here and comes back to the server when you are online again."
        ),
        "online": words("The server can be reached again."),
        "server": words("Go to the server"),
        "along": words("Take my games with me"),
        "mine": words("My games"),
    }


def form_token_in(page: str) -> str:
    """Return the token in the forms of a page."""
    token = _TOKEN.search(page)
    if token is None:
        raise ValueError("the page has no form")
    return token[1]
