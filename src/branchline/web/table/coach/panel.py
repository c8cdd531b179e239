"""The coach beside the table: where to look, what to do and why, and a warning before a move that gives much away."""

from __future__ import annotations

from dataclasses import dataclass

from branchline.boards import Board
from branchline.game.cards import card_name
from branchline.game.payments import Payment
from branchline.teaching.coach import Advice
from branchline.web.core.pages import decisions, labels
from branchline.web.core.pages.render import part
from branchline.web.core.pages.translation import N_, Translator, translator_for
from branchline.web.core.seen import CoachView, TableContext
from branchline.web.table import prompts

_WHERE = {
    "map": N_("Look at this part of the map."),
    "cards": N_("Look at the cards: the market and the deck."),
    "tickets": N_("Look at the ticket deck."),
    "offer": N_("Look at how well the offered tickets fit each other and what you already have."),
    "tunnel": N_("Weigh what the tunnel costs against what else you need your cards for."),
    "pieces": N_("Look at how many pieces of each kind your tickets need."),
    "passenger": N_("Look at the passengers: which ones do you already have?"),
    "payment": N_("Look at which cards your other routes need."),
    "turn": N_("Look at what is still possible."),
}

_KINDS = {
    **dict.fromkeys(("take", "blind", "refill"), "cards"),
    **dict.fromkeys(("tickets", "mix"), "tickets"),
    "keep": "offer",
    **dict.fromkeys(("pay", "withdraw"), "tunnel"),
    **dict.fromkeys(("fleet", "swap"), "pieces"),
    "passenger": "passenger",
    "payment": "payment",
}


@dataclass(frozen=True)
class Telling:
    """What the coach says, in the reader's language, and what it marks."""

    lines: tuple[str, ...] = ()  # of the hint, as far as it was asked for
    more: str = ""  # what the next press shows; empty: nothing
    caution: str = ""
    marks: tuple[str, ...] = ()


def panel(context: TableContext) -> str:
    """Return the element `coach`: empty until the viewer asks, or is warned."""
    words = translator_for(context.visit.language)
    view = context.coach
    told_now = Telling() if view is None else telling(words, context, view)
    return part("table/coach/coach.html", words, context=context, coach=view, told=told_now)


def shown(context: TableContext) -> CoachView | None:
    """Return what the element `coach` depends on beside the language: None as long as there is nothing to see."""
    view = context.coach
    return view if view is not None and (view.stage or view.caution or view.work) else None


def telling(words: Translator, context: TableContext, view: CoachView) -> Telling:
    """Return what the coach has to tell."""
    advice = view.advice
    caution = _caution(words, view)
    if advice is None or not view.stage:
        return Telling(caution=caution)
    lines: tuple[str, ...] = (words(_WHERE[_where(advice)]),)
    marks = tuple(f"place-{place.index}" for place in advice.region)
    if view.stage > 1:
        lines, marks = (_move(words, context, advice), *_paid(words, context, advice)), advice.marks
    if view.stage > 2:
        lines += _reasons(words, context.board, advice, with_chance=not caution)
    next_button = ("", words("Show the move"), words("Why?"), "")[view.stage]
    return Telling(lines, next_button, caution, marks)


def _where(advice: Advice) -> str:
    return "map" if advice.region else _KINDS.get(advice.move.kind, "turn")


def _move(words: Translator, context: TableContext, advice: Advice) -> str:
    """Return the move as a sentence of its own."""
    return words("Best: {move}", move=_named(words, context, advice))


def _named(words: Translator, context: TableContext, advice: Advice) -> str:
    if advice.kept:
        offer = context.view.offer
        return words("keep {tickets}", tickets=words.listed([offer[n].name for n in advice.kept if n < len(offer)]))
    if advice.move.kind == "payment" and advice.payment:
        return words("pay with {cards}", cards=_cards(words, context, advice.payment))
    if advice.swapped is not None:
        count, kind = advice.swapped
        return words("swap pieces (new {pieces}: {count})", pieces=labels.pieces(words, kind), count=count)
    if advice.move.kind == "mix":
        return prompts.mix_label(context, words, advice.move.text)
    if advice.move.kind == "fleet":
        return prompts.fleet_label(context, words, advice.move.text)
    if advice.move.kind == "blind":
        deck = context.board.cards.two_decks
        return (
            words("draw a card face down ({deck})", deck=labels.deck(words, advice.move.word))
            if deck
            else words("draw a card face down")
        )
    return decisions.move(words, context.board, advice.move)


def _paid(words: Translator, context: TableContext, advice: Advice) -> tuple[str, ...]:
    """Return how to pay for the move, where there is a choice; an open payment is the move itself."""
    if advice.payment is None or advice.move.kind == "payment":
        return ()
    return (words("Pay with {cards}.", cards=_cards(words, context, advice.payment)),)


def _cards(words: Translator, context: TableContext, payment: Payment) -> str:
    return labels.cards(words, context.board, [card_name(kind) for kind, count in payment.cards for _ in range(count)])


def _reasons(words: Translator, board: Board, advice: Advice, *, with_chance: bool) -> tuple[str, ...]:
    """Return the reasons: what the planner has in mind, and the chance unless a warning has told it already."""
    candidates = decisions.compared(words, board, advice.compared), decisions.why(words, advice.reason)
    reasons = [candidate for candidate in candidates if candidate]
    if advice.payment is not None:
        reasons.append(words("It saves wild cards first, then the colours your other routes need."))
    if advice.chance is not None and with_chance:
        reasons.append(words("Win chance with it: {chance}", chance=labels.share(words, advice.chance)))
    return tuple(reasons) or (words("No other move is better."),)


def _caution(words: Translator, view: CoachView) -> str:
    caution = view.caution
    if caution is None or caution.better.chance is None:
        return ""
    warning = words(
        "Look again: with this move you would win {chance} of games, with the best move {better}.",
        chance=labels.share(words, caution.chance),
        better=labels.share(words, caution.better.chance),
    )
    if caution.better.compared is None:
        return warning
    brings = words("The best move: {difference}.", difference=decisions.difference(words, caution.better.compared))
    return f"{warning} {brings}"
