"""The arena lets bots play many games and reports the results with their uncertainty.

It seats the bots, rotates them, shows each what its seat may know, and collects the results. It knows no rule of a
game and no bot by name, and prints nothing.
"""

from branchline.arena.check import Checkup, Finding, check_bot
from branchline.arena.errors import SeriesError
from branchline.arena.executors import ENGINES
from branchline.arena.exploiting import Exploit, exploit
from branchline.arena.export import Export, ExportError
from branchline.arena.folder import Folder, FolderError
from branchline.arena.ratings import Rating
from branchline.arena.ray_executor import on_ray
from branchline.arena.results import Order, Results, Standing
from branchline.arena.rounds import Pairing
from branchline.arena.series import simulate
from branchline.arena.sprt import Sprt, SprtError
from branchline.arena.statistics import Estimate
from branchline.arena.table import AuditError
from branchline.arena.tournaments import Tournament, challenge, tournament

__all__ = [
    "ENGINES",
    "AuditError",
    "Checkup",
    "Estimate",
    "Exploit",
    "Export",
    "ExportError",
    "Finding",
    "Folder",
    "FolderError",
    "Order",
    "Pairing",
    "Rating",
    "Results",
    "SeriesError",
    "Sprt",
    "SprtError",
    "Standing",
    "Tournament",
    "challenge",
    "check_bot",
    "exploit",
    "on_ray",
    "simulate",
    "tournament",
]
