"""Random boards on which bots can be tried out that nothing was tuned for: planar maps with the rules of a box.

    python benchmarks/random_boards.py FOLDER --count 10 --kind classic

Each kind is a set of figures (`KINDS`): how many cities, routes, pieces and tickets there are, and which mechanisms.
The boards of a kind differ from them by up to `VARIED`. The same kind and seed give the same board, as a folder that
`branchline` reads.
"""

from __future__ import annotations

import argparse
import heapq
from dataclasses import dataclass, replace
from math import hypot
from pathlib import Path

import numpy as np

COLOURS = ("purple", "blue", "orange", "white", "green", "yellow", "black", "red")
POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 7: 18, 8: 21, 9: 27}
POINTS_SUBWAY = {2: 3, 3: 5, 4: 8}
SHAPE = 1.6  # width of the map for a height of 1
VARIED = 0.15  # part of a figure by which a board may differ from its kind
SPREAD = (1.4, 2.6)  # lengths grow with the distance to a power from here: as even and as uneven ones as in print


@dataclass(frozen=True)
class Fleet:
    """Ships and ports."""

    box: tuple[int, int]  # trains and ships of a seat
    choose: int  # of them
    hand: tuple[int, int]  # train cards and ship cards
    port_points: tuple[int, int, int, int]  # for so many tickets done
    sea_from: int = 1  # spaces: shorter routes are by land


@dataclass(frozen=True)
class Figures:
    """What a kind of board is like."""

    cities: int
    joined: int  # pairs of cities with a route
    doubles: int  # of these, with two lines
    spaces: float  # of a route, the mean
    longest: int  # spaces
    pieces: int
    tickets: int
    colours: int = 8
    train: int = 12  # cards of each colour
    wild: int = 14
    hand: int = 4
    first: tuple[int, int] = (3, 2)  # tickets dealt, and to be kept at least
    later: tuple[int, int] = (3, 1)
    long_deck: int = 0  # tickets of a second deck; one of them is dealt at the start, besides
    trail: int = 0  # bonus for the longest trail
    most: int = 0  # bonus for most tickets
    ends_at: int = 2  # pieces left
    one_line: int = 3  # up to so many seats
    seats: int = 5  # at most
    inflation: float = 1.0  # of tickets' values, over the shortest way
    tunnels: float = 0.0  # share of the routes
    ferries: float = 0.0
    stations: int = 0
    passengers: int = 0  # at the start
    mix: int = 0  # tickets that are drawn, from two decks as the seat wants: short ones and long ones
    subways: int = 0  # subway cars of a seat, and twice as many pairs of cities with two subways
    fleet: Fleet | None = None


WITH_SHIPS = Figures(
    44, 95, 12, 3.4, 8, 0, 57, 6, 11, 14, first=(5, 3), later=(4, 1), ends_at=6,
    fleet=Fleet((25, 50), 60, (3, 7), (0, 20, 30, 40), sea_from=3),
)  # fmt: skip
KINDS = {
    "classic": Figures(36, 78, 22, 3.3, 6, 45, 30, trail=10),
    "classic_many_tickets": Figures(36, 78, 22, 3.3, 6, 45, 60, first=(4, 2), later=(4, 1), most=15),
    "city": Figures(16, 26, 10, 2.2, 4, 15, 18, 6, 6, 8, 2, (2, 1), (2, 1), ends_at=2, one_line=3, seats=4),
    "country": Figures(28, 55, 15, 2.9, 6, 32, 40, trail=10, one_line=3),
    "tunnels": Figures(38, 80, 12, 3.0, 6, 40, 46, first=(5, 3), long_deck=0, tunnels=0.3, trail=10),
    "stations": Figures(
        44, 86, 10, 3.0, 8, 45, 40, first=(3, 2), long_deck=6, tunnels=0.15, ferries=0.1, stations=3, trail=10
    ),
    "passengers": Figures(34, 70, 15, 3.0, 7, 45, 50, first=(4, 2), later=(4, 1), passengers=50, most=15),
    "ports": WITH_SHIPS,
    "large": Figures(60, 120, 25, 3.2, 8, 60, 70, train=14, wild=16, first=(5, 3), trail=15, inflation=1.2),
    "subways": Figures(
        17, 35, 10, 2.1, 4, 11, 22, 6, 6, 8, 2, (2, 1), (2, 1), ends_at=1, one_line=2, seats=4, subways=5
    ),
    "two_decks": Figures(38, 80, 20, 3.2, 7, 45, 80, first=(4, 2), later=(4, 1), passengers=60, most=15, mix=4),
    "lakes": replace(
        WITH_SHIPS, cities=37, joined=85, longest=9, tickets=55, fleet=Fleet((33, 32), 50, (2, 2), (0, 10, 20, 30))
    ),
}


