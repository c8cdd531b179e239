"""A finished game in the form in which BG Stats takes plays from other programs, and posts them to BoardGameGeek.

The form is documented: <https://www.bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-websites/>. The
address is opened by the app on the reader's own device, which asks what to do with the play: nothing is sent anywhere.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import quote

from branchline.web.core.pages import components
from branchline.web.core.pages.translation import Translator
from branchline.web.core.seen import TableContext

ADDRESS = "bgstats://app.bgstatsapp.com/createPlay.html?data="
SOURCE = "branchline"


@dataclass(frozen=True)
class PlaySeat:
    """How a play ended for one player."""

    name: str
    points: int
    place: int
    won: bool
    began: bool = False


def of_table(words: Translator, context: TableContext) -> str:
    """Return the address of a game that was played here, or an empty text while it runs."""
    scores = context.scores
    if scores is None or not context.log:
        return ""
    better = [sum(other > own for other in scores.totals) for own in scores.totals]
    seats = [
        PlaySeat(
            components.name_of(words, player),
            scores.totals[n],
            1 if n in scores.winners else max(2, 1 + better[n]),
            n in scores.winners,
            n == context.view.first_seat,
        )
        for n, player in enumerate(context.players)
    ]
    return address_of(context.board.title, context.board.id, context.room, context.log[-1].at, seats)


def address_of(title: str, board: str, play: str, at: float, seats: Sequence[PlaySeat]) -> str:
    """Return the address that hands a play to the app: its board by title and id, its own id, when, and who played."""
    table = {
        "sourceName": SOURCE,
        "sourcePlayId": play,
        "playDate": datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S"),
        "board": title,
        "game": {"name": title, "sourceGameId": board, "highestWins": True, "noPoints": False},
        "players": [
            {
                "name": seat.name,
                "sourcePlayerId": " ".join(seat.name.casefold().split()),
                "startPlayer": seat.began,
                "score": seat.points,
                "rank": seat.place,
                "winner": seat.won,
            }
            for seat in seats
        ],
    }
    return ADDRESS + quote(json.dumps(table, ensure_ascii=False, separators=(",", ":")), safe="")
