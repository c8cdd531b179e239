"""Expert iteration: try decisions out, learn from them, and play on with what has been learned.

Each round plays games by the best network so far and tries decisions out in them (`playing`), fits a network to what
came of the last rounds (`fitting`), and has it play against planners. If it does better than the best so far, the next
rounds are played, and what they try out is played on, by it. A round is kept in a folder once it is complete; the next
call goes on from there.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from branchline.arena import statistics
from branchline.arena.play import game_seed
from branchline.boards import Board, BranchlineError
from branchline.boards.arguments import whole_number
from branchline.bots.networks import policy
from branchline.bots.networks.policy_networks import PolicyNetwork, arrays_in, read_network
from branchline.file_lock import locked
from branchline.plain_data import JsonObject
from branchline.runtime.mode import without_native_code
from branchline.training.playing import Players, TriedDecisions, joined
from branchline.whole_file import UNFINISHED, write_whole

ROUNDS_KEPT = 8  # rounds from which a network learns
GAMES_AT_ONCE = 32  # handed to the threads
EPOCHS = 8
DOUBTS = (0.0, 0.01, 0.02, 0.03, 0.05)

SETTINGS, CURVE, POLICY = "settings.json", "curve.csv", "policy.npz"


class TrainingError(BranchlineError):
    """Something that cannot be trained, or a folder that is of something else."""


@dataclass(frozen=True)
class Size:
    """How much is done in a round."""

    decisions: int  # tried out, at least
    trials: int  # games against planners with each doubt
    judged: int  # games of the best network against planners, by which nothing is chosen


ORDINARY = Size(decisions=40_000, trials=3000, judged=2000)


@dataclass(frozen=True)
class Round:
    """What came of one round."""

    round: int  # from 1 on
    minutes: float  # that it took
    games: int  # in which decisions were tried out
    decisions: int  # tried out
    explained: float  # share of the squares of what was tried out that the network explains, in a held-out tenth
    doubt: float  # that did best
    won: float  # share of the games against planners, those by which the doubt was chosen
    best: int  # whether it was better than all before: 1 or 0
    judged: float  # share that the best network so far wins in games by which nothing was chosen
    low: float  # its 95 % interval
    high: float


@dataclass(frozen=True)
class Settings:
    """What a folder is about; a call with other settings is refused."""

    board: str
    digest: str
    seats: int
    seed: int
    rules: int  # their version on this board
    inputs: int = policy.VERSION
    weights: str = ""  # the digest of the planner's; "" in folders of older versions


class Run:
    """A training, in a folder."""

    def __init__(
        self, board: Board, seats: int, folder: Path | None = None, seed: int | None = None, size: Size = ORDINARY
    ) -> None:
        """Begin, or go on where it was stopped; `folder`: None names it after the board. Raise `TrainingError`."""
        if why := without_native_code("training"):
            raise TrainingError(why)
        self.board, self.seats = board, whole_number("seats", seats, *board.seats, TrainingError)
        self.folder = Path(f"{board.id}-{seats}") if folder is None else folder
        self.size = size
        self.settings = self._settle(seed)
        self.rounds = list(self._read_curve())

    def _settle(self, seed: int | None) -> Settings:
        """Return the settings in the folder, or new ones where there are none."""
        file = self.folder / SETTINGS
        wanted = Settings(
            self.board.id, self.board.digest, self.seats, 1 if seed is None else seed, self.board.rules_version,
            weights=self.board.weights.at(self.seats).digest,
        )  # fmt: skip
        if not file.exists():
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise TrainingError(f"{self.folder}: cannot be made: {error.strerror or error}") from None
            if any(self.folder.iterdir()):
                raise TrainingError(
                    f"{self.folder}: there is something else in this folder; name an empty or a new one"
                )
            _write(file, json.dumps(asdict(wanted), indent=2) + "\n")
            return wanted
        try:
            settings = Settings(**json.loads(file.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError) as error:
            raise TrainingError(f"{file}: cannot be read: {error}") from None
        whole_number("seed", settings.seed, 0, 2**31 - 1, TrainingError)
        for field in fields(Settings):
            there, here = getattr(settings, field.name), getattr(wanted, field.name)
            unknown = (field.name == "seed" and seed is None) or (field.name == "weights" and not there)
            if there != here and not unknown:
                raise TrainingError(f"{file}: {field.name} is {there!r} there, not {here!r}; name another folder")
        return settings

    def _read_curve(self) -> Iterator[Round]:
        """Yield the rounds that are complete."""
        file = self.folder / CURVE
        if not file.exists():
            return
        try:
            with file.open(encoding="utf-8", newline="") as lines:
                for row in csv.DictReader(lines):
                    kinds = {"int": int, "float": float}
                    yield Round(**{field.name: kinds[str(field.type)](row[field.name]) for field in fields(Round)})
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise TrainingError(f"{file}: cannot be read: {error}") from None

    @property
    def title(self) -> str:
        """What is trained, for people."""
        return f"{self.board.title}, {self.seats} seats"

    def as_dict(self) -> JsonObject:
        """Return the round as data for JSON."""
        return asdict(self.settings) | {
            "folder": str(self.folder),
            "rounds": [asdict(round_) for round_ in self.rounds],
        }

    @property
    def _has_learned(self) -> bool:
        """Whether there is a network that has beaten the planner."""
        return any(round_.best for round_ in self.rounds)

    @property
    def best(self) -> npt.NDArray[np.float32]:
        """The best network so far; at first one that plays as the planner does."""
        if not self._has_learned:
            from branchline.training.fitting import new_network

            return new_network(self.settings.seed)
        return read_network(self.folder / POLICY).numbers

    def rounds_until(
        self, last: int | None, until: float, tell: Callable[[str, float], None], jobs: int = 1
    ) -> Iterator[Round]:
        """Round after round, as long as there is time and the last one has not come; each is kept by then.

        `until`: as told by `time.monotonic`. `tell` hears what is going on, and which share of it is done. `jobs`: so
        many threads play; what comes out does not depend on it. 0: one for each core. Raise `TrainingError`,
        also while another training is at work in the folder.
        """
        jobs = jobs or os.cpu_count() or 1
        with _alone(self.folder), ThreadPoolExecutor(jobs) as threads:
            for left in self.folder.glob(f"*{UNFINISHED}"):  # by a process that was killed
                left.unlink(missing_ok=True)
            self.rounds = list(self._read_curve())
            players = [Players(self.board, self.seats) for _ in range(jobs)]
            while (last is None or len(self.rounds) < last) and time.monotonic() < until:
                round_ = self._next_round(threads, players, tell)
                self.rounds.append(round_)
                yield round_

    def _next_round(
        self, threads: ThreadPoolExecutor, players: list[Players], tell: Callable[[str, float], None]
    ) -> Round:
        from branchline.training.fitting import fit, new_network

        began, number = time.monotonic(), len(self.rounds) + 1
        best = self.best
        seed = game_seed(self.settings.seed, number)
        tried, games = self._tried_out(best, seed, threads, players, tell)
        packed = io.BytesIO()
        np.savez(packed, **tried._asdict())
        _write(self._file(number), packed.getvalue())
        tell("fitting", 0.0)
        net, explained = fit(new_network(seed % 2**31), joined([*self._earlier(number), tried]), EPOCHS, seed % 2**31)
        doubt, won = self._doubted(net, threads, players, tell)
        better = won > max([1 / self.seats, *(round_.won for round_ in self.rounds if round_.best)])
        if better or not self.rounds:
            best = net if better else best
            judged = self._against_planners(best, self.settings.seed + 2, self.size.judged, threads, players, tell)
            figures = [round(number, 4) for number in (judged.mean, judged.low, judged.high)]
        else:
            figures = [self.rounds[-1].judged, self.rounds[-1].low, self.rounds[-1].high]
        round_ = Round(
            number, round((time.monotonic() - began) / 60, 3), games, len(tried.listed), round(explained, 4), doubt,
            round(won, 4), int(better), *figures,
        )  # fmt: skip
        if better:
            weights = self.board.weights.at(self.seats).numbers
            network = PolicyNetwork(net, self.board.id, self.board.digest, self.seats, weights)
            _write(self.folder / POLICY, network.packed())
        self._write_curve([*self.rounds, round_])
        self._file(number - ROUNDS_KEPT).unlink(missing_ok=True)
        return round_

    def _file(self, number: int) -> Path:
        """Return the file in which the tries of a round are kept."""
        return self.folder / f"round-{number:03}.npz"

    def _tried_out(
        self, net: npt.NDArray[np.float32], seed: int, threads: ThreadPoolExecutor, players: list[Players],
        tell: Callable[[str, float], None],
    ) -> tuple[TriedDecisions, int]:  # fmt: skip
        """Return decisions of as many games as needed, and the number of games; the same with any number of threads."""
        parts: list[TriedDecisions] = []
        decisions, plays_on = 0, self._has_learned
        while decisions < self.size.decisions:
            numbers = range(len(parts), len(parts) + GAMES_AT_ONCE)
            parts += _shared_out(threads, players, numbers, lambda table, n: table.try_out(net, seed, n, plays_on))
            decisions += sum(len(part.listed) for part in parts[-GAMES_AT_ONCE:])
            tell("trying out", decisions / self.size.decisions)
        return joined(parts), len(parts)

    def _earlier(self, number: int) -> Iterator[TriedDecisions]:
        """Yield the tries of the rounds before that are kept."""
        for earlier in range(max(1, number - ROUNDS_KEPT + 1), number):
            file = self._file(earlier)
            try:
                yield TriedDecisions(**arrays_in(file, TriedDecisions._fields))
            except (OSError, ValueError) as error:
                raise TrainingError(f"{file}: cannot be read: {error}") from None

    def _doubted(
        self, net: npt.NDArray[np.float32], threads: ThreadPoolExecutor, players: list[Players],
        tell: Callable[[str, float], None],
    ) -> tuple[float, float]:  # fmt: skip
        """Return the doubt with which the network wins most, which is put into it, and the share of games."""
        results: list[tuple[float, float]] = []
        for doubt in DOUBTS:
            net[policy.DOUBT_AT] = doubt
            won = self._against_planners(net, self.settings.seed + 1, self.size.trials, threads, players, tell)
            results.append((won.mean, doubt))
        won_most, doubt = max(results)
        net[policy.DOUBT_AT] = doubt
        return doubt, won_most

    def _against_planners(
        self, net: npt.NDArray[np.float32], seed: int, games: int, threads: ThreadPoolExecutor, players: list[Players],
        tell: Callable[[str, float], None],
    ) -> statistics.Estimate:  # fmt: skip
        """Return the share that the network wins against planners in all other seats."""
        tell("playing planners", 0.0)
        shares = _shared_out(threads, players, range(games), lambda table, n: table.won(net, seed, n))
        return statistics.share(np.array(shares), np.arange(games) // self.seats)

    def _write_curve(self, rounds: list[Round]) -> None:
        names = [field.name for field in fields(Round)]
        rows = [names, *([str(getattr(round_, name)) for name in names] for round_ in rounds)]
        _write(self.folder / CURVE, "".join(",".join(row) + "\n" for row in rows))


def _shared_out(
    threads: ThreadPoolExecutor, players: list[Players], numbers: range, do: Callable[[Players, int], Any]
) -> list[Any]:
    """Return the results of `do(table, number)` for all numbers, in their order, each table being used by one
    thread.
    """
    parts = [numbers[n :: len(players)] for n in range(len(players))]
    done = threads.map(lambda table, part: [do(table, n) for n in part], players, parts)
    results_by_number: dict[int, Any] = {}
    for part, results in zip(parts, done, strict=True):
        results_by_number.update(zip(part, results, strict=True))
    return [results_by_number[n] for n in numbers]


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Let no other process train in the folder while this lasts."""
    file = folder / "lock"
    try:
        opened = file.open("w")
    except OSError as error:
        raise TrainingError(_unwritten(file, error)) from None
    with opened as lock:
        if not locked(lock):
            raise TrainingError(f"{folder}: another training is at work in this folder; name another one")
        yield


def _write(file: Path, content: str | bytes) -> None:
    """Write a file, whole or not at all."""
    try:
        write_whole(file, content)
    except OSError as error:
        raise TrainingError(_unwritten(file, error)) from None


def _unwritten(file: Path, error: OSError) -> str:
    """Return the message about a file that cannot be written."""
    reason = f"{file}: cannot be written: {error.strerror or error}"
    return f"{reason}; mend that and run the same command again: all rounds that were complete are kept"
