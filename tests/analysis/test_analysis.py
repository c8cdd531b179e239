"""A finished game analysed: the books balance, blunders are found, the same seed finds the same."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import branchline as bl
from branchline.analysis import KINDS, AnalysisError, Move, analyse, curve_svg, mistakes
from branchline.analysis.decision import WAITING, Decision, counted_once
from branchline.analysis.game import first_world
from branchline.analysis.judging import FEWEST, SHARP, WEIGHTY, Judge, Moment
from branchline.analysis.ledger import rounded
from branchline.analysis.playouts import Playouts, chances_of, even_chance, lead_of
from branchline.bots import Position, make_bot
from branchline.draw.palette import THEMES
from branchline.game import Game, Record, RecordError
from branchline.rules import kernel
from table import EDITIONS, with_few_pieces

OTHERS = [one for one in EDITIONS if one != "berlin"]

NAMES = ("Anna", "Ben")


def played(edition: str, bots: tuple[str, ...], seed: int = 4, *, on: bl.Board | None = None) -> Record:
    game = Game(on or bl.load_board(edition), len(bots), seed)
    players = [make_bot(name, seat) for seat, name in enumerate(bots)]
    while not game.over:
        position = Position.of(game)
        game.play(players[position.seat].choose(position))
    return game.record(NAMES[: len(bots)])


@pytest.fixture(scope="module")
def uneven_game() -> Record:
    """A planner against chance, which makes mistakes, large and small."""
    return played("berlin", ("planner", "random"), seed=1)


@pytest.fixture(scope="module")
def parts() -> list[bl.Analysis]:
    """What was told while the same was analysed."""
    return []


@pytest.fixture(scope="module")
def uneven(uneven_game: Record, parts: list[bl.Analysis]) -> bl.Analysis:
    """The same, analysed."""
    return analyse(uneven_game, rollouts=16, on_part=parts.append)


def test_all_parts_add_up_to_the_result(uneven: bl.Analysis) -> None:
    for seat in range(2):
        one = uneven.ledger(seat)
        parts = one.even + one.deal + one.cards + one.tickets + one.tunnels + one.others + one.lost
        assert parts == pytest.approx(one.result)
        assert one.luck == pytest.approx(one.deal + one.cards + one.tickets + one.tunnels)
        assert one.lost <= 0 and one.luck_range[0] < one.luck < one.luck_range[1]
        assert one.mistakes == len(uneven.mistakes(seat))
    assert [uneven.ledger(seat).result for seat in range(2)] == [1.0, 0.0]


def test_the_parts_of_the_sentence_add_up_in_whole_points(uneven: bl.Analysis) -> None:
    for seat in range(2):
        start, luck, lost, others, end = uneven.ledger(seat).sentence()
        assert start + luck + lost + others == end == round(100 * uneven.results[seat])
        assert sum(uneven.ledger(seat).kinds().values()) == luck


@pytest.mark.parametrize(
    ("parts", "total"), [((1 / 3, 0.004, -0.004, 2 / 3), 100), ((1 / 3,) * 3, 100), ((0.5, -0.2), 0)]
)
def test_rounded_parts_add_up_and_none_is_far_off(parts: tuple[float, ...], total: int) -> None:
    found = rounded(parts, total)
    assert sum(found) == total
    spread = abs(total - sum(100 * one for one in parts)) + 1
    assert all(abs(100 * one - whole) <= spread for one, whole in zip(parts, found, strict=True))


def test_the_chances_of_all_add_up_to_one_at_every_moment(uneven: bl.Analysis) -> None:
    assert uneven.course[0][0] == 0 and len(uneven.course) > 40
    for _, chances in uneven.course:
        assert sum(chances) == pytest.approx(1.0) and min(chances) >= 0
    for one in uneven.fortunes:
        assert sum(one.brought) == pytest.approx(0.0, abs=1e-9)
    assert [one.kind for one in uneven.fortunes] == ["deal", "tickets", "tunnels"]


def test_who_plays_at_random_makes_mistakes_and_the_largest_come_first(uneven: bl.Analysis) -> None:
    assert uneven.ledger(1).accuracy < uneven.ledger(0).accuracy - 10 and uneven.mistakes(1)
    worst = uneven.turning_points(3)
    assert worst[0].lost >= worst[1].lost >= worst[2].lost > 0
    assert all(one.better and one.better.move != one.played.move for one in worst)


def test_a_mistake_is_beyond_the_noise_and_what_is_forced_counts_nothing(uneven: bl.Analysis) -> None:
    for one in uneven.decisions:
        assert bool(one.mistake) == bool(one.better) == (one.lost > 0)
        if one.mistake:
            assert one.real and one.lost > one.error and one.lost >= mistakes.SMALL and not one.again
            assert one.effect[one.seat] == pytest.approx(-one.lost)
            assert sum(one.effect) == pytest.approx(0.0, abs=1e-9)
        if not one.real:
            assert one.behind == one.error == one.lead == one.planned == one.fault == 0.0
    assert uneven.ledger(0).real == sum(one.real for one in uneven.of(0)) < len(uneven.of(0))


@pytest.mark.parametrize(
    ("lost", "error", "size"),
    [(0.3, 0.01, "large"), (0.1, 0.01, "large"), (0.07, 0.01, "medium"), (0.03, 0.01, "small"),
     (0.019, 0.001, ""), (0.3, 0.2, ""), (-0.3, 0.01, "")],
)  # fmt: skip
def test_the_scale_of_mistakes(lost: float, error: float, size: str) -> None:
    assert mistakes.size(lost, error) == size


def test_noise_takes_no_accuracy() -> None:
    luck = random.Random(3)
    noise = sum(mistakes.expected(luck.gauss(0, 0.02), 0.02) for _ in range(20_000)) / 20_000
    assert abs(noise) < 0.0003
    assert mistakes.expected(0.2, 0.02) == pytest.approx(0.2, rel=0.05)
    assert mistakes.expected(0.01, 0.02) == mistakes.expected(0.0, 0.0) == 0.0
    assert mistakes.accuracy(0.0, 50) == mistakes.accuracy(0.0, 0) == 100.0
    assert mistakes.accuracy(1.0, 50) < mistakes.accuracy(0.5, 50) < 100


def test_a_dearer_mistake_is_more_at_fault_and_one_that_the_planner_makes_too_is_less() -> None:
    leads = [0.0, 0.5, 2.0, 5.0, 10.0, 40.0]
    for planned in leads:
        faults = [mistakes.fault(mistakes.charged(lead, planned)) for lead in leads]
        assert faults == sorted(faults) and faults[0] >= 0 and faults[-1] < 1
    for lead in leads:
        faults = [mistakes.fault(mistakes.charged(lead, planned)) for planned in leads]
        assert faults == sorted(faults)
    assert mistakes.charged(8.0, 8.0) == 8.0 and mistakes.charged(8.0, 0.0) == 2.0
    assert mistakes.fault(mistakes.charged(0.0, 0.0)) == 0.0


def test_a_comparison_that_speaks_for_what_was_done_takes_and_gives_nothing(uneven: bl.Analysis) -> None:
    wrong = next(one for one in uneven.of(1) if one.fault > 0)
    sound = replace(wrong, lead=-15.0, lead_error=5.0, planned=-15.0, planned_error=5.0)
    assert sound.fault == 0.0 < wrong.fault


def test_what_differs_from_the_planners_choice_is_always_compared(uneven: bl.Analysis, uneven_game: Record) -> None:
    """Also where nothing looked better at first: whether it does then is a matter of luck."""
    board = bl.load_board("berlin")
    alone = {one.step for one in uneven.decisions if one.real and one.missed is None}
    assert alone
    for step, game in enumerate(uneven_game.steps(board)):
        if step in alone:
            position = Position.of(game)
            taken = int(game.legal.by_text(uneven_game.actions[step].partition(" ")[2]))
            assert make_bot("planner", 1).choose(position) == taken


def test_one_large_mistake_does_not_outweigh_many(uneven: bl.Analysis) -> None:
    sound = [replace(one, lead=0.0, planned=0.0) for one in uneven.of(1) if one.real][:20]

    def accuracy(*charges: float) -> float:
        wrong = [
            replace(one, lead=x, planned=x, lead_error=0.1, planned_error=0.1, again=False)
            for x, one in zip(charges, sound, strict=False)
        ]
        return replace(uneven, decisions=(*wrong, *sound[len(charges) :])).ledger(1).accuracy

    assert accuracy() == 100.0
    assert accuracy(8.0) > accuracy(60.0) > accuracy(8.0, 8.0) > accuracy(8.0, 8.0, 8.0)


def test_what_the_planner_would_have_done_costs_only_what_it_overlooks(uneven: bl.Analysis) -> None:
    same = [one for one in uneven.of(0) if one.real]
    assert same and all(one.planned == 0.0 for one in same)
    wrong = [one for one in uneven.of(1) if one.planned > mistakes.DOUBT * one.planned_error]
    assert wrong and all(one.fault > replace(one, planned=0.0).fault for one in wrong)


def test_neighbouring_seeds_share_no_worlds() -> None:
    """Else an analysis with another seed would be the same one."""
    firsts = sorted(first_world(seed) for seed in range(100))
    assert min(b - a for a, b in pairwise(firsts)) > 1 << 44  # more than all steps of a game


@pytest.fixture
def missed(uneven: bl.Analysis) -> Decision:
    """A mistake that could have been made good a turn later, and that the planner would have made too."""
    return next(replace(one, planned=0.0) for one in uneven.mistakes() if one.missed and one.missed.kind in WAITING)


def test_the_same_move_missed_again_and_again_counts_once_where_it_was_dearest(missed: Decision) -> None:
    lesser = replace(missed, step=missed.step + 4, behind=missed.behind / 2)
    found = counted_once([missed, lesser, replace(missed, step=missed.step + 8, behind=missed.behind * 2)])
    assert [one.again for one in found] == [True, True, False]
    assert [bool(one.mistake) for one in found] == [False, False, True]
    for one in found[:2]:
        assert one.lost == one.fault == 0.0 and not any(one.effect)
    assert found[2].fault > 0.0
    assert [one.weight for one in found] == [one.weight for one in (missed, lesser, found[2])]
    assert counted_once(found) == found


def test_another_seat_another_move_and_a_move_made_in_between_count_anew(missed: Decision, uneven: bl.Analysis) -> None:
    assert missed.missed is not None
    later = replace(missed, step=missed.step + 8)
    other = replace(missed, seat=1 - missed.seat)
    card = replace(missed, missed=replace(missed.missed, kind="take", text="market 1 (red)"))
    made = replace(missed, played=replace(missed.played, move=missed.missed), missed=None, better=None)
    assert not any(one.again for one in counted_once([missed, other, card, card]))
    assert not any(one.again for one in counted_once([missed, made, later]))
    assert sum(one.again for one in counted_once([missed, later])) == 1


def test_what_is_given_away_in_a_decided_game_takes_no_accuracy(uneven: bl.Analysis) -> None:
    """A lead of eighty points can be wasted; nobody decides badly who wins all the same."""
    one = next(one for one in uneven.of(1) if one.better)
    decided = replace(one, played=replace(one.played, chance=1.0), better=None, behind=0.0, lead=40.0, lead_error=1.0)
    assert decided.fault > 0.2 and decided.weight == 0.0
    more = replace(uneven, decisions=(*uneven.decisions, *[decided] * 50))
    assert more.ledger(1).accuracy == pytest.approx(uneven.ledger(1).accuracy)


def test_chances_are_fair_where_nothing_is_known_and_the_result_at_the_end() -> None:
    points = np.array([[100.0, 100.0, 100.0], [100.0, 90.0, 40.0]])
    for left in (1.0, 0.5, 0.0):
        assert chances_of(points, left)[0] == pytest.approx(1 / 3)
        assert chances_of(points, left).sum(axis=1) == pytest.approx(1.0)
    assert chances_of(points, 0.0)[1, 0] == pytest.approx(1.0)
    assert 0.4 < chances_of(points, 1.0)[1, 0] < chances_of(points, 0.25)[1, 0] < 1.0


def test_a_lead_counts_by_a_fixed_curve() -> None:
    points = np.array([[[100.0, 70.0, 40.0], [60.0, 90.0, 20.0]]])
    assert lead_of(points, 0).tolist() == [[30.0, -30.0]]
    assert even_chance(0.0) == 0.5 and even_chance(30.0) == pytest.approx(0.731, abs=0.001)


def test_every_choice_of_the_game_is_looked_at(uneven: bl.Analysis, uneven_game: Record) -> None:
    steps = uneven_game.steps()
    game, choices = next(steps), []
    for n in range(len(uneven_game.actions)):
        if len(game.legal) > 1:
            choices.append((n, game.question.seat))
        game = next(steps)
    assert [(one.step, one.seat) for one in uneven.decisions] == choices
    for one in uneven.decisions:
        assert 0.0 <= one.played.chance <= one.best <= 1.0
        assert one.worlds >= 6
        assert uneven_game.actions[one.step].partition(" ")[2] == one.played.move.text.partition(" (")[0]


def test_more_worlds_go_into_what_weighs_most_and_into_nothing_else(uneven: bl.Analysis) -> None:
    most = uneven.rollouts
    compared = [one for one in uneven.decisions if one.missed]
    deeper = [one for one in compared if one.worlds > most]
    assert deeper and all(one.worlds <= WEIGHTY * most for one in deeper)
    for one in compared:
        if one.mistake == "large":
            assert 2 * one.worlds > WEIGHTY * most or one.error <= 1.05 * SHARP / most**0.5
        elif one.better is None and one.planned == 0.0 and one.behind <= 0.0:
            assert one.worlds <= most


def test_only_chance_brings_luck(uneven: bl.Analysis) -> None:
    for one in uneven.decisions:
        if one.revealed:
            assert one.played.move.kind in ("take", "blind", "tickets", "claim", "mix", "refill", "payment"), one
    blind = [one for one in uneven.decisions if one.played.move.kind == "blind"]
    assert blind and all(one.revealed == "cards" for one in blind)
    drawn = [one for one in uneven.decisions if one.played.move.kind == "tickets"]
    assert drawn and all(one.revealed == "tickets" for one in drawn)


def test_the_curve_of_a_seat_ends_at_the_result(uneven: bl.Analysis) -> None:
    for seat in range(2):
        curve = uneven.curve(seat)
        assert curve[-1] == (uneven.steps, uneven.results[seat])
        assert [step for step, _ in curve] == sorted(step for step, _ in curve)


@pytest.mark.parametrize("own", (False, True))
@pytest.mark.parametrize("theme", THEMES)
def test_the_curve_is_drawn_with_names_and_mistakes(uneven: bl.Analysis, theme: str, own: bool) -> None:
    svg = curve_svg(uneven, THEMES[theme], own=own)
    root = ElementTree.fromstring(svg)
    said = " ".join(root.itertext())
    assert all(name in said for name in NAMES)
    dots = [int(one.attrib["data-moment"]) for one in root.iter() if one.attrib.get("class", "").startswith("lost")]
    assert sorted(dots) == sorted(one.step for one in uneven.mistakes())


def test_the_curve_runs_over_moments_where_a_replay_counts_several_actions_as_one(uneven: bl.Analysis) -> None:
    moments = [n // 2 for n in range(uneven.steps)]
    root = ElementTree.fromstring(curve_svg(uneven, moments=moments))
    dots = [one for one in root.iter() if one.get("class", "").startswith("lost")]
    assert dots and max(int(one.attrib["data-moment"]) for one in dots) <= uneven.steps // 2
    left, wide = float(root.attrib["data-left"]), float(root.attrib["data-wide"])
    assert all(left <= float(one.attrib["cx"]) <= left + wide for one in dots)


def test_first_figures_come_at_once_and_grow(uneven: bl.Analysis, parts: list[bl.Analysis]) -> None:
    assert len(parts[0].course) == len(uneven.course) and parts[0].decisions == () and not parts[0].complete
    steps = [one.step for one in uneven.decisions]
    assert all([one.step for one in part.decisions] == steps[: len(part.decisions)] for part in parts)
    assert uneven.complete
    assert not parts[0].turning_points() and curve_svg(parts[0])


@pytest.mark.long
def test_the_same_with_any_number_of_jobs_and_from_the_game_itself() -> None:
    board = with_few_pieces("berlin")
    record = played("berlin", ("fast", "fast"), on=board)
    once = analyse(record, board=board, rollouts=20, seats=[1])
    assert once.as_dict() == analyse(record.replay(board), board=board, rollouts=20, seats=[1], jobs=3).as_dict() | {
        "names": once.as_dict()["names"]
    }
    assert {one.seat for one in once.decisions} == {1}
    with pytest.raises(AnalysisError, match="seat 0"):
        once.ledger(0)


@pytest.mark.long
def test_a_decision_is_judged_the_same_whatever_was_judged_before_it() -> None:
    moments: list[Moment] = []
    for game in played("berlin", ("fast", "fast")).steps():
        if not game.over and len(game.legal) > 1 and (position := Position.of(game)).seat == 1:
            moments.append(Moment(len(game.actions), position, position.legal[-1], kernel.record_in(game.state)))
    busy = Judge(rollouts=FEWEST)
    for moment in moments[::4]:
        assert busy.judge(moment, seed=1) == Judge(rollouts=FEWEST).judge(moment, seed=1), moment.step


@pytest.mark.long
def test_a_long_game_gets_fewer_playouts_and_no_clock_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    board = with_few_pieces("berlin")
    record, count = played("berlin", ("fast", "random"), on=board), [0]
    points = Playouts.points

    def counted(self: Playouts, actions: tuple[int, ...], seeds: range) -> Any:
        count[0] += len(actions) * len(seeds)
        return points(self, actions, seeds)

    monkeypatch.setattr(Playouts, "points", counted)
    whole = analyse(record, board=board, rollouts=60)
    usual = count[0]
    monkeypatch.setattr("branchline.analysis.game.BUDGET", 40_000)
    found = analyse(record, board=board, rollouts=60)
    assert whole.rollouts == 60 > found.rollouts >= 10
    assert count[0] - usual < 0.7 * usual
    assert analyse(record, board=board, rollouts=60) == found


def test_what_is_no_analysis_is_refused_in_one_line(uneven: bl.Analysis) -> None:
    good, board = uneven.as_dict(), uneven.board
    broken: list[Any] = [None, [], "analysis", {}, good | {"branchline_analysis": 1}, good | {"board": "nowhere"}]
    broken += [good | {"course": [[0, [1.0]]]}, good | {"names": ["Anna"]}, good | {"fortunes": [{"kind": "deal"}]}]
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


@pytest.mark.long
def test_progress_is_told_up_to_the_last_decision() -> None:
    heard: list[int] = []
    board = with_few_pieces("berlin")
    record = played("berlin", ("fast", "fast"), on=board)
    found = analyse(record, board=board, rollouts=20, seats=[0], on_progress=heard.append)
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


@pytest.mark.parametrize(
    ("edition", "seats"),
    [("berlin", 2), *(pytest.param(one, 2 + n % 2, marks=pytest.mark.long) for n, one in enumerate(OTHERS))],
)
def test_games_of_every_edition_add_up_and_come_back_from_json_as_they_were(edition: str, seats: int) -> None:
    small = with_few_pieces(edition)
    found = analyse(played(edition, ("fast", "planner", "greedy")[:seats], on=small), board=small, rollouts=FEWEST)
    assert sum(found.results) == pytest.approx(1.0)
    for seat in range(seats):
        one = found.ledger(seat)
        assert 0 <= one.accuracy <= 100
        assert one.even + one.luck + one.others + one.lost == pytest.approx(one.result)
    assert bl.Analysis.from_dict(json.loads(json.dumps(found.as_dict())), found.board) == found
