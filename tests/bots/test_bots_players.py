"""The players of the house: at home with every mechanism, honest, and each better than the last."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

import branchline as bl
from bots.test_bots_greedy import ALSO, EVERYWHERE, kind_of
from bots.test_bots_plan import cheapest_by_hand
from branchline.arena import simulate
from branchline.arena.table import Table
from branchline.boards import load_board
from branchline.bots import Position, bot_maker, make_bot
from branchline.bots.api import memory as memories
from branchline.bots.api import weights
from branchline.bots.levels import LEVELS, MasterBot
from branchline.bots.planner import forest, plan, planner, route_values, shortest_paths, ticket_prospects
from branchline.bots.planner.planner import PlannerBot
from branchline.bots.search.reasons import SENTENCES, reason, sentence
from branchline.bots.search.search import SearchBot
from branchline.game import Game
from branchline.rules import kernel
from branchline.rules import state as at
from branchline.rules.state import HIDDEN, REFILL_FROM, TAKE
from table import COSTLY_EDITIONS, COSTLY_SEATINGS, EDITIONS

STYLES = ("one-step", "long-route", "route-focused", "hungry", "racer")
HABITS = ("sprawler", "early-blocker", "ticket-lover", "hoarder")
QUICK = ("greedy", "fast", "planner")
# Natively a bot is compiled when it is first played, which takes seconds.
COMPILED = (*QUICK, *(pytest.param(one, marks=pytest.mark.long) for one in (*STYLES, *HABITS)))


@pytest.mark.parametrize(("edition", "seats"), COSTLY_SEATINGS)
def test_all_play_by_the_rules_with_every_number_of_seats(edition: str, seats: int) -> None:
    for bot in QUICK:
        results = simulate(edition, [bot], 4, seed=2, seats=seats, audited=True)
        assert results.played == 4


@pytest.mark.long
@pytest.mark.parametrize("edition", EDITIONS)
def test_so_do_those_with_a_style_of_their_own(edition: str) -> None:
    for bot in (*STYLES, *HABITS, "careful-blocker"):
        assert simulate(edition, [bot], 12, seed=2, seats=3, audited=True).played == 12


@pytest.mark.parametrize(
    "bot",
    (*COMPILED, "easy", *(pytest.param(one, marks=pytest.mark.long) for one in ("careful-blocker", "medium", "hard"))),
)
def test_all_are_legal_deterministic_and_see_nothing_hidden(bot: str) -> None:
    checked = bl.check_bot(bot, boards=("berlin", "world"))
    assert checked.ok, str(checked)


@pytest.mark.long
@pytest.mark.parametrize("bot", (*COMPILED, "careful-blocker", "learned", "easy", "medium", "hard"))
def test_the_same_on_every_other_board(bot: str) -> None:
    checked = bl.check_bot(bot, boards=None if bot == "learned" else ("germany", "europe", "great_lakes"))
    assert checked.ok, str(checked)


@pytest.mark.parametrize("edition", COSTLY_EDITIONS)
@pytest.mark.parametrize("bot", (*COMPILED, "learned"))
def test_shown_everything_they_do_what_they_do_shown_what_they_may_know(bot: str, edition: str) -> None:
    # Playouts show them whole states: there, too, they have to draw tickets, and to know nothing that is hidden.
    asked: Counter[int] = Counter()
    tables = (2, 3, 4)
    for seats in tables:
        game = Game(load_board(edition), seats, 11)
        honest, shown = ([make_bot(bot, seat) for seat in range(seats)] for _ in range(2))
        while not game.over:
            seen = Position.of(game)
            whole = Position(game.board, kernel.record_in(game.state.copy()), seen.seat, seen.legal)
            action = honest[seen.seat].choose(seen)
            assert shown[seen.seat].choose(whole) == action
            asked[seen.question] += 1
            game.play(action)
    drew = asked[at.KEEP_TICKETS] > sum(tables)  # more often than everybody is dealt tickets
    assert drew or bot != "planner" or edition in ("europe", "great_lakes")  # there it seldom draws them


@pytest.mark.parametrize("edition", COSTLY_EDITIONS)
@pytest.mark.parametrize("bot", ("fast", "planner"))
def test_the_planners_use_every_kind_of_action_the_edition_has(bot: str, edition: str) -> None:
    used: Counter[str] = Counter()
    kind: Any = bot_maker(bot)

    class Watched(kind):
        def choose(self, position: Position) -> int:
            action = int(super().choose(position))
            used[kind_of(action)] += 1
            return action

    tables = [Table(load_board(edition), [lambda seed: Watched(seed)] * seats, seed=1) for seats in (4, 2)]
    wanted = EVERYWHERE | ALSO[edition]
    if (bot, edition) == ("planner", "europe"):  # its plans promise more there than new tickets do
        wanted -= {"DRAW_TICKETS"}
    for first in range(0, 60, 3):
        for table in tables:
            table.play(first, 3)
        if wanted <= set(used):
            break
    assert wanted <= set(used), f"never used: {wanted - set(used)}"


@pytest.mark.parametrize("edition", COSTLY_EDITIONS)
def test_planner_beats_fast_beats_greedy_beats_random(edition: str) -> None:
    for better, worse, share in (("planner", "fast", 0.55), ("fast", "greedy", 0.85), ("greedy", "random", 0.85)):
        first = simulate(edition, [better, worse], 200, seed=3).standings[0]
        assert first.bot == better
        assert first.win_share.mean >= share, (better, worse, first.win_share)


LEFT_AT_MOST = {"berlin": 0.18, "europe": 0.16, "germany": 0.17, "great_lakes": 0.22, "world": 0.23}
"""Share of the cards drawn that stay in hand: more where there are two kinds of cards, and so twice the colours."""


@pytest.mark.parametrize("edition", COSTLY_EDITIONS)
def test_the_planner_spends_its_cards(edition: str) -> None:
    drawn = left = 0
    for seats, seed in ((2, 1), (4, 2), (2, 3), (4, 4), (2, 5), (4, 6), (2, 7), (4, 8)):
        game = Game(load_board(edition), seats, seed)
        bots = [make_bot("planner", seat) for seat in range(seats)]
        while not game.over:
            position = Position.of(game)
            action = bots[position.seat].choose(position)
            drawn += TAKE <= action < REFILL_FROM
            game.play(action)
        left += int(game.redacted(None)["hand_size"][0, :seats].sum())
    assert left <= LEFT_AT_MOST[edition] * drawn, f"{left} of {drawn} cards drawn are left in hand"


@pytest.mark.parametrize("edition", COSTLY_EDITIONS)
def test_the_easy_level_finishes_its_short_tickets_on_every_board(edition: str) -> None:
    totals, done, held = [], 0, 0
    for seed in range(3):
        game = Game(load_board(edition), 2, seed)
        bots = [make_bot("easy", 2 * seed + seat) for seat in range(2)]
        while not game.over:
            position = Position.of(game)
            game.play(bots[position.seat].choose(position))
        for scores in game.scores:
            totals.append(scores.total)
            done += scores.tickets_done
            held += len(scores.results)
    assert sum(totals) >= 30 * len(totals) and sum(total < 0 for total in totals) <= 1, totals
    assert done >= 0.6 * held, f"{done} of {held} tickets done"


@pytest.mark.long
@pytest.mark.parametrize("edition", COSTLY_EDITIONS)
def test_levels_are_rungs_that_are_neither_low_nor_high(edition: str) -> None:
    for weaker, stronger in pairwise(("easy", "medium", "hard", "expert")):
        best = simulate(edition, [stronger, weaker], 60, seed=4).standings[0]
        assert best.bot == stronger and 0.6 <= best.win_share.mean <= 0.95, f"{stronger} wins {best.win_share.mean}"


def test_the_last_level_alone_searches_and_the_one_below_plans() -> None:
    assert [one.name for one in LEVELS] == ["easy", "medium", "hard", "expert", "master"]
    assert [issubclass(one, SearchBot) for one in LEVELS] == [False] * 4 + [
        True
    ]  # it beats the planner: `test_bots_search.py`
    assert issubclass(LEVELS[3], PlannerBot)


def test_the_easy_level_ends_its_games_with_nearly_all_of_its_tickets_done() -> None:
    for edition in EDITIONS:
        [played] = simulate(edition, ["easy", "easy"], 20, seed=4, jobs=1).standings
        assert played.tickets_done > 0.85 * played.tickets_held, edition


def test_a_turn_of_two_cards_takes_no_longer_than_the_level_says() -> None:
    bot = make_bot("master")
    assert isinstance(bot, MasterBot)
    game = Game(load_board("berlin"), 2, seed=3)
    thought: dict[str, float | None] = {}
    while len(thought) < 3:
        position = Position.of(game)
        thought[game.question.kind] = bot.budget_for(position).seconds
        game.play(at.BLIND if at.BLIND in position.legal else position.legal[0])
    assert list(thought) == ["keep_tickets", "turn", "second_card"]
    assert (thought["turn"] or 0) + (thought["second_card"] or 0) == pytest.approx(bot.seconds_a_turn()) == 1.2
    assert thought["keep_tickets"] == thought["turn"], "before the game there is nothing that it follows"


# --------------------------------------------------------------------------------------------------- the plan


def planned(game: Game, seat: int) -> tuple[Any, Any, Any]:
    """Board, state and memory with the prices of the position laid out."""
    board, state = kernel.record_in(game.board.tables), kernel.record_in(game.redacted(seat))
    memory = kernel.record_in(memories.new_memory())
    planner.want(board, state, memory, seat)
    return board, state, memory


@pytest.mark.parametrize("edition", EDITIONS)
def test_connecting_tickets_anew_never_makes_the_plan_dearer(edition: str) -> None:
    game = Game(load_board(edition), 2, 9)
    bots = [make_bot("planner", seat) for seat in range(2)]
    compared = 0
    while not game.over and len(game.actions) < 150:
        position = Position.of(game)
        if len(game.actions) % 13 == 0:
            board, state, memory = planned(game, position.seat)
            plan.make_plan(board, state, memory, position.seat)
            before = forest.price_of_plan(board, memory)
            forest.improve(board, state, memory, position.seat)
            assert forest.price_of_plan(board, memory) <= before
            compared += 1
        game.play(bots[position.seat].choose(position))
    assert compared


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_unseen_ticket_brings_its_points_less_what_joining_its_places_to_the_network_costs(edition: str) -> None:
    game = Game(load_board(edition), 2, 9)
    bots = [make_bot("planner", seat) for seat in range(2)]
    worthwhile = 0
    while not game.over:
        position = Position.of(game)
        if len(game.actions) % 29 == 28:
            board, state, memory = planned(game, position.seat)
            ticket_prospects.weigh_unseen(board, state, memory, position.seat)
            in_network = {
                place.index
                for route in game.board.routes
                for place in (route.a, route.b)
                if memory.cost[route.index] == 0 and place.kind != "country"
            }
            ways_from = [cheapest_by_hand(game.board, memory, start) for start in sorted(in_network)]
            for ticket in game.board.tickets:
                n = ticket.index
                if state.ticket_at[n] == HIDDEN:
                    costs = [
                        sum(to.get(place.index, shortest_paths.NEVER) for place in ticket.places) for to in ways_from
                    ]
                    possible = {
                        ticket_prospects.brings(board, memory, n) - cost
                        for cost in costs
                        if cost < shortest_paths.NEVER
                    }
                    assert memory.gain[n] in {*possible, -route_values.TENTHS * board.ticket_penalty[n]}
                    worthwhile += memory.gain[n] > 0
        game.play(bots[position.seat].choose(position))
    assert worthwhile


def test_every_board_has_weights_of_all_names() -> None:
    for edition in EDITIONS:
        board = load_board(edition)
        for seats in range(board.seats[0], board.seats[1] + 1):
            assert len(board.weights.at(seats).numbers) == len(weights.NAMES)


# --------------------------------------------------------------------------------------------------- reasons


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_move_has_a_reason_in_one_line(edition: str) -> None:
    game = Game(load_board(edition), 2, 5)
    bots = [make_bot("planner", 1), make_bot("fast", 1)]
    kinds: set[str] = set()
    while not game.over:
        position = Position.of(game)
        bot = bots[position.seat]
        action = bot.choose(position)
        why = reason(bot, position, action)
        if why is not None:
            kinds.add(why.kind)
            assert why.kind in SENTENCES
            assert "\n" not in sentence(why)
            if why.kind == "ticket":
                assert why.ticket is not None and why.place == why.ticket.places[-1]
                assert 0 < why.missing <= why.whole
        game.play(action)
    assert {"ticket", "kept"} <= kinds
    assert kinds & {"points", "cards"}


def test_a_bot_without_a_plan_has_no_reasons() -> None:
    position = Position.of(Game(load_board("berlin"), 2, 1))
    bot = make_bot("random", 1)
    assert reason(bot, position, bot.choose(position)) is None


@pytest.mark.parametrize(("edition", "seats"), COSTLY_SEATINGS)
def test_planners_keep_nothing_of_the_games_before(edition: str, seats: int) -> None:
    line_up = [bot_maker("planner")] * seats
    forwards, backwards = (Table(load_board(edition), line_up, 2) for _ in range(2))
    games = forwards.play(0, 60).copy()
    for n in reversed(range(60)):
        [again] = backwards.play(n, 1)
        assert again["total"].tolist() == games[n]["total"].tolist(), f"game {n}"
