"""The arena lets bots play many games and says what came out, with how much certainty.

It seats them, rotates them, shows each what its seat may know, and keeps the results. It knows no rule of a game
and no bot by name, and prints nothing.
"""

from branchline.arena.export import Export, ExportError
from branchline.arena.results import Order, Results, Standing
from branchline.arena.series import SeriesError, simulate
from branchline.arena.statistics import Estimate
from branchline.arena.table import AuditError

__all__ = [
    "AuditError",
    "Estimate",
    "Export",
    "ExportError",
    "Order",
    "Results",
    "SeriesError",
    "Standing",
    "simulate",
]
