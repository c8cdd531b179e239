"""The tables: rooms, their seats, the keys to them, what was done in each, the states it went through, analyses,
and the boards.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

metadata = MetaData()

shared_values = Table(
    "house",  # its name since the first version
    metadata,
    Column("name", String(32), primary_key=True),
    Column("value", String(256), nullable=False),
    comment="What all processes of a server share: the secret that signs links and forms.",
)

rooms = Table(
    "rooms",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("board", String(200), nullable=False),  # name of the board
    Column("digest", String(80), nullable=False),  # of the board's data when the game began
    Column("rules_version", Integer, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("first_seat", Integer),  # NULL: by lot
    Column("stacked", Text, nullable=False),  # JSON: stacked decks of an uploaded record
    Column("options", Text, nullable=False),  # JSON: context.Options
    Column("status", String(8), nullable=False),  # playing, over, broken
    Column("version", Integer, nullable=False),  # number of the last row in `actions`
    Column("turns", Integer, nullable=False),
    Column("asked", Integer),  # whose question it is
    Column("asked_at", Float, nullable=False),  # since when
    Column("due_at", Float),  # when something happens without anybody's doing: a bot, a clock
    Column("created", Float, nullable=False),
    Column("touched", Float, nullable=False),
    Column("open", Boolean, nullable=False),
    Column("host", String(64), nullable=False),  # hash of the key that created it
    Column("rematch_of", String(16), unique=True),
    Column("links", Integer, nullable=False, server_default="0"),  # how often the link for watching was made anew
    Index("rooms_due", "due_at"),
    Index("rooms_open", "open", "status", "touched"),
)

seats = Table(
    "seats",
    metadata,
    Column("room", ForeignKey("rooms.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("kind", String(8), nullable=False),  # person, bot, open
    Column("name", String(40), nullable=False),
    Column("bot", String(40), nullable=False),  # level of the bot whose seat it is, or that stands in
    Column("away", Boolean, nullable=False),  # a bot plays until the person is back
    Column("resigned", Boolean, nullable=False),  # a bot plays to the end
    Column("time_left", Float),  # seconds on its clock, at the start of its question
    Column("seen_until", Float, nullable=False),  # somebody has the table open at least until then
    Column("links", Integer, nullable=False, server_default="0"),  # how often the links to the seat were made anew
)

keys = Table(
    "keys",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("room", ForeignKey("rooms.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),  # -1: may watch
    Index("keys_room", "room"),
    comment="Who may sit where: SHA-256 of a browser's or remote bot's secret.",
)

actions = Table(
    "actions",
    metadata,
    Column("room", ForeignKey("rooms.id", ondelete="CASCADE"), primary_key=True),
    Column("n", Integer, primary_key=True),  # 1, 2, …: that a number exists once makes two writers safe
    Column("seat", Integer, nullable=False),
    Column("kind", String(8), nullable=False),  # action, undo, or what happened at the table: sit, away, …
    Column("text", Text, nullable=False),  # of an action: its steps, one a line
    Column("events", Text, nullable=False),  # JSON: what came of it
    Column("quiet", Boolean, nullable=False),  # only its seat may know that it was done
    Column("at", Float, nullable=False),
)

snapshots = Table(
    "snapshots",
    metadata,
    Column("room", ForeignKey("rooms.id", ondelete="CASCADE"), primary_key=True),
    Column("n", Integer, primary_key=True),  # the state after this row of `actions`; 0: after the set-up
    Column("rules_version", Integer, nullable=False),
    Column("state", LargeBinary, nullable=False),
)

analyses = Table(
    "studies",
    metadata,
    Column("room", ForeignKey("rooms.id", ondelete="CASCADE"), primary_key=True),
    Column("found", Text, nullable=False),  # JSON: analysis.Analysis
)

boards = Table(
    "boards",
    metadata,
    Column("digest", String(80), primary_key=True),  # `rooms.digest`
    Column("files", Text, nullable=False),  # JSON: name of a file -> its text
    comment="The boards that are played on, as they were when the games began.",
)
