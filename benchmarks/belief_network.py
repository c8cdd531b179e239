"""Make the networks of beliefs (`bots.networks.belief`) anew: games between bots of different habits, then training.

    python benchmarks/belief_network.py FOLDER --games 1000
    python benchmarks/belief_network.py FOLDER --games 1000 --measure

In half of the games planners have all seats, and stray in some of these; in the others every seat, or one of them, has
a bot of another habit. Now and then a seat that is asked looks at what others may hold. The network learns to tell each
ticket that another seat holds from those in the decks, as the deal of imagined worlds asks it
(`bots.search.beliefs.exchanged`).

What was seen on each board is kept as one file in FOLDER; what is there is not played again. The general network
learns from all boards, which are the editions and some random boards of each kind (`random_boards`), and one for each
edition from the games on it. `--measure` trains nothing, but measures with fresh games, by worlds that are imagined,
the networks that ship, and beside them the belief by the part of the way that is done, which came before.
"""

from __future__ import annotations

import argparse
import io
from pathlib import Path
from typing import Any

import numpy as np
from general_weights import board_of
from random_boards import KINDS

from branchline.arena import choosers
from branchline.boards import builtin_boards
from branchline.boards.limits import MAX_SEATS, MAX_TICKETS
from branchline.bots.api import memory
from branchline.bots.networks import belief, belief_inputs, board_networks
from branchline.bots.planner import candidates, plan, planner
from branchline.bots.search import beliefs, trials
from branchline.rules import chance, kernel, knowledge, playout, turn
from branchline.rules.kernel import rule
from branchline.rules.sets import lowest
from branchline.rules.state import HIDDEN, IN_DECK, OVER, SCRATCH, STATE, TURN
from branchline.runtime.mode import VARIABLE
from branchline.training.playing import forget
from branchline.whole_file import write_whole

INPUTS, WIDE = belief_inputs.INPUTS, belief.WIDE
RANDOM = range(1, 4)  # seeds of random boards of each kind
PLANNER, HABITS = 3, (1, 2, 3, 3, 3, 4, 5, 6, 7, 8)  # numbers in `choosers.BUILT_IN`
SEATS = (2, 2, 2, 3, 4)  # game by game
THOUSAND = 1000
STRAYING = (0, 30)  # actions in a thousand, game by game
MEASURED = (10, 20, 30)  # rounds
LOOKS = 60  # of a thousand turns in which the seat that is asked looks
MOST_GROUPS = 256  # of one game
SHARPNESS, LOST = 7.0, 4.0  # of the belief that came before
FIRST_STEP = 4e-3  # of Adam
EPOCHS, OWN_EPOCHS = 8, 12
BATCH = 256  # groups
FRESH = 1_000_000  # the first seed of games by which is measured
WORLDS = 200
OWN_DECAY = 2e-3  # of what an edition knows of single tickets


@rule
def gather(
    board: Any, states: Any, seens: Any, empty: Any, scratch: Any, memories: Any, looking: Any, notes: Any,
    line_up: Any, seats: int, seed: int, straying: int, tried: Any, rows: Any, tickets: Any, groups: Any,
) -> int:  # fmt: skip
    """Play a game, and note what is seen of hidden tickets now and then; how many groups there are.

    A group is a ticket that another seat holds, in its first row, and those in the deck that it could be instead. Of
    each group: the rows behind it, the round, the seats, the habit.
    """
    states[0] = empty[0]
    playout.new_game(board, states[0], scratch, seats, seed)
    forget(memories, seats, seed)
    state = states[0]
    count = 0
    while state.question != OVER:
        asked = state.seat
        seens[0] = empty[0]
        knowledge.redact(board, state, seens[0], asked)
        if state.question == TURN and chance.below(looking, THOUSAND) < LOOKS:
            plan.lay_out(board, looking)
            belief_inputs.measure(board, looking, notes.apart)
            for other in range(seats):
                if other != asked:
                    beliefs.look(board, seens[0], looking, notes, other)
                    for held in range(board.tickets):
                        if state.ticket_at[held] == other and count < MOST_GROUPS:
                            row = groups[count - 1, 0] if count else 0
                            groups[count, 0] = note(board, state, notes, other, held, rows, tickets, row)
                            groups[count, 1] = state.turns // seats
                            groups[count, 2] = seats
                            groups[count, 3] = line_up[other]
                            count += 1
        turn.legal(board, state, scratch)
        if line_up[asked] == PLANNER and chance.below(looking, THOUSAND) < straying:
            listed = candidates.listed(board, seens[0], scratch, memories[asked], asked, tried)
            action = tried[chance.below(looking, listed)]
        else:
            action = choosers.choose_by_number(line_up, asked, board, seens[0], scratch, memories[asked], asked)
        turn.apply(board, state, scratch, action)
    return count


