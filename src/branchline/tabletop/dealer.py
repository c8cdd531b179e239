"""A dealer for a board that lies on a real table: it deals cards and tickets, and knows nothing of what is built.

What somebody does is a *deed*, a line of text that names what they saw, so that it can be refused when it is no longer
there:

    take 3 red                  a card of the market, by its place; `take 3 red from ship` says what replaces it
    draw, draw ship             a card blind
    tickets, tickets 2          tickets; where a mix is announced, how many from the first deck
    keep 4 17                   of the tickets on offer, by their numbers
    put 3 red + 1 wild          cards from the hand to the discards
    turn                        as many cards as a tunnel asks
    next                        the marker of the turn moves on
"""

from __future__ import annotations

import re

import numpy as np

from branchline.boards import Board, Ticket
from branchline.boards.arguments import seat_number
from branchline.copying import Copied
from branchline.game.actions import DECKS
from branchline.game.cards import card_name, read_cards
from branchline.game.checked_state import checked_buffer
from branchline.game.errors import IllegalAction, SetupError
from branchline.game.question import turned_cards
from branchline.game.scratch import scratch_buffer
from branchline.game.sheet import running_scores
from branchline.game.view import View, view_of
from branchline.rules import dealer, kernel, knowledge, setup
from branchline.rules.log import DREW, OFFERED, TURNED, TURNED_UP
from branchline.rules.state import NO_CARD, STATE, State
from branchline.runtime.structs import Buffer

Facts = list[list[int]]
"""Rows of `rules.log`: what a deed did, secrets included."""

LONGEST = 400  # letters of a deed
_REVEALING = {DREW, TURNED_UP, OFFERED, TURNED}
_TAKE = re.compile(r"take ([0-9]{1,2}) ([a-z ]{3,20}?)(?: from (train|ship))?")
_DRAW = re.compile(r"draw(?: (train|ship))?")
_TICKETS = re.compile(r"tickets(?: ([0-9]))?")
_KEEP = re.compile(r"keep((?: [0-9]{1,3}){1,10})")


class Gone(IllegalAction):
    """What somebody wanted to take was there a moment ago."""


def reveals(facts: Facts) -> bool:
    """Return whether a deed showed somebody a card or ticket that lay hidden."""
    return any(row[0] in _REVEALING for row in facts)


