"""How many games that were really played, and noted truthfully, are found again. From the project's root:

    python benchmarks/notation.py [BOT] [GAMES]

BOT is a bot's name, or `hoard`: it draws until the decks run out, and builds then. Prints for every edition, number of
seats and kind of noting how many were found, and the median and the most processor time.
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import branchline as bl
from branchline.game import NotationError
from branchline.tabletop.notation_reader import read_notation
from branchline.tabletop.reconstruction import reconstruct
from tabletop.noting import EYES, chooser, played


def main() -> None:
    """Measure and print, a line for every cell."""
    bot = sys.argv[1] if len(sys.argv) > 1 else "fast"
    games = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    for edition in ("berlin", "germany", "europe", "world", "great_lakes"):
        board = bl.load_board(edition)
        for seats in range(board.seats[0], board.seats[1] + 1):
            notes = [played(board, seats, seed + 50, chooser(bot, seats, seed)) for seed in range(games)]
            for name, eye in EYES.items():
                found, spent = 0, []
                for game in notes:
                    began = time.process_time()
                    try:
                        reconstruct(read_notation(game.noted(eye)))
                        found += 1
                    except NotationError:
                        pass
                    spent.append(time.process_time() - began)
                print(f"{edition} {seats} {name}: {found}/{games}", end=" ")
                print(f"({statistics.median(spent):.1f} s, at most {max(spent):.1f} s)", flush=True)


if __name__ == "__main__":
    main()
