"""Bots play: each answers the questions put to one seat, from what that seat may know.

They see redacted states only, draw their luck from their own seed, and are found by name (`make_bot`) through the
entry points `branchline.bots`, where other packages may put theirs. They know nothing of screens or the arena, and of
files only those with tuned weights and with networks.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from branchline.bots.api.bot import Bot as Bot
    from branchline.bots.api.bot import BotMaker as BotMaker
    from branchline.bots.api.bot import CompiledBot as CompiledBot
    from branchline.bots.api.bot import Position as Position
    from branchline.bots.api.errors import BotError as BotError
    from branchline.bots.registry import bot_maker as bot_maker
    from branchline.bots.registry import bot_names as bot_names
    from branchline.bots.registry import describe as describe
    from branchline.bots.registry import make_bot as make_bot
    from branchline.bots.registry import maker_of as maker_of

_HOME = {
    "Bot": "api.bot",
    "BotError": "api.errors",
    "BotMaker": "api.bot",
    "CompiledBot": "api.bot",
    "Position": "api.bot",
    "bot_maker": "registry",
    "bot_names": "registry",
    "describe": "registry",
    "make_bot": "registry",
    "maker_of": "registry",
}

__all__ = [*_HOME]


def __getattr__(name: str) -> Any:
    """Fetch a name when it is first used: listing bots needs nothing that they play with."""
    if name not in _HOME:
        raise AttributeError(f"module 'branchline.bots' has no attribute {name!r}")
    value = getattr(import_module(f"branchline.bots.{_HOME[name]}"), name)
    globals()[name] = value
    return value
