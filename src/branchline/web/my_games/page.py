"""The viewer's finished games: figures, charts, the list, and what can be done with all of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from statistics import fmean
from urllib.parse import urlencode

from babel.dates import format_date
from markupsafe import Markup

from branchline.boards import Board
from branchline.teaching.rating import UNCERTAIN
from branchline.web.core.pages import charts, components, labels
from branchline.web.core.pages.final_scores import signed
from branchline.web.core.pages.render import render
from branchline.web.core.pages.translation import Translator, translator_for
from branchline.web.core.seen import Player
from branchline.web.core.visit import Visit


@dataclass(frozen=True)
class GameResult:
    """How a finished game ended for one seat of the viewer's."""

    room: str
    seat: int
    board: str  # as rooms call it
    ended: float  # seconds since 1970
    seats: int
    against: tuple[str, ...]  # the others: `person`, or the level of a bot
    place: int  # 1 won
    won: float  # 1 won, a part where shared, 0 lost or resigned
    total: int
    points: Mapping[str, int]  # by source, as `SeatScore.parts`; those that are not 0
    tickets_done: int
    tickets: int
    helped: int  # hints and warnings of the coach
    shared: bool  # several people played in this browser: it says nothing of one of them
    resigned: bool
    rating: float | None  # after the game; None: it does not count for it
    deviation: float | None
    accuracy: float | None  # 0 to 100; None: the game was not analysed
    luck: float | None  # chance to win that chance brought, 1 is the whole of it

    @property
    def counts(self) -> bool:
        """Whether its points say something of how the viewer plays."""
        return not self.shared and not self.resigned


@dataclass(frozen=True)
class GameTally:
    """Games of one kind, taken together."""

    name: str  # a board, as rooms call it, or the others, as `GameResult.against` with commas between
    games: int
    won: float
    points: float | None  # the mean; None: no game whose points count
    accuracy: float | None  # the mean of games that were analysed


@dataclass(frozen=True)
class MyGamesContext:
    """The viewer's finished games, and what they say together."""

    visit: Visit
    boards: Mapping[str, Board]  # those offered here, by name
    all_boards: tuple[GameTally, ...]  # of all games, whatever is chosen
    all_opponents: tuple[GameTally, ...]
    board: str = ""  # chosen; empty: all
    against: str = ""
    page: int = 1
    pages: int = 1
    found: tuple[GameResult, ...] = ()  # all that were chosen, the latest first
    shown: tuple[GameResult, ...] = ()  # those on this page
    players: Mapping[str, tuple[Player, ...]] = field(default_factory=dict)  # by room, of those on this page
    rating: tuple[float, float] | None = None  # and its deviation, after the latest game that counts


@dataclass(frozen=True)
class NamedFigure:
    """A number with its name."""

    name: str
    value: str
    note: str = ""


@dataclass(frozen=True)
class Chart:
    """A picture, what it is, and what it says in a sentence."""

    title: str
    drawn: Markup
    told: str


@dataclass(frozen=True)
class ListedGame:
    """A game in the list."""

    game: GameResult
    date: str
    title: str
    others: str
    outcome: str
    points: str
    notes: tuple[str, ...]


def my_games(context: MyGamesContext) -> str:
    """Return the whole page."""
    words = translator_for(context.visit.language)
    telling = _Telling(words, context)
    counting = [game for game in context.found if game.counts]
    return render(
        "my_games/my_games.html",
        context.visit,
        context=context,
        title=f"{words('My games')} · branchline",
        board_title=telling.board,
        opponents=telling.opponents,
        link=telling.link,
        decimal=telling.decimal,
        share=lambda tally: labels.share(words, tally.won / tally.games),
        figures=telling.figures(counting),
        sources=telling.sources(counting),
        drawn=telling.charts(),
        best=telling.extremes(counting),
        lines=[telling.line(game) for game in context.shown],
    )


