"""The WebSocket of a table: what its viewer sees, kept up to date; what its viewer does, brought to the room."""

from __future__ import annotations

import time
from dataclasses import replace

from starlette.websockets import WebSocket

from branchline.game import IllegalAction
from branchline.web.core.caches import MEGABYTE, Cache, bytes_of
from branchline.web.core.http import clients
from branchline.web.core.http.audience import Full
from branchline.web.core.http.connection import (
    DONE,
    FORBIDDEN,
    NOT_FOUND,
    SENDING,
    TOO_MANY,
    TRY_LATER,
    SocketConnection,
    as_text,
)
from branchline.web.core.http.middleware import address_of, header, is_our_origin
from branchline.web.core.http.protocol import Refusal, SocketMessage
from branchline.web.core.http.state import ServerState
from branchline.web.core.http.talking import say
from branchline.web.core.pages import fault_text
from branchline.web.core.rooms import coach, guided, seats, talk
from branchline.web.core.rooms.ids import is_room_id
from branchline.web.core.rooms.live_room import LiveRoom
from branchline.web.core.rooms.own_games import with_copy
from branchline.web.core.rooms.perspective import Viewer, table_context
from branchline.web.core.rooms.room import ACTION, UNDO, Refused, Room
from branchline.web.core.rooms.spectators import shares
from branchline.web.core.rooms.steps import Unreadable
from branchline.web.core.seen import Copy, TableContext, in_common
from branchline.web.core.store.outage import Unavailable
from branchline.web.core.store.rows import Change
from branchline.web.table import page as table_page
from branchline.web.table import panels
from branchline.web.table.coach.coaching import Coaching, CoachThreads

REPEATED = 120.0  # seconds within which a line that is sent again may have been said


async def serve(socket: WebSocket, server: ServerState, room: str) -> None:
    """Serve a socket from the first hello to the last message."""
    await socket.accept()
    address = address_of(socket.scope)
    try:
        admitted = await _admit(socket, server, room)
    except Unavailable:
        admitted = TRY_LATER
    if isinstance(admitted, int):
        await socket.close(admitted)
        return
    live_room, viewer = admitted
    try:
        with server.audience.place(live_room.room.id, viewer, address):
            await TableConnection(socket, server, live_room, viewer).hold()
    except Full:
        await socket.close(TOO_MANY)


async def _admit(socket: WebSocket, server: ServerState, room: str) -> tuple[LiveRoom, Viewer] | int:
    """Return the room and who looks at it, or the code with which to close the socket."""
    if not is_our_origin(socket.scope, header(socket.scope, "origin"), server.settings):
        return FORBIDDEN
    try:
        live_room = await server.live.get(room, fresh=True) if is_room_id(room) else None
    except Unreadable:
        live_room = None
    if live_room is None:
        return NOT_FOUND
    client = clients.browser(socket, server)
    viewer = await clients.viewer_of(socket, server, live_room, client.key, client.visit)
    await server.layouts.ready(live_room.room.board)
    return NOT_FOUND if viewer is None else (live_room, viewer)


