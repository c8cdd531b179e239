"""What a page is handed: everything its viewer may know, and nothing else.

`TableContext.game` is a `Game` over the state *redacted* for the viewer, so whatever a page reads from it (its
view, legal actions, payments, reasons) cannot hold more than this viewer may see.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from branchline.analysis import Analysis, Option
from branchline.arena.balance import Balance
from branchline.arena.balance.improve import Change, Tried
from branchline.boards import Board, Ticket
from branchline.game import Action, Event, Game, Payment, Scores, View
from branchline.game.reasons import Reason
from branchline.tabletop.referee import Inquiry, Verdict
from branchline.teaching.coach import Advice, Caution
from branchline.teaching.exercises import Answer, Answers
from branchline.workshop.printed import Line


@dataclass(frozen=True)
class Visit:
    """The browser that asks: its settings and what its forms need."""

    language: str = "en"  # code of a language that is complete
    settings: Mapping[str, str] = field(
        default_factory=dict
    )  # theme, motion, confirm, sound, symbols, talk: "" when unset
    csrf: str = ""  # goes into every form, as the hidden field `csrf`
    nonce: str = ""  # for <style nonce="…"> in whole pages
    path: str = "/"  # where we are, for "back" fields
    root: str = ""  # what pages put before every path, as in /branchline; empty: the server is at the root of its host
    network: str = ""  # http://host{root} by which others in the network reach the server, where it listens to them
    origin: str = ""  # https://host{root}, before the paths of links for friends; empty: the browser knows where it is


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

TALK = ("on", "reactions", "off")
"""What may be said at a table: anything, reactions alone, nothing."""


@dataclass(frozen=True)
class Options:
    """What was chosen when the room was created."""

    clock: str = ""  # "", "turn" or "game"
    clock_seconds: float = 0.0  # for each turn, or for the whole game
    open: bool = False  # listed at home; anybody may sit down or watch
    pace: int = 900  # milliseconds before a bot's turn
    takeover: float = 0.0  # seconds after which a bot plays for somebody who is not there; 0: never
    seeded: bool = False  # somebody chose the luck of this game, and so may know it
    talk: str = "on"  # one of `TALK`
    coach: bool = False  # whether people who play together may agree to a coach; who plays alone always has one
    one_screen: bool = False  # all people of the game sat at one browser when it began: alone, or around it


def default_name(seat: int) -> str:
    """The name kept for a person who gave none. Pages say it in the reader's language."""
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


def in_common(one: tuple[LogEntry, ...], other: tuple[LogEntry, ...]) -> int:
    """How many entries two logs have in common at their beginnings, whatever their steps are numbered."""
    if one == other[: len(one)]:  # nearly always, and quickly found: the entries are the same objects
        return len(one)
    count = 0
    for left, right in zip(one, other, strict=False):
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
    caution: Caution | None = None  # before an action that gives much away
    action: str = ""  # the text of that action


@dataclass(frozen=True)
class ExerciseContext:
    """An exercise at its table, for the guide there."""

    kind: str  # "mistake" of an own game, or "puzzle"
    board: Board
    answers: Answers
    state: str  # "asked", "right", or "shown" without having been found
    given: Answer | None = None  # the answer that was right
    played: Option | None = None  # what was done in the own game
    themes: tuple[str, ...] = ()  # of a puzzle, the main one first
    room: str = ""  # the exercise's own
    again: str = ""  # path to which a form posts to begin it anew
    fields: tuple[tuple[str, str], ...] = ()  # of that form
    next: str = ""  # the same for the next one
    back: str = ""  # where all of them are listed
    replay: str = ""  # the moment in the replay of the own game


@dataclass(frozen=True)
class MistakeLine:
    """A mistake in an own game."""

    room: str  # the game
    step: int
    board: Board
    played: float  # when, in seconds since 1970
    lost: float  # of the chance to win, 0 to 1
    answered: int
    right: int
    due_at: float


