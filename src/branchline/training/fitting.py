"""Fitting the network to what was tried out, with PyTorch."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from branchline.bots.networks import policy
from branchline.bots.planner import plan
from branchline.training.playing import TriedDecisions

PART = 128  # decisions in one step
RATE = 3e-3  # of Adam, at first
DECAY = 0.1
ROUTE_DECAY = 1.0  # of what it learns about single routes, so that few examples count little
CLOSE = 0.05  # in value: a candidate rated so far behind the best one counts half as much, as it will not be chosen

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
"""Where it computes."""


class RatingNetwork(nn.Module):
    """The network of `bots.networks.policy`, to be learned."""

    def __init__(self, net: npt.NDArray[np.float32]) -> None:
        """Make the network of SIZE numbers."""
        super().__init__()
        parts, at = [], 0
        for rows, columns in policy.PARTS:
            part = torch.from_numpy(net[at : at + rows * columns].reshape(rows, columns).copy())
            parts.append(nn.Parameter(part))
            at += rows * columns
        self.parts = nn.ParameterList(parts)

    def forward(self, position: Tensor, candidate: Tensor, route: Tensor, decision: Tensor) -> Tensor:
        """Return the rating of each candidate. `decision`: the row of `position` that each belongs to."""
        of_position, of_candidate, of_route, bias, second, second_bias, last, _ = self.parts
        claims = (route != plan.NO_ROUTE)[:, None]
        hidden = (position @ of_position)[decision] + candidate @ of_candidate + bias
        hidden = hidden + of_route[route.clamp(min=0)] * claims
        rating: Tensor = (((hidden.relu() @ second) + second_bias).relu() @ last)[:, 0]
        return rating

    def numbers(self) -> npt.NDArray[np.float32]:
        """Return all parameters one after another, as `bots.networks.policy` takes them."""
        flat = torch.cat([part.detach().reshape(-1) for part in self.parts])
        parameters: npt.NDArray[np.float32] = flat.cpu().numpy().astype(np.float32)
        return parameters


def new_network(seed: int) -> npt.NDArray[np.float32]:
    """Return a network that rates all candidates alike, so that it plays as the planner does."""
    luck = np.random.default_rng(seed)
    parts = []
    for n, (rows, columns) in enumerate(policy.PARTS):
        spread = {0: 0.15, 1: 0.3, 4: (2 / rows) ** 0.5}.get(n, 0.0)
        parts.append(luck.normal(0, 1, (rows, columns)) * spread)
    return np.concatenate([part.reshape(-1) for part in parts]).astype(np.float32)


def fit(
    net: npt.NDArray[np.float32], tried: TriedDecisions, epochs: int, seed: int
) -> tuple[npt.NDArray[np.float32], float]:
    """Return a better network, and what share of the squares of a held-out tenth it explains (luck is most of them)."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)  # the layers are small: more threads would wait for each other
    model = RatingNetwork(net).to(device)
    routes = [model.parts[2]]
    others = [part for n, part in enumerate(model.parts) if n != 2]
    groups = [{"params": others, "weight_decay": DECAY}, {"params": routes, "weight_decay": ROUTE_DECAY}]
    optimiser = torch.optim.AdamW(groups, lr=RATE)
    decisions = len(tried.listed)
    kept = decisions // 10
    first = np.concatenate([[0], np.cumsum(tried.listed)])
    steps = max(1, epochs * ((decisions - kept) // PART))
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    done = 0
    while done < steps:
        for chosen in torch.split(torch.randperm(decisions - kept) + kept, PART):
            if done == steps or (len(chosen) < PART and done):
                break
            rated, truth, decision = _ahead(model, tried, first, chosen.numpy())
            loss = (_weights(rated.detach(), decision, len(chosen)) * (rated - truth).square()).mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            done += 1
    return model.numbers(), _explained(model, tried, first, kept)


def _weights(ratings: Tensor, decision: Tensor, decisions: int) -> Tensor:
    """Return how much each candidate counts: the less, the further it is rated behind the best one of its decision."""
    best = torch.full((decisions,), -torch.inf, device=device).scatter_reduce(0, decision, ratings, "amax")
    return 1 / (1 + ((best[decision] - ratings) / CLOSE).square())


def _ahead(
    model: RatingNetwork, tried: TriedDecisions, first: npt.NDArray[np.generic], chosen: npt.NDArray[np.generic]
) -> tuple[Tensor, Tensor, Tensor]:
    """Return by how much the candidates of some decisions are ahead of the first: as rated, and as tried out.

    Also the number of the decision that each belongs to, among those chosen.
    """
    count = tried.listed[chosen]
    begins = np.concatenate([[0], np.cumsum(count)])
    decision = torch.from_numpy(np.repeat(np.arange(len(chosen)), count)).to(device)
    rows = np.repeat(first[chosen] - begins[:-1], count) + np.arange(begins[-1])
    rating = model(
        torch.from_numpy(tried.position[chosen].astype(np.float32)).to(device),
        torch.from_numpy(tried.candidate[rows].astype(np.float32)).to(device),
        torch.from_numpy(tried.route[rows].astype(np.int64)).to(device),
        decision,
    )
    return rating - rating[begins[:-1]][decision], torch.from_numpy(tried.ahead[rows]).to(device), decision


@torch.no_grad()
def _explained(model: RatingNetwork, tried: TriedDecisions, first: npt.NDArray[np.generic], kept: int) -> float:
    if not kept:
        return 0.0
    left, whole = 0.0, 0.0
    for part in np.array_split(np.arange(kept), -(-kept // 4096)):
        rated, truth, _ = _ahead(model, tried, first, part)
        left += float((rated - truth).square().sum())
        whole += float(truth.square().sum())
    return 1 - left / max(1e-9, whole)
