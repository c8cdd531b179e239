"""The analysis of a finished game: the curve of the chances, where the results come from, the largest mistakes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from markupsafe import Markup

from branchline.analysis import Analysis, AnalysisError, Decision, curve_svg
from branchline.boards import Board
from branchline.draw.page import PAGE
from branchline.web.core.pages import components, labels
from branchline.web.core.pages.decisions import SIZES, compared, move, points, why
from branchline.web.core.pages.render import part, render
from branchline.web.core.pages.translation import N_, Translator, translator_for
from branchline.web.core.rooms import analyses
from branchline.web.core.seen import Player
from branchline.web.core.visit import Visit
from branchline.web.replay.replays import ReplayContext


@dataclass(frozen=True)
class AnalysisContext:
    """The analysis of a finished game, or how far it has come."""

    visit: Visit
    room: str
    board: Board
    players: tuple[Player, ...]
    found: Analysis | None = None  # while it runs: what is known so far
    running: bool = False
    failed: bool = False
    done: int = 0  # actions that have been looked at
    actions: int = 0  # of the whole game
    moments: tuple[int, ...] = ()  # for each action, the moment before it in the replay
    spectator_link: str = ""  # as in `ReplayContext`
    imagined: tuple[str, ...] = ()  # as in `ReplayContext`
    thinks: bool = False  # the browser analyses it, where it can

    @property
    def game(self) -> tuple[Board, int, int]:
        """The board, the seats and the actions."""
        return self.board, len(self.players), len(self.moments)


WORST = 8  # mistakes on the page
ON_THE_END_SCREEN = 3


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
    """Return the whole page: a button to begin with, the progress, or the results."""
    words, analysed = translator_for(context.visit.language), context.found
    every = [_line(words, context, decision) for decision in analysed.decisions if decision.real] if analysed else []
    return render(
        "replay/analysis.html",
        context.visit,
        context=context,
        title=f"{words('Analysis')} · {context.board.title_in(words.language)} · branchline",
        curve=curve(words, context, analysed) if analysed else "",
        own=curve(words, context, analysed, own=True) if analysed and analysed.decisions else "",
        reports=reports(words, analysed) if analysed else (),
        mistakes=mistakes_of(words, context.board, analysed, context.moments)[:WORST] if analysed else (),
        every=every,
    )


def review(context: AnalysisContext) -> str:
    """Return the element `review` on the end screen: the viewer's three largest mistakes, or the progress."""
    words, analysed = translator_for(context.visit.language), context.found if not context.running else None
    own = tuple(player.seat for player in context.players if player.mine)
    shown = mistakes_of(words, context.board, analysed, context.moments, own or None) if analysed else ()
    return part(
        "replay/review.html",
        words,
        context=context,
        found=analysed,
        mistakes=shown[:ON_THE_END_SCREEN],
        reports=reports(words, analysed) if analysed else (),
    )


def found_elsewhere(draw: Callable[[AnalysisContext], str], context: AnalysisContext, text: str) -> str:
    """Return a page of the analysis that a browser has made. Raise `AnalysisError` where none can be made of it."""
    try:
        found = analyses.found_elsewhere(text, *context.game)
        return draw(replace(context, found=found, running=False, failed=False))
    except AnalysisError:
        raise
    except Exception as error:  # there are many ways to be no analysis
        raise AnalysisError(f"this is no analysis: {type(error).__name__}") from None


def curve(
    words: Translator,
    context: AnalysisContext | ReplayContext,
    analysed: Analysis,
    *,
    own: bool = False,
    better: bool = True,
) -> Markup:
    """Return the chances over the moments of the replay, in the colours of the page; dots mark those in `better`."""
    names = tuple(components.name_of(words, player) for player in context.players)

    def share(value: float) -> str:
        return labels.share(words, value)

    def said(decision: Decision) -> str:
        mistake = _mistake(words, context.board, analysed, decision, context.moments)
        if not better:
            return words("{name}: {did} ({chance}).", name=names[decision.seat], did=mistake.did, chance=mistake.chance)
        return words(
            "{name}: {did} ({chance}). Better: {better} ({better_chance}).",
            name=names[decision.seat],
            did=mistake.did,
            chance=mistake.chance,
            better=mistake.better,
            better_chance=mistake.better_chance,
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
            replace(analysed, names=names),
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
    analysed: Analysis,
    moments: tuple[int, ...],
    seats: tuple[int, ...] | None = None,
) -> tuple[Mistake, ...]:
    """Return the mistakes of these seats (None: of all), the largest first."""
    whose = [decision for decision in analysed.mistakes() if seats is None or decision.seat in seats]
    return tuple(_mistake(words, board, analysed, decision, moments) for decision in whose)


def _mistake(
    words: Translator, board: Board, analysed: Analysis, decision: Decision, moments: tuple[int, ...]
) -> Mistake:
    assert decision.better is not None
    done, better = decision.played.move, decision.better.move
    return Mistake(
        decision.step,
        moments[decision.step],
        decision.seat,
        words(SIZES[decision.mistake]),
        points(-100 * decision.lost),
        move(words, board, done),
        labels.share(words, decision.played.chance),
        move(words, board, better),
        labels.share(words, decision.better.chance),
        compared(words, board, decision.compared) or why(words, decision.better.reason),
        components.highlights(done.route, done.place),
        components.highlights(better.route, better.place),
    )


def reports(words: Translator, analysed: Analysis) -> tuple[Report, ...]:
    """Return the figures of all players."""
    return tuple(_report(words, analysed, seat) for seat in range(len(analysed.totals)) if analysed.of(seat))


def _report(words: Translator, analysed: Analysis, seat: int) -> Report:
    ledger = analysed.ledger(seat)
    start, luck, lost, others, end = ledger.sentence()
    low, high = (points(100 * share) for share in ledger.luck_range)
    kinds = ledger.kinds()
    if not analysed.board.tunnel_cards:
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


def _line(words: Translator, context: AnalysisContext, decision: Decision) -> Line:
    done = decision.played
    did, chance = move(words, context.board, done.move), labels.share(words, done.chance)
    return Line(context.moments[decision.step], decision.seat, did, why(words, done.reason), chance)
