"""What things are called on a page: colours, cards, routes, places, and the phrases heard inside the map."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Mapping

from branchline.boards import Board, Place, Route, Ticket
from branchline.boards.limits import MAX_ROUTES
from branchline.bots.levels import MasterBot
from branchline.draw.palette import SYMBOL_LETTERS
from branchline.languages import language
from branchline.rules import catalogue
from branchline.web.core.pages.translation import N_, N_many, Several, Translator, translator_for

WILD = "wild"

SCORE_PARTS = {part.key: part.label for part in catalogue.SCORE_PARTS}
"""What the parts of a score are called in English, by their words in score sheets."""

COLOURS = {
    "purple": N_("purple"),
    "blue": N_("blue"),
    "orange": N_("orange"),
    "white": N_("white"),
    "green": N_("green"),
    "yellow": N_("yellow"),
    "black": N_("black"),
    "red": N_("red"),
    "gray": N_("gray"),
}

WILDS = {
    "locomotive": N_("locomotive"),
    "bicycle": N_("bicycle"),
    "joker": N_("joker"),
    "wild": N_("wild card"),
}

FAMILIES = {
    "": N_("{colour}"),
    "port": N_("{colour} with an anchor"),
    "ship": N_("{colour} ship"),
    "double ship": N_("{colour} double ship"),
}

PIECES = {"train": N_("trains"), "tram": N_("trams"), "ship": N_("ships"), "subway": N_("subway cars")}

BOTS = {"easy": N_("easy"), "medium": N_("medium"), "hard": N_("hard"), "expert": N_("expert"), "master": N_("master")}

_PLAYS = {
    "easy": N_("builds slowly, for short tickets"),
    "medium": N_("often makes mistakes"),
    "hard": N_("sometimes makes mistakes"),
    "expert": N_("plans ahead"),
    "master": N_("thinks up to {seconds} s per turn"),
}

_SECONDS = {MasterBot.name: MasterBot.seconds_a_turn()}

DECKS = {
    "train": N_("train deck"),
    "ship": N_("ship deck"),
    "long": N_("long"),
    "short": N_("short"),
    "regular": N_("regular"),
    "tickets": N_("tickets"),
}
OF_A_MIX = {"short": N_many("{count} short", "{count} short"), "long": N_many("{count} long", "{count} long")}
"""Tickets of a deck as a part of a mix."""

_MAP = {
    "board": N_("Map of {places} places and {routes} routes."),
    "route": N_("{name}: {spaces}"),
    "subway": N_("subway for {price} cards, {colour}"),
    "kind.tunnel": N_("tunnel"),
    "kind.ferry": N_("ferry"),
    "kind.sea": N_("sea route"),
    "kind.tram": N_("tram"),
    "owner": N_("taken by player {seat}"),
    "closed": N_("closed"),
    "station": N_("station of player {seat}"),
    "port": N_("port of player {seat}"),
    "may_port": N_("port city"),
    "country": N_("country"),
    "waypoint": N_("junction"),
    "passengers.of": N_("passengers: {colours}"),
    "length": N_("spaces"),
    "price": N_("cards"),
    "worth": N_("points"),
}

_COUNTED_ON_MAP = {
    "owned": N_many("{count} route is taken.", "{count} routes are taken."),
    "spaces": N_many("{count} space, {colour}", "{count} spaces, {colour}"),
    "wilds": N_many("at least {count} wild card", "at least {count} wild cards"),
    "pairs": N_many("{count} space that takes a pair of cards", "{count} spaces that take a pair of cards each"),
    "points": N_many("{count} point", "{count} points"),
    "passengers": N_many("{count} passenger", "{count} passengers"),
}

PIECES_COUNTED: dict[str, Several] = {
    "train": N_many("{count} train", "{count} trains"),
    "tram": N_many("{count} tram", "{count} trams"),
}


@functools.cache
def map_words(language: str) -> Mapping[str, str]:
    """Return the phrases of the drawing, in the form `branchline.draw.wording` takes them."""
    words = translator_for(language)
    texts = {key: words(text) for key, text in _MAP.items()}
    texts |= {f"colour.{colour}": words(name) for colour, name in COLOURS.items()}
    for key, text in _COUNTED_ON_MAP.items():
        forms = words.forms(text, MAX_ROUTES)
        texts |= {f"{key}.one": forms[1], f"{key}.many": forms[0]}
        texts |= {f"{key}.{count}": form for count, form in enumerate(forms) if count > 1 and form != forms[0]}
    return texts


def pieces_counted(words: Translator, board: Board, count: int) -> str:
    """Return `4 trains`, or `4 pieces` where a board has two kinds."""
    names = board.pieces.names
    if len(names) == 1 and names[0] in PIECES_COUNTED:
        return words(PIECES_COUNTED[names[0]], count=count)
    return words.many("{count} piece", "{count} pieces", count)


def to_build(words: Translator, board: Board, routes: Iterable[Route]) -> str:
    """Return what some routes take: `7 pieces`, or `2 pieces, 8 cards` where these differ, as with a subway."""
    built = list(routes)
    pieces, price = sum(one.length for one in built), sum(one.price for one in built)
    told = pieces_counted(words, board, pieces)
    if price == pieces:
        return told
    return f"{told}, {words.many('{count} card', '{count} cards', price)}"


def colour(words: Translator, name: str) -> str:
    """Return a colour of cards, routes or passengers."""
    return words(COLOURS[name])


def wild(words: Translator, board: Board) -> str:
    """Return the rulebook's word for a wild card on this board."""
    return words(WILDS.get(board.cards.wild_name, WILDS["wild"]))


@functools.lru_cache(maxsize=64)
def card_kinds(board: Board) -> tuple[int, ...]:
    """Return the numbers of the kinds of cards in the box of a board."""
    return tuple(kind for kind, copies in enumerate(board.tables[0].copies) if copies)


