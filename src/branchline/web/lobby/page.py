"""The pages around the tables: home, a new room, an invitation, and kind words when something is not there."""

from __future__ import annotations

from dataclasses import dataclass

from branchline.boards import Board
from branchline.boards.wording import Message
from branchline.web.context import GameLine, HomeContext, JoinContext, MessageContext, NewContext, Visit, default_name
from branchline.web.core.pages import components, talk
from branchline.web.core.pages.fault_text import told
from branchline.web.core.pages.render import render
from branchline.web.core.pages.thumbnail import thumbnail
from branchline.web.core.pages.translation import N_, Translator, translator_for

WHAT_IT_IS = N_(
    "Five railway board games in your browser: against bots right away, with friends by link, or around one device."
)


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

_REASONS = {
    "not_found": N_("There is nothing here. The link may be out of date or incomplete."),
    "no_table": N_(
        "There is no such table, or it is private. If somebody sent you this address, ask them for the invitation or "
        "for the link for watching."
    ),
    "full": N_("All seats at this table are taken. Ask for the link for watching."),
    "not_yours": N_("This table is private. Ask for an invitation."),
    "taken": N_("This seat is already taken."),
    "forged": N_("This form has expired. Go back, reload the page and try again."),
    "no_cookie": N_(
        "Your browser sent no cookie with this form, so the server cannot tell who you are. Allow cookies for "
        "this site in your browser’s settings, reload the page and try again."
    ),
    "no_token": N_(
        "This form arrived without its signature, so the server cannot tell whether it is ours. Reload the "
        "page and try again."
    ),
    "unknown_address": N_(
        "This server does not know that it can be reached at this address, so it accepts no forms here. This "
        "is not your fault: please tell the person who runs the server. The server’s log says which option is "
        "missing."
    ),
    "other_site": N_("This form was sent from another website, so it was refused. Please start from the home page."),
    "no_origin": N_(
        "Your browser hides which page this form comes from, so it was refused. Open this site in a normal "
        "window, without extensions or settings that hide where requests come from."
    ),
    "too_large": N_("That is too large."),
    "too_many": N_("Too many requests. Wait a moment and try again."),
    "too_heavy": N_("That takes too long to compute. Nothing is lost; try something smaller."),
    "bad_request": N_("The server could not read this request."),
    "away": N_("The games cannot be reached right now. Nothing is lost; try again soon."),
    "broken": N_("Something went wrong on our side. Nothing you did is lost."),
    "elsewhere": N_("This server does not answer to that name."),
    "look_only": N_("This link is view-only. Make a copy to change the board."),
    "unsound": N_("This board has errors. Fix them first; they are listed under “Check”."),
    "running": N_("The game is still being played. This page opens when it is over."),
    **talk.REFUSALS,
}


def home(context: HomeContext) -> str:
    """Where everything begins: an edition, and one press starts a game against bots."""
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
    """The place of a board among the editions, the easiest first; boards of one's own come after them."""
    return [*EDITIONS].index(board.id) if board.id in EDITIONS else len(EDITIONS)


def _recommended(boards: list[Board], context: HomeContext) -> Board:
    """The board to play now: the easiest edition not finished yet, or else the one played last."""
    finished = [game.board.id for game in sorted(context.mine, key=lambda one: -one.touched) if game.status == "over"]
    fresh = [board for board in boards if board.id in EDITIONS and board.id not in finished]
    known = [board for board in boards if board.id == next(iter(finished), "")]
    return (fresh or known or boards)[0]


def real_table(visit: Visit) -> str:
    """What there is for a game around a real table."""
    words = translator_for(visit.language)
    return render("lobby/real_table.html", visit, title=_titled(words("At the real table")))


def people(words: Translator, game: GameLine) -> str:
    """Who plays in a room; free seats are left out."""
    return ", ".join(components.name_of(words, player) for player in game.players if player.kind != "open")


def new(context: NewContext) -> str:
    """The form for a new room in full."""
    words = translator_for(context.visit.language)
    return render(
        "lobby/new.html",
        context.visit,
        context=context,
        title=_titled(words("New game")),
        seats=range(max(board.seats[1] for board in context.boards)),
    )


def join(context: JoinContext) -> str:
    """An invitation."""
    words = translator_for(context.visit.language)
    return render(
        "lobby/join.html",
        context.visit,
        context=context,
        title=_titled(words("Invitation")),
        thumbnail=thumbnail,
        inviter=_inviter(context),
    )


def _inviter(context: JoinContext) -> str:
    """The name of whoever invites; empty where it gave none."""
    if context.host is None or context.device:
        return ""
    name = context.players[context.host].name
    return "" if name == default_name(context.host) else name


def message(context: MessageContext) -> str:
    """Something is wrong or missing."""
    said = why_not(context.visit.language, context.reason)
    return render(
        "core/pages/message.html",
        context.visit,
        context=context,
        title=_titled(str(context.status)),
        said=said,
        detail=told(context.visit.language, context.detail),
        is_told=isinstance(context.detail, Message),
    )


def why_not(language: str, reason: str) -> str:
    """Say why something was refused, by the word of `MessageContext`."""
    return translator_for(language)(_REASONS.get(reason, _REASONS["bad_request"]))


def _titled(text: str) -> str:
    return f"{text} · branchline"


def about(words: Translator, board: Board) -> str:
    """A sentence about an edition; for a board of one's own, its size."""
    if board.id in EDITIONS:
        return words(EDITIONS[board.id].about)
    return ", ".join(
        (
            words.many("{count} place", "{count} places", len(board.places)),
            words.many("{count} route", "{count} routes", len(board.routes)),
        )
    )