@dataclass(frozen=True)
class MistakesContext:
    """The mistakes of a browser."""

    visit: Visit
    lines: tuple[MistakeLine, ...]  # the first that is due first
    now: float

    @property
    def due(self) -> tuple[MistakeLine, ...]:
        """Those that are due."""
        return tuple(one for one in self.lines if one.due_at <= self.now)


@dataclass(frozen=True)
class PuzzleLine:
    """A puzzle in a list."""

    number: int  # in its collection, from 1
    id: str
    themes: tuple[str, ...]
    difficulty: float  # share of weaker bots that miss it
    rating: float | None  # by those who tried it; None: nobody has
    solved: bool | None  # None: this browser has not tried it


@dataclass(frozen=True)
class PuzzleShelf:
    """The puzzles of one edition."""

    board: Board
    lines: tuple[PuzzleLine, ...]

    @property
    def solved(self) -> int:
        """How many of them this browser has solved."""
        return sum(bool(one.solved) for one in self.lines)


@dataclass(frozen=True)
class PuzzlesContext:
    """The puzzles of all editions, or of one."""

    visit: Visit
    shelves: tuple[PuzzleShelf, ...]
    chosen: PuzzleShelf | None  # the edition whose page it is
    theme: str  # only puzzles about this; "": all
    day: tuple[Board, PuzzleLine] | None  # the puzzle of the day
    rating: float | None  # of this browser; None: it has not tried any


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
        """All ways to pay for one of `legal` (None: to go on with the open payment), fewest wilds first."""
        return self.game.payments(action) if self.my_turn else ()

    def cards_for(self) -> dict[int, tuple[str, ...]]:
        """What the viewer may claim and build now, and for each the cards that one payment or another spends."""
        return self.game.cards_for() if self.my_turn else {}

    def why_not(self, action: int) -> Reason | None:
        """Return why an action that is not in `legal` cannot be done; None for a spectator."""
        return None if self.seat is None else self.game.why_not(action, self.seat)


@dataclass(frozen=True)
class ReplayContext:
    """One moment of a finished game, from a chosen perspective."""

    visit: Visit
    room: str
    board: Board
    players: tuple[Player, ...]
    n: int  # steps played; 0 is the set-up
    last: int  # steps of the whole game
    perspective: str  # "0", "1", …, "all" or "public"
    seat: int | None  # the same as a number; None for "all" and "public"
    choices: tuple[str, ...]  # the perspectives that may be chosen
    game: Game  # redacted for it; "all": the whole game
    views: tuple[View, ...]  # the view of each seat when all lies open ("all"), else the one view of `game`
    steps: tuple[LogEntry, ...]  # of the whole game, as this viewer saw them, for the list beside the scrubber
    scores: Scores | None  # at the last step
    spectator_link: str = ""  # path of the link by which others may look too
    finished: bool = True  # record and "play on from here" are offered
    analysis: Analysis | None = None  # if somebody has asked for it already
    moments: tuple[int, ...] = ()  # for each action of it, the moment before it
    fingerprint: str = ""
    imagined: tuple[str, ...] = ()  # what of it was not seen: it was noted at a real table


@dataclass(frozen=True)
class AnalysisContext:
    """The analysis of a finished game, or how far it has come."""

    visit: Visit
    room: str
    board: Board
    players: tuple[Player, ...]
    found: Analysis | None = None  # while it runs: what is known so far
    running: bool = False
    failed: bool = False
    done: int = 0  # actions that have been looked at
    actions: int = 0  # of the whole game
    moments: tuple[int, ...] = ()  # for each action, the moment before it in the replay
    spectator_link: str = ""  # as in `ReplayContext`
    imagined: tuple[str, ...] = ()  # as in `ReplayContext`


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