@rule
def note(board: Any, state: Any, notes: Any, other: int, held: int, rows: Any, tickets: Any, row: int) -> int:
    """Note what is seen of a ticket that is held, and of those in its deck, beside the seat's others; the next row."""
    on, near = beliefs.explained_beside(board, state, notes, other, held)
    for n in range(-1, board.tickets):
        ticket = held if n < 0 else n
        if ticket == n and (
            ticket == held or board.ticket_deck[ticket] != board.ticket_deck[held] or state.ticket_at[ticket] != IN_DECK
        ):
            continue
        for i in range(INPUTS):
            rows[row, i] = notes.ticket_inputs[ticket, i]
        ways = notes.on_way[other, ticket], notes.near_way[other, ticket]
        rows[row, INPUTS] = newly_explained(notes.built_price, other, ways[0], on)
        rows[row, INPUTS + 1] = newly_explained(notes.built_price, other, ways[1], near)
        tickets[row] = ticket
        row += 1
    return row


@rule
def newly_explained(built_price: Any, other: int, ways: int, explained: int) -> float:
    """Return how much of what a seat has built lies on a ticket's ways, but not on those of its other tickets."""
    price = 0
    bits = ways & ~explained
    while bits != 0:
        price += built_price[other, lowest(bits)]
        bits &= bits - 1
    return price / belief_inputs.UNIT


