"""What can go wrong at the table, said in one clear line. Whatever is raised, the game has not changed."""

from __future__ import annotations

from collections.abc import Sequence

from branchline.boards.faults import BranchlineError

_SHOWN = 12


class IllegalAction(BranchlineError):  # noqa: N818  it reads as a sentence: raise IllegalAction
    """An action that is not legal now. `why` is the reason, `legal` lists the legal actions."""

    def __init__(self, why: str, legal: Sequence[str] = ()) -> None:
        """Make the error of a reason and the texts of the legal actions."""
        self.why = why
        self.legal = tuple(legal)
        super().__init__(why, self.legal)

    def __str__(self) -> str:
        """Return the reason, and the first few legal actions."""
        if not self.legal:
            return self.why
        rest = f", … ({len(self.legal)} in all)" if len(self.legal) > _SHOWN else ""
        return f"{self.why}; legal now: {', '.join(self.legal[:_SHOWN])}{rest}"


class SetupError(BranchlineError):
    """A wrong argument for setting up a game, such as the number of seats, the seed or stacked decks."""


class RecordError(BranchlineError):
    """A record that cannot be read or replayed."""


class PositionError(BranchlineError):
    """A position that cannot be scored."""


class NotationError(BranchlineError):
    """A line of a game recorded at the table that cannot be read or is impossible."""

    def __init__(self, line: int, why: str) -> None:
        """Make the error of a line, counted from 1 (0: the whole text), and a reason."""
        self.line = line
        self.why = why
        super().__init__(f"line {line}: {why}" if line else why)
