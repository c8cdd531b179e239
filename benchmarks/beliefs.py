"""Measure what beliefs about tickets are worth to `search`: what its decisions gain by them, and games.

    python benchmarks/beliefs.py gain berlin --decisions 150 --playouts 1000
    python benchmarks/beliefs.py games berlin --games 200 --playouts 200

The beliefs are the networks that ship (`new`), the part of the way that is done alone, which came before them (`done`),
none (`uniform`), and, for gains, the hand and the tickets that the other seat really has (`true`).

Gains are those of turns in games of two planners. By each belief `search` chooses; each choice is then played on in the
true world, by planners to the end, with so many fresh orders of the decks (`--trials`), the same ones for all choices.
Printed is by how much a choice comes to more than the planner's own, in points of win chance and of value, with one
standard error. Games are played by `search` with the new beliefs against `search` with the others, with the same number
of playouts; the processor time that each takes is printed, too.
"""

from __future__ import annotations

import argparse
import time
from typing import Any, ClassVar

import numpy as np

from branchline.arena import simulate
from branchline.boards import Board, builtin_boards, load_board
from branchline.bots.api import memory as memories
from branchline.bots.api.bot import Position
from branchline.bots.networks import belief, belief_inputs
from branchline.bots.planner.planner import PlannerBot
from branchline.bots.search import rollout
from branchline.bots.search.search import Budget, Search, SearchBot, Worker
from branchline.bots.search.trials import Trials
from branchline.game import Game
from branchline.rules import kernel, knowledge
from branchline.rules.state import HIDDEN, STATE, TURN

SHARPNESS, LOST = 7.0, 4.0  # of the belief by the part that is done
SURE = 1e6
FIRST_ROUND = 6  # of the decisions whose gain is measured


def by_part_done() -> Any:
    """The belief that came before the networks, as one: e to SHARPNESS times the part done; LOST where it is lost."""
    net = np.zeros(belief.SIZE, np.float32)
    for j, (n, weight) in enumerate(((belief_inputs.DONE, SHARPNESS), (belief_inputs.LOST, float(np.log(LOST))))):
        net[n * belief.WIDE + j] = 1.0
        net[belief.LAST + j] = weight
    return net


BELIEFS = {"done": by_part_done(), "uniform": np.zeros(belief.SIZE, np.float32)}


class BelievingSearch(Search):
    """Searches by another belief."""

    net: Any = None
    truth: Any = None  # the whole state

    def _look(self, position: Position, seed: int) -> Trials:
        notes = super()._look(position, seed)
        if self.truth is not None:
            other = 1 - position.seat
            self._known["hand"][0, other] = self.truth["hand"][0, other]
        return notes

    def _believe(self, position: Position, notes: Trials) -> None:
        if self.net is not None:
            self._workers[0].believer = self.net
        super()._believe(position, notes)
        if self.truth is not None:
            other = 1 - position.seat
            for ticket in range(len(position.board.tickets)):
                if position.state.ticket_at[ticket] == HIDDEN:
                    holds = int(self.truth["ticket_at"][0, ticket]) == other
                    notes.belief[other, ticket] = SURE if holds else 1 / SURE


class WithBelief(SearchBot):
    """`search` with another belief."""

    belief: ClassVar[str]
    spent: ClassVar[float] = 0.0

    def begin(self, seed: int) -> None:
        """Begin another game."""
        super().begin(seed)
        if self.belief != "new":
            search = BelievingSearch(self.threads, self.horizon)
            search.net = BELIEFS[self.belief]
            self.search = search

    def choose(self, position: Position) -> int:
        """Return one of `position.legal`."""
        started = time.thread_time()
        action = super().choose(position)
        type(self).spent += time.thread_time() - started
        return action


class NewBot(WithBelief):
    """By the networks."""

    name = "new"
    belief = "new"


class DoneBot(WithBelief):
    """By the part done."""

    name = "done"
    belief = "done"


class UniformBot(WithBelief):
    """By nothing."""

    name = "uniform"
    belief = "uniform"


BOTS: tuple[type[WithBelief], ...] = (NewBot, DoneBot, UniformBot)


def decisions(board: Board, count: int) -> Any:
    """Turns in games of two planners, about three in each game."""
    luck = np.random.default_rng(5)
    seed = 1000
    while count:
        game = Game(board, 2, seed)
        bots = [PlannerBot(seat) for seat in range(2)]
        wanted = sorted(luck.integers(FIRST_ROUND, 36, 3))
        while not game.over and wanted and count:
            position = Position.of(game)
            if position.question == TURN and int(game.state["turns"][0]) // 2 >= wanted[0]:
                wanted.pop(0)
                count -= 1
                yield game, position
            game.play(bots[position.seat].choose(position))
        seed += 1


