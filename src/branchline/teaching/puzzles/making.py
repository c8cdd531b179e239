"""Finding puzzles in games between planners, and confirming them.

Most positions are given up after a few playouts: the answers are too close, or the best is not the one that stays
ahead. What is left is looked at again with fresh luck, because the best of many noisy estimates seems better than it
is, and only these figures are kept. A third look, with fresh luck and up to ten times as many playouts, decides: of
many positions with nothing to find some come through the second one by chance.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import count as counting

import numpy as np

from branchline.analysis import Move, compare
from branchline.boards import Board
from branchline.boards.arguments import whole_number
from branchline.bots import Position, make_bot
from branchline.bots.search.search import Worker
from branchline.game import Game, Record
from branchline.rules import state as at
from branchline.teaching.exercises import Answers, answered, number_of
from branchline.teaching.looking import Lead, Looking, answers, meaning, thought_of
from branchline.teaching.puzzles.collection import ID, Collection, Puzzle, PuzzleError
from branchline.teaching.puzzles.themes import themes
from branchline.teaching.puzzles.weaker_bots import choices, missed

MARGIN = 0.05  # of the chance to win, by which the best answer is ahead of the next
SURE = 2.3  # standard errors by which it is ahead beyond `LEAST`, at the second look
LEAST = 0.005
LIKELY = 0.5  # standard errors up to which the margin may still be reached; a position that may is looked at further
PLAIN = 6.0  # standard errors by which an answer is behind that need not be tried any more
MISSED = 0.2  # share of the weaker bots that must miss it; what all of them see is trivial
ROLLOUTS = 400  # worlds of the second look, for each answer
GLANCE = 32  # worlds in which the answers that bots give are compared, before all others
FIRST_ROLLOUTS = 96  # worlds of the first look
OTHERS = 32  # worlds for answers that no planner thinks of
RIVALS = 3  # answers that the best is compared with
CHANCE = (0.1, 0.98)  # of the best answer: a game that is lost or won anyway has no puzzles
POSITIONS = 24  # looked at in one game
LATE = 12.0  # times as often the last position of a game is looked at as the first: more is decided there, and sooner
OF_A_GAME = 2  # puzzles of one game
APART = 8  # actions between them
SHARE = 0.34  # of a collection that one main theme may have
COMPARED = 256  # worlds in which the best answer is compared with the next best, in points and turns
CHECK = 10  # times the rollouts, to confirm
QUESTIONS = {at.TURN: 3, at.KEEP_TICKETS: 3, at.TUNNEL: 2, at.PASSENGER: 2}
"""What puzzles ask, and how many different answers there must be."""

FRESH = 1 << 40  # added to a seed for luck that nothing else has


def make(
    board: Board,
    count: int,
    *,
    seed: int = 1,
    jobs: int = 1,
    seconds: float | None = None,
    rollouts: int = ROLLOUTS,
    begun: Collection | None = None,
    on_found: Callable[[Collection], None] | None = None,
) -> Collection:
    """Find puzzles until there are so many, or no game is begun any more after so many seconds.

    `begun`: what was found before with the same seed; the search goes on behind its last game. `on_found` hears of
    every game that was looked through. The same seed finds the same puzzles, whatever the number of jobs.
    """
    whole_number("count", count, 1, 10_000, PuzzleError)
    whole_number("rollouts", rollouts, 20, 1_000_000, PuzzleError)
    collection = begun or Collection(board.id, seed, 0, rollouts)
    if (collection.board, collection.seed, collection.rollouts) != (board.id, seed, rollouts):
        raise PuzzleError("the puzzles there are of another board, seed or number of rollouts")
    if len(collection.puzzles) >= count:
        return collection
    until = time.monotonic() + seconds if seconds is not None else None
    for number, puzzles in _looked_through(board, seed, collection.games, rollouts, jobs, until):
        kept = list(collection.puzzles)
        for puzzle in puzzles:
            if len(kept) < count and _fits(kept, puzzle, count):
                kept.append(puzzle)
        collection = Collection(board.id, seed, number + 1, rollouts, tuple(kept))
        if on_found is not None:
            on_found(collection)
        if len(kept) >= count:
            break
    return collection


def _fits(kept: list[Puzzle], new: Puzzle, count: int) -> bool:
    """Return whether it is a new one, and there are not too many of its kind yet."""
    alike = Counter(puzzle.themes[0] for puzzle in kept)[new.themes[0]]
    return all(puzzle.id != new.id for puzzle in kept) and alike < max(1, round(SHARE * count))


def _looked_through(
    board: Board, seed: int, first: int, rollouts: int, jobs: int, until: float | None
) -> Iterator[tuple[int, list[Puzzle]]]:
    """Yield games in their order, each with its puzzles; `jobs` of them are played at the same time."""
    with ThreadPoolExecutor(max(1, jobs), "puzzles") as pool:
        waiting: list[tuple[int, Future[list[Puzzle]]]] = []
        try:
            for number in counting(first):
                if until is not None and time.monotonic() > until:
                    break
                waiting.append((number, pool.submit(_of_game, board, seed, number, rollouts)))
                if len(waiting) >= jobs:
                    done, future = waiting.pop(0)
                    yield done, future.result()
            for done, future in waiting:
                yield done, future.result()
        finally:
            for _, future in waiting:
                future.cancel()


def _of_game(board: Board, seed: int, number: int, rollouts: int) -> list[Puzzle]:
    """Return the puzzles of one game, in the order in which they were found."""
    luck = np.random.default_rng([seed, number])
    seats = min(board.seats[1], max(board.seats[0], (2, 2, 2, 3)[number % 4]))
    record, moments = _played(board, seats, int(luck.integers(1 << 60)))
    worker = Worker()
    puzzles: list[Puzzle] = []
    late = np.linspace(1, LATE, len(moments))
    for n in luck.choice(len(moments), min(POSITIONS, len(moments)), replace=False, p=late / late.sum()):
        moment = moments[n]
        if any(abs(moment.step - earlier.step) < APART for earlier in puzzles):
            continue
        puzzle = _looked_at(record, moment, int(luck.integers(1 << 38)), rollouts, worker)
        if puzzle is not None:
            puzzles.append(puzzle)
            if len(puzzles) == OF_A_GAME:
                break
    return puzzles


@dataclass(frozen=True)
class Moment:
    """A question in a game."""

    step: int  # actions before it
    fingerprint: str
    position: Position


def _played(board: Board, seats: int, seed: int) -> tuple[Record, list[Moment]]:
    """Return a game between planners, and the positions in which there was something to decide."""
    game = Game(board, seats, seed)
    players = [make_bot("planner", seat) for seat in range(seats)]
    moments = []
    while not game.over:
        position = Position.of(game)
        least = QUESTIONS.get(position.question, 0)
        if least and len({meaning(position, action) for action in position.legal}) >= least:
            moments.append(Moment(len(game.actions), game.fingerprint, position))
        game.play(players[position.seat].choose(position))
    return Record.of(game), moments


def _looked_at(record: Record, moment: Moment, seed: int, rollouts: int, worker: Worker) -> Puzzle | None:
    """Return a puzzle if the position makes one."""
    position = moment.position
    chosen = choices(position)
    if len({meaning(position, action) for action in chosen}) == 1:
        return None
    order = _first_look(position, chosen, Looking(position, seed, worker))
    if order is None:
        return None
    looking = Looking(position, seed + FRESH, worker)
    if not _stays_ahead(looking, order, rollouts):
        return None
    best, second = order[0], max(order[1:], key=looking.mean)
    answers_found = answered(
        position, looking, [best, *sorted(order[1:], key=looking.mean, reverse=True)], only_best=True
    )
    puzzle = Puzzle(
        id=moment.fingerprint[:ID],
        record=record,
        step=moment.step,
        themes=themes(position, looking, best, second),
        difficulty=missed(position, chosen, best),
        answers=Answers(position.seat, answers_found, rollouts),
    )
    deeper = _confirmed(puzzle, position, rollouts, CHECK, 0)
    return compared(puzzle, position) if deeper.confirmed and deeper.lead.beyond(SURE) else None


def compared(puzzle: Puzzle, position: Position) -> Puzzle:
    """Return the puzzle with its best answer compared with the next best, in points and turns.

    Raise `PuzzleError` when one of them is not legal in the position.
    """
    best, second = (number_of(position, answer.move) for answer in puzzle.answers.found[:2])
    if best is None or second is None:
        raise PuzzleError(f"puzzle {puzzle.id}: an answer is not legal in its position")
    comparison = compare(position, best, second, FRESH + int(puzzle.id, 16), worlds=COMPARED)
    return replace(puzzle, answers=replace(puzzle.answers, compared=comparison))


def _first_look(position: Position, chosen: list[int], looking: Looking) -> list[int] | None:
    """Return the best answer and its rivals, or None as soon as it is clear that there is no puzzle."""

    def promising(left: list[int], worlds: int) -> bool:
        best = left[0]
        lowest, highest = CHANCE
        if worlds >= 32 and not lowest <= looking.mean(best) <= highest:
            return False
        if len(left) == 1:
            return True
        lead = looking.lead(best, left[1])
        return lead.mean + LIKELY * lead.error >= MARGIN

    tried, likely = answers(position), thought_of(position)
    meanings = {meaning(position, action) for action in chosen}
    meant_by_bots = [action for action in tried if action == likely[0] or meaning(position, action) in meanings]
    for compared_now, worlds in ((meant_by_bots, GLANCE), (likely, FIRST_ROLLOUTS)):
        left = looking.left_of(compared_now, worlds, promising)
        best = left[0]
        if missed(position, chosen, best) < MISSED or not promising(left, looking.worlds(best)):
            return None
    others = [action for action in tried if action not in likely and action not in meant_by_bots]
    for action in others:
        looking.try_out(action, OTHERS)
    rivals = [action for action in tried if action != best]
    rivals.sort(key=lambda action: -looking.mean(action, "value") - 2 * looking.lead(best, action, "value").error)
    if not rivals or looking.best([best, *others]) != best:
        return None
    return [best, *rivals[:RIVALS]]


def _stays_ahead(looking: Looking, order: list[int], rollouts: int) -> bool:
    """Return whether the best answer leads its rivals by the margin, and significantly, with fresh luck."""
    best, *rivals = order
    open_still = rivals
    for worlds in (rollouts // 4, rollouts):
        for action in (best, *open_still):
            looking.try_out(action, worlds)
        for action in open_still:
            lead = looking.lead(best, action)
            if lead.mean + LIKELY * lead.error < MARGIN:
                return False
        plain = [rival for rival in open_still if looking.lead(best, rival).beyond(PLAIN)]
        open_still = [rival for rival in open_still if rival not in plain] or plain[:1]
    lowest, highest = CHANCE
    return lowest <= looking.mean(best) <= highest and all(
        looking.lead(best, rival).mean >= MARGIN
        and looking.lead(best, rival).mean - SURE * looking.lead(best, rival).error >= LEAST
        and looking.lead(best, rival, "value").beyond(SURE)
        for rival in rivals
    )


# ------------------------------------------------------------------------------------------------ confirming


@dataclass(frozen=True)
class Confirmation:
    """What a deeper look says of a puzzle."""

    puzzle: Puzzle
    best: str  # the best answer now, as the game writes it
    lead: Lead  # of the puzzle's answer over the next best, in chance
    confirmed: bool  # whether it is the same


def check(
    collection: Collection,
    board: Board,
    *,
    times: int = CHECK,
    seed: int = 1,
    jobs: int = 1,
    only: list[str] | None = None,
    on_checked: Callable[[Confirmation], None] | None = None,
) -> list[Confirmation]:
    """Look at puzzles with up to so many times the rollouts and luck of its own.

    The best answer and its strongest rival are compared until one of them is behind so far that more worlds cannot
    change it, or all these worlds are used up; other answers until they are behind beyond doubt. `only`: the ids of
    those to look at. Raise `PuzzleError` where a record does not lead to its puzzle.
    """
    whole_number("times", times, 1, 1000, PuzzleError)
    chosen = [puzzle for puzzle in collection.puzzles if only is None or puzzle.id in only]
    found = []

    def looked_at(to_check: Puzzle) -> Confirmation:
        return _confirmed(to_check, to_check.position(board), collection.rollouts, times, seed)

    with ThreadPoolExecutor(max(1, jobs), "puzzles") as pool:
        try:
            for confirmation in pool.map(looked_at, chosen):
                found.append(confirmation)
                if on_checked is not None:
                    on_checked(confirmation)
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    return found


def _confirmed(puzzle: Puzzle, position: Position, rollouts: int, times: int, seed: int) -> Confirmation:
    """Return one puzzle, looked at anew. `seed` is that of the luck; it was made with 0."""
    looking = Looking(position, (seed << 50) + int(puzzle.id, 16))
    listed = [number_of(position, answer.move) for answer in puzzle.answers.found]
    best, *rivals = [action for action in listed if action is not None]
    if len(rivals) + 1 < len(listed):
        raise PuzzleError(f"puzzle {puzzle.id}: an answer is not legal in its position")
    known = {meaning(position, action) for action in (best, *rivals)}
    others = [action for action in answers(position) if meaning(position, action) not in known]
    left = looking.left_of([best, *rivals, *others], rollouts * times)
    compared = list(dict.fromkeys([best, rivals[0], *left]))
    worlds = max(rollouts, *(looking.worlds(action) for action in compared))
    while True:
        for action in compared:
            looking.try_out(action, worlds)
        first = max(compared, key=looking.mean)
        if worlds == rollouts * times or all(
            looking.lead(first, action).beyond(PLAIN) for action in compared if action != first
        ):
            break
        worlds = min(rollouts * times, 2 * worlds)
    second = max((action for action in compared if action != best), key=looking.mean)
    return Confirmation(puzzle, Move.of(position, first).text, looking.lead(best, second), first == best)
