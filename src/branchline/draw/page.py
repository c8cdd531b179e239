"""A theme for pages: its colours are custom properties, so that one drawing serves day, night and high contrast."""

from __future__ import annotations

from dataclasses import fields

from branchline.draw.palette import HEAT, Theme

_PLAIN = ("name", "lamp", "line", "shallows")

PAGE = Theme(
    **{field.name: f"var(--map-{field.name.replace('_', '-')})" for field in fields(Theme) if field.name not in _PLAIN},
    name="page",
    shallows=("var(--map-shallow-1)", "var(--map-shallow-2)", "var(--map-shallow-3)"),
    lamp="var(--map-lamp)",
    line=1.0,
)
"""A theme of custom properties."""


def properties(theme: Theme) -> str:
    """Return the properties that give `PAGE` the colours of a theme, as declarations of a style sheet."""
    colours = {field.name: getattr(theme, field.name) for field in fields(Theme) if field.name not in _PLAIN}
    colours |= {f"shallow-{n}": colour for n, colour in enumerate(theme.shallows, 1)}
    colours |= {"lamp": theme.lamp or "transparent"}
    colours |= {"sleepers": "#cbbd9c" if theme.name == "dark" else theme.outline}
    return "".join(f"--map-{name.replace('_', '-')}:{value};" for name, value in colours.items())


def heat_properties(theme: Theme) -> str:
    """Return the properties for the ten steps of heat in the same way."""
    return "".join(f"--heat-{step}:{colour};" for step, colour in enumerate(HEAT[theme.name]))
