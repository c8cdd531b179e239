"""The coach: it names a good move, knows where it is, and warns of what gives much away and of nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import branchline as bl
from branchline.bots import Position
from branchline.bots.search.search import Budget
from branchline.rules import state as at
from branchline.teaching import coach
from branchline.teaching.coach import Coach

WHOLE = Budget(rollouts=coach.BUDGET.rollouts)


@pytest.fixture(autouse=True)
def _not_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coach, "BUDGET", Budget(rollouts=60))
    monkeypatch.setattr(coach, "COMPARED", Budget(rollouts=120))
    monkeypatch.setattr(coach, "WORLDS", 100)


def game_of(board: str, seed: int) -> Iterator[tuple[bl.Game, Position]]:
    """A game that planners play: each moment, and what is asked."""
    game = bl.Game(bl.load_board(board), 2, seed)
    bots = [bl.make_bot("hard", n) for n in range(2)]
    while not game.over:
        position = Position.of(game)
        yield game, position
        game.play(bots[position.seat].choose(position))


@pytest.mark.long
def test_its_advice_is_legal_and_marked_on_the_table() -> None:
    own, asked = Coach(), set()
    for n, (game, position) in enumerate(game_of("berlin", 5)):
        if n % 4:
            continue
        asked.add(game.question.kind)
        advice = own.advise(position, seed=n)
        assert advice.action in position.legal
        assert (advice.chance is None) == (position.question in coach.DETAILS)
        assert 0 <= (advice.chance or 0) <= 1
        if advice.move.route is not None:
            assert advice.marks == (f"route-{advice.move.route.index}",)
            assert {advice.move.route.a, advice.move.route.b} < set(advice.region)
        if advice.move.kind == "take":
            assert advice.marks == (f"slot-{advice.action - at.TAKE + 1}",)
        if advice.move.kind == "keep":
            assert advice.kept and not advice.region
            assert advice.marks == tuple(f"offer-{n}" for n in advice.kept)
    assert {"keep_tickets", "turn", "second_card"} <= asked


def test_the_same_position_gets_the_same_advice_whatever_is_hidden() -> None:
    game = bl.Game(bl.load_board("berlin"), 2, 5)
    position = Position.of(game)
    assert Coach().advise(position, seed=1) == Coach().advise(position, seed=1)
    assert not game.view(None).tickets


@pytest.mark.long
def test_advice_is_the_same_whatever_was_asked_before() -> None:
    def asked(board: str, seed: int) -> list[Position]:
        game, bots, found = bl.Game(bl.load_board(board), 2, seed), [bl.make_bot("fast", n) for n in range(2)], []
        while len(found) < 60:
            position = Position.of(game)
            if len(position.legal) > 1:
                found.append(position)
            game.play(bots[position.seat].choose(position))
        return found

    busy = Coach()
    for position in asked("europe", 1)[:12]:
        busy.advise(position, seed=1)
    for n, position in enumerate(asked("germany", 2)[10:60:5]):
        assert busy.advise(position, seed=1) == Coach().advise(position, seed=1), n


@pytest.mark.long
def test_it_warns_of_a_station_that_nobody_needs_and_not_of_its_own_move(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coach, "BUDGET", WHOLE)
    own, warned, turns = Coach(), 0, 0
    for game, position in game_of("europe", 3):
        stations = [one for one in position.legal if at.STATION <= one < at.PORT]
        if game.question.kind != "turn" or not stations:
            continue
        found = own.caution(position, stations[0], seed=1)
        if found is not None:
            assert found.lost >= coach.WARNED_FROM
            assert found.better.action != stations[0]
        warned += found is not None
        assert own.caution(position, own.advise(position, seed=1).action, seed=1) is None
        turns += 1
        if turns == 3:
            break
    assert warned >= 2


def test_it_warns_of_swapping_many_pieces_that_nobody_needs() -> None:
    for game, position in game_of("world", 3):
        if game.question.kind == "turn" and at.SWAP_PIECES in position.legal and position.state.turns > 20:
            break
    swapping = game.copy()
    swapping.play(at.SWAP_PIECES)
    position = Position.of(swapping)
    most = max(position.legal)
    found = Coach().caution(position, most, seed=1)
    assert found is not None and found.lost >= coach.WARNED_FROM
    assert found.better.action != most and found.better.compared is not None
    assert found.better.compared.points.whole > 0


def test_where_there_is_no_choice_there_is_no_warning() -> None:
    game = bl.Game(bl.load_board("berlin"), 2, 5)
    position = Position.of(game)
    only = Position(position.board, position.state, position.seat, position.legal[:1])
    assert Coach().caution(only, only.legal[0]) is None


@pytest.mark.parametrize(("board", "kinds"), [("europe", {"colour", "wilds"}), ("world", {"colour", "marked"})])
def test_how_to_pay_is_told_with_the_move_and_again_when_it_is_asked(board: str, kinds: set[str]) -> None:
    own, asked, game = Coach(), set(), bl.Game(bl.load_board(board), 2, 5)
    bots, told = [bl.make_bot("hard", n) for n in range(2)], None
    while not kinds <= asked:
        position = Position.of(game)
        action = bots[position.seat].choose(position)
        if position.question in coach.PAYING:
            asked.add(game.question.kind)
            advice = own.advise(position)
            assert advice.action == action and advice.payment in game.payments()
            assert told is None or advice.payment.cards == told.cards  # as with the move before
            assert own.caution(position, action) is None
        elif game.question.kind == "turn" and action < at.TAKE:
            told = own.explained(position, action).payment
            assert (told is None) == (len(game.payments(action)) == 1)
        game.play(action)


def test_what_to_swap_is_told_with_the_move_and_again_when_it_is_asked() -> None:
    game = next(game for game, position in game_of("world", 5) if at.SWAP_PIECES in position.legal)
    told = Coach().explained(Position.of(game), at.SWAP_PIECES).swapped
    game.play("swap")
    position = Position.of(game)
    advice = Coach().advise(position)
    assert told is not None and advice.swapped == told and advice.action in position.legal
    assert advice.move.text.startswith(f"swap {told[0]} ") and advice.move.text.endswith(f" for {told[1]}s")
    assert Coach().caution(position, advice.action) is None
