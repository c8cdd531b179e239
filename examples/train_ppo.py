"""Learns a board by playing against itself: PPO with masked actions (Schulman et al. 2017), in a few minutes of a CPU.

    pip install "branchline[learn]"
    python examples/train_ppo.py --board berlin --decisions 1000000 --out curve.csv

Many games are played side by side by one network, which sits in every seat and sees what that seat may know. Now and
then it plays against the built-in bots; how often it wins is printed and written to a file of comma-separated values.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from branchline.envs import Batch
from branchline.envs.seat_batch import SeatBatch
from branchline.rules.state import ACTIONS

STEPS = 64  # decisions in each game between two improvements
ROUNDS, PART = 2, 2048  # how often each decision is learned from, and how many at a time
CLIP, LAMBDA, ENTROPY, RATE = 0.2, 0.95, 0.01, 1e-3


class Player(nn.Module):
    """What to do, and what the game is worth for the seat that is asked: 1 won … -1 lost."""

    def __init__(self, size: int, breadth: int = 128) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(size, breadth), nn.ReLU(), nn.Linear(breadth, breadth), nn.ReLU())
        self.policy, self.value = nn.Linear(breadth, ACTIONS), nn.Linear(breadth, 1)
        nn.init.zeros_(self.policy.weight)  # begins at random, each legal action as likely
        nn.init.zeros_(self.policy.bias)

    def forward(self, seen: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """The logarithms of the probabilities, and the value."""
        found = self.body(seen)
        scores = self.policy(found).masked_fill(mask == 0, -1e9)
        return scores.log_softmax(1), self.value(found).squeeze(1)


def drawn(chances: Tensor) -> Tensor:
    """An action for each game, drawn by these logarithms of probabilities."""
    return torch.multinomial(chances.exp(), 1).squeeze(1)


@torch.no_grad()
def play(player: Player, batch: Batch) -> tuple[Tensor, ...]:
    """Play STEPS decisions in each game: what was seen, the masks, actions, their chances, advantages and values."""
    games, seats, places = batch.games, batch.seats, np.arange(batch.games)
    seen = torch.zeros(STEPS, games, batch.layout.size)
    masks = torch.zeros(STEPS, games, ACTIONS, dtype=torch.int8)
    actions, chances = torch.zeros(STEPS, games, dtype=torch.int64), torch.zeros(STEPS, games)
    values, asked = np.zeros((STEPS, games), np.float32), np.zeros((STEPS, games), np.int64)
    done, reward = np.zeros((STEPS, games), bool), np.zeros((STEPS, games, seats), np.float32)
    for step in range(STEPS):
        seen[step], masks[step] = torch.from_numpy(batch.observation), torch.from_numpy(batch.mask)
        logs, value = player(seen[step], masks[step])
        actions[step], values[step], asked[step] = drawn(logs), value.numpy(), batch.seat
        chances[step] = logs.gather(1, actions[step, :, None]).squeeze(1)
        batch.step(actions[step].numpy())
        done[step], reward[step] = batch.done, batch.reward

    # What each seat can expect after its last decision here: rewards add up to 0. Then backwards, seat by seat.
    _, value = player(torch.from_numpy(batch.observation), torch.from_numpy(batch.mask))
    expected = np.repeat(-value.numpy()[:, None] / (seats - 1), seats, axis=1)
    expected[places, batch.seat] = value.numpy()
    gained, advantage = np.zeros((games, seats), np.float32), np.zeros((STEPS, games), np.float32)
    for step in reversed(range(STEPS)):
        expected[done[step]], gained[done[step]] = reward[step][done[step]], 0.0
        at = places, asked[step]
        advantage[step] = expected[at] - values[step] + LAMBDA * gained[at]
        expected[at], gained[at] = values[step], advantage[step]
    found = seen, masks, actions, chances, torch.from_numpy(advantage), torch.from_numpy(advantage + values)
    return tuple(one.flatten(0, 1) for one in found)


def improve(player: Player, optimiser: torch.optim.Optimizer, played: Sequence[Tensor]) -> None:
    """Make what went better than expected likelier, in small steps."""
    for _ in range(ROUNDS):
        for part in torch.randperm(len(played[0])).split(PART):
            seen, mask, action, chance, advantage, gain = (one[part] for one in played)
            logs, value = player(seen, mask)
            ratio = (logs.gather(1, action[:, None]).squeeze(1) - chance).exp()
            advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
            better = torch.min(ratio * advantage, ratio.clamp(1 - CLIP, 1 + CLIP) * advantage).mean()
            entropy = -(logs.exp() * logs.clamp(min=-100)).sum(1).mean()
            loss = 0.5 * (value - gain).square().mean() - better - ENTROPY * entropy
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(player.parameters(), 0.5)
            optimiser.step()


@torch.no_grad()
def wins(player: Player, board: str, seats: int, opponent: str, games: int, seed: int) -> float:
    """The share of games that it wins with its likeliest actions against a bot in all other seats.

    Its seat is drawn by lot; a game that is won together counts in part.
    """
    table = SeatBatch(board, games, seats, opponents=opponent, seat=None, seed=seed)
    result, over = np.zeros(games), np.zeros(games, bool)
    while not over.all():
        logs, _ = player(torch.from_numpy(table.observation), torch.from_numpy(table.mask))
        table.step(logs.argmax(1).numpy())
        ended = table.done & ~over
        result[ended] = (table.reward[ended] * (seats - 1) + 1) / seats  # back from -1 / (seats - 1) … 1
        over |= table.done
    return float(result.mean())


def train(
    board: str, seats: int, seed: int, decisions: int, minutes: float, opponents: Sequence[str], trial_games: int = 400,
    games: int = 256, trials: int = 8, threads: int = 1,
) -> Iterator[tuple[float, int, list[float]]]:  # fmt: skip
    """Learn; now and then: minutes of a processor spent on it, decisions so far, share of wins against each opponent.

    It ends after so many decisions, or minutes if those are over earlier (0: they do not matter). The same seed and
    decisions lead to the same network.
    """
    torch.manual_seed(seed)
    torch.set_num_threads(threads)
    batch = Batch(board, games, seats, seed=seed, threads=threads, copy=False)
    player = Player(batch.layout.size)
    optimiser = torch.optim.Adam(player.parameters(), lr=RATE)
    spent, so_far, trial = 0.0, 0, 0
    while True:
        share = max(so_far / decisions, spent / minutes if minutes else 0.0)
        if share >= trial / trials:
            trial = int(share * trials) + 1
            yield spent, so_far, [wins(player, board, seats, one, trial_games, seed + 1) for one in opponents]
        if share >= 1:
            return
        began = time.process_time()
        for group in optimiser.param_groups:
            group["lr"] = RATE * (1 - 0.9 * share)
        improve(player, optimiser, play(player, batch))
        spent += (time.process_time() - began) / 60
        so_far += STEPS * games


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--board", default="berlin", help="an edition, or the folder of a board")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--decisions", type=int, default=1_000_000)
    parser.add_argument(
        "--minutes", type=float, default=0, help="end after so many, at the latest; 0: they do not matter"
    )
    parser.add_argument("--against", default="random,greedy,planner", help="bots by whom it is tried")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", type=Path, help="a file of comma-separated values")
    chosen = parser.parse_args(arguments)
    opponents = chosen.against.split(",")
    rows = [["minutes", "decisions", *opponents]]
    print("\t".join(rows[0]))
    for spent, decisions, shares in train(
        chosen.board, chosen.seats, chosen.seed, chosen.decisions, chosen.minutes, opponents, threads=chosen.threads
    ):
        rows.append([f"{spent:.2f}", str(decisions), *(f"{share:.3f}" for share in shares)])
        print("\t".join(rows[-1]), flush=True)
        if chosen.out:
            with chosen.out.open("w", encoding="utf-8", newline="") as file:
                csv.writer(file).writerows(rows)


if __name__ == "__main__":
    sys.exit(main())
