"""What of a noted game does not depend on cards: whose turn, routes, pieces, prices, tickets, the end.

The rules play it with cards that are always there. What they refuse here is impossible for certain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from branchline.boards import COLOURS
from branchline.boards.faults import BranchlineError
from branchline.boards.tables import KINDS, MARKED, SHIP, WILD_KIND
from branchline.boards.wording import worded
from branchline.game.cards import cards_text
from branchline.game.errors import IllegalAction, NotationError
from branchline.game.game import Game
from branchline.game.payments import payments_for
from branchline.game.reasons import IMPOSSIBLE
from branchline.game.record import PAYING
from branchline.rules import state as at
from branchline.rules.cards import deck_of
from branchline.rules.passengers import NONE
from branchline.tabletop import notation as noted
from branchline.tabletop.notation import CardDrawn, Choice, Notation, Turn
from branchline.tabletop.payment_ways import Cards, Price, Size, all_ways, by_size, marked_ways, price_of, size_of
from branchline.tabletop.ticket_choices import TicketChoices

FLEETS, PASSENGERS, PAYMENTS = "fleets", "passengers", "payments"


@dataclass(frozen=True)
class NotedDeed:
    """A turn, and the actions that it certainly is."""

    turn: Turn
    numbers: tuple[int, ...] = ()  # all of the turn but cards; behind a payment
    number: int = -1  # what is paid for
    price: Price | None = None
    ways: tuple[Cards, ...] = ()  # as noted; none: any
    extra: int | None = None  # cards that the tunnel asked more; None: not known
    tunnel: bool = False

    def sizes(
        self, game_ways: Callable[[Price, int], dict[Size, tuple[Cards, ...]]], extra: int
    ) -> dict[Size, tuple[Cards, ...]]:
        """Return the ways to pay by how many cards of each deck they take."""
        if self.ways:
            return by_size(list(self.ways))
        assert self.price is not None
        return game_ways(self.price, extra)


class NotedCourse:
    """The whole game, but for cards."""

    def __init__(self, notation: Notation, seed: int) -> None:
        """Begin the course. Raise `NotationError` at what is impossible whatever the cards."""
        self.notation, self.board, self.seed = notation, notation.board, seed
        luck = Random(seed)
        tickets = list(self.board.tickets)
        luck.shuffle(tickets)
        self.decks: dict[str, tuple[str, ...]] = {"tickets": tuple(ticket.name for ticket in tickets)}
        taken = [passenger for turn in notation.turns for passenger in turn.passengers]
        if taken:
            self.decks["passengers"] = tuple(
                f"{self.board.places[place].name} {COLOURS[colour]}" for place, colour in taken
            )
        self.imagined: set[str] = {PASSENGERS} if self.board.passengers else set()
        self.line, self.who = notation.turns[0].line, ""
        self.tickets = TicketChoices(notation, luck)
        self.game = self.new_game(self.decks)
        self.prepared: list[int] = []
        self.deeds: list[NotedDeed] = []
        self.stations = [0] * len(notation.names)
        self.most = [[int(n) * 1 for n in self.board.cards.hand] for _ in notation.names]  # cards in hand, at most
        self._cache: dict[tuple[Price, int], dict[Size, tuple[Cards, ...]]] = {}
        self._play()

    def ways(self, price: Price, extra: int) -> dict[Size, tuple[Cards, ...]]:
        """Return all ways to pay a price, by size."""
        key = price, extra
        if key not in self._cache:
            self._cache[key] = by_size(all_ways(self.board, price, extra))
        return self._cache[key]

    def new_game(self, decks: dict[str, tuple[str, ...]]) -> Game:
        """Return a game set up with these decks."""
        notation = self.notation
        try:
            return Game(self.board, len(notation.names), self.seed, first_seat=notation.first_seat, decks=decks)
        except BranchlineError as error:
            raise NotationError(0, error.message) from None

    # -------------------------------------------------------------------------------------------- playing

    def _play(self) -> None:
        self._start()
        for turn in self.notation.turns:
            self.line, self.who = turn.line, self.notation.names[turn.seat]
            if self.game.over:
                raise NotationError(turn.line, worded("the game ended before this turn"))
            self._lay_cards(0)
            self.deeds.append(_TURNS[turn.what](self, turn))
        self.tickets.identities(self.game)

    def _start(self) -> None:
        while self.game.question.kind != "turn":
            question = self.game.question
            assert question.seat is not None
            start = self.notation.starts[question.seat]
            self.line, self.who = start.line or self.line, self.notation.names[question.seat]
            if question.kind == "mix":
                self._mix(start.choice, self.prepared)
            elif question.kind == "keep_tickets":
                self._keep(start.choice, self.prepared)
            else:
                self._fleet(question.seat, start.fleet)

    def _do(self, number: int, done: list[int]) -> None:
        try:
            self.game.play(number)
        except IllegalAction:
            raise NotationError(
                self.line, worded("{who}: {why}", who=self.who, why=self.game.why_not(number))
            ) from None
        done.append(number)

    def _lay_cards(self, colour: int, count: int = 40) -> None:
        """Lay enough cards in the decks, all of one kind, and a market without wilds."""
        state, board = self.game._plain, self.board
        for deck in range(2 if board.cards.two_decks else 1):
            for n in range(count):
                state.deck[deck, n] = colour if deck == 0 else SHIP + COLOURS.index(board.cards.colours[0])
            state.deck_size[deck] = count
            state.discard_size[deck] = 0
        for kind in range(KINDS):
            state.discards[kind] = 0
        plain = COLOURS.index(board.cards.colours[0])
        for slot in range(sum(board.cards.market)):
            state.market[slot] = plain if count else at.NO_CARD
        self.game._legal = None

    def _hold(self, seat: int, cards: dict[int, int]) -> None:
        state = self.game._plain
        for kind in range(KINDS):
            state.hand[seat, kind] = cards.get(kind, 0)
            state.laid[kind] = 0
        for deck in range(2):
            state.hand_size[seat, deck] = sum(count for kind, count in cards.items() if deck_of(kind) == deck)
        self.game._legal = None

    # -------------------------------------------------------------------------------------------- cards

    def _draw(self, turn: Turn) -> NotedDeed:
        drawn = turn.drawn
        first_wild = drawn[0].openly and drawn[0].kind == WILD_KIND
        if len(drawn) > 1 and first_wild:
            raise NotationError(turn.line, worded("{who} drew {n} card; that ended the turn", who=self.who, n=1))
        if len(drawn) > 1 and drawn[1].openly and drawn[1].kind == WILD_KIND:
            raise NotationError(
                turn.line, worded("{who} took a wild card from the market as the second card", who=self.who)
            )
        self._count_drawn(turn)
        if len(drawn) == 1 and not first_wild and drawn[0] != CardDrawn() and self._must_be_left():
            raise NotationError(
                turn.line,
                worded(
                    "{who} drew only one card; a turn draws two unless the first is a wild card from the market",
                    who=self.who,
                ),
            )
        state = self.game._plain
        state.market[0] = WILD_KIND
        self.game._legal = None
        done: list[int] = []
        self._do(at.TAKE, done)
        if self.game.question.kind == "refill":
            self._do(at.REFILL_FROM, done)
        return NotedDeed(turn)

    def _count_drawn(self, turn: Turn) -> None:
        for card in turn.drawn:
            deck = card.deck if card.kind is None else deck_of(card.kind)
            for n in range(2):
                self.most[turn.seat][n] += deck in (n, noted.ANY_DECK) and (n == 0 or self.board.cards.two_decks)

    def _must_be_left(self) -> bool:
        """Return whether cards are certainly left in the decks, however few were paid."""
        if any(
            card.deck == noted.ANY_DECK and card.kind is None for turn in self.notation.turns for card in turn.drawn
        ):
            held = (
                sum(max(sizes) for sizes in self.most)
                if self.board.cards.two_decks
                else sum(sizes[0] for sizes in self.most)
            )
        else:
            held = sum(sum(sizes) for sizes in self.most)
        return bool(self.board.cards.total - held > sum(self.board.cards.market))

    # -------------------------------------------------------------------------------------------- paying

    def _claim(self, turn: Turn) -> NotedDeed:
        route = turn.route
        assert route is not None
        tunnel = route.kind == "tunnel" and self.board.tunnel_cards > 0
        return self._pay(turn, at.CLAIM + route.index, price_of(self.board, route), tunnel)

    def _build(self, turn: Turn) -> NotedDeed:
        assert turn.place is not None
        if turn.what == noted.PORT:
            ports = self.board.ports
            assert ports is not None
            price = Price(port=(ports.train_cards, ports.ship_cards))
            return self._pay(turn, at.PORT + turn.place.index, price, False)
        stations = self.board.stations
        assert stations is not None
        built = int(self.game._plain.stations_built[turn.seat])
        price = Price(stations.prices[min(built, len(stations.prices) - 1)])
        return self._pay(turn, at.STATION + turn.place.index, price, False)

    def _pay(self, turn: Turn, number: int, price: Price, tunnel: bool) -> NotedDeed:
        copies = self.board.tables[0].copies
        self._hold(turn.seat, {kind: int(copies[kind]) for kind in range(KINDS)})
        if number not in self.game.legal.numbers:
            raise NotationError(turn.line, worded("{who}: {why}", who=self.who, why=self.game.why_not(number)))
        base, extra = split(turn, price) if tunnel else (turn.paid, 0)
        self._can_have(turn, price, 0 if turn.what == noted.WITHDRAW else extra or 0)  # what it asked was not paid
        noted_ways = self._noted(turn, number, base) if base is not None else ()
        way = noted_ways[0] if noted_ways else next(iter(self.ways(price, 0).values()))[0]
        total = tuple(marked_ways(self.board, turn.paid)) if turn.paid is not None and tunnel else noted_ways
        numbers: list[int] = []
        colour = next((kind % MARKED for kind, _ in way if kind != WILD_KIND), -1)
        other = next(
            COLOURS.index(colour_name)
            for colour_name in self.board.cards.colours
            if COLOURS.index(colour_name) != colour
        )
        self._lay_cards(WILD_KIND if turn.what == noted.WITHDRAW else other)
        self._hold(turn.seat, dict(way))
        self._paid(number, way)
        if turn.what == noted.WITHDRAW:
            self._do(at.WITHDRAW, [])
        wanted = dict(turn.passengers)
        while self.game.question.kind == "passenger" and self.game.question.seat == turn.seat:
            place = self.game.question.place
            assert place is not None
            self._do(at.PICK_PASSENGER + wanted.get(place.index, NONE), numbers)
        if turn.paid is None:
            self.imagined.add(PAYMENTS)
        return NotedDeed(turn, tuple(numbers), number, price, total, extra, tunnel)

    def _paid(self, number: int, way: Cards) -> None:
        try:
            self.game.play(number)
            while self.game.question.kind in PAYING:
                ways = payments_for(self.board, self.game._buffer, None)
                self.game.play(next(payment for payment in ways if payment.cards == way).answers[0])
        except (IllegalAction, StopIteration) as error:
            why = error.why if isinstance(error, IllegalAction) else IMPOSSIBLE()
            raise NotationError(self.line, worded("{who}: {why}", who=self.who, why=why)) from None

    def _noted(self, turn: Turn, number: int, base: Cards) -> tuple[Cards, ...]:
        """Return the payment that was noted, whatever its port marks may be.

        Raise `NotationError` where it does not pay.
        """
        ways = []
        for way in marked_ways(self.board, base):
            self._hold(turn.seat, dict(way))
            legal = number in self.game.legal.numbers
            if legal and any(
                payment.cards == way for payment in payments_for(self.board, self.game._buffer, number, 400)
            ):
                ways.append(way)
        if not ways:
            raise NotationError(
                turn.line,
                worded("{who}: {cards} does not match the price exactly", who=self.who, cards=cards_text(dict(base))),
            )
        return tuple(ways)

    def _can_have(self, turn: Turn, price: Price, extra: int) -> None:
        """Refuse what is certain: more cards than can be in hand, or of one kind than are in the box."""
        if turn.paid is None:
            sizes = self.ways(price, extra)
            least = [min(size[deck] for size in sizes) for deck in range(2)]
            if min(sum(size) for size in sizes) > sum(self.most[turn.seat]):
                raise NotationError(
                    turn.line,
                    worded(
                        "{who} cannot have paid for this: none of the {held} cards in hand can be the right ones",
                        who=self.who,
                        held=sum(self.most[turn.seat]),
                    ),
                )
        else:
            least = list(size_of(turn.paid))
            self._noted_can_be(turn, turn.paid)
        if turn.what != noted.WITHDRAW:
            for deck in range(2):
                self.most[turn.seat][deck] -= least[deck]

    def _noted_can_be(self, turn: Turn, paid: Cards) -> None:
        for deck in range(2):
            asked = {kind: count for kind, count in paid if deck_of(kind) == deck}
            have = self.most[turn.seat][deck]
            if sum(asked.values()) > have:
                raise NotationError(
                    turn.line,
                    worded(
                        "{who} paid {cards}, but can have drawn at most {have} cards by then",
                        who=self.who,
                        cards=cards_text(asked),
                        have=have,
                    ),
                )
        for kind, count in paid:
            possible = int(self.board.tables[0].copies[kind])
            if self.board.tables[0].port_marks and kind < MARKED:
                possible += int(self.board.tables[0].copies[kind + MARKED])
            if count > possible:
                raise NotationError(
                    turn.line,
                    worded(
                        "{who} paid {cards}, but can have had at most {have} of these by then",
                        who=self.who,
                        cards=cards_text({kind: count}),
                        have=possible,
                    ),
                )

    # -------------------------------------------------------------------------------------------- tickets and pieces

    def _draw_tickets(self, turn: Turn) -> NotedDeed:
        done: list[int] = []
        self._do(at.DRAW_TICKETS, done)
        if self.game.question.kind == "mix":
            self._mix(turn.choice, done)
        if self.game.question.kind == "keep_tickets" and self.game.question.seat == turn.seat:
            self._keep(turn.choice, done)
        return NotedDeed(turn, tuple(done))

    def _mix(self, choice: Choice, done: list[int]) -> None:
        seat = self.game.question.seat
        assert seat is not None
        mixes = [number - at.MIX for number in self.game.legal.numbers]
        if choice.mix is not None and choice.mix not in mixes:
            raise NotationError(self.line, worded("{who}: this mix of tickets cannot be drawn now", who=self.who))
        self._do(at.MIX + (self.tickets.mix(seat, mixes) if choice.mix is None else choice.mix), done)

    def _keep(self, choice: Choice, done: list[int]) -> None:
        self._do(self.tickets.answer(self.game.question, choice, self.line), done)

    def _fleet(self, seat: int, trains: int | None) -> None:
        if trains is None:
            self.imagined.add(FLEETS)
            trains = likely_fleet(
                self.notation, seat, [number - at.TRAINS_IN_FLEET for number in self.game.legal.numbers]
            )
        self._do(at.TRAINS_IN_FLEET + trains, self.prepared)

    def _swap(self, turn: Turn) -> NotedDeed:
        done: list[int] = []
        self._do(at.SWAP_PIECES, done)
        self._do(turn.swapped, done)
        return NotedDeed(turn, tuple(done))

    def _pass(self, turn: Turn) -> NotedDeed:
        self._lay_cards(0, 0)
        self._hold(turn.seat, {})
        done: list[int] = []
        self._do(at.PASS, done)
        return NotedDeed(turn, tuple(done))


def likely_fleet(notation: Notation, seat: int, numbers: list[int]) -> int:
    """Return the trains, of these numbers, that suffice for what the seat builds, as far as any does.

    What is left over is shared out between trains and ships.
    """
    whole = notation.board.pieces.fleet
    used, most = [0, 0], [0, 0]
    for turn in notation.turns:
        if turn.seat == seat and turn.what == noted.CLAIM and turn.route is not None:
            used[turn.route.kind == "sea"] += turn.route.length
        elif turn.seat == seat and turn.what == noted.SWAP:
            kind, count = divmod(turn.swapped - at.SWAP_FOR, at.MAX_SWAP)
            used[kind] -= count + 1
            used[1 - kind] += count + 1
        most = [max(need, other) for need, other in zip(most, used, strict=True)]
    fitting = [trains for trains in numbers if most[0] <= trains <= whole - most[1]] or numbers
    middle = most[0] + (whole - sum(most)) / 2
    return int(min(fitting, key=lambda trains: abs(trains - middle)))


_TURNS: dict[str, Callable[[NotedCourse, Turn], NotedDeed]] = {
    noted.DRAW: NotedCourse._draw,
    noted.CLAIM: NotedCourse._claim,
    noted.WITHDRAW: NotedCourse._claim,
    noted.STATION: NotedCourse._build,
    noted.PORT: NotedCourse._build,
    noted.TICKETS: NotedCourse._draw_tickets,
    noted.SWAP: NotedCourse._swap,
    noted.PASS: NotedCourse._pass,
}


def split(turn: Turn, price: Price) -> tuple[Cards | None, int | None]:
    """Return what of a payment was laid before the cards were turned, and how many more the tunnel asked."""
    if turn.what == noted.WITHDRAW:
        return turn.paid, 1
    if turn.paid is None:
        return None, None
    return split_cards(turn.paid, price)


def split_cards(paid: Sequence[tuple[int, int]], price: Price) -> tuple[Cards, int]:
    """Return the same split of cards."""
    left = Counter(dict(paid))
    extra = sum(left.values()) - price.spaces
    wilds = left.pop(WILD_KIND, 0)
    base: Counter[int] = Counter({WILD_KIND: min(price.wilds, wilds)})
    for kind, count in sorted(left.items()):
        base[kind] = min(count, price.spaces - sum(base.values()))
    base[WILD_KIND] += min(wilds - base[WILD_KIND], price.spaces - sum(base.values()))
    return tuple(sorted((+base).items())), max(0, extra)
