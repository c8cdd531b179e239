"""The analysis of a finished game: the curve of the chances, where the results come from, the largest mistakes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from markupsafe import Markup

from branchline.analysis import Analysis, Decision, Move, curve_svg
from branchline.boards import Board
from branchline.bots.search.reasons import SENTENCES, Reason
from branchline.draw.page import PAGE
from branchline.web.context import AnalysisContext, ReplayContext
from branchline.web.core.pages import components, final_scores, labels
from branchline.web.core.pages.render import part, render
from branchline.web.core.pages.translation import N_, Several, Translator, translator_for

WORST = 8  # mistakes on the page
ON_THE_END_SCREEN = 3

_MOVES = {
    "claim": N_("claim {route}"),
    "station": N_("station at {place}"),
    "port": N_("port at {place}"),
    "take": N_("take {card} from the market"),
    "blind": N_("draw a card face down"),
    "refill": N_("fill the market from: {deck}"),
    "tickets": N_("draw tickets"),
    "swap": N_("swap pieces"),
    "pass": N_("pass"),
    "pay": N_("pay for the tunnel"),
    "withdraw": N_("withdraw from the tunnel"),
    "mix": N_("mix of tickets ({deck}: {count})"),
    "payment": N_("another way to pay"),
    "passenger": N_("passenger: {colour}"),
    "keep": N_("tickets kept: {tickets}"),
    "fleet": N_("trains in the fleet: {count}"),
}

SIZES = {
    "small": N_("small mistake"),
    "medium": N_("medium mistake"),
    "large": N_("big mistake"),
}

_LUCK = {
    "deal": N_("the deal"),
    "cards": N_("cards"),
    "tickets": N_("tickets"),
    "tunnels": N_("tunnels"),
}


@dataclass(frozen=True)
class Report:
    """One player's figures in words."""

    seat: int
    accuracy: str
    sentence: str  # whose parts add up
    luck: str  # its kinds, which add up, and between what figures it lies
    given_away: str
    sizes: tuple[str, str, str]  # mistakes: large, medium, small
    real: str


@dataclass(frozen=True)
class Mistake:
    """A mistake in words."""

    step: int
    moment: int  # in the replay, before it
    seat: int
    size: str
    lost: str  # points of chance
    did: str
    chance: str
    better: str
    better_chance: str
    why: str
    done: str  # on the map: what was done
    wiser: str  # and what was better

    @property
    def highlights(self) -> str:
        """Both, on the map."""
        return f"{self.wiser} {self.done}".strip()


@dataclass(frozen=True)
class Line:
    """One decision in words."""

    moment: int  # in the replay, before it
    seat: int
    did: str
    why: str
    chance: str


def analysis(context: AnalysisContext) -> str:
    """The whole page: a button to begin with, how far it is, or what was found."""
    words, found = translator_for(context.visit.language), context.found
    every = [_line(words, context, one) for one in found.decisions if one.real] if found else []
    return render(
        "replay/analysis.html",
        context.visit,
        context=context,
        title=f"{words('Analysis')} · {context.board.title_in(words.language)} · branchline",
        curve=curve(words, context, found) if found else "",
        own=curve(words, context, found, own=True) if found and found.decisions else "",
        reports=reports(words, found) if found else (),
        mistakes=mistakes_of(words, context.board, found, context.moments)[:WORST] if found else (),
        every=every,
    )


def review(context: AnalysisContext) -> str:
    """The element `review` on the end screen: the three largest mistakes of those who look at it, or how far it is."""
    words, found = translator_for(context.visit.language), context.found if not context.running else None
    own = tuple(one.seat for one in context.players if one.mine)
    shown = mistakes_of(words, context.board, found, context.moments, own or None) if found else ()
    return part(
        "replay/review.html",
        words,
        context=context,
        found=found,
        mistakes=shown[:ON_THE_END_SCREEN],
        reports=reports(words, found) if found else (),
    )


