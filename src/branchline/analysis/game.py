"""A whole game analysed: the chances of each seat over its course, and what made them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from branchline.analysis.judging import AnalysisError, Judge, Judgement, Moment, Option
from branchline.atlas import Board
from branchline.atlas.arguments import instance, sequence, whole_number
from branchline.atlas.faults import shown
from branchline.bots import Position
from branchline.game import Game, Record
from branchline.game.game import SEEDS
from branchline.game.record import MAX_ACTIONS
from branchline.rules import kernel

FORMAT = 1  # of an analysis as JSON
ROLLOUTS = 400
LUCK = {"blind": "cards", "market": "cards", "sweep": "cards", "tickets": "tickets", "tunnel": "tunnels"}
"""Which events are chance's work."""
KINDS = ("", "cards", "tickets", "tunnels")  # of luck; where there are several, the last one counts


@dataclass(frozen=True)
class Decision:
    """One decision of a game. Chances are those of its seat, from what it knew."""

    step: int  # actions before it: the number of the moment in the replay
    seat: int
    turn: int  # turns ended before it
    played: Option  # with the chance to win after this choice
    better: Option | None  # what would have been better beyond the noise
    after: float  # the chance when it is known what chance brought
    revealed: str  # "cards", "tickets", "tunnels", or "": nothing
    worlds: int  # imagined games behind the chance of what was played

    @property
    def best(self) -> float:
        """The chance with the best there was."""
        return (self.better or self.played).chance

    @property
    def lost(self) -> float:
        """The chance given away by not doing what was better."""
        return self.best - self.played.chance

    @property
    def luck(self) -> float:
        """The chance that chance brought."""
        return self.after - self.played.chance

    def as_dict(self) -> dict[str, Any]:
        """For machines."""
        return {
            "step": self.step,
            "seat": self.seat,
            "turn": self.turn,
            "played": self.played.as_dict(),
            "better": self.better.as_dict() if self.better else None,
            "lost": self.lost,
            "after": self.after,
            "revealed": self.revealed,
            "luck": self.luck,
            "worlds": self.worlds,
        }

    @classmethod
    def from_dict(cls, data: Any, board: Board) -> Decision:
        """What `as_dict` wrote."""
        return cls(
            step=int(data["step"]),
            seat=int(data["seat"]),
            turn=int(data["turn"]),
            played=Option.from_dict(data["played"], board),
            better=Option.from_dict(data["better"], board) if data["better"] else None,
            after=float(data["after"]),
            revealed=str(data["revealed"]),
            worlds=int(data["worlds"]),
        )


@dataclass(frozen=True)
class Ledger:
    """Where one seat's result comes from. `even` and all parts add up to `result`, exactly."""

    seat: int
    even: float  # 1 in so many seats
    deal: float  # luck of the first cards, tickets and order of play
    cards: float
    tickets: float
    tunnels: float
    others: float  # what the others' moves, and the market's while they moved, did to it
    lost: float  # skill: by moves to which there was a better one; never above 0
    result: float  # 1 won, 0 lost, a part of it where a victory is shared

    @property
    def luck(self) -> float:
        """All that chance brought."""
        return self.deal + self.cards + self.tickets + self.tunnels


@dataclass(frozen=True)
class Analysis:
    """What `analyse` found."""

    board: Board
    names: tuple[str, ...]
    totals: tuple[int, ...]
    results: tuple[float, ...]  # of each seat: 1 won, a part where shared, 0 lost
    steps: int  # actions of the game
    rollouts: int
    decisions: tuple[Decision, ...]

    def of(self, seat: int) -> tuple[Decision, ...]:
        """A seat's own decisions. Raises `AnalysisError` for a seat that is not there."""
        whole_number("seat", seat, 0, len(self.totals) - 1, AnalysisError)
        return tuple(one for one in self.decisions if one.seat == seat)

    def curve(self, seat: int) -> list[tuple[int, float]]:
        """The seat's chance over the game: (actions done, chance) from its first decision to the result."""
        points = []
        for one in self.of(seat):
            points += [(one.step, one.best), (one.step + 1, one.after)]
        return [*points, (self.steps, self.results[seat])]

    def ledger(self, seat: int) -> Ledger:
        """Where the seat's result comes from."""
        own = self.of(seat)
        if not own:
            raise AnalysisError(f"seat {seat} decided nothing")
        luck = {kind: sum(one.luck for one in own if one.revealed == kind) for kind in KINDS[1:]}
        following = [one.best for one in own[1:]] + [self.results[seat]]
        return Ledger(
            seat=seat,
            even=1 / len(self.names),
            deal=own[0].best - 1 / len(self.names),
            **luck,
            others=sum(then - one.after for one, then in zip(own, following, strict=True)),
            lost=-sum(one.lost for one in own),
            result=self.results[seat],
        )

    def turning_points(self, most: int = 5) -> list[Decision]:
        """The moves that cost most, the worst first."""
        whole_number("most", most, 0, MAX_ACTIONS, AnalysisError)
        return sorted((one for one in self.decisions if one.lost > 0), key=lambda one: -one.lost)[:most]

    def as_dict(self) -> dict[str, Any]:
        """All of it, for machines. Routes, places and tickets are their numbers on the board."""
        return {
            "branchline_analysis": FORMAT,
            "board": self.board.id,
            "names": list(self.names),
            "totals": list(self.totals),
            "results": list(self.results),
            "steps": self.steps,
            "rollouts": self.rollouts,
            "ledgers": [vars(self.ledger(seat)) for seat in range(len(self.names)) if self.of(seat)],
            "decisions": [one.as_dict() for one in self.decisions],
        }

    @classmethod
    def from_dict(cls, data: Any, board: Board) -> Analysis:
        """What `as_dict` wrote of a game on this board; raises `AnalysisError`."""
        instance("board", board, Board, "a board, as `load_board` returns it", AnalysisError)
        try:
            if (data["branchline_analysis"], data["board"]) != (FORMAT, board.id):
                raise AnalysisError(f"expected an analysis in format {FORMAT} of a game on {board.id}")
            return cls(
                board=board,
                names=tuple(map(str, data["names"])),
                totals=tuple(map(int, data["totals"])),
                results=tuple(map(float, data["results"])),
                steps=int(data["steps"]),
                rollouts=int(data["rollouts"]),
                decisions=tuple(Decision.from_dict(one, board) for one in data["decisions"]),
            )
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
            raise AnalysisError(f"this is no analysis: {type(error).__name__} {error}") from None


