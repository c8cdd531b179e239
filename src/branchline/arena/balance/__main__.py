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
    balances = []
    for name in builtin_boards():
        balance = figures(play_balance(name, GAMES, SEED))
        balances.append(balance)
        print(f"{name}: {balance.games:,} games, {balance.seconds:.0f} s", flush=True)
    kept = {
        "seed": SEED,
        "games": GAMES,
        "bot": "planner",
        "editions": {
            balance.board.id: {
                "digest": balance.board.digest,
                "map": balance.keyed(),
                "seats": {str(table.seats): table.keyed() for table in balance.tables},
            }
            for balance in balances
        },
    }
    FILE.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    editions.cache_clear()
    docs = Path("docs")
    if docs.is_dir():
        (docs / "balance.md").write_text(published(balances, SEED, GAMES), encoding="utf-8")


if __name__ == "__main__":
    main()