def curve(
    words: Translator,
    context: AnalysisContext | ReplayContext,
    found: Analysis,
    *,
    own: bool = False,
    better: bool = True,
) -> Markup:
    """The chances over the moments of the replay, in the colours of the page; `better`: a dot says what was better."""
    names = tuple(components.name_of(words, player) for player in context.players)

    def share(value: float) -> str:
        return labels.share(words, value)

    def said(one: Decision) -> str:
        told = _mistake(words, context.board, found, one, context.moments)
        if not better:
            return words("{name}: {did} ({chance}).", name=names[one.seat], did=told.did, chance=told.chance)
        return words(
            "{name}: {did} ({chance}). Better: {better} ({better_chance}).",
            name=names[one.seat],
            did=told.did,
            chance=told.chance,
            better=told.better,
            better_chance=told.better_chance,
        )

    def told(name: str, start: float, half: float, end: float) -> str:
        return words(
            "{name}: {start} at the start, {half} halfway, {end} at the end",
            name=name,
            start=share(start),
            half=share(half),
            end=share(end),
        )

    return Markup(
        curve_svg(
            replace(found, names=names),
            PAGE,
            title=words("Win chance"),
            moments=context.moments,
            own=own,
            said=said,
            told=told,
            share=share,
        )
    )


def mistakes_of(
    words: Translator,
    board: Board,
    found: Analysis,
    moments: tuple[int, ...],
    seats: tuple[int, ...] | None = None,
) -> tuple[Mistake, ...]:
    """The mistakes of these seats (None: of all), the largest first."""
    whose = [one for one in found.mistakes() if seats is None or one.seat in seats]
    return tuple(_mistake(words, board, found, one, moments) for one in whose)


def _mistake(words: Translator, board: Board, found: Analysis, one: Decision, moments: tuple[int, ...]) -> Mistake:
    assert one.better is not None
    done, better = one.played.move, one.better.move
    return Mistake(
        one.step,
        moments[one.step],
        one.seat,
        words(SIZES[one.mistake]),
        points(-100 * one.lost),
        move(words, board, done),
        labels.share(words, one.played.chance),
        move(words, board, better),
        labels.share(words, one.better.chance),
        why(words, one.better.reason),
        components.highlights(done.route, done.place),
        components.highlights(better.route, better.place),
    )


def points(value: float) -> str:
    """Points of chance with their sign."""
    return final_scores.signed(round(value))


def reports(words: Translator, found: Analysis) -> tuple[Report, ...]:
    """The figures of all players."""
    return tuple(_report(words, found, seat) for seat in range(len(found.totals)) if found.of(seat))


def _report(words: Translator, found: Analysis, seat: int) -> Report:
    ledger = found.ledger(seat)
    start, luck, lost, others, end = ledger.sentence()
    low, high = (points(100 * one) for one in ledger.luck_range)
    kinds = ledger.kinds()
    if not found.board.tunnel_cards:
        del kinds["tunnels"]
    split = [f"{words(_LUCK[kind])} {points(value)}" for kind, value in kinds.items()]
    return Report(
        seat,
        f"{ledger.accuracy:.0f}",
        words(
            "Start {start}, luck {luck}, own mistakes {lost}, others’ mistakes {others} = {end} at the end.",
            start=start,
            luck=points(luck),
            lost=points(lost),
            others=points(others),
            end=end,
        ),
        words(
            "Luck {luck} = {parts} ({low} to {high}).", luck=points(luck), parts=", ".join(split), low=low, high=high
        ),
        points(100 * ledger.lost),
        (str(ledger.large), str(ledger.medium), str(ledger.small)),
        str(ledger.real),
    )


def move(words: Translator, board: Board, what: Move) -> str:
    """A move in words, in the form that fits after "did" as well as after "better was"."""
    return words(
        _MOVES[what.kind],
        route=labels.route(words, board, what.route) if what.route else "",
        place=labels.place(words, what.place) if what.place else "",
        card=labels.card(words, board, what.card) if what.card else "",
        deck=labels.deck(words, what.text.split()[-1] if what.kind == "mix" else what.word),
        colour=labels.colour(words, what.word) if what.kind == "passenger" and what.word else "–",
        tickets=what.text.removeprefix("keep ") if what.kind == "keep" else "",
        count=what.text.split()[1] if what.kind == "mix" else what.count,
    )


def why(words: Translator, reason: Reason | None, sentences: Mapping[str, str | Several] = SENTENCES) -> str:
    """The reason for a move, in one of these sentences; "" where there is none for it, as for a detail."""
    if reason is None or reason.kind == "detail" or reason.kind not in sentences:
        return ""
    return words(
        sentences[reason.kind],
        place=labels.place(words, reason.place) if reason.place else "",
        ticket=reason.ticket.name if reason.ticket else "",
        missing=reason.missing,
        whole=reason.whole,
        points=reason.points,
        count=reason.points,
    )


def _line(words: Translator, context: AnalysisContext, one: Decision) -> Line:
    done = one.played
    did, chance = move(words, context.board, done.move), labels.share(words, done.chance)
    return Line(context.moments[one.step], one.seat, did, why(words, done.reason), chance)
