"""What games pay, and who plays the other seats of many games: pools, functions, networks and objects."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import branchline as bl
from branchline.bots import BotError, Position, make_bot
from branchline.bots.simple.greedy import GreedyBot
from branchline.envs import Batch, Batched, Pool, SeatBatch, mask_of, observe
from branchline.envs.rewards import REWARDS, EnvError, Payments
from branchline.rules import kernel

pytestmark = pytest.mark.skipif(kernel.INTERPRETED, reason="batches run compiled code")


def lowest(observation: Any, mask: Any) -> int:
    return int(mask.argmax())


def lowest_of_many(observation: Any, mask: Any) -> Any:
    return mask.argmax(axis=1)


class Lowest:
    """Does the first legal thing, and counts within one game."""

    name = "lowest"

    def __init__(self, seed: int = 0) -> None:
        self.begin(seed)

    def begin(self, seed: int) -> None:
        self.asked, self.turns = 0, -1

    def choose(self, position: Position) -> int:
        self.asked += 1
        assert int(position.state.turns) >= self.turns, "it plays one game at a time"
        self.turns = int(position.state.turns)
        return position.legal[0]


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize(("edition", "seats"), [("world", 3), ("berlin", 2)])
def test_compiled_rewards_are_those_of_the_score_sheet(reward: str, edition: str, seats: int) -> None:
    batch, games, payments = Batch(edition, 2, seats, seed=3, reward=reward), [], []
    for place in range(2):
        games.append(batch.game(place))
        payments.append(Payments(reward))
        payments[-1].begin(seats)
    ended = 0
    while ended < 2:
        actions = batch.sample()
        batch.step(actions)
        for place in range(2):
            game = games[place]
            game.play(int(actions[place]))
            assert batch.reward[place] == pytest.approx(payments[place].due(game), abs=1e-5)
            assert bool(batch.done[place]) == game.over
            if game.over:
                ended += 1
                assert tuple(batch.points[place]) == game.scores.totals
                assert tuple(batch.places[place]) == game.scores.ranks
                games[place] = batch.game(place)
                payments[place].begin(seats)


def test_shaped_rewards_of_a_game_add_up_to_its_margin_for_a_seat_among_others() -> None:
    shaped, margin = (SeatBatch("europe", 8, 2, opponents="greedy", seed=2, reward=one) for one in ("shaped", "margin"))
    sums, paid = np.zeros(8), 0
    for _ in range(200):
        actions = shaped.mask.argmax(axis=1)
        shaped.step(actions)
        margin.step(actions)
        paid += int((shaped.reward != 0).sum())
        sums += shaped.reward
        assert shaped.done.tolist() == margin.done.tolist()
        assert sums[shaped.done] == pytest.approx(margin.reward[margin.done])
        sums[shaped.done] = 0
    assert paid > 50


def course(opponents: Any, steps: int = 150, seats: int = 3) -> bytes:
    batch = SeatBatch("berlin", 5, seats, opponents=opponents, seed=4, seat=None)
    found = []
    for _ in range(steps):
        batch.step(batch.mask.argmax(axis=1))
        found.append(batch.observation.tobytes() + batch.mask.tobytes() + batch.reward.tobytes())
    return b"".join(found)


@pytest.mark.long
def test_functions_networks_and_objects_play_in_many_games_what_they_play_in_one() -> None:
    played = course(lowest)
    assert course(Batched(lowest_of_many)) == played == course(Lowest) == course([Lowest(), lowest])
    greedy = course("greedy")
    assert course(lambda seed: GreedyBot(seed)) == greedy == course([make_bot("greedy"), "greedy"]) != played


def test_the_seat_sees_only_what_is_its_own_after_others_were_asked() -> None:
    batch = SeatBatch("europe", 4, 3, opponents=["planner", Batched(lowest_of_many)], seed=1)
    for _ in range(60):
        for place in range(4):
            game = batch.game(place)
            assert batch.observation[place].tobytes() == observe(batch.layout, game, int(batch.seat[place])).tobytes()
            assert game.over or batch.mask[place].tobytes() == mask_of(game, int(batch.seat[place])).tobytes()
        batch.step(batch.mask.argmax(axis=1))


@pytest.mark.long
def test_a_pool_draws_for_each_game_by_its_weights_and_by_the_seed() -> None:
    asked: list[int] = [0, 0]

    def first(observation: Any, mask: Any) -> Any:
        asked[0] += len(mask)
        return mask.argmax(axis=1)

    def second(observation: Any, mask: Any) -> Any:
        asked[1] += len(mask)
        return mask.argmax(axis=1)

    batch = SeatBatch("berlin", 200, 2, opponents=Pool([Batched(first), Batched(second)], [1, 3]), seed=6)
    for _ in range(30):
        batch.step(batch.mask.argmax(axis=1))
    assert 0.65 < asked[1] / sum(asked) < 0.85
    mixed = Pool(["greedy", "random", lowest])
    assert course(mixed) == course(mixed) not in (course("greedy"), course("random"), course(lowest))


def test_a_league_takes_others_for_games_that_begin_later() -> None:
    batch = SeatBatch("berlin", 3, 2, opponents="random", seed=5)
    for _ in range(20):
        batch.step(batch.mask.argmax(axis=1))
    asked = []

    def newcomer(observation: Any, mask: Any) -> Any:
        asked.append(len(mask))
        return mask.argmax(axis=1)

    batch.oppose(Pool(["planner", Batched(newcomer)], [0, 1]))
    batch.step(batch.mask.argmax(axis=1))
    assert not asked, "the games that are under way are played to their end as they began"
    twin = copy.deepcopy(batch)
    for _ in range(150):
        batch.step(batch.mask.argmax(axis=1))
        twin.step(twin.mask.argmax(axis=1))
    assert asked and batch.observation.tobytes() == twin.observation.tobytes()


def test_arrays_stay_as_they_are_unless_asked_otherwise() -> None:
    for make in (lambda **how: Batch("berlin", 2, **how), lambda **how: SeatBatch("berlin", 2, **how)):
        kept, quick = make(), make(copy=False)
        before, shared = (kept.observation, kept.mask), (quick.observation, quick.mask)
        as_it_was = [one.copy() for one in before]
        for batch in (kept, quick):
            for _ in range(4):
                batch.step(batch.mask.argmax(axis=1))
        assert all((one == was).all() for one, was in zip(before, as_it_was, strict=True))
        assert quick.observation is shared[0] and quick.mask is shared[1]
        assert (quick.observation == kept.observation).all() and not (quick.observation == before[0]).all()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"opponents": Pool([])}, "pool"),
        ({"opponents": Pool(["greedy"], [1, 2])}, "weights"),
        ({"opponents": Pool(["greedy", Pool(["random"])])}, "another pool"),
        ({"opponents": "planer"}, "planer"),
        ({"reward": "winn"}, "win, margin, points or shaped"),
        ({"copy": 3}, "copy"),
    ],
)
def test_what_cannot_be_had_is_said(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(bl.BranchlineError, match=said):
        SeatBatch("berlin", 2, **wrong)


def test_an_opponent_who_errs_is_named() -> None:
    for opponent in (lambda observation, mask: -1, Batched(lambda observation, mask: mask.argmin(axis=1))):
        with pytest.raises((BotError, EnvError), match="not legal"):
            batch = SeatBatch("berlin", 2, opponents=opponent)
            for _ in range(20):
                batch.step(batch.mask.argmax(axis=1))


def test_a_position_is_drawn_as_an_array_of_colours() -> None:
    for needed in ("PIL", "typst", "gymnasium"):
        pytest.importorskip(needed)
    from branchline.envs import single

    env = single.SeatEnv("berlin", render_mode="rgb_array")
    env.reset(seed=1)
    before = env.render()
    assert before.dtype == np.uint8 and before.ndim == 3 and before.shape[2] == 3 and before.std() > 10
    while not env.game.scores.totals[0]:
        env.step(int(env.action_masks().argmax()))
    assert (env.render() != before).any()
