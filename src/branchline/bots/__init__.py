"""Bots play: each answers the questions put to one seat, from what that seat may know.

They see redacted states only, draw their luck from their own seed, and are found by name (`make_bot`) through the
entry points `branchline.bots`, where other packages may put theirs. They know nothing of files, screens or the arena.
"""

from branchline.bots.bot import Bot, BotError, BotMaker, CompiledBot, Position
from branchline.bots.registry import bot_maker, bot_names, describe, make_bot

__all__ = [
    "Bot",
    "BotError",
    "BotMaker",
    "CompiledBot",
    "Position",
    "bot_maker",
    "bot_names",
    "describe",
    "make_bot",
]
