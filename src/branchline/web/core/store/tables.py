"""The tables: rooms, their seats, the keys to them, what was done and said in each, the states it went through,
results, analyses, the boards, the drafts of the workshop, and who is told of its turns.
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
    UniqueConstraint,
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
    Column("asked_at", Float, nullable=False),  # since when, as a date
    Column("due_at", Float),  # when, by the clock of the tables, something happens without anybody's doing
    Column("created", Float, nullable=False),
    Column("touched", Float, nullable=False),
    Column("open", Boolean, nullable=False),
    Column("host", String(64), nullable=False),  # hash of the key that created it
    Column("rematch_of", String(16), unique=True),
    Column("links", Integer, nullable=False, server_default="0"),  # how often the link for watching was made anew
    Column("guide", Text, nullable=False, server_default=""),  # JSON: rooms.guide.Guide; empty: a game like any other
    Column(
        "asked_ahead", Float, nullable=False, server_default="0"
    ),  # what the date was ahead of the tables' clock then
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
    Column("seen_until", Float, nullable=False),  # by the clock of the tables: somebody has the table open until then
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

talk = Table(
    "talk",
    metadata,
    Column("room", ForeignKey("rooms.id", ondelete="CASCADE"), primary_key=True),
    Column("n", Integer, primary_key=True),  # 1, 2, …: that a number exists once makes two writers safe
    Column("seat", Integer, nullable=False),  # who said it
    Column("text", String(200), nullable=False),  # a line, or the code of a reaction
    Column("reaction", Boolean, nullable=False),
    Column("everybody", Boolean, nullable=False),  # for spectators too, not for the seats alone
    Column("at", Float, nullable=False),
)

analyses = Table(
    "studies",
    metadata,
    Column("room", ForeignKey("rooms.id", ondelete="CASCADE"), primary_key=True),
    Column("found", Text, nullable=False),  # JSON: analysis.Analysis
)

results = Table(
    "results",
    metadata,
    Column("room", ForeignKey("rooms.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),  # -1, the only row then: this version cannot read the game
    Column("board", String(200), nullable=False),  # `rooms.board`
    Column("ended", Float, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("against", String(200), nullable=False),  # who the others were: `person` or the level of a bot, sorted
    Column("place", Integer, nullable=False),  # 1 won
    Column("won", Float, nullable=False),  # 1 won, a part where shared, 0 lost
    Column("total", Integer, nullable=False),
    Column("points", Text, nullable=False),  # JSON: game.SeatScore.parts, those that are not 0
    Column("tickets_done", Integer, nullable=False),
    Column("tickets", Integer, nullable=False),
    Column("helped", Integer, nullable=False),  # hints and warnings of the coach
    Column("shared", Boolean, nullable=False),  # one browser played several seats of the game
    Column("resigned", Boolean, nullable=False),
    Column("rating", Float),  # of the person after the game; NULL: the game does not count for it
    Column("deviation", Float),
    Column("volatility", Float),
    Column("analysed", Boolean, nullable=False),  # what follows was read from the analysis that is kept
    Column("accuracy", Float),  # 0 to 100
    Column("luck", Float),  # chance to win that chance brought
    comment="How finished games ended for each seat.",
)

boards = Table(
    "boards",
    metadata,
    Column("digest", String(80), primary_key=True),  # `rooms.digest`
    Column("files", Text, nullable=False),  # JSON: name of a file -> its text
    comment="The boards that are played on, as they were when the games began.",
)

drafts = Table(
    "drafts",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("version", Integer, nullable=False),  # number of the last row in `draft_saves`
    Column("title", String(80), nullable=False),
    Column("content", Text, nullable=False),  # JSON: workshop.Draft
    Column("public", Boolean, nullable=False),  # listed, and open to everybody for looking
    Column("created", Float, nullable=False),
    Column("touched", Float, nullable=False),
    Index("drafts_public", "public", "touched"),
    comment="The boards that are made in the workshop.",
)

draft_saves = Table(
    "draft_saves",
    metadata,
    Column("draft", ForeignKey("drafts.id", ondelete="CASCADE"), primary_key=True),
    Column("n", Integer, primary_key=True),  # 1, 2, …: that a number exists once makes two writers safe
    Column("mark", String(40), nullable=False),  # chosen by the browser, which knows its own steps by it
    Column("step", Text, nullable=False),  # JSON: workshop.Step
    Column("at", Float, nullable=False),
)

lessons_done = Table(
    "lessons_done",
    metadata,
    Column("key", String(64), primary_key=True),  # hash of the browser's key
    Column("lesson", String(80), primary_key=True),  # `learn.lessons.Lesson.name`
    Column("at", Float, nullable=False),
    comment="Which lessons browsers have done.",
)

balances = Table(
    "balances",
    metadata,
    Column("draft", ForeignKey("drafts.id", ondelete="CASCADE"), primary_key=True),
    Column("mark", String(24), nullable=False),  # of the games: others on the same draft have another
    Column("version", Integer, nullable=False),  # of the draft that is played
    Column("content", Text, nullable=False),  # JSON: workshop.Draft, as it is played
    Column("address", String(64), nullable=False),  # of whoever asked for them
    Column("beat", Float, nullable=False),  # when the process that plays was heard of last
    Column("running", Boolean, nullable=False),
    Column("improving", Boolean, nullable=False),  # the suggested changes are being tried
    Column("failed", Boolean, nullable=False),
    Column("stopped", Boolean, nullable=False),  # somebody asks for the end
    Column("played", Integer, nullable=False),
    Column("asked", Integer, nullable=False),
    Column("looks", Integer, nullable=False),  # how often there was something new to see
    Column("found", Text),  # JSON: drafts.kept_figures; NULL: nothing yet
    comment="How boards of the workshop play, by the games that were played last.",
)

mistakes = Table(
    "mistakes",
    metadata,
    Column("key", String(64), primary_key=True),  # hash of the browser's key
    Column("room", ForeignKey("rooms.id", ondelete="CASCADE"), primary_key=True),  # the game it was made in
    Column("step", Integer, primary_key=True, autoincrement=False),  # actions before it
    Column("seat", Integer, nullable=False),
    Column("lost", Float, nullable=False),  # of the chance to win, 0 to 1
    Column("answers", Text, nullable=False),  # JSON: teaching.exercises.Answers; empty: it was never opened
    Column("card", Text, nullable=False),  # of `learn.repetition`; empty: it was never answered
    Column("answered", Integer, nullable=False),  # how often; of several who count the same answer one does
    Column("right", Integer, nullable=False),  # of these, right at once
    Column("due_at", Float, nullable=False),
    Index("mistakes_due", "key", "due_at"),
    Index("mistakes_room", "room"),
    comment="Mistakes in analysed games of browsers, as exercises, and when they come back.",
)

games_collected = Table(
    "games_collected",
    metadata,
    Column("key", String(64), primary_key=True),  # hash of the browser's key
    Column("room", ForeignKey("rooms.id", ondelete="CASCADE"), primary_key=True),
    Index("games_collected_room", "room"),
    comment="Games whose mistakes are in the table of mistakes.",
)

puzzle_attempts = Table(
    "puzzle_attempts",
    metadata,
    Column("key", String(64), primary_key=True),  # hash of the browser's key
    Column("puzzle", String(16), primary_key=True),  # `teaching.puzzles.Puzzle.id`
    Column("board", String(200), nullable=False),
    Column("first", Boolean, nullable=False),  # whether the first answer was right: only that one is rated
    Column("solved", Boolean, nullable=False),  # whether it was answered rightly at some time
    Column("at", Float, nullable=False),
    comment="Which puzzles browsers have tried and solved.",
)

puzzle_ratings = Table(
    "puzzle_ratings",
    metadata,
    Column("of", String(64), primary_key=True),  # the id of a puzzle, or the hash of a browser's key
    Column("rating", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("volatility", Float, nullable=False),
    Column("attempts", Integer, nullable=False),
    comment="How strong puzzles and those who solve them are, by Glicko-2.",
)

evenings = Table(
    "evenings",
    metadata,
    Column("key", String(64), primary_key=True),  # hash of the browser's key
    Column("id", String(24), primary_key=True),  # made by the browser, which may send it twice
    Column("board", String(200), nullable=False),
    Column("at", Float, nullable=False),  # when it was counted
    Column("position", Text, nullable=False),  # as `branchline score` reads it
    Column("result", Text, nullable=False),  # JSON: see `learning.evenings`
    Column("room", String(32), nullable=False, server_default=""),  # where its order of play was noted; it may be gone
    comment="Games of real tables that browsers have counted and keep.",
)

dealings = Table(
    "dealings",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("board", String(200), nullable=False),  # as in `rooms`
    Column("digest", String(80), nullable=False),
    Column("seed", BigInteger, nullable=False),  # nobody is told before the game is over
    Column("version", Integer, nullable=False),  # number of the last row in `deeds`
    Column("desk", Text, nullable=False),  # JSON: see `dealing.table.Desk`
    Column("state", LargeBinary, nullable=False),
    Column("before", LargeBinary),  # the state before the last deed, to take that back; NULL: it cannot be
    Column("created", Float, nullable=False),
    Column("touched", Float, nullable=False),
    comment="Tables whose board is real: the server deals cards and tickets.",
)

deeds = Table(
    "deeds",
    metadata,
    Column("dealing", ForeignKey("dealings.id", ondelete="CASCADE"), primary_key=True),
    Column(
        "n", Integer, primary_key=True, autoincrement=False
    ),  # 1, 2, …: that a number exists once makes two writers safe
    Column("seat", Integer, nullable=False),
    Column("deed", Text, nullable=False),
    Column("facts", Text, nullable=False),  # JSON: rows of `rules.log`
    Column("at", Float, nullable=False),
    comment="What was done at tables whose board is real.",
)

notice_choices = Table(
    "notice_choices",
    metadata,
    Column("id", String(100), primary_key=True),  # the key, and the room if it is for one only: there is one of each
    Column("key", String(64), nullable=False),  # hash of the browser's key
    Column("room", ForeignKey("rooms.id", ondelete="CASCADE")),  # NULL: for all rooms that have no choice of their own
    Column("language", String(8), nullable=False),
    Column("email", String(254), nullable=False),  # used once it is confirmed, see `mail_addresses`; empty: none
    Column("webhook", String(500), nullable=False),  # a URL; empty: none
    Column("format", String(8), nullable=False),  # of what is sent there: json, ntfy, discord, matrix
    Column("wait", Float, nullable=False),  # seconds without a look at the table before a notice goes out
    Column("quiet_from", Integer),  # minutes after midnight; NULL: never quiet
    Column("quiet_to", Integer),
    Column("zone", String(64), nullable=False),  # the time zone of these hours, by its IANA name
    Column("changed", Float, nullable=False),
    Index("notice_choices_key", "key"),
    Index("notice_choices_room", "room"),
    comment="How browsers want to be told of their turns.",
)

mail_addresses = Table(
    "mail_addresses",
    metadata,
    Column("id", String(24), primary_key=True),  # in the links of mails
    Column("key", String(64), nullable=False),  # hash of the key of the browser that named it
    Column("address", String(254), nullable=False),
    Column("language", String(8), nullable=False),
    Column("asked", Integer, nullable=False),  # how many mails on a day asked whether it may be used
    Column("asked_at", Float, nullable=False),  # when the first of these went out
    Column("confirmed_at", Float),  # NULL: it has never agreed
    Column("stopped_at", Float),  # NULL: it has not asked us to stop
    Column("mailbox", String(254), nullable=False, server_default=""),  # the address in its canonical form
    Column("domain", String(254), nullable=False, server_default=""),  # who runs it
    UniqueConstraint("key", "address", name="mail_addresses_key"),
    Index("mail_addresses_address", "address"),
    Index("mail_addresses_mailbox", "mailbox"),
    Index("mail_addresses_domain", "domain"),
    comment="Who has agreed to get mail.",
)

notices = Table(
    "notices",
    metadata,
    Column("room", ForeignKey("rooms.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("turn", Integer, primary_key=True, autoincrement=False),  # `rooms.turns`, or that the game is over
    Column("key", String(64), primary_key=True),  # hash of the key of the browser whose choice it was
    Column("channel", String(8), primary_key=True),  # email, webhook
    Column("target", String(64)),  # hash of the address: two browsers with the same one are told once
    Column("state", String(8), nullable=False),  # sending, sent, again, failed, left out
    Column("attempts", Integer, nullable=False),
    Column("at", Float, nullable=False),  # of the latest attempt
    Column("again_at", Float),  # of the next one
    Column("reason", String(16), nullable=False),  # why it failed, in a word
    Column("detail", String(200), nullable=False),  # and what the other side said
    UniqueConstraint("room", "seat", "turn", "target", name="notices_once"),
    Index("notices_again", "again_at"),
    Index("notices_target", "target", "at"),
    Index("notices_key", "key", "at"),
    comment="What was sent. That a row exists once makes several processes safe: whoever writes it sends.",
)
