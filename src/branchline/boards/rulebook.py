"""`board.toml`: the rules printed with a board, section by section in the order of the file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from branchline.boards.board import (
    COLOURS,
    CardRules,
    EndRules,
    PassengerRules,
    PieceRules,
    PortRules,
    StationRules,
    TicketRules,
)
from branchline.boards.components import FILE, read_cards, read_pieces, read_ticket_rules
from branchline.boards.faults import FaultList, quoted
from branchline.boards.limits import (
    LANGUAGES,
    MAX_EACH,
    MAX_EXTRA_TURNS,
    MAX_LENGTH,
    MAX_LINE,
    MAX_PASSENGERS,
    MAX_PIECES,
    MAX_POINTS,
    MAX_PORT_TICKETS,
    MAX_PORTS,
    MAX_SEATS,
    MAX_STATIONS,
    MAX_TURNED,
)
from branchline.boards.sections import Section, read_sections
from branchline.boards.wording import worded
from branchline.plain_data import JsonObject

LONGEST_TITLE = 60
TIES = ("tickets_done", "fewest_stations", "longest_trail", "passengers")


ID = r"[a-z][a-z0-9_-]*"
LONGEST_ID = 32
"""What the id of a board looks like."""


@dataclass(frozen=True)
class Rulebook:
    """All of board.toml. Its fields are those of `Board`."""

    id: str
    title: str
    rulebook: str
    rules_version: int
    reconstructed: bool
    notes: tuple[str, ...]
    seats: tuple[int, int]
    cards: CardRules
    ticket_rules: TicketRules
    pieces: PieceRules
    passengers: PassengerRules | None
    one_line_up_to: int
    kinds_apart: bool
    tunnel_cards: int
    stations: StationRules | None
    points: tuple[int, ...]
    subway_points: tuple[int, ...]
    ports: PortRules | None
    ending: EndRules
    longest_trail: int
    most_tickets: int
    map: JsonObject
    titles: tuple[tuple[str, str], ...]


def read_rulebook(folder: Path, faults: FaultList) -> tuple[Rulebook | None, Section | None]:
    """The rules, and the sections they were read from (for later faults to point at)."""
    top = read_sections(folder, FILE, faults)
    if top is None:
        return None, None
    longest_trail, most_tickets = _bonuses(top)
    one_line_up_to, kinds_apart = _parallel(top)
    rulebook = Rulebook(
        id=_id(top),
        title=top.text("title", LONGEST_TITLE),
        rulebook=top.text("rulebook", 200, default=""),
        rules_version=top.number("rules_version", 1, 1_000_000, default=1),
        reconstructed=top.flag("reconstructed", default=False),
        notes=top.texts("notes", 50, MAX_LINE),
        seats=_seats(top),
        cards=read_cards(top),
        ticket_rules=read_ticket_rules(top),
        pieces=read_pieces(top),
        passengers=_passengers(top),
        one_line_up_to=one_line_up_to,
        kinds_apart=kinds_apart,
        tunnel_cards=_tunnels(top),
        stations=_stations(top),
        points=_points(top, "points"),
        subway_points=_points(top, "points_subway", optional=True),
        ports=_ports(top),
        ending=_ending(top),
        longest_trail=longest_trail,
        most_tickets=most_tickets,
        map=_map(top, folder),
        titles=_titles(top),
    )
    top.close()
    return rulebook, top


def _id(top: Section) -> str:
    name = top.text("id", LONGEST_ID)
    if name and not re.fullmatch(ID, name):
        top.wrong(
            "id", worded('id is "{name}", expected small letters a to z, digits, - and _, a letter first', name=name)
        )
    return name


def _seats(top: Section) -> tuple[int, int]:
    section = top.section("seats")
    if section is None:
        return 2, 2
    fewest = section.number("from", 2, MAX_SEATS)
    most = section.number("to", 2, MAX_SEATS)
    if most < fewest:
        section.wrong(
            "to", worded("[seats] from {fewest} to {most}: the smaller number comes first", fewest=fewest, most=most)
        )
    section.close()
    return fewest, most


def _passengers(top: Section) -> PassengerRules | None:
    section = top.section("passengers", optional=True)
    if section is None:
        return None
    colours = section.words("colours", COLOURS[:MAX_PASSENGERS], worded("colour"))
    rules = PassengerRules(
        colours=tuple(colour for colour in COLOURS if colour in colours),
        each=section.number("each", 1, MAX_EACH),
        most=section.number("most", 0, MAX_POINTS),
        second=section.number("second", 0, MAX_POINTS),
    )
    section.close()
    return rules


def _parallel(top: Section) -> tuple[int, bool]:
    """Left out: all lines of a set may be used at any number of seats, and all lines between two places are one set."""
    section = top.section("parallel", optional=True)
    if section is None:
        return 0, False
    found = section.number("one_line_up_to_seats", 0, MAX_SEATS), section.flag("kinds_apart", default=False)
    section.close()
    return found


def _tunnels(top: Section) -> int:
    section = top.section("tunnels", optional=True)
    if section is None:
        return 0
    found = section.number("cards_turned", 1, MAX_TURNED)
    section.close()
    return found


def _stations(top: Section) -> StationRules | None:
    section = top.section("stations", optional=True)
    if section is None:
        return None
    rules = StationRules(
        prices=section.numbers("prices", 1, MAX_LENGTH, MAX_STATIONS),
        kept_bonus=section.number("kept_bonus", -MAX_POINTS, MAX_POINTS),
    )
    section.close()
    return rules


def _points(top: Section, name: str, *, optional: bool = False) -> tuple[int, ...]:
    """`4 = 7`: four spaces give seven points. Lengths left out do not exist on this board."""
    section = top.section(name, optional=optional)
    if section is None:
        return ()
    table = [0] * (MAX_LENGTH + 1)
    longest = 0
    for length in range(1, MAX_LENGTH + 1):
        if str(length) in section:
            table[length] = section.number(str(length), 1, MAX_POINTS)
            longest = length
    for key in section.entries:
        if key not in section.asked:
            section.wrong(
                key,
                worded(
                    "[{name}] {key} is not a length; lengths run from 1 to {most}",
                    name=name,
                    key=quoted(key),
                    most=MAX_LENGTH,
                ),
            )
    if not longest:
        top.wrong(
            name, worded("[{name}] is empty; expected lines such as 4 = 7 (four spaces, seven points)", name=name)
        )
    return tuple(table[: longest + 1])


def _ports(top: Section) -> PortRules | None:
    section = top.section("ports", optional=True)
    if section is None:
        return None
    rules = PortRules(
        count=section.number("each_seat", 1, MAX_PORTS),
        train_cards=section.number("train_cards", 0, MAX_LENGTH),
        ship_cards=section.number("ship_cards", 0, MAX_LENGTH),
        points=section.numbers("points", -MAX_POINTS, MAX_POINTS, MAX_PORT_TICKETS),
        unbuilt=section.number("unbuilt", -MAX_POINTS, 0),
    )
    if rules.train_cards + rules.ship_cards == 0:
        section.wrong("train_cards", worded("[ports] a port must cost at least one card"))
    section.close()
    return rules


def _ending(top: Section) -> EndRules:
    section = top.section("ending")
    if section is None:
        return EndRules(0, 1, ())
    rules = EndRules(
        pieces_left=section.number("pieces_left", 0, MAX_PIECES),
        extra_turns=section.number("extra_turns", 1, MAX_EXTRA_TURNS),
        ties=section.words("ties", TIES, worded("tie-breaker"), fewest=0),
    )
    section.close()
    return rules


def _bonuses(top: Section) -> tuple[int, int]:
    section = top.section("bonuses", optional=True)
    if section is None:
        return 0, 0
    found = tuple(section.number(key, 0, MAX_POINTS, default=0) for key in ("longest_trail", "most_tickets"))
    section.close()
    return found[0], found[1]


def _titles(top: Section) -> tuple[tuple[str, str], ...]:
    """What it is called in other languages."""
    section = top.section("titles", optional=True)
    if section is None:
        return ()
    found = tuple((one, section.text(one, LONGEST_TITLE)) for one in LANGUAGES if one in section)
    section.close()
    return found


def _map(top: Section, folder: Path) -> dict[str, object]:
    """How it is drawn: known keys of the right type, handed on as they are to `branchline.draw`."""
    section = top.section("map", optional=True)
    if section is None:
        return {}
    section.decimals("bounds", -180, 360, count=4)
    match section.entries.get("bounds"):
        case [
            int() | float() as west,
            int() | float() as south,
            int() | float() as east,
            int() | float() as north,
        ]:
            if not (west < east and -90 <= south < north <= 90):
                section.wrong("bounds", worded("[map] bounds are west, south, east, north, in this order"))
    section.decimals("seam", -180, 180)
    section.decimals("ratio", 0.2, 3)
    section.decimals("shun_land", 0, 4)
    section.decimals("plank", 4, 60)
    section.decimals("font", 4, 60)
    if "backdrop" in section:
        name = section.text("backdrop", 60)
        if not re.fullmatch(r"[\w.\-]+", name) or not (folder / name).is_file():
            section.wrong("backdrop", worded("[map] backdrop: the folder has no file {name}", name=quoted(name)))
    if edges := section.section("edges", optional=True):
        for name, share in edges.entries.items():  # spaces in the west, spaces in the east, height of the cut
            count = 3 if isinstance(share, list) and len(share) == 3 else 2
            edges.decimals(name, 0, MAX_LENGTH, count)
    section.close()
    return dict(section.entries)
