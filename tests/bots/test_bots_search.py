"""`search`: imagined worlds that agree with what is known, an honest choice, and one that wins."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import branchline as bl
from bots.test_bots_greedy import ALSO, EVERYWHERE, kind_of
from branchline.arena import simulate
from branchline.boards import load_board
from branchline.boards.tables import WORD
from branchline.bots import BotError, Position, bot_maker, make_bot
from branchline.bots.api import memory as memories
from branchline.bots.api.bot import seen_in
from branchline.bots.networks import belief
from branchline.bots.planner import candidates
from branchline.bots.planner.planner import PlannerBot
from branchline.bots.search import beliefs, blocking, rollout, search, trials
from branchline.bots.search.reasons import LIKELY, reason
from branchline.bots.search.search import Budget, Search, SearchBot
from branchline.game import Game
from branchline.rules import kernel, knowledge
from branchline.rules.state import CLAIM, HIDDEN, NOBODY, SCRATCH, STATE, TURN
from table import COSTLY_EDITIONS, EDITIONS, SAILING, board, with_few_pieces


def middle(edition: str, seats: int = 2, turns: int = 20, seed: int = 3) -> Game:
    """A game between planners after some turns."""
    game = Game(load_board(edition), seats, seed)
    bots = [make_bot("planner", seat) for seat in range(seats)]
    while int(game.state["turns"][0]) < turns * seats or game.question.kind != "turn":
        position = Position.of(game)
        game.play(bots[position.seat].choose(position))
    return game


def searched(position: Position, budget: Budget, threads: int = 1) -> Search:
    search = Search(threads)
    search.begin(position, kernel.record_in(memories.new_memory()), 5)
    search.spend(budget)
    return search


@pytest.mark.parametrize("edition", COSTLY_EDITIONS)
@pytest.mark.parametrize("seats", (2, 4))
def test_imagined_worlds_agree_with_what_is_known(edition: str, seats: int) -> None:
    game = middle(edition, seats, turns=15)
    position = Position.of(game)
    board, memory = kernel.record_in(game.board.tables), kernel.record_in(memories.new_memory())
    notes = kernel.record_in(kernel.new_buffer(trials.NOTES))
    beliefs.weigh(board, position.state, memory, notes, belief.network(game.board), position.seat)
    known = game.redacted(position.seat)
    exchanged = 0
    for seed in range(30):
        world, plain, seen = kernel.new_buffer(STATE), kernel.new_buffer(STATE), kernel.new_buffer(STATE)
        for buffer in (world, plain):
            buffer[0] = known[0]
            knowledge.imagine(board, kernel.record_in(buffer), position.seat, seed)
        beliefs.exchange(board, kernel.record_in(world), position.seat, notes)
        knowledge.redact(board, kernel.record_in(world), kernel.record_in(seen), position.seat)
        assert seen.tobytes() == known.tobytes()
        exchanged += world["ticket_at"].tobytes() != plain["ticket_at"].tobytes()
    assert exchanged


def held_in_worlds(position: Position, notes: Any) -> Any:
    """How often the other seat holds each ticket, in 200 imagined worlds."""
    board = kernel.record_in(position.board.tables)
    held = np.zeros(len(position.board.tickets))
    for seed in range(200):
        world = kernel.buffer_of(position.state)
        knowledge.imagine(board, kernel.record_in(world), position.seat, seed)
        beliefs.exchange(board, kernel.record_in(world), position.seat, notes)
        held += world["ticket_at"][0, : len(held)] == 1 - position.seat
    return held


@pytest.fixture(scope="module")
def late() -> Game:
    """When the other seat has built for most of its tickets."""
    return middle("europe", turns=28)


def test_a_ticket_somebody_has_built_for_is_believed_to_be_held_more_often(late: Game) -> None:
    game = late
    position = Position.of(game)
    other = 1 - position.seat
    board, memory = kernel.record_in(game.board.tables), kernel.record_in(memories.new_memory())
    notes = kernel.record_in(kernel.new_buffer(trials.NOTES))
    beliefs.weigh(board, position.state, memory, notes, belief.network(game.board), position.seat)
    hidden = [n for n in range(len(game.board.tickets)) if position.state.ticket_at[n] == HIDDEN]
    likely = {n: float(notes.belief[other, n]) for n in hidden}
    held = held_in_worlds(position, notes)
    short = [n for n in hidden if not game.board.tickets[n].deck]
    most, least = max(short, key=lambda n: likely[n]), min(short, key=lambda n: likely[n])
    assert likely[most] > 5 * likely[least]
    assert held[most] > 2 * held[least]


def test_who_believes_nothing_of_tickets_imagines_them_all_alike(late: Game) -> None:
    game = late
    position = Position.of(game)
    notes = kernel.record_in(kernel.new_buffer(trials.NOTES))
    for ticket in range(len(game.board.tickets)):
        notes.belief[1 - position.seat, ticket] = 1.0
    hidden = [one.index for one in game.board.tickets if position.state.ticket_at[one.index] == HIDDEN and not one.deck]
    held = held_in_worlds(position, notes)[hidden]
    error = np.std(range(len(hidden))) / np.sqrt(held.sum())
    assert abs(np.average(range(len(hidden)), weights=held) - np.mean(range(len(hidden)))) < 4 * error
    assert held.max() < 2 * held.mean()


def test_the_planners_choice_comes_first_and_every_candidate_is_legal() -> None:
    for edition in EDITIONS:
        position = Position.of(middle(edition))
        found = searched(position, Budget(rollouts=1)).estimates()
        assert found[0].action == make_bot("planner", 1).choose(position)
        assert len({one.action for one in found}) == len(found) > 3
        assert {one.action for one in found} <= set(position.legal)


def turns_of(edition: str, seeds: range) -> Iterator[tuple[Position, Any]]:
    """Turns in the middle of games of planners for two: what the asked seat sees, and the other one's planner."""
    for seed in seeds:
        game = Game(load_board(edition), 2, seed)
        bots = [PlannerBot(seat) for seat in range(2)]
        while not game.over and int(game.state["turns"][0]) < 30:
            position = Position.of(game)
            if position.question == TURN and int(game.state["turns"][0]) >= 10:
                yield position, bots[1 - position.seat]
            game.play(bots[position.seat].choose(position))


