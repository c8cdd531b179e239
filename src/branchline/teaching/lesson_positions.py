"""Positions for lessons: from the cards and tickets that are named, a game with stacked decks and its first actions.

What is not named is filled up with cards that nobody needs, the same ones each time. The record that comes out is
played by the rules like any other, so no position can be one that the game could not reach.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from branchline.boards import Board
from branchline.game import Game, Record

SETUP = ("mix", "keep_tickets", "fleet")
"""The questions before the first turn."""


@dataclass(frozen=True)
class Deal:
    """What lies where; names of cards as in `red`, `wild`, `red port`, `blue double ship`."""

    seats: int = 2
    seed: int = 1
    hand: tuple[str, ...] = ()  # of the pupil, in the first turn
    theirs: tuple[str, ...] = ()  # of the next seat, then
    market: tuple[str, ...] = ()
    deck: tuple[str, ...] = ()  # what is drawn from then on, by whomever
    tickets: tuple[str, ...] = ()  # the first that are drawn, the pupil's
    choices: tuple[str, ...] = ()  # the pupil's answers before the first turn; too few: the lesson begins there
    before: tuple[str, ...] = ()  # further actions, as a record has them: `0 claim …`


def dealt(board: Board, deal: Deal) -> Record:
    """Return the record that leads to the position. Raise `BranchlineError` if it is impossible."""
    box = _Box(board, (*deal.hand, *deal.theirs, *deal.market, *deal.deck))
    hands = [_hand(board, box, deal.hand), _hand(board, box, deal.theirs)]
    hands += [_hand(board, box, ()) for _ in range(deal.seats - 2)]
    first = [card for hand in hands for card in hand[0]]
    market = [*deal.market, *_market(board, box, deal.market)]
    draws = _draws(box, [hand[1] for hand in hands])
    decks = {"cards": [*first, *market, *(card for _, card in draws), *deal.deck], "tickets": list(deal.tickets)}
    game = Game(board, deal.seats, deal.seed, first_seat=0, decks=decks)
    if _set_up(game, list(deal.choices)):
        for seat, card in draws:
            _play(game, seat, f"blind {_deck(card)}" if board.cards.two_decks else "blind")
        for line in deal.before:
            seat_said, _, action = line.partition(" ")
            _play(game, int(seat_said) if seat_said.isdecimal() else -1, action)
    return game.record()


def usual_choice(game: Game) -> str:
    """Return the usual choice before the first turn if none is taught: all tickets, the first mix and fleet."""
    return str(game.legal[-1] if game.question.kind == "keep_tickets" else game.legal[len(game.legal) // 2])


def _set_up(game: Game, choices: list[str]) -> bool:
    """Answer the questions before the first turn; False where the pupil's answers are used up before."""
    while game.question.kind in SETUP:
        if game.question.seat != 0:
            game.play(usual_choice(game))
        elif choices:
            game.play(choices.pop(0))
        else:
            return False
    return True


def _play(game: Game, seat: int, action: str) -> None:
    if game.question.seat != seat:
        raise ValueError(f"{action!r}: it is the question of seat {game.question.seat}")
    game.play(action)


def _deck(card: str) -> str:
    return "ship" if card.endswith("ship") else "train"


class _Box:
    """The cards of the box that nobody has named."""

    def __init__(self, board: Board, named: Sequence[str]) -> None:
        rules = board.cards
        left: Counter[str] = Counter()
        for colour in rules.colours:
            left[colour] = rules.train - rules.train_port_marked
            left[f"{colour} port"] = rules.train_port_marked
            left[f"{colour} ship"] = rules.ship_single
            left[f"{colour} double ship"] = rules.ship_double
        self.left = left - Counter(card for card in named if card != "wild")

    def filler(self, deck: str) -> str:
        """Return a card of a deck, of its most common kind."""
        card = max((card for card in self.left if _deck(card) == deck), key=self.left.__getitem__)
        self.left[card] -= 1
        return card


def _hand(board: Board, box: _Box, named: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the cards that are dealt, filled up, and those that have to be drawn before."""
    dealt_, later = [], []
    room = {"train": board.cards.hand[0], "ship": board.cards.hand[1] if board.cards.two_decks else 0}
    for card in named:
        if room[_deck(card)]:
            room[_deck(card)] -= 1
            dealt_.append(card)
        else:
            later.append(card)
    dealt_ += [box.filler(deck) for deck, count in room.items() for _ in range(count)]
    return dealt_, later


def _market(board: Board, box: _Box, named: Sequence[str]) -> list[str]:
    """Return the cards that fill the market up."""
    size = board.cards.market
    room = {"train": size[0], "ship": size[1] if board.cards.two_decks else 0}
    for card in named:
        room[_deck(card)] -= 1
    return [box.filler(deck) for deck, count in room.items() for _ in range(max(count, 0))]


def _draws(box: _Box, wanted: Sequence[Sequence[str]]) -> list[tuple[int, str]]:
    """Return turns of two cards each until everybody holds what is wanted: seat and card."""
    draws = []
    for turn in range(0, max(map(len, wanted)), 2):
        for seat, cards in enumerate(wanted):
            two = list(cards[turn : turn + 2])
            two += [box.filler("train") for _ in range(2 - len(two))]
            draws += [(seat, card) for card in two]
    return draws