def card(words: Translator, board: Board, name: str) -> str:
    """Return a card, from its name in the game: `red`, `red double ship`, `wild`."""
    if name == WILD:
        return wild(words, board)
    first, _, family = name.partition(" ")
    return words(FAMILIES[family], colour=colour(words, first))


def card_parts(name: str) -> tuple[str, str]:
    """Return the colour (or `wild`) and the family of a card."""
    first, _, family = name.partition(" ")
    return first, family


def suit(name: str) -> str:
    """Return the name of a card without details that no space of the map shows: `red` for `red port`, `red ship` for
    `red double ship`.
    """
    colour, family = card_parts(name)
    return f"{colour} ship" if family.endswith("ship") else colour


def cards(words: Translator, board: Board, names: Iterable[str]) -> str:
    """Return cards as `2 × red + 1 × locomotive`, in the order of the names."""
    counted = Counter(names)
    return " + ".join(f"{count} × {card(words, board, name)}" for name, count in counted.items())


def share(words: Translator, value: float, signed: bool = False) -> str:
    """Return a share of 1 as a percentage, as the language writes it."""
    number = round(100 * value)
    sign = "\N{MINUS SIGN}" if number < 0 else "+" if signed and number > 0 else ""
    return words("{number}%", number=f"{sign}{abs(number)}")


def decimal(words: Translator, value: float, signed: bool = False) -> str:
    """Return a number with one decimal, as the language writes it."""
    return _pointed(words, f"{value:+.1f}" if signed else f"{value:.1f}")


def _pointed(words: Translator, number: str) -> str:
    """Return a number as the language writes it: a real minus, and a decimal point or comma."""
    number = number.replace("-", "\N{MINUS SIGN}")
    return number if language(words.language).decimal_point else number.replace(".", ",")


def whole(value: int) -> str:
    """Return a whole number with a true minus sign."""
    return str(value).replace("-", "\N{MINUS SIGN}")


def passengers(words: Translator, counted: Mapping[str, int]) -> str:
    """Return passengers as `blue × 2, red × 1`, each colour on one line with its number."""
    return ", ".join(f"{colour(words, name)}\u00a0×\u00a0{count}" for name, count in counted.items()) or "–"


def pieces(words: Translator, name: str) -> str:
    """Return the plural name of a kind of piece."""
    return words(PIECES.get(name, name))


def bot(words: Translator, name: str) -> str:
    """Return the name of a bot: our levels in the reader's language, others as they are called."""
    return words(BOTS[name]) if name in BOTS else name


def bot_described(words: Translator, name: str) -> str:
    """Return a bot as a choice, with how it plays and how long it takes."""
    if name not in _PLAYS:
        return name
    return f"{bot(words, name)}: {words(_PLAYS[name], seconds=_pointed(words, f'{_SECONDS.get(name, 0):g}'))}"


def deck(words: Translator, name: str) -> str:
    """Return a deck of cards or tickets."""
    return words(DECKS[name]) if name in DECKS else name


def of_a_mix(words: Translator, count: int, name: str) -> str:
    """Return tickets of a deck as a part of a mix: `3 long`."""
    return words(OF_A_MIX[name], count=count) if name in OF_A_MIX else f"{count} {name}"


def route_action(route: Route) -> str:
    """Return the text of the action that claims a route (as `game.actions` writes it)."""
    if route.lines == 1:
        return f"claim {route.name}"
    line = f"line {route.line + 1}" if route.colour == "gray" else route.colour
    return f"claim {route.name} {line}"


def route(words: Translator, board: Board, line: Route) -> str:
    """Return a route, with its colour where that tells it from a parallel one."""
    if line.lines == 1:
        return line.name
    if line.colour != "gray":
        return f"{line.name} ({colour(words, line.colour)}\u00a0{SYMBOL_LETTERS[line.colour]})"
    return words("{route} (line {number})", route=line.name, number=line.line + 1)


def place(words: Translator, where: Place) -> str:
    """Return the printed name of a place; a junction has none."""
    return words("junction") if where.kind == "waypoint" else where.name


def place_in_full(words: Translator, where: Place) -> str:
    """Return a place with its name in the reader's language in brackets, if different: `München (Monachium)`."""
    return words("junction") if where.kind == "waypoint" else where.name_in(words.language)


def other_names(words: Translator, ticket: Ticket) -> str:
    """Return the names of a ticket's places in the reader's language, `Monachium, Drezno`; empty where all are as
    printed.
    """
    return ", ".join(filter(None, (place.exonym(words.language) for place in ticket.places)))


def facts(board: Board, words: Translator, route: Route) -> list[str]:
    """Return what is printed about a route."""
    points = board.subway_points if route.kind == "subway" else board.points
    texts = []
    if route.kind == "subway":
        texts.append(words.many("subway, {count} card", "subway, {count} cards", route.price))
    else:
        texts.append(words.many("{count} space", "{count} spaces", route.length))
    texts.append(colour(words, route.colour) if route.colour != "gray" else words("any one colour"))
    kind = {"tunnel": words("tunnel"), "ferry": words("ferry"), "sea": words("sea route"), "tram": words("tram")}
    if route.kind in kind:
        texts.append(kind[route.kind])
    if route.wilds:
        texts.append(words.many("at least {count} wild card", "at least {count} wild cards", route.wilds))
    if route.pairs:
        texts.append(
            words.many(
                "{count} space that takes a pair of cards",
                "{count} spaces that take a pair of cards each",
                route.pairs,
            )
        )
    if route.points_row < len(points):
        texts.append(words.many("{count} point", "{count} points", points[route.points_row]))
    return texts
