"""All of a noted game at once: cards are laid out from the first turn to the last, then their kinds are looked for.

The cards are laid out as the notes have them (`noted_table`), and kinds are looked for with which all of it
can have been
(`demands`). At last the rules play the whole game, and only what they accept is a record.
"""

from __future__ import annotations

import time
from collections import defaultdict
from random import Random

from branchline.boards.faults import BranchlineError
from branchline.boards.tables import WILD_KIND
from branchline.game.errors import IllegalAction
from branchline.game.game import Game
from branchline.rules.cards import deck_of
from branchline.tabletop import notation as noted
from branchline.tabletop.deal_plan import DealPlan, MiscountError
from branchline.tabletop.demands import NEVER, Demands
from branchline.tabletop.kind_solver import KindSolver
from branchline.tabletop.notation import ANY_DECK, CardDrawn
from branchline.tabletop.noted_course import NotedCourse
from branchline.tabletop.noted_table import NotedTable
from branchline.tabletop.payment_ways import size_of
from branchline.tabletop.rules_judge import AnotherLuckError, DealLayout, played

PLANS = 400
"""How often what was not noted is thought of otherwise because the numbers of cards did not agree."""

ROUNDS = 60
"""How often a deal that was found is laid out again until it is the same, and the rules accept it."""

TRAINS = (5, 4, 6, 3, 2)
"""How many train cards lie in a market of two decks, as people fill it from either: of six, three are new ones."""

STEADILY = 0.6
"""How likely they stay as many, once each of these has been tried."""

FREEDOM = (0.06, 0.12, 0.25, 0.12, 0.5, 0.25, 1.0)
"""How many cards are left open that may have come from the market: the more, the slower."""

SWEPT_FIRST = 6
"""Every so many attempts the market is thought to have been swept once before the first turn."""

A_SOLUTION = 2.7
"""Seconds of processor time for the kinds of one deal; another may be quicker."""

LUCK_TRIES = 12
"""So often other luck is tried where nothing fits the one that was chosen."""


class NothingFoundError(Exception):
    """This luck led nowhere; another may."""


