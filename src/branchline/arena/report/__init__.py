"""The report of a tournament: one HTML page that needs nothing else, with plots and the board as heat map.

It reads results and writes text. No scripts, nothing fetched; one style sheet, allowed by its hash.
"""

from branchline.arena.report.page import report_html

__all__ = ["report_html"]