def board_files(kind: str, seed: int) -> dict[str, str]:
    """The files of a board folder."""
    luck = np.random.default_rng([seed, list(KINDS).index(kind)])
    figures = varied(KINDS[kind], luck)
    points = scattered(figures.cities, luck)
    joined = planar(points, figures.joined)
    lengths = in_spaces(points, joined, figures, luck)
    names = names_for(figures.cities, luck)
    files = {
        "board.toml": rules(figures, f"{kind.replace('_', '-')}-{seed}"),
        "cities.csv": cities(figures, points, names, luck),
        "routes.csv": routes(figures, names, joined, lengths, luck),
        "tickets.csv": tickets(figures, names, joined, lengths, luck),
    }
    if figures.passengers:
        chosen = luck.permutation(figures.cities)
        standing = 1 + luck.multinomial(figures.passengers - len(chosen), np.ones(len(chosen)) / len(chosen))
        rows = [f"{names[city]},{min(20, count)}" for city, count in zip(chosen, standing, strict=True)]
        files["passengers.csv"] = "\n".join(["city,count", *rows, ""])
    return files


def varied(figures: Figures, luck: np.random.Generator) -> Figures:
    """The figures of one board: those of its kind, each a little larger or smaller."""

    def near(number: float) -> float:
        return float(number * (1 + VARIED * luck.uniform(-1, 1)))

    cities = round(near(figures.cities))
    return replace(
        figures,
        cities=cities,
        joined=round(near(figures.joined * cities / figures.cities)),
        doubles=round(near(figures.doubles)),
        spaces=near(figures.spaces),
        pieces=round(near(figures.pieces)),
        tickets=round(near(figures.tickets)),
        inflation=near(figures.inflation),
    )


def write_board(folder: Path, kind: str, seed: int) -> Path:
    """Write such a board into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in board_files(kind, seed).items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


# ------------------------------------------------------------------------------------------------ the map


def scattered(count: int, luck: np.random.Generator) -> np.ndarray:
    """Places, none too near to another."""
    apart = 0.75 * (SHAPE / count) ** 0.5
    found: list[np.ndarray] = []
    while len(found) < count:
        one = luck.random(2) * (SHAPE, 1)
        if all(hypot(*(one - other)) >= apart for other in found):
            found.append(one)
        else:
            apart *= 0.9995
    return np.array(found)


def planar(points: np.ndarray, wanted: int) -> list[tuple[int, int]]:
    """Pairs to be joined, none crossing another, the short ones first; of these so many that all hangs together."""
    count = len(points)
    pairs = sorted(
        ((hypot(*(points[a] - points[b])), a, b) for a in range(count) for b in range(a)), key=lambda one: one[0]
    )
    kept: list[tuple[int, int]] = []
    for _, a, b in pairs:
        if not any(crosses(points, (a, b), other) for other in kept):
            kept.append((a, b))
    for one in reversed(kept.copy()):
        if len(kept) > wanted:
            rest = [other for other in kept if other != one]
            ends = [sum(end in other for other in rest) for end in one]
            if min(ends) >= 2 and hangs_together(rest, count):
                kept = rest
    return kept


def crosses(points: np.ndarray, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two straight lines meet anywhere but at their ends."""
    if set(one) & set(other):
        return False

    def side(a: int, b: int, c: int) -> float:
        (ax, ay), (bx, by), (cx, cy) = points[a], points[b], points[c]
        return float((bx - ax) * (cy - ay) - (by - ay) * (cx - ax))

    return side(*one, other[0]) * side(*one, other[1]) < 0 and side(*other, one[0]) * side(*other, one[1]) < 0


def hangs_together(joined: list[tuple[int, int]], count: int) -> bool:
    """Whether every place can be reached."""
    return all(way < 10**6 for way in shortest(joined, [1] * len(joined), count, 0))


def shortest(joined: list[tuple[int, int]], lengths: list[int], count: int, start: int) -> list[int]:
    """The spaces of the shortest way from a place to each."""
    away = [10**6] * count
    away[start] = 0
    front = [(0, start)]
    while front:
        far, here = heapq.heappop(front)
        for (a, b), length in zip(joined, lengths, strict=True):
            if here in (a, b):
                there = b if here == a else a
                if far + length < away[there]:
                    away[there] = far + length
                    heapq.heappush(front, (away[there], there))
    return away


