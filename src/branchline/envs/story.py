"""What each seat has lived through in a game: in words, and as a tape of numbers. Nothing that it did not see.

A seat that remembers its story and sees the position has forgotten nothing (perfect recall).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

import numpy as np
import numpy.typing as npt

from branchline.boards import Board
from branchline.game import Game
from branchline.rules import log
from branchline.rules.state import NOBODY

FIELDS = ("what", "seat", "first", "second")
"""What stands in a row of a tape: 1 + what happened, see `rules.log` (0: the row is empty); 1 + whose doing it was,
counted from the seat that remembers (0: the table's); two numbers, negative where they are hidden. A decision of one's
own has a row, too: DECIDED, and the number of the action."""

DECIDED = log.ENDED + 1
UNSEEN = -1  # a card, trains; a ticket: - 1 - its deck where that is seen

Fact = tuple[int, int, int, int]


class Stories:
    """The stories of all seats, and behind them that of a spectator."""

    def __init__(self, seats: int) -> None:
        """Begin before anything has happened."""
        self.words = [""] * (seats + 1)
        self.tapes = [b""] * (seats + 1)

    def copy(self) -> Stories:
        """Return a copy, to go on from."""
        twin = Stories(0)
        twin.words, twin.tapes = list(self.words), list(self.tapes)
        return twin

    def of_one(self, seat: int) -> Stories:
        """Return what this seat knows of the stories: its own; of each other one what everybody saw."""
        twin = Stories(0)
        twin.words, twin.tapes = ([kept[-1]] * len(kept) for kept in (self.words, self.tapes))  # type: ignore[assignment]
        twin.words[seat], twin.tapes[seat] = self.words[seat], self.tapes[seat]
        return twin

    def play(self, game: Game, action: int) -> None:
        """Play an action, and tell everybody what is to be seen of it. Raise `IllegalAction`."""
        actor = game.question.seat
        chosen = game.legal.get(action)
        game.play(action)
        for place in range(game.seats + 1):
            seat = place if place < game.seats else None
            words = [f"seat {event.seat}: {event.for_seat(seat).text}" for event in game.events]
            facts = list(seen_by(seat, game.board, game.facts))
            if seat is not None and seat == actor:
                words.insert(0, f"I: {chosen}")
                facts.insert(0, (DECIDED, seat, action, 0))
            self.words[place] += "".join(f"{line}\n" for line in words)
            self.tapes[place] += _rows(facts, seat or 0, game.seats).tobytes()

    def tape(self, place: int) -> npt.NDArray[np.int16]:
        """Return all rows so far, `(rows, 4)`, see `FIELDS`."""
        return np.frombuffer(self.tapes[place], np.int16).reshape(-1, len(FIELDS))


def seen_by(seat: int | None, board: Board, facts: Iterable[Sequence[int]]) -> Iterator[Fact]:
    """Yield facts of `rules.log` as a seat (None: a spectator) may know them; compare `game.events`."""
    for (fact, whose), run in groupby(facts, key=itemgetter(0, 1)):
        numbers = [(row[2], row[3]) for row in run]
        if whose != seat and fact in _SECRETS:
            numbers = _SECRETS[fact](board, numbers)
        for first, second in numbers:
            yield fact, whose, first, second


Numbers = list[tuple[int, int]]


def _chosen(board: Board, numbers: Numbers) -> Numbers:
    """Return how many tickets went where; from which decks they are where that is seen (TIC-1)."""
    seen = board.ticket_rules.backs_differ or all(went != log.PUT_OUT for _, went in numbers)
    return sorted((UNSEEN - (board.tickets[ticket].deck if seen else 0), went) for ticket, went in numbers)


_SECRETS: dict[int, Callable[[Board, Numbers], Numbers]] = {
    log.DREW: lambda _board, numbers: [(deck, UNSEEN) for deck, _ in numbers],
    log.OFFERED: lambda _board, numbers: sorted((UNSEEN - deck, deck) for _, deck in numbers),
    log.CHOSE: _chosen,
    log.CHOSE_FLEET: lambda _board, numbers: [(UNSEEN, 0) for _ in numbers],
}


def _rows(facts: list[Fact], me: int, seats: int) -> npt.NDArray[np.int16]:
    rows = np.array(facts, dtype=np.int16).reshape(-1, len(FIELDS))
    rows[:, 0] += 1
    rows[:, 1] = np.where(rows[:, 1] == NOBODY, 0, (rows[:, 1] - me) % seats + 1)
    return rows