class DealSearch:
    """One way to think of what nobody noted."""

    def __init__(
        self,
        course: NotedCourse,
        luck: Random,
        until: float,
        freedom: float,
        trains: int,
        steadily: float,
        first_sweeps: int = 0,
    ) -> None:
        """Search until so much processor time is used; `freedom`: see `Plan`.

        `trains`: about so many train cards lie in a market of two decks; `steadily`: how likely they stay so many.
        `first_sweeps`: so often the market was swept before the first turn, which nobody can note.
        """
        self.course, self.luck, self.until = course, luck, until
        self.failed: Exception | None = None
        self.plan = DealPlan(free=_worth_leaving_open(course, luck), freedom=freedom, first_sweeps=first_sweeps)
        self.plan.refills = _likely_refills(course, luck, trains, steadily)

    def reconstruction(self) -> tuple[Game, tuple[str, ...]]:
        """Lay out, solve, lay out what was found, until the rules accept it."""
        tries = LUCK_TRIES
        for _ in range(ROUNDS):
            table = self._counted()
            table.demands.begin()
            if self._solved(table.demands):
                self._keep(table)
                outcome = self._judged()
                if outcome is not None:
                    return outcome
                if not isinstance(self.failed, AnotherLuckError):
                    break
            else:
                if not self.plan.lucks or not tries:
                    break
                tries -= 1
                self._forget_luck()
            self._check_time()
        raise NothingFoundError

    def _judged(self) -> tuple[Game, tuple[str, ...]] | None:
        """Return what was found, if it can be laid out as it was settled and the rules accept it."""
        try:
            return self._played(NotedTable(self.course, self.plan, self.luck, settled=True))
        except MiscountError as error:
            self.failed = error
            return None

    def _forget_luck(self) -> None:
        """Forget the luck that was chosen last: it led nowhere."""
        last = self.plan.lucks[max(self.plan.lucks)][0]
        self.plan.lucks = {n: seeds for n, seeds in self.plan.lucks.items() if seeds[0] != last}

    def _solved(self, demands: Demands) -> bool:
        """Return whether kinds were found."""
        model = KindSolver(demands, int(self.course.board.tables[0].copies[WILD_KIND]))
        return model.solve(min(A_SOLUTION, self.until - time.process_time())) is True

    def _check_time(self) -> None:
        if time.process_time() > self.until:
            raise NothingFoundError

    def _keep(self, table: NotedTable) -> None:
        demands = table.demands
        drawn: dict[int, list[tuple[int, int]]] = defaultdict(list)  # by shuffle, when, and which kind
        for card, moment in table.drawn_at.items():
            shuffle, kind = demands.shuffle[card], demands.kind[card]
            if deck_of(kind) != table.shuffle_deck[shuffle]:
                shuffle = demands.other[card]
            drawn[shuffle].append((moment, kind))
        for n, cards in table.order.items():
            rest = demands.rest.get(n)
            if rest is None:
                rest = [demands.kind[card] for card in cards if demands.holder[card] == NEVER]
            self.plan.deals[n] = [kind for _, kind in sorted(drawn[n])] + rest
        for card, (deed, n, openly) in table.filled.items():
            deck = deck_of(demands.kind[card])
            if openly or deck != table.shuffle_deck[demands.shuffle[card]]:
                self.plan.refills[deed, n] = deck
        paying = [n for n, deed in enumerate(self.course.deeds) if deed.number >= 0]
        self.plan.paid = {n: purchase.cards for n, purchase in zip(paying, demands.purchases, strict=True)}
        self.plan.sizes.update({n: size_of(cards) for n, cards in self.plan.paid.items()})
        self.plan.taken = {}
        for exchange in demands.exchanges:
            kind = demands.kind[exchange.card]
            taken = kind if exchange.taken is None else exchange.taken
            if exchange.openly or taken != kind:
                self.plan.taken[exchange.where] = taken

    # -------------------------------------------------------------------------------------------- numbers of cards

    def _counted(self) -> NotedTable:
        """Return a deal in which the numbers of cards agree with the notes."""
        furthest, best = -1, self.plan.copy()
        for _ in range(PLANS):
            try:
                return NotedTable(self.course, self.plan, self.luck)
            except MiscountError as error:
                if error.deed >= furthest:
                    furthest, best = error.deed, self.plan.copy()
                else:
                    self.plan = best.copy()
                    continue
                if not self._think_again(error):
                    break
            self._check_time()
        raise NothingFoundError

    def _think_again(self, error: MiscountError) -> bool:
        """Change what was thought of a turn before; whether there was anything to change."""
        choices: list[tuple[str, object, object]] = []
        plan = self.plan
        for n, deed in enumerate(self.course.deeds[: error.deed + 1]):
            if deed.number < 0 or (error.seat >= 0 and deed.turn.seat != error.seat):
                continue
            extra = deed.extra if deed.extra is not None else plan.extras.get(n, 0)
            sizes = deed.sizes(self.course.ways, 0 if deed.turn.what == noted.WITHDRAW else extra)
            now = plan.sizes.get(n)
            if now is not None and len(sizes) > 1:
                choices += [("size", n, size) for size in sizes if self._helps(error, now, size)]
            if deed.tunnel and deed.extra is None and now is not None:
                extra_now = extra + (1 if error.more else -1)
                if 0 <= extra_now <= self.course.board.tunnel_cards:
                    choices.append(("extra", n, extra_now))
        for where, deck in plan.decks.items():
            before = where[0] < error.deed
            theirs = error.seat < 0 or self.course.deeds[where[0]].turn.seat == error.seat
            helps = (error.seat >= 0) == (deck != error.deck) and error.deck != ANY_DECK
            if before and theirs and helps:
                choices.append(("deck", where, 1 - deck))
        choices += [("refill", where, None) for where in plan.refills if where[0] <= error.deed]
        if not choices:
            return False
        part, key, new = self.luck.choice(choices)
        if part == "refill":
            del plan.refills[key]  # type: ignore[arg-type]
            return True
        getattr(plan, {"size": "sizes", "extra": "extras", "deck": "decks"}[part])[key] = new
        if part == "extra":
            plan.sizes.pop(key, None)  # type: ignore[call-overload]
        return True

    @staticmethod
    def _helps(error: MiscountError, now: tuple[int, int], new: tuple[int, int]) -> bool:
        """Return whether a payment of another size would bring back more cards, or take fewer."""
        decks = range(2) if error.deck == ANY_DECK else (error.deck,)
        difference = sum(new[deck] - now[deck] for deck in decks)
        return difference > 0 if error.more else difference < 0

    # -------------------------------------------------------------------------------------------- the rules play it

    def _played(self, table: NotedTable) -> tuple[Game, tuple[str, ...]] | None:
        """Return the record, if the rules accept it."""
        demands = table.demands
        layout = DealLayout(
            table.acts,
            demands.kind,
            demands.holder,
            demands.shuffle,
            table.order,
            table.shuffle_deck,
            table.shuffle_step,
            table.drawn_step,
            table.place,
            self.plan.lucks,
        )
        try:
            return played(self.course, layout, self.luck, self.until)
        except (IllegalAction, BranchlineError, StopIteration) as error:
            self.failed = error
            return None


