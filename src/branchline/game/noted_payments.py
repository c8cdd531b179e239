"""What was paid in a game that is reconstructed: as it was noted, or as it is likely."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from branchline.atlas.tables import KINDS, MARKED, TRAIN
from branchline.atlas.wording import worded
from branchline.game.cards import cards_text
from branchline.game.dealt_cards import DealtCards
from branchline.game.demands import DRIVEN_OUT
from branchline.game.errors import NotationError
from branchline.game.notation import Notation, Turn
from branchline.game.payments import Payment, payments_for
from branchline.rules import state as at
from branchline.rules.cards import deck_of

MOST_PAYMENTS = 400  # looked at where a payment was not noted
FEW_DRIVEN_OUT = 20  # demands, for the sake of one of these

Cards = tuple[tuple[int, int], ...]
"""Kinds and numbers."""


class NotFoundError(NotationError):
    """This luck led nowhere; another may."""


class NotedPayments:
    """Chooses how something is paid for, and has the hand hold the cards."""

    def __init__(self, notation: Notation, cards: DealtCards) -> None:
        """Of a game that has just been dealt."""
        self.notation, self.board, self.cards = notation, notation.board, cards
        self.game, self.luck = cards.game, cards.luck
        self.guessed = False  # whether a payment was chosen that was not noted

    def _who(self, turn: Turn) -> str:
        return self.notation.names[turn.seat]

    def settle(self, turn: Turn, number: int, paid: Cards | None) -> Payment:
        """The payment that was noted, or a likely one; the hand holds it then."""
        who = self._who(turn)
        held = sum(int(self.game._plain.hand_size[turn.seat, deck]) for deck in range(2))
        ways, why = self._ways(turn, number, None if paid is None else dict(paid))
        if paid is not None:
            self._can_have(turn, paid, held)
            ways = tuple(way for way in ways if way.cards == paid) or self._any_order(ways, paid)
            if not ways:
                _, why = self._ways(turn, number, None)
                raise NotationError(
                    turn.line,
                    why
                    or worded(
                        "{who}: {cards} does not pay the price exactly",
                        who=who,
                        cards=cards_text(dict(paid)),
                    ),
                )
        elif not ways:
            if why:
                raise NotationError(turn.line, why)
            raise NotationError(
                turn.line,
                worded(
                    "{who} cannot have paid for this: {held} cards in hand, and none of them can be the right ones",
                    who=who,
                    held=held,
                ),
            )
        else:
            self.guessed = True
        for way in sorted(ways, key=lambda one: self._unlikely(turn, one)):
            if self.cards.have(
                turn.seat, self._beyond(number, way), DRIVEN_OUT if paid is not None else FEW_DRIVEN_OUT
            ):
                return way
        if paid is None:
            raise NotFoundError(
                turn.line,
                worded("{who} paid for this; no deal was found in which the cards can have been there", who=who),
            )
        raise NotFoundError(
            turn.line,
            worded(
                "{who} paid {cards}; no deal was found in which these can have been drawn by then",
                who=who,
                cards=cards_text(dict(paid)),
            ),
        )

    def _any_order(self, ways: Sequence[Payment], paid: Cards) -> tuple[Payment, ...]:
        """Payments that are those noted but for port marks, which nobody minds where they are not asked for."""
        plain = _unmarked(paid)
        return tuple(way for way in ways if _unmarked(way.cards) == plain) if plain == paid else ()

    def _can_have(self, turn: Turn, paid: Cards, held: int) -> None:
        """Refuse what is certain: more cards than are in hand, or of one kind than the box can have brought there."""
        for deck in range(2):
            asked = [(kind, count) for kind, count in paid if deck_of(kind) == deck]
            have = int(self.game._plain.hand_size[turn.seat, deck])
            if sum(count for _, count in asked) > have:
                raise NotationError(
                    turn.line,
                    worded(
                        "{who} paid {cards}, but can have drawn only {have} cards by then",
                        who=self._who(turn),
                        cards=cards_text(dict(asked)),
                        have=have,
                    ),
                )
        for kind, count in paid:
            possible = self.cards.possible(turn.seat, kind)
            if count > possible:
                raise NotationError(
                    turn.line,
                    worded(
                        "{who} paid {cards}, but can have had {have} of these at most by then",
                        who=self._who(turn),
                        cards=cards_text({kind: count}),
                        have=possible,
                    ),
                )

    def _ways(self, turn: Turn, number: int, paid: dict[int, int] | None) -> tuple[tuple[Payment, ...], str]:
        """All ways to pay with these cards, or with the best hand that may be there; and why there is none."""
        mark = self.game.state.tobytes()
        state = self.game._plain
        laid = [int(state.laid[kind]) for kind in range(KINDS)]
        for kind in range(KINDS):
            possible = self.cards.possible(turn.seat, kind) if paid is None else paid.get(kind, 0) + laid[kind]
            state.hand[turn.seat, kind] = possible
        self.game._legal = None
        why = ""
        try:
            if number == at.PAY_EXTRA:
                return payments_for(self.board, self.game._buffer, number, MOST_PAYMENTS), ""
            if number in self.game.legal.numbers:
                return payments_for(self.board, self.game._buffer, number, MOST_PAYMENTS), ""
            why = worded("{who}: {why}", who=self._who(turn), why=self.game.why_not(number))
            return (), why
        finally:
            self.cards.restore(mark)

    def _beyond(self, number: int, way: Payment) -> Cards:
        """What the hand must hold for a payment: for a tunnel's extra, beside what is laid open."""
        if number != at.PAY_EXTRA:
            return way.cards
        shown = Counter({kind: int(self.game._plain.laid[kind]) for kind in range(KINDS)})
        return tuple(sorted((+(shown + Counter(dict(way.cards)))).items()))

    def _unlikely(self, turn: Turn, way: Payment) -> float:
        """The less, the likelier: few wilds, cards that were seen in the hand, colours not needed later."""
        known = self.cards.known(turn.seat)
        needed = self._needed_later(turn)
        score = 3.0 * way.wilds + self.luck.random()
        for kind, count in way.cards:
            seen = min(count, known[kind])
            score += (count - seen) - 0.5 * seen + 2.0 * min(count, needed[kind])
            spare = self.cards.possible(turn.seat, kind) - count
            score += 4.0 if spare < 0 else 0.0
        return score

    def _needed_later(self, turn: Turn) -> Counter[int]:
        """What the seat is noted to pay within its next turns."""
        found: Counter[int] = Counter()
        for later in self.notation.turns:
            if later.seat == turn.seat and later.line > turn.line and later.paid is not None:
                found.update(dict(later.paid))
                if sum(found.values()) > 15:
                    break
        return found


def _unmarked(cards: Sequence[tuple[int, int]]) -> Cards:
    """The cards without port marks."""
    found: Counter[int] = Counter()
    for kind, count in cards:
        found[kind - MARKED + TRAIN if MARKED <= kind < 2 * MARKED else kind] += count
    return tuple(sorted(found.items()))
