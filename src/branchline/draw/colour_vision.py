"""How colours look to people who see fewer of them, and how far apart two colours are.

Simulation after Machado, Oliveira and Fernandes (2009), full severity; distance after CIEDE2000.
Used to choose and to test the palette; drawing itself does not need it.
"""

from __future__ import annotations

from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

Lab = tuple[float, float, float]

VISION: dict[str, tuple[tuple[float, float, float], ...]] = {
    "full": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""Matrices on linear red, green and blue."""


def _linear(colour: str) -> list[float]:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def seen_as(colour: str, vision: str) -> Lab:
    """Return a colour `#rrggbb` as Lab, as it looks with that kind of vision."""
    full = _linear(colour)
    red, green, blue = (
        min(max(sum(part * weight for part, weight in zip(full, row, strict=True)), 0.0), 1.0) for row in VISION[vision]
    )
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883
    fx, fy, fz = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def apart(one: Lab, two: Lab) -> float:
    """Return the CIEDE2000 difference: about 1 is just noticeable, above 10 is plain at a glance."""
    chroma = (hypot(one[1], one[2]) + hypot(two[1], two[2])) / 2
    stretch = 1 + 0.5 * (1 - sqrt(chroma**7 / (chroma**7 + 25.0**7)))
    a1, a2 = one[1] * stretch, two[1] * stretch
    c1, c2 = hypot(a1, one[2]), hypot(a2, two[2])
    h1 = degrees(atan2(one[2], a1)) % 360 if c1 else 0.0
    h2 = degrees(atan2(two[2], a2)) % 360 if c2 else 0.0
    turn = h2 - h1
    if c1 * c2 == 0:
        turn = 0.0
    elif turn > 180:
        turn -= 360
    elif turn < -180:
        turn += 360
    lightness, chroma = (one[0] + two[0]) / 2, (c1 + c2) / 2
    hue = h1 + h2
    if c1 * c2:
        if abs(h1 - h2) <= 180:
            hue /= 2
        else:
            hue = (hue + 360) / 2 if hue < 360 else (hue - 360) / 2
    t = (
        1
        - 0.17 * cos(radians(hue - 30))
        + 0.24 * cos(radians(2 * hue))
        + 0.32 * cos(radians(3 * hue + 6))
        - 0.20 * cos(radians(4 * hue - 63))
    )
    for_lightness = 1 + 0.015 * (lightness - 50) ** 2 / sqrt(20 + (lightness - 50) ** 2)
    for_chroma = 1 + 0.045 * chroma
    for_hue = 1 + 0.015 * chroma * t
    bend = 60 * exp(-(((hue - 275) / 25) ** 2))
    twist = -sin(radians(bend)) * 2 * sqrt(chroma**7 / (chroma**7 + 25.0**7))
    dl = (two[0] - one[0]) / for_lightness
    dc = (c2 - c1) / for_chroma
    dh = 2 * sqrt(c1 * c2) * sin(radians(turn / 2)) / for_hue
    return sqrt(dl * dl + dc * dc + dh * dh + twist * dc * dh)


def distance(one: str, two: str, vision: str = "full") -> float:
    """Return how far apart two colours `#rrggbb` look with that kind of vision."""
    return apart(seen_as(one, vision), seen_as(two, vision))


def closest(colours: dict[str, str]) -> tuple[float, str, str, str]:
    """Return the pair of named colours hardest to tell apart over all kinds of vision: distance, names, vision."""
    names = list(colours)
    seen = {vision: {name: seen_as(colours[name], vision) for name in names} for vision in VISION}
    return min(
        (apart(seen[vision][one], seen[vision][two]), one, two, vision)
        for vision in VISION
        for i, one in enumerate(names)
        for two in names[i + 1 :]
    )