def in_spaces(
    points: np.ndarray, joined: list[tuple[int, int]], figures: Figures, luck: np.random.Generator
) -> list[int]:
    """The spaces of each route, by how long it is on the map; their mean is as near to the figure as can be."""
    far = np.array([hypot(*(points[a] - points[b])) for a, b in joined]) ** luck.uniform(*SPREAD)
    scales = figures.spaces / far.mean() * np.linspace(0.5, 2, 151)
    tried = np.clip(np.round(scales[:, None] * far), 1, figures.longest).astype(int)
    nearest = np.argmin(np.abs(tried.mean(axis=1) - figures.spaces))
    return [int(one) for one in tried[nearest]]


# ------------------------------------------------------------------------------------------------ the files


def names_for(count: int, luck: np.random.Generator) -> list[str]:
    """Made-up names."""
    heads = ("Ar", "Bel", "Cor", "Dun", "El", "Fen", "Gar", "Hol", "Is", "Kal", "Lor", "Mar", "Nor", "Or", "Pel", "Ros")
    tails = ("ava", "beck", "dale", "eno", "ford", "gate", "holm", "ium", "mont", "ora", "port", "stead", "ton", "wick")
    every = [head + tail for head in heads for tail in tails]
    return [every[n] for n in luck.permutation(len(every))[:count]]


def cities(figures: Figures, points: np.ndarray, names: list[str], luck: np.random.Generator) -> str:
    """`cities.csv`."""
    rows = []
    for name, (x, y) in zip(names, points, strict=True):
        port = "yes" if figures.fleet and luck.random() < 0.6 else "no"
        rows.append(f"{name},{port},{60 - 20 * y:.3f},{20 * x:.3f}")
    return "\n".join(["name,port,lat,lon", *rows, ""])


def routes(
    figures: Figures, names: list[str], joined: list[tuple[int, int]], lengths: list[int], luck: np.random.Generator
) -> str:
    """`routes.csv`: two fifths gray, the other colours alike often; short ones double."""
    bag: list[str] = []
    rows = []
    doubled = set(sorted(range(len(joined)), key=lambda n: lengths[n] + 3 * luck.random())[: figures.doubles])
    may_be_subway = [n for n in luck.permutation(len(joined)) if lengths[n] in POINTS_SUBWAY and n not in doubled]
    subways = set(may_be_subway[: 2 * figures.subways])

    def colour() -> str:
        nonlocal bag
        if luck.random() < 0.4:
            return "gray"
        if not bag:
            bag = [COLOURS[n] for n in luck.permutation(figures.colours)]
        return bag.pop()

    for n, ((a, b), length) in enumerate(zip(joined, lengths, strict=True)):
        kind, wilds = "tram" if figures.subways else "rail", 0
        if n in subways:
            kind = "subway"
        elif figures.fleet and length >= figures.fleet.sea_from and luck.random() < 0.6:
            kind = "sea"
        elif luck.random() < figures.tunnels:
            kind = "tunnel"
        elif luck.random() < figures.ferries:
            kind, wilds = "ferry", 1 + int(luck.random() < 0.3 and length > 2)
        first = "gray" if kind == "ferry" else colour()
        second = "gray" if first == "gray" else next(one for one in (*bag, *COLOURS) if one != first)
        for line in (first, second)[: 1 + (n in doubled or n in subways)]:
            rows.append(f"{names[a]},{names[b]},{length},{line},{kind},{min(wilds, length)}")
    return "\n".join(["city_a,city_b,length,colour,kind,wilds", *rows, ""])


