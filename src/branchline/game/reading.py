"""Reading actions: from a text, in any spelling `boards` understands, to the legal action that it means."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from branchline.boards import COLOURS, WILD, Board, Place
from branchline.boards.faults import UnknownName, did_you_mean, quoted
from branchline.boards.names import common_marks
from branchline.boards.wording import worded
from branchline.game.actions import DECKS, Action, LegalActions, line_text, offered
from branchline.game.cards import COLOUR_WORDS, card_kind
from branchline.game.errors import IllegalAction
from branchline.rules import state as at
from branchline.rules.passengers import NONE
from branchline.rules.payment import ALL_WILD_PAIR
from branchline.rules.state import State
from branchline.runtime.structs import Vector


def parse_action(board: Board, state: State, legal: LegalActions, text: str) -> Action:
    """Return the legal action that a text means; it may be shorter, and spelt in any way `boards` understands.

    Raise `IllegalAction`; for a claim that is understood but not legal its `why` is left to the caller.
    """
    text = " ".join(common_marks(text).split())
    if legal.has_text(text):
        return legal.by_text(text)
    word, _, rest = text.casefold().partition(" ")
    rest = text[len(word) :].strip()
    reader = _READERS.get(word)
    if reader is None:
        near = did_you_mean(word, _READERS)
        raise IllegalAction(worded("unknown action {text}{near}", text=quoted(text), near=near), legal.texts)
    try:
        number = reader(board, state, rest)
    except UnknownName as error:
        raise IllegalAction(error.message, legal.texts) from None
    except ValueError:
        raise IllegalAction(worded("cannot read {text}", text=quoted(text)), legal.texts) from None
    action = legal.get(number)
    if action is None:
        raise NotLegal(number, text, legal.texts)
    return action


class NotLegal(IllegalAction):
    """A text that was understood; the action with this `number` is not legal now."""

    def __init__(self, number: int, text: str, legal: Sequence[str]) -> None:
        """Make the error of the action meant."""
        super().__init__(worded("{text} is not possible now", text=quoted(text)), legal)
        self.number = number


def _read_claim(board: Board, state: State, rest: str) -> int:
    return read_claim(board, state.route_owner, rest)


def read_claim(board: Board, owners: Vector | Sequence[int], rest: str) -> int:
    """Return the claim that `Paris–Dieppe red` means: of several lines one that nobody owns, by the owners of all
    routes.

    Raise `UnknownName`.
    """
    match = re.search(r"\s+(?:line\s+([123])|(" + "|".join(COLOUR_WORDS) + r"))$", rest, re.IGNORECASE)
    names = rest[: match.start()] if match else rest
    a, b = _two_places(board, names)
    lines = board.index.routes(a, b)
    if not lines:
        board.index.route(a, b)  # says what is near
    if match and match[1]:
        lines = tuple(route for route in lines if route.line == int(match[1]) - 1)
    elif match:
        lines = tuple(route for route in lines if route.colour == COLOUR_WORDS[match[2].casefold()])
    if not lines:
        raise UnknownName(worded("{route} has no such line", route=f"{a.name}–{b.name}"))
    open_lines = [route for route in lines if owners[route.index] == at.NOBODY] or list(lines)
    if len({route.colour for route in open_lines}) > 1:
        colours = " or ".join(line_text(route) for route in open_lines)
        raise UnknownName(
            worded("{route} has several lines; name one of them: {lines}", route=f"{a.name}–{b.name}", lines=colours)
        )
    return at.CLAIM + open_lines[0].index


def _two_places(board: Board, text: str) -> tuple[Place, Place]:
    places = board.index.split_places(text)
    if len(places) != 2:
        raise UnknownName(worded("expected two places, as in `Paris–Dieppe`, not {text}", text=quoted(text)))
    return places[0], places[1]


def _read_market(board: Board, state: State, rest: str) -> int:
    if rest.isdecimal():
        return at.TAKE + int(rest) - 1 if 1 <= int(rest) <= len(state.market) else -1
    kind = card_kind(rest, board)
    return next((at.TAKE + slot for slot in range(len(state.market)) if state.market[slot] == kind), -1)


def _read_deck(first: int) -> Callable[[Board, State, str], int]:
    def read(_board: Board, _state: State, rest: str) -> int:
        words = rest.casefold().removesuffix("s")
        return first + (DECKS.index(words) if words else 0)

    return read


def _read_mix(board: Board, state: State, rest: str) -> int:
    words = " ".join(re.sub(r"(\d+)\s+(\w+)", r"\2 \1", rest.casefold()).split())
    counts = dict(re.findall(r"(\w+)\s+(\d+)", words))
    first, second = board.ticket_rules.decks[0].casefold(), board.ticket_rules.decks[-1].casefold()
    if first in counts:
        return at.MIX + int(counts[first])
    rules = board.ticket_rules.first if state.setting_up else board.ticket_rules.later
    size = min(rules.mix, int(state.ticket_count[0]) + int(state.ticket_count[1]))
    return at.MIX + size - int(counts[second]) if second in counts else -1


def _read_colour(board: Board, _state: State, rest: str) -> int:
    word = rest.casefold()
    if word in (WILD, "wilds", board.cards.wild_name):
        return at.PAY_COLOUR + at.ALL_WILD
    return at.PAY_EXTRA if word == "extra" else at.PAY_COLOUR + COLOURS.index(COLOUR_WORDS.get(word, word))


def _read_pair(_board: Board, _state: State, rest: str) -> int:
    colour, _, wild = rest.casefold().replace(" ", "").partition("+")
    if colour == WILD:
        return at.WITH_PAIR + ALL_WILD_PAIR
    if wild not in ("", WILD):
        raise ValueError(rest)
    return at.WITH_PAIR + 2 * COLOURS.index(COLOUR_WORDS.get(colour, colour)) + (wild == WILD)


def _read_keep(board: Board, state: State, rest: str) -> int:
    tickets = offered(board, state, state.seat)
    if rest.casefold() == "all":
        return at.KEEP + (1 << len(tickets)) - 1
    chosen = 0
    for part in re.split(r"\s*(?:,|;|\band\b)\s*", rest):
        ticket = board.index.ticket(part)
        if ticket not in tickets:
            raise UnknownName(worded("{ticket} is not among the tickets offered", ticket=ticket.name))
        chosen |= 1 << tickets.index(ticket)
    return at.KEEP + chosen


def _read_fleet(board: Board, _state: State, rest: str) -> int:
    counts = [int(number) for number in re.findall(r"\d+", rest)][:2]
    if not counts or (len(counts) == 2 and sum(counts) != board.pieces.fleet):
        raise UnknownName(
            worded("a fleet is {count} pieces, as in `fleet 20 trains 40 ships`", count=board.pieces.fleet)
        )
    only_ships = len(counts) == 1 and board.pieces.names[-1] in rest.casefold()
    trains = board.pieces.fleet - counts[0] if only_ships else counts[0]
    return at.TRAINS_IN_FLEET + trains if 0 <= trains <= board.pieces.fleet else -1


def read_swap(board: Board, _state: State | None, rest: str) -> int:
    """Return the action that `2 ships for trains` means; -1 for numbers that are never swapped. Raise `UnknownName`."""
    if not rest:
        return at.SWAP_PIECES
    match = re.fullmatch(r"(\d{1,3})\s+(\w+?)s?(?:\s+for\s+(\d{1,3}\s+)?(\w+?)s?)?", rest.casefold())
    if not match or match[2] not in board.pieces.names:
        raise UnknownName(worded("expected, for example, `swap 2 ships for trains`"))
    count, offered = int(match[1]), board.pieces.names.index(match[2])
    return at.SWAP_FOR + (1 - offered) * at.MAX_SWAP + count - 1 if 1 <= count <= at.MAX_SWAP else -1


def _read_place(first: int) -> Callable[[Board, State, str], int]:
    return lambda board, _state, rest: first + board.index.place(rest).index


def _read_count(first: int, most: int) -> Callable[[Board, State, str], int]:
    return lambda _board, _state, rest: first + int(rest) if 0 <= int(rest) <= most else -1


def _read_word(number: int) -> Callable[[Board, State, str], int]:
    def read(_board: Board, _state: State, rest: str) -> int:
        if rest:
            raise ValueError(rest)
        return number

    return read


def _read_passenger(_board: Board, _state: State, rest: str) -> int:
    return at.PICK_PASSENGER + (
        NONE if rest.casefold() == "none" else COLOURS.index(COLOUR_WORDS.get(rest.casefold(), rest.casefold()))
    )


_READERS: dict[str, Callable[[Board, State, str], int]] = {
    "claim": _read_claim,
    "station": _read_place(at.STATION),
    "port": _read_place(at.PORT),
    "market": _read_market,
    "take": _read_market,
    "blind": _read_deck(at.BLIND),
    "refill": _read_deck(at.REFILL_FROM),
    "tickets": _read_word(at.DRAW_TICKETS),
    "swap": read_swap,
    "pass": _read_word(at.PASS),
    "withdraw": _read_word(at.WITHDRAW),
    "mix": _read_mix,
    "pay": _read_colour,
    "passenger": _read_passenger,
    "wilds": _read_count(at.WITH_WILDS, 9),
    "doubles": _read_count(at.WITH_DOUBLES, 9),
    "marked": _read_count(at.WITH_MARKED, 9),
    "pair": _read_pair,
    "keep": _read_keep,
    "fleet": _read_fleet,
}
