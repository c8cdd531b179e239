"""Payments in pairs as records of older rules have them, told as they are asked now.

Until rules 2 of World, port marks were asked after each pair, and two pairs of a colour and a wild were offered beside
a pair of the colour and a pair of wilds. Which cards such a record pays is found here by asking as it was done then;
the same cards are then paid by the answers of today. Only records need this: the rules know one way of asking.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from branchline.boards import COLOURS, Board, Route
from branchline.boards.tables import MARKED, TRAIN, WILD_KIND
from branchline.game.actions import action_text, route_text
from branchline.game.errors import IllegalAction
from branchline.game.game import Game
from branchline.rules.state import CLAIM, COLOUR, PAIR

_WILD_PAIR = 2 * len(COLOURS)


def payment_at(board: Board, lines: Sequence[str], first: int) -> int:
    """Return how many lines from `first` on are a claim in pairs and its answers; 0 if none begins there."""
    seat, _, claim = lines[first].partition(" ")
    if " claim " not in lines[first] or _route(board, claim) is None:
        return 0
    last = first + 1
    while last < len(lines) and lines[last].startswith((f"{seat} pair ", f"{seat} marked ")):
        last += 1
    return last - first


def as_asked_now(game: Game, lines: Sequence[str], unfinished: bool) -> Sequence[str]:
    """Return the lines of one payment in pairs by today's answers; unchanged where they can be played or not be read.

    `unfinished`: the record ends here, so answers may be missing. Of a payment that was begun in the older way the
    claim is left then, to be paid anew.
    """
    if _is_playable(game, lines, unfinished):
        return lines
    seat, _, claim = lines[0].partition(" ")
    route = _route(game.board, claim)
    cards = _cards_paid(game, route, [line.partition(" ")[2] for line in lines[1:]]) if route else None
    if route is None or cards is None:
        return lines[:1] if unfinished else lines
    for way in game.payments(CLAIM + route.index):
        if way.cards == cards:
            return (lines[0], *(f"{seat} {action_text(game.board, game._plain, answer)}" for answer in way.answers))
    return lines


def _route(board: Board, claim: str) -> Route | None:
    """Return the route of difficult terrain that a recorded action claims."""
    name = claim.removeprefix("claim ")
    return next((route for route in board.routes if route.pairs == route.length and name == route_text(route)), None)


def _is_playable(game: Game, lines: Sequence[str], unfinished: bool) -> bool:
    """Return whether these are the answers of today, all of them."""
    trial = game.copy()
    try:
        for line in lines:
            trial.play(line.partition(" ")[2])
    except IllegalAction:
        return False
    return unfinished or not COLOUR <= trial._plain.question <= PAIR


def _cards_paid(game: Game, route: Route, answers: Sequence[str]) -> tuple[tuple[int, int], ...] | None:
    """Return the cards that these answers paid under the older rules; None where they do not pay the price."""
    hand = Counter({kind: int(game._plain.hand[game._plain.seat, kind]) for kind in range(WILD_KIND + 1)})
    left, recorded, paid, last = Counter(hand), iter(answers), Counter[int](), 0
    for still_to_pay in range(route.pairs - 1, -1, -1):
        options = [option for option in range(last, _WILD_PAIR + 1) if _can_go_on(left, option, still_to_pay)]
        answer = _chosen([(_pair_text(option), option) for option in options], recorded)
        if answer is None:
            return None
        last, wild = answer, 2 if answer == _WILD_PAIR else answer % 2
        cards = Counter({WILD_KIND: wild})
        if wild < 2:
            colour, count = answer // 2, 2 - wild
            marks = range(max(0, count - left[TRAIN + colour]), min(count, left[MARKED + colour]) + 1)
            marked = _chosen([(f"marked {n}", n) for n in marks], recorded)
            if marked is None:
                return None
            cards += Counter({MARKED + colour: marked, TRAIN + colour: count - marked})
        left -= cards
        paid += cards
    return tuple(sorted(paid.items())) if next(recorded, None) is None else None


def _chosen(options: list[tuple[str, int]], recorded: Iterator[str]) -> int | None:
    """Return the option that was answered, or the only one; None where no answer fits."""
    if len(options) == 1:
        return options[0][1]
    return dict(options).get(next(recorded, ""))


def _pair_text(option: int) -> str:
    if option == _WILD_PAIR:
        return "pair wild"
    return f"pair {COLOURS[option // 2]}{'+wild' if option % 2 else ''}"


def _can_go_on(hand: Counter[int], option: int, still_to_pay: int) -> bool:
    """Return whether a pair can be paid, and `more` pairs after it, none of them before it in the order of pairs."""
    trains = [hand[TRAIN + colour] + hand[MARKED + colour] for colour in range(len(COLOURS))]
    wild = hand[WILD_KIND]
    wild -= 2 if option == _WILD_PAIR else option % 2
    colour = option // 2
    if option < _WILD_PAIR:
        trains[colour] -= 2 - option % 2
    if wild < 0 or min(trains) < 0:
        return False
    whole, single = 0, 0
    for other in range(colour, len(COLOURS)):
        if other == colour and option % 2:
            single += trains[other]
        else:
            whole += trains[other] // 2
            single += trains[other] % 2
    return whole + min(single, wild) + max(0, wild - single) // 2 >= still_to_pay
