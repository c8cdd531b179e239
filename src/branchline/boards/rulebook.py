"""Reads `board.toml`: the rules printed with a board, section by section as `boards.schema` lists them."""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Callable, MutableMapping
from pathlib import Path
from typing import Any

from branchline.boards.board import FIRST_PIECES, SECOND_PIECES, Board
from branchline.boards.faults import FaultList, quoted
from branchline.boards.files import RULES
from branchline.boards.limits import ID, MAX_LENGTH, MAX_OFFER, MAX_PIECES
from branchline.boards.schema import SECTIONS, KeySection
from branchline.boards.sections import Section, read_sections
from branchline.boards.wording import worded

Values = MutableMapping[str, Any]  # of a record, by attribute


def read_rulebook(folder: Path, faults: FaultList) -> tuple[Board | None, Section | None]:
    """Return the board without its map, and the sections it was read from (for later faults to point at)."""
    top = read_sections(folder, RULES, faults)
    if top is None:
        return None, None
    opened: dict[str, Section | None] = {"": top}
    records: dict[str, Values] = {}  # by the attribute that holds them
    for part in SECTIONS:
        section = opened[part.path] = top if part.path == "" else _opened(part, opened)
        if section is not None or not part.own:
            values = _read(part, section, records)
            if section is not None and part.path in _CHECKS:
                _CHECKS[part.path](section, values)
    if (looks := opened["map"]) is not None:
        _check_backdrop(looks, folder)
        records["map"] = dict(looks.entries)  # as they are written
    for section in opened.values():
        if section is not None:
            section.close()
    return _board(records), top


def _opened(part: KeySection, opened: dict[str, Section | None]) -> Section | None:
    """Return the section of a file; an empty one if it is needed and missing, as one fault is enough."""
    around, _, name = part.path.rpartition(".")
    outer = opened[around]
    optional = part.usual is not None
    section = outer.section(name, optional=optional) if outer is not None else None
    return Section(RULES, part.path, {}, {}, FaultList()) if section is None and not optional else section


def _read(part: KeySection, section: Section | None, records: dict[str, Values]) -> Values:
    """Read the keys of a section into its record; return this with those around it."""
    values = records.setdefault(part.held, {})
    record = ChainMap(values, records.get(part.held.rpartition(".")[0], {}))
    for attribute, key in part.keys:
        value = key.nothing if section is None else key.read_all(section, key.names or (attribute,), record)
        values[attribute] = values[attribute] + value if attribute in values else value
    return record


def _board(records: dict[str, Values]) -> Board:
    for part in reversed(SECTIONS):  # from the innermost
        if part.held in records and part.held:
            around, _, attribute = part.held.rpartition(".")
            records[around][attribute] = part.record(**records.pop(part.held))
    return Board(**records[""])


# --- what must hold between the keys of a section


def _check_id(top: Section, values: Values) -> None:
    if values["id"] and not re.fullmatch(ID, values["id"]):
        problem = worded(
            'id is "{name}", expected small letters a to z, digits, - and _, a letter first', name=values["id"]
        )
        top.wrong("id", problem)


def _check_seats(section: Section, values: Values) -> None:
    fewest, most = values["seats"]
    if most < fewest:
        problem = worded("[seats] from {fewest} to {most}: the smaller number comes first", fewest=fewest, most=most)
        section.wrong("to", problem)


def _check_decks(section: Section, values: Values) -> None:
    decks = values["decks"] = values["decks"] or ("tickets",)
    for deck in decks:
        if not re.fullmatch(r"[a-z][a-z0-9_-]*", deck):
            problem = worded("[tickets] decks: {deck} is not one word of small letters", deck=quoted(deck))
            section.wrong("decks", problem)
    if len(set(decks)) < len(decks):
        section.wrong("decks", worded("[tickets] decks: two decks are both called {deck}", deck=decks[0]))


def _check_draw(section: Section, values: Values) -> None:
    deal, mix, name = values["deal"], values["mix"], section.name
    if mix and deal:
        section.wrong("mix", worded("[{name}] has both deal and mix; keep one of them", name=name))
    if mix and len(values["decks"]) < 2:
        section.wrong("mix", worded("[{name}] mix needs two decks; with one deck say deal", name=name))
    if deal and not mix and not 1 <= sum(deal) <= MAX_OFFER:
        problem = worded(
            "[{name}] deals {offer} tickets, expected 1 to {most}", name=name, offer=sum(deal), most=MAX_OFFER
        )
        section.wrong("deal", problem)


def _check_pieces(section: Section, values: Values) -> None:
    names = values["names"] = tuple(kind for kind in (*FIRST_PIECES, *SECOND_PIECES) if kind in section)
    count = sum(values["count"])
    if len([kind for kind in names if kind in FIRST_PIECES]) != 1:
        section.wrong("train", worded("[pieces] must have either train or tram"))
    if len([kind for kind in names if kind in SECOND_PIECES]) > 1:
        section.wrong("subway", worded("[pieces] may have ship or subway, not both"))
    if count > MAX_PIECES:
        section.wrong(
            names[0], worded("[pieces] has {count} pieces, the limit is {most}", count=count, most=MAX_PIECES)
        )


def _check_lengths(section: Section, values: Values) -> None:
    for key in section.entries:
        if key not in section.asked:
            problem = worded(
                "[{name}] {key} is not a length; lengths run from 1 to {most}",
                name=section.name,
                key=quoted(key),
                most=MAX_LENGTH,
            )
            section.wrong(key, problem)
            section.asked[key] = None  # once is enough
    if not any(str(length) in section.entries for length in range(1, MAX_LENGTH + 1)):
        problem = worded(
            "[{name}] is empty; expected lines such as 4 = 7 (four spaces, seven points)", name=section.name
        )
        section.wrong("", problem)


def _check_ports(section: Section, values: Values) -> None:
    if values["train_cards"] + values["ship_cards"] == 0:
        section.wrong("train_cards", worded("[ports] a port must cost at least one card"))


def _check_bounds(section: Section, values: Values) -> None:
    match section.entries.get("bounds"):
        case [
            int() | float() as west,
            int() | float() as south,
            int() | float() as east,
            int() | float() as north,
        ]:
            if not (west < east and -90 <= south < north <= 90):
                section.wrong("bounds", worded("[map] bounds are west, south, east, north, in this order"))


def _check_backdrop(section: Section, folder: Path) -> None:
    name = section.entries.get("backdrop")
    if isinstance(name, str) and not (re.fullmatch(r"[\w.\-]+", name) and (folder / name).is_file()):
        section.wrong("backdrop", worded("[map] backdrop: the folder has no file {name}", name=quoted(name)))


_CHECKS: dict[str, Callable[[Section, Values], None]] = {
    "": _check_id,
    "seats": _check_seats,
    "tickets": _check_decks,
    "tickets.first": _check_draw,
    "tickets.later": _check_draw,
    "pieces": _check_pieces,
    "points": _check_lengths,
    "points_subway": _check_lengths,
    "ports": _check_ports,
    "map": _check_bounds,
}
