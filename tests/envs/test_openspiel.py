"""OpenSpiel: its own tests pass, copies go on alike, and what is resampled looks the same to the one who looks."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import branchline as bl
from branchline.envs import observe
from branchline.envs.layout import layout_of
from branchline.envs.rewards import win

pyspiel = pytest.importorskip("pyspiel")

from branchline.envs import openspiel  # noqa: E402  (it needs pyspiel)

SEATED = [
    ("berlin", 2),
    *(
        pytest.param(edition, seats, marks=pytest.mark.long)
        for edition, seats in (("germany", 5), ("europe", 3), ("berlin", 4), ("world", 4), ("great_lakes", 2))
    ),
]
"""A game of each edition, and of each number of seats."""


def load(edition: str, seats: int) -> Any:
    return pyspiel.load_game(f"python_branchline(board={edition},players={seats})")


def position(edition: str, seats: int, decisions: int, seed: int = 1) -> Any:
    """A state so many decisions into a random game."""
    state, luck = load(edition, seats).new_initial_state(), np.random.default_rng(seed)
    while not state.is_terminal() and (state.is_chance_node() or decisions > 0):
        decisions -= not state.is_chance_node()
        state.apply_action(int(luck.choice(state.legal_actions())))
    return state


def sampler(seed: int) -> Any:
    return np.random.default_rng(seed).random


@pytest.mark.parametrize(("edition", "seats"), SEATED)
def test_openspiel_finds_nothing_to_say(edition: str, seats: int) -> None:
    game = load(edition, seats)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False, mask_test=True)


@pytest.mark.parametrize(("edition", "seats", "decisions"), [("berlin", 2, 41), ("europe", 3, 90), ("world", 2, 60)])
def test_HIDE_resampled_states_look_the_same_to_the_one_who_looks(edition: str, seats: int, decisions: int) -> None:
    state, others = position(edition, seats, decisions), 0
    for player in range(seats):
        for seed in range(3):
            twin = state.resample_from_infostate(player, sampler(seed))
            assert twin.information_state_string(player) == state.information_state_string(player)
            assert twin.information_state_tensor(player) == state.information_state_tensor(player)
            assert twin.current_player() == state.current_player()
            assert twin.history() == []  # it would tell the deal
            again = state.resample_from_infostate(player, sampler(seed))
            assert twin.serialize() == again.serialize()
            others += str(twin) != str(state)
            for other in set(range(seats)) - {player}:
                assert twin.course.stories.words[other] == state.course.stories.words[-1]
    assert others == 3 * seats


def test_resampled_states_are_played_to_the_end() -> None:
    state, luck = position("berlin", 2, 30), np.random.default_rng(2)
    twin = state.resample_from_infostate(state.current_player(), sampler(5))
    while not twin.is_terminal():
        twin.apply_action(int(luck.choice(twin.legal_actions())))
    assert sum(twin.returns()) == pytest.approx(0.0) and max(twin.returns()) > 0


def test_a_kept_state_goes_on_as_the_one_it_was_kept_of() -> None:
    state, luck = position("great_lakes", 2, 50), np.random.default_rng(3)
    _, kept = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))
    for _ in range(15):
        action = int(luck.choice(state.legal_actions()))
        state.apply_action(action)
        kept.apply_action(action)
        assert kept.course.game.state.tobytes() == state.course.game.state.tobytes()
    for seat in range(2):
        assert kept.information_state_string(seat) == state.information_state_string(seat)
        assert kept.information_state_tensor(seat) == state.information_state_tensor(seat)


def test_a_history_tells_the_game() -> None:
    state = position("berlin", 3, 10**6)
    again = state.get_game().new_initial_state()
    for action in state.history():
        again.apply_action(action)
    assert str(again) == str(state) and again.returns() == state.returns()
    assert state.returns() == pytest.approx(list(win(state.course.game.scores)))


def test_tensors_are_the_observations_of_the_layout_and_what_one_has_seen() -> None:
    state = position("europe", 2, 40)
    layout = layout_of(bl.load_board("europe"), 2)
    for seat in range(2):
        seen = observe(layout, state.course.game, seat)
        assert np.float32(state.observation_tensor(seat)).tobytes() == seen.tobytes()
        told = np.float32(state.information_state_tensor(seat))
        assert told[: layout.size].tobytes() == seen.tobytes()
        tape = told[layout.size :].reshape(openspiel.TAPE, 4)
        rows = int((tape[:, 0] > 0).sum())
        assert rows > 40 and not tape[rows:].any()
    assert state.information_state_string(0) != state.information_state_string(1)


def test_HIDE_nobody_is_told_what_another_one_drew_or_was_offered() -> None:
    for edition, seats in (("europe", 2), ("world", 3)):
        stories = position(edition, seats, 10**6).course.stories
        for eyes in range(seats + 1):
            tape = stories.tape(eyes)
            drawn = tape[tape[:, 0] == 1 + 1]  # DREW: the deck, the kind
            assert len(drawn) > 10
            assert ((drawn[:, 3] >= 0) == ((drawn[:, 1] == 1) & (eyes < seats))).all()
            offered = tape[tape[:, 0] == 6 + 1]  # OFFERED: the ticket, its deck
            assert len(offered) and ((offered[:, 2] >= 0) == ((offered[:, 1] == 1) & (eyes < seats))).all()


def test_the_tape_holds_the_longest_games() -> None:
    tape = position("germany", 5, 10**6).course.stories
    assert max(len(tape.tape(seat)) for seat in range(6)) < openspiel.TAPE


def test_structs_are_read_back_and_hold_what_the_seat_knows() -> None:
    state = position("berlin", 2, 25)
    for action in state.legal_actions():
        struct = state.action_to_struct(action)
        assert state.struct_to_actions(struct) == [action]
        assert json.loads(struct.to_json())["text"] == state.action_to_string(action)
    seen = json.loads(state.to_observation_struct(0).to_json())
    view = state.course.game.view(0)
    assert seen["private"]["hand"] == dict(view.hand) and seen["public"]["market"] == list(view.market)
    whole = json.loads(state.to_struct().to_json())
    assert [one["seat"] for one in whole["private"]] == [0, 1] and whole["private"][0] == seen["private"]


@pytest.mark.long
def test_a_playthrough_follows_the_moves_to_the_end() -> None:
    from open_spiel.python.algorithms.generate_playthrough import playthrough

    moves = position("berlin", 2, 10**6, seed=4).history()
    name = "python_branchline(board=berlin,players=2,tape=64)"
    lines = playthrough(name, moves, seed=1).splitlines()
    assert len(lines) < 60 * len(moves), "short enough to be read"
    assert f"History() = {moves}" in lines[max(n for n, line in enumerate(lines) if line.startswith("History()")) :]
    assert sum(line.startswith("# State") for line in lines) == len(moves) + 1
    assert any("PrivateObservationString(1)" in line for line in lines)


def test_a_shorter_tape_keeps_the_last_rows() -> None:
    moves, tapes = position("berlin", 2, 60, seed=4).history(), []
    for rows in (4096, 8):
        game = pyspiel.load_game(f"python_branchline(board=berlin,players=2,tape={rows})")
        state = game.new_initial_state()
        for move in moves:
            state.apply_action(move)
        size = game.observation_tensor_size()
        told = np.array(state.information_state_tensor(0), np.float32)
        assert len(told) == size + 4 * rows and np.array_equal(told[:size], state.observation_tensor(0))
        tapes.append(told[size:].reshape(rows, 4))
    used = int(np.flatnonzero(tapes[0].any(axis=1))[-1]) + 1
    assert used > 8 and np.array_equal(tapes[1], tapes[0][used - 8 : used])


def test_a_learner_is_given_the_small_observation() -> None:
    from open_spiel.python import rl_environment

    small = rl_environment.ObservationType.OBSERVATION
    environment = rl_environment.Environment("python_branchline(board=berlin,players=2)", observation_type=small)
    assert environment.observation_spec()["info_state"] == (layout_of(bl.load_board("berlin"), 2).size,)


def test_searching_with_information_sets_finds_a_legal_move() -> None:
    from open_spiel.python.algorithms import ismcts, mcts

    state = position("berlin", 2, 20)
    luck = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(
        game=state.get_game(), uct_c=1.0, max_simulations=3, evaluator=mcts.RandomRolloutEvaluator(1, luck)
    )
    assert bot.step(state) in state.legal_actions()


@pytest.mark.parametrize(("wrong", "said"), [("board=europa", "europe"), ("board=berlin,players=9", "seats")])
def test_what_cannot_be_had_is_said(wrong: str, said: str) -> None:
    with pytest.raises(bl.BranchlineError, match=said):
        pyspiel.load_game(f"python_branchline({wrong})")


def test_nobody_observes_the_secrets_of_all() -> None:
    kind = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS)
    with pytest.raises(ValueError, match="secrets"):
        load("berlin", 2).make_py_observer(kind)