@dataclass(frozen=True)
class GameResult:
    """How a finished game ended for one seat of the viewer's."""

    room: str
    seat: int
    board: str  # as rooms call it
    ended: float  # seconds since 1970
    seats: int
    against: tuple[str, ...]  # the others: `person`, or the level of a bot
    place: int  # 1 won
    won: float  # 1 won, a part where shared, 0 lost or resigned
    total: int
    points: Mapping[str, int]  # by source, as `SeatScore.parts`; those that are not 0
    tickets_done: int
    tickets: int
    helped: int  # hints and warnings of the coach
    shared: bool  # several people played in this browser: it says nothing of one of them
    resigned: bool
    rating: float | None  # after the game; None: it does not count for it
    deviation: float | None
    accuracy: float | None  # 0 to 100; None: the game was not analysed
    luck: float | None  # chance to win that chance brought, 1 is the whole of it

    @property
    def counts(self) -> bool:
        """Whether its points say something of how the viewer plays."""
        return not self.shared and not self.resigned


@dataclass(frozen=True)
class Tally:
    """Games of one kind, taken together."""

    name: str  # a board, as rooms call it, or the others, as `GameResult.against` with commas between
    games: int
    won: float
    points: float | None  # the mean; None: no game whose points count
    accuracy: float | None  # the mean of games that were analysed


@dataclass(frozen=True)
class MyGamesContext:
    """The viewer's finished games, and what they say together."""

    visit: Visit
    boards: Mapping[str, Board]  # those offered here, by name
    all_boards: tuple[Tally, ...]  # of all games, whatever is chosen
    all_opponents: tuple[Tally, ...]
    board: str = ""  # chosen; empty: all
    against: str = ""
    page: int = 1
    pages: int = 1
    found: tuple[GameResult, ...] = ()  # all that were chosen, the latest first
    shown: tuple[GameResult, ...] = ()  # those on this page
    players: Mapping[str, tuple[Player, ...]] = field(default_factory=dict)  # by room, of those on this page
    rating: tuple[float, float] | None = None  # and its deviation, after the latest game that counts


@dataclass(frozen=True)
class CountContext:
    """The page that counts games of real tables: the same for all who read a language."""

    visit: Visit
    boards: tuple[Board, ...]


@dataclass(frozen=True)
class DealStartContext:
    """The page on which a table with a real board begins."""

    visit: Visit
    path: str  # of the page
    boards: tuple[Board, ...]
    filled: Mapping[str, str] = field(default_factory=dict)  # what was typed, when it was refused
    problem: str = ""


@dataclass(frozen=True)
class DealLink:
    """A link that opens something at a dealt table."""

    path: str
    taken: bool = False  # of a seat: somebody has opened it with the link for all


@dataclass(frozen=True)
class DealDoorContext:
    """Who gets which link (for the host), or which name one has (for the others)."""

    visit: Visit
    path: str
    board: Board
    players: tuple[Player, ...]
    seats: tuple[DealLink, ...] = ()  # the host's: the link of each seat
    taken: tuple[bool, ...] = ()
    everybody: DealLink | None = None  # the host's: with which each chooses a name
    screen: DealLink | None = None  # the host's: what lies open, for a screen that all see
    problem: str = ""


@dataclass(frozen=True)
class DealContext:
    """A dealt table as a seat, or (None) a screen that all see, may know it."""

    visit: Visit
    path: str  # address of the page
    board: Board
    players: tuple[Player, ...]
    seat: int | None
    view: View
    turn: int  # the seat at the marker of the turn
    drawn: int  # cards it has drawn
    choosing: bool  # somebody has not chosen the first tickets yet
    turned: tuple[str, ...]  # cards of a tunnel that lie open
    allowed: tuple[str, ...]  # deeds of the seat, see `tabletop.dealer`
    refills: bool  # whoever takes a card of the market says from which deck it is replaced
    keep_at_least: int  # of the tickets on offer
    open: tuple[tuple[Ticket, ...] | None, ...]  # of each seat: the tickets it has laid open
    undo: str  # "now": the seat may take its last deed back; "ask": if somebody agrees; "asked": it has asked
    asks: int | None  # the seat that would like to take its last deed back; not the viewer's
    log: tuple[LogEntry, ...]  # the latest
    step: int  # deeds of the seat so far
    version: int
    seal: str  # digest of the seed
    over: bool
    position: Mapping[str, Any] | None = None  # for `/count`, once all tickets lie open


