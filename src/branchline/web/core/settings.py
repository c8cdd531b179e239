"""How this server is run: everything that can be chosen, with its default."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from urllib.parse import urlsplit

HERE = "/here"
"""Where a server has the site on which browsers go on without it (`branchline serve --offline`)."""


def default_database() -> str:
    """Return the SQLite file in the user's folder for data."""
    import os

    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return f"sqlite:///{Path(base) / 'branchline' / 'rooms.sqlite'}"


@dataclass(frozen=True)
class Limits:
    """How much anybody may ask for. Rates: how many at once, and how many a second afterwards."""

    body: int = 64_000  # bytes of a request
    upload: int = 1_000_000  # bytes of a record; JSON is read in one go, and as long nobody else is answered
    along: int = 8_100_000  # bytes of a file with everything of a person
    board: int = 3_000_000  # bytes of the files of a board, and of steps in the workshop
    message: int = 16_000  # bytes of a WebSocket message
    sockets_per_seat: int = 20  # WebSockets and requests that wait, for one seat
    sockets_per_room: int = 200  # for the spectators of a room, and as many for strangers in an open one
    sockets_per_address: int = 100  # for the seats of an address, and as many for the others there
    connections: int = 20_000  # open connections of everybody at a process, as far as it may have so many files open
    connections_per_address: int = 400  # of these; and requests that are not answered yet, also through a proxy
    headers: float = 10.0  # seconds in which the head of a request, or the first message of a WebSocket, must have come
    request: float = 60.0  # seconds in which the whole of it must have come
    reads: tuple[int, float] = (400, 100.0)  # requests of an address that change nothing
    writes: tuple[int, float] = (200, 50.0)  # requests of an address that change something
    rooms: tuple[int, float] = (30, 0.5)  # rooms an address creates
    guesses: tuple[int, float] = (30, 0.2)  # wrong keys of an address
    messages: tuple[int, float] = (160, 40.0)  # WebSocket messages of an address
    processor: tuple[float, float] = (0.5, 0.2)  # seconds in which something is made because an address has asked
    notices: tuple[int, float] = (20, 0.05)  # tests of notices, and mails that ask for consent, of an address
    lines: tuple[int, float] = (8, 0.5)  # lines and reactions of a seat in the table talk
    talk: tuple[int, float] = (40, 2.5)  # the same of an address, at all tables together
    drafts: tuple[int, float] = (20, 0.02)  # boards an address begins in the workshop
    saves: tuple[int, float] = (60, 2.0)  # saves of an address in the workshop
    checks: tuple[int, float] = (60, 2.0)  # drafts that are checked for an address
    exercises: tuple[int, float] = (12, 0.2)  # mistakes whose answers have to be found out
    drawings: tuple[int, float] = (12, 0.2)  # drafts that are drawn, printed or played: they are laid out one by one
    heavy_waiting: int = 8  # requests of an address that wait for its turn in the line for heavy work

    def times(self, factor: float) -> Limits:
        """Return the same sizes, with all rates and numbers `factor` times as high."""

        def more(value: object) -> object:
            if isinstance(value, tuple):
                most, per_second = value
                return round(most * factor, 9), per_second * factor
            assert isinstance(value, int)
            return round(value * factor)

        scaled = {field.name: more(getattr(self, field.name)) for field in fields(self) if field.name not in _SIZES}
        return replace(self, **scaled)  # type: ignore[arg-type]

    @classmethod
    def rates(cls) -> tuple[str, ...]:
        """Return the names of all rates that count requests."""
        return tuple(
            field.name for field in fields(cls) if isinstance(field.default, tuple) and field.name not in _SECONDS
        )


_SIZES = frozenset({"along", "body", "upload", "board", "message", "headers", "request"})
_SECONDS = frozenset({"processor"})
"""Rates that count seconds of work."""


@dataclass(frozen=True)
class MailServer:
    """Who takes the mails that tell people of their turns."""

    host: str
    sender: str  # address in `From`
    port: int = 587
    user: str = ""  # empty: no login
    password: str = field(default="", repr=False)
    security: str = "starttls"  # "starttls", "tls" or "none"


@dataclass(frozen=True)
class Settings:
    """One server process."""

    database: str = ""  # URL of SQLAlchemy; empty: a SQLite file in the user's data folder
    redis: str = ""  # URL; empty: PostgreSQL's own notices, or looking at the SQLite file
    url: str = ""  # public address, as in https://example.org/games: links begin with it; empty: links are paths
    path: str = ""  # where a server without `url` is at its host, as in /games; empty: at its root
    origins: tuple[str, ...] = ()  # of further addresses that browsers see
    network: str = ""  # http://address:port by which others in the network reach it; empty: it listens to this computer
    secure: bool = False  # browsers come by https only: cookies say so
    bot_threads: int = 2
    bot_seconds: float = 10.0  # of processor time: for a bot that needs more, another one answers
    heavy_jobs: int = 2  # processes that work for strangers at once, for what is quick and for what is not each
    store_threads: int = 4  # connections to PostgreSQL; SQLite has one that writes
    poll: float = 0.5  # seconds between looks at a database that sends no notices
    catch_up: float = 2.0  # seconds between looks at all open rooms, for notices that were lost on the way
    sweep: float = 1.0  # seconds between looks for clocks that ran out and bots that nobody attends to
    keep_days: float = 0.0  # days after which rooms and drafts that nobody touches are deleted; 0: never
    keep_idle: float = 120.0  # seconds for which a room nobody looks at stays in memory
    warm_up: bool = True  # lay the boards out in the background at the start
    site: str = ""  # folder of the site on which browsers go on while they cannot reach this server; empty: none
    copies: bool = False  # tables without others bring their game along whole, so that its browser can go on with it
    alone: bool = False  # it runs in its only visitor's browser: nobody else can come, nothing is sent
    think_in_browser: bool = (
        False  # analyses, figures of boards and hints are worked out by the browsers that ask for them
    )
    analyse_ended: bool = True  # analyse games that have just ended, unless something else is being analysed
    mail: MailServer | None = None  # None: nobody is told by mail
    webhooks: str = "public"  # "public": to public addresses only; "any": also to private ones; "off"
    notice_look: float = 5.0  # seconds between looks for people who should be told of their turn
    notice_pauses: tuple[float, ...] = (60.0, 300.0, 1800.0, 7200.0)  # seconds before a notice that failed goes again
    limits: Limits = field(default_factory=Limits)

    @cached_property
    def root(self) -> str:
        """What stands before the path of every page: that of the public address."""
        return urlsplit(self.url).path.rstrip("/") if self.url else self.path

    @cached_property
    def origin(self) -> str:
        """The public address as browsers write it in `Origin`, without a path; empty: nobody said."""
        return self.url.removesuffix(self.root)

    @property
    def database_url(self) -> str:
        """Where the rooms are kept."""
        return self.database or default_database()
