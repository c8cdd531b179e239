"""What serves a real table: positions scored by hand, games noted in words, a dealer for cards, and the referee.

It asks the rules, as `game` does, and repeats none of them. No module here knows a screen or a server.
"""

from branchline.tabletop.position import score_position

__all__ = ["score_position"]
