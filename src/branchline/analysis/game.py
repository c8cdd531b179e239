"""A whole game analysed: the chances of each seat over its course, and what made them."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from branchline.analysis import mistakes
from branchline.analysis.course import BOTH_SIDES, LUCK, ROUGH, Course, Fortune, Watch, fortune, summed
from branchline.analysis.decision import Decision, counted_once
from branchline.analysis.judging import FEWEST, AnalysisError, Judge, Judgement, Moment
from branchline.analysis.ledger import Ledger
from branchline.analysis.playouts import Playouts
from branchline.boards import Board
from branchline.boards.arguments import instance, sequence, whole_number
from branchline.boards.faults import shown
from branchline.bots import Position
from branchline.game import Game, Record
from branchline.game.game import SEEDS
from branchline.game.record import MAX_ACTIONS
from branchline.plain_data import JsonObject
from branchline.rules import kernel

FORMAT = 5  # of an analysis as JSON; what was played out by other bots is another format, too
ROLLOUTS = 400
BUDGET = 6_000_000  # actions in games played out, about, that a whole analysis takes: less than a minute on one core
A_DECISION = 430  # games played out for one, about
STEEP = 1.8  # all numbers of worlds shrink by more than the work is too much, as none falls below its least
WORLDS = 61  # bits of the number of the first one
PARTS = 1.0  # seconds, at least, between two parts that are handed out
EVENTS = {"blind": "cards", "market": "cards", "sweep": "cards", "tickets": "tickets", "tunnel": "tunnels"}
"""Which events are chance's work."""
_REVEALED = ("", "cards", "tickets", "tunnels")  # where there are several, the last one counts


@dataclass(frozen=True)
class Analysis:
    """The analysis of a game, as `analyse` returns it."""

    board: Board
    names: tuple[str, ...]
    totals: tuple[int, ...]
    results: tuple[float, ...]  # of each seat: 1 won, a part where shared, 0 lost
    steps: int  # actions of the game
    rollouts: int
    decisions: tuple[Decision, ...]  # in their order
    course: Course = ()  # (actions done, the chance of each seat as somebody sees it who sees all): they add up to 1
    fortunes: tuple[Fortune, ...] = ()  # luck that can be told apart: of the deal, of tickets, of tunnels
    complete: bool = True  # False: a part, while the rest is being worked out

    def of(self, seat: int) -> tuple[Decision, ...]:
        """Return a seat's own decisions. Raise `AnalysisError` if there is no such seat."""
        whole_number("seat", seat, 0, len(self.totals) - 1, AnalysisError)
        return tuple(decision for decision in self.decisions if decision.seat == seat)

    def curve(self, seat: int) -> list[tuple[int, float]]:
        """Return the chance as the seat could see it: (actions done, chance) from its first decision to the result."""
        points = [(decision.step, decision.best) for decision in self.of(seat) if decision.real]
        return [*points, (self.steps, self.results[seat])]

    def mistakes(self, seat: int | None = None) -> list[Decision]:
        """Return the mistakes of a seat, or of all seats, the largest first."""
        whose = self.decisions if seat is None else self.of(seat)
        return sorted(
            (decision for decision in whose if decision.better), key=lambda decision: (-decision.lost, decision.step)
        )

    def turning_points(self, most: int = 5) -> list[Decision]:
        """Return the largest mistakes of all seats, at most this many."""
        whole_number("most", most, 0, MAX_ACTIONS, AnalysisError)
        return self.mistakes()[:most]

    def ledger(self, seat: int) -> Ledger:
        """Return where the seat's result comes from."""
        own = self.of(seat)
        if not own:
            raise AnalysisError(f"seat {seat} decided nothing")
        real = [decision for decision in own if decision.real]
        sizes = [decision.mistake for decision in own]
        even, result = 1 / len(self.totals), self.results[seat]
        lost = -sum(decision.lost for decision in own)
        others = sum(decision.effect[seat] for decision in self.decisions if decision.seat != seat)
        luck = result - even - lost - others
        brought = {
            luck_of_kind.kind: (luck_of_kind.brought[seat], luck_of_kind.errors[seat]) for luck_of_kind in self.fortunes
        }
        deal, tickets, tunnels = (brought.get(kind, (0.0, 0.0)) for kind in ("deal", *LUCK))
        unsure = sum(decision.errors[seat] ** 2 for decision in self.decisions)
        return Ledger(
            seat=seat,
            even=even,
            deal=deal[0],
            cards=luck - deal[0] - tickets[0] - tunnels[0],
            tickets=tickets[0],
            tunnels=tunnels[0],
            others=others,
            lost=lost,
            result=result,
            accuracy=mistakes.accuracy(
                sum(decision.weight * decision.fault for decision in real), sum(decision.weight for decision in real)
            ),
            real=len(real),
            small=sizes.count("small"),
            medium=sizes.count("medium"),
            large=sizes.count("large"),
            luck_error=unsure**0.5,
            deal_error=deal[1],
            cards_error=(unsure + deal[1] ** 2 + tickets[1] ** 2 + tunnels[1] ** 2) ** 0.5,
            tickets_error=tickets[1],
            tunnels_error=tunnels[1],
        )

    def as_dict(self) -> JsonObject:
        """Return the analysis as plain data. Routes, places and tickets are their numbers on the board."""
        return {
            "branchline_analysis": FORMAT,
            "board": self.board.id,
            "names": list(self.names),
            "totals": list(self.totals),
            "results": list(self.results),
            "steps": self.steps,
            "rollouts": self.rollouts,
            "complete": self.complete,
            "ledgers": [_told(self.ledger(seat)) for seat in range(len(self.totals)) if self.of(seat)],
            "course": [[step, list(chances)] for step, chances in self.course],
            "fortunes": [luck_of_kind.as_dict() for luck_of_kind in self.fortunes],
            "decisions": [decision.as_dict() for decision in self.decisions],
        }

    @classmethod
    def from_dict(cls, data: Any, board: Board) -> Analysis:
        """Read what `as_dict` wrote of a game on this board. Raise `AnalysisError`, also for an older format."""
        instance("board", board, Board, "a board, as `load_board` returns it", AnalysisError)
        try:
            if (data["branchline_analysis"], data["board"]) != (FORMAT, board.id):
                raise AnalysisError(f"expected an analysis in format {FORMAT} of a game on {board.id}")
            analysis = cls(
                board=board,
                names=tuple(map(str, data["names"])),
                totals=tuple(map(int, data["totals"])),
                results=tuple(map(float, data["results"])),
                steps=int(data["steps"]),
                rollouts=int(data["rollouts"]),
                decisions=tuple(Decision.from_dict(decision, board) for decision in data["decisions"]),
                course=tuple((int(step), tuple(map(float, chances))) for step, chances in data["course"]),
                fortunes=tuple(Fortune.from_dict(luck_of_kind) for luck_of_kind in data["fortunes"]),
                complete=bool(data["complete"]),
            )
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
            raise AnalysisError(f"this is no analysis: {type(error).__name__} {error}") from None
        analysis._check()
        return analysis

    def _check(self) -> None:
        """Check that everything is there for each seat."""
        seats = len(self.totals)
        rows = [self.names, self.results, *(chances for _, chances in self.course)]
        rows += [row for luck_of_kind in self.fortunes for row in (luck_of_kind.brought, luck_of_kind.errors)]
        rows += [row for decision in self.decisions for row in (decision.effect, decision.errors)]
        if any(len(row) != seats for row in rows) or any(not 0 <= decision.seat < seats for decision in self.decisions):
            raise AnalysisError(f"this is no analysis of a game of {seats} seats")


