"""The friendly face of a game: questions, legal actions, playing, views, scores, records."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from branchline.boards import Board
from branchline.boards.arguments import instance, seat_number, sequence, text, whole_number
from branchline.boards.faults import quoted, shown
from branchline.boards.tables import KINDS, WORD, BoardTables
from branchline.boards.wording import worded
from branchline.copying import Copied
from branchline.game.actions import Action, LegalActions, action_text
from branchline.game.cards import card_name, read_cards
from branchline.game.checked_state import checked_buffer
from branchline.game.errors import IllegalAction, SetupError
from branchline.game.events import Event, events_from
from branchline.game.payments import Payment, kinds_for, payments_for
from branchline.game.question import Question, question_of
from branchline.game.reading import NotLegal, parse_action
from branchline.game.reasons import PRICE, Reason, why_not
from branchline.game.scratch import scratch_buffer
from branchline.game.sheet import Scores, final_scores, running_scores
from branchline.game.stacking import IMAGINED, check_names, stack, stack_again
from branchline.game.view import View, view_of
from branchline.providers import provider
from branchline.rules import kernel, knowledge, scoring, setup, turn
from branchline.rules.state import (
    ACTIONS,
    COLOUR,
    FLEET,
    HIDDEN,
    IN_DECK,
    KEEP_TICKETS,
    OVER,
    PAIR,
    PAY_EXTRA,
    STATE,
    TAKE,
    State,
)
from branchline.runtime.structs import Buffer

if TYPE_CHECKING:
    from branchline.game.record import Record

SEEDS = 1 << 62
_BOUND = ("_table", "_state", "_plain", "_legal", "_asked")  # to the buffer and the board
_BITS = np.arange(WORD)


class Game(Copied):
    """A game on a board.

    Only `play` changes it; a refused action leaves it unchanged. The same board,
    seats, seed, stacked decks and actions give the same game, bit for bit, on every machine.
    """

    _seen_by: tuple[int | None] | None = None  # for whom this is redacted already, see `perspective`

    def __init__(
        self,
        board: Board,
        seats: int = 2,
        seed: int | None = None,
        *,
        first_seat: int | None = None,
        decks: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        """Set up a game at its first question.

        `seed` is 0 … 2**62 - 1; None draws one. `first_seat` None draws the first seat at random (END-0). `decks`
        stacks cards on top of the decks, see `game.stacking`. Hands are dealt whole, seat 0 first, then the market,
        then the tickets. Raise `SetupError` if an argument is wrong.
        """
        _check_setup(board, seats, seed, first_seat)
        self.board = board
        self.seed = secrets.randbelow(SEEDS) if seed is None else int(seed)
        self.stacked: dict[str, tuple[str, ...]] = {}
        self.asked_first_seat = first_seat
        self._buffer = kernel.new_buffer(STATE)
        self._open()
        setup.prepare(self._table, self._state, seats, self.seed)
        if first_seat is not None:
            self._state.first_seat = first_seat
        if decks is not None:
            stack(board, self._state, decks)
            self.stacked = {name: tuple(names) for name, names in decks.items()}
        setup.deal(self._table, self._state, kernel.record_in(scratch_buffer()))
        self.actions: list[str] = []
        self.events: tuple[Event, ...] = ()
        self.facts: list[list[int]] = []  # what the events were made from: rows of `rules.log`, secrets included

    def _open(self) -> None:
        """Bind the state and the board in the form that rules work on."""
        self._table = kernel.record_in(self.board.tables)
        self._state = kernel.record_in(self._buffer)
        # the same record, quicker to read from Python
        self._plain = kernel.plain_record_in(self._buffer) if kernel.NATIVE else self._state
        self._legal: LegalActions | None = None
        self._asked: Question | None = None

    # -------------------------------------------------------------------------------------------- looking

    @property
    def seats(self) -> int:
        """The number of seats."""
        return int(self._plain.seats)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._plain.question == OVER)

    @property
    def imagined(self) -> tuple[str, ...]:
        """The parts of this game that were reconstructed, such as `cards`; empty for a game that was played here."""
        return self.stacked.get(IMAGINED, ())

    @property
    def turns(self) -> int:
        """The number of completed turns."""
        return int(self._plain.turns)

    @property
    def question(self) -> Question:
        """The present question, and the seat that answers it."""
        if self._asked is None:
            self._asked = question_of(self.board, self._plain)
        return self._asked

    @property
    def legal(self) -> LegalActions:
        """The legal actions; empty when the game is over."""
        if self._legal is None:
            scratch = scratch_buffer()
            turn.legal(self._table, self._state, kernel.record_in(scratch))
            bits = scratch["legal"][0][:, None] >> _BITS & 1
            self._legal = LegalActions(self.board, self._plain, np.flatnonzero(bits).tolist())
        return self._legal

    def payments(self, action: str | int | None = None) -> tuple[Payment, ...]:
        """Return all payments for a legal claim, station, port or tunnel extra, fewest wilds first.

        Without an action, return the ways to complete the open payment. Raise `IllegalAction` if there is nothing to
        pay.
        """
        if action is None:
            if not self._paying:
                raise IllegalAction(worded("nothing is being paid now"), self.legal.texts)
            return payments_for(self.board, self._buffer, None)
        chosen = self._find(action)
        if not _is_paid(chosen):
            raise IllegalAction(worded("{action} costs no cards", action=chosen.text))
        return payments_for(self.board, self._buffer, chosen)

    def cards_for(self) -> dict[int, tuple[str, ...]]:
        """Return the possible claims and buildings, each with the cards that at least one of its payments spends."""
        paid = [number for number in self.legal.numbers if number < TAKE]
        kinds = kinds_for(self.board, self._buffer, paid)
        named = {
            bits: tuple(card_name(kind) for kind in range(KINDS) if bits >> kind & 1) for bits in {*kinds.values()}
        }
        return {number: named[bits] for number, bits in kinds.items()}

    def view(self, seat: int | None) -> View:
        """Return what a seat may know; None is a spectator. Raise `SetupError` if there is no such seat."""
        mine = self._seen_by == (seat,)
        seen = self._buffer if mine else self.redacted(seat)
        plain = self._plain if mine else kernel.plain_record_in(seen)
        scores = _full_sheet(self.board, self._table, seen) if self.over else running_scores(self.board, plain)
        return view_of(self.board, plain, None if seat is None else int(seat), scores)

    def redacted(self, seat: int | None) -> Buffer[State]:
        """Return the state as a seat may know it: an array of one record, as bots receive it."""
        if seat is not None:
            seat = self._seat(seat)
        buffer = kernel.new_buffer(STATE)
        knowledge.redact(self._table, self._state, kernel.record_in(buffer), -1 if seat is None else seat)
        return buffer

    def perspective(self, seat: int | None) -> Game:
        """Return the game as a seat may know it, for viewing only: the redacted state without the past actions."""
        seen = object.__new__(Game)
        seen.board, seen.seed, seen.stacked, seen.asked_first_seat = self.board, 0, {}, None
        seen._buffer, seen.actions, seen.events, seen.facts = self.redacted(seat), [], (), []
        seen._seen_by = (seat,)
        seen._open()
        return seen

    @property
    def scores(self) -> Scores:
        """The public scores while the game runs; at the end the full sheet and the winners."""
        return self.sheet() if self.over else running_scores(self.board, self._plain)

    def sheet(self) -> Scores:
        """Return the full sheet as if the game ended now, including hidden tickets but not those on offer."""
        return _full_sheet(self.board, self._table, self._buffer)

    @property
    def state(self) -> Buffer[State]:
        """A copy of the whole state: an array of one record of `rules.state.STATE`."""
        return kernel.copy_of(self._buffer)

    @property
    def state_bytes(self) -> bytes:
        """The bytes of the whole state, from which `resume` continues the game."""
        return self._buffer.tobytes()

    @property
    def fingerprint(self) -> str:
        """Sixteen hexadecimal digits of the state's bytes."""
        return hashlib.sha256(self.state_bytes).hexdigest()[:16]

    def svg(self, seat: int | None = None, **look: Any) -> str:
        """Return the position as SVG text. With `seat`, mark what only that seat knows."""
        drawn: str = provider("Game.svg")(self, seat, **look)
        return drawn

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        """Return the board, the number of seats and the question."""
        return f"<Game {self.board.id}, {self.seats} seats, seed {self.seed}, {self.question}>"

    # -------------------------------------------------------------------------------------------- playing

    @property
    def playable(self) -> bool:
        """Whether all that the question needs is known; False in the view of a seat while another one chooses."""
        state = self._plain
        if state.question == KEEP_TICKETS:
            return bool(state.offer[state.seat, 0] >= 0)
        return state.question != FLEET or all(state.fleet[seat] != HIDDEN for seat in range(state.seats))

    def play(self, action: str | int) -> tuple[Event, ...]:
        """Do one action and return what happened.

        `action` is an `Action`, its number or its text. A claim, station, port or `pay extra` can include its
        payment, as in `claim Paris–Dieppe with 1 purple`, and `pay 2 green + 1 wild` completes an open payment. If
        the action is not legal, raise `IllegalAction`, which names the reason and the legal actions, and change
        nothing.
        """
        if not self.playable:
            raise IllegalAction(worded("this view hides what the question is about, so it cannot be played on"))
        if isinstance(action, str):
            text("action", action, IllegalAction)
        steps = self._read(action) if isinstance(action, str) else (self._find(action),)
        happened: tuple[Event, ...] = ()
        facts: list[list[int]] = []
        lines: list[str] = []
        noted = scratch_buffer()
        scratch = kernel.record_in(noted)
        for step in steps:
            seat = int(self._plain.seat)
            if self.stacked:
                stack_again(self.board, self._state, self.stacked, len(self.actions) + len(lines))
            lines.append(f"{seat} {action_text(self.board, self._plain, step)}")
            turn.apply(self._table, self._state, scratch, int(step))
            rows = noted["log"][0, : noted["log_size"][0]].tolist()
            happened += events_from(self.board, seat, rows)
            facts += rows
        self.actions += lines
        self.events, self.facts = happened, facts
        self._legal = self._asked = self._seen_by = None
        return happened

    def _find(self, action: str | int) -> Action:
        """Return the legal action that is meant."""
        if isinstance(action, str):
            text("action", action, IllegalAction)
            try:
                return parse_action(self.board, self._state, self.legal, action)
            except NotLegal as error:
                raise IllegalAction(why_not(self.board, self._state, error.number), error.legal) from None
        if isinstance(action, bool) or not isinstance(action, (int, np.integer)):
            raise IllegalAction(worded("expected an action or its text, not {value}", value=shown(action)))
        action_found = self.legal.get(int(action))
        if action_found is None:
            why = why_not(self.board, self._state, int(action))
            raise IllegalAction(worded("action {number}: {why}", number=shown(int(action)), why=why), self.legal.texts)
        return action_found

    def _read(self, text: str) -> tuple[int, ...]:
        """Return the actions that a text means: one, or a whole payment."""
        if self._paying and text.strip().casefold().startswith("pay "):
            try:
                return (self._find(text),)  # one answer, as in `pay red`
            except IllegalAction:
                return self._pay_with(None, text.strip()[4:])
        head, with_, cards = text.partition(" with ")
        if not with_:
            return (self._find(text),)
        chosen = self._find(head)
        if not _is_paid(chosen):
            raise IllegalAction(worded("{action} costs no cards", action=chosen.text))
        return (int(chosen), *self._pay_with(chosen, cards))

    def _pay_with(self, action: int | None, cards: str) -> tuple[int, ...]:
        """Return the answers that pay with exactly these cards."""
        wanted = tuple(sorted(read_cards(cards, self.board).items()))
        ways = payments_for(self.board, self._buffer, action)
        for way in ways:
            if way.cards == wanted:
                return way.answers
        raise IllegalAction(PRICE(cards=quoted(cards)), [f"with {way.text}" for way in ways])

    @property
    def _paying(self) -> bool:
        return bool(COLOUR <= self._state.question <= PAIR)

    def why_not(self, action: int, seat: int | None = None) -> Reason:
        """Return, as a line of text, why an action is not legal; with `seat`, as if that seat were to act now.

        Raise `IllegalAction` if the number is not that of an action, and `SetupError` if there is no such seat.
        """
        whole_number("action", action, 0, ACTIONS - 1, IllegalAction)
        asked = self._plain
        if seat is not None and self._seat(seat) != asked.seat:
            buffer = kernel.copy_of(self._buffer)
            buffer["seat"] = seat
            asked = kernel.plain_record_in(buffer)
        return why_not(self.board, asked, action)

    # -------------------------------------------------------------------------------------------- keeping

    @classmethod
    def resume(
        cls,
        board: Board,
        state: Buffer[State] | bytes | bytearray | memoryview,
        *,
        seed: int = 0,
        actions: Sequence[str] = (),
        first_seat: int | None = None,
        decks: Mapping[str, Sequence[str]] | None = None,
    ) -> Game:
        """Continue a game from a state: an array of one record (`Game.state`), or its bytes.

        The state is used as it is, whatever rules made it. A redacted state gives the game as that seat may know it,
        for viewing only. Raise `SetupError` if the size is not that of a state of this version, or the bytes are
        damaged or belong to another board.
        """
        if not isinstance(state, (bytes, bytearray, memoryview, np.ndarray, np.generic)):
            raise SetupError(f"state: expected an array of one state or its bytes, not {shown(state)}")
        content = bytes(state.tobytes() if isinstance(state, (np.ndarray, np.generic)) else state)
        game = object.__new__(cls)
        game.board = instance("board", board, Board, "a board, as `load_board` returns it", SetupError)
        game._buffer = checked_buffer(board, content)
        _check_setup(board, game._buffer[0].seats, None, first_seat)
        check_names({} if decks is None else decks)
        game.seed = whole_number("seed", seed, 0, SEEDS - 1, SetupError)
        game.stacked = {name: tuple(names) for name, names in (decks or {}).items()}
        game.asked_first_seat = first_seat
        game._open()
        game.actions = [
            text("actions", line, SetupError) for line in sequence("actions", actions, "a list", SetupError)
        ]
        game.events, game.facts = (), []
        return game

    def _seat(self, seat: object) -> int:
        return seat_number(seat, self.seats, SetupError)

    def __getstate__(self) -> dict[str, object]:
        """Return all fields but those that `_open` binds."""
        return {name: value for name, value in vars(self).items() if name not in _BOUND}

    def __setstate__(self, state: dict[str, object]) -> None:
        vars(self).update(state)
        self._open()

    def copy(self) -> Game:
        """Return an independent copy of the game."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._buffer = kernel.copy_of(self._buffer)
        twin.actions = list(self.actions)
        twin._open()
        twin._legal, twin._asked = self._legal, self._asked
        return twin

    def record(self, names: Sequence[str] = ()) -> Record:
        """Return the record of the game so far."""
        record: Record = provider("Game.record")(self, names)
        return record


def _full_sheet(board: Board, table: BoardTables, buffer: Buffer[State]) -> Scores:
    """Return the scores of a state that need not be at its end."""
    ended = kernel.copy_of(buffer)
    state = kernel.record_in(ended)
    for seat in range(state.seats):
        for n in range(state.offer_size[seat]):
            if state.offer[seat, n] >= 0:
                state.ticket_at[state.offer[seat, n]] = IN_DECK
    scratch = kernel.record_in(scratch_buffer())
    scoring.score(table, state, scratch)
    return final_scores(board, state, scratch)


def _is_paid(action: int) -> bool:
    return action < TAKE or action == PAY_EXTRA


def _check_setup(board: object, seats: object, seed: object, first_seat: object) -> None:
    if not isinstance(board, Board):
        raise SetupError("board: expected a board, as `load_board` returns it")
    fewest, most = board.seats
    if isinstance(seats, bool) or not isinstance(seats, (int, np.integer)) or not fewest <= seats <= most:
        raise SetupError(f"{board.title} is for {fewest} to {most} seats, not {shown(seats)}")
    if seed is not None and (
        isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= seed < SEEDS
    ):
        raise SetupError(f"seed: expected a whole number from 0 to 2**62 - 1, not {shown(seed)}")
    if first_seat is not None and (
        isinstance(first_seat, bool) or not isinstance(first_seat, int) or not 0 <= first_seat < seats
    ):
        raise SetupError(f"first_seat: expected 0 to {seats - 1}, not {shown(first_seat)}")
