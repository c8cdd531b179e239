"""How quick the engine is beside native code, in one run on one machine:

    python benchmarks/engine.py speed      # games of random and planner, search@60, an analysis: engine / native
    python benchmarks/engine.py calls      # one call from Python: legal, apply, redact
    python benchmarks/engine.py browser    # planner in Chromium / native
    python benchmarks/engine.py start      # fresh starts and "Play Europe" with empty caches; what lies on disk

Both ways take turns, so that what else the machine does strikes both. Speeds are by processor time, in Chromium by the
shortest of many short turns; the figure that counts is the ratio, with its bar behind it.
"""

from __future__ import annotations

import argparse
import base64
import importlib.util
import json
import os
import resource
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

WAYS = ("native", "engine")
TURNS = 5
BARS = {"random": 0.75, "planner": 0.75, "search@60": 0.75, "analysis": 0.75}
MOST_CALL = 15.0  # microseconds
BROWSER_BAR = 0.55
PLAY_BAR = 1  # second
CHROMIUM = ["--headless", "--no-sandbox", "--disable-gpu"]
SEATS = 2
PACKAGES = {"native": ("numba", "llvmlite"), "engine": ("wasmtime",)}

# Plays games of `planner` by the engine's own loop; the milliseconds of each turn, and the totals of the last games.
IN_BROWSER = """async ([file, tables, seats, games, turns]) => {
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const module = await WebAssembly.compile(bytes(file));
  const said = JSON.parse(new TextDecoder().decode(WebAssembly.Module.customSections(module, "branchline")[0]));
  const { memory, __heap_base, ...rules } = (await WebAssembly.instantiate(module)).exports;
  let top = Math.ceil(__heap_base.value / 64) * 64;
  const room = (size) => { const at = top; top += Math.ceil(size / 64) * 64; return at; };
  const size = (layout) => said.layouts[layout].size;
  const [board, state, seen, empty, scratch] = ["board", "state", "state", "state", "scratch"]
    .map((one) => room(size(one)));
  const [memories, choosers, played] = [room(5 * size("memory")), room(5 * 8), room(games * size("game"))];
  memory.grow(Math.ceil(top / 65536));
  new Uint8Array(memory.buffer).set(bytes(tables), board);
  new BigInt64Array(memory.buffer, choosers, 5).fill(BigInt(said.numbers.bots.planner));
  const play = (first) => rules["arena.play.play_games"](board, state, 1n, state, seen, 1n, seen, empty, 1n, scratch,
    memories, 5n, choosers, 5n, played, BigInt(games), BigInt(seats), 1n, 1n, BigInt(first), 0n, 5000n);
  const taken = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const began = performance.now();
    play(turn * games);
    taken.push(performance.now() - began);
  }
  const at = said.layouts.game.fields.total[1];
  const totals = Array.from({ length: games }, (_, n) =>
    [...new Int16Array(memory.buffer, played + n * size("game") + at, seats)]);
  return { taken, totals };
}"""


# ------------------------------------------------------------------------------------------------ work, in a process


def works() -> dict[str, Callable[[int], Any]]:
    """What is measured, by name: each takes the number of the turn."""
    import branchline as bl
    from branchline.bots import bot_maker
    from branchline.bots.api.bot import Position

    board = bl.load_board("europe")

    def search(turn: int) -> None:
        game = bl.Game(board, SEATS, seed=turn)
        players = [bot_maker("search@60")(seat) for seat in range(SEATS)]
        for _ in range(40):
            position = Position.of(game)
            game.play(players[position.seat].choose(position))

    def analysis(turn: int) -> None:
        game = bl.Game(board, SEATS, seed=100 + turn)
        players = [bot_maker("planner")(seat) for seat in range(SEATS)]
        while not game.over:
            position = Position.of(game)
            game.play(players[position.seat].choose(position))
        bl.analyse(game, rollouts=60)

    return {
        "random": lambda turn: bl.simulate(board, ["random"] * SEATS, 4000, turn),
        "planner": lambda turn: bl.simulate(board, ["planner"] * SEATS, 300, turn),
        "general": lambda turn: bl.simulate(board, ["planner@general"] * SEATS, 300, turn),
        "search@60": search,
        "analysis": analysis,
    }