@pytest.mark.parametrize("edition", ("berlin", "germany"))
def test_what_another_seat_is_thought_to_plan_it_plans_five_times_as_often_as_the_rest(edition: str) -> None:
    search, memory = Search(), kernel.record_in(memories.new_memory())
    planned: dict[bool, list[bool]] = {True: [], False: []}
    for position, other in turns_of(edition, range(8)):
        search.begin(position, memory, 7)
        for route in position.board.routes:
            if position.state.route_owner[route.index] == NOBODY:
                word, bit = divmod(route.index, WORD)
                likely = search.contested(route.index) >= LIKELY
                planned[likely].append(bool(int(other.memory.plan[word]) >> bit & 1))
    assert len(planned[True]) > 50
    assert np.mean(planned[True]) > 5 * np.mean(planned[False])


def test_claims_that_others_seem_to_want_are_tried_too() -> None:
    search, memory = Search(), kernel.record_in(memories.new_memory())
    added = 0
    for position, _ in turns_of("germany", range(2)):
        search.begin(position, memory, 7)
        tried = {one.action for one in search.estimates()}
        claims = [n for n in range(len(position.board.routes)) if CLAIM + n in position.legal and search.contested(n)]
        claims.sort(key=search.contested, reverse=True)
        fewest = search.contested(claims[: blocking.BLOCKS][-1]) if claims else 0.0
        assert all(CLAIM + n in tried for n in claims if search.contested(n) > fewest)
        thought = planners_candidates(position)
        added += len(tried - thought)
        assert thought <= tried
    assert added > 10


