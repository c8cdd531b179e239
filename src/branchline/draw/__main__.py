"""`python -m branchline.draw`: lay out the boards that come with branchline, for their layouts to be shipped."""

from __future__ import annotations

from branchline.boards import builtin_boards, load_board
from branchline.draw.arranging import arrange
from branchline.draw.stored import SHIPPED, write


def main() -> None:
    """Write the layouts of all editions into the package, and remove those of before."""
    SHIPPED.mkdir(exist_ok=True)
    boards = [load_board(name) for name in builtin_boards()]
    written = {write(board, arrange(board), SHIPPED): board for board in boards}
    for file in SHIPPED.iterdir():
        if file not in written:
            file.unlink()
    for file, board in written.items():
        print(f"{board.id}: {file.name}, {file.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