class Dealer(Copied):
    """The cards and tickets of one table. What is refused leaves them as they are."""

    def __init__(self, board: Board, seats: int, seed: int) -> None:
        """Shuffle and deal: hands, the market, and the first tickets to choose from. Raise `SetupError`."""
        if not board.seats[0] <= seats <= board.seats[1]:
            raise SetupError(f"{board.title} is for {board.seats[0]} to {board.seats[1]} players, not {seats}")
        self._open(board, kernel.new_buffer(STATE))
        setup.prepare(self._table, self._state, seats, seed)
        setup.deal(self._table, self._state, kernel.record_in(scratch_buffer()))
        dealer.begin(self._table, self._state)

    @classmethod
    def resume(cls, board: Board, state: bytes) -> Dealer:
        """Return the dealer that `snapshot` was taken of. Raise `SetupError` for other bytes."""
        resumed = object.__new__(cls)
        resumed._open(board, checked_buffer(board, state, dealing=True))
        return resumed

    def _open(self, board: Board, buffer: Buffer[State]) -> None:
        self.board = board
        self._buffer = buffer
        self._table = kernel.record_in(board.tables)
        self._state = kernel.record_in(buffer)
        self._plain = kernel.plain_record_in(buffer)

    def __getstate__(self) -> tuple[Board, Buffer[State]]:
        return self.board, self._buffer

    def __setstate__(self, state: tuple[Board, Buffer[State]]) -> None:
        self._open(*state)

    # -------------------------------------------------------------------------------------------- looking

    @property
    def snapshot(self) -> bytes:
        """All of it as bytes."""
        return bytes(self._buffer.tobytes())

    @property
    def seats(self) -> int:
        """How many play."""
        return int(self._plain.seats)

    @property
    def turn(self) -> int:
        """The seat at which the marker of the turn stands."""
        return int(self._plain.seat)

    @property
    def turns(self) -> int:
        """How often the marker has moved on."""
        return int(self._plain.turns)

    @property
    def drawn(self) -> int:
        """Cards that the seat at the marker has drawn in this turn; a wild card of the market counts two."""
        return int(self._plain.drawn)

    @property
    def choosing(self) -> bool:
        """Whether somebody has not chosen their first tickets yet."""
        return bool(self._plain.setting_up)

    @property
    def turned(self) -> tuple[str, ...]:
        """The cards of a tunnel that were turned last, until somebody does something else but pay."""
        return turned_cards(self._plain)

    def view(self, seat: int | None) -> View:
        """Return what a seat may know, or with None what everybody knows.

        Raise `SetupError` for a seat that is not there.
        """
        if seat is not None:
            seat = seat_number(seat, self.seats, SetupError)
        seen = kernel.new_buffer(STATE)
        knowledge.redact(self._table, self._state, kernel.record_in(seen), -1 if seat is None else seat)
        plain = kernel.plain_record_in(seen)
        return view_of(self.board, plain, seat, running_scores(self.board, plain))

    def tickets(self, seat: int) -> tuple[Ticket, ...]:
        """Return the tickets that a seat has kept."""
        return self.view(seat).tickets

    def allowed(self, seat: int) -> tuple[str, ...]:
        """Return what a seat may do except pay and keep, which depend on what it chooses. Raise `SetupError`."""
        seat = seat_number(seat, self.seats, SetupError)
        deeds = []
        for slot in range(sum(self.board.cards.market)):
            if self._may(seat, dealer.TAKE_CARD, slot, 0):
                deeds.append(f"take {slot + 1} {card_name(int(self._plain.market[slot]))}")
        for deck in range(1 + self.board.cards.two_decks):
            if self._may(seat, dealer.DRAW_CARD, deck):
                deeds.append(f"draw {DECKS[deck]}" if self.board.cards.two_decks else "draw")
        if self._mix:
            deeds += [f"tickets {n}" for n in range(self._mix + 1) if self._may(seat, dealer.DRAW_TICKETS, n)]
        elif self._may(seat, dealer.DRAW_TICKETS):
            deeds.append("tickets")
        if self._may(seat, dealer.TURN_CARDS):
            deeds.append("turn")
        return tuple(deeds)

    @property
    def refills(self) -> bool:
        """Whether who takes a card of the market says from which deck it is replaced."""
        return self.board.cards.two_decks and all(
            self._plain.deck_size[deck] + self._plain.discard_size[deck] > 0 for deck in range(2)
        )

    @property
    def _mix(self) -> int:
        rules = self.board.ticket_rules
        return (rules.first if self.choosing else rules.later).mix

    def _may(self, seat: int, deed: int, first: int = 0, second: int = 0) -> bool:
        return bool(dealer.may(self._table, self._state, seat, deed, first, second))

    # -------------------------------------------------------------------------------------------- dealing

    def do(self, seat: int, deed: str) -> Facts:
        """Do something; what came of it. Raise `IllegalAction`, and `Gone` for what somebody else has taken."""
        seat = seat_number(seat, self.seats, IllegalAction)
        if len(deed) > LONGEST:
            raise IllegalAction("this is too long for a deed")
        number, first, second = self._read(seat, deed.strip())
        scratch = scratch_buffer()
        if not self._may(seat, number, first, second):
            for kind in range(len(self._plain.laid)):
                self._plain.laid[kind] = 0
            raise IllegalAction(f"not possible now: {deed.strip()[:60]}")
        dealer.act(self._table, self._state, kernel.record_in(scratch), seat, number, first, second)
        rows: Facts = scratch["log"][0][: int(scratch["log_size"][0])].tolist()
        return rows

    def take_back(self, before: bytes) -> None:
        """Go back to how it was, but shuffle again, where it lay, what somebody has seen since."""
        seen = self._plain
        after = [int(seen.deck_size[deck]) for deck in range(2)], [int(count) for count in seen.ticket_count]
        luck = list(seen.luck)
        self._buffer.view("u1")[:] = np.frombuffer(before, "u1")
        for n, word in enumerate(luck):
            seen.luck[n] = word
        cards = sum(1 << n for n in range(2) if after[0][n] != seen.deck_size[n])
        tickets = sum(1 << n for n, size in enumerate(after[1]) if size != seen.ticket_count[n])
        dealer.shuffle_again(self._table, self._state, cards, tickets)

    def _read(self, seat: int, deed: str) -> tuple[int, int, int]:
        """Return the numbers of a deed; the cards to be laid are in the state then."""
        two, mixed = self.board.cards.two_decks, self._mix > 0
        if (match := _TAKE.fullmatch(deed)) and (two or match[3] is None):
            return self._take(int(match[1]) - 1, match[2], match[3])
        if (match := _DRAW.fullmatch(deed)) and two == (match[1] is not None):
            return dealer.DRAW_CARD, DECKS.index(match[1]) if match[1] else 0, 0
        if (match := _TICKETS.fullmatch(deed)) and mixed == (match[1] is not None):
            return dealer.DRAW_TICKETS, int(match[1] or 0), 0
        if match := _KEEP.fullmatch(deed):
            return dealer.KEEP_TICKETS, self._chosen(seat, match[1].split()), 0
        if deed.startswith("put "):
            return self._lay(deed[4:])
        if deed in ("turn", "next"):
            return dealer.TURN_CARDS if deed == "turn" else dealer.NEXT_SEAT, 0, 0
        raise IllegalAction(f"this is no deed: {deed[:60]}")

    def _take(self, slot: int, name: str, deck: str | None) -> tuple[int, int, int]:
        if not 0 <= slot < sum(self.board.cards.market):
            raise IllegalAction(f"there is no place {slot + 1} in the market")
        kind = int(self._plain.market[slot])
        if kind == NO_CARD or card_name(kind) != name:
            raise Gone("somebody else was quicker: this card is no longer there")
        return dealer.TAKE_CARD, slot, DECKS.index(deck) if deck else -1

    def _chosen(self, seat: int, numbers: list[str]) -> int:
        offered = [int(self._plain.offer[seat, n]) for n in range(self._plain.offer_size[seat])]
        wanted = {int(number) for number in numbers}
        if len(wanted) != len(numbers) or not wanted <= set(offered):
            raise IllegalAction("these tickets are not on offer")
        return sum(1 << n for n, ticket in enumerate(offered) if ticket in wanted)

    def _lay(self, text: str) -> tuple[int, int, int]:
        laid = read_cards(text, self.board)
        if max(laid.values(), default=0) > max(self.board.tables[0].copies.tolist()):
            raise IllegalAction("there are not so many cards")
        for kind, count in laid.items():
            self._plain.laid[kind] = count
        return dealer.LAY_CARDS, 0, 0
