"""What happened, in sentences: for the log (with cards drawn) and for the live region (words alone)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from markupsafe import Markup

from branchline.boards import Board
from branchline.game import Event
from branchline.web.core.pages import components, labels
from branchline.web.core.pages.translation import N_, Translator
from branchline.web.core.seen import LogEntry, Player


@dataclass(frozen=True)
class LogWriter:
    """Tells events in one language, with cards drawn or in words alone."""

    words: Translator
    board: Board
    players: tuple[Player, ...]
    drawn: bool  # cards as pictures

    def entry(self, entry: LogEntry) -> list[Sentence]:
        """Return the sentences of one step."""
        if entry.kind != "action":
            sentence = self.words(_AT_THE_TABLE.get(entry.kind, _AT_THE_TABLE["other"]), name=self.name(entry.seat))
            return [Sentence(sentence, "", entry.kind)]
        sentences = []
        for event in entry.events:
            if event.kind == "market":
                continue  # everybody sees it lie there
            sentences.append(self.event(event))
        return sentences

    def event(self, event: Event) -> Sentence:
        """Return one event as a sentence, and what it highlights on the map."""
        tell = _TELL.get(event.kind)
        sentence = tell(self, event) if tell else event.text
        return Sentence(sentence, components.highlights(event.route, event.place), event.kind)

    def name(self, seat: int) -> str:
        """Return the name of the player at a seat."""
        player = self.players[seat]
        return components.seat_name(self.words, player) if self.drawn else components.name_of(self.words, player)

    def cards(self, names: tuple[str, ...]) -> str:
        """Return cards, drawn or in words."""
        if self.drawn:
            return components.cards(self.words, self.board, names)
        return labels.cards(self.words, self.board, names)

    def card(self, name: str) -> str:
        """Return one card, drawn or in words."""
        if self.drawn:
            return components.card_chip(self.words, self.board, name)
        return labels.card(self.words, self.board, name)

    def points(self, count: int) -> str:
        """Return a number of points in words."""
        return self.words.many("{count} point", "{count} points", count)


@dataclass(frozen=True)
class Sentence:
    """What is said, and what it lights on the map."""

    text: str
    highlights: str
    kind: str


_AT_THE_TABLE = {
    "sit": N_("{name} sits down."),
    "away": N_("{name} is away; a bot takes over."),
    "back": N_("{name} is back."),
    "resign": N_("{name} resigns; a bot takes over."),
    "undo": N_("{name} undoes the last step."),
    "late": N_("{name} ran out of time."),
    "along": N_("{name} saved this game in a file with its hidden cards. It no longer counts for the rating."),
    "hint": N_("{name} asks the coach for a hint."),
    "caution": N_("The coach warns {name}."),
    "agree": N_("{name} agrees to the coach."),
    "decline": N_("{name} no longer agrees to the coach."),
    "ask": N_("{name} asks to undo the last step. Another player must agree."),
    "agreed": N_("{name} agrees: the last step is undone, and cards that were seen are shuffled back in."),
    "open": N_("{name} reveals their tickets."),
    "hide": N_("{name} hides their tickets again."),
    "relink": N_("{name} has a new link."),
    "other": N_("{name}: something happened at the table."),
}


def _blind(tell: LogWriter, event: Event) -> str:
    if event.secret:
        return tell.words("{name} draws face down: {card}", name=tell.name(event.seat), card=tell.card(event.secret[0]))
    if event.word:
        return tell.words(
            "{name} draws a card face down ({deck}).",
            name=tell.name(event.seat),
            deck=labels.deck(tell.words, event.word),
        )
    return tell.words("{name} draws a card face down.", name=tell.name(event.seat))


def _tickets(tell: LogWriter, event: Event) -> str:
    if event.secret:
        return tell.words(
            "{name} draws tickets: {tickets}", name=tell.name(event.seat), tickets=", ".join(event.secret)
        )
    return tell.words.many(
        "{name} draws {count} ticket.", "{name} draws {count} tickets.", event.count, name=tell.name(event.seat)
    )


def _keep(tell: LogWriter, event: Event) -> str:
    if event.secret:
        return tell.words("{name} keeps: {tickets}", name=tell.name(event.seat), tickets=", ".join(event.secret))
    return tell.words.many(
        "{name} keeps {count} ticket.", "{name} keeps {count} tickets.", event.count, name=tell.name(event.seat)
    )


def _mix(tell: LogWriter, event: Event) -> str:
    return tell.words(
        "{name} announces tickets: {deck} {count}",
        name=tell.name(event.seat),
        deck=labels.deck(tell.words, event.word),
        count=event.count,
    )


def _claim(tell: LogWriter, event: Event) -> str:
    assert event.route is not None
    return tell.words(
        "{name} claims {route} with {cards}: {points}.",
        name=tell.name(event.seat),
        route=labels.route(tell.words, tell.board, event.route),
        cards=tell.cards(event.cards),
        points=tell.points(event.points),
    )


def _tunnel(tell: LogWriter, event: Event) -> str:
    if not event.cards:
        return tell.words("{name} enters a tunnel; there are no cards left to turn up.", name=tell.name(event.seat))
    if not event.count:
        return tell.words(
            "{name} enters a tunnel and turns up {cards}: nothing more to pay.",
            name=tell.name(event.seat),
            cards=tell.cards(event.cards),
        )
    return tell.words.many(
        "{name} enters a tunnel and turns up {cards}: {count} more card.",
        "{name} enters a tunnel and turns up {cards}: {count} more cards.",
        event.count,
        name=tell.name(event.seat),
        cards=tell.cards(event.cards),
    )


def _withdraw(tell: LogWriter, event: Event) -> str:
    assert event.route is not None
    return tell.words(
        "{name} withdraws from {route} and takes back {cards}.",
        name=tell.name(event.seat),
        route=labels.route(tell.words, tell.board, event.route),
        cards=tell.cards(event.cards),
    )


def _built(text: str) -> Callable[[LogWriter, Event], str]:
    def tell_it(tell: LogWriter, event: Event) -> str:
        assert event.place is not None
        return tell.words(text, name=tell.name(event.seat), place=event.place.name, cards=tell.cards(event.cards))

    return tell_it


def _passenger(tell: LogWriter, event: Event) -> str:
    assert event.place is not None
    figure: str = labels.colour(tell.words, event.word)
    if tell.drawn:
        figure = Markup('<span class="figure c-{}">{}</span><span class="vh">{}</span>').format(
            event.word, components.symbol("figure"), figure
        )
    return tell.words(
        "{name} picks up a passenger in {place}: {colour}",
        name=tell.name(event.seat),
        place=event.place.name,
        colour=figure,
    )


def _swap(tell: LogWriter, event: Event) -> str:
    return tell.words(
        "{name} swaps pieces; new {pieces}: {count}",
        name=tell.name(event.seat),
        pieces=labels.pieces(tell.words, event.word),
        count=event.count,
    )


def _fleet_revealed(tell: LogWriter, event: Event) -> str:
    first, second = (labels.pieces(tell.words, name) for name in tell.board.pieces.names)
    return tell.words(
        "{name} sets out with {first}: {count}, {second}: {rest}",
        name=tell.name(event.seat),
        first=first,
        count=event.count,
        second=second,
        rest=tell.board.pieces.fleet - event.count,
    )


def _plain(text: str) -> Callable[[LogWriter, Event], str]:
    return lambda tell, event: tell.words(text, name=tell.name(event.seat))


def _reshuffle(tell: LogWriter, event: Event) -> str:
    if event.word:
        return tell.words("The discards are shuffled ({deck}).", deck=labels.deck(tell.words, event.word))
    return tell.words("The discards are shuffled into a new deck.")


_TELL: dict[str, Callable[[LogWriter, Event], str]] = {
    "take": lambda tell, event: tell.words(
        "{name} takes {card}", name=tell.name(event.seat), card=tell.card(event.cards[0])
    ),
    "blind": _blind,
    "sweep": lambda tell, event: tell.words("Too many wild cards: the market is dealt again."),
    "reshuffle": _reshuffle,
    "tickets": _tickets,
    "keep": _keep,
    "mix": _mix,
    "claim": _claim,
    "tunnel": _tunnel,
    "withdraw": _withdraw,
    "station": _built(N_("{name} builds a station in {place} with {cards}.")),
    "port": _built(N_("{name} builds a port in {place} with {cards}.")),
    "passenger": _passenger,
    "swap": _swap,
    "fleet": _plain(N_("{name} has chosen a fleet.")),
    "fleet_revealed": _fleet_revealed,
    "last_turns": lambda tell, event: tell.words.many(
        "The last turns begin: each player has {count} more turn.",
        "The last turns begin: each player has {count} more turns.",
        event.count,
    ),
    "over": lambda tell, _event: tell.words("The game is over."),
    "pass": _plain(N_("{name} passes.")),
    "put": lambda tell, event: tell.words(
        "{name} discards {cards}", name=tell.name(event.seat), cards=tell.cards(event.cards)
    ),
    "look": lambda tell, event: tell.words(
        "{name} turns over {cards}", name=tell.name(event.seat), cards=tell.cards(event.cards)
    ),
    "next": _plain(N_("It is {name}’s turn.")),
}