def gathered(name: str, games: int) -> dict[str, Any]:
    """What is seen in so many games on a board: rows, the ticket of each, and the groups."""
    board = board_of(name)
    tables = kernel.record_in(board.tables)
    states, seens, empty = (kernel.new_buffer(STATE) for _ in range(3))
    scratch = kernel.record_in(kernel.new_buffer(SCRATCH))
    memories = memory.new_memory(MAX_SEATS)
    looking = kernel.record_in(memory.new_memory())
    notes = kernel.record_in(kernel.new_buffer(trials.NOTES))
    tried = np.zeros(candidates.MOST, np.int32)
    rows = np.zeros((MOST_GROUPS * MAX_TICKETS, INPUTS + 2), np.float32)
    tickets = np.zeros(len(rows), np.int16)
    groups = np.zeros((MOST_GROUPS, 4), np.int64)
    luck = np.random.default_rng(7)
    found: list[tuple[Any, Any, Any]] = []
    behind = 0
    for game in range(games):
        seats = min(board.seats[1], max(board.seats[0], SEATS[game % len(SEATS)]))
        for one in memories:
            planner.PlannerBot.weights_on(board, seats).put_in(one)
        line_up = np.full(MAX_SEATS, PLANNER, np.int64)
        if game % 4 == 2:
            line_up[luck.integers(seats)] = luck.choice(HABITS)
        elif game % 4 == 3:
            line_up[:] = luck.choice(HABITS, MAX_SEATS)
        memory.seed(looking, game)
        count = gather(
            tables, states, seens, empty, scratch, memories, looking, notes, line_up, seats, game,
            STRAYING[game // 4 % 2], tried, rows, tickets, groups,
        )  # fmt: skip
        if count:
            last = int(groups[count - 1, 0])
            of = np.column_stack([groups[:count], np.full(count, game)])
            of[:, 0] += behind
            behind += last
            found.append((rows[:last].astype(np.float16), tickets[:last].copy(), of))
    return dict(zip(("rows", "tickets", "groups"), map(np.concatenate, zip(*found, strict=True)), strict=True))


class Net:
    """A network that is trained: by Adam, on the likelihood of what is held beside what lies in the deck."""

    def __init__(self, numbers: Any) -> None:
        """Set out from a network of `belief.SIZE` numbers."""
        self.numbers = numbers.astype(np.float32)
        self._mean, self._square = np.zeros_like(self.numbers), np.zeros_like(self.numbers)
        self._steps = 0

    def parts(self) -> tuple[Any, Any, Any, Any, Any]:
        """Return the weights of the hidden layer, its biases, the last layer, what explaining counts, and the numbers
        of single tickets.
        """
        ends = (belief.BIASES, belief.LAST, belief.EXPLAINING, belief.TICKETS)
        wide, *others = np.split(self.numbers, ends)
        return wide.reshape(INPUTS, WIDE), *others  # type: ignore[return-value]

    def step(self, rows: Any, tickets: Any, starts: Any, step: float, own: bool) -> float:
        """Make a step by some groups, and return the loss: how unlikely what is held was."""
        wide, biases, last, explaining, of_ticket = self.parts()
        inputs = rows[:, :INPUTS]
        hidden = inputs @ wide + biases
        active = np.maximum(hidden, 0)
        rating = active @ last + rows[:, INPUTS:] @ explaining + own * of_ticket[tickets]
        sizes = np.diff([*starts, len(rows)])
        weight = np.exp(rating - np.repeat(np.maximum.reduceat(rating, starts), sizes))
        slope = weight / np.repeat(np.add.reduceat(weight, starts), sizes)
        loss = float(-np.log(np.maximum(1e-9, slope[starts])).mean())
        slope[starts] -= 1
        slope = (slope / len(starts)).astype(np.float32)
        back = np.outer(slope, last) * (hidden > 0)
        parts = [(inputs.T @ back).reshape(-1), back.sum(axis=0), active.T @ slope, rows[:, INPUTS:].T @ slope]
        single = np.bincount(tickets, slope, len(of_ticket)) + OWN_DECAY / 50 * of_ticket
        gradient = np.concatenate([*parts, single * own]).astype(np.float32)
        self._steps += 1
        self._mean += 0.1 * (gradient - self._mean)
        self._square += 0.001 * (gradient**2 - self._square)
        mean = self._mean / (1 - 0.9**self._steps)
        square = self._square / (1 - 0.999**self._steps)
        self.numbers -= step * mean / (np.sqrt(square) + 1e-8)
        return loss


def chance_network() -> Any:
    """A network that knows nothing."""
    luck = np.random.default_rng(0)
    numbers = np.zeros(belief.SIZE, np.float32)
    numbers[: belief.BIASES] = luck.normal(0, 0.3, belief.BIASES)
    numbers[belief.LAST : belief.EXPLAINING] = luck.normal(0, 0.1, WIDE)
    return numbers


def groups_of(seen: dict[str, Any]) -> list[Any]:
    """Return the rows and the tickets of each group."""
    ends = seen["groups"][:, 0]
    begins = np.concatenate([[0], ends[:-1]])
    return [(seen["rows"][a:b], seen["tickets"][a:b]) for a, b in zip(begins, ends, strict=True)]


def trained(groups: list[Any], epochs: int, start: Any, own: bool, first_step: float) -> Any:
    """The network that fits best, with steps that fall along a cosine."""
    net = Net(start)
    luck = np.random.default_rng(1)
    batches = max(1, len(groups) // BATCH)
    for epoch in range(epochs):
        order = luck.permutation(len(groups))
        lost = 0.0
        for n in range(batches):
            chosen = [groups[m] for m in order[n * BATCH : (n + 1) * BATCH]]
            sizes = [len(one[1]) for one in chosen]
            starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
            rows, tickets = (np.concatenate([one[k] for one in chosen]) for k in range(2))
            done = (epoch * batches + n) / (epochs * batches)
            step = first_step * 0.5 * (1 + np.cos(np.pi * done))
            lost += net.step(rows.astype(np.float32), tickets, starts, step, own)
        print(f"  epoch {epoch + 1}: {lost / batches:.4f}", flush=True)
    print("  explaining", net.parts()[3], flush=True)
    return net.numbers


def by_part_done() -> Any:
    """The belief that came before the networks, as one: e to SHARPNESS times the part done; LOST where it is lost."""
    net = np.zeros(belief.SIZE, np.float32)
    for j, (n, weight) in enumerate(((belief_inputs.DONE, SHARPNESS), (belief_inputs.LOST, float(np.log(LOST))))):
        net[n * WIDE + j] = 1.0
        net[belief.LAST + j] = weight
    return net


@rule
def count_held(
    board: Any, known: Any, worlds: Any, world: Any, notes: Any, seat: int, count: int, held: Any
) -> None:  # fmt: skip
    """Count in how many imagined worlds each other seat holds each ticket."""
    for n in range(count):
        beliefs.imagine(board, known, worlds, world, notes, seat, n)
        for ticket in range(board.tickets):
            at = world.ticket_at[ticket]
            if 0 <= at < world.seats:
                held[at, ticket] += 1


def measured(name: str, games: int, habits: tuple[int, ...]) -> None:
    """Print how well tickets are guessed in games for two on an edition, by each belief; `habits`: who plays.

    By how much a ticket that is held and not done is likelier than the mean of those not done, as a logarithm. Hits:
    of as many of the likeliest as are held, the part that is.
    """
    board = board_of(name)
    tables, size = kernel.record_in(board.tables), len(board.tickets)
    own = belief.networks().get(board_networks.name_on(board))
    nets = {"done alone": by_part_done(), "general": belief.networks()[board_networks.GENERAL], "own": own}
    luck = np.random.default_rng(3)
    found: dict[tuple[int, str], list[float]] = {}
    hits: dict[tuple[int, str], int] = {}
    memories, looking = memory.new_memory(2), kernel.record_in(memory.new_memory())
    worlds, notes = kernel.new_buffer(STATE), kernel.record_in(kernel.new_buffer(trials.NOTES))
    scratch = kernel.record_in(kernel.new_buffer(SCRATCH))
    states, seens, empty = (kernel.new_buffer(STATE) for _ in range(3))
    state, seen = kernel.record_in(states), kernel.record_in(seens)
    for game in range(games):
        for one in memories:
            planner.PlannerBot.weights_on(board, 2).put_in(one)
        line_up = luck.choice(habits, MAX_SEATS)
        playout.new_game(tables, begun(states, empty), scratch, 2, FRESH + game)
        forget(memories, 2, FRESH + game)
        looked: set[tuple[int, int]] = set()
        while state.question != OVER:
            asked, now = int(state.seat), int(state.turns) // 2
            seens[0] = empty[0]
            knowledge.redact(tables, state, seen, asked)
            if state.question == TURN and now in MEASURED and (now, asked) not in looked:
                looked.add((now, asked))
                other = 1 - asked
                for label, net in nets.items():
                    if net is not None:
                        beliefs.weigh(tables, seen, looking, notes, net, asked)
                        held = np.zeros((MAX_SEATS, MAX_TICKETS), np.int64)
                        count_held(tables, seens, worlds, kernel.record_in(worlds), notes, asked, WORLDS, held)
                        likely = (held[other, :size] + 0.5) / WORLDS
                        rows = np.asarray(notes.ticket_inputs)[:size]
                        unfinished = (
                            (np.asarray(seen.ticket_at)[:size] == HIDDEN)
                            & (rows[:, belief_inputs.JOINED] == 0)
                            & (rows[:, belief_inputs.LOST] == 0)
                        )
                        mine = unfinished & (np.asarray(state.ticket_at)[:size] == other)
                        decks = np.asarray(tables.ticket_deck)[:size]
                        for ticket in np.flatnonzero(mine):
                            beside = likely[unfinished & (decks == decks[ticket])]
                            lift = float(np.log(likely[ticket] / beside.mean()))
                            found.setdefault((now, label), []).append(lift)
                        likeliest = np.argsort(-np.where(unfinished, likely, 0), kind="stable")[: mine.sum()]
                        hits[now, label] = hits.get((now, label), 0) + int(mine[likeliest].sum())
            turn.legal(tables, state, scratch)
            action = choosers.choose_by_number(line_up, asked, tables, seen, scratch, memories[asked], asked)
            turn.apply(tables, state, scratch, action)
    for now in MEASURED:
        parts = [
            f"{label} {np.mean(found[now, label]):.2f}, hits {hits[now, label] / len(found[now, label]):.0%}"
            for label in nets
            if (now, label) in found
        ]
        if parts:
            print(f"{name}, round {now}: {'; '.join(parts)}; {len(found[now, 'general'])} tickets", flush=True)


def begun(states: Any, empty: Any) -> Any:
    """Return the game, as nothing yet."""
    states[0] = empty[0]
    return kernel.record_in(states)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=1000, help="on each edition; a quarter on random boards")
    parser.add_argument(
        "--measure", action="store_true", help="train nothing, measure the networks that ship by so many games"
    )
    given = parser.parse_args()
    if not kernel.NATIVE:
        parser.error(f"this runs native code: set {VARIABLE}=native")
    if given.measure:
        for name in builtin_boards():
            measured(name, given.games, (PLANNER,))
            print("other habits: ", end="")
            measured(name, given.games, HABITS)
        return
    given.folder.mkdir(parents=True, exist_ok=True)
    seen: dict[str, Any] = {}
    for name in [*builtin_boards(), *(f"{kind}-{seed}" for kind in KINDS for seed in RANDOM)]:
        games = given.games if name in builtin_boards() else given.games // 4
        file = given.folder / f"{name}_{games}.npz"
        if not file.exists():
            packed = io.BytesIO()
            np.savez(packed, **gathered(name, games))
            write_whole(file, packed.getvalue())
        with np.load(file) as kept:
            seen[name] = {key: kept[key] for key in kept.files}
        print(f"{name}: {len(seen[name]['groups'])} groups", flush=True)
    everything = [one for name in seen for one in groups_of(seen[name])]
    general = trained(everything, EPOCHS, chance_network(), False, FIRST_STEP)
    nets = {board_networks.GENERAL: general}
    for name in builtin_boards():
        print(name)
        nets[board_networks.name_on(board_of(name))] = trained(
            groups_of(seen[name]), OWN_EPOCHS, general, True, FIRST_STEP / 2
        )
    packed = io.BytesIO()
    np.savez(packed, **{name: net.astype(np.float32) for name, net in nets.items()})
    write_whole(belief.FILE, packed.getvalue())


if __name__ == "__main__":
    main()
