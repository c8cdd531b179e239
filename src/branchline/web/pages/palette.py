"""The colours of `branchline.draw.palette` as custom properties for the pages: `static/palette.css` is written here.

`python -m branchline.web.pages.palette` writes it again; a test says when that has been forgotten. The board is
drawn once in a theme made of these properties, so that changing day to night redraws nothing.
"""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from branchline.draw.palette import INK, PAPER, ROUTE_COLOURS, SEATS, THEMES, Theme, symbol_colour

STATIC = Path(__file__).parent.parent / "static"

_PLAIN = ("name", "lamp", "line", "shallows")

PAGE = Theme(
    **{field.name: f"var(--map-{field.name.replace('_', '-')})" for field in fields(Theme) if field.name not in _PLAIN},
    name="page",
    shallows=("var(--map-shallow-1)", "var(--map-shallow-2)", "var(--map-shallow-3)"),
    lamp="var(--map-lamp)",
    line=1.0,
)
"""A theme of custom properties: the same drawing by day, by night and in high contrast."""


def _properties(theme: Theme) -> str:
    found = {field.name: getattr(theme, field.name) for field in fields(Theme) if field.name not in _PLAIN}
    found |= {f"shallow-{n}": colour for n, colour in enumerate(theme.shallows, 1)}
    found |= {"lamp": theme.lamp or "transparent"}
    found |= {"sleepers": "#cbbd9c" if theme.name == "dark" else theme.outline}
    return "".join(f"--map-{name.replace('_', '-')}:{value};" for name, value in found.items())


def palette_css() -> str:
    """The style sheet: three themes, chosen or by the system; classes for card colours and seats."""
    light, dark, contrast = (_properties(THEMES[name]) for name in ("light", "dark", "contrast"))
    rules = [
        "/* Written by branchline.web.pages.palette; change the colours in branchline/draw/palette.py. */",
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
        rules.append(f".p-{seat}{{--seat:{look.colour};--on-seat:{symbol_colour(look.colour)}}}")
    return "\n".join(rules) + "\n"


if __name__ == "__main__":
    (STATIC / "palette.css").write_text(palette_css(), encoding="utf-8")