def planners_candidates(position: Position) -> set[int]:
    """What the planner alone thinks of."""
    memory, scratch = kernel.record_in(memories.new_memory()), kernel.record_in(kernel.new_buffer(SCRATCH))
    PlannerBot.weights_on(position.board, int(position.state.seats)).put_in(memory)
    listed = np.zeros(candidates.MOST, np.int32)
    board = kernel.record_in(position.board.tables)
    count = candidates.listed(board, position.state, scratch, memory, position.seat, listed)
    return {int(one) for one in listed[:count]}


def test_a_claim_off_its_plan_that_others_want_is_called_a_block() -> None:
    bot = SearchBot(1)
    kinds = set()
    for position, _ in turns_of("berlin", range(2)):
        bot.search.begin(position, bot.memory, 7)
        for route in position.board.routes:
            if CLAIM + route.index in position.legal:
                why = reason(bot, position, CLAIM + route.index)
                assert why is not None
                if why.kind != "ticket":
                    assert (why.kind == "block") == (bot.search.contested(route.index) >= LIKELY)
                kinds.add(why.kind)
    assert kinds == {"ticket", "points", "block"}


def test_half_of_the_candidates_drop_out_after_each_round() -> None:
    tried = sorted(one.worlds for one in searched(Position.of(middle("berlin")), Budget(rollouts=400)).estimates())
    assert tried[-1] > 4 * tried[0] > 0
    assert 200 < sum(tried) < 600


def test_estimates_are_chances_and_the_first_is_the_measure() -> None:
    first, *others = searched(Position.of(middle("germany")), Budget(rollouts=200)).estimates()
    assert first.ahead == 0.0
    assert all(0.0 <= one.won <= 1.0 and 0.0 < one.value < 1.0 and one.error > 0.0 for one in [first, *others])


@pytest.mark.parametrize("threads", (1, 2))
def test_the_same_seed_finds_the_same(threads: int) -> None:
    position = Position.of(middle("berlin"))
    found = [searched(position, Budget(rollouts=120), threads).estimates() for _ in range(2)]
    assert found[0] == found[1]


def test_a_won_game_is_seen_as_won() -> None:
    position = Position.of(middle("berlin"))
    position.state.route_points[position.seat] += 100
    assert searched(position, Budget(rollouts=60)).estimates()[0].won == 1.0


def test_a_search_counts_its_own_processor_time_and_not_that_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock of a busy machine runs a thousand times as fast as the bot's own time."""
    own = itertools.count()
    clock = SimpleNamespace(thread_time=lambda: next(own) / 100, perf_counter=lambda: next(own) * 10.0)
    monkeypatch.setattr(search, "time", clock)
    monkeypatch.setattr(search, "_OWN_TIME", clock.thread_time)
    position = Position.of(middle("berlin"))
    found = searched(position, Budget(seconds=1.0))
    assert sum(one.worlds for one in found.estimates()) > 20