def solved_game(course: NotedCourse, seed: int, until: float) -> tuple[Game, tuple[str, ...]] | None:
    """Search with other thoughts again and again; the game as the rules play it, and what of it was imagined."""
    n = 0
    while time.process_time() < until:
        freedom, trains = FREEDOM[n % len(FREEDOM)], TRAINS[n % len(TRAINS)]
        steadily, swept = 1.0 if n < len(TRAINS) else STEADILY, int(n % SWEPT_FIRST == SWEPT_FIRST - 1)
        search = DealSearch(course, Random(f"{seed} {n}"), until, freedom, trains, steadily, swept)
        try:
            return search.reconstruction()
        except NothingFoundError:
            n += 1
    return None


LAST = 5
"""So many cards before a wild one was taken, or the market swept, the market must be able to change."""

SOME = 0.25
"""With as much freedom, only these cards are left open."""


def _worth_leaving_open(course: NotedCourse, luck: Random) -> dict[tuple[int, int], float]:
    """Return the freedom above which it is left open whether a card came from the deck or the market."""
    freedom: dict[tuple[int, int], float] = {}
    before: list[tuple[int, int]] = []
    for where, card in _drawn_cards(course):
        if card.sweeps or (card.openly and card.kind == WILD_KIND):
            freedom.update({key: SOME * k / LAST for k, key in enumerate(reversed(before[-LAST:]))})
            before = []
        elif not card.openly and not card.blind:
            before.append(where)
            freedom[where] = luck.uniform(SOME, 1)
    return freedom


def _drawn_cards(course: NotedCourse) -> list[tuple[tuple[int, int], CardDrawn]]:
    return [((n, m), card) for n, deed in enumerate(course.deeds) for m, card in enumerate(deed.turn.drawn)]


def _likely_refills(course: NotedCourse, luck: Random, trains: int, steadily: float) -> dict[tuple[int, int], int]:
    """Think of places of the market that were filled from the other deck, so that about so many trains lie there.

    That decides when a deck has run out. `steadily`: how likely it stays the same number from one sweep to the next.
    """
    refills: dict[tuple[int, int], int] = {}
    lie, wanted = course.board.cards.market[0], trains
    for where, card in _drawn_cards(course) if course.board.cards.two_decks else ():
        taken = card.deck if card.kind is None else deck_of(card.kind)
        if not card.blind and taken != ANY_DECK:
            refill = card.refill
            if refill == ANY_DECK:
                refill = taken
                if taken == 0 and lie - card.openly >= wanted + (not card.openly):
                    refill = 1
                elif taken == 1 and lie < wanted:
                    refill = 0
                if refill != taken or card.openly:
                    refills[where] = refill
            lie += (refill == 0) - (taken == 0)
        if card.sweeps:
            lie = course.board.cards.market[0]
            wanted = trains if luck.random() < steadily else trains + luck.choice((-1, 1))
    return refills
