"""The colours of `branchline.draw.palette` as custom properties: `core/browser/palette.css` is written here.

`python -m branchline.web.core.pages.palette` writes it again; a test says when that has been forgotten. The board is
drawn once in a theme made of these properties, so that changing day to night redraws nothing.
"""

from __future__ import annotations

from pathlib import Path

from branchline.draw.page import PAGE, properties
from branchline.draw.palette import INK, PAPER, ROUTE_COLOURS, SEATS, THEMES, mark_colour, symbol_colour

__all__ = ["PAGE", "palette_css"]

STATIC = Path(__file__).parents[1] / "browser"


def palette_css() -> str:
    """Return the style sheet: three themes, chosen or by the system; classes for card colours and seats."""
    light, dark, contrast = (properties(THEMES[name]) for name in ("light", "dark", "contrast"))
    rules = [
        "/* Written by branchline.web.core.pages.palette; change the colours in branchline/draw/palette.py. */",
        f":root{{color-scheme:light;{light}}}",
        f"@media(prefers-color-scheme:dark){{:root[data-theme=auto]{{color-scheme:dark;{dark}}}}}",
        f"@media(prefers-contrast:more){{:root[data-theme=auto]{{color-scheme:light;{contrast}}}}}",
        f":root[data-theme=dark]{{color-scheme:dark;{dark}}}",
        f":root[data-theme=contrast]{{color-scheme:light;{contrast}}}",
        ".stage .branchline .t{stroke:var(--map-sleepers)}",
    ]
    for name, value in ROUTE_COLOURS.items():
        rules.append(f".c-{name}{{--c:{value};--on:{symbol_colour(value)}}}")
    rules.append(f".c-wild{{--c:{PAPER};--on:{INK}}}")
    for seat, look in enumerate(SEATS):
        rules.append(f".p-{seat}{{--seat:{look.colour};--on-seat:{mark_colour(look)}}}")
    return "\n".join(rules) + "\n"


if __name__ == "__main__":
    (STATIC / "palette.css").write_text(palette_css(), encoding="utf-8")
