"""The folder of a tournament: its plan, and every game as soon as it is played, so that nothing is played twice.

    plan.json       what is played
    games.bin       the games so far, one record of `play.GAME` after the other, in the order in which they came in
    games.parquet   the same as a table, by pairing and number (`games.csv` where pyarrow is missing)
    results.json    what came out
    report.html     the same to look at
    history.jsonl   a line for each time somebody played here: the date, the games so far, and the ratings

Games are appended and never changed. Whatever ends a tournament, at most the record being written is lost, and by a
power cut the games of the last second; a torn record is cut off when the tournament goes on. One process at a time
plays in a folder.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import TypeVar

import numpy as np

from branchline.arena.play import GAME
from branchline.arena.table import Games
from branchline.boards import BranchlineError
from branchline.boards.faults import quoted, shown
from branchline.file_lock import locked
from branchline.whole_file import write_whole

PLAN, GAMES = "plan.json", "games.bin"
FORMAT = 1
SYNCED_EVERY = 1.0  # seconds, at least, between two waits for the disk
HISTORY = "history.jsonl"
Kind = TypeVar("Kind")
MOST = 40  # bits for the number of a game
LAYOUT = hashlib.sha256(repr(GAME.descr).encode()).hexdigest()[:12]


class FolderError(BranchlineError):
    """A folder in which this tournament cannot be kept."""


def grown(before: object, now: object, bots: Sequence[object]) -> bool:
    """Return whether a part of a plan is as before, or has grown, by what belongs to none of the bots so far."""
    if isinstance(before, list) and isinstance(now, list):
        return now[: len(before)] == before
    if isinstance(now, dict) and isinstance(before, dict | None):
        before = before or {}
        return before == {name: value for name, value in now.items() if name in before or name in bots}
    return before == now


def plan_bots(plan: Mapping[str, object]) -> list[object]:
    """Return the bots in a plan."""
    bots = plan.get("bots")
    return bots if isinstance(bots, list) else []


class Folder:
    """A folder for the games of one tournament."""

    def __init__(self, path: str | Path) -> None:
        """Look at the folder; it need not exist yet. Raises `FolderError` for one that holds something else."""
        try:
            self.path = Path(path)
        except TypeError:
            raise FolderError(f"path: expected the path of a folder, not {shown(path)}") from None
        try:
            if self.path.exists() and not self.path.is_dir():
                raise FolderError(f"{quoted(str(path))} is a file, not a folder")
            self.plan = self._read_plan()
        except (OSError, ValueError) as fault:
            raise self._error("cannot be read", fault) from None

    @property
    def bots(self) -> list[str]:
        """The bots of the tournament so far, in the order in which they came."""
        return self._part("bots", str)

    @property
    def pairings(self) -> list[tuple[int, ...]]:
        """The pairings so far, by their numbers: the numbers of their bots."""
        bots, seats = len(self.bots), (self.plan or {}).get("seats")
        if self.plan is None or not isinstance(seats, int) or not 1 <= seats <= 100:
            return []
        if "pairings" not in self.plan:  # as folders were before bots could come later
            if bots < seats:
                return [tuple(n % bots for n in range(seats))] if bots else []
            return list(combinations(range(bots), seats))
        found_pairings = [tuple(pairing) for pairing in self._part("pairings", list)]
        if any(
            len(pairing) != seats or not all(isinstance(n, int) and 0 <= n < bots for n in pairing)
            for pairing in found_pairings
        ):
            raise FolderError(f"{quoted(str(self.path))} cannot be read: {PLAN} is no plan")
        return found_pairings

    def _part(self, name: str, kind: type[Kind]) -> list[Kind]:
        parts = (self.plan or {}).get(name, [])
        if not isinstance(parts, list) or not all(isinstance(part, kind) for part in parts):
            raise FolderError(f"{quoted(str(self.path))} cannot be read: {PLAN} is no plan")
        return parts

    def open(self, plan: Mapping[str, object], pairings: Sequence[Sequence[int]] = ()) -> Games:
        """Begin the tournament here, or go on with it: the games already played, in any order, none twice.

        It may have more bots than before, with further pairings behind those before.
        """
        if not isinstance(plan, Mapping):
            raise FolderError(f"plan: expected a table, not {shown(plan)}")
        wanted = {"format": FORMAT, "layout": LAYOUT, **plan}
        if pairings:
            wanted["pairings"] = [list(pairing) for pairing in pairings]
        if self.plan is not None:
            self._check(self.plan, wanted)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as fault:
            raise self._error("cannot be made", fault) from None
        try:
            self._file = (self.path / GAMES).open("ab", buffering=0)
        except OSError as fault:
            raise self._error("cannot be used", fault) from None
        try:
            return self._opened(wanted, pairings)
        except BaseException:
            self._file.close()
            raise

    def _opened(self, wanted: dict[str, object], pairings: Sequence[Sequence[int]]) -> Games:
        """Return the games already played, once no other process can begin a tournament here."""
        if not locked(self._file):
            raise FolderError(f"{quoted(str(self.path))} is in use: another process plays this tournament")
        try:
            self.plan = self._read_plan()  # another one may have begun here since the folder was looked at
            if self.plan is None:
                self.write(PLAN, json.dumps(wanted, indent=2) + "\n")
                self.plan = wanted
            self._check(self.plan, wanted)
            if len(self.bots) < len(plan_bots(wanted)) or len(self.pairings) < len(pairings):
                self.write(PLAN, json.dumps(wanted, indent=2) + "\n")
                self.plan = wanted
            games, size = self._read_games()
            self._file.truncate(size)
        except (OSError, ValueError) as fault:
            raise self._error("cannot be used", fault) from None
        self._synced = time.monotonic()
        return games

    def _check(self, plan: Mapping[str, object], wanted: Mapping[str, object]) -> None:
        """Check the plan. Raise `FolderError` if another tournament is planned there."""
        for name, value in wanted.items():
            if name != "pairings" and not grown(plan.get(name), value, plan_bots(plan)):
                other = f"{name} is {shown(plan.get(name))} there, not {shown(value)}"
                raise FolderError(f"{quoted(str(self.path))} holds another tournament: {other}")

    def add(self, games: Games) -> None:
        """Keep games that were just played."""
        left = memoryview(games.tobytes())
        try:
            while left:
                left = left[self._file.write(left) :]
            if time.monotonic() >= self._synced + SYNCED_EVERY:
                os.fsync(self._file.fileno())
                self._synced = time.monotonic()
        except OSError as fault:
            raise self._error("cannot be written", fault) from None

    def close(self) -> None:
        """Close the folder: no more games are added."""
        with self._file, contextlib.suppress(OSError):  # some kinds of disk cannot be told to hurry
            os.fsync(self._file.fileno())

    def games(self) -> Games:
        """Return every whole game that is kept, once."""
        try:
            return self._read_games()[0]
        except OSError as fault:
            raise self._error("cannot be read", fault) from None

    def note(self, line: Mapping[str, object]) -> None:
        """Add a line to the history."""
        try:
            with (self.path / HISTORY).open("a", encoding="utf-8") as file:
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
        except OSError as fault:
            raise self._error("cannot be written", fault) from None

    def write(self, name: str, text: str) -> None:
        """Put a file into the folder, whole or not at all."""
        try:
            write_whole(self.path / name, text)
        except OSError as fault:
            raise self._error("cannot be written", fault) from None

    def _read_plan(self) -> dict[str, object] | None:
        file = self.path / PLAN
        if file.exists():
            plan = json.loads(file.read_text(encoding="utf-8"))
            if isinstance(plan, dict):
                return plan
            raise ValueError(f"{PLAN} is no plan")
        if self.path.is_dir() and any(file.name != GAMES or file.stat().st_size for file in self.path.iterdir()):
            raise FolderError(f"{quoted(str(self.path))} is not empty and holds no tournament")
        return None

    def _read_games(self) -> tuple[Games, int]:
        """Return the games, and how many bytes of the file are complete ones."""
        file = self.path / GAMES
        kept = file.read_bytes() if file.exists() else b""
        whole = len(kept) - len(kept) % GAME.itemsize
        games: Games = np.frombuffer(kept[:whole], dtype=GAME)
        _, first = np.unique((games["pairing"] << MOST) + games["number"], return_index=True)
        return games[np.sort(first)], whole

    def _error(self, problem: str, fault: Exception) -> FolderError:
        why = getattr(fault, "strerror", None) or str(fault)
        return FolderError(f"{quoted(str(self.path))} {problem}: {why}")
