"""A finished game analysed: the books balance, blunders are found, the same seed finds the same."""

from __future__ import annotations

import json
import random
from typing import Any
from xml.etree import ElementTree

import pytest

import branchline as bl
from branchline.analysis import KINDS, AnalysisError, Move, analyse, curve_svg
from branchline.bots import Position, make_bot
from branchline.draw.palette import THEMES
from branchline.game import Game, Record, RecordError
from table import EDITIONS

NAMES = ("Anna", "Ben")


def played(edition: str, bots: tuple[str, ...], seed: int = 4) -> Record:
    game = Game(bl.load_board(edition), len(bots), seed)
    players = [make_bot(name, seat) for seat, name in enumerate(bots)]
    while not game.over:
        position = Position.of(game)
        game.play(players[position.seat].choose(position))
    return game.record(NAMES[: len(bots)])


@pytest.fixture(scope="module")
def uneven() -> bl.Analysis:
    """A planner against chance."""
    return analyse(played("berlin", ("planner", "random")), rollouts=80)


def test_all_parts_add_up_to_the_result(uneven: bl.Analysis) -> None:
    for seat in range(2):
        one = uneven.ledger(seat)
        parts = one.even + one.deal + one.cards + one.tickets + one.tunnels + one.others + one.lost
        assert parts == pytest.approx(one.result)
        assert one.luck == pytest.approx(one.deal + one.cards + one.tickets + one.tunnels)
        assert one.lost <= 0
    assert [uneven.ledger(seat).result for seat in range(2)] == [1.0, 0.0]


def test_who_plays_at_random_gives_more_away(uneven: bl.Analysis) -> None:
    assert uneven.ledger(1).lost < 3 * uneven.ledger(0).lost
    worst = uneven.turning_points(3)
    assert [one.seat for one in worst] == [1, 1, 1]
    assert worst[0].lost >= worst[1].lost >= worst[2].lost > 0
    assert all(one.better and one.better.move != one.played.move for one in worst)


def test_every_choice_of_the_game_is_looked_at(uneven: bl.Analysis) -> None:
    record = played("berlin", ("planner", "random"))
    steps = record.steps()
    game, choices = next(steps), []
    for n in range(len(record.actions)):
        if len(game.legal) > 1:
            choices.append((n, game.question.seat))
        game = next(steps)
    assert [(one.step, one.seat) for one in uneven.decisions] == choices
    for one in uneven.decisions:
        assert 0.0 <= one.played.chance <= one.best <= 1.0
        assert 0.0 <= one.after <= 1.0
        assert one.worlds >= 40
        assert record.actions[one.step].partition(" ")[2] == one.played.move.text.partition(" (")[0]


def test_only_chance_brings_luck(uneven: bl.Analysis) -> None:
    for one in uneven.decisions:
        if one.revealed:
            assert one.played.move.kind in ("take", "blind", "tickets", "claim", "mix", "refill"), one
    blind = [one for one in uneven.decisions if one.played.move.kind == "blind"]
    assert blind and all(one.revealed == "cards" for one in blind)
    drawn = [one for one in uneven.decisions if one.played.move.kind == "tickets"]
    assert drawn and all(one.revealed == "tickets" for one in drawn)


def test_the_curve_ends_at_the_result(uneven: bl.Analysis) -> None:
    for seat in range(2):
        curve = uneven.curve(seat)
        assert curve[-1] == (uneven.steps, uneven.results[seat])
        assert [step for step, _ in curve] == sorted(step for step, _ in curve)


@pytest.mark.parametrize("theme", THEMES)
def test_the_curve_is_drawn_with_names_and_turning_points(uneven: bl.Analysis, theme: str) -> None:
    svg = curve_svg(uneven, THEMES[theme])
    root = ElementTree.fromstring(svg)
    said = " ".join(root.itertext())
    assert all(name in said for name in NAMES)
    dots = [int(one.attrib["data-moment"]) for one in root.iter() if one.attrib.get("class") == "lost"]
    assert {one.step for one in uneven.turning_points(3)} <= set(dots)