def tickets(
    figures: Figures, names: list[str], joined: list[tuple[int, int]], lengths: list[int], luck: np.random.Generator
) -> str:
    """`tickets.csv`: worth the shortest way; long ones in a deck of their own if there is one, or half of them."""
    count = len(names)
    ways = [shortest(joined, lengths, count, start) for start in range(count)]
    pairs = sorted(
        ((ways[a][b], a, b) for a in range(count) for b in range(a) if (a, b) not in joined), key=lambda one: one[0]
    )
    two = bool(figures.mix or figures.long_deck)
    far = pairs[len(pairs) // 2 :] if figures.mix else [one for one in pairs if one[0] >= 0.8 * pairs[-1][0]]
    near = [one for one in pairs if one not in far] if two else pairs
    many = figures.tickets * 2 // 5 if figures.mix else figures.long_deck
    rows = []
    for deck, among, wanted in (("long", far, many), ("tickets", near, figures.tickets - many * bool(figures.mix))):
        for n in luck.permutation(len(among))[:wanted]:
            way, a, b = among[n]
            rows.append(f"{names[a]},{names[b]},{max(1, round(way * figures.inflation))},{deck}")
    if not two:
        rows = [row.removesuffix(",tickets") for row in rows]
    return "\n".join(["city_a,city_b,value" + (",deck" if two else ""), *rows, ""])


def rules(figures: Figures, name: str) -> str:
    """`board.toml`."""
    fleet = figures.fleet
    listed = ", ".join(f'"{one}"' for one in COLOURS[: figures.colours])
    lines = [
        f'id = "{name}"',
        f'title = "{name}"',
        f"[seats]\nfrom = 2\nto = {figures.seats}",
        f"[cards]\ncolours = [{listed}]\ntrain = {figures.train}\nwild = {figures.wild}\nsweep_at = 3",
        *(cards_with_ships(fleet) if fleet else [f"hand = {figures.hand}\nmarket = 5"]),
        *ticket_rules(figures),
        *pieces(figures),
        f"[parallel]\none_line_up_to_seats = {figures.one_line}",
        "[points]\n" + "\n".join(f"{spaces} = {score}" for spaces, score in POINTS.items()),
        f'[ending]\npieces_left = {figures.ends_at}\nextra_turns = {2 if fleet else 1}\nties = ["tickets_done"]',
        f"[bonuses]\nlongest_trail = {figures.trail}\nmost_tickets = {figures.most}",
    ]
    if figures.subways:
        lines.append("[points_subway]\n" + "\n".join(f"{cards} = {score}" for cards, score in POINTS_SUBWAY.items()))
    if figures.tunnels:
        lines.append("[tunnels]\ncards_turned = 3")
    if figures.stations:
        prices = list(range(1, figures.stations + 1))
        lines.append(f"[stations]\nprices = {prices}\nkept_bonus = 4")
    if figures.passengers:
        lines.append('[passengers]\ncolours = ["red", "black", "green", "yellow", "blue", "white"]')
        lines.append("each = 10\nmost = 20\nsecond = 10")
    if fleet:
        points = list(fleet.port_points)
        lines.append(f"[ports]\neach_seat = 3\ntrain_cards = 2\nship_cards = 2\npoints = {points}\nunbuilt = -4")
    return "\n".join(lines) + "\n"


def cards_with_ships(fleet: Fleet) -> list[str]:
    """Cards of ships and ports, hands and markets."""
    return [
        "port_marked = 4\nship_single = 4\nship_double = 6",
        f"hand = {{ train = {fleet.hand[0]}, ship = {fleet.hand[1]} }}\nmarket = {{ train = 3, ship = 3 }}",
    ]


def ticket_rules(figures: Figures) -> list[str]:
    """Decks, and what is dealt from them."""
    lines = []
    for when, (deal, keep), longs in (("first", figures.first, 1), ("later", figures.later, 0)):
        dealt = f"deal = {deal}"
        if figures.mix:
            dealt = f"mix = {figures.mix}"
        elif figures.long_deck:
            dealt = f"deal = {{ {'long = 1, ' * longs}tickets = {deal} }}"
        lines.append(f'[tickets.{when}]\n{dealt}\nkeep_at_least = {keep}\nrejected = "under the deck"')
    decks = '["long", "tickets"]' if figures.long_deck or figures.mix else '["tickets"]'
    return [f"[tickets]\ndecks = {decks}", *lines]


def pieces(figures: Figures) -> list[str]:
    """The pieces of a seat."""
    if figures.fleet:
        trains, ships = figures.fleet.box
        return [f"[pieces]\ntrain = {trains}\nship = {ships}\n[fleet]\nchoose = {figures.fleet.choose}\nswap_price = 1"]
    if figures.subways:
        return [f"[pieces]\ntram = {figures.pieces}\nsubway = {figures.subways}"]
    return [f"[pieces]\ntrain = {figures.pieces}"]


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kind", choices=KINDS, default="classic")
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for seed in range(given.seed, given.seed + given.count):
        print(write_board(given.folder / f"{given.kind}-{seed}", given.kind, seed))


if __name__ == "__main__":
    main()
