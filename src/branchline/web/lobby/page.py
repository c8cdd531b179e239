"""The pages around the tables: home, a new room, an invitation, and kind words when something is not there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from branchline.boards import Board
from branchline.web.core.pages import components
from branchline.web.core.pages.navigation import WHAT_IT_IS
from branchline.web.core.pages.render import render
from branchline.web.core.pages.thumbnail import thumbnail
from branchline.web.core.pages.translation import N_, Translator, translator_for
from branchline.web.core.room_options import chosen_options
from branchline.web.core.seen import GameLine
from branchline.web.core.visit import Visit


@dataclass(frozen=True)
class HomeContext:
    """The page where everything begins."""

    visit: Visit
    boards: tuple[Board, ...]
    bots: tuple[str, ...]  # levels, the easiest first, then others
    mine: tuple[GameLine, ...]  # the viewer's games, those that wait for it first
    open: tuple[GameLine, ...]  # open rooms with an empty seat or running
    usual_bot: str = ""  # the one of `bots` that is proposed


@dataclass(frozen=True)
class NewContext:
    """The form for a new room in full."""

    visit: Visit
    boards: tuple[Board, ...]
    bots: tuple[str, ...]
    board: Board  # the chosen one
    filled: Mapping[str, str] = field(default_factory=dict)  # fields as they were sent, when something was wrong
    problem: str = ""  # what was wrong, in one line
    usual_bot: str = ""  # the one of `bots` that is proposed


@dataclass(frozen=True)
class Edition:
    """What a newcomer asks of an edition before playing it."""

    about: str
    minutes: int  # of a game around a table
    weight: str


EDITIONS = {
    "berlin": Edition(N_("A quarter of an hour with trams and subways."), 15, N_("easy to learn")),
    "germany": Edition(
        N_("Passengers wait in every city; draw long and short tickets in any mix you like."), 45, N_("medium")
    ),
    "europe": Edition(N_("Tunnels, ferries, stations, and a bonus for the longest trail."), 45, N_("medium")),
    "great_lakes": Edition(N_("Trains and ships from the lakes to the coast, with many ports."), 90, N_("demanding")),
    "world": Edition(N_("Trains and ships around the globe, with ports and tours."), 100, N_("demanding")),
}
"""The editions, the easiest first."""


def home(context: HomeContext) -> str:
    """Return the home page: an edition, and one press starts a game against bots."""
    words = translator_for(context.visit.language)
    boards = sorted(context.boards, key=_ease)
    return render(
        "lobby/home.html",
        context.visit,
        context=context,
        boards=boards,
        editions=EDITIONS,
        recommended=_recommended(boards, context),
        title="branchline",
        lead=words(WHAT_IT_IS),
        about=lambda board: about(words, board),
        thumbnail=thumbnail,
        people=lambda game: people(words, game),
    )


def _ease(board: Board) -> int:
    """Return the place of a board among the editions, the easiest first; boards that people made come after them."""
    return [*EDITIONS].index(board.id) if board.id in EDITIONS else len(EDITIONS)


def _recommended(boards: list[Board], context: HomeContext) -> Board:
    """Return the board to play now: the easiest edition not finished yet, or else the one played last."""
    finished = [game.board.id for game in sorted(context.mine, key=lambda game: -game.touched) if game.status == "over"]
    fresh = [board for board in boards if board.id in EDITIONS and board.id not in finished]
    known = [board for board in boards if board.id == next(iter(finished), "")]
    return (fresh or known or boards)[0]


def real_table(visit: Visit) -> str:
    """Return the page of all that helps with a game around a real table."""
    words = translator_for(visit.language)
    return render("lobby/real_table.html", visit, title=_titled(words("At the real table")))


def people(words: Translator, game: GameLine) -> str:
    """Return who plays in a room, without open seats."""
    return ", ".join(components.name_of(words, player) for player in game.players if player.kind != "open")


def new(context: NewContext) -> str:
    """Return the form for a new room, with all its options."""
    words = translator_for(context.visit.language)
    return render(
        "lobby/new.html",
        context.visit,
        context=context,
        title=_titled(words("New game")),
        seats=range(max(board.seats[1] for board in context.boards)),
        options=[option for option in chosen_options() if option.choice.label],
    )


def _titled(text: str) -> str:
    return f"{text} · branchline"


def about(words: Translator, board: Board) -> str:
    """Return a sentence about an edition; for a board that people made, its size."""
    if board.id in EDITIONS:
        return words(EDITIONS[board.id].about)
    return ", ".join(
        (
            words.many("{count} place", "{count} places", len(board.places)),
            words.many("{count} route", "{count} routes", len(board.routes)),
        )
    )
