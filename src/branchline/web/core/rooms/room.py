"""A room: one game being played, its seats and its log, as a value.

Nothing here changes a room: whoever acts gets the room as it would be and the `Change` that has to be written first
(`live` does that, and only then puts the new room in the old one's place). No clock, no socket, no database: `now` is
a date, and `live` runs the clocks of the seats (`Room.timed`).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property

from branchline.boards import Board, BranchlineError
from branchline.game import Game, Question, Record, View
from branchline.web.core.room_options import Options
from branchline.web.core.rooms import clock, seats
from branchline.web.core.rooms.guide import Guide
from branchline.web.core.rooms.steps import Step, resumed
from branchline.web.core.seen import LogEntry, default_name
from branchline.web.core.store.event_json import write_events
from branchline.web.core.store.rows import Change, LogRow, RoomRow, SeatRow, Snapshot, TalkRow

TALK_KEPT = 200  # rows of the talk
PLAYING, OVER, BROKEN = "playing", "over", "broken"
ACTION, UNDO = "action", "undo"
TAKEN_ALONG = "along"  # its person has it in a file, hidden cards and all


class Refused(BranchlineError):  # noqa: N818  it reads as a sentence
    """What a room cannot do now; `reason` is the word of the protocol."""

    def __init__(self, reason: str, why: str) -> None:
        """Make the error of a word and a sentence."""
        self.reason = reason
        super().__init__(why)


@dataclass(frozen=True)
class Room:
    """One game being played. `game` is the whole of it: never hand it out, see `perspective`."""

    row: RoomRow
    board: Board
    options: Options
    seats: tuple[SeatRow, ...]
    log: tuple[LogRow, ...]
    steps: tuple[Step, ...]  # those that count, undone ones left out
    states: tuple[Snapshot, ...]  # the last ones; further back, where one may go there, the game is replayed
    game: Game
    rematch: str = ""
    talk: tuple[TalkRow, ...] = ()  # what was said at the table; no part of the game
    perspectives: dict[int | None, tuple[Game, View]] = field(
        default_factory=dict, compare=False, repr=False
    )  # by seat
    entries: dict[tuple[int, int | None, int], LogEntry] = field(default_factory=dict, compare=False, repr=False)
    logs: dict[int | None, tuple[int, tuple[LogEntry, ...]]] = field(
        default_factory=dict, compare=False, repr=False
    )  # by seat: of how many rows, and what it saw of them
    versions: dict[frozenset[int], tuple[int, int]] = field(
        default_factory=dict, compare=False, repr=False
    )  # by seats: of how many rows, and how many of them they saw being written

    # ------------------------------------------------------------------------------------------------ looking

    @property
    def id(self) -> str:
        """Its id."""
        return self.row.id

    @cached_property
    def guide(self) -> Guide | None:
        """Who teaches here; None: nobody, it is a game like any other."""
        return Guide.read(self.row.guide)

    @cached_property
    def question(self) -> Question:
        """Whose question it is, and what is asked. (Not for everybody: a payment's steps are its seat's business.)"""
        return self.game.question

    @property
    def asked(self) -> SeatRow | None:
        """The seat that is asked; None when the game is over."""
        return None if self.row.asked is None or self.row.status != PLAYING else self.seats[self.row.asked]

    @property
    def mid_turn(self) -> bool:
        """Whether the seat that is asked has done part of its turn already."""
        return bool(self.steps) and self.steps[-1].row.seat == self.row.asked and self.question.kind != "turn"

    def version_for(self, mine: Iterable[int]) -> int:
        """Return how much of the log these seats could see being written. (One more for each step, for each viewer.)"""
        own = frozenset(mine)
        rows, count = self.versions.get(own, (0, 0))
        if rows > len(self.log):
            rows, count = 0, 0
        count += sum(not row.quiet or row.seat in own for row in self.log[rows:])
        self.versions[own] = len(self.log), count
        return count

    def seen_after(self, version: int, mine: Iterable[int]) -> LogRow | None:
        """Return the row of the log that brought these seats from a version of theirs to the next, or None if none
        has yet.
        """
        own = frozenset(mine)
        return next(
            itertools.islice((row for row in self.log if not row.quiet or row.seat in own), version, None), None
        )

    def may_undo(self, seat: int) -> bool:
        """Return whether a seat may take its last step back."""
        return self._steps_back(seat) > 0

    def _steps_back(self, seat: int) -> int:
        """Return how many steps would be taken back for a seat; 0: it may not.

        In company that is its last step, if nobody has acted since and nothing hidden was shown. Where all people of
        the game sit at one screen it is everything from its last step on, if only bots have acted since.
        """
        if not self.steps or seats.automatic(self.seats[seat]) or self.row.status != PLAYING:
            return 0
        if self._undoes_freely:
            for count, step in enumerate(reversed(self.steps), 1):
                if step.row.seat == seat:
                    return count
                if not seats.automatic(self.seats[step.row.seat]):
                    return 0
            return 0
        last = self.steps[-1]
        open_still = last.row.seat == seat and not last.revealing
        return int(open_still and len(self.states) > 1 and self.states[-1].n == last.row.n)

    @property
    def _undoes_freely(self) -> bool:
        """Whether anything may be taken back: nobody else is at the table, and the game can be replayed."""
        return self.options.one_screen and self.guide is None and self.row.rules_version == self.board.rules_version

    def acted_since(self, version: int, mine: Iterable[int]) -> bool:
        """Return whether one of these seats has acted since a version of theirs, or taken something back."""
        own = frozenset(mine)
        first = self.seen_after(version, own)
        return first is not None and any(
            row.n >= first.n and row.seat in own and row.kind in (ACTION, UNDO) for row in self.log
        )

    def perspective(self, seat: int | None) -> tuple[Game, View]:
        """Return the game as a seat (None: a spectator) may know it, and its view, made once for each room."""
        if seat not in self.perspectives:
            game = self.game.perspective(seat)
            self.perspectives[seat] = game, game.view(seat)
        return self.perspectives[seat]

    def record(self) -> Record:
        """Return the record of the game."""
        return self.game.record([seats.called(seat) for seat in self.seats])

    # ------------------------------------------------------------------------------------------------ acting

    def played(self, seat: int, action: str | int, now: float) -> tuple[Room, Change]:
        """Return the room after an action of a seat. Raise `Refused`, or `IllegalAction`, which says why."""
        if self.row.status != PLAYING:
            raise Refused("over", "the game is over")
        if self.question.seat != seat:
            raise Refused("not_yours", "it is somebody else's question")
        game = self.game.copy()
        events = game.play(action)
        lines = [line.partition(" ")[2] for line in game.actions[len(self.game.actions) :]]
        quiet = not events and game.redacted(None).tobytes() == self.game.redacted(None).tobytes()
        row = LogRow(self.row.version + 1, seat, ACTION, "\n".join(lines), write_events(events), quiet, now)
        step = Step(row, events)
        state = Snapshot(row.n, self.row.rules_version, game.state_bytes)
        back_to = self._back_to(step)
        kept = tuple(snapshot for snapshot in self.states if snapshot.n >= back_to)
        return self._on(
            (row,), now, game=game, steps=(*self.steps, step), states=(*kept, state), forget_before=back_to, write=state
        )

    def _back_to(self, step: Step) -> int:
        """Return the number of the first state that is kept after this step: what is taken back next is not
        replayed.
        """
        if self._undoes_freely:  # back to before the last step of a person
            return self.states[0 if seats.automatic(self.seats[step.row.seat]) else -1].n
        if step.revealing:
            return step.row.n
        if not self.steps or self.steps[-1].row.seat != step.row.seat or self.steps[-1].revealing:
            return self.states[-1].n
        return self.states[0].n

    def undone(self, seat: int, now: float) -> tuple[Room, Change]:
        """Return the room before the last step of a seat; its log says that it was taken back. Raise `Refused`.

        Where more goes with it, or something hidden had been shown, the row of the log says how many steps went: such
        a game no longer counts for ratings.
        """
        count = self._steps_back(seat)
        if not count:
            raise Refused("nothing_to_undo", "there is nothing to take back")
        return self.taken_back(count, seat, now)

    def taken_back(self, count: int, seat: int, now: float) -> tuple[Room, Change]:
        """Return the room before its last steps, whoever did them, taken back by a seat."""
        steps, taken_back = self.steps[:-count], self.steps[-count:]
        seen = count > 1 or taken_back[0].revealing
        quiet = all(step.row.quiet for step in taken_back)
        row = LogRow(self.row.version + 1, seat, UNDO, str(count) if seen else "", quiet=quiet, at=now)
        to = steps[-1].row.n if steps else 0
        states = tuple(snapshot for snapshot in self.states if snapshot.n <= to)
        game = resumed(self.row, self.board, steps, states)
        write = None
        if not states or states[-1].n != to:  # its states are kept no longer
            write = Snapshot(to, self.row.rules_version, game.state_bytes)
            states = (write,)
        first = taken_back[0].row.n
        return self._on((row,), now, game=game, steps=steps, states=states, write=write, forget_from=first)

    # ------------------------------------------------------------------------------------------------ seats

    def taken(self, seat: int, name: str, key: str, now: float) -> tuple[Room, Change]:
        """Return the room with this person in an open seat.

        Raise `Refused` if it is taken. Without a name, the seat's is used.
        """
        self._must_be_open(seat)
        name = seats.told_apart(name or self.seats[seat].name or default_name(seat), self._others(seat), seat)
        sitting = replace(seats.taken(self.seats[seat], name), time_left=clock.full(self.options))
        return self._with_seat(sitting, "sit", name, now, keys=((key, seat),))

    def filled(self, seat: int, bot: str, now: float) -> tuple[Room, Change]:
        """Return the room with a bot in an open seat. Raise `Refused` if it is taken."""
        self._must_be_open(seat)
        return self._with_seat(seats.given_to_bot(self.seats[seat], bot), "sit", bot, now)

    def named(self, seat: int, name: str, now: float) -> tuple[Room, Change]:
        """Return the room with another name for a person; empty: the one given by default."""
        name = seats.told_apart(name or default_name(seat), self._others(seat), seat)
        return self._with_seat(replace(self.seats[seat], name=name), "name", name, now)

    def relinked(self, mine: Iterable[int], host: bool, now: float) -> tuple[Room, Change]:
        """Return the room with new links in place of the old: to these seats, and, for the host, to open seats and
        for watching.
        """
        anew = {*mine, *(seat.seat for seat in self.seats if host and seat.kind == seats.OPEN)}
        if not anew and not host:
            raise Refused("not_yours", "you have no links here")
        sitting = tuple(replace(seat, links=seat.links + (seat.seat in anew)) for seat in self.seats)
        log = LogRow(self.row.version + 1, seats.WATCH, "links", quiet=True, at=now)  # nothing that anybody sees
        row = replace(self.row, version=log.n, links=self.row.links + host, touched=now)
        room = replace(self, row=row, seats=sitting, log=(*self.log, log))
        return room, Change(row, (log,), tuple(seat for seat in sitting if seat.seat in anew))

    def noted(self, seat: int, kind: str, now: float) -> tuple[Room, Change]:
        """Return the room with a line in the log that changes nothing in the game, nor at a seat."""
        return self._on((LogRow(self.row.version + 1, seat, kind, at=now),), now)

    def with_notes(self, notes: str, now: float) -> tuple[Room, Change]:
        """Return the room with other notes of its guide, see `guides`."""
        assert self.guide is not None
        log = LogRow(self.row.version + 1, seats.WATCH, "guide", quiet=True, at=now)  # nothing that anybody sees
        row = replace(self.row, version=log.n, guide=replace(self.guide, notes=notes).written(), touched=now)
        return replace(self, row=row, log=(*self.log, log)), Change(row, (log,))

    def stood_in(self, seat: int, why: str, bot: str, now: float) -> tuple[Room, Change]:
        """Return the room with a bot in place of a person: `away` or `late` until the person is back, `resign` for
        good.
        """
        here = self.seats[seat]
        if self.row.status != PLAYING:
            raise Refused("over", "the game is over")
        if here.kind != seats.PERSON or here.resigned or (here.away and why != "resign"):
            raise Refused("not_yours", "a bot plays here already")
        return self._with_seat(seats.stood_in_for(here, bot, why == "resign"), why, bot, now)

    def given_back(self, seat: int, now: float) -> tuple[Room, Change]:
        """Return the room with a person playing again for whom a bot stood in."""
        here = self.seats[seat]
        if not here.away or here.resigned:
            raise Refused("not_yours", "no bot stands in here")
        back = seats.given_back(here)
        if self.options.clock == "turn":
            back = replace(back, time_left=clock.full(self.options))
        return self._with_seat(back, "back", here.name, now)

    def _others(self, seat: int) -> tuple[SeatRow, ...]:
        return tuple(other for other in self.seats if other.seat != seat)

    def _must_be_open(self, seat: int) -> None:
        if not 0 <= seat < len(self.seats) or self.seats[seat].kind != seats.OPEN:
            raise Refused("taken", "that seat is taken")

    def _with_seat(
        self, seat: SeatRow, kind: str, text: str, now: float, keys: tuple[tuple[str, int], ...] = ()
    ) -> tuple[Room, Change]:
        row = LogRow(self.row.version + 1, seat.seat, kind, text, at=now)
        return self._on((row,), now, seat=seat, keys=keys)

    # ------------------------------------------------------------------------------------------------ going on

    def _on(
        self,
        rows: tuple[LogRow, ...],
        now: float,
        *,
        game: Game | None = None,
        steps: tuple[Step, ...] | None = None,
        states: tuple[Snapshot, ...] | None = None,
        seat: SeatRow | None = None,
        write: Snapshot | None = None,
        forget_before: int | None = None,
        forget_from: int | None = None,
        keys: tuple[tuple[str, int], ...] = (),
    ) -> tuple[Room, Change]:
        """Return the room after new rows of its log, and what has to be written."""
        after, row = self.game if game is None else game, self.row
        sitting, changed = list(self.seats), []
        if seat is not None:
            sitting[seat.seat] = seat
            changed.append(seat)
        asked = after.question.seat
        status = row.status if game is None else OVER if after.over else PLAYING
        restarts = game is not None or (seat is not None and seat.seat == row.asked and self._plays_anew(seat))
        row = replace(
            row,
            version=rows[-1].n,
            status=status,
            turns=after.turns,
            asked=asked,
            asked_at=now if restarts else row.asked_at,
            touched=now,
        )
        room = replace(
            self,
            row=row,
            seats=tuple(sitting),
            log=(*self.log, *rows),
            steps=self.steps if steps is None else steps,
            states=self.states if states is None else states,
            game=after,
            perspectives={} if game is not None else self.perspectives,
        )
        return room, Change(row, rows, tuple(changed), write, forget_before, forget_from, keys)

    def _plays_anew(self, seat: SeatRow) -> bool:
        """Return whether somebody else plays at a seat than before: only then its clock starts again."""
        before = self.seats[seat.seat]
        return (seat.kind, seat.bot) != (before.kind, before.bot)

    def timed(self, before: Room, change: Change, now: float) -> tuple[Room, Change]:
        """Return the room with its clocks run on from `before` to `now`, by the clock of the tables, and with what
        is due.
        """
        sitting, changed = list(self.seats), list(change.seats)
        answered = any(row.kind in (ACTION, UNDO) for row in change.rows)
        asked = before.row.asked
        seat = None if asked is None else before.seats[asked]
        complete = clock.gathered(self.seats) and not clock.gathered(before.seats)
        restarts = answered or complete or (asked is not None and before._plays_anew(self.seats[asked]))
        if seat is not None and restarts and (answered or clock.ticks(before.row, before.seats, seat.seat)):
            goes_on = not answered or self.row.asked == asked
            used = clock.stopped(self.options, before.seats, seat.seat, before.row, now, goes_on)
            if used != self.seats[seat.seat].time_left:
                sitting[seat.seat] = replace(self.seats[seat.seat], time_left=used)
                changed = [other for other in changed if other.seat != seat.seat] + [sitting[seat.seat]]
        row = clock.asked(self.row, now) if restarts else self.row
        row = replace(row, due_at=clock.due(self.options, tuple(sitting), row))
        return replace(self, row=row, seats=tuple(sitting)), replace(change, room=row, seats=tuple(changed))

    def begun(self, now: float) -> Room:
        """Return a new room whose first question is asked `now`, by the clock of the tables."""
        row = clock.asked(self.row, now)
        return replace(self, row=replace(row, due_at=clock.due(self.options, self.seats, row)))

    def with_seen(self, until: dict[int, float]) -> Room:
        """Return the room with people known to be there until these moments."""
        here = tuple(replace(seat, seen_until=until.get(seat.seat, seat.seen_until)) for seat in self.seats)
        return replace(self, seats=here)
