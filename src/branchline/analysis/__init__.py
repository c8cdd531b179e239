"""What a finished game was worth, decision by decision: chances to win, better moves, luck and skill.

It looks at a record with the eyes of whoever was asked, asks `bots.search` what the chances were, and adds up.
"""

from branchline.analysis.curve import curve_svg
from branchline.analysis.decision import Decision
from branchline.analysis.game import Analysis, analyse
from branchline.analysis.judging import AnalysisError, Option
from branchline.analysis.ledger import Ledger
from branchline.analysis.moves import KINDS, Move

__all__ = ["KINDS", "Analysis", "AnalysisError", "Decision", "Ledger", "Move", "Option", "analyse", "curve_svg"]
