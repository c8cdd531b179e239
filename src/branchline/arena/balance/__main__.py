"""`python -m branchline.arena.balance`: play the editions that come with branchline, and keep what came out.

It writes `editions.json`, beside which the figures of other boards are set, and `docs/balance.md` where there is a
folder `docs`. The same games are played every time: `SEED`, and `GAMES` at each number of seats.
"""

from __future__ import annotations

import json
from pathlib import Path

from branchline.arena.balance.figures import figures
from branchline.arena.balance.games import GAMES, play_balance
from branchline.arena.balance.page import published
from branchline.arena.balance.ranges import FILE, editions
from branchline.boards import builtin_boards

SEED = 11


def main() -> None:
    """Measure all editions, one after the other."""
    found = []
    for name in builtin_boards():
        one = figures(play_balance(name, GAMES, SEED))
        found.append(one)
        print(f"{name}: {one.games:,} games, {one.seconds:.0f} s", flush=True)
    kept = {
        "seed": SEED,
        "games": GAMES,
        "bot": "planner",
        "editions": {
            one.board.id: {
                "digest": one.board.digest,
                "map": one.keyed(),
                "seats": {str(table.seats): table.keyed() for table in one.tables},
            }
            for one in found
        },
    }
    FILE.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    editions.cache_clear()
    docs = Path("docs")
    if docs.is_dir():
        (docs / "balance.md").write_text(published(found, SEED, GAMES), encoding="utf-8")


if __name__ == "__main__":
    main()