@dataclass(frozen=True)
class _Telling:
    words: Translator
    context: MyGamesContext

    # ------------------------------------------------------------------------------------------------ names

    def board(self, name: str) -> str:
        """Return the title of a board; for one of the workshop, the title in its files."""
        known = self.context.boards.get(name)
        return known.title_in(self.words.language) if known else name.partition("@")[0]

    def opponents(self, against: str) -> str:
        """Return the opponents as text: `2 × medium, 1 × person`."""
        every = against.split(",")
        parts = []
        for opponent in dict.fromkeys(every):
            name = self.words("person") if opponent == "person" else labels.bot(self.words, opponent)
            parts.append(f"{every.count(opponent)} × {name}")
        return ", ".join(parts)

    def decimal(self, value: float | None, signed: bool = False) -> str:
        """Return a number with one decimal, as the language writes it, or "–" if it is missing."""
        if value is None:
            return "–"
        return labels.decimal(self.words, value, signed)

    def link(self, **changed: str | int) -> str:
        """Return the address of the page with another choice."""
        chosen = {"board": self.context.board, "against": self.context.against} | changed
        query = urlencode({name: value for name, value in chosen.items() if value not in ("", 1)})
        page = f"{self.context.visit.root}/mine"
        return f"{page}?{query}" if query else page

    # ------------------------------------------------------------------------------------------------ figures

    def figures(self, counting: Sequence[GameResult]) -> list[NamedFigure]:
        """Return the figures of the chosen games."""
        words, games = self.words, [game for game in self.context.found if not game.shared]
        if not games:
            return []
        won = sum(game.won for game in games)
        figures = [
            NamedFigure(words("Games"), str(len(games))),
            NamedFigure(words("Won"), labels.share(words, won / len(games)), f"{won:g}"),
        ]
        if counting:
            figures.append(NamedFigure(words("Average score"), self.decimal(fmean(game.total for game in counting))))
            held, done = sum(game.tickets for game in counting), sum(game.tickets_done for game in counting)
            if held:
                figures.append(
                    NamedFigure(words("Tickets completed"), labels.share(words, done / held), f"{done} / {held}")
                )
        accuracy = [game.accuracy for game in counting if game.accuracy is not None]
        if accuracy:
            analysed = words.many("{count} analysed game", "{count} analysed games", len(accuracy))
            figures.append(NamedFigure(words("Average accuracy"), self.decimal(fmean(accuracy)), analysed))
        if self.context.rating is not None:
            rating, deviation = self.context.rating
            note = words("still uncertain") if deviation >= UNCERTAIN else ""
            figures.append(NamedFigure(words("Rating"), f"{rating:.0f} ± {2 * deviation:.0f}", note))
        return figures

    def sources(self, counting: Sequence[GameResult]) -> list[tuple[str, str, Markup]]:
        """Return mean points by source, with a bar for each."""
        if not counting:
            return []
        means = {name: fmean(game.points.get(name, 0) for game in counting) for name in labels.SCORE_PARTS}
        most = max(map(abs, means.values())) or 1.0
        return [
            (self.words(labels.SCORE_PARTS[name]), self.decimal(mean), charts.bar(mean / most))
            for name, mean in means.items()
            if any(name in game.points for game in counting)
        ]

    def charts(self) -> list[Chart]:
        """Return the charts over time, the oldest game first: rating, accuracy, luck."""
        words, oldest_first = self.words, self.context.found[::-1]
        rated = [game.rating for game in oldest_first if game.rating is not None]
        accuracy = [game.accuracy for game in oldest_first if game.counts and game.accuracy is not None]
        luck = [100 * game.luck for game in oldest_first if game.counts and game.luck is not None]
        charts_drawn = [
            self._chart(words("Rating"), rated, 100.0, 0),
            self._chart(words("Accuracy"), accuracy, 20.0, 0),
            self._chart(words("Luck, in points of win chance"), luck, 20.0, 0, zero=True),
        ]
        return [chart for chart in charts_drawn if chart is not None]

    def _chart(
        self, title: str, values: Sequence[float], least: float, places: int, zero: bool = False
    ) -> Chart | None:
        if len(values) < 2:  # one game makes no line; what it says stands in the list
            return None

        def told(value: float) -> str:
            text = f"{value:+.{places}f}" if zero and round(value) else f"{value:.{places}f}"
            return text.replace("-", "\N{MINUS SIGN}")

        lately = fmean(values[-charts.LATELY :])
        summary = self.words.many(
            "{count} game. First: {first}, latest: {last}, average of the last ten: {lately}.",
            "{count} games. First: {first}, latest: {last}, average of the last ten: {lately}.",
            len(values),
            first=told(values[0]),
            last=told(values[-1]),
            lately=told(lately),
        )
        return Chart(title, charts.over_time(values, told, f"{title}. {summary}", least, zero), summary)

    def extremes(self, counting: Sequence[GameResult]) -> list[tuple[str, ListedGame]]:
        """Return the best and the worst game, by points against the viewer's own mean on that board."""
        if len(counting) < 2:
            return []
        totals: dict[str, list[int]] = {}
        for game in counting:
            totals.setdefault(game.board, []).append(game.total)
        means = {board: fmean(board_totals) for board, board_totals in totals.items()}
        order = sorted(counting, key=lambda game: game.total - means[game.board])
        return [(self.words("Best"), self.line(order[-1])), (self.words("Worst"), self.line(order[0]))]

    # ------------------------------------------------------------------------------------------------ the list

    def line(self, game: GameResult) -> ListedGame:
        """Return a game in words."""
        words = self.words
        notes = []
        if game.resigned:
            notes.append(words("resigned"))
        if game.shared:
            notes.append(words("several players in this browser"))
        if game.helped:
            notes.append(words.many("asked the coach {count} time", "asked the coach {count} times", game.helped))
        if game.accuracy is not None:
            notes.append(words("accuracy: {accuracy}", accuracy=self.decimal(game.accuracy)))
        if game.luck is not None:
            notes.append(words("luck in points of win chance: {luck}", luck=signed(round(100 * game.luck))))
        return ListedGame(
            game,
            date=format_date(datetime.fromtimestamp(game.ended, UTC), "medium", locale=words.language),
            title=self.board(game.board),
            others=self._others(game),
            outcome=words("won") if game.won else words("place {place} of {seats}", place=game.place, seats=game.seats),
            points=labels.whole(game.total),
            notes=tuple(notes),
        )

    def _name(self, player: Player) -> str:
        """Return a person's name; for a bot, its level too."""
        if player.kind != "bot":
            return components.name_of(self.words, player)
        level = labels.bot(self.words, player.bot)
        return level if player.name in ("", player.bot) else f"{player.name} ({level})"

    def _others(self, game: GameResult) -> str:
        there: Sequence[Player] = self.context.players.get(game.room, ())
        names = [self._name(sitter) for sitter in there if sitter.seat != game.seat]
        return ", ".join(names) if names else self.opponents(",".join(game.against))
