"""branchline: play, watch, study and simulate railway-route board games.

    import branchline as bl

    board = bl.load_board("europe")
    game = bl.Game(board, seats=3, seed=7)
    game.legal, game.question, game.play("…"), game.view(0), game.scores

The public names are listed here; they are fetched when first used, so that `import branchline` is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from branchline import moved, providers

__version__ = "0.1.0"

_HOME = {
    "Action": "game",
    "Board": "boards",
    "BoardError": "boards",
    "BranchlineError": "boards",
    "Event": "game",
    "Game": "game",
    "IllegalAction": "game",
    "Payment": "game",
    "Place": "boards",
    "PositionError": "game",
    "Question": "game",
    "Record": "game",
    "RecordError": "game",
    "Route": "boards",
    "Scores": "game",
    "SetupError": "game",
    "Ticket": "boards",
    "UnknownName": "boards",
    "View": "game",
    "Analysis": "analysis",
    "Sprt": "arena",
    "analyse": "analysis",
    "board_svg": "draw",
    "builtin_boards": "boards",
    "check_bot": "arena",
    "load_board": "boards",
    "make_bot": "bots",
    "read_board": "boards",
    "score_position": "tabletop",
    "simulate": "arena",
    "tournament": "arena",
}

if TYPE_CHECKING:
    from branchline.analysis import Analysis as Analysis
    from branchline.analysis import analyse as analyse
    from branchline.arena import Sprt as Sprt
    from branchline.arena import check_bot as check_bot
    from branchline.arena import simulate as simulate
    from branchline.arena import tournament as tournament
    from branchline.boards import Board as Board
    from branchline.boards import BoardError as BoardError
    from branchline.boards import BranchlineError as BranchlineError
    from branchline.boards import Place as Place
    from branchline.boards import Route as Route
    from branchline.boards import Ticket as Ticket
    from branchline.boards import UnknownName as UnknownName
    from branchline.boards import builtin_boards as builtin_boards
    from branchline.boards import load_board as load_board
    from branchline.boards import read_board as read_board
    from branchline.bots import make_bot as make_bot
    from branchline.draw import board_svg as board_svg
    from branchline.game import Action as Action
    from branchline.game import Event as Event
    from branchline.game import Game as Game
    from branchline.game import IllegalAction as IllegalAction
    from branchline.game import Payment as Payment
    from branchline.game import PositionError as PositionError
    from branchline.game import Question as Question
    from branchline.game import Record as Record
    from branchline.game import RecordError as RecordError
    from branchline.game import Scores as Scores
    from branchline.game import SetupError as SetupError
    from branchline.game import View as View
    from branchline.tabletop import score_position as score_position

__all__ = ["__version__", *sorted(_HOME)]

moved.install()
providers.register("Board.weights", lambda: import_module("branchline.bots.api.tuned_weights").read)
providers.register("Board.svg", lambda: import_module("branchline.draw").board_svg)
providers.register("Game.svg", lambda: import_module("branchline.draw").game_svg)
providers.register("Tournament.report", lambda: import_module("branchline.arena.report").report_html)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'branchline' has no attribute {name!r}")
    value = getattr(import_module(f"branchline.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
