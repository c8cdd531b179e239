"""The steps of a room's game, and the game as it is after them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from branchline.boards import Board, BranchlineError
from branchline.game import Event, Game, SetupError
from branchline.game.record import played_on
from branchline.plain_data import JsonObject
from branchline.rules.catalogue import event_words
from branchline.web.core.store.rows import LogRow, RoomRow, Snapshot

HARMLESS = event_words(harmless=True)
"""Events after which a step may be taken back: nobody has been shown a card or ticket that lay hidden."""


@dataclass(frozen=True)
class Step:
    """One action that counts, and what came of it."""

    row: LogRow
    events: tuple[Event, ...]

    @property
    def revealing(self) -> bool:
        """Whether it showed anybody what had been hidden, so that it stands."""
        return any(event.kind not in HARMLESS for event in self.events)

    @property
    def lines(self) -> list[str]:
        """As a record has them."""
        return [f"{self.row.seat} {line}" for line in self.row.text.split("\n")]


class Unreadable(BranchlineError):  # noqa: N818  it reads as a sentence
    """A stored room that this version can neither resume nor replay."""


def resumed(row: RoomRow, board: Board, steps: Sequence[Step], states: Sequence[Snapshot]) -> Game:
    """Return the game where it stands: from the last stored state, or else by replaying everything."""
    stacked: JsonObject = json.loads(row.stacked)
    lines = [line for step in steps for line in step.lines]
    try:
        last = states[-1]
        behind = [line for step in steps if step.row.n > last.n for line in step.lines]
        game = Game.resume(
            board,
            last.state,
            seed=row.seed,
            actions=lines[: len(lines) - len(behind)],
            first_seat=row.first_seat,
            decks=stacked,
        )
    except (IndexError, SetupError):  # states of another version of the software have another size
        behind = lines
        try:
            game = Game(board, row.seats, row.seed, first_seat=row.first_seat, decks=stacked or None)
        except BranchlineError as error:
            raise Unreadable(f"room {row.id} cannot be set up: {error}") from None
    try:
        for _ in played_on(game, behind):
            pass
    except BranchlineError as error:
        raise Unreadable(f"room {row.id} was played by other rules: {error}") from None
    return game
