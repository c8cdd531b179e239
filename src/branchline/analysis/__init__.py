"""Reviews a finished game decision by decision: chances to win, better moves, luck and skill.

It takes the view of the seat that decided, estimates the chances with `bots.search`, and adds up the results.
"""

from branchline.analysis.comparison import Comparison, compare
from branchline.analysis.curve import curve_svg
from branchline.analysis.decision import Decision
from branchline.analysis.game import Analysis, analyse
from branchline.analysis.judging import AnalysisError, Option
from branchline.analysis.ledger import Ledger
from branchline.analysis.moves import KINDS, Move

__all__ = [
    "KINDS",
    "Analysis",
    "AnalysisError",
    "Comparison",
    "Decision",
    "Ledger",
    "Move",
    "Option",
    "analyse",
    "compare",
    "curve_svg",
]
