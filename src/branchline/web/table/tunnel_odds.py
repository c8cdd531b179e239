"""The odds of a tunnel, before one goes in: from the cards that this viewer has not seen (TUN-1 … TUN-3)."""

from __future__ import annotations

from collections import Counter
from math import comb

from branchline.boards import Board
from branchline.game import View


def unseen(board: Board, view: View) -> Counter[str]:
    """Return the train cards that may be in the deck: all in the box except those this viewer can see."""
    rules = board.cards
    box: Counter[str] = Counter({"wild": rules.wild})
    for colour in rules.colours:
        box[colour] += rules.train
    for cards in (view.hand, view.discards, Counter(card for card in view.market if card)):
        box.subtract(_by_colour(cards))
    for public in view.seats:
        if public.seat != view.seat:
            box.subtract(_by_colour(public.known_cards))
    return +box


def _by_colour(cards: Counter[str]) -> Counter[str]:
    """Train cards by colour, port-marked ones among them; ship cards left out."""
    counts: Counter[str] = Counter()
    for name, count in cards.items():
        if not name.endswith("ship"):
            counts[name.partition(" ")[0]] += count
    return counts


def extra(board: Board, view: View, colour: str) -> tuple[float, ...]:
    """Return the probabilities that a payment in that colour (`wild`: wilds only) needs 0, 1, 2, … more cards."""
    deck = view.deck_sizes[0]
    from_deck = min(board.tunnel_cards, deck)
    odds = _drawn(unseen(board, view), colour, from_deck)
    from_discards = min(board.tunnel_cards - from_deck, view.discards.total())
    if from_discards > 0:  # the deck runs out: the rest comes from the discards, shuffled
        odds = _both(odds, _drawn(_by_colour(view.discards), colour, from_discards))
    return tuple(odds)


def _drawn(cards: Counter[str], colour: str, count: int) -> list[float]:
    """Return the probabilities of each number of matches among `count` cards drawn."""
    matching = cards["wild"] + (cards[colour] if colour != "wild" else 0)
    total = cards.total()
    count = min(count, total)
    if not count:
        return [1.0]
    return [comb(matching, n) * comb(total - matching, count - n) / comb(total, count) for n in range(count + 1)]


def _both(first: list[float], second: list[float]) -> list[float]:
    chances = [0.0] * (len(first) + len(second) - 1)
    for n, chance in enumerate(first):
        for m, other in enumerate(second):
            chances[n + m] += chance * other
    return chances