def analyse(
    game: Record | Game,
    *,
    board: Board | None = None,
    rollouts: int = ROLLOUTS,
    jobs: int = 1,
    seed: int = 1,
    seats: Iterable[int] | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Analysis:
    """Analyse a finished game.

    `board`: where the record's own is not found. `rollouts`: games played out for each decision; more is finer and
    slower. `jobs`: threads. `seats`: whose decisions; None: everybody's. `on_progress` hears how many of the game's
    actions have been looked at. The same seed finds the same, with any number of jobs. Raises `AnalysisError` for a
    game that is not over, `RecordError` for a broken record.
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
    moments = [one for one in _moments(Record.of(last), last.board) if one.position.seat in whose]
    judgements = _judged(moments, rollouts, jobs, seed, on_progress)
    winners = last.scores.winners
    return Analysis(
        board=last.board,
        names=tuple(record.names) + tuple(f"seat {seat}" for seat in range(len(record.names), last.seats)),
        totals=last.scores.totals,
        results=tuple((seat in winners) / len(winners) for seat in range(last.seats)),
        steps=len(last.actions),
        rollouts=rollouts,
        decisions=tuple(_decisions(moments, judgements)),
    )


def _moments(record: Record, board: Board) -> list[Moment]:
    """Every decision that was one: where there was a choice. What was forced is a part of the decision before it."""
    found: list[Moment] = []
    current: Moment | None = None  # whose consequences are being looked at
    steps = record.steps(board)
    game = next(steps)
    for step, line in enumerate(record.actions):
        position = Position.of(game)
        if current is not None and current.position.seat != position.seat:
            current = None
        if len(position.legal) > 1:
            current = Moment(step, position, int(game.legal.by_text(line.partition(" ")[2])))
            found.append(current)
        game = next(steps)
        if current is not None:
            _see_what_came(current, game)
    return found


def _see_what_came(moment: Moment, game: Game) -> None:
    """Note what chance brought, and what the seat knows when another one is asked."""
    for event in game.events:
        kind = LUCK.get(event.kind, "")
        moment.revealed = max(moment.revealed, kind, key=KINDS.index)
    if not game.over and game.question.seat != moment.position.seat:
        moment.next = kernel.record_in(game.redacted(moment.position.seat))


def _judged(
    moments: list[Moment], rollouts: int, jobs: int, seed: int, on_progress: Callable[[int], None] | None
) -> list[Judgement]:
    """All decisions, each judged by luck of its own; threads share them out."""
    own = threading.local()

    def judge(moment: Moment) -> Judgement:
        if not hasattr(own, "judge"):
            own.judge = Judge(rollouts)
        found: Judgement = own.judge.judge(moment, seed + (moment.step << 32))
        return found

    found = []
    with ThreadPoolExecutor(max(1, jobs), "analysis") as pool:
        try:
            for moment, one in zip(moments, pool.map(judge, moments), strict=True):
                found.append(one)
                if on_progress:
                    on_progress(moment.step + 1)
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    return found


def _decisions(moments: list[Moment], judgements: list[Judgement]) -> Iterator[Decision]:
    """Both put together. Where the seat was asked again at once, what was known then is what came of it."""
    then: dict[int, float] = {}
    found = []
    for moment, judged in zip(reversed(moments), reversed(judgements), strict=True):
        position = moment.position
        best = judged.better or judged.played
        after = judged.played.chance
        if moment.revealed:
            after = judged.after if judged.after is not None else then.get(position.seat, after)
        then[position.seat] = best.chance
        found.append(
            Decision(
                step=moment.step,
                seat=position.seat,
                turn=int(position.state.turns),
                played=judged.played,
                better=judged.better,
                after=after,
                revealed=moment.revealed,
                worlds=judged.worlds,
            )
        )
    return reversed(found)
