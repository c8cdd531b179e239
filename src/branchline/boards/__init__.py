"""Reads a board folder into frozen records for people and arrays for the rules.

It checks everything it reads and reports each fault with its file, its line and what was expected.
It knows no game, no state and no seat at a table, and imports nothing from the layers above.
"""

from importlib import import_module

from branchline.boards.board import (
    COLOURS,
    GRAY,
    PLACE_KINDS,
    ROUTE_KINDS,
    WILD,
    Board,
    CardRules,
    EndRules,
    PassengerRules,
    PieceRules,
    Place,
    PortRules,
    Route,
    StationRules,
    Ticket,
    TicketDraw,
    TicketRules,
)
from branchline.boards.catalogue import builtin_boards, custom_boards, load_board
from branchline.boards.faults import (
    BoardError,
    BranchlineError,
    Fault,
    UnknownBoard,
    UnknownName,
    UnknownPlace,
    UnknownRoute,
    UnknownTicket,
)
from branchline.boards.folder import read_board
from branchline.boards.names import PlaceIndex
from branchline.providers import register

__all__ = [
    "COLOURS",
    "GRAY",
    "PLACE_KINDS",
    "ROUTE_KINDS",
    "WILD",
    "Board",
    "BoardError",
    "BranchlineError",
    "CardRules",
    "EndRules",
    "Fault",
    "PassengerRules",
    "PieceRules",
    "Place",
    "PlaceIndex",
    "PortRules",
    "Route",
    "StationRules",
    "Ticket",
    "TicketDraw",
    "TicketRules",
    "UnknownBoard",
    "UnknownName",
    "UnknownPlace",
    "UnknownRoute",
    "UnknownTicket",
    "builtin_boards",
    "custom_boards",
    "load_board",
    "read_board",
]

register("Board.index", lambda: PlaceIndex)
register("Board.tables", lambda: import_module("branchline.boards.filling").tables)
