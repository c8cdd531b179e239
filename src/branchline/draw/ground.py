"""What lies beneath and around the routes: sea, land, rivers, light, and the frame with its signs."""

from __future__ import annotations

from html import escape

from branchline.boards.board import Board
from branchline.draw.geometry import COAST, Layout
from branchline.draw.palette import Theme
from branchline.draw.spaces import number


def ground(layout: Layout, theme: Theme, prefix: str) -> str:
    """Return the backdrop, from the sea upwards; at night every place has its lamp."""
    sheet, scenery = layout.sheet, layout.scenery
    ground = theme.sea if scenery.sea else theme.land
    drawn = [f'<rect width="{number(sheet.width)}" height="{number(sheet.height)}" fill="{ground}"/>']
    if scenery.net:
        drawn.append(f'<path d="{scenery.net}" fill="none" stroke="{theme.net}"/>')
    if scenery.sea:
        land = f"{prefix}land"
        drawn.append(f'<defs><path id="{land}" d="{scenery.paths["land"]}" fill-rule="evenodd"/></defs>')
        for width, colour in zip((26, 15, 6), theme.shallows, strict=True):
            drawn.append(
                f'<use href="#{land}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"/>'
            )
        drawn.append(f'<use href="#{land}" fill="{theme.land}" stroke="{theme.land}"/>')
        drawn.append(f'<path d="{scenery.paths[COAST]}" fill="none" stroke="{theme.coast}" stroke-linejoin="round"/>')
    looks = {
        "park": f'fill="{theme.park}"',
        "street": f'fill="none" stroke="{theme.street}" stroke-width="7" stroke-linecap="round" '
        'stroke-linejoin="round"',
        "border": f'fill="none" stroke="{theme.border}" stroke-width="1.6" stroke-dasharray="7 3 1.5 3" '
        'stroke-linejoin="round"',
        "stream": f'fill="none" stroke="{theme.water}" stroke-width="2.5" stroke-linejoin="round"',
        "canal": f'fill="none" stroke="{theme.water}" stroke-width="8" stroke-linejoin="round" stroke-linecap="round"',
        "river": f'fill="none" stroke="{theme.water}" stroke-width="15" stroke-linejoin="round" stroke-linecap="round"',
        "lake": f'fill="{theme.water}"',
    }
    for kind, look in looks.items():
        if scenery.paths.get(kind):
            drawn.append(f'<path d="{scenery.paths[kind]}" {look}/>')
    if theme.lamp:
        for x, y in sheet.places:
            drawn.append(
                f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(5.2 * layout.sizes.plank)}" '
                f'fill="url(#{prefix}lamp)"/>'
            )
    clip = f"{prefix}sheet"  # a window of another shape would show the land beyond the sheet
    return (
        f'<clipPath id="{clip}"><rect width="{number(sheet.width)}" height="{number(sheet.height)}"/></clipPath>'
        f'<g class="scenery" aria-hidden="true" clip-path="url(#{clip})">{"".join(drawn)}</g>'
    )


def frame(board: Board, layout: Layout, theme: Theme) -> str:
    """Return the double line around the map, and the signs of tracks that run over its edge."""
    sheet, band = layout.sheet, layout.sizes.frame
    wide, high = sheet.width, sheet.height
    drawn = [
        f'<path d="M0 0H{number(wide)}V{number(high)}H0ZM{number(band)} {number(band)}V{number(high - band)}'
        f'H{number(wide - band)}V{number(band)}Z" fill="{theme.halo}"/>',
        f'<rect x="{number(band)}" y="{number(band)}" width="{number(wide - 2 * band)}" '
        f'height="{number(high - 2 * band)}" fill="none" stroke="{theme.soft_ink}" stroke-width="1.2"/>',
        f'<rect x="3" y="3" width="{number(wide - 6)}" height="{number(high - 6)}" fill="none" '
        f'stroke="{theme.soft_ink}" stroke-width="2.4"/>',
    ]
    for sign in layout.signs:
        middle = wide - band / 2 if sign.east else band / 2
        point = 0.3 * band * (1 if sign.east else -1)
        drawn += [
            f'<path class="sign" d="M{number(middle + point)} {number(y)}'
            f'L{number(middle - point)} {number(y - 0.36 * band)}V{number(y + 0.36 * band)}Z"/>'
            for y in sign.arrows
        ]
        turn = 90 if sign.east else -90
        shift = -0.36 * sign.size if sign.east else 0.36 * sign.size
        drawn.append(
            f'<text class="sign" transform="translate({number(middle + shift)} {number(sign.y)})'
            f'rotate({turn})" font-size="{number(sign.size)}" text-anchor="middle">'
            f"{escape(board.places[sign.place].name)}</text>"
        )
    return '<g class="frame" aria-hidden="true">' + "".join(drawn) + "</g>"
