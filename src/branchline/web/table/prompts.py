"""The panel of each question: what is asked, and the buttons that answer it, each with its action.

One name for each question, the same as in the game: `turn`, `second_card`, `refill`, `mix`, `keep_tickets`, payments,
`tunnel`, `passenger`, `fleet`, `swap`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from markupsafe import Markup

from branchline.boards import Route, Ticket
from branchline.game import Payment
from branchline.game.cards import card_name
from branchline.rules.state import KEEP, PASS, SWAP_PIECES
from branchline.web.core.pages import components, labels, ticket_status
from branchline.web.core.pages.translation import Translator
from branchline.web.core.seen import TableContext
from branchline.web.table import tunnel_odds


@dataclass(frozen=True)
class PromptAnswer:
    """A button: its action, what is on it, and how it looks."""

    action: str
    label: str  # may be Markup
    note: str = ""  # a second, smaller line
    look: str = ""  # a class: "first" for the one most will press, "back" for giving up
    sure: bool = False  # asks for no confirmation


@dataclass(frozen=True)
class Offer:
    """A ticket one may keep."""

    ticket: Ticket
    number: int  # in the offer
    state: str  # as in `ticket_status.TicketStatus`
    highlights: str
    routes: tuple[Route, ...]  # the free ones on its cheapest way
    way: dict[int, int] = field(hash=False)  # the free routes on its cheapest way, and the pieces of each


@dataclass(frozen=True)
class Slider:
    """A number to choose: a list of actions along a line, each with what it would mean."""

    label: str
    actions: tuple[str, ...]
    meanings: tuple[str, ...]
    start: int
    button: str


@dataclass(frozen=True)
class Prompt:
    """One question as the page shows it."""

    kind: str
    text: str
    hint: str = ""
    answers: tuple[PromptAnswer, ...] = ()
    offers: tuple[Offer, ...] = ()
    keep: dict[str, str] = field(default_factory=dict, hash=False)  # "0,2" -> the action that keeps those tickets
    pieces: int = 0  # with offers: how many the seat has to lay its tickets' ways with
    sliders: tuple[Slider, ...] = ()
    turned: tuple[str, ...] = ()  # the cards a tunnel turned
    glow: str = ""  # what it is about, on the map


def prompt(context: TableContext, words: Translator) -> Prompt | None:
    """Return what the viewer is asked now, or None when another seat is asked or the game is over."""
    if not context.my_turn:
        return None
    return _QUESTIONS[context.view.question.kind](context, words)


def _legal(context: TableContext, first: str) -> list[str]:
    return [action.text for action in context.legal if action.text.split(" ", 1)[0] == first]


def _turn(context: TableContext, words: Translator) -> Prompt:
    answers = []
    if SWAP_PIECES in context.game.legal:
        answers.append(PromptAnswer("swap", words("Swap pieces")))
    if PASS in context.game.legal:
        answers.append(PromptAnswer("pass", words("Pass"), look="first"))
        return Prompt("turn", words("You have no legal move, so you must pass."), "", tuple(answers))
    hint = words("Take cards, claim a glowing route, or draw tickets.")
    if context.board.stations:
        hint = words("Take cards, claim a glowing route, draw tickets, or tap a city to build a station.")
    if context.board.ports:
        hint = words("Take cards, claim a glowing route, draw tickets, build a port or swap pieces.")
    return Prompt("turn", words("Your turn"), hint, tuple(answers))


def _second_card(context: TableContext, words: Translator) -> Prompt:
    return Prompt("second_card", words("Take one more card"), words("From the market or face down from a deck."))


def _refill(context: TableContext, words: Translator) -> Prompt:
    answers = tuple(
        PromptAnswer(text, labels.deck(words, text.removeprefix("refill ")), sure=True)
        for text in _legal(context, "refill")
    )
    return Prompt("refill", words("Which deck should fill the empty place?"), "", answers)


def _mix(context: TableContext, words: Translator) -> Prompt:
    actions = _legal(context, "mix")
    proposed = actions[len(actions) // 2]
    answers = tuple(
        PromptAnswer(
            text,
            mix_label(context, words, text),
            words("a good start") if text == proposed else "",
            "first" if text == proposed else "",
            sure=True,
        )
        for text in actions
    )
    return Prompt(
        "mix",
        words("Which tickets do you want to draw?"),
        words("Everyone sees the mix. Short tickets are soon done; long ones are worth more and take more pieces."),
        answers,
    )


def mix_label(context: TableContext, words: Translator, action: str) -> str:
    """Return how many tickets of each deck an action `mix …` announces."""
    rules = context.board.ticket_rules
    draw = rules.later if context.view.tickets else rules.first
    size = min(draw.mix, sum(context.view.ticket_decks.values()))
    count = int(action.split()[1])
    parts = [(count, rules.decks[0]), (size - count, rules.decks[-1])]
    return " + ".join(labels.of_a_mix(words, number, deck) for number, deck in parts if number)


def _keep_tickets(context: TableContext, words: Translator) -> Prompt:
    view = context.view
    assert view.seat is not None
    offers = []
    for number, mark in enumerate(ticket_status.marks(context.board, view, view.seat, view.offer)):
        lit = components.highlights(*mark.ticket.places, *mark.route, *mark.way)
        offers.append(
            Offer(mark.ticket, number, mark.state, lit, mark.way, {route.index: route.length for route in mark.way})
        )
    keep = {}
    for action in context.legal:
        chosen = int(action) - KEEP
        keep[",".join(str(n) for n in range(len(offers)) if chosen >> n & 1)] = action.text
    least = view.question.keep_at_least
    hint = words("A ticket you keep scores at the end: completed, it adds its points; not completed, it costs them.")
    if any(offer.ticket.tour for offer in offers):
        tour = words("A tour has two values: for its cities joined in this order, and in any order.")
        hint = f"{hint} {tour}"
    return Prompt(
        "keep_tickets",
        words.many("Keep at least {count} ticket", "Keep at least {count} tickets", least),
        hint,
        offers=tuple(offers),
        keep=keep,
        pieces=ticket_status.pieces_left(context.board, view, view.seat),
    )


def payment_answer(
    context: TableContext, words: Translator, payment: Payment, action: str, *, first: bool
) -> PromptAnswer:
    """Return one way to pay, as a button."""
    cards = [card_name(kind) for kind, count in payment.cards for _ in range(count)]
    label = _pay(words, context, cards)
    route = _route_of(context, action)
    note = ""
    if route is not None and route.kind == "tunnel" and context.board.tunnel_cards:
        note = odds_note(context, words, cards)
    return PromptAnswer(action, label, note, "first" if first else "", sure=True)


def _pay(words: Translator, context: TableContext, cards: list[str]) -> Markup:
    """Return `Pay 2 red + 1 wild`, each kind as the card it is, its name beside it: not every colour bears text."""
    shown = Markup(" + ").join(
        Markup("{} <span class='chip c-{}'>{}</span> {}").format(
            count, labels.card_parts(name)[0], components.card_face(name), labels.card(words, context.board, name)
        )
        for name, count in Counter(cards).items()
    )
    return Markup(words("Pay {cards}", cards=shown))


def _route_of(context: TableContext, action: str) -> Route | None:
    head = action.partition(" with ")[0]
    action_found = next((candidate for candidate in context.legal if candidate.text == head), None)
    if action_found is not None and head.startswith("claim "):
        return context.board.routes[int(action_found)]
    return None


def odds_note(context: TableContext, words: Translator, cards: list[str]) -> str:
    """Return the probabilities that the tunnel asks for none, one, two or three more cards."""
    colours = {name.partition(" ")[0] for name in cards} - {"wild"}
    chances = tunnel_odds.extra(context.board, context.view, next(iter(colours), "wild"))
    told = [
        words("nothing extra: {chance}", chance=labels.share(words, chance))
        if not n
        else words("+{count}: {chance}", count=n, chance=labels.share(words, chance))
        for n, chance in enumerate(chances)
    ]
    return " · ".join(told)


def _payment(context: TableContext, words: Translator) -> Prompt:
    ways = context.payments()
    answers = tuple(
        payment_answer(context, words, payment, f"pay {payment.text}", first=not n) for n, payment in enumerate(ways)
    )
    return Prompt("payment", words("How do you want to pay?"), "", answers)


def _tunnel(context: TableContext, words: Translator) -> Prompt:
    question = context.view.question
    assert question.route is not None
    answers: tuple[PromptAnswer, ...] = ()
    if _legal(context, "pay"):
        text = words.many("The tunnel costs {count} more card", "The tunnel costs {count} more cards", question.extra)
        paid = words("pay and claim the route")
        answers = tuple(
            replace(
                payment_answer(context, words, payment, f"pay extra with {payment.text}", first=not n),
                note=paid,
            )
            for n, payment in enumerate(context.payments("pay extra"))
        )
    else:
        text = words.many(
            "The tunnel asks for {count} card more, and you don’t have it: take your cards back.",
            "The tunnel asks for {count} cards more, and you don’t have them: take your cards back.",
            question.extra,
        )
    answers += (PromptAnswer("withdraw", words("Take the cards back and end the turn"), look="back"),)
    return Prompt(
        "tunnel",
        text,
        labels.route(words, context.board, question.route),
        answers,
        turned=question.turned,
        glow=components.highlights(question.route),
    )


def _passenger(context: TableContext, words: Translator) -> Prompt:
    place = context.view.question.place
    rules = context.board.passengers
    assert place is not None
    assert rules is not None
    standing = context.view.passengers.get(place, {})
    answers = []
    for text in _legal(context, "passenger"):
        colour = text.removeprefix("passenger ")
        if colour == "none":
            answers.append(PromptAnswer(text, words("None"), look="back", sure=True))
            continue
        figure = Markup('<span class="figure c-{}">{}</span> {}').format(
            colour, components.symbol("figure") + components.symbol(colour), labels.colour(words, colour)
        )
        count = standing.get(colour, 0)
        answers.append(PromptAnswer(text, figure, f"× {count}" if count > 1 else "", sure=True))
    return Prompt(
        "passenger",
        words("Which passenger boards in {place}?", place=labels.place(words, place)),
        words(
            "Most of a colour: {most} points at the end; second most: {second}.", most=rules.most, second=rules.second
        ),
        tuple(answers),
        glow=components.highlights(place),
    )


def _fleet(context: TableContext, words: Translator) -> Prompt:
    actions = _legal(context, "fleet")
    meanings = [fleet_label(context, words, action) for action in actions]
    start = next((n for n, action in enumerate(actions) if action.startswith("fleet 20 ")), len(actions) // 2)
    land_and_sea = words("Trains are for routes on land, ships for routes at sea.")
    swapping = words.many(
        "The rest stays in your box. Swapping later takes a turn and costs {count} point per piece.",
        "The rest stays in your box. Swapping later takes a turn and costs {count} points per piece.",
        context.board.pieces.swap_price,
    )
    slider = Slider(words("Your fleet"), tuple(actions), tuple(meanings), start, words("Set out"))
    return Prompt(
        "fleet",
        words("Choose your fleet"),
        f"{land_and_sea} {swapping}",
        sliders=(slider,),
    )


def fleet_label(context: TableContext, words: Translator, action: str) -> str:
    """Return how many pieces of each kind an action `fleet …` chooses."""
    first, second = (labels.pieces(words, name) for name in context.board.pieces.names)
    count, rest = (int(part) for part in action.split() if part.isdecimal())
    return words("{first}: {count}, {second}: {rest}", first=first, count=count, second=second, rest=rest)


def swap_label(context: TableContext, words: Translator, received: str, number: int) -> str:
    """Return what it means to receive a number of pieces of a kind for others."""
    lost = number * context.board.pieces.swap_price
    pieces = labels.pieces(words, received)
    return words.many(
        "new {pieces}: {number}, −{count} point",
        "new {pieces}: {number}, −{count} points",
        lost,
        pieces=pieces,
        number=number,
    )


def _swap(context: TableContext, words: Translator) -> Prompt:
    sliders = []
    for received in context.board.pieces.names:
        actions = [text for text in _legal(context, "swap") if text.endswith(f" for {received}s")]
        if actions:
            meanings = tuple(
                swap_label(context, words, received, number)
                for number in (int(action.split()[1]) for action in actions)
            )
            sliders.append(
                Slider(
                    words("More {pieces}", pieces=labels.pieces(words, received)),
                    tuple(actions),
                    meanings,
                    0,
                    words("Swap"),
                )
            )
    return Prompt(
        "swap",
        words("Swap pieces"),
        words.many(
            "Swapping takes the whole turn and costs {count} point per piece.",
            "Swapping takes the whole turn and costs {count} points per piece.",
            context.board.pieces.swap_price,
        ),
        sliders=tuple(sliders),
    )


_QUESTIONS: dict[str, Callable[[TableContext, Translator], Prompt]] = {
    "turn": _turn,
    "second_card": _second_card,
    "refill": _refill,
    "mix": _mix,
    "keep_tickets": _keep_tickets,
    "colour": _payment,
    "wilds": _payment,
    "ship_wilds": _payment,
    "doubles": _payment,
    "marked": _payment,
    "pair": _payment,
    "tunnel": _tunnel,
    "passenger": _passenger,
    "fleet": _fleet,
    "swap": _swap,
}
