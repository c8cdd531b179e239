"""The public interface to a game, in text and dataclasses; the rules themselves are in `rules`.

A `Game` asks questions, lists the legal actions with readable texts, plays them, shows each seat what it may know,
records the game and scores it. It imports the rules and the boards, and nothing from the layers above.
"""

from branchline.game.actions import Action, LegalActions
from branchline.game.errors import IllegalAction, NotationError, PositionError, RecordError, SetupError
from branchline.game.events import Event
from branchline.game.game import Game
from branchline.game.payments import Payment
from branchline.game.question import Question
from branchline.game.record import Record
from branchline.game.sheet import Scores, SeatScore, TicketResult
from branchline.game.view import PublicSeat, View
from branchline.providers import register

__all__ = [
    "Action",
    "Event",
    "Game",
    "IllegalAction",
    "LegalActions",
    "NotationError",
    "Payment",
    "PositionError",
    "PublicSeat",
    "Question",
    "Record",
    "RecordError",
    "Scores",
    "SeatScore",
    "SetupError",
    "TicketResult",
    "View",
]

register("Game.record", lambda: Record.of)
