"""What is known of a table: by the rooms that make it and the pages that show it.

`TableContext.game` is a `Game` over the state *redacted* for the viewer, so whatever a page reads from it (its
view, legal actions, payments, reasons) cannot hold more than this viewer may see.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from branchline.boards import Board
from branchline.game import Action, Event, Game, Payment, Scores, View
from branchline.game.reasons import Reason
from branchline.teaching.coach import Advice, Caution
from branchline.web.core.room_options import Options
from branchline.web.core.visit import Visit

REACTIONS = (
    "well_played",
    "thanks",
    "good_luck",
    "nice_block",
    "wow",
    "laughing",
    "ouch",
    "sorry",
    "thinking",
    "moment",
    "hurry",
    "good_bye",
)
"""The codes of what can be said without words; each page says it in its reader's language."""


def default_name(seat: int) -> str:
    """Return the name kept for a person who gave none. Pages translate it for the reader."""
    return f"Player {seat + 1}"


@dataclass(frozen=True)
class Player:
    """Who sits at a seat."""

    seat: int
    kind: str  # "person", "bot" or "open"
    name: str
    bot: str = ""  # which bot plays here now: its own seat, or in place of a person
    connected: bool = False  # a person with the table open
    away: bool = False  # a bot plays for the person until it comes back
    resigned: bool = False  # a bot plays for good
    mine: bool = False  # one of the viewer's seats
    time_left: float | None = None  # seconds on its clock when `TableContext.now` was
    ticking: bool = False  # whether that clock runs
    invite: str = ""  # path of the link that gives this open seat away; only the host is told


@dataclass(frozen=True)
class LogEntry:
    """One step of the game that this viewer saw: who acted, and what happened."""

    n: int  # number of the step in the game's record: link `/t/{room}/replay/{n}` once the game is over; else 0
    seat: int
    events: tuple[Event, ...]  # as this viewer may know them
    kind: str = "action"  # "action", or what happened at the table: "sit", "away", "back", "resign", "undo", "late"
    at: float = 0.0  # seconds since 1970


@dataclass(frozen=True)
class TalkLine:
    """Something that was said at the table."""

    at: float  # seconds since 1970; no two lines of a room have the same
    seat: int  # who said it
    text: str  # as it was typed, or one of `REACTIONS`
    reaction: bool
    everybody: bool  # for spectators too, not for the seats alone


def in_common(first: tuple[LogEntry, ...], other: tuple[LogEntry, ...]) -> int:
    """Return how many entries two logs share at their beginnings, whatever their step numbers."""
    if first == other[: len(first)]:  # nearly always, and quickly found: the entries are the same objects
        return len(first)
    count = 0
    for left, right in zip(first, other, strict=False):
        if replace(left, n=0) != replace(right, n=0):
            break
        count += 1
    return count


@dataclass(frozen=True)
class GuideLink:
    """Where a guide leads."""

    label: str
    path: str
    post: bool = False  # the button of a form, not a link
    first: bool = False  # what most people want next
    fields: tuple[tuple[str, str], ...] = ()  # of the form, hidden


@dataclass(frozen=True)
class GuideView:
    """What a guide says beside the table, in its reader's language."""

    title: str
    text: tuple[str, ...] = ()  # paragraphs
    task: str = ""  # what is to be done now, in a sentence
    answer: str = ""  # what is said of the latest answer
    n: int = 0  # the step it is at, of so many `steps`; 0: it does not go by steps
    steps: int = 0
    marks: tuple[str, ...] = ()  # ids of what is meant: `route-12`, `place-3`, or of buttons: `deck-train`, `slot-1`
    links: tuple[GuideLink, ...] = ()
    done: bool = False  # there is nothing more to be answered
    over: bool = False  # nor to be played


