"""Measure what other libraries' learners reach in a few minutes of a processor, each by its adapter.

    python benchmarks/learners.py --minutes 5

Each learns one seat of Berlin against `greedy` with two seats, with the library's usual settings, until so many minutes
of processor time are over. Then it plays games with its likeliest actions, its seat drawn by lot. Learners whose
library is not installed are left out. The last lines are a table for docs/environments.md.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from branchline.arena import statistics
from branchline.envs.seat_batch import SeatBatch

BOARD, OPPONENT = "berlin", "greedy"
GAMES = 64  # that a learner of compiled games plays side by side

Policy = Callable[[npt.NDArray[np.float32], npt.NDArray[np.bool_]], npt.NDArray[np.int64]]


@dataclass
class Clock:
    """How much processor time is left, and how many decisions were learned from."""

    minutes: float
    began: float
    decisions: int = 0

    def over(self, decisions: int) -> bool:
        """Count decisions, and tell whether the time is over."""
        self.decisions += decisions
        return time.process_time() - self.began > 60 * self.minutes


def by_sb3(clock: Clock) -> Policy:
    """MaskablePPO of sb3-contrib, on compiled games."""
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.callbacks import BaseCallback

    from branchline.envs.adapters.sb3 import SeatVecEnv

    class UntilOver(BaseCallback):  # type: ignore[misc]  # where the library is missing
        """Stops when the time is over."""

        def _on_step(self) -> bool:
            return not clock.over(GAMES)

    games = SeatVecEnv(GAMES, BOARD, opponents=OPPONENT, seat=None)
    model = MaskablePPO("MlpPolicy", games, n_steps=128, batch_size=2048, learning_rate=1e-3, seed=1)
    model.learn(10**9, callback=UntilOver())
    return lambda seen, masks: model.predict(seen, action_masks=masks, deterministic=True)[0]


def by_torchrl(clock: Clock) -> Policy:
    """PPO of TorchRL with generalised advantages, on compiled games."""
    import torch
    from tensordict.nn import TensorDictModule
    from torch import nn
    from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
    from torchrl.objectives import ClipPPOLoss
    from torchrl.objectives.value import GAE

    from branchline.envs.adapters import torchrl
    from branchline.rules.state import ACTIONS

    torch.manual_seed(1)
    games = torchrl.env(GAMES, BOARD, opponents=OPPONENT, seat=None)

    def network(outputs: int) -> nn.Sequential:
        return nn.Sequential(
            nn.Linear(games.observation_spec["observation"].shape[-1], 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh(),
            nn.Linear(128, outputs),
        )  # fmt: skip

    rating = network(ACTIONS)
    actor = ProbabilisticActor(
        TensorDictModule(rating, ["observation"], ["logits"]), in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical, return_log_prob=True,
    )  # fmt: skip
    critic = ValueOperator(network(1), in_keys=["observation"])
    advantages = GAE(gamma=0.99, lmbda=0.95, value_network=critic)
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01)
    optimiser = torch.optim.Adam(loss.parameters(), lr=1e-3)
    steps = 128
    state = None
    while not clock.over(GAMES * steps if state is not None else 0):
        with torch.no_grad():
            played = games.rollout(steps, actor, auto_reset=state is None, tensordict=state, break_when_any_done=False)
            state = _begun(games, played[:, -1])
            advantages(played)
        flat = played.reshape(-1)
        for _ in range(4):
            for part in torch.randperm(len(flat)).split(2048):
                found = loss(flat[part])
                optimiser.zero_grad()
                (found["loss_objective"] + found["loss_critic"] + found["loss_entropy"]).backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimiser.step()

    @torch.no_grad()
    def policy(seen: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        return np.asarray(rating(torch.from_numpy(seen)).masked_fill(~torch.from_numpy(masks), -1e9).argmax(1))

    return policy


def _begun(games: Any, last: Any) -> Any:
    """Return where the games of TorchRL stand after their last step: those that ended have begun anew."""
    from torchrl.envs.utils import step_mdp

    return games.maybe_reset(step_mdp(last))


def by_tianshou(clock: Clock) -> Policy:
    """Double DQN of Tianshou, whose policies read the mask, on single games."""
    import torch
    from gymnasium import spaces
    from tianshou.algorithm import DQN
    from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
    from tianshou.algorithm.optim import AdamOptimizerFactory
    from tianshou.data import Batch, Collector, VectorReplayBuffer
    from tianshou.utils.net.common import Net

    from branchline.envs import layout_of
    from branchline.envs.adapters import tianshou
    from branchline.rules.state import ACTIONS

    torch.manual_seed(1)
    size = layout_of(BOARD, 2).size
    games = tianshou.envs(8, BOARD, opponents=OPPONENT, seat=None)
    network = Net(state_shape=size, action_shape=ACTIONS, hidden_sizes=(128, 128))
    policy = DiscreteQLearningPolicy(model=network, action_space=spaces.Discrete(ACTIONS), eps_training=0.1)
    learner = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), n_step_return_horizon=3, target_update_freq=500)
    memory = VectorReplayBuffer(50_000, 8)
    collector = Collector(policy, games, memory, exploration_noise=True)
    collector.reset()
    steps = 256
    policy.train()
    while not clock.over(steps):
        with torch.no_grad():
            collector.collect(n_step=steps)
        policy.is_within_training_step = True
        for _ in range(16):
            learner.update(buffer=memory, sample_size=256)
        policy.is_within_training_step = False
    policy.eval()

    @torch.no_grad()
    def answer(seen: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        return np.asarray(policy(Batch(obs=Batch(obs=seen, mask=masks), info=Batch())).act)

    return answer


def by_rllib(clock: Clock) -> Policy:
    """PPO of RLlib with its own module for masks, on single games, all in this process."""
    import ray
    import torch
    from ray.rllib.algorithms.ppo import PPOConfig

    from branchline.envs.adapters import rllib

    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, local_mode=False)
    module = rllib.register()
    batch = 4000
    config = (
        PPOConfig()
        .environment(rllib.NAME, env_config={"board": BOARD, "opponents": OPPONENT, "seat": None})
        .rl_module(rl_module_spec=module)
        .env_runners(num_env_runners=0, num_envs_per_env_runner=8)
        .training(train_batch_size=batch, minibatch_size=500, num_epochs=4, lr=1e-3)
    )
    algorithm = config.build_algo()
    while not clock.over(batch):
        algorithm.train()
    network = algorithm.get_module()

    @torch.no_grad()
    def policy(seen: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        offered = {"observations": torch.from_numpy(seen), "action_mask": torch.from_numpy(masks).float()}
        return np.asarray(network.forward_inference({"obs": offered})["action_dist_inputs"].argmax(1))

    return policy


LEARNERS: dict[str, tuple[str, Callable[[Clock], Policy]]] = {
    "sb3": ("Stable-Baselines3, `MaskablePPO`", by_sb3),
    "torchrl": ("TorchRL, PPO", by_torchrl),
    "tianshou": ("Tianshou, double DQN", by_tianshou),
    "rllib": ("RLlib, PPO", by_rllib),
}


def share_won(policy: Policy, opponent: str, games: int) -> statistics.Estimate:
    """Return the share of games that a policy wins against a bot."""
    table = SeatBatch(BOARD, games, opponents=opponent, seat=None, seed=2)
    won, over = np.zeros(games), np.zeros(games, bool)
    while not over.all():
        table.step(policy(table.observation, table.mask.astype(bool)))
        ended = table.done & ~over
        won[ended] = (table.reward[ended] + 1) / 2
        over |= table.done
    return statistics.share(won, np.arange(games))


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--games", type=int, default=400, help="that each plays against each opponent afterwards")
    parser.add_argument("--only", nargs="*", default=list(LEARNERS), choices=list(LEARNERS))
    parser.add_argument("--against", nargs="*", default=["random", "greedy", "planner"])
    chosen = parser.parse_args()
    rows = []
    for name in chosen.only:
        title, learn = LEARNERS[name]
        try:
            clock = Clock(chosen.minutes, time.process_time())
            policy = learn(clock)
        except ImportError as missing:
            print(f"{title}: left out, {missing}")
            continue
        shares = [share_won(policy, opponent, chosen.games) for opponent in chosen.against]
        cells = [f"{100 * share.mean:.0f} ({100 * share.low:.0f} … {100 * share.high:.0f})" for share in shares]
        rows.append(f"| {title} | {clock.decisions:,} | {' | '.join(cells)} |")
        print(rows[-1], flush=True)
    print(f"\n| {chosen.minutes:g} minutes of a processor | decisions | {' | '.join(chosen.against)} |")
    print(f"|---|{'---:|' * (1 + len(chosen.against))}")
    print("\n".join(rows))


if __name__ == "__main__":
    main()
