"""The page behind an invitation to a seat."""

from __future__ import annotations

from dataclasses import dataclass

from branchline.boards import Board
from branchline.web.core.pages.render import render
from branchline.web.core.pages.thumbnail import thumbnail
from branchline.web.core.pages.translation import translator_for
from branchline.web.core.seen import Player, default_name
from branchline.web.core.visit import Visit


@dataclass(frozen=True)
class JoinContext:
    """An invitation to a seat (or, `device`: the viewer's own seats on another device)."""

    visit: Visit
    room: str
    board: Board
    players: tuple[Player, ...]
    seat: int
    action: str  # where the form goes
    device: bool = False
    host: int | None = None  # the seat of whoever invites; None: it has none


def join(context: JoinContext) -> str:
    """Return an invitation."""
    words = translator_for(context.visit.language)
    return render(
        "table/join.html",
        context.visit,
        context=context,
        title=words("Invitation") + " · branchline",
        thumbnail=thumbnail,
        inviter=_inviter(context),
    )


def _inviter(context: JoinContext) -> str:
    """Return the name of the inviter, or an empty text if it gave none."""
    if context.host is None or context.device:
        return ""
    name = context.players[context.host].name
    return "" if name == default_name(context.host) else name