@dataclass(frozen=True)
class CoachView:
    """What the coach can do for a viewer at the table, and what it has to say now."""

    may: bool  # it may be asked
    to_agree: tuple[int, ...] = ()  # seats that have to agree; empty: nobody has to
    agreed: tuple[int, ...] = ()  # of these, those that do
    warns: bool = False  # before large mistakes, too
    stage: int = 0  # of the hint: 1 where to look, 2 what to do, 3 why
    thinking: bool = False
    advice: Advice | None = None  # once there is a hint
    work: str = ""  # JSON: what the viewer's browser is to work out for it (`web.thinking`)
    step: int = 0  # of the question that this is about
    caution: Caution | None = None  # before an action that gives much away
    action: str = ""  # the text of that action


@dataclass(frozen=True)
class Copy:
    """A game whole, hidden cards too, as its browser goes on with it while it has no network."""

    version: int  # of the room
    text: str  # a file with this one game


@dataclass(frozen=True)
class TableContext:
    """The table as one viewer sees it."""

    visit: Visit
    room: str  # its id
    board: Board
    options: Options
    players: tuple[Player, ...]
    mine: tuple[int, ...]  # the viewer's seats; several: hot-seat; none: a spectator
    seat: int | None  # whose perspective it is; None: a spectator, or the cards are covered
    pass_to: int | None  # hot-seat: hand the device to this seat and let it press "sit" (`seat`: who still looks)
    game: Game  # over the redacted state; do not play on it
    view: View  # the same in words
    log: tuple[LogEntry, ...]  # from the start of the game, undone steps left out
    version: int  # of what this viewer has seen; goes back with every action
    undo: bool = False  # the viewer's last step may be taken back
    host: bool = False  # this viewer created the room
    rematch: str = ""  # id of the room where the rematch is played
    spectator_link: str = (
        ""  # path of the link for watching, for those who sit at the table; once it is over, for watchers
    )
    invite: str = ""  # path of the link to whichever seat is open; only the host is told
    device_link: str = ""  # path of the link that brings the viewer's seats to another device
    now: float = 0.0  # seconds since 1970, for clocks
    scores: Scores | None = None  # the full sheet, once the game is over
    fingerprint: str = ""  # changes with the redacted state and nothing else: a key for caches
    talk: tuple[TalkLine, ...] = ()  # the latest that was said, as far as this viewer may hear it
    talks: bool = False  # there is talk at this table, and somebody else to talk to
    coach: CoachView | None = None  # None: there is none at this table
    guide: GuideView | None = None  # who teaches here; None: it is a game like any other
    copy: Copy | None = None  # None: the game stays where it is

    @cached_property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.game.over

    @cached_property
    def taught(self) -> bool:
        """Whether a guide sat here, and has nothing more to ask: nobody goes on playing."""
        return self.guide is not None and self.guide.done

    @cached_property
    def my_turn(self) -> bool:
        """Whether the viewer is asked."""
        if self.seat is None or self.over or self.taught or self.played_for:
            return False
        return self.view.question.seat == self.seat

    @property
    def played_for(self) -> bool:
        """Whether a bot plays for the viewer (away or resigned)."""
        return self.seat is not None and bool(self.players[self.seat].bot)

    @cached_property
    def legal(self) -> tuple[Action, ...]:
        """What the viewer may do now; empty when somebody else is asked."""
        return tuple(self.game.legal) if self.my_turn else ()

    def payments(self, action: str | int | None = None) -> tuple[Payment, ...]:
        """Return all ways to pay for one of `legal` (None: to go on with the open payment), fewest wilds first."""
        return self.game.payments(action) if self.my_turn else ()

    def cards_for(self) -> dict[int, tuple[str, ...]]:
        """Return what the viewer may claim and build now, each with the cards that any of its payments spends."""
        return self.game.cards_for() if self.my_turn else {}

    def why_not(self, action: int) -> Reason | None:
        """Return why an action that is not in `legal` cannot be done; None for a spectator."""
        return None if self.seat is None else self.game.why_not(action, self.seat)


@dataclass(frozen=True)
class GameLine:
    """A room in a list at home."""

    room: str
    board: Board
    players: tuple[Player, ...]
    status: str  # "playing" or "over"
    your_turn: bool
    turns: int  # turns ended
    touched: float  # seconds since 1970
    mine: bool
    open_seats: tuple[int, ...]
