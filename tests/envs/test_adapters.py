"""Each adapter with the real library, where it is installed: a short training, or games as the library plays them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import branchline
from branchline.rules import kernel

pytest.importorskip("gymnasium")
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(kernel.INTERPRETED, reason="batches run compiled code"),
    pytest.mark.filterwarnings("ignore"),  # of other people's libraries
]
ADAPTERS = Path(branchline.__file__).parent / "envs" / "adapters"


def test_no_adapter_is_longer_than_a_page() -> None:
    for file in ADAPTERS.glob("*.py"):
        lines = [line for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
        code = [line for line in lines if not line.startswith(("from ", "import ", '"""'))]
        assert len(code) <= 45, file.name


def test_stable_baselines_masks_and_learns() -> None:
    contrib = pytest.importorskip("sb3_contrib")
    from stable_baselines3.common.vec_env import VecMonitor

    from branchline.envs.adapters.sb3 import SeatVecEnv

    env = SeatVecEnv(16, "berlin", opponents="random", seed=1)
    model = contrib.MaskablePPO("MlpPolicy", VecMonitor(env), n_steps=32, batch_size=256, n_epochs=1, seed=1)
    model.learn(1024)
    seen, played = env.reset(), 0
    while played < 3:
        actions, _ = model.predict(seen, action_masks=np.stack(env.env_method("action_masks")), deterministic=True)
        seen, _, done, infos = env.step(actions)
        assert not env.batch.illegal.any()
        played += int(done.sum())
        assert all("terminal_observation" in infos[place] for place in np.flatnonzero(done))


def test_torchrl_rolls_out_with_masks() -> None:
    pytest.importorskip("torchrl")
    from branchline.envs.adapters import torchrl

    env = torchrl.env(4, "berlin", opponents="random")
    rollout = env.rollout(200, break_when_any_done=False)
    assert rollout.shape == (4, 200) and bool(rollout["next", "done"].any())
    taken = rollout["action_mask"].gather(-1, rollout["action"].unsqueeze(-1))
    assert bool(taken.all()), "only legal actions are drawn"
    assert float(rollout["next", "reward"].abs().max()) == 1.0


def test_tianshou_collects_with_masks() -> None:
    pytest.importorskip("tianshou")
    from tianshou.data import Batch as Data

    from branchline.envs.adapters import tianshou

    envs = tianshou.envs(3, "berlin", opponents="random")
    seen, _ = envs.reset(seed=1)
    over = np.zeros(3, bool)
    for _ in range(300):
        masks = Data(list(seen)).mask if isinstance(seen, np.ndarray) else seen.mask
        seen, _, over, _, infos = envs.step(np.asarray(masks).argmax(axis=1))
        assert not any("illegal" in info for info in infos)
        if over.any():
            break
    assert over.any()


def test_cleanrl_sees_plain_arrays_masks_and_episodes() -> None:
    from branchline.envs.adapters import cleanrl

    envs = cleanrl.envs(4, "berlin", opponents="greedy")
    seen, info = envs.reset(seed=1)
    ended = 0
    for _ in range(150):
        assert seen.shape == envs.observation_space.shape
        seen, _, over, _, info = envs.step(info["action_mask"].argmax(axis=1))
        ended += int(over.sum())
        assert ("episode" in info) == bool(over.any())
    assert ended


def test_rllib_trains_with_its_own_masking() -> None:
    pytest.importorskip("ray")
    pytest.importorskip("tree")
    ppo = pytest.importorskip("ray.rllib.algorithms.ppo")
    from branchline.envs.adapters import rllib

    module = rllib.register()
    config = (
        ppo.PPOConfig()
        .environment(rllib.NAME, env_config={"board": "berlin", "opponents": "random"}, disable_env_checking=True)
        .rl_module(rl_module_spec=module)
        .env_runners(num_env_runners=0)
        .training(train_batch_size=400, minibatch_size=128, num_epochs=1)
    )
    found: Any = config.build_algo().train()
    assert found["env_runners"]["num_env_steps_sampled_lifetime"] >= 400


def test_textarena_plays_a_game_and_a_secret_stays_one() -> None:
    ta = pytest.importorskip("textarena")
    from branchline.envs.adapters.textarena import TrainGameEnv

    env: Any = TrainGameEnv("berlin")
    env.first = -1
    env.reset(num_players=2, seed=3)
    done, kept = False, ""
    while not done:
        seat, seen = env.get_observation()
        assert not any(kept and kept in message for _, message, kind in seen if seat != env.first)
        legal = env.game.legal(seat)
        if not kept:
            done, _ = env.step("[I do not know]")
            assert env.state.current_player_id == seat
            kept, env.first = legal[0], seat
        done, _ = env.step(legal[0])
    rewards, _ = env.close()
    assert sorted(rewards.values()) in ([-1, 1], [1, 1])
    assert ta.Env in type(env).__mro__


def test_minari_keeps_games_of_a_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    minari = pytest.importorskip("minari")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    from branchline.envs.adapters import minari as adapter

    made = adapter.export("branchline/berlin-greedy-v0", "berlin", "greedy", 3, seed=5, opponents="random")
    kept = minari.load_dataset("branchline/berlin-greedy-v0")
    assert kept.total_episodes == made.total_episodes == 3
    episode = next(iter(kept.iterate_episodes()))
    assert len(episode.actions) == len(episode.rewards) == len(episode.observations["observation"]) - 1
    assert all(episode.observations["action_mask"][n, action] for n, action in enumerate(episode.actions))


def test_jax_steps_are_pure_functions() -> None:
    jax = pytest.importorskip("jax")
    from branchline.envs.adapters.jax import PureBatch

    pure = PureBatch("berlin", 3, seed=4)
    begun, seen = pure.reset()
    step = jax.jit(lambda games, mask: pure.step(games, mask.argmax(axis=1)))
    one, told = step(begun, seen[1])
    two, told_again = step(begun, seen[1])
    assert (one.states == two.states).all() and (told[0] == told_again[0]).all()
    batch = branchline.envs.Batch("berlin", 3, seed=4)
    for _ in range(150):
        begun, seen = step(begun, seen[1])
        batch.step(batch.mask.argmax(axis=1))
        assert (np.asarray(seen[0]) == batch.observation).all() and (np.asarray(seen[4]) == batch.reward).all()