def serve() -> None:
    """Do what is asked line by line, a name and a turn, and answer with the processor time."""
    known = works()
    for line in sys.stdin:
        name, turn = line.split()
        began = time.process_time()
        known[name](int(turn))
        print(time.process_time() - began, flush=True)


class Worker:
    """A process that runs the rules in one way."""

    def __init__(self, way: str) -> None:
        """Start it."""
        self.process = subprocess.Popen(
            [sys.executable, __file__, "work"],
            env=os.environ | {"BRANCHLINE_RULES": way},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def seconds(self, name: str, turn: int) -> float:
        """The processor time of one turn."""
        assert self.process.stdin and self.process.stdout
        print(name, turn, file=self.process.stdin, flush=True)
        return float(self.process.stdout.readline())

    def end(self) -> None:
        """Let it go."""
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait(30)


# ------------------------------------------------------------------------------------------------ the commands


def speed() -> None:
    """Engine / native, for each kind of work."""
    workers = {way: Worker(way) for way in WAYS}
    for name, bar in BARS.items():
        for worker in workers.values():
            worker.seconds(name, 0)  # compiled, fetched, warm
        taken = [{way: worker.seconds(name, turn) for way, worker in workers.items()} for turn in range(1, TURNS + 1)]
        ratios = sorted(one["native"] / one["engine"] for one in taken)
        middle = {way: statistics.median(one[way] for one in taken) for way in WAYS}
        print(
            f"{name:10} engine / native {statistics.median(ratios):.2f} ({ratios[0]:.2f}–{ratios[-1]:.2f}), bar {bar}:"
            f" {middle['engine']:.3f} s and {middle['native']:.3f} s",
            flush=True,
        )
    for worker in workers.values():
        worker.end()


def calls() -> None:
    """Microseconds of one call from Python, on the engine."""
    os.environ["BRANCHLINE_RULES"] = "engine"
    import branchline as bl
    from branchline.rules import kernel, knowledge, turn
    from branchline.rules.state import SCRATCH, STATE

    board = kernel.record_in(bl.load_board("europe").tables)
    game = bl.Game(bl.load_board("europe"), SEATS, seed=1)
    action = next(iter(game.legal))
    before = kernel.copy_of(game.state)
    spare, seen, scratch = kernel.copy_of(before), kernel.new_buffer(STATE), kernel.new_buffer(SCRATCH)
    start, state, shown, desk = map(kernel.record_in, (before, spare, seen, scratch))

    def again() -> None:
        spare[:] = before

    def apply() -> None:
        spare[:] = before
        turn.apply(board, state, desk, action)

    copying = _microseconds(again)
    measured = {
        "legal": _microseconds(lambda: turn.legal(board, start, desk)),
        "apply": _microseconds(apply) - copying,
        "redact": _microseconds(lambda: knowledge.redact(board, start, shown, 0)),
    }
    for name, found in measured.items():
        print(f"{name:10} {found:.1f} µs a call, bar {MOST_CALL:.0f} µs")


def _microseconds(call: Callable[[], object], times: int = 3000) -> float:
    taken = []
    for _ in range(TURNS):
        began = time.process_time()
        for _ in range(times):
            call()
        taken.append(1e6 * (time.process_time() - began) / times)
    return min(taken)


def browser() -> None:
    """`planner` in Chromium / native, and whether they play the same games."""
    os.environ["BRANCHLINE_RULES"] = "native"
    from playwright.sync_api import sync_playwright

    import branchline as bl
    from branchline.arena.table import Table
    from branchline.bots import bot_maker
    from branchline.runtime.engine_file import FILE

    games, turns = 60, 20
    board = bl.load_board("europe")
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    table = Table(board, [bot_maker("planner@general")] * SEATS, seed=1)
    table.play(0, games)
    native = []
    with sync_playwright() as play:
        opened = play.chromium.launch(executable_path=chromium, args=CHROMIUM)
        page = opened.new_page()
        file, tables = (base64.b64encode(one).decode() for one in (FILE.read_bytes(), board.tables.tobytes()))
        found = page.evaluate(IN_BROWSER, [file, tables, SEATS, games, turns])
        for turn in range(turns):
            began = time.perf_counter()
            played = table.play(turn * games, games)
            native.append(1000 * (time.perf_counter() - began))
        opened.close()
    same = [list(map(int, one[:SEATS])) for one in played["total"]] == found["totals"]
    ratio = min(native) / min(found["taken"][2:])
    print(f"browser / native {ratio:.2f}, bar {BROWSER_BAR}: {min(found['taken']):.0f} ms and {min(native):.0f} ms")
    print("the same games" if same else "OTHER GAMES")


def start() -> None:
    """Fresh starts, each with an empty cache: processor time and time; then what the engine takes on disk."""
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "game.json"
        position = Path(folder) / "position.json"
        position.write_text(json.dumps({"edition": "europe", "seats": [{"routes": [["Paris", "Dieppe"]]}]}))
        _fresh(["-c", _RECORD, str(record)])
        asked = {
            "import": (["-c", "import branchline"], 0.05),
            "--help": (["-m", "branchline", "--help"], 0.3),
            "board list": (["-m", "branchline", "board", "list"], 0.3),
            "score": (["-m", "branchline", "score", str(position)], 0.3),
            "replay": (["-m", "branchline", "replay", str(record)], 0.3),
            "simulate berlin --games 100": (["-m", "branchline", "simulate", "berlin", "--games", "100"], 1.5),
        }
        nothing = min(_fresh(["-c", "pass"])[0] for _ in range(TURNS))
        for name, (arguments, bar) in asked.items():
            cpu, wall = map(min, zip(*(_fresh(arguments) for _ in range(TURNS)), strict=True))
            own = f", {cpu - nothing:.3f} s more than Python alone" if name == "import" else ""
            print(f"{name:28} {wall:.2f} s, {cpu:.2f} s of processor time{own}, bar {bar} s", flush=True)
    tables = [_play_europe() for _ in range(TURNS)]
    print(f"{'Play Europe':28} {min(tables):.2f} s from the press to the table, bar {PLAY_BAR} s", flush=True)
    for way, packages in PACKAGES.items():
        size = sum(_size(package) for package in packages)
        print(
            f"on disk for {way}: {size / 1e6:.0f} MB ({', '.join(packages)}), bar 35 MB" if size else f"no {packages}"
        )


def _play_europe() -> float:
    """Seconds from pressing "Play Europe" to the table, in Chromium; the server has just begun, with an empty cache."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, socket.socket() as probe, sync_playwright() as play:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
        probe.close()
        server = subprocess.Popen(
            [
                sys.executable, "-m", "branchline", "serve", "--quiet", "--port", address.rpartition(":")[2],
                "--database", f"sqlite:///{folder}/rooms.sqlite",
            ],
            env=os.environ | {"BRANCHLINE_CACHE": f"{folder}/cache"},
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
            opened = play.chromium.launch(executable_path=chromium, args=CHROMIUM)
            page = opened.new_page()
            while True:
                try:
                    page.goto(f"http://{address}/")
                    break
                except Exception:  # it does not listen yet
                    time.sleep(0.05)
            began = time.perf_counter()
            page.click("form:has(input[value=europe]) button.first.big")
            page.wait_for_selector("#board svg")
            taken = time.perf_counter() - began
            opened.close()
        finally:
            server.terminate()
            server.wait(20)
    return taken


_RECORD = """
import random, sys
import branchline as bl
game = bl.Game(bl.load_board("berlin"), 2, seed=1)
while not game.over:
    game.play(random.choice(list(game.legal)))
open(sys.argv[1], "w").write(game.record().to_json())
"""


def _fresh(arguments: list[str]) -> tuple[float, float]:
    """Processor time and time of a process that begins with an empty cache."""
    with tempfile.TemporaryDirectory() as cache:
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(
            [sys.executable, *arguments],
            env=os.environ | {"BRANCHLINE_CACHE": cache},
            stdout=subprocess.DEVNULL,
            check=True,
        )
        wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def _size(package: str) -> int:
    found = importlib.util.find_spec(package)
    if found is None or found.origin is None:
        return 0
    return sum(file.stat().st_size for file in Path(found.origin).parent.rglob("*") if file.is_file())


COMMANDS = {"speed": speed, "calls": calls, "browser": browser, "start": start, "work": serve}


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=[name for name in COMMANDS if name != "work"] + ["work"], metavar="WHAT")
    COMMANDS[parser.parse_args().what]()


if __name__ == "__main__":
    main()
