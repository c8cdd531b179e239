"""A game in words and as a picture, for people who watch an environment."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import numpy.typing as npt

from branchline.boards.faults import listed, shown
from branchline.envs.rewards import EnvError
from branchline.game import Game

DRAWS = all(find_spec(name) for name in ("typst", "PIL"))  # the extra `render`
RENDER_MODES = ("human", "ansi", "rgb_array") if DRAWS else ("human", "ansi")
PICTURE_WIDTH = 960  # pixels


def checked_mode(mode: object, modes: Sequence[str] = RENDER_MODES) -> str | None:
    """Return a way to render, or None. Raise `EnvError`."""
    if mode is None or (isinstance(mode, str) and mode in modes):
        return mode
    if isinstance(mode, str) and mode == "rgb_array":
        raise EnvError("render_mode: rgb_array needs `pip install 'branchline[render]'`")
    raise EnvError(f"render_mode: expected {listed(modes)}, not {shown(mode)}")


def rendered(game: Game, mode: str | None) -> str | npt.NDArray[np.uint8] | None:
    """Return what lies open: in words, returned (`ansi`) or printed (`human`); as a picture (`rgb_array`)."""
    if mode == "human":
        print(told(game))
    if mode == "rgb_array":
        return picture(game)
    return told(game) if mode == "ansi" else None


def picture(game: Game) -> npt.NDArray[np.uint8]:
    """Return the map as everybody sees it, `(height, width, 3)`."""
    import typst
    from PIL import Image

    page = f'#set page(width: {PICTURE_WIDTH}pt, height: auto, margin: 0pt)\n#image("map.svg", width: 100%)'
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "map.svg").write_text(game.svg(), encoding="utf-8")
        (Path(folder) / "main.typ").write_text(page, encoding="utf-8")
        drawn = typst.compile(Path(folder) / "main.typ", format="png", ppi=72)
    return np.array(Image.open(io.BytesIO(drawn)).convert("RGB"))


def told(game: Game) -> str:
    """Return what lies open: the question and its seat, the market, and what each seat has."""
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