class TableConnection(SocketConnection):
    """What goes on over the WebSocket of one viewer of a room."""

    def __init__(self, socket: WebSocket, server: ServerState, live_room: LiveRoom, viewer: Viewer) -> None:
        """Begin a connection. Nothing is sent before the browser says hello."""
        super().__init__(socket, server)
        self.live_room, self.viewer = live_room, viewer
        self.seats = viewer.mine
        self.shown: TableContext | None = None
        self._copied: tuple[Room, Copy | None] | None = None  # of which room, as it was then
        self._coaching = Coaching(
            server.part(CoachThreads), server.live, live_room, self.changed, server.settings.think_in_browser
        )

    @property
    def where(self) -> str:
        """The room."""
        return f"room {self.live_room.room.id}"

    async def arrive(self) -> None:
        """Tell the room that somebody looks at it."""
        await self.server.live.presence.arrived(self.live_room, self)

    async def leave(self) -> None:
        """Let the coach think no further for this viewer."""
        self._coaching.close()
        _ANSWERS.drop(self)
        await self.server.live.presence.left(self.live_room, self)

    # ------------------------------------------------------------------------------------------------ listening

    async def answer(self, message: SocketMessage) -> None:
        """Do what a message asks, unless it was sent before on a line that broke, and done."""
        if message.again and repeats(self.live_room.room, self.seats, message):
            return
        try:
            match message.do:
                case "hello":
                    await self.turn()
                    await self._hello(message)
                case "ping":
                    await self.send({"do": "pong"})
                case "show":
                    await self.turn()
                    await self.send({"panel": self.worked_out(lambda: panels.panel(self._context(), message.what))})
                case "sit":
                    self._sit(message.seat)
                case "back":
                    for seat in self.seats:
                        await self.server.live.presence.give_back(self.live_room, seat)
                case "links":
                    await self._make_links()
                case "say":
                    saying = talk.Saying(message.text, message.reaction, message.everybody)
                    await say(self.server, self.live_room, self._acting(), saying, self._address)
                case "hint":
                    await self._coaching.hint(self._acting())
                case "found":
                    self._coaching.found(message.version, message.found)
                case "tutor":
                    self._tutor(message.on)
                case "agree":
                    seat = self._acting()
                    await self.server.live.change(
                        self.live_room, lambda room: coach.with_word(room, seat, message.on, time.time())
                    )
                case "play" if self._tutored(message) and not await self._coaching.lets_pass(
                    self._acting(), message.action
                ):
                    await self.send({"cautioned": True})
                case _:
                    await self.turn()
                    act, language = lambda room: self.worked_out(self._acted, room, message), self.viewer.visit.language
                    await guided.change(self.server.live, self.live_room, act, language, time.time())
        except IllegalAction as error:
            why = error.why
            await self.complain("illegal", self.worked_out(lambda: fault_text.refusal(self._context(), why)))
        except Refused as refusal:
            if refusal.reason == DONE:
                return
            await self.complain(refusal.reason, str(refusal), message.text)
        except Unavailable as outage:
            await self.complain(outage.reason, "the games cannot be reached at the moment; try again soon")

    def _tutored(self, message: SocketMessage) -> bool:
        """Return whether the coach looks at an action before it is played: it was asked for, and the action is still
        legal.
        """
        seen = message.version == self.live_room.room.version_for(self.seats)
        return seen and self.viewer.visit.settings.get("tutor") == "on"

    def _tutor(self, on: bool) -> None:
        """Set whether this viewer is warned before large mistakes; the browser keeps it in a cookie."""
        settings = {**self.viewer.visit.settings, "tutor": "on" if on else ""}
        self.viewer = replace(self.viewer, visit=replace(self.viewer.visit, settings=settings))
        self.changed()

    def _acted(self, room: Room, message: SocketMessage) -> tuple[Room, Change]:
        """Return the room after an action, an undo or a resignation of this viewer.

        Raise `Refused` or `IllegalAction`.
        """
        now = time.time()
        if message.do == "resign":
            return room.stood_in(self._own(message.seat), "resign", seats.stand_in(), now)
        if message.again and repeats(room, self.seats, message):  # it was done while this waited
            raise Refused(DONE, "it was done already")
        seat = self._acting(message.seat)
        current = room.version_for(self.seats)
        if message.do == "undo" and room.options.one_screen and 0 <= message.version < current:
            stale = room.acted_since(message.version, self.seats)  # bots may have gone on: that is taken back, too
        else:
            stale = message.version != current
        if stale:
            raise Refused("stale", "something has happened since")
        if message.do == "undo":
            return room.undone(seat, now)
        if seats.automatic(room.seats[seat]):
            raise Refused("not_yours", "a bot plays for you")
        return room.played(seat, message.action, now)

    def _acting(self, seat: int | None = None) -> int:
        """Return the seat that acts; with several on one device, the one whose cards lie open."""
        acting = self.viewer.seat if len(self.seats) > 1 else self._own(seat)
        if acting is None:
            raise Refused("not_yours", "the cards are covered")
        return acting

    def _own(self, seat: int | None) -> int:
        """Return the seat that is meant, which is the viewer's."""
        if seat is None and self.seats:
            return self.viewer.seat if self.viewer.seat is not None else self.seats[0]
        if seat is None or seat not in self.seats:
            raise Refused("not_yours", "that is not your seat")
        return seat

    async def _hello(self, message: SocketMessage) -> None:
        """Show what has changed since a page was made, if it is known; otherwise everything, as to somebody who sees
        the room for the first time.

        The map, by far the biggest part, only if it was not drawn at this very `version`.
        """
        self._greeted = True
        async with self._sending:
            context, before = self._context(), self._page(message.page)
            if before is None:
                self.shown, text = await self._everything(context, message.version)
            else:
                self.shown, text = context, self.worked_out(self._since, before, context)
            self.server.costs.charge(self._address, SENDING * len(text))
            await self.send_text(text)

    def _page(self, nonce: str) -> TableContext | None:
        """Return what a page made here shows, for a viewer like this one, if it has not connected since."""
        shown = self.live_room.pages.pop(nonce, None)
        if shown is None or shown.mine != self.seats or (len(self.seats) > 1 and shown.seat != self.viewer.seat):
            return None
        here = self.viewer.visit
        return shown if (shown.visit.language, shown.visit.settings) == (here.language, here.settings) else None

    def _since(self, before: TableContext, context: TableContext) -> str:
        """Return the message that shows what a page lacks; often it shows nothing."""
        return update(before, context) or _told(before, context, {})

    async def _everything(self, context: TableContext, version: int) -> tuple[TableContext, str]:
        """Return the table, and the message that shows all of it. It is made only once while it would be the same.

        It takes long, as a page does: others are served meanwhile.
        """
        drawn = context.version == version
        kept = _ANSWERS.get(self)
        if kept is not None and kept[1] == drawn and goes_for(kept[0], context):
            return kept[0], kept[2]
        message = await self.server.costs.in_thread(self._address, self._all_of, context, drawn)
        _ANSWERS.put(self, (context, drawn, message), bytes_of(message))
        return context, message

    def _all_of(self, context: TableContext, drawn: bool) -> str:
        message = (
            self.live_room.spectators.message(None, context, drawn, lambda: update(None, context, board=not drawn))
            if shares(self.viewer)
            else update(None, context, board=not drawn)
        )
        assert message is not None, "everything is something"
        return message

    async def _make_links(self) -> None:
        """Make new links in place of those that this viewer is shown."""
        mine, host = self.seats, self.viewer.host
        await self.server.live.change(self.live_room, lambda room: room.relinked(mine, host, time.time()))
        await self.send({"said": "links"})

    def _sit(self, seat: int | None) -> None:
        """Give a seat the device in a hot-seat game; with None, cover the cards."""
        if seat is not None and seat not in self.seats:
            raise Refused("not_yours", "that is not your seat")
        self.viewer = replace(self.viewer, seat=seat)
        self.changed()

    # ------------------------------------------------------------------------------------------------ showing

    def _context(self) -> TableContext:
        room, now = self.live_room.room, self.server.live.clock.now()
        if shares(self.viewer):
            return self.live_room.spectators.context(room, self.viewer, self.server.signer, now)
        context = self._coaching.shown(table_context(room, self.viewer, self.server.signer, now))
        if not self.server.settings.copies:
            return context
        if self._copied is None or self._copied[0] is not room:
            self._copied = room, with_copy(context, room, self.server.settings).copy
        return replace(context, copy=self._copied[1])

    async def update(self) -> None:
        """Send what has changed since the last time, nothing when nothing has."""
        async with self._sending:
            context, before = self._context(), self.shown
            if before is context:
                return
            if shares(self.viewer):
                text = self.live_room.spectators.message(before, context, False, lambda: update(before, context))
            else:
                text = update(before, context)
            if text is not None:
                self.shown = context
                await self.send_text(text)

    async def complain(self, error: str, why: str, text: str = "") -> None:
        """Say politely why something was not done. What has changed meanwhile is shown by itself.

        `text`: a line that was refused, to be said in another way.
        """
        version = self.live_room.room.version_for(self.seats)
        refusal: Refusal = {"version": version, "error": error, "why": why}
        if text:
            refusal["text"] = text
        await self.send(refusal)


