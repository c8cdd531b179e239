"""A game in words, for people who watch an environment."""

from __future__ import annotations

from branchline.game import Game


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
