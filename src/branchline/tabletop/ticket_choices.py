"""Which tickets were kept, in a game that is reconstructed: how many of each draw, and in the end which they were.

To the rules one ticket of a deck is like another until the game is counted. So a game is played with any tickets, and
when it is over those that were kept stand for the ones that were noted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random

from branchline.boards import Ticket
from branchline.boards.wording import worded
from branchline.game.errors import NotationError
from branchline.game.game import Game
from branchline.game.question import Question
from branchline.rules.state import KEEP
from branchline.tabletop.notation import TICKETS, Choice, Notation

Split = tuple[int, int]  # tickets from the first deck and the second


class TicketChoices:
    """What every seat still draws and keeps."""

    def __init__(self, notation: Notation, luck: Random) -> None:
        """Begin a game before its first choice."""
        self.notation, self.board, self.luck = notation, notation.board, luck
        self.kept: list[list[tuple[Ticket, Ticket | None]]] = [[] for _ in notation.names]  # and what it stands for
        self.to_come = [
            [start.choice, *(turn.choice for turn in notation.turns if turn.seat == seat and turn.what == TICKETS)]
            for seat, start in enumerate(notation.starts)
        ]
        self.first = [True] * len(notation.names)
        self.imagined: set[str] = set()

    def _missing(self, seat: int) -> Split | None:
        """Return what is still to be kept from each deck, or None if it was not noted."""
        held = self.notation.held[seat]
        if held is None:
            return None
        kept = Counter(drawn.deck for drawn, _ in self.kept[seat])
        wanted = Counter(ticket.deck for ticket in held)
        return wanted[0] - kept[0], wanted[1] - kept[1]

    def _offers(self, choice: Choice, first: bool) -> list[Split]:
        """Return what a draw may offer, as long as the decks last."""
        rules = self.board.ticket_rules.first if first else self.board.ticket_rules.later
        if not rules.mix:
            return [(rules.deal[0], sum(rules.deal[1:]))]
        return [(n, rules.mix - n) for n in range(rules.mix + 1) if choice.mix in (None, n)]

    def _least(self, first: bool) -> int:
        rules = self.board.ticket_rules.first if first else self.board.ticket_rules.later
        return rules.keep

    def _possible(self, seat: int, missing: Split) -> bool:
        """Return whether the draws that come after this one can bring exactly these tickets."""
        later = self.to_come[seat][1:]

        @cache
        def reached(n: int, left: Split) -> bool:
            if min(left) < 0:
                return False
            if n == len(later):
                return left == (0, 0)
            return any(
                reached(n + 1, (left[0] - kept[0], left[1] - kept[1]))
                for offer in self._offers(later[n], False)
                for kept in _splits(offer, self._least(False), later[n])
            )

        return reached(0, missing)

    def mix(self, seat: int, mixes: Sequence[int]) -> int:
        """Return a mix from which what was noted can be kept."""
        self.imagined.add("mixes")
        rules = self.board.ticket_rules.first if self.first[seat] else self.board.ticket_rules.later
        missing = self._missing(seat)
        choice = self.to_come[seat][0]
        fitting = list(mixes)
        if missing is not None:
            fitting = [
                n
                for n in mixes
                if any(
                    self._possible(seat, (missing[0] - kept[0], missing[1] - kept[1]))
                    for kept in _splits((n, rules.mix - n), rules.keep, choice)
                )
            ]
        return min(fitting or mixes, key=lambda n: abs(n - rules.mix / 2))

    def answer(self, question: Question, choice: Choice, line: int) -> int:
        """Return the action that keeps what was noted in this line; raise `NotationError` if none does."""
        seat = question.seat
        assert seat is not None
        kept = self.keep(seat, question.tickets, question.keep_at_least, choice)
        if kept is None:
            reason = self.wrong(seat, len(question.tickets), question.keep_at_least, choice)
            who = self.notation.names[seat]
            raise NotationError(self.notation.held_lines[seat] or line, worded("{who}: {what}", who=who, what=reason))
        return KEEP + kept

    def keep(self, seat: int, offered: Sequence[Ticket], least: int, choice: Choice) -> int | None:
        """Return which places of an offer are kept, as bits, or None if no choice agrees with what was noted."""
        offer = Counter(ticket.deck for ticket in offered)
        missing = self._missing(seat)
        named = Counter(ticket.deck for ticket in choice.tickets)
        fitting = [
            kept
            for kept in _splits((offer[0], offer[1]), least, choice)
            if all(named[deck] <= kept[deck] for deck in range(2))
            and (missing is None or self._possible(seat, (missing[0] - kept[0], missing[1] - kept[1])))
        ]
        if not fitting:
            return None
        if choice.kept is None or missing is None:
            self.imagined.add("tickets")
        kept = (
            min(fitting, key=lambda split: (sum(split), self.luck.random()))
            if missing is None
            else self._likely(fitting)
        )
        return self._take(seat, offered, kept, choice)

    def _likely(self, fitting: Sequence[Split]) -> Split:
        """Return a likely number to keep: of the first draws people keep more than of later ones."""
        return max(fitting, key=lambda split: (sum(split), self.luck.random()))

    def _take(self, seat: int, offered: Sequence[Ticket], kept: Split, choice: Choice) -> int:
        bits, left = 0, list(kept)
        named = list(choice.tickets)
        for n, ticket in enumerate(offered):
            if left[ticket.deck]:
                left[ticket.deck] -= 1
                bits |= 1 << n
                stands_for = next((other for other in named if other.deck == ticket.deck), None)
                if stands_for is not None:
                    named.remove(stands_for)
                self.kept[seat].append((ticket, stands_for))
        self.to_come[seat].pop(0)
        self.first[seat] = False
        return bits

    def wrong(self, seat: int, offered: int, least: int, choice: Choice) -> str:
        """Return why `keep` found nothing."""
        if choice.kept is not None and not least <= choice.kept <= offered:
            return worded(
                "{kept} of {offered} tickets kept, but at least {least} must be kept",
                kept=choice.kept,
                offered=offered,
                least=least,
            )
        held = self.notation.held[seat]
        if held is None:
            return worded("these tickets cannot have been among those offered")
        return worded(
            "the tickets at the end ({count}) do not agree with those kept before this draw ({kept}) and the draws "
            "from here on ({draws})",
            count=len(held),
            kept=len(self.kept[seat]),
            draws=len(self.to_come[seat]),
        )

    def identities(self, game: Game) -> dict[str, str]:
        """Return for each ticket that was played with the one it stands for."""
        stands: dict[str, str] = {}
        for seat, kept in enumerate(self.kept):
            held = self.notation.held[seat]
            named = [ticket for _, ticket in kept if ticket is not None]
            rest = [ticket for ticket in held or () if ticket not in named]
            if held is not None and any(ticket not in held for ticket in named):
                stray = next(ticket for ticket in named if ticket not in held)
                raise NotationError(
                    self.notation.held_lines[seat],
                    worded("{stray} was kept but is not among the tickets at the end", stray=stray.name),
                )
            for drawn, stands_for in kept:
                if stands_for is None:
                    stands_for = next((ticket for ticket in rest if ticket.deck == drawn.deck), None)
                    if stands_for is not None:
                        rest.remove(stands_for)
                if stands_for is not None:
                    stands[drawn.name] = stands_for.name
        used = set(stands.values())
        if len(used) < len(stands):
            raise NotationError(0, worded("two players kept the same ticket; there is only one of each"))
        for deck in range(len(self.board.ticket_rules.decks)):
            free = [ticket.name for ticket in self.board.tickets if ticket.deck == deck and ticket.name not in used]
            self.luck.shuffle(free)
            for ticket in self.board.tickets:
                if ticket.deck == deck and ticket.name not in stands:
                    stands[ticket.name] = free.pop()
        return stands


def _splits(offer: Split, least: int, choice: Choice) -> Iterator[Split]:
    """Yield how many of each deck may be kept of an offer."""
    for first in range(offer[0] + 1):
        for second in range(offer[1] + 1):
            if first + second >= min(least, sum(offer)) and choice.kept in (None, first + second):
                yield first, second