def repeats(room: Room, mine: tuple[int, ...], message: SocketMessage) -> bool:
    """Return whether a message of these seats' holder is a repetition of one already heard."""
    match message.do:
        case "play" | "undo" if message.version >= 0:
            row = room.seen_after(message.version, mine)
            if row is None or row.seat not in mine:
                return False
            return row.kind == UNDO if message.do == "undo" else row.kind == ACTION and _is_it(row.text, message.action)
        case "resign":
            return message.seat in mine and room.seats[message.seat or 0].resigned
        case "say":
            lately = [row for row in room.talk if row.at > time.time() - REPEATED]
            return any(talk.is_same(row, mine, message.text, message.reaction) for row in lately)
    return False


def _is_it(played: str, asked: str) -> bool:
    """Return whether an action as logged is the one that was asked for; of payments there is one."""
    first = played.partition("\n")[0]
    return asked in (played, first) or asked.startswith(f"{first} with ") or (first[:4] == asked[:4] == "pay ")


def update(before: TableContext | None, context: TableContext, *, board: bool = True) -> str | None:
    """Return the message that shows what has changed, as text, or None where there is nothing to show.

    Without `before` it shows everything, the map with it unless `board` is false.
    """
    if before is not None and looks_the_same(before, context):
        return None
    changed = table_page.fragments(context, before)
    if not board:
        changed.pop("board", None)
    if before is not None and not changed and before.version == context.version:
        return None
    return _told(before, context, changed)


