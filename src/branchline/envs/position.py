"""A game in words, for people who watch an environment."""

from __future__ import annotations

from branchline.boards.faults import shown
from branchline.envs.rewards import EnvError
from branchline.game import Game

RENDER_MODES = ("human", "ansi")


def checked_mode(mode: object) -> str | None:
    """A way to render, or None; raises `EnvError`."""
    if mode is None or (isinstance(mode, str) and mode in RENDER_MODES):
        return mode
    raise EnvError(f"render_mode: expected {' or '.join(RENDER_MODES)}, not {shown(mode)}")


def rendered(game: Game, mode: str | None) -> str | None:
    """What lies open, in words: returned (`ansi`) or printed (`human`)."""
    if mode == "human":
        print(told(game))
    return told(game) if mode == "ansi" else None


def told(game: Game) -> str:
    """What lies open: who is asked what, the market, and what each seat has."""
    view = game.view(None)
    market = ", ".join(card or "–" for card in view.market)
    asked = "over" if game.over else view.question
    lines = [f"{game.board.title}, turn {view.turns + 1}: {asked}", f"market: {market}"]
    for seat, (public, score) in enumerate(zip(view.seats, view.scores.seats, strict=True)):
        lines.append(
            f"seat {seat}: {score.total} points, {sum(public.pieces.values())} pieces, "
            f"{public.cards} cards, {public.tickets} tickets"
        )
    return "\n".join(lines)
