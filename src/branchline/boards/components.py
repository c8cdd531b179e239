"""What is in the box: the sections `[cards]`, `[tickets]`, `[pieces]` and `[fleet]` of board.toml."""

from __future__ import annotations

import re

from branchline.boards.board import COLOURS, CardRules, PieceRules, TicketDraw, TicketRules
from branchline.boards.faults import FaultList, quoted
from branchline.boards.limits import (
    MAX_COLOURS,
    MAX_EACH,
    MAX_MARKET,
    MAX_OFFER,
    MAX_PIECES,
    MAX_POINTS,
    MAX_TICKET_DECKS,
)
from branchline.boards.sections import Section
from branchline.boards.wording import worded

FILE = "board.toml"

FIRST_PIECES = ("train", "tram")
SECOND_PIECES = ("ship", "subway")

REJECTED = {"under the deck": "under", "leave the game": "out", "reshuffled": "reshuffled"}
"""What happens to tickets not kept: the words of board.toml, and those of `TicketDraw.rejected`."""

NEVER = MAX_MARKET + 1  # so many wilds never lie in a market: it is never swept


def read_cards(top: Section) -> CardRules:
    """`[cards]`: the transport cards."""
    section = top.section("cards")
    if section is None:
        section = Section(FILE, "cards", {}, {}, FaultList())  # one fault is enough: read on with nothing
    colours = section.words("colours", COLOURS[:MAX_COLOURS], worded("colour"))
    each = section.number("train", 1, MAX_EACH)
    cards = CardRules(
        colours=tuple(colour for colour in COLOURS if colour in colours),
        train=each,
        train_port_marked=section.number("port_marked", 0, each, default=0),
        ship_single=section.number("ship_single", 0, MAX_EACH, default=0),
        ship_double=section.number("ship_double", 0, MAX_EACH, default=0),
        wild=section.number("wild", 0, MAX_EACH),
        wild_name=section.text("wild_name", 30, default="wild"),
        hand=_from_two_decks(section, "hand", 20),
        market=_from_two_decks(section, "market", MAX_MARKET),
        sweep_at=section.number("sweep_at", 1, MAX_MARKET, default=NEVER),
        market_lasts=section.flag("market_lasts", default=False),
    )
    section.close()
    return cards


def _from_two_decks(cards: Section, key: str, most: int) -> tuple[int, int]:
    """`hand = 4`, or `hand = { train = 3, ship = 7 }` where there is a ship deck."""
    if isinstance(cards.entries.get(key), dict) and (section := cards.section(key)):
        found = section.number("train", 0, most, default=0), section.number("ship", 0, most, default=0)
        section.close()
        return found
    return cards.number(key, 0, most), 0


def read_ticket_rules(top: Section) -> TicketRules:
    """`[tickets]`: the decks, and how they are drawn from at first and later."""
    section = top.section("tickets")
    if section is None:
        nothing = TicketDraw((0,), 0, 0, "under")
        return TicketRules(("tickets",), nothing, nothing)
    decks = section.texts("decks", MAX_TICKET_DECKS, 20) or ("tickets",)
    for deck in decks:
        if not re.fullmatch(r"[a-z][a-z0-9_-]*", deck):
            section.wrong(
                "decks", worded("[tickets] decks: {deck} is not one word of small letters", deck=quoted(deck))
            )
    if len(set(decks)) < len(decks):
        section.wrong("decks", worded("[tickets] decks: two decks are both called {deck}", deck=decks[0]))
    first = _draw(section, "first", decks, tuple(REJECTED))
    later = _draw(section, "later", decks, ("under the deck",))
    backs_differ = section.flag("backs_differ", default=False)
    section.close()
    return TicketRules(decks, first, later, backs_differ)


def _draw(tickets: Section, key: str, decks: tuple[str, ...], rejected: tuple[str, ...]) -> TicketDraw:
    section = tickets.section(key)
    if section is None:
        return TicketDraw(tuple(0 for _ in decks), 0, 0, "under")
    mix = section.number("mix", 1, MAX_OFFER) if "mix" in section else 0
    deal = () if mix and "deal" not in section else _deal(section, decks)
    offer = mix or sum(deal)
    if mix and deal:
        section.wrong("mix", worded("[{name}] has both deal and mix; keep one of them", name=section.name))
    if mix and len(decks) < 2:
        section.wrong("mix", worded("[{name}] mix needs two decks; with one deck say deal", name=section.name))
    if deal and not 1 <= offer <= MAX_OFFER:
        section.wrong(
            "deal",
            worded(
                "[{name}] deals {offer} tickets, expected 1 to {most}", name=section.name, offer=offer, most=MAX_OFFER
            ),
        )
    draw = TicketDraw(
        deal=deal,
        mix=mix,
        keep=section.number("keep_at_least", 1, max(1, min(offer, MAX_OFFER))),
        rejected=REJECTED[section.word("rejected", rejected)],
    )
    section.close()
    return draw


def _deal(draw: Section, decks: tuple[str, ...]) -> tuple[int, ...]:
    """`deal = 2` from a single deck, or `deal = { long = 1, regular = 3 }`."""
    if isinstance(draw.entries.get("deal"), dict) and (section := draw.section("deal")):
        deal = tuple(section.number(deck, 0, MAX_OFFER, default=0) for deck in decks)
        section.close()
        return deal
    number = draw.number("deal", 1, MAX_OFFER)
    if len(decks) > 1 and "deal" in draw.entries:
        example = ", ".join(f"{deck} = {number}" for deck in decks[:1])
        draw.wrong(
            "deal",
            worded("[{name}] deal: say from which deck, as in deal = {{ {example} }}", name=draw.name, example=example),
        )
    return (number, *(0 for _ in decks[1:]))


def read_pieces(top: Section) -> PieceRules:
    """`[pieces]` and `[fleet]`: what a seat lays on the routes."""
    section = top.section("pieces")
    if section is None:
        return PieceRules(("train",), (1,))
    names = [kind for kind in (*FIRST_PIECES, *SECOND_PIECES) if kind in section]
    count = [section.number(kind, 1, MAX_PIECES) for kind in names]
    if len([kind for kind in names if kind in FIRST_PIECES]) != 1:
        section.wrong("train", worded("[pieces] must have either train or tram"))
    if len([kind for kind in names if kind in SECOND_PIECES]) > 1:
        section.wrong("subway", worded("[pieces] may have ship or subway, not both"))
    if sum(count) > MAX_PIECES:
        section.wrong(
            names[0],
            worded("[pieces] has {count} pieces, the limit is {most}", count=sum(count), most=MAX_PIECES),
        )
    section.close()
    fleet, swap_price = _fleet(top, sum(count))
    return PieceRules(tuple(names), tuple(count), fleet, swap_price)


def _fleet(top: Section, box: int) -> tuple[int, int]:
    section = top.section("fleet", optional=True)
    if section is None:
        return 0, 0
    found = section.number("choose", 1, box), section.number("swap_price", 0, MAX_POINTS)
    section.close()
    return found