def test_the_curve_runs_over_moments_where_a_replay_counts_several_actions_as_one(uneven: bl.Analysis) -> None:
    moments = [n // 2 for n in range(uneven.steps)]
    root = ElementTree.fromstring(curve_svg(uneven, moments=moments))
    dots = {int(one.attrib["data-moment"]) for one in root.iter() if one.attrib.get("class") == "lost"}
    assert dots and max(dots) <= uneven.steps // 2
    left, wide = float(root.attrib["data-left"]), float(root.attrib["data-wide"])
    assert all(left <= float(one.attrib["cx"]) <= left + wide for one in root.iter() if one.get("class") == "lost")


def test_the_same_with_any_number_of_jobs_and_from_the_game_itself() -> None:
    record = played("berlin", ("fast", "fast"))
    once = analyse(record, rollouts=20, seats=[1])
    assert once.as_dict() == analyse(record.replay(), rollouts=20, seats=[1], jobs=3).as_dict() | {
        "names": once.as_dict()["names"]
    }
    assert {one.seat for one in once.decisions} == {1}
    with pytest.raises(AnalysisError, match="seat 0"):
        once.ledger(0)


@pytest.mark.parametrize("edition", EDITIONS)
def test_it_comes_back_from_json_as_it_was(edition: str) -> None:
    found = analyse(played(edition, ("fast", "random")), rollouts=10, seats=[1])
    text = json.dumps(found.as_dict())
    assert bl.Analysis.from_dict(json.loads(text), found.board) == found


def test_what_is_no_analysis_is_refused_in_one_line(uneven: bl.Analysis) -> None:
    good, board = uneven.as_dict(), uneven.board
    broken: list[Any] = [None, [], "analysis", {}, good | {"branchline_analysis": 99}, good | {"board": "nowhere"}]
    broken += [
        {name: value for name, value in good.items() if name != left_out} for left_out in good if left_out != "ledgers"
    ]
    broken += [good | {"decisions": [nonsense]} for nonsense in (None, 7, {}, good["decisions"][0] | {"played": {}})]
    far = good["decisions"][0]["played"]["move"] | {"route": 10_000}
    broken.append(
        good | {"decisions": [good["decisions"][0] | {"played": good["decisions"][0]["played"] | {"move": far}}]}
    )
    for data in broken:
        with pytest.raises(AnalysisError) as refused:
            bl.Analysis.from_dict(data, board)
        assert "\n" not in str(refused.value)


def test_progress_is_told_up_to_the_last_decision() -> None:
    heard: list[int] = []
    found = analyse(played("berlin", ("fast", "fast")), rollouts=20, seats=[0], on_progress=heard.append)
    assert heard == [one.step + 1 for one in found.decisions]


def test_a_game_that_is_not_over_is_refused() -> None:
    with pytest.raises(AnalysisError, match="the game is not over"):
        analyse(Game(bl.load_board("berlin"), 2, 1))


def test_a_broken_record_is_refused() -> None:
    record = played("berlin", ("fast", "fast"))
    with pytest.raises(RecordError, match="action 1"):
        analyse(Record(**{**vars(record), "actions": ("0 fly", *record.actions[1:])}))


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_move_of_an_edition_can_be_told(edition: str) -> None:
    game, luck, kinds = Game(bl.load_board(edition), 3, 2), random.Random(2), set()
    while not game.over:
        position = Position.of(game)
        for action in position.legal:
            move = Move.of(position, action)
            kinds.add(move.kind)
            assert move.text.partition(" (")[0] in game.legal.texts
            assert (move.route is not None) == (move.kind == "claim")
            assert (move.place is not None) == (move.kind in ("station", "port"))
        game.play(luck.choice(position.legal))
    assert {"claim", "take", "blind", "tickets", "keep"} <= kinds <= set(KINDS)


@pytest.mark.long
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("seats", (2, 3))
def test_games_of_every_edition(edition: str, seats: int) -> None:
    found = analyse(played(edition, ("planner", "fast", "greedy")[:seats]), rollouts=24, jobs=2)
    assert sum(found.results) == pytest.approx(1.0)
    for seat in range(seats):
        one = found.ledger(seat)
        assert one.even + one.luck + one.others + one.lost == pytest.approx(one.result)
