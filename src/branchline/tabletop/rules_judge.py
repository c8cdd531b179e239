"""A deal that was laid out is played by the rules, action by action: they are the judge of what was thought out.

Where an action shuffles discards, luck is looked for that brings to the top what was planned; the rest is stacked.
"""

from __future__ import annotations

import math
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from branchline.boards.faults import BranchlineError
from branchline.boards.tables import KINDS, WILD_KIND
from branchline.game.cards import card_name
from branchline.game.errors import IllegalAction
from branchline.game.game import Game
from branchline.game.payments import payments_for
from branchline.game.record import PAYING
from branchline.game.stacking import IMAGINED
from branchline.rules import chance, log
from branchline.rules import state as at
from branchline.rules.cards import deck_of
from branchline.tabletop import notation as noted
from branchline.tabletop.deal_plan import Act
from branchline.tabletop.noted_course import NotedCourse, split_cards
from branchline.tabletop.payment_ways import Cards
from branchline.tabletop.shuffle_luck import Wanted, luck_for

MOST_LUCK = 1000
"""Seeds tried where a shuffle happens in the middle of sweeps."""

CARDS = "cards"

Rows = Sequence[Sequence[int]]


@dataclass
class DealLayout:
    """A deal from the first turn to the last: which card is of which kind, and goes where. Cards are numbers."""

    acts: list[Act]
    kinds: list[int]  # by card
    holders: list[int]  # by card: a seat, or what is none
    shuffles: list[int]  # by card
    order: dict[int, list[int]]  # by shuffle, its cards as they are drawn
    shuffle_deck: list[int]
    shuffle_step: list[int]  # by shuffle, the action that shuffles: two for each act, the second answers a tunnel
    drawn_step: dict[int, int]  # by card, the action that draws it
    place: dict[int, tuple[int, int]]  # by card, the market and its row to which it came
    lucks: dict[int, tuple[int, list[int]]] = field(default_factory=dict)  # by shuffle, a seed and what it brings
    boxes: dict[int, list[int]] = field(default_factory=dict)  # by shuffle for which luck was chosen, all its kinds


def played(
    course: NotedCourse, layout: DealLayout, luck: Random, until: float = math.inf
) -> tuple[Game, tuple[str, ...]]:
    """Return the game, and what of it was imagined. Raise `IllegalAction` and the like where the rules refuse it.

    When so much processor time is used, no more seeds are tried.
    """
    names = course.tickets.identities(course.game)
    imagined = tuple(sorted({CARDS} | course.imagined | course.tickets.imagined))
    decks = {
        **course.decks,
        "cards": tuple(
            card_name(layout.kinds[card]) for n in range(1 + course.board.cards.two_decks) for card in layout.order[n]
        ),
        "tickets": tuple(names[name] for name in course.decks["tickets"]),
        IMAGINED: imagined,
    }
    player = _Player(course, layout, luck, course.new_game(decks), until)
    player.play()
    return player.game, imagined


class AnotherLuckError(BranchlineError):
    """A shuffle that brings the cards asked for to the top was not found; another has been chosen."""


