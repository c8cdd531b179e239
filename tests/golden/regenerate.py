"""Write the golden games anew: `python tests/golden/regenerate.py`, from anywhere; with `--check` only compare.

A golden game is a readable file: a head line with what sets the game up, then one line for each action, `seat
action | what happened`, then the final sheet. With the head, the left side alone gives the right side back.
Regenerate only when a rule was meant to change (then raise `rules_version` of the boards too), and read the
difference before committing it.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import branchline as bl

HERE = Path(__file__).parent
WIDTH = 43  # columns left of the bar

# edition, seats, seed, how it is played, and how many routes of the board there are (0: all). On a board of a few
# routes everybody ends up passing, or, where pieces can be swapped, doing nothing else.
GAMES = {
    "germany_2_seats": ("germany", 2, 11, "eager", 0),
    "germany_5_seats": ("germany", 5, 12, "eager", 0),
    "germany_all_passed": ("germany", 2, 13, "patient", 9),
    "europe_3_seats": ("europe", 3, 41, "eager", 0),
    "europe_5_seats": ("europe", 5, 42, "eager", 0),
    "europe_tunnels_and_stations": ("europe", 2, 43, "patient", 0),
    "europe_all_passed": ("europe", 2, 44, "patient", 6),
    "berlin_2_seats": ("berlin", 2, 21, "eager", 0),
    "berlin_4_seats": ("berlin", 4, 22, "eager", 0),
    "berlin_all_passed": ("berlin", 2, 23, "patient", 3),
    "world_2_seats": ("world", 2, 31, "eager", 0),
    "world_5_seats": ("world", 5, 32, "eager", 0),
    "world_ports_and_swaps": ("world", 3, 33, "builder", 0),
    "world_nothing_but_swaps": ("world", 2, 34, "patient", 4),
    "great_lakes_2_seats": ("great_lakes", 2, 51, "eager", 0),
    "great_lakes_4_seats": ("great_lakes", 4, 52, "builder", 0),
    "great_lakes_nothing_but_swaps": ("great_lakes", 2, 53, "patient", 4),
}

# What each way of playing likes, first to last, and how often it minds; otherwise it plays at random.
PAYING = ("pay extra", "pay", "wilds", "doubles", "marked", "pair", "passenger")
LIKES = {
    "eager": ("claim", *PAYING),
    "builder": ("port", "station", "claim", *PAYING, "swap"),
    "patient": ("market", "blind", "refill", "tickets", *PAYING),
}
MINDS = {"eager": 0.6, "builder": 0.8, "patient": 0.7}


def choice(game: bl.Game, manner: str, luck: random.Random) -> str:
    """The text of the next action."""
    texts = game.legal.texts
    if luck.random() < MINDS[manner]:
        for word in LIKES[manner]:
            liked = [text for text in texts if text.startswith(word)]
            if liked and (word not in ("port", "station", "swap") or luck.random() < 0.5):
                return luck.choice(liked)
    return luck.choice(texts)


def opening(name: str) -> tuple[str, bl.Game]:
    """The head line of a golden game, and the game."""
    edition, seats, seed, _, routes = GAMES[name]
    board = bl.load_board(edition)
    head = f"edition {edition}   rules {board.rules_version}   seats {seats}   seed {seed}"
    if routes:
        board = replace(board, routes=board.routes[:routes])
        head += f"   only the first {routes} routes"
    return head, bl.Game(board, seats, seed)


def line(said: str, events: tuple[bl.Event, ...]) -> str:
    """One line of the file."""
    told = "; ".join(event.text for event in events)
    return f"{said:<{WIDTH}} | {told}" if told else said


def sheet(game: bl.Game) -> Iterator[str]:
    """The final scores, as the file ends with."""
    yield "--"
    for score in game.scores.seats:
        parts = " ".join(f"{name} {points}" for name, points in score.parts().items() if points)
        yield f"seat {score.seat}: {score.total} = {parts or 'nothing'}; tickets done {score.tickets_done}"
    yield f"winners {' '.join(map(str, game.scores.winners))}   turns {game.view(None).turns}"


def played(name: str) -> Iterator[str]:
    """The lines of a golden game, played."""
    head, game = opening(name)
    yield head
    manner, luck = GAMES[name][3], random.Random(name)
    while not game.over:
        seat = game.question.seat
        text = choice(game, manner, luck)
        yield line(f"{seat} {text}", game.play(text))
    yield from sheet(game)


def replayed(name: str, lines: list[str], watch: Callable[[bl.Game], object] = id) -> Iterator[str]:
    """The lines of a golden game, from the left sides of these; `watch` is shown the game at every step."""
    head, game = opening(name)
    yield head
    for one in lines[1:]:
        if game.over:
            break
        watch(game)
        seat, _, text = one.split("|")[0].strip().partition(" ")
        assert seat == str(game.question.seat), f"{one}: it is the question of seat {game.question.seat}"
        yield line(f"{seat} {text}", game.play(text))
    if game.over:
        watch(game)
        yield from sheet(game)


def main() -> int:
    """Write, or with `--check` compare."""
    changed = 0
    for name in GAMES:
        path = HERE / f"{name}.txt"
        text = "\n".join(played(name)) + "\n"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            changed += 1
            print(f"{name}: changed")
            if "--check" not in sys.argv:
                path.write_text(text, encoding="utf-8")
    return changed if "--check" in sys.argv else 0


if __name__ == "__main__":
    raise SystemExit(main())
