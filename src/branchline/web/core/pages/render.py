"""Templates into text: one Jinja2 environment for all pages."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, ModuleLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from branchline.draw.palette import THEMES
from branchline.web.core.pages import assets, browser_settings, components, labels, talk
from branchline.web.core.pages.navigation import sections
from branchline.web.core.pages.translation import LANGUAGES, N_many, Translator, translator_for
from branchline.web.core.visit import Visit

TEMPLATES = Path(__file__).parents[2]
"""Each template is called by its path from here, as in `lobby/home.html`."""
MADE = Path(__file__).with_name("made_templates")
"""Holds the templates as Python, on a site, where it takes long to make it of them."""


@functools.cache
def _environment() -> Environment:
    environment = Environment(
        loader=ModuleLoader(MADE) if MADE.is_dir() else FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.globals.update(
        labels=labels,
        components=components,
        talk=talk,
        languages=LANGUAGES,
        browser_settings=browser_settings.SETTINGS,
        sprite=functools.cache(components.sprite),
        asset=_asset,
        module=_module,
        theme_colours=theme_colours,
        sections=sections,
    )
    return environment


def make_templates(folder: Path) -> None:
    """Write all templates as Python into a folder."""
    _environment().compile_templates(folder, extensions=["html"], zip=None, ignore_errors=False)


@pass_context
def _asset(page: Context, name: str) -> str:
    """Return the address of a static file for the visitor of a page."""
    return assets.url(name, page["visit"].root)


@pass_context
def _module(page: Context, name: str) -> Markup:
    """Return a script of the page, and what it imports, fetched at the same time."""
    return _script(name, page["visit"].root)


@functools.cache
def _script(name: str, root: str) -> Markup:
    imported = [f'<link rel="modulepreload" href="{assets.url(other, root)}">' for other in assets.imports(name)]
    return Markup("\n".join([*imported, f'<script type="module" src="{assets.url(name, root)}"></script>']))


def theme_colours(visit: Visit) -> list[tuple[str, str]]:
    """Return the colour of the window around the page: for each scheme of the system, or (scheme empty) as was
    chosen.
    """
    chosen = visit.settings.get("theme", "")
    if chosen in THEMES:
        return [("", THEMES[chosen].halo)]
    return [(scheme, THEMES[scheme].halo) for scheme in ("light", "dark")]


@functools.cache
def _template(name: str) -> Any:
    template = _environment().get_template(name)
    template.globals = dict(template.globals)  # Jinja copies them for every rendering, a chain of maps slowly
    return template


def render(name: str, visit: Visit, /, **values: Any) -> str:
    """Return a template, filled in the visitor's language."""
    words = translator_for(visit.language)
    text: str = _template(name).render(
        _=words, n_=words.many, words=words, visit=visit, texts=lambda: _texts(words), **values
    )
    return text


def _texts(words: Translator) -> Markup:
    """Return the sentences of the modules in the browser, as JSON for a data block."""
    texts = {
        "lost": words("Connection lost. Reconnecting…"),
        "found": words("Reconnected."),
        "go_on": words("The server cannot be reached. The game can go on here, in your browser."),
        "play_here": words("Play on here"),
        "ended": words("The connection was closed. Reload the page."),
        "stale": words("The table has changed in the meantime. Look again."),
        "not_yours": words("It is not your turn."),
        "away": words("The games cannot be reached right now. Nothing is lost; try again soon."),
        "disk_full": words(
            "There is no room left to save this. Everything before it was saved; try again when there is room."
        ),
        "nothing_to_undo": words("There is nothing to undo."),
        "no_coach": words("The coach has nothing to say right now."),
        "links": words("The links have been replaced. The old ones no longer work."),
        "copied": words("Copied."),
        "noMoreMistakes": words("There are no more mistakes in this direction."),
        "no_line": words("There is no route here."),
        "pays": words.for_browser(N_many("can pay for {count} route now", "can pay for {count} routes now")),
        "for_tickets": words("for {tickets}"),
        "unread": words("unread"),
    } | {reason: words(refusal) for reason, refusal in talk.REFUSALS.items()}
    return Markup(json.dumps(texts, ensure_ascii=False).replace("<", "\\u003c"))


def part(name: str, words: Translator, /, **values: Any) -> Markup:
    """Return a part of a page, for pages put together in Python."""
    return Markup(_template(name).render(_=words, n_=words.many, words=words, **values))


def data(value: Any) -> Markup:
    """Return JSON for a data block of the page."""
    return Markup(json.dumps(value, ensure_ascii=False).replace("<", "\\u003c"))