class _Player:
    """The rules play a deal that was found."""

    def __init__(self, course: NotedCourse, layout: DealLayout, luck: Random, game: Game, until: float) -> None:
        self.until = until
        self.course, self.layout, self.luck, self.game = course, layout, luck, game
        self.kinds = list(layout.kinds)
        self.step = -2  # as the table counts them
        self.next_shuffle = 1 + game.board.cards.two_decks
        self.left: list[list[int]] = [[], []]  # the cards of each deck, the next one first
        for deck in range(self.next_shuffle):
            size = int(game._plain.deck_size[deck])
            self.left[deck] = layout.order[deck][-size:] if size else []

    def play(self) -> None:
        """Play the whole game."""
        for number in self.course.prepared:
            self._do(number)
        for n, act in enumerate(self.layout.acts):
            self.step = 2 * n
            self._act(act)

    def _act(self, act: Act) -> None:
        deed = self.course.deeds[act.deed]
        if self.game.question.seat != deed.turn.seat:
            raise IllegalAction("it is the turn of another")
        if act.cards is None:
            self._do(act.number if act.kind is None else self._place_of(act.number, act.kind), act.sweeps)
            return
        cards = act.cards
        if deed.tunnel:
            assert deed.price is not None
            cards = split_cards(act.cards, deed.price)[0]
        self._pay(act.number, cards, act.sweeps)
        if self.game.question.kind != "tunnel":
            return
        self.step += 1
        if deed.turn.what == noted.WITHDRAW:
            self._do(at.WITHDRAW, act.sweeps)
        else:
            left = dict(act.cards)
            extra = tuple((kind, n) for kind, n in ((k, left[k] - dict(cards).get(k, 0)) for k in left) if n)
            self._pay(at.PAY_EXTRA, extra, act.sweeps)

    def _place_of(self, number: int, kind: int) -> int:
        """Return where in the market a card of this kind lies, if possible in the same row: luck may have laid it
        elsewhere.
        """
        market, slot = self.game._plain.market, number - at.TAKE
        first = self.game.board.cards.market[0]
        lying = [number for number in range(sum(self.game.board.cards.market)) if int(market[number]) == kind]
        return at.TAKE + min(
            lying, key=lambda number: (number != slot, (number < first) != (slot < first)), default=slot
        )

    def _pay(self, number: int, cards: Cards, sweeps: int) -> None:
        self._do(number, sweeps)
        while self.game.question.kind in PAYING:
            ways = payments_for(self.game.board, self.game._buffer, None)
            way = next((payment for payment in ways if payment.cards == cards), None)
            if way is None:
                raise IllegalAction("does not pay the price exactly")
            self._do(way.answers[0], sweeps)

    def _do(self, number: int, sweeps: int = 0) -> None:
        game = self.game
        n, before = len(game.actions), game.state_bytes
        game.play(number)
        rows = list(game.facts)
        if any(row[0] == log.RESHUFFLED for row in rows):
            self._shuffle(n, number, before, sweeps)
            return
        drawn_cards = self._followed(rows)
        if drawn_cards is None or not self._are_as_planned(drawn_cards):
            raise IllegalAction("another card was drawn")
        self._advance(rows)

    def _followed(self, rows: Rows) -> list[tuple[int, int]] | None:
        """Return the cards that were drawn, as they were laid out, and the kinds they turned out to be.

        None: other decks were shuffled, or other numbers of cards were drawn.
        """
        left, fresh = [list(cards) for cards in self.left], self.next_shuffle
        cards = []
        for row in rows:
            if row[0] == log.RESHUFFLED:
                order = self.layout.order.get(fresh, [])
                if len(order) != row[3] or self.layout.shuffle_deck[fresh] != row[2]:
                    return None
                left[row[2]] += order
                fresh += 1
        for deck, kind in _drawn(rows):
            if not left[deck]:
                return None
            cards.append((left[deck].pop(0), kind))
        return cards

    def _advance(self, rows: Rows) -> None:
        for row in rows:
            if row[0] == log.RESHUFFLED:
                self.left[row[2]] += self.layout.order[self.next_shuffle]
                self.next_shuffle += 1
        for deck, _ in _drawn(rows):
            self.left[deck].pop(0)

    def _are_as_planned(self, drawn_cards: list[tuple[int, int]]) -> bool:
        """Return whether the cards drawn are those of the plan, or lie otherwise only where it does not matter."""
        groups: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
        for card, kind in drawn_cards:
            groups[self._group(card)].append((card, kind))
        if any(
            sorted(self.kinds[card] for card, _ in group) != sorted(kind for _, kind in group)
            for group in groups.values()
        ):
            return False
        for card, kind in drawn_cards:
            self.kinds[card] = kind
        return True

    def _ends_as_planned(self, drawn_cards: list[tuple[int, int]]) -> bool:
        """Return whether after sweeps the market and the remaining cards are the same, whatever lay there in
        between.
        """
        last = max((self._group(card)[0] for card, _ in drawn_cards if card in self.layout.place), default=-1)
        groups: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
        for card, kind in drawn_cards:
            if self._group(card)[0] == last:
                groups[self._group(card)].append((self.kinds[card], kind))
        if any(sorted(entry for entry, _ in group) != sorted(entry for _, entry in group) for group in groups.values()):
            return False
        state, drawn = self.game._plain, {card for card, _ in drawn_cards}
        fresh = self.next_shuffle
        for deck in range(1 + self.game.board.cards.two_decks):
            order = list(self.left[deck])
            for row in self.game.facts:
                order += self.layout.order[fresh] if row[0] == log.RESHUFFLED and row[2] == deck else []
                fresh += row[0] == log.RESHUFFLED
            fresh = self.next_shuffle
            left = Counter(int(state.deck[deck, n]) for n in range(int(state.deck_size[deck])))
            if left != Counter(self.kinds[card] for card in order if card not in drawn):
                return False
        return True

    def _group(self, card: int) -> tuple[int, int]:
        """Return the group of a card: those that come in one action to one row of the market or one seat may come in
        any order.
        """
        return self.layout.place.get(card, (self.layout.holders[card], -1))

    def _shuffle(self, n: int, number: int, before: bytes, sweeps: int) -> None:
        """Choose luck that brings to the top what was settled; the rest is stacked."""
        game, lucks, first = self.game, self.layout.lucks, self.next_shuffle
        if first in lucks:
            cards = self._again(n, number, before, lucks[first][0])
            if cards is None or not self._are_as_planned(cards):
                raise IllegalAction("another card was drawn")
        else:
            cards = self._top_brought(n, number, before)
            if cards is None or _swept(game.facts) != sweeps:
                cards = self._any_luck(n, number, before, sweeps)
            if not (self._are_as_planned(cards) or self._ends_as_planned(cards)):
                self._note_luck(cards)
                raise AnotherLuckError("another luck")
        game.stacked[f"luck at {n}"] = (str(self.seed),)
        shuffled = [row[2] for row in game.facts if row[0] == log.RESHUFFLED]
        self._advance(game.facts)
        stacked = [card_name(self.kinds[card]) for deck in dict.fromkeys(shuffled) for card in self.left[deck]]
        if stacked and not game.over:
            game.stacked[f"cards at {len(game.actions)}"] = tuple(stacked)

    def _note_luck(self, cards: list[tuple[int, int]]) -> None:
        """Note what the shuffles of the action bring, and all that was shuffled."""
        layout, state = self.layout, self.game._plain
        decks = [row[2] for row in self.game.facts if row[0] == log.RESHUFFLED]
        for k, deck in enumerate(decks):
            shuffle = self.next_shuffle + k
            kinds = [kind for card, kind in cards if layout.shuffles[card] == shuffle]
            layout.lucks[shuffle] = self.seed, kinds
            left = [] if deck in decks[k + 1 :] else [int(state.deck[deck, n]) for n in range(state.deck_size[deck])]
            box = Counter(kinds + left)
            layout.boxes[shuffle] = [box[kind] for kind in range(KINDS)]

    def _again(self, n: int, number: int, before: bytes, seed: int) -> list[tuple[int, int]] | None:
        """Do the action with this luck instead."""
        game = self.game
        game._buffer.view("u1")[:] = bytearray(before)
        del game.actions[n:]
        game._legal = None
        chance.seed(game._state, seed)
        game.play(number)
        self.seed = seed
        return self._followed(game.facts)

    def _top_brought(self, n: int, number: int, before: bytes) -> list[tuple[int, int]] | None:
        """Return luck that brings the cards asked for to the top, or nearly."""
        layout = self.layout
        wanted: list[Wanted] = []
        for shuffle, step in enumerate(layout.shuffle_step):
            if step == self.step and shuffle >= self.next_shuffle:
                groups: dict[tuple[int, int], list[int]] = defaultdict(list)
                for card in layout.order[shuffle]:
                    if layout.drawn_step.get(card) == step:
                        groups[self._group(card)].append(self.kinds[card])
                wanted.append((sorted(self.kinds[card] for card in layout.order[shuffle]), list(groups.values())))
        return self._again(n, number, before, luck_for(wanted, self.luck)[0]) if wanted else None

    def _alike(self, card: int, kind: int) -> int:
        wanted = self.kinds[card]
        return (wanted == kind) + 2 * ((wanted == WILD_KIND) == (kind == WILD_KIND))

    def _any_luck(self, n: int, number: int, before: bytes, sweeps: int) -> list[tuple[int, int]]:
        """Return luck with which the market is swept as often as noted, the most similar of several."""
        first, best = self.luck.randrange(1 << 40), None
        for seed in range(first, first + MOST_LUCK):
            if seed % 32 == 0 and time.process_time() > self.until:
                break
            cards = self._again(n, number, before, seed)
            if cards is None or _swept(self.game.facts) != sweeps:
                continue
            alike = sum(self._alike(card, kind) for card, kind in cards)
            if best is None or alike > best[0]:
                best = alike, seed
                if alike == 3 * len(cards):
                    break
            if sweeps and self._ends_as_planned(cards):
                best = 0, seed
                break
        if best is None:
            raise IllegalAction("no luck was found with which the market is swept as often as noted")
        cards = self._again(n, number, before, best[1])
        assert cards is not None
        return cards


def _drawn(rows: Rows) -> list[tuple[int, int]]:
    """Return by deck the kinds of the cards that came from it."""
    kinds = [
        row[2] if row[0] == log.TURNED else row[3] for row in rows if row[0] in (log.DREW, log.TURNED, log.TURNED_UP)
    ]
    return [(deck_of(kind), kind) for kind in kinds]


def _swept(rows: Rows) -> int:
    """Return how often the market was swept: each sweep begins after a fact of another kind."""
    return sum(row[0] == log.SWEPT and (n == 0 or rows[n - 1][0] != log.SWEPT) for n, row in enumerate(rows))
