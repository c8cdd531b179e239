"""Games of real tables that were counted in a browser, or noted there: what a form sends, scored by the rules."""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Mapping
from typing import Any

from branchline.boards import Board, letters
from branchline.game import PositionError
from branchline.game.sheet import ranks, shares
from branchline.plain_data import JsonObject
from branchline.tabletop import score_position
from branchline.tabletop.position import points_in
from branchline.web.core.rooms.boards import offered_boards
from branchline.web.core.rooms.room import Refused
from branchline.web.core.store.evenings import EveningRow
from branchline.workshop.draft import is_unicode

LARGEST = 60_000  # letters of a position


LONGEST_NAME = 40


_ID = re.compile(r"[0-9a-z]{1,24}")


_SLACK = 86_400.0  # seconds that a clock may be ahead


def row_of(key: str, fields: Mapping[str, str]) -> EveningRow:
    """Return what a form sends, scored by the rules. Raise `Refused` for what is not a complete score."""
    name, text = fields.get("id", ""), fields.get("position", "")
    if not _ID.fullmatch(name):
        raise Refused("bad_request", "id: expected letters and digits")
    if len(text) > LARGEST:
        raise Refused("too_large", "the position is too large")
    try:
        at, position = float(fields.get("at", "")), json.loads(text)
    except (ValueError, RecursionError):
        raise Refused("bad_request", "expected a position as JSON, and when it was counted") from None
    if not (math.isfinite(at) and 0 < at < time.time() + _SLACK):
        raise Refused("bad_request", "at: expected seconds since 1970")
    board = _board_in(position)
    try:
        sheet = score_position(position, board)
    except PositionError as error:
        raise Refused("bad_request", str(error)) from None
    if any(letters.count(seat["name"]) > LONGEST_NAME for seat in sheet["seats"]):
        raise Refused("bad_request", f"name: at most {LONGEST_NAME} letters")
    written = json.dumps(position, ensure_ascii=False)
    if not is_unicode(written):
        raise Refused("bad_request", "the position holds half a letter")
    return EveningRow(key, name, board.id, at, written, json.dumps(_result(sheet)))


def _board_in(position: object) -> Board:
    wanted = position.get("edition") if isinstance(position, dict) else None
    board = next((board for board in offered_boards() if board.id == wanted), None)
    if board is None:
        raise Refused("bad_request", "edition: it is not offered here")
    return board


def _result(sheet: Mapping[str, Any]) -> list[JsonObject]:
    """Return the name, points by source, total, place and share of the victory of each seat."""
    winners, seats = sheet["winner_seats"], sheet["seats"]
    rank, won = ranks([seat["total"] for seat in seats], winners), shares(winners, len(seats))
    results = []
    for n, seat in enumerate(seats):
        points = points_in(seat)
        results.append(
            {
                "name": seat["name"],
                "points": {name: value for name, value in points.items() if value},
                "total": seat["total"],
                "place": rank[n],
                "won": won[n],
            }
        )
    return results