def _told(ledger: Ledger) -> dict[str, object]:
    return vars(ledger) | {"luck": ledger.luck, "luck_range": list(ledger.luck_range)}


def analyse(
    game: Record | Game,
    *,
    board: Board | None = None,
    rollouts: int = ROLLOUTS,
    jobs: int = 1,
    seed: int = 1,
    seats: Iterable[int] | None = None,
    on_progress: Callable[[int], None] | None = None,
    on_part: Callable[[Analysis], None] | None = None,
) -> Analysis:
    """Analyse a finished game.

    `board` replaces the record's own board if that is not found. `rollouts` is the maximum number of playouts of each
    of two compared answers; more is more precise and slower. A long game gets fewer, so that it does not take much
    longer; `Analysis.rollouts` tells how many. `jobs` is the number of threads. `seats` selects the seats whose
    decisions are judged; None selects all. `on_progress` receives the number of actions examined so far; `on_part`
    receives the results so far about once a second, first the course of the chances, then more and more decisions. The
    same seed gives the same analysis with any number of jobs. Raise `AnalysisError` if the game is not over, and
    `RecordError` if the record is broken.
    """
    if not isinstance(game, (Record, Game)):
        raise AnalysisError(f"expected a game or its record, not {shown(game)}")
    whole_number("rollouts", rollouts, 1, 1_000_000, AnalysisError)
    whole_number("jobs", jobs, 1, 1024, AnalysisError)
    whole_number("seed", seed, 0, SEEDS - 1, AnalysisError)
    record = game if isinstance(game, Record) else game.record()
    last = record.replay(board)
    if not last.over:
        raise AnalysisError(f"the game is not over: after {len(last.actions)} actions it asks {last.question}")
    whose = set(range(last.seats))
    if seats is not None:
        asked = sequence("seats", seats, "a list of seats", AnalysisError)
        whose = {whole_number("seats", seat, 0, last.seats - 1, AnalysisError) for seat in asked}
    work = _Work(record, last, rollouts, seed, whose)
    with ThreadPoolExecutor(jobs, "analysis") as pool:
        try:
            return work.done(pool, on_progress or (lambda _: None), on_part or (lambda _: None))
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def first_world(seed: int) -> int:
    """Return the number of the first world of an analysis: those of neighbouring seeds lie far apart and share none."""
    return random.Random(seed).getrandbits(WORLDS)


