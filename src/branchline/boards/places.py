"""`cities.csv` and the tables beside it, `layout.csv`, `passengers.csv` and `names.csv`: the places of a board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from unicodedata import normalize

from branchline.boards.board import Place
from branchline.boards.columns import Cities, Layout, Names, Passengers
from branchline.boards.faults import FaultList, did_you_mean, quoted
from branchline.boards.letters import LONGER, count, is_seen, line_of
from branchline.boards.limits import MAX_NAME, MAX_PLACES
from branchline.boards.names import SEPARATORS, plain, spellings
from branchline.boards.rows import Row, read_table
from branchline.boards.wording import Term, worded
from branchline.languages import LANGUAGES

FILE = "cities.csv"
LAYOUT = "layout.csv"
PASSENGERS = "passengers.csv"
NAMES = "names.csv"

_NOT_IN_NAMES = f',;|"{SEPARATORS.replace("-", "")}'  # they stand between names, here and in the texts of actions


def read_places(folder: Path, faults: FaultList) -> tuple[dict[str, Place] | None, dict[str, int]]:
    """Return the places by printed name (None where cities.csv is unreadable as a whole), and their lines."""
    misfits: list[str] = []
    rows = read_table(folder, FILE, Cities, MAX_PLACES, faults, misfits=misfits)
    if rows is None:
        return None, {}
    drawn_by_layout = (folder / LAYOUT).exists()
    places: dict[str, Place] = {}
    for row in rows:
        place = _place(row, len(places), drawn_by_layout)
        if place.name in places:
            row.wrong(worded("{name} twice", name=quoted(place.name)))
        elif place.name:
            places[place.name] = place  # even if unsound otherwise: its name is known
    for name in misfits:  # no use in calling it unknown wherever it stands
        places.setdefault(name, Place(len(places), name, "city", 0.0, 0.0))
    _check_spellings(rows, faults)
    _add_layout(folder, places, faults)
    _add_passengers(folder, places, faults)
    _add_exonyms(folder, places, faults)
    return places, {row.text("name"): row.line for row in reversed(rows)}


def _place(row: Row, index: int, drawn_by_layout: bool) -> Place:
    anywhere = 0.0 if drawn_by_layout else None  # with a layout nobody needs to know where on Earth it is
    kind = Cities.kind.read(row)
    port = Cities.port.read(row)
    if port and kind != "city":
        row.wrong(worded("a {kind} cannot have a port", kind=Term(kind)))
    return Place(
        index=index,
        name=_name(row, row.text("name")),
        kind=kind,
        lat=Cities.lat.read(row, default=anywhere),
        lon=Cities.lon.read(row, default=anywhere),
        aliases=tuple(_name(row, alias.strip()) for alias in row.text("aliases").split("|") if alias.strip()),
        port=port,
        nudge=(Cities.nudge_x.read(row), Cities.nudge_y.read(row)),
        label=Cities.label.read(row),
    )


def _name(row: Row, name: str) -> str:
    shown = set(line_of(name))
    bad = next((letter for letter in normalize("NFC", name) if letter in _NOT_IN_NAMES or letter not in shown), "")
    if not is_seen(name):
        row.wrong(worded("the name is empty"))
    elif count(name) > MAX_NAME or len(name) > LONGER * MAX_NAME:
        row.wrong(worded("the name {name} has more than {most} characters", name=quoted(name), most=MAX_NAME))
    elif bad:
        row.wrong(
            worded("the name {name} contains {bad}, which is not allowed in names", name=quoted(name), bad=quoted(bad))
        )
    elif not plain(name):
        row.wrong(worded("the name {name} has no letters or digits", name=quoted(name)))
    return name


def _check_spellings(rows: list[Row], faults: FaultList) -> None:
    """Check that no two places answer to the same name, however it is spelled."""
    owner: dict[str, Row] = {}
    for column in ("name", "aliases"):
        for row in rows:
            for name in (part.strip() for part in row.text(column).split("|")):
                other = owner.setdefault(plain(name), row) if plain(name) else row
                if other is not row and (column == "aliases" or other.text("name") != name):
                    means = {"name": quoted(name), "other": quoted(other.text("name")), "line": other.line}
                    if column == "aliases":
                        row.wrong(worded("alias {name} also means {other} of line {line}", **means))
                    else:
                        row.wrong(worded("{name} also means {other} of line {line}", **means))


def _add_layout(folder: Path, places: dict[str, Place], faults: FaultList) -> None:
    """Add positions on the drawn sheet: either for all places or for none."""
    rows = read_table(folder, LAYOUT, Layout, MAX_PLACES, faults, optional=True)
    if rows is None:
        return
    for row in rows:
        name = known_place(row, "name", places)
        if name is None:
            continue
        if places[name].sheet is not None:
            row.wrong(worded("{name} twice", name=quoted(name)))
        places[name] = replace(places[name], sheet=(Layout.x.read(row), Layout.y.read(row)))
    for place in places.values():
        if place.sheet is None:
            faults.add(LAYOUT, 0, worded("{name} is missing", name=quoted(place.name)))


def _add_passengers(folder: Path, places: dict[str, Place], faults: FaultList) -> None:
    """Add passengers standing at the places at the start (PAS-1); places left out have none."""
    rows = read_table(folder, PASSENGERS, Passengers, MAX_PLACES, faults, optional=True)
    seen: set[str] = set()
    for row in rows or ():
        name = known_place(row, "city", places)
        if name is None:
            continue
        if name in seen:
            row.wrong(worded("{name} twice", name=quoted(name)))
        seen.add(name)
        places[name] = replace(places[name], passengers=Passengers.count.read(row))


def _add_exonyms(folder: Path, places: dict[str, Place], faults: FaultList) -> None:
    """Add what other languages call the places: no name may mean two of them."""
    rows = read_table(folder, NAMES, Names, MAX_PLACES, faults, optional=True)
    owner = {plain(name): place.name for place in places.values() for name in place.names}
    for row in rows or ():
        name = known_place(row, "name", places)
        if name is None:
            continue
        if places[name].exonyms:
            row.wrong(worded("{name} twice", name=quoted(name)))
        exonyms = tuple((language, _name(row, row.text(language))) for language in LANGUAGES if row.text(language))
        for language, exonym in exonyms:
            other = owner.setdefault(plain(exonym), name)
            if exonym == name:
                row.wrong(
                    worded(
                        "{language}: {exonym} is the printed name; leave the cell empty",
                        language=language,
                        exonym=quoted(exonym),
                    )
                )
            elif other != name:
                row.wrong(
                    worded(
                        "{language}: {exonym} also means {other}",
                        language=language,
                        exonym=quoted(exonym),
                        other=quoted(other),
                    )
                )
        places[name] = replace(places[name], exonyms=exonyms)


def known_place(row: Row, column: str, places: Mapping[str, Place]) -> str | None:
    """Return the name in a cell, if cities.csv has it in exactly that spelling."""
    return known_name(row, row.text(column), places)


def known_name(row: Row, name: str, places: Mapping[str, Place]) -> str | None:
    """Return the same for a name out of a list in a cell."""
    if name in places:
        return name
    wanted = set(spellings(name)) - {""}
    other_spelling = (
        place.name
        for place in places.values()
        if any(wanted & set(spellings(other_name)) for other_name in place.names)
    )
    printed = next(other_spelling, None)
    near = worded(" (did you mean {name}?)", name=quoted(printed)) if printed else did_you_mean(name, places)
    row.wrong(
        worded("unknown place {name}{near}", name=quoted(name), near=near) if name else worded("a place is missing")
    )
    return None