def test_a_search_goes_on_while_a_coarse_clock_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = itertools.count()
    monkeypatch.setattr(search, "_OWN_TIME", lambda: next(looks) // 50 / 64)  # as on Windows
    assert searched(Position.of(middle("berlin")), Budget(seconds=0.02)).estimates()


def test_a_budget_is_seconds_or_games() -> None:
    assert Budget.of("0.5s") == Budget(seconds=0.5)
    assert Budget.of("400") == Budget(rollouts=400)
    for text in ("", "s", "-1", "0", "0s", "nan", "nans", "1e9s", "4.5"):
        with pytest.raises(BotError, match="expected seconds a move"):
            Budget.of(text)


def test_a_bot_that_thinks_is_told_how_long_by_its_name() -> None:
    bot = make_bot("search@40", 1)
    assert isinstance(bot, SearchBot)
    assert (bot.name, bot.budget) == ("search@40", Budget(rollouts=40))
    with pytest.raises(BotError, match='bot "random" cannot be told anything, such as how long to think'):
        bot_maker("random@40")
    with pytest.raises(BotError, match="expected seconds a move"):
        bot_maker("search@soon")


@pytest.mark.long
def test_it_is_legal_deterministic_and_sees_nothing_hidden() -> None:
    checked = bl.check_bot("search@12", boards=("berlin",))
    assert checked.ok, str(checked)


@pytest.mark.long
@pytest.mark.parametrize("edition", [one for one in EDITIONS if one != "berlin"])
def test_it_is_legal_deterministic_and_sees_nothing_hidden_on_every_board(edition: str) -> None:
    few, most = board(edition).seats
    checked = bl.check_bot("search@4", boards=[with_few_pieces(edition, seats=(n, n)) for n in (few, most)])
    assert checked.ok, str(checked)


@pytest.mark.long
@pytest.mark.parametrize(
    "on", [board("berlin"), *map(with_few_pieces, ("germany", "europe", *SAILING))], ids=lambda one: one.id
)
def test_it_uses_every_kind_of_action_the_edition_has(on: bl.Board) -> None:
    """Swaps are seldom; with few pieces games are short."""
    used: Counter[str] = Counter()
    wanted = EVERYWHERE | ALSO[on.id]
    for seed in range(40):
        game = Game(on, 4, seed)
        bots = [make_bot("search@4", seat) for seat in range(4)]
        while not game.over:
            position = Position.of(game)
            action = bots[position.seat].choose(position)
            used[kind_of(action)] += 1
            game.play(action)
        if wanted <= set(used):
            break
    assert wanted <= set(used), f"never used: {wanted - set(used)}"


@pytest.mark.long
@pytest.mark.parametrize(("edition", "games"), (("berlin", 10), ("germany", 4)))
def test_it_beats_the_planner(edition: str, games: int) -> None:
    first = simulate(edition, ["search@60", "planner"], games, seed=3).standings[0]
    assert first.bot == "search@60"


def test_cards_put_under_a_deck_are_those_that_lay_on_it() -> None:
    state = seen_in(kernel.new_buffer(STATE))
    for size in range(8):
        for drawn in range(-1, 6):
            state.deck_size[0] = size
            state.deck[0, :size] = range(1, size + 1)
            rollout.put_under(state, 0, drawn)
            moved = rollout.CARDS_A_TURN - drawn if drawn >= 0 else 0
            under = moved if 0 < moved < size else 0
            cards = list(range(1, size + 1))
            assert list(state.deck[0, :size]) == cards[size - under :] + cards[: size - under]


@pytest.mark.parametrize("edition", EDITIONS)
def test_after_different_first_actions_the_same_cards_are_drawn(edition: str) -> None:
    game = middle(edition, turns=5)
    position = Position.of(game)
    board, scratch = kernel.record_in(game.board.tables), kernel.record_in(kernel.new_buffer(SCRATCH))
    buffers = memories.new_memory(2)
    for one in range(2):
        PlannerBot.weights_on(game.board, 2).put_in(kernel.record_in(buffers[one : one + 1]))
    decks = []
    for action in position.legal:
        state = seen_in(kernel.copy_of(game.state))
        drawn = [int(size) for size in state.deck_size]
        rollout.play_on(board, state, scratch, buffers, action, int(state.turns) + 1)
        if all(before - after <= rollout.CARDS_A_TURN for before, after in zip(drawn, state.deck_size, strict=True)):
            decks.append([tuple(state.deck[n, : state.deck_size[n]][-12:]) for n in range(2)])
    assert len(decks) > 3
    assert all(one == decks[0] for one in decks)


INTERPRETED = """
import json
from bots.test_bots_search import *
position = Position.of(middle("berlin", turns=12))
found = searched(position, Budget(rollouts=8)).estimates()
print(json.dumps([[one.action, one.worlds, one.won, round(one.value, 9)] for one in found]))
"""


@pytest.mark.long
def test_it_finds_the_same_interpreted() -> None:
    said: list[Any] = []
    for way in ("engine", "interpreted"):
        environment = {**os.environ, "BRANCHLINE_RULES": way, "PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run(
            [sys.executable, "-c", INTERPRETED], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        said.append(json.loads(done.stdout))
    assert said[0] == said[1]
