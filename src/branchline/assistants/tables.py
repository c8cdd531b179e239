"""Tables at which assistants play: whoever holds the key of a seat sees what that seat may know, and nothing more."""

from __future__ import annotations

import contextlib
import secrets
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from branchline.boards import load_board
from branchline.boards.arguments import text, whole_number
from branchline.boards.faults import listed, quoted
from branchline.bots import Bot, Position, bot_names, make_bot
from branchline.envs.opponents import answer
from branchline.envs.text import TextGame
from branchline.errors import BranchlineError
from branchline.game.game import SEEDS
from branchline.game.record import Record

MOST_TABLES = 200
ME, OPEN = "me", "open"
PATIENCE = 30.0  # seconds that somebody waits for the bots of a table


class TableError(BranchlineError):
    """A table that cannot be had like this."""


@dataclass
class AssistantTable:
    """A game, its bots, and the keys of the seats that somebody plays from outside."""

    game: TextGame
    bots: dict[int, Bot]
    keys: dict[int, str] = field(default_factory=dict)
    open: list[int] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Look at the game, or play, while nobody else does. Raise `TableError` where the bots think for long."""
        if not self.lock.acquire(timeout=PATIENCE):
            raise TableError("the bots at this table are still thinking: ask again")
        try:
            yield
        finally:
            self.lock.release()

    def let_bots_play(self) -> None:
        """Let bots play until somebody outside is asked, or the game is over."""
        while (seat := self.game.asked) in self.bots:
            assert seat is not None
            number = answer(self.bots[seat], Position.of(self.game.game))
            legal = self.game.game.legal.get(number)
            assert legal is not None
            self.game.play(seat, str(legal))


class AssistantTables:
    """All tables of a server. A thread at a time plays at a table; no table waits for another one's bots."""

    def __init__(self, seed: int | None = None) -> None:
        """Begin; with a seed the deals, and the keys, can be predicted: for tests."""
        self._seed = seed if seed is None else whole_number("seed", seed, 0, SEEDS - 1, TableError)
        self._tables: dict[str, AssistantTable] = {}
        self._lock = threading.Lock()  # of the list of tables, their keys and their open seats; held for an instant
        self._made = 0

    def begin(self, board: str, players: Sequence[str]) -> tuple[str, dict[int, str]]:
        """Deal a game. A player is `me`, `open`, or the name of a bot. Gives the table's name and the keys for `me`.

        Raise `TableError`, `BotError`, and whatever `load_board` does.
        """
        on = load_board(text("board", board, TableError, 100))
        if not isinstance(players, (list, tuple)) or not on.seats[0] <= len(players) <= on.seats[1]:
            raise TableError(f"players: {on.title} is for {on.seats[0]} to {on.seats[1]}, one entry for each seat")
        with self._lock:
            self._made += 1
            number = self._made
        seed = secrets.randbelow(SEEDS) if self._seed is None else (self._seed + number - 1) % SEEDS
        bots, keys, open_seats = {}, {}, []
        for seat, player in enumerate(players):
            said = text("player", player, TableError, 100).strip().casefold()
            if said == ME:
                keys[seat] = self._new_key(number, seat)
            elif said == OPEN:
                open_seats.append(seat)
            elif said in bot_names():  # no file and no module: those are for the command line
                bots[seat] = make_bot(said, (seed + seat) % SEEDS)
            else:
                raise TableError(f"player {quoted(said)}: expected me, open, {listed(bot_names())}")
        if not keys:
            raise TableError("players: one of them must be me")
        table = AssistantTable(TextGame(on, len(players), seed), bots, keys, open_seats)
        table.let_bots_play()  # nobody else knows of it yet
        name = f"table-{number}"
        with self._lock:
            while len(self._tables) >= MOST_TABLES:
                del self._tables[next(iter(self._tables))]
            self._tables[name] = table
        return name, dict(keys)

    def join(self, name: str) -> tuple[int, str]:
        """Take an open seat: its number and its key. Raise `TableError`."""
        with self._lock:
            table = self._tables.get(text("table", name, TableError, 100))
            if table is None or not table.open:
                raise TableError(f"there is no table {quoted(str(name))} with an open seat")
            seat = table.open.pop(0)
            table.keys[seat] = self._new_key(int(name.rpartition("-")[2]), seat)
            return seat, table.keys[seat]

    @contextlib.contextmanager
    def seat(self, key: str) -> Iterator[tuple[TextGame, int]]:
        """Yield the game and the seat that a key opens; nobody plays meanwhile. Raise `TableError`."""
        table, seat = self._at(key)
        with table.held():
            yield table.game, seat

    def play(self, key: str, action: str) -> str:
        """Do something, and let the bots answer; what happened, as the seat saw it.

        Raise `IllegalAction` with the reason and what is legal, and `TableError`.
        """
        table, seat = self._at(key)
        with table.held():
            before = len(table.game.heard(seat))
            table.game.play(seat, text("action", action, TableError))
            table.let_bots_play()
            return "\n".join(table.game.heard(seat, before))

    def record(self, key: str) -> str:
        """Return the record of a finished game, as JSON: while it runs, it would reveal what is hidden.

        Raise `TableError`.
        """
        with self.seat(key) as (game, _):
            if not game.game.over:
                raise TableError("the game is not over: its record would tell what is hidden")
            return Record.of(game.game).to_json()

    def _at(self, key: str) -> tuple[AssistantTable, int]:
        wanted = text("key", key, TableError, 100)
        with self._lock:
            for table in self._tables.values():
                for seat, own in table.keys.items():
                    if secrets.compare_digest(own.encode(), wanted.encode()):
                        return table, seat
        raise TableError("no seat has this key: new_table or join_table gives one")

    def _new_key(self, number: int, seat: int) -> str:
        return secrets.token_urlsafe(12) if self._seed is None else f"key-{number}-{seat}"
