"""The order of play of a game at a real table, as somebody notes it: one line a turn. See docs/notation.md.

A notation says what everybody at the table could see, and as much of the rest as is known. `reconstruction` makes a
record of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from branchline.boards import COLOURS, Board, Route, Ticket, load_board
from branchline.boards.faults import BranchlineError, UnknownName, did_you_mean, listed, quoted
from branchline.boards.names import common_marks
from branchline.boards.wording import Term, worded
from branchline.game.cards import COLOUR_WORDS
from branchline.game.errors import NotationError
from branchline.game.reading import read_claim, read_swap
from branchline.rules import state as at
from branchline.rules.turn import CARDS_A_TURN
from branchline.tabletop.notation import (
    CLAIM,
    DRAW,
    PASS,
    PORT,
    STATION,
    SWAP,
    TICKETS,
    WITHDRAW,
    WORDS,
    CardDrawn,
    Notation,
    Start,
    Turn,
)
from branchline.tabletop.notation_parts import (
    card_in,
    cards_in,
    choice_in,
    clauses_of,
    counted_in,
    dashed,
    paid_in,
    tickets_in,
    wrong_with,
)

LONGEST = 200_000  # letters
MOST_LINES = 3_000
LONGEST_LINE = 600


def read_notation(text: str, board: Board | None = None) -> Notation:
    """Read a game that was noted. Raise `NotationError`, which names the line.

    `board`: the one it was played on, where that is not found by the name that the text gives.
    """
    if not isinstance(text, str) or len(text) > LONGEST:
        raise NotationError(0, worded("expected a text of at most {most:,} characters", most=LONGEST))
    lines = text.removeprefix("\ufeff").splitlines()
    if len(lines) > MOST_LINES:
        raise NotationError(0, worded("more than {most:,} lines", most=MOST_LINES))
    reader = _Reader(board)
    for number, line in enumerate(lines, 1):
        content = " ".join(common_marks(line.partition("#")[0]).split())
        if len(content) > LONGEST_LINE:
            raise NotationError(number, worded("longer than {most} characters", most=LONGEST_LINE))
        if content:
            try:
                reader.read(number, content)
            except NotationError:
                raise
            except BranchlineError as error:
                raise NotationError(number, error.message) from None
    return reader.done(len(lines))


class _Reader:
    """Reads line after line. Remembers whose turn it is and which routes are taken, and nothing of the rules."""

    def __init__(self, board: Board | None) -> None:
        self.given = board
        self.board: Board | None = None
        self.names: tuple[str, ...] = ()
        self.turns: list[Turn] = []
        self.starts: dict[int, Start] = {}
        self.held: dict[int, tuple[Ticket, ...]] = {}
        self.held_lines: dict[int, int] = {}
        self.taken: list[int] = []
        self.waiting: dict[int, int] = {}
        if board is not None:
            self._play_on(board)

    def read(self, number: int, line: str) -> None:
        word, _, rest = line.partition(" ")
        if word.casefold() in ("edition", "players") and (not self.names or word.casefold() == "edition"):
            getattr(self, f"_{word.casefold()}")(rest.strip())
            return
        if self.board is None:
            raise UnknownName(worded('expected the edition first, as in "edition europe"'))
        if not self.names:
            raise UnknownName(worded('expected the players in the order of their seats, as in "players Anna, Bert"'))
        seat, action = self._whose(line)
        self._action(self.board, number, seat, action)

    def _edition(self, name: str) -> None:
        if self.turns or self.names:
            raise UnknownName(worded("the edition belongs in the first line"))
        self._play_on(self.given or load_board(name))

    def _play_on(self, board: Board) -> None:
        self.board = board
        self.taken = [at.NOBODY] * len(board.routes)
        self.waiting = {place.index: place.passengers for place in board.places}

    def _players(self, rest: str) -> None:
        if self.board is None:
            raise UnknownName(worded('expected the edition first, as in "edition europe"'))
        names = tuple(" ".join(name.split()) for name in rest.split(","))
        fewest, most = self.board.seats
        if not fewest <= len(names) <= most:
            raise UnknownName(
                worded(
                    "{title} is for {fewest} to {most} players, not {count}",
                    title=self.board.title,
                    fewest=fewest,
                    most=most,
                    count=len(names),
                )
            )
        for n, name in enumerate(names):
            if reason := wrong_with(name):
                raise UnknownName(reason)
            if name.casefold() in [other.casefold() for other in names[:n]]:
                raise UnknownName(worded("the name {text} appears twice", text=quoted(name)))
        self.names = names

    def _whose(self, line: str) -> tuple[int | None, str]:
        name, colon, action = line.partition(":")
        if not colon:
            return None, line
        folded = [name.casefold() for name in self.names]
        wanted = " ".join(name.split()).casefold()
        if wanted not in folded:
            raise UnknownName(
                worded("no player is called {text}{near}", text=quoted(name), near=did_you_mean(name, self.names))
            )
        return folded.index(wanted), action.strip()

    def _action(self, board: Board, number: int, seat: int | None, action: str) -> None:
        word, _, rest = action.partition(" ")
        word, rest = word.casefold(), " ".join(rest.split())
        if word == "held":
            self._held(board, number, seat, rest)
        elif word == "start":
            self._start(board, number, seat, rest)
        elif word in _TURNS:
            seat = self._in_order(seat)
            turn = _TURNS[word](self, board, rest)
            self.turns.append(replace(turn, line=number, seat=seat))
        else:
            known = (*WORDS, "start", "held")
            raise UnknownName(
                worded(
                    "unknown word {text}{near}",
                    text=quoted(word),
                    near=did_you_mean(word, known),
                )
            )

    def _in_order(self, seat: int | None) -> int:
        if not self.turns:
            return seat or 0
        last = self.turns[-1].seat
        wanted = (last + 1) % len(self.names)
        if seat not in (None, wanted):
            assert seat is not None
            raise UnknownName(
                worded(
                    "it is {next}’s turn, not {who}’s: {next} plays after {last}",
                    next=self.names[wanted],
                    who=self.names[seat],
                    last=self.names[last],
                )
            )
        return wanted

    def _held(self, board: Board, number: int, seat: int | None, rest: str) -> None:
        if seat is None:
            raise UnknownName(worded('expected a player before the tickets, as in "Anna: held Paris–Wien"'))
        if seat in self.held:
            raise UnknownName(
                worded(
                    "the tickets of {who} are already recorded in line {line}",
                    who=self.names[seat],
                    line=self.held_lines[seat],
                )
            )
        tickets = tickets_in(board, rest)
        for ticket in tickets:
            for other, theirs in self.held.items():
                if ticket in theirs:
                    raise UnknownName(
                        worded(
                            "{who} already has {ticket}; there is only one",
                            ticket=ticket.name,
                            who=self.names[other],
                        )
                    )
        self.held[seat], self.held_lines[seat] = tickets, number

    def _start(self, board: Board, number: int, seat: int | None, rest: str) -> None:
        if seat is None:
            raise UnknownName(worded('expected a player before the start, as in "Anna: start keep 3"'))
        if seat in self.starts:
            raise UnknownName(worded("the start of {who} is already recorded", who=self.names[seat]))
        clauses = clauses_of(rest, "mix", "keep", "fleet")
        fleet = None
        if "fleet" in clauses:
            if not board.pieces.fleet:
                raise UnknownName(worded("{board} has no fleet to choose", board=board.title))
            fleet = counted_in(clauses["fleet"], board.pieces.names, board.pieces.fleet, "20 trains")
        self.starts[seat] = Start(choice_in(board, clauses, board.ticket_rules.first.mix), fleet, number)

    # ------------------------------------------------------------------------------------------------ turns

    def _draw(self, board: Board, rest: str) -> Turn:
        drawn: list[CardDrawn] = []
        for part in re.split(r"\s*,\s*", rest or "2"):
            if part.casefold() == "sweep":
                if not drawn:
                    raise UnknownName(worded("expected the sweep after the card that caused it"))
                drawn[-1] = replace(drawn[-1], sweeps=drawn[-1].sweeps + 1)
                continue
            match = re.fullmatch(r"(?:([1-9])\s*)?(.*)", part)
            assert match
            drawn += [card_in(board, match[2] or "?")] * int(match[1] or 1)
        if not 1 <= len(drawn) <= CARDS_A_TURN:
            raise UnknownName(
                worded("{count} cards given, but a turn draws at most {most}", count=len(drawn), most=CARDS_A_TURN)
            )
        return Turn(0, 0, DRAW, tuple(drawn))

    def _claim(self, board: Board, rest: str, word: str = CLAIM) -> Turn:
        clauses = clauses_of(rest, "with", "turned", "passenger", "passengers")
        number = read_claim(board, self.taken, dashed(board, clauses[""]))
        route = board.routes[number - at.CLAIM]
        owner = self.taken[route.index]
        if owner != at.NOBODY:
            raise UnknownName(worded("{route} already belongs to {who}", route=route.name, who=self.names[owner]))
        turned = tuple(sorted(cards_in(board, clauses["turned"]).elements())) if "turned" in clauses else None
        if (turned is not None or word == WITHDRAW) and route.kind != "tunnel":
            raise UnknownName(worded("{route} is not a tunnel", route=route.name))
        if turned is not None and len(turned) > board.tunnel_cards:
            raise UnknownName(
                worded("{count} cards given, but a tunnel turns up {most}", count=len(turned), most=board.tunnel_cards)
            )
        passengers = self._passengers(board, route, clauses.get("passengers", clauses.get("passenger", "")))
        if word == CLAIM:
            self.taken[route.index] = self._seat_to_come()
            for place, _ in passengers:
                self.waiting[place] -= 1
        return Turn(0, 0, word, route=route, paid=paid_in(board, clauses), turned=turned, passengers=passengers)

    def _seat_to_come(self) -> int:
        return (self.turns[-1].seat + 1) % len(self.names) if self.turns else 0

    def _withdraw(self, board: Board, rest: str) -> Turn:
        return self._claim(board, rest, WITHDRAW)

    def _passengers(self, board: Board, route: Route, text: str) -> tuple[tuple[int, int], ...]:
        boarded: list[tuple[int, int]] = []
        for part in re.split(r"\s*,\s*", text) if text else ():
            if board.passengers is None:
                raise UnknownName(worded("{board} has no passengers", board=board.title))
            colour, _, where = part.partition(" ")
            colour = COLOUR_WORDS.get(colour.casefold(), colour)
            if colour.casefold() not in board.passengers.colours:
                raise UnknownName(
                    worded(
                        "there are no {text} passengers{near}",
                        text=quoted(colour),
                        near=did_you_mean(colour, board.passengers.colours),
                    )
                )
            ends = [end for end in (route.a, route.b) if end.index not in [place for place, _ in boarded]]
            if where:
                place = board.index.place(where.removeprefix("at "))
                if place not in ends:
                    raise UnknownName(
                        worded("{route} takes no passenger at {place}", place=place.name, route=route.name)
                    )
                ends = [place]
            end = next((place for place in ends if self.waiting[place.index] > 0), None)
            if end is None:
                raise UnknownName(
                    worded("no passenger is left at {what}", what=listed(place.name for place in ends) or route.name)
                )
            boarded.append((end.index, COLOURS.index(colour.casefold())))
        return tuple(boarded)

    def _station(self, board: Board, rest: str) -> Turn:
        return self._built(board, rest, STATION, bool(board.stations))

    def _port(self, board: Board, rest: str) -> Turn:
        return self._built(board, rest, PORT, bool(board.ports))

    def _built(self, board: Board, rest: str, word: str, there_are: bool) -> Turn:
        if not there_are:
            raise UnknownName(worded("{board} does not have these: {what}", what=Term(word), board=board.title))
        clauses = clauses_of(rest, "with")
        return Turn(0, 0, word, place=board.index.place(clauses[""]), paid=paid_in(board, clauses))

    def _draw_tickets(self, board: Board, rest: str) -> Turn:
        return Turn(
            0, 0, TICKETS, choice=choice_in(board, clauses_of(rest, "mix", "keep"), board.ticket_rules.later.mix)
        )

    def _swap(self, board: Board, rest: str) -> Turn:
        if not board.pieces.fleet:
            raise UnknownName(worded("{board} has no swapping of pieces", board=board.title))
        number = read_swap(board, None, rest)
        if number in (-1, at.SWAP_PIECES):
            raise UnknownName(worded("expected, for example, `swap 2 ships for trains`"))
        return Turn(0, 0, SWAP, swapped=number)

    def _pass(self, _board: Board, rest: str) -> Turn:
        if rest:
            raise UnknownName(worded("cannot read {text}", text=quoted(rest)))
        return Turn(0, 0, PASS)

    def done(self, lines: int) -> Notation:
        if self.board is None or not self.names:
            raise NotationError(
                0, worded('expected the edition and the players, as in "edition europe" and "players Anna, Bert"')
            )
        if not self.turns:
            raise NotationError(lines, worded("no turns are recorded"))
        seats = range(len(self.names))
        return Notation(
            self.board,
            self.names,
            tuple(self.turns),
            tuple(self.starts.get(seat, Start()) for seat in seats),
            tuple(self.held.get(seat) for seat in seats),
            tuple(self.held_lines.get(seat, 0) for seat in seats),
        )


_TURNS: dict[str, Callable[[_Reader, Board, str], Turn]] = {
    DRAW: _Reader._draw,
    CLAIM: _Reader._claim,
    WITHDRAW: _Reader._withdraw,
    STATION: _Reader._station,
    PORT: _Reader._port,
    TICKETS: _Reader._draw_tickets,
    SWAP: _Reader._swap,
    PASS: _Reader._pass,
}