def _told(before: TableContext | None, context: TableContext, fragments: dict[str, str]) -> str:
    return as_text(
        {
            "version": context.version,
            "fragments": fragments,
            "events": news(before, context),
            "title": table_page.title(context),
            "sound": sound(before, context),
        }
    )


FRESH = 1.0  # seconds for which what clocks show may be told again
_ANSWERS: Cache[TableConnection, tuple[TableContext, bool, str]] = Cache("answers", 8 * MEGABYTE)


def goes_for(before: TableContext, context: TableContext) -> bool:
    """Return whether what was made of one context is good for another: it looks the same, and no clock has gone on."""
    still = not any(player.ticking and player.time_left is not None for player in context.players)
    fresh = 0 <= context.now - before.now < FRESH
    return (still or fresh) and looks_the_same(before, context) and before.visit == context.visit


def looks_the_same(before: TableContext, context: TableContext) -> bool:
    """Return whether nothing has happened except the passing of time."""
    return before.version == context.version and _timeless(before) == _timeless(context)


def _timeless(context: TableContext) -> tuple[object, ...]:
    players = [{**vars(player), "time_left": None} for player in context.players]
    where = context.version, context.fingerprint, context.seat, context.pass_to
    links = context.spectator_link, context.device_link, context.invite
    last_words = context.talk[-1:], context.guide, context.coach
    return *where, players, links, context.undo, context.rematch, context.over, len(context.log), last_words


def news(before: TableContext | None, context: TableContext) -> list[dict[str, object]]:
    """Return what happened since a viewer was last shown the table."""
    if before is None:
        return []
    return [
        {"kind": event.kind, "seat": event.seat, "n": context.version, "text": event.text}
        for entry in context.log[in_common(before.log, context.log) :]
        for event in entry.events
    ]


def sound(before: TableContext | None, context: TableContext) -> str | None:
    """Return the sound to play: it has become the viewer's turn, or the game is over."""
    if before is None:
        return None
    if context.over and not before.over:
        return "over"
    asked = context.my_turn or context.pass_to is not None
    was_asked = before.my_turn or before.pass_to is not None
    return "turn" if asked and not was_asked else None