class _Work:
    """One analysis while it is made."""

    def __init__(self, record: Record, last: Game, rollouts: int, seed: int, whose: set[int]) -> None:
        self._last, self._seed = last, first_world(seed)
        named = tuple(record.names[: last.seats])  # there may be more
        self._names = named + tuple(f"seat {seat}" for seat in range(len(named), last.seats))
        self._moments = _moments(Record.of(last), last.board)
        self._judged = [moment for moment in self._moments if moment.position.seat in whose]
        actions = A_DECISION * len(last.actions) * sum(moment.left for moment in self._judged)
        self._share = min(1.0, BUDGET * max(1.0, rollouts / ROLLOUTS) / max(1.0, actions)) ** STEEP
        self._rollouts = max(min(FEWEST, rollouts), round(rollouts * self._share))
        self._watch = Watch(self._moments, self._seed)
        self._decisions: list[Decision] = []
        self._fortunes: tuple[Fortune, ...] = ()
        self._own = threading.local()

    def done(
        self, pool: ThreadPoolExecutor, on_progress: Callable[[int], None], on_part: Callable[[Analysis], None]
    ) -> Analysis:
        """Return the analysis: the rough course first, so that there is something to look at; then everything else."""
        worlds = max(ROUGH, self._rollouts // 5)
        self._follow(pool, min(ROUGH, worlds))
        on_part(self._analysis(complete=False))
        handed = time.monotonic()
        judgements = pool.map(self._judge, self._judged)
        for moment, judgement in zip(self._judged, judgements, strict=True):
            self._decisions.append(_decision(moment, judgement))
            on_progress(moment.step + 1)
            if time.monotonic() > handed + PARTS:
                on_part(self._analysis(complete=False))
                handed = time.monotonic()
        self._follow(pool, worlds)
        self._fortunes = (self._watch.deal(), *self._luck(pool, round(BOTH_SIDES * worlds)))
        return self._analysis(complete=True)

    def _follow(self, pool: ThreadPoolExecutor, worlds: int) -> None:
        list(pool.map(lambda moment: self._watch.look(self._tools()[0], moment, worlds), self._watch.moments))
        self._fortunes = (self._watch.deal(),)

    def _luck(self, pool: ThreadPoolExecutor, worlds: int) -> Iterator[Fortune]:
        """Yield what draws of tickets and tunnels brought."""
        for kind in LUCK:
            pairs = [
                (moment, then)
                for moment, then in zip(self._moments, self._moments[1:], strict=False)
                if moment.revealed == kind
            ]
            fortunes = pool.map(lambda pair: fortune(self._tools()[0], pair[0], pair[1], worlds, self._seed), pairs)
            yield summed(kind, self._last.seats, list(fortunes))

    def _judge(self, moment: Moment) -> Judgement:
        return self._tools()[1].judge(moment, self._seed + (moment.step << 32))

    def _tools(self) -> tuple[Playouts, Judge]:
        """Return the tools of this thread."""
        if not hasattr(self._own, "tools"):
            self._own.tools = Playouts(), Judge(self._rollouts, self._share)
        tools: tuple[Playouts, Judge] = self._own.tools
        return tools

    def _analysis(self, *, complete: bool) -> Analysis:
        last, scores = self._last, self._last.scores
        assert scores is not None
        return Analysis(
            board=last.board,
            names=self._names,
            totals=scores.totals,
            results=scores.shares,
            steps=len(last.actions),
            rollouts=self._rollouts,
            decisions=counted_once(self._decisions),
            course=self._watch.course(),
            fortunes=self._fortunes,
            complete=complete,
        )


def _moments(record: Record, board: Board) -> list[Moment]:
    """Return every decision with a choice. What was forced is a part of the decision before it."""
    moments: list[Moment] = []
    steps = record.steps(board)
    game = next(steps)
    for step, line in enumerate(record.actions):
        position = Position.of(game)
        if len(position.legal) > 1:
            action = int(game.legal.by_text(line.partition(" ")[2]))
            state = kernel.record_in(game.state)
            moments.append(Moment(step, position, action, state, left=1 - step / len(record.actions)))
        game = next(steps)
        if moments:
            for event in game.events:
                moments[-1].revealed = max(moments[-1].revealed, EVENTS.get(event.kind, ""), key=_REVEALED.index)
    return moments


def _decision(moment: Moment, judged: Judgement) -> Decision:
    """Return a moment and its judgement as a decision."""
    return Decision(
        step=moment.step,
        seat=moment.position.seat,
        turn=int(moment.position.state.turns),
        real=judged.real,
        played=judged.played,
        better=judged.better,
        behind=judged.behind,
        effect=judged.effect,
        errors=judged.errors,
        lead=judged.lead,
        lead_error=judged.lead_error,
        planned=judged.planned,
        planned_error=judged.planned_error,
        missed=judged.missed,
        revealed=moment.revealed,
        worlds=judged.worlds,
        compared=judged.compared,
    )
