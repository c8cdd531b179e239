"""How a board plays: games between planners at every number of seats, and what they say of routes, tickets and seats.

It describes and does not judge: beside each figure stands the range of the editions that come with branchline.
"""

from branchline.arena.balance.figures import Balance, figures
from branchline.arena.balance.games import AtSeats, BalanceError, play_balance

__all__ = ["AtSeats", "Balance", "BalanceError", "figures", "play_balance"]
