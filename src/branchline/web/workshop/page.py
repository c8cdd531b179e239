"""The pages of the workshop: where boards are begun, and the editor."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from markupsafe import Markup, escape

from branchline.boards import Board
from branchline.boards.board import COLOURS, GRAY, LABEL_SIDES, PLACE_KINDS, ROUTE_KINDS
from branchline.boards.limits import MAX_LENGTH, MAX_NAME, MAX_PLACES, MAX_ROUTES, MAX_TICKETS
from branchline.boards.schema import SECTIONS, Entry, KeySection
from branchline.languages import LANGUAGES as NAMED_IN
from branchline.web.core.pages import labels
from branchline.web.core.pages.fault_text import KINDS
from branchline.web.core.pages.render import data, render
from branchline.web.core.pages.thumbnail import thumbnail
from branchline.web.core.pages.translation import LANGUAGES, N_, N_many, Several, Translator, translator_for
from branchline.web.core.visit import Visit
from branchline.workshop import Draft, printing, region
from branchline.workshop.ground import WHOLE_EARTH, ground_of


@dataclass(frozen=True)
class DraftLine:
    """A board of the workshop in a list."""

    title: str
    path: str
    touched: float  # seconds since 1970


@dataclass(frozen=True)
class WorkshopContext:
    """Where boards are begun."""

    visit: Visit
    editions: tuple[Board, ...]
    public: tuple[DraftLine, ...]  # boards that their makers have made public
    problem: str = ""  # why nothing was begun, in one clear line
    filled: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class EditorContext:
    """A board of the workshop, to be changed or looked at."""

    visit: Visit
    path: str  # the address of the page, with its key
    id: str
    title: str
    version: int
    content: str  # JSON: workshop.Draft
    may_edit: bool
    public: bool
    look_link: str  # path of the link for looking
    bots: tuple[str, ...]
    usual_bot: str


REGIONS = {
    "europe": (N_("Europe"), (-11.0, 35.0, 41.0, 61.0)),
    "middle": (N_("Central Europe"), (5.0, 45.0, 25.0, 55.5)),
    "britain": (N_("Britain and Ireland"), (-11.0, 49.5, 2.5, 59.0)),
    "iberia": (N_("Spain and Portugal"), (-10.0, 35.5, 4.0, 44.5)),
    "italy": (N_("Italy"), (6.0, 36.0, 19.0, 47.5)),
    "nordic": (N_("Nordic countries"), (4.0, 54.0, 32.0, 71.5)),
    "poland": (N_("Poland"), (13.5, 48.7, 24.5, 55.2)),
    "czech": (N_("Czechia"), (11.8, 48.3, 19.2, 51.3)),
    "germany": (N_("Germany"), (5.0, 46.8, 15.5, 55.3)),
    "usa": (N_("United States"), (-126.0, 24.0, -66.0, 50.5)),
    "south america": (N_("South America"), (-83.0, -56.0, -33.0, 13.5)),
    "africa": (N_("Africa"), (-20.0, -36.0, 53.0, 38.5)),
    "india": (N_("India"), (67.0, 6.0, 98.0, 36.0)),
    "east asia": (N_("East Asia"), (95.0, 17.0, 147.0, 55.0)),
    "japan": (N_("Japan"), (128.0, 30.0, 147.0, 46.0)),
    "australia": (N_("Australia"), (112.0, -45.0, 155.0, -9.0)),
    "world": (N_("The whole world"), (-170.0, -56.0, 190.0, 74.0)),
}

SIDES = {
    "n": N_("above"),
    "ne": N_("above right"),
    "e": N_("right"),
    "se": N_("below right"),
    "s": N_("below"),
    "sw": N_("below left"),
    "w": N_("left"),
    "nw": N_("above left"),
}

_TEXTS: dict[str, str | Several] = {
    "saved": N_("All changes saved"),
    "saving": N_("Saving…"),
    "often": N_("Saving too often. Your changes are safe in this browser and will be saved in a moment."),
    "away": N_("The server cannot be reached. Your changes are safe in this browser and will be saved later."),
    "refused": N_("The server rejected the last change: {why}"),
    "expired": N_("Reload the page to continue. Your changes are saved in this browser."),
    "lost": N_("Someone else changed the same thing at the same time. Not saved: {names}"),
    "cannot_undo": N_("This can no longer be undone: it was changed elsewhere in the meantime."),
    "undone": N_("Undone: {name}"),
    "redone": N_("Redone: {name}"),
    "undo": N_("Undo: {name}"),
    "redo": N_("Redo: {name}"),
    "nothing_to_undo": N_("Nothing to undo"),
    "nothing_to_redo": N_("Nothing to redo"),
    "add": N_("Add {name}"),
    "delete": N_("Delete {name}"),
    "move": N_("Move {name}"),
    "change": N_("Change {name}"),
    "rename": N_("Rename {old} to {name}"),
    "rules": N_("Rules: {name}"),
    "backdrop": N_("Change the backdrop"),
    "replace": N_("Import {name}"),
    "ticket": N_("ticket {name}"),
    "tour": N_("tour {name}"),
    "place": N_("place {name}"),
    "route": N_("route {name}"),
    "unnamed": N_("unnamed"),
    "new_place": N_("New place {number}"),
    "sound": N_("No errors"),
    "faults": N_many("{count} error", "{count} errors"),
    "advice": N_many("{count} suggestion", "{count} suggestions"),
    "checking": N_("Checking…"),
    "no_check": N_("Checking is unavailable while the server cannot be reached."),
    "count": N_("{count} of at most {most}"),
    "full": N_("Limit reached: {most}"),
    "near_full": N_("Room for {count} more"),
    "none_found": N_("No matches."),
    "empty_places": N_("No places yet. Click the map with the “Place” tool, or type a name above."),
    "empty_routes": N_("No routes yet. Drag from place to place with the “Route” tool, or choose two places above."),
    "empty_tickets": N_("No tickets yet. Choose two places above, or have tickets dealt."),
    "added": N_("Added: {name}."),
    "done": N_("Done: {name}."),
    "moved": N_("Moved: {name}."),
    "which_place": N_("Several places start with {name}: {names}."),
    "unknown_place": N_("There is no place called {name}."),
    "two_places": N_("Choose two different places."),
    "needs_name": N_("A place needs a name."),
    "taken_name": N_("There is already a place called {name}."),
    "first_end": N_("From {name}: now choose the other place."),
    "placed": N_("{name} is on the map. You can now type its name."),
    "place_it": N_("Click the map where {name} is."),
    "place_or_town": N_("Click the map where {name} is. Did you mean {names}?"),
    "off_map": N_("{name} lies outside the map."),
    "deleted": N_("Deleted: {name}. You can undo this."),
    "copied": N_("Copied."),
    "opened": N_("This could not be saved:"),
    "all_kept": N_("Everything was imported."),
    "no_drawing": N_("The drawing is not available: {why}"),
    "faulty": N_("The board still has errors; they are listed under “Check”."),
    "public": N_("Listed on the workshop page."),
    "private": N_("Only people with the link can open it."),
    "failed": N_("That did not work. Try again later."),
    "too_large": N_("Too large: at most 2 MB in total."),
    "spaces": N_many("{count} space", "{count} spaces"),
    "dealt": N_many("Deal {count} ticket", "Deal {count} tickets"),
    "values": N_("Set values to shortest ways"),
    "colours": N_("Reassign colours"),
    "nothing": N_("Nothing to change."),
    "untitled": N_("untitled board"),
    "points_of": N_("{count} pts"),
}

_CODE = re.compile(r"`(.+?)`")


def workshop(context: WorkshopContext) -> str:
    """Return where a board begins."""
    words = translator_for(context.visit.language)
    return render(
        "workshop/workshop.html",
        context.visit,
        context=context,
        title=f"{words('Workshop')} · branchline",
        thumbnail=thumbnail,
        regions=REGIONS,
        earth=_earth()[0],
        earth_height=f"{_earth()[1]:.0f}",
        earth_bounds=json.dumps(WHOLE_EARTH),
        said=data({name: words(_TEXTS[name]) for name in ("untitled", "failed", "too_large")}),
    )


def editor(context: EditorContext) -> str:
    """Return the page of a board that is being made."""
    words = translator_for(context.visit.language)
    start = {
        "id": context.id,
        "path": context.visit.root + context.path,
        "version": context.version,
        "mayEdit": context.may_edit,
        "csrf": context.visit.csrf,
        "most": {"cities": MAX_PLACES, "routes": MAX_ROUTES, "tickets": MAX_TICKETS},
        "longest": MAX_NAME,
        "colours": {name: words(text) for name, text in labels.COLOURS.items()},
        "kinds": {name: words(text) for name, text in KINDS.items()},
        "language": words.language,
        "texts": {name: words.for_browser(text) for name, text in _TEXTS.items()},
    }
    return render(
        "workshop/editor.html",
        context.visit,
        context=context,
        title=f"{context.title} · branchline",
        start=data(start),
        content=Markup(context.content.replace("<", "\\u003c")),
        rule_sections=_as_makers_think(),
        explained=lambda text: explained(words, text),
        usual=lambda section: json.dumps(dict(section.usual or {})),
        kinds={name: words(text) for name, text in KINDS.items()},
        place_kinds=PLACE_KINDS,
        route_kinds=ROUTE_KINDS,
        route_colours=(*COLOURS, GRAY),
        colours={name: words(text) for name, text in labels.COLOURS.items()},
        label_sides=LABEL_SIDES,
        sides={side: words(text) for side, text in SIDES.items()},
        lengths=range(1, MAX_LENGTH + 1),
        named_in={code: LANGUAGES[code] for code in NAMED_IN},
        longest_name=MAX_NAME,
    )


def print_words(language: str) -> dict[str, str]:
    """Return what stands at the foot of printed sheets."""
    words = translator_for(language)
    return {key: words(phrase) for key, phrase in printing.WORDS.items()}


def explained(words: Translator, text: str) -> Markup:
    """Return the meaning of a key in the reader's language; text between backticks is code."""
    html = str(escape(words(text)))
    return Markup(_CODE.sub(r"<code>\1</code>", html))


_MAKERS_ORDER = (
    *("", "seats", "pieces", "fleet", "cards", "points", "points_subway", "tickets", "tickets.first", "tickets.later"),
    *("parallel", "ending", "bonuses", "tunnels", "stations", "ports", "passengers", "titles"),
)


def _as_makers_think() -> list[tuple[KeySection, tuple[Entry, ...]]]:
    """Return the sections of the rules, with their keys, in the order in which a maker meets them; the title first."""
    order = {name: number for number, name in enumerate(_MAKERS_ORDER)}
    sections = sorted(SECTIONS, key=lambda section: order.get(section.path, len(order)))
    return [
        (section, tuple(sorted(section.entries, key=lambda entry: entry.names != ("title",)))) for section in sections
    ]


@functools.cache
def _earth() -> tuple[Markup, float]:
    """Return a small map of the world, to choose a region on, and its height."""
    bounds = WHOLE_EARTH
    draft = Draft(settings={"map": {"bounds": list(bounds)}}, backdrop=region.backdrop(bounds))
    ground = ground_of(draft, coarse=2.0)
    paths = Markup('<path class="land" d="{}"/><path class="lake" d="{}"/>')
    return paths.format(ground.paths.get("land", ""), ground.paths.get("lake", "")), ground.height
