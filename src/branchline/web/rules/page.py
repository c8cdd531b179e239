"""The rules of a board, to be read and searched: its articles with their numbers, words and pictures filled in."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from babel import Locale
from markupsafe import Markup

from branchline.boards import Board
from branchline.draw import cut_svg, cut_symbols
from branchline.languages import language
from branchline.teaching.articles import FIELD, Article, chapters, numbers
from branchline.teaching.scenes import MARKET, POINTS, SWEEP, Scene, scene
from branchline.web.core.caches import BOARD, MEGABYTE, kept_texts
from branchline.web.core.pages import board_map, components, labels
from branchline.web.core.pages.palette import PAGE
from branchline.web.core.pages.render import part, render
from branchline.web.core.pages.thumbnail import thumbnail
from branchline.web.core.pages.translation import N_, TEACHING, N_many, Translator, translator_for
from branchline.web.core.visit import Visit


@dataclass(frozen=True)
class RulebooksContext:
    """The boards whose rules can be read."""

    visit: Visit
    boards: tuple[Board, ...]


@dataclass(frozen=True)
class RulesContext:
    """The rules of a board, to be read and searched."""

    visit: Visit
    board: Board
    referee: str  # path of the page that answers "may I …?"
    back: str  # path of the table or draft from which somebody came; empty: from none


TIES = {
    "tickets_done": N_("more tickets completed"),
    "fewest_stations": N_("fewer stations built"),
    "longest_trail": N_("the longer trail"),
    "passengers": N_("more passengers"),
}

_NO_BREAK = "\N{NO-BREAK SPACE}"


@dataclass(frozen=True)
class ArticleLine:
    """An article as it is read."""

    number: str  # 3.2
    id: str
    text: str
    rulings: tuple[str, ...]
    picture: Markup
    caption: str
    said: bool  # the caption is only heard: the picture says as much to the eye


@dataclass(frozen=True)
class Heading:
    """A chapter as it is read."""

    number: int
    id: str
    title: str
    lines: tuple[ArticleLine, ...]


def rulebooks(context: RulebooksContext) -> str:
    """Return the page of all boards."""
    words = translator_for(context.visit.language)
    title = f"{words('Rules and referee')} · branchline"
    return render("rules/rulebooks.html", context.visit, context=context, title=title, thumbnail=thumbnail)


def rules(context: RulesContext) -> str:
    """Return the rules of one board."""
    words, board = translator_for(context.visit.language), context.board
    name = words("Rules: {board}", board=board.title_in(context.visit.language))
    return render(
        "rules/rules.html",
        context.visit,
        context=context,
        board=board,
        title=f"{name} · branchline",
        name=name,
        style=board_map.style(board),
        symbols=_symbols(board),
        headings=headings(board, context.visit.language),
        small_words=language(context.visit.language).small_words,
        articles_found=words.for_browser(N_many("{count} article found", "{count} articles found")),
    )


@kept_texts("symbols", 4 * MEGABYTE, beside=BOARD)
def _symbols(board: Board) -> Markup:
    return Markup(cut_symbols(board, PAGE))


@functools.lru_cache(maxsize=32)
def headings(board: Board, code: str) -> tuple[Heading, ...]:
    """Return the articles of a board in a language."""
    words, taught = translator_for(code), translator_for(code, TEACHING)
    values = _words(board, words) | {key: str(number) for key, number in numbers(board).items()}
    chapter_headings: list[Heading] = []
    drawn: Counter[str] = Counter()
    for n, chapter in enumerate(chapters(board), 1):
        lines = []
        for m, article in enumerate(chapter.articles, 1):
            picture, caption, only_heard = _picture(board, words, article, drawn)
            text = filled(taught(article.text), values, code)
            rulings = tuple(taught(ruling.text) for ruling in article.rulings)
            lines.append(ArticleLine(f"{n}.{m}", article.id, text, rulings, picture, caption, only_heard))
        chapter_headings.append(Heading(n, chapter.id, taught(chapter.title), tuple(lines)))
    return tuple(chapter_headings)


def filled(text: str, values: dict[str, str], code: str) -> str:
    """Return a text with its fields filled in. Raise `KeyError` where the board has no such number."""

    def value(field: str, forms: str | None) -> str:
        if forms is None:
            return values[field]
        return f"{values[field]}{_NO_BREAK}{form(forms.split('|'), int(values[field]), code)}"

    return FIELD.sub(lambda field: value(field[1], field[2]), text)


def form(forms: list[str], count: int, code: str) -> str:
    """Return the form of a word that goes with a number: one, (few,) all others."""
    kind = Locale.parse(code).plural_form(count)
    return forms[0] if kind == "one" else forms[1] if kind == "few" else forms[-1]


def _words(board: Board, words: Translator) -> dict[str, str]:
    """Return what is put into the texts besides numbers: `teaching.articles.WORDS`."""
    pieces = zip(board.pieces.names, board.pieces.count, strict=True)
    actions = [words("draw cards"), words("claim a route"), words("draw tickets")]
    if board.stations:
        actions.append(words("build a station"))
    if board.ports:
        actions.append(words("build a port"))
    if board.pieces.fleet:
        actions.append(words("swap pieces"))
    return {
        "actions": ", ".join(actions),
        "first_deal": _deal(board, words, board.ticket_rules.first.deal),
        "later_deal": _deal(board, words, board.ticket_rules.later.deal),
        "pieces": ", ".join(f"{labels.pieces(words, name)}: {count}" for name, count in pieces),
        "port_points": ", ".join(map(str, board.ports.points)) if board.ports else "",
        "prices": ", ".join(map(str, board.stations.prices)) if board.stations else "",
        "ticket_decks": ", ".join(labels.deck(words, deck) for deck in board.ticket_rules.decks),
        "ties": ", ".join(words(TIES[tie]) for tie in board.ending.ties) or "–",
        "wild": labels.wild(words, board),
    }


def _deal(board: Board, words: Translator, deal: tuple[int, ...]) -> str:
    decks = board.ticket_rules.decks
    if len(decks) == 1:
        return "".join(map(str, deal))
    return ", ".join(f"{labels.deck(words, deck)}: {count}" for deck, count in zip(decks, deal, strict=False) if count)


# ------------------------------------------------------------------------------------------------ pictures


def _picture(board: Board, words: Translator, article: Article, drawn_before: Counter[str]) -> tuple[Markup, str, bool]:
    """Return the picture beside an article, its description, and whether that is for screen readers only."""
    if not isinstance(article.picture, str):
        return (*_cards(board, words, _named(board, article.picture)), True)
    if article.picture == MARKET:
        return (*_cards(board, words, _market(board, 1)), True)
    if article.picture == SWEEP:
        return (*_cards(board, words, _market(board, board.cards.sweep_at)), True)
    if article.picture == POINTS:
        return part("core/pages/points.html", words, board=board), words("Points by length"), True
    picture = scene(board, article.picture, drawn_before[article.picture])
    if picture is None:
        return Markup(""), "", False
    drawn_before[article.picture] += 1
    drawn = cut_svg(
        board,
        picture.position,
        picture.routes,
        picture.places,
        number_in_page=drawn_before.total(),
        theme=PAGE,
        words=labels.map_words(words.language),
        language=words.language,
    )
    return Markup(drawn), _caption(board, words, picture), False


def _caption(board: Board, words: Translator, picture: Scene) -> str:
    if picture.ticket is not None:
        ticket = picture.ticket
        if ticket.tour:
            worth = f"{ticket.value} / {ticket.any_order} / −{ticket.penalty}"
            return words("Tour: {places}, {points}", places=ticket.name, points=worth)
        return words("Ticket: {places}, {points}", places=ticket.name, points=ticket.value)
    if picture.places:
        return ", ".join(labels.place_in_full(words, place) for place in picture.places)
    return ", ".join(labels.route(words, board, route) for route in picture.routes)


def _named(board: Board, cards: Iterable[str]) -> list[str]:
    """Return cards of an article as cards of the board: `1 ship` is a ship of its first colour."""
    names = []
    for card in cards:
        number, _, family = card.partition(" ")
        if number.isdecimal():
            colours = board.cards.colours
            number = colours[(int(number) - 1) % len(colours)]
        names.append(f"{number} {family}".strip())
    return names


def _market(board: Board, wilds: int) -> list[str]:
    """Return cards that may lie face up, `wilds` wilds among them."""
    colours = board.cards.colours
    trains, ships = board.cards.market
    lying = [colours[n % len(colours)] for n in range(trains)]
    lying += [f"{colours[(trains + n) % len(colours)]} {'double ship' if n % 2 else 'ship'}" for n in range(ships)]
    wilds = min(wilds, len(lying))
    return [*["wild"] * wilds, *lying[wilds:]]


def _cards(board: Board, words: Translator, names: list[str]) -> tuple[Markup, str]:
    drawn = []
    for name in names:
        if name == "/":
            drawn.append(Markup("<i class='then'>→</i>"))
        elif name == "back":
            drawn.append(Markup("<span class='face back'></span>"))
        else:
            colour, _ = labels.card_parts(name)
            drawn.append(Markup("<span class='face c-{}'>{}</span>").format(colour, components.card_face(name)))
    groups = []
    for group in _groups(names):
        hidden = [words("a card face down")] * group.count("back")
        known = labels.cards(words, board, [name for name in group if name != "back"])
        groups.append(" + ".join(filter(None, [*hidden, known])))
    faces = Markup("<div class='faces' aria-hidden='true'>{}</div>").format(Markup("").join(drawn))
    return faces, " → ".join(groups)


def _groups(names: list[str]) -> list[list[str]]:
    """Return the names in groups, split at every `/`."""
    groups: list[list[str]] = [[]]
    for name in names:
        if name == "/":
            groups.append([])
        else:
            groups[-1].append(name)
    return groups