def played_on(worker: Worker, game: Game, seat: int, actions: list[int], trials: int, seed: int) -> Any:
    """What each action comes to for the seat in the true world: (trials, actions, 2), victory and value."""
    board = kernel.record_in(game.board.tables)
    found = np.zeros((trials, len(actions), 2))
    world, state = kernel.new_buffer(STATE), kernel.new_buffer(STATE)
    for n in range(trials):
        world[0] = game.state[0]
        knowledge.shuffle_decks(board, kernel.record_in(world), seed + n)
        for k, action in enumerate(actions):
            state[0] = world[0]
            for one in worker.memories:
                memories.forget(one, seed + n)
            rollout.play_on(
                board, kernel.record_in(state), worker.scratch, worker.memories, action, rollout.NEVER
            )  # fmt: skip
            record = kernel.record_in(state)
            found[n, k] = (
                rollout.won(record, worker.scratch, seat),
                rollout.value_of(record, worker.scratch, seat),
            )
    return found


def gain(board: Board, count: int, playouts: int, trials: int) -> None:
    """Print what decisions gain by each belief."""
    kinds = ("new", "done", "uniform", "true")
    searches = {}
    for kind in kinds:
        searches[kind] = BelievingSearch(1, SearchBot.horizon)
        searches[kind].net = BELIEFS.get(kind)
    worker = Worker()
    gains = []
    for n, (game, position) in enumerate(decisions(board, count)):
        worker.prepare(position)
        chosen = []
        for kind in kinds:
            search = searches[kind]
            search.truth = game.state if kind == "true" else None
            seed = 1_000_003 * n + 17
            if search.begin(position, kernel.record_in(memories.new_memory()), seed) > 1:
                search.spend(Budget(rollouts=playouts))
            chosen.append(search.best().action)
        own = search.estimates()[0].action
        actions = list(dict.fromkeys([own, *chosen]))
        found = played_on(worker, game, position.seat, actions, trials if len(actions) > 1 else 1, 77_777 * n)
        mean = found.mean(axis=0) - found.mean(axis=0)[0]
        gains.append([mean[actions.index(action)] for action in chosen])
        if (n + 1) % 25 == 0 or n + 1 == count:
            print_gains(board.id, kinds, np.array(gains))


def print_gains(name: str, kinds: tuple[str, ...], gains: Any) -> None:
    """Print means and one standard error, in hundredths."""
    error = np.sqrt(len(gains))
    line = "; ".join(
        f"{kind} {100 * gains[:, k, 0].mean():.2f} ± {100 * gains[:, k, 0].std() / error:.2f} "
        f"({100 * gains[:, k, 1].mean():.2f} ± {100 * gains[:, k, 1].std() / error:.2f})"
        for k, kind in enumerate(kinds)
    )
    apart = gains[:, 0] - gains[:, 1]
    more = f"; new − done {100 * apart[:, 0].mean():.2f} ± {100 * apart[:, 0].std() / error:.2f}"
    print(f"{name}, {len(gains)} decisions: {line}{more}", flush=True)


def play(board: Board, games: int, playouts: int, against: str, seed: int) -> None:
    """Play games between `search` with the new beliefs and with others."""
    bots = [one.told(str(playouts)) for one in BOTS if one.belief in ("new", against)]
    results = simulate(board, bots, games, seed)
    for one in bots:
        standing = next(standing for standing in results.standings if standing.bot == one.name)
        share = standing.win_share
        print(
            f"{board.id}, {games} games: {one.name} wins {100 * share.mean:.1f} % "
            f"({100 * share.low:.1f} … {100 * share.high:.1f}), {standing.score.mean:.1f} points, "
            f"{one.spent / games:.2f} s of processor a game",
            flush=True,
        )


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("gain", "games"))
    parser.add_argument("board", choices=builtin_boards())
    parser.add_argument("--decisions", type=int, default=150)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--playouts", type=int, default=200)
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--against", choices=tuple(BELIEFS), default="done")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    board = load_board(given.board)
    if given.what == "gain":
        gain(board, given.decisions, given.playouts, given.trials)
    else:
        play(board, given.games, given.playouts, given.against, given.seed)


if __name__ == "__main__":
    main()
