"""The engine plays the same in somebody else's memory, wherever it is put."""

from __future__ import annotations

import pytest
import wasmtime

from branchline import Game, load_board
from branchline.runtime.engine_file import FILE, contents
from branchline.runtime.moved_engine import EngineError, addresses, extent, moved, sections

PAGE = 1 << 16


@pytest.mark.parametrize("base", (0x10, 0x345678))
def test_the_moved_engine_deals_the_same_game(base: int) -> None:
    game = Game(load_board("berlin"), seats=3, seed=7)
    board, state = game.board.tables.tobytes(), game.state.tobytes()
    layouts = contents()["layouts"]
    file = FILE.read_bytes()
    store = wasmtime.Store()
    begin = -(-(base + extent(file)) // 64) * 64
    at = {"board": begin, "state": begin + len(board) + 64}
    at["scratch"] = at["state"] + len(state) + 64
    size = at["scratch"] + layouts["scratch"]["size"]
    memory = wasmtime.Memory(store, wasmtime.MemoryType(wasmtime.Limits(-(-size // PAGE), None)))
    module = wasmtime.Module(store.engine, moved(file, contents()["addresses"], base))
    exports = wasmtime.Instance(store, module, [memory]).exports(store)
    memory.write(store, board, at["board"])
    exports["rules.setup.prepare"](store, at["board"], at["state"], 3, 7)  # type: ignore[operator]
    exports["rules.setup.deal"](store, at["board"], at["state"], at["scratch"])  # type: ignore[operator]
    assert bytes(memory.read(store, at["state"], at["state"] + len(state))) == state
    assert bytes(memory.read(store, 0, base)) == bytes(base), "it has written below its place"


def test_only_code_and_constants_move() -> None:
    file = FILE.read_bytes()
    there = moved(file, contents()["addresses"], 0)
    kinds = {kind: file[begin:end] for kind, begin, end in sections(file)}
    for kind, begin, end in sections(there):
        if kind not in (2, 6, 7, 11):  # imports; globals, exports and data are written anew
            assert there[begin:end] == kinds[kind]


def test_files_that_differ_otherwise_are_no_pair() -> None:
    file = FILE.read_bytes()
    with pytest.raises(EngineError):
        addresses(file, file + b"\0")