@dataclass(frozen=True)
class EveningSeat:
    """How a game at a real table ended for one player."""

    name: str
    points: Mapping[str, int]  # by source, those that are not 0
    total: int
    place: int  # from 1; who is level shares one
    won: float  # share of the victory


@dataclass(frozen=True)
class Evening:
    """A game of a real table that was counted and kept."""

    id: str
    board: str
    at: float  # seconds since 1970
    seats: tuple[EveningSeat, ...]
    room: str = ""  # where it can be looked through, if its order of play was noted


@dataclass(frozen=True)
class Person:
    """Somebody who played at real tables, by name."""

    name: str
    games: int
    won: float
    points: float  # mean
    best: int
    rating: float
    deviation: float


@dataclass(frozen=True)
class EveningsContext:
    """The evenings of a browser, the latest first, and who played."""

    visit: Visit
    boards: Mapping[str, Board]
    evenings: tuple[Evening, ...]
    people: tuple[Person, ...]


@dataclass(frozen=True)
class HomeContext:
    """The page where everything begins."""

    visit: Visit
    boards: tuple[Board, ...]
    bots: tuple[str, ...]  # levels, the easiest first, then others
    mine: tuple[GameLine, ...]  # the viewer's games, those that wait for it first
    open: tuple[GameLine, ...]  # open rooms with an empty seat or running
    usual_bot: str = ""  # the one of `bots` that is proposed


@dataclass(frozen=True)
class LessonLine:
    """A lesson in a list."""

    name: str
    title: str
    done: bool


@dataclass(frozen=True)
class Course:
    """The lessons of an edition."""

    board: Board
    lessons: tuple[LessonLine, ...]
    next: str  # the name of the first that is not done; empty: all are


@dataclass(frozen=True)
class LearnContext:
    """Where people learn the game."""

    visit: Visit
    courses: tuple[Course, ...]


@dataclass(frozen=True)
class RulebooksContext:
    """The boards whose rules can be read."""

    visit: Visit
    boards: tuple[Board, ...]


@dataclass(frozen=True)
class RulesContext:
    """The rules of a board, to be read and searched."""

    visit: Visit
    board: Board
    referee: str  # path of the page that answers "may I …?"
    back: str  # path of the table or draft from which somebody came; empty: from none


@dataclass(frozen=True)
class RefereeContext:
    """A question to the referee, and the answer."""

    visit: Visit
    board: Board
    path: str  # of this page
    rules: str  # path of the rules
    what: str  # "route", "station" or "port"
    name: str  # of the route or place, as it was asked for
    asked: Inquiry | None  # None: no route or place of that name, or none was named
    verdict: Verdict | None
    hand: Mapping[int, int]
    seats: int
    pieces: tuple[int, ...]
    parallel: str
    built: int
    reached: bool
    turned: tuple[int | None, ...]  # one for each card that a tunnel turns


@dataclass(frozen=True)
class NewContext:
    """The form for a new room in full."""

    visit: Visit
    boards: tuple[Board, ...]
    bots: tuple[str, ...]
    board: Board  # the chosen one
    filled: Mapping[str, str] = field(default_factory=dict)  # fields as they were sent, when something was wrong
    problem: str = ""  # what was wrong, in one line
    usual_bot: str = ""  # the one of `bots` that is proposed


@dataclass(frozen=True)
class JoinContext:
    """An invitation to a seat (or, `device`: the viewer's own seats on another device)."""

    visit: Visit
    room: str
    board: Board
    players: tuple[Player, ...]
    seat: int
    action: str  # where the form goes
    device: bool = False
    host: int | None = None  # the seat of whoever invites; None: it has none


