"""Bots by name: the built-in ones, and those with which installed packages fill the entry points `branchline.bots`."""

from __future__ import annotations

import ast
import functools
import importlib
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from branchline.boards.arguments import text, whole_number
from branchline.boards.faults import did_you_mean, listed, quoted
from branchline.bots.api.errors import BotError

if TYPE_CHECKING:
    from branchline.bots.api.bot import Bot, BotMaker

GROUP = "branchline.bots"
BUILT_IN = {
    "random": "simple.random:RandomBot",
    "greedy": "simple.greedy:GreedyBot",
    "fast": "planner.fast:FastBot",
    "planner": "planner.planner:PlannerBot",
    "learned": "networks.learned:LearnedBot",
    "search": "search.search:SearchBot",
    "one-step": "simple.styles:OneStepBot",
    "long-route": "simple.styles:LongRouteBot",
    "route-focused": "simple.styles:RouteFocusedBot",
    "hungry": "simple.styles:HungryBot",
    "racer": "simple.styles:RacerBot",
    "sprawler": "simple.habits:SprawlerBot",
    "early-blocker": "simple.habits:EarlyBlockerBot",
    "careful-blocker": "search.careful_blocker:CarefulBlockerBot",
    "ticket-lover": "simple.habits:TicketLoverBot",
    "hoarder": "simple.habits:HoarderBot",
    "easy": "levels:EasyBot",
    "medium": "levels:MediumBot",
    "hard": "levels:HardBot",
    "expert": "levels:ExpertBot",
    "master": "levels:MasterBot",
}
"""The bots that come with branchline: name → module in this package, and class."""

SEEDS = 1 << 62
NETWORK = ".npz"
"""How the name of a file ends that holds a network."""


@functools.cache
def _known() -> dict[str, EntryPoint]:
    built_in = [EntryPoint(name, f"{GROUP}.{where}", GROUP) for name, where in BUILT_IN.items()]
    others = [point for point in entry_points(group=GROUP) if not point.module.startswith(f"{GROUP}.")]
    return {point.name.casefold(): point for point in sorted([*others, *built_in], key=lambda p: p.name)}


def bot_names() -> tuple[str, ...]:
    """Return the names of all bots that are installed."""
    return tuple(_known())


def bot_maker(name: str) -> BotMaker:
    """Return the class of a bot: by name, or `module:Class` for one that is not installed.

    A name that ends in `.npz` is a file with a network that `branchline train` has made (`bots.networks.learned`). Some
    can be told more: one that thinks for how long, `search@0.2s`, `search@400` (`bots.search.Budget.of`); the planner
    to play with the general weights, `planner@general`.
    """
    name = text("bot", name, BotError, 200).strip()
    if name.casefold().endswith(NETWORK):
        from branchline.bots.networks.learned import LearnedBot

        return LearnedBot.playing_by(Path(name))
    wanted, at, parameter = name.partition("@")
    maker = _maker(wanted)
    if not at:
        return maker
    if not hasattr(maker, "told"):
        raise BotError(f"bot {quoted(wanted)} cannot be told anything, such as how long to think")
    bot: BotMaker = maker.told(parameter)
    return bot


def maker_of(bot: str | BotMaker) -> BotMaker:
    """Return the class of a bot that is given by name or by its class."""
    return bot_maker(bot) if isinstance(bot, str) else bot


def _maker(wanted: str) -> BotMaker:
    point = _known().get(wanted.casefold())
    try:
        if point is not None:
            maker: BotMaker = point.load()
            return maker
        if ":" in wanted:
            module, _, attribute = wanted.partition(":")
            named: BotMaker = getattr(importlib.import_module(module), attribute)
            return named
    except Exception as fault:
        raise BotError(f"bot {quoted(wanted)} cannot be loaded: {fault or type(fault).__name__}") from fault
    near = did_you_mean(wanted, bot_names()) or f"; there are {listed(bot_names())}"
    raise BotError(f"unknown bot {quoted(wanted)}{near}")


def make_bot(name: str, seed: int = 0) -> Bot:
    """Return a bot for one seat of one game.

    Raise `BotError` where there is none of that name, or it cannot be made.
    """
    from branchline.bots.api.bot import Bot

    whole_number("seed", seed, 0, SEEDS - 1, BotError)
    bot = bot_maker(name)(seed)
    if not isinstance(bot, Bot):
        raise BotError(f"bot {quoted(name)} has no name or no choose(position)")
    return bot


def describe(name: str) -> str:
    """Return what a bot says about itself: the first line of its docstring."""
    point = _known().get(name.casefold())
    docstring = _written(point.module).get(point.attr) if point is not None else None
    lines = ((bot_maker(name).__doc__ if docstring is None else docstring) or "").strip().splitlines()
    return lines[0] if lines else ""


@functools.cache
def _written(module: str) -> dict[str, str | None]:
    """Return the docstring of each class as it stands in the source of a module.

    Importing all bots would take a second.
    """
    try:
        spec = find_spec(module)
        source = Path((spec and spec.origin) or "").read_text(encoding="utf-8")
        return {node.name: ast.get_docstring(node) for node in ast.parse(source).body if isinstance(node, ast.ClassDef)}
    except Exception:  # there may be no source, or it belongs to someone else: then it is imported after all
        return {}
