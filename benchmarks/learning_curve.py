"""Draw what `examples/train_ppo.py --out curve.csv` has written: the share of wins by decisions, as an SVG.

python benchmarks/learning_curve.py curve.csv docs/pictures/learning.svg
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

WIDTH, HEIGHT = 640, 320
LEFT, RIGHT, TOP, BOTTOM = 56, 540, 24, 272
COLOURS = ("#1b6ca8", "#b5520b", "#2d7a3e", "#8b3a8f")  # on white all of them have a contrast above 4.5


def drawn(rows: list[dict[str, str]]) -> str:
    """The picture. Every line is named where it ends."""
    opponents = [name for name in rows[0] if name not in ("minutes", "decisions")]
    most = max(int(row["decisions"]) for row in rows)

    def at(decisions: float, share: float) -> str:
        return f"{LEFT + (RIGHT - LEFT) * decisions / most:.1f},{BOTTOM - (BOTTOM - TOP) * share:.1f}"

    parts = []
    for percent in range(0, 101, 25):
        x, y = at(0, percent / 100).split(",")
        parts.append(f'<path d="M{x} {y}H{RIGHT}" stroke="#ccc"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{float(y) + 4:.1f}" text-anchor="end">{percent} %</text>')
    step = int(float(f"{most / 4:.2g}"))
    for decisions in range(0, most + 1, step):
        x = at(decisions, 0).split(",")[0]
        parts.append(f'<text x="{x}" y="{BOTTOM + 20}" text-anchor="middle">{decisions:,}</text>')
    parts.append(f'<text x="{(LEFT + RIGHT) / 2}" y="{BOTTOM + 40}" text-anchor="middle">decisions</text>')
    names = []
    for colour, name in zip(COLOURS, opponents, strict=False):
        points = [at(int(row["decisions"]), float(row[name])) for row in rows]
        parts.append(f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        names.append([float(points[-1].split(",")[1]) + 4, name, colour])
    lowest = 0.0
    for y, name, colour in sorted(names):  # from above; names that would lie on one another are moved down
        lowest = max(y, lowest + 16)
        parts.append(f'<text x="{RIGHT + 8}" y="{lowest:.1f}" fill="{colour}">{name}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'font-family="sans-serif" font-size="13" fill="#333"><rect width="100%" height="100%" fill="white"/>'
        f"{''.join(parts)}</svg>\n"
    )


def main() -> None:
    """The command."""
    source, target = map(Path, sys.argv[1:])
    with source.open(encoding="utf-8", newline="") as file:
        target.write_text(drawn(list(csv.DictReader(file))), encoding="utf-8")


if __name__ == "__main__":
    main()