@dataclass(frozen=True)
class MessageContext:
    """Something went wrong, or there is nothing here."""

    visit: Visit
    status: int
    reason: str  # a word: not_found, not_yours, taken, forged, no_cookie, too_large, broken, … (`lobby.page`)
    detail: str = ""  # one English line, where there is more to say


@dataclass(frozen=True)
class NoticeContext:
    """What somebody who is not at the table is told."""

    kind: str  # "turn", "over" or "test"
    language: str
    link: str  # whole address of the table
    board: str = ""  # title
    seat: int = 0
    players: tuple[Player, ...] = ()


@dataclass(frozen=True)
class NoticeReport:
    """What came of the last notice on a way, or of a test."""

    channel: str  # "email" or "webhook"
    outcome: str  # "sent", "again", "failed", "interrupted", or for a test "answered"
    at: float = 0.0  # seconds since 1970
    reason: str = ""  # a word; see `notices.page`
    detail: str = ""  # what the other side said


@dataclass(frozen=True)
class NoticesContext:
    """How this browser is told of its turns, in a dialog at the table."""

    visit: Visit
    room: str
    filled: Mapping[str, str]  # the fields of the form
    email: bool = False  # whether this server can send mail
    webhook: bool = False  # whether it calls webhooks
    address_known: bool = True  # without a public address there are no links, so nothing is sent
    email_state: str = ""  # "asked": waits for a press on the link in a mail; "confirmed"; ""
    secret: str = ""  # with which webhooks are signed
    said: str = ""  # what came of the last press: a word
    problem: str = ""  # the field that was wrong
    reports: tuple[NoticeReport, ...] = ()  # of the last notices
    tested: tuple[NoticeReport, ...] = ()  # of the test that was asked for


@dataclass(frozen=True)
class MailContext:
    """The page behind a link in a mail: agree to mails, or stop them."""

    visit: Visit
    address: str
    action: str  # where the form goes
    what: str  # "confirm" or "stop"
    done: bool = False


@dataclass(frozen=True)
class DraftLine:
    """A board of the workshop in a list."""

    title: str
    path: str
    touched: float  # seconds since 1970


@dataclass(frozen=True)
class WorkshopContext:
    """Where boards are begun."""

    visit: Visit
    editions: tuple[Board, ...]
    public: tuple[DraftLine, ...]  # boards that their makers have made public
    problem: str = ""  # why nothing was begun, in one clear line
    filled: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class PrintedContext:
    """An edition, to be compared with the printed board by whoever has one."""

    visit: Visit
    board: Board
    lines: tuple[Line, ...]  # all that it says; its routes come first, in the order of the board
    problem: str = ""  # why no board was made of the answers


@dataclass(frozen=True)
class BalanceContext:
    """How a board of the workshop plays, or how far the games are that will say."""

    visit: Visit
    path: str  # of the draft, with its key
    title: str
    board: Board
    may_edit: bool
    found: Balance | None = None
    changes: tuple[Change, ...] = ()
    tried: tuple[Tried, ...] | None = None
    states: tuple[str, ...] = ()  # of the changes that were tried: `balancing.ACCEPTED`, OPEN, GONE
    running: bool = False
    improving: bool = False
    failed: bool = False
    changed: bool = False  # the draft has other routes, tickets or rules than the board that was played
    played: int = 0
    asked: int = 0
    looks: int = 0


@dataclass(frozen=True)
class EditorContext:
    """A board of the workshop, to be changed or looked at."""

    visit: Visit
    path: str  # the address of the page, with its key
    id: str
    title: str
    version: int
    content: str  # JSON: workshop.Draft
    may_edit: bool
    public: bool
    look_link: str  # path of the link for looking
    bots: tuple[str, ...]
    usual_bot: str
