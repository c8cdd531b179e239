"""The order of play of a game at a real table, as somebody notes it: one line a turn. See docs/notation.md.

A notation says what everybody at the table could see, and as much of the rest as is known. `reconstruction` makes a
record of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from branchline.boards import COLOURS, Board, Place, Route, Ticket, load_board
from branchline.boards.faults import BranchlineError, UnknownName, did_you_mean, listed, quoted
from branchline.boards.letters import count, is_clean, is_seen, line_of
from branchline.boards.names import common_marks
from branchline.boards.wording import Message, Term, worded
from branchline.game.actions import DECKS
from branchline.game.cards import COLOUR_WORDS, card_kind, read_cards
from branchline.game.errors import NotationError
from branchline.game.reading import read_claim, read_swap
from branchline.rules import state as at
from branchline.rules.cards import deck_of
from branchline.rules.turn import CARDS_A_TURN

LONGEST = 200_000  # letters
MOST_LINES = 3_000
LONGEST_LINE = 600
LONGEST_NAME = 40
ANY_DECK = -1

DRAW, CLAIM, WITHDRAW, STATION, PORT, TICKETS, SWAP, PASS = (
    "draw",
    "claim",
    "withdraw",
    "station",
    "port",
    "tickets",
    "swap",
    "pass",
)
WORDS = (DRAW, CLAIM, WITHDRAW, STATION, PORT, TICKETS, SWAP, PASS)
"""What a turn can be, as a notation says it."""


@dataclass(frozen=True)
class CardDrawn:
    """One card of a turn: taken openly, drawn blind, or nobody noted how."""

    kind: int | None = None  # of card, where it is known
    openly: bool = False  # from the market
    deck: int = ANY_DECK  # of a card drawn blind
    refill: int = ANY_DECK  # from which deck its place in the market was filled
    sweeps: int = 0  # how often the market was swept after it
    blind: bool = False  # noted to be drawn from a deck


@dataclass(frozen=True)
class Choice:
    """What a seat kept of an offer of tickets: how many or which, and the mix it announced; None: not noted."""

    mix: int | None = None  # from the first deck
    kept: int | None = None
    tickets: tuple[Ticket, ...] = ()


@dataclass(frozen=True)
class Turn:
    """One turn, as far as it was noted."""

    line: int  # counted from 1
    seat: int
    what: str  # one of WORDS
    drawn: tuple[CardDrawn, ...] = ()
    route: Route | None = None
    place: Place | None = None
    paid: tuple[tuple[int, int], ...] | None = None  # kinds of cards and numbers; None: not noted
    turned: tuple[int, ...] | None = None  # kinds turned at a tunnel
    passengers: tuple[tuple[int, int], ...] = ()  # place and colour
    choice: Choice = field(default_factory=Choice)
    swapped: int = -1  # the action that swaps


@dataclass(frozen=True)
class Start:
    """What is known of a seat before its first turn."""

    choice: Choice = field(default_factory=Choice)
    fleet: int | None = None  # trains
    line: int = 0


@dataclass(frozen=True)
class Notation:
    """A game as it was noted."""

    board: Board
    names: tuple[str, ...]
    turns: tuple[Turn, ...]
    starts: tuple[Start, ...]  # by seat
    held: tuple[tuple[Ticket, ...] | None, ...]  # by seat: the tickets at the end; None: not noted
    held_lines: tuple[int, ...]  # where they stand

    @property
    def first_seat(self) -> int:
        """Who begins."""
        return self.turns[0].seat if self.turns else 0


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
            if reason := _wrong_with(name):
                raise UnknownName(reason)
            if name.casefold() in [other.casefold() for other in names[:n]]:
                raise UnknownName(worded("the name {text} is there twice", text=quoted(name)))
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
        tickets = _tickets(board, rest)
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
        clauses = _clauses(rest, "mix", "keep", "fleet")
        fleet = None
        if "fleet" in clauses:
            if not board.pieces.fleet:
                raise UnknownName(worded("{board} has no fleet to choose", board=board.title))
            fleet = _counted(clauses["fleet"], board.pieces.names, board.pieces.fleet, "20 trains")
        self.starts[seat] = Start(_choice(board, clauses, board.ticket_rules.first.mix), fleet, number)

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
            drawn += [_card(board, match[2] or "?")] * int(match[1] or 1)
        if not 1 <= len(drawn) <= CARDS_A_TURN:
            raise UnknownName(
                worded("{count} cards given, but a turn draws at most {most}", count=len(drawn), most=CARDS_A_TURN)
            )
        return Turn(0, 0, DRAW, tuple(drawn))

    def _claim(self, board: Board, rest: str, word: str = CLAIM) -> Turn:
        clauses = _clauses(rest, "with", "turned", "passenger", "passengers")
        number = read_claim(board, self.taken, _dashed(board, clauses[""]))
        route = board.routes[number - at.CLAIM]
        owner = self.taken[route.index]
        if owner != at.NOBODY:
            raise UnknownName(worded("{route} already belongs to {who}", route=route.name, who=self.names[owner]))
        turned = tuple(sorted(_cards(board, clauses["turned"]).elements())) if "turned" in clauses else None
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
        return Turn(0, 0, word, route=route, paid=_paid(board, clauses), turned=turned, passengers=passengers)

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
        clauses = _clauses(rest, "with")
        return Turn(0, 0, word, place=board.index.place(clauses[""]), paid=_paid(board, clauses))

    def _draw_tickets(self, board: Board, rest: str) -> Turn:
        return Turn(0, 0, TICKETS, choice=_choice(board, _clauses(rest, "mix", "keep"), board.ticket_rules.later.mix))

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


# ---------------------------------------------------------------------------------------------------- parts of a line


def _clauses(text: str, *words: str) -> dict[str, str]:
    """Return `Paris–Dieppe with 1 purple` by clause: what stands before the first of the words, and behind each of
    them.
    """
    parts = re.split(rf"(?:^|\s+)({'|'.join(sorted(words, key=len, reverse=True))})(?=\s|$)", text, flags=re.IGNORECASE)
    clauses = {"": parts[0].strip()}
    for word, rest in zip(parts[1::2], parts[2::2], strict=True):
        if word.casefold() in clauses:
            raise UnknownName(worded("{text} is there twice", text=quoted(word)))
        if not rest.strip():
            raise UnknownName(worded("expected something after {text}", text=quoted(word)))
        clauses[word.casefold()] = rest.strip()
    if clauses[""] and "keep" in words:
        raise UnknownName(worded("cannot read {text}", text=quoted(clauses[""])))
    return clauses


def _card(board: Board, text: str) -> CardDrawn:
    """Return one card of a draw, as in `?`, `blind`, `blind red`, `red`, `red ship refill train`."""
    name, _, deck = (part.strip() for part in text.casefold().partition(" refill "))
    refill = ANY_DECK
    if deck:
        refill = _deck(board, deck)
    words = name.removesuffix("s") if name.removesuffix("s") in DECKS else name
    if words in ("?", "card", "cards"):
        return CardDrawn()
    blind = words == "blind" or words.startswith("blind ")
    rest = words.removeprefix("blind").strip() if blind else words
    if rest.removesuffix("s") in DECKS:
        return CardDrawn(deck=_deck(board, rest.removesuffix("s")), blind=blind)
    if not rest:
        return CardDrawn(deck=ANY_DECK if board.cards.two_decks else 0, blind=True)
    try:
        kind = card_kind(rest, board)
    except ValueError as error:
        raise UnknownName(error.args[0]) from None
    return CardDrawn(kind, not blind, deck_of(kind) if blind else ANY_DECK, refill, blind=blind)


def _deck(board: Board, word: str) -> int:
    if word not in DECKS or not board.cards.two_decks:
        raise UnknownName(worded("there is no deck {text}", text=quoted(word)))
    return DECKS.index(word)


def _paid(board: Board, clauses: dict[str, str]) -> tuple[tuple[int, int], ...] | None:
    return tuple(sorted(_cards(board, clauses["with"]).items())) if "with" in clauses else None


def _cards(board: Board, text: str) -> Counter[int]:
    cards = read_cards(text, board)
    if sum(cards.values()) > board.cards.total:
        raise UnknownName(worded("the game has fewer cards than that"))
    return cards


def _choice(board: Board, clauses: dict[str, str], mix: int) -> Choice:
    kept = clauses.get("keep", "")
    tickets: tuple[Ticket, ...] = ()
    count = None
    if kept.isdecimal() and len(kept) < 3:
        count = int(kept)
    elif kept:
        tickets = _tickets(board, kept)
        count = len(tickets)
    from_first = None
    if "mix" in clauses:
        if not mix:
            raise UnknownName(worded("{board} has no mix of tickets to announce", board=board.title))
        from_first = _counted(clauses["mix"], board.ticket_rules.decks, mix, f"2 {board.ticket_rules.decks[0]}")
    return Choice(from_first, count, tickets)


def _counted(text: str, names: Sequence[str], whole: int, example: str) -> int:
    """Return how many of the first kind `20 trains` or `40 ships` means, of `whole` in all."""
    counts = re.findall(r"(\d{1,3})\s+(\w+?)s?\b", text.casefold())
    known = {name.casefold(): n for n, name in enumerate(names)}
    if len(counts) not in (1, 2) or any(name not in known for _, name in counts):
        raise UnknownName(
            worded("expected, for example, {text}, not {text2}", text=quoted(example), text2=quoted(text))
        )
    numbers = {known[name]: int(count) for count, name in counts}
    count = numbers.get(0, whole - numbers.get(1, 0))
    if not 0 <= count <= whole or (len(numbers) == 2 and sum(numbers.values()) != whole):
        raise UnknownName(worded("{text} does not add up to {whole}", text=quoted(text), whole=whole))
    return count


def _tickets(board: Board, text: str) -> tuple[Ticket, ...]:
    tickets = [board.index.ticket(_dashed(board, part)) for part in re.split(r"\s*[,;]\s*", text) if part]
    for n, ticket in enumerate(tickets):
        if ticket in tickets[:n]:
            raise UnknownName(worded("{ticket} is there twice", ticket=ticket.name))
    return tuple(tickets)


def _dashed(board: Board, text: str) -> str:
    """Return `Berlin Wien` as `Berlin–Wien`; text with a mark between its places stays as it is."""
    words = text.split()
    if re.search(r"[–—>/]|-", text):
        return text
    if "to" in [word.casefold() for word in words]:
        return text
    for cut in range(1, len(words)):
        for end in range(len(words), cut, -1):
            a, b, rest = " ".join(words[:cut]), " ".join(words[cut:end]), " ".join(words[end:])
            if board.index.find(a) and board.index.find(b):
                return f"{a}–{b} {rest}".strip()
    return text


def _wrong_with(name: str) -> Message | None:
    """Return why this is not a name of a player; None where it is one."""
    if not is_seen(name):
        return worded("expected the names of the players, separated by commas; one of them is empty")
    if ":" in name:
        return worded(
            "the name {text} contains a colon; a colon separates the player from the action", text=quoted(name)
        )
    if not is_clean(name):
        return worded("the name {text} contains invisible characters", text=quoted(line_of(name)))
    if count(name) > LONGEST_NAME:
        return worded("expected a name of at most {most} characters, not {text}", most=LONGEST_NAME, text=quoted(name))
    return None
