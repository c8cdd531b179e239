"""Put networks that `branchline train` has made into the package, where `learned` finds them.

    python benchmarks/policy_networks.py europe-2/policy.npz germany-2/policy.npz
    python benchmarks/policy_networks.py europe-4/policy.npz --seats 3 4 5

Each takes the place of the one for the same edition and number of seats; all others stay. One that is found to play
well with other numbers of seats, too, is put in for these as well. They are kept in half precision, which halves the
file.
"""

from __future__ import annotations

import argparse
import io
from pathlib import Path

import numpy as np

from branchline.boards import load_board
from branchline.bots.networks.policy_networks import SHIPPED, read_network, shipped_name, shipped_networks
from branchline.whole_file import write_whole


def ship(files: list[Path], tables: list[int]) -> None:
    """Put these networks among those that ship. `tables`: seats with which they play; those of the training if none."""
    networks = dict(shipped_networks()) if SHIPPED.exists() else {}
    for file in files:
        network = read_network(file)
        board = load_board(network.board)
        if board.digest != network.digest:
            raise SystemExit(f"{file}: made for another {network.board} than the one that ships")
        for seats in tables or [network.seats]:
            if not board.seats[0] <= seats <= board.seats[1]:
                raise SystemExit(f"{file}: {network.board} is not played with {seats} seats")
            networks[shipped_name(board, seats)] = network.numbers
    packed = io.BytesIO()
    np.savez_compressed(packed, **{name: networks[name].astype(np.float16) for name in sorted(networks)})
    write_whole(SHIPPED, packed.getvalue())
    print(f"{SHIPPED}: {len(networks)} networks, {SHIPPED.stat().st_size / 1000:.0f} KB")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+", help="policy.npz of trainings")
    parser.add_argument("--seats", type=int, nargs="+", default=[], help="with which they play")
    asked = parser.parse_args()
    ship(asked.files, asked.seats)
