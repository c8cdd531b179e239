"""How to be told of one's turn: the dialog of the table, and the links in mails."""

from __future__ import annotations

import asyncio
import functools
import time
from dataclasses import replace

from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from branchline.web.core.feature import Feature
from branchline.web.core.http.middleware import address_of
from branchline.web.core.http.page_requests import PageError, PageRequest, check_key, route, visible_room
from branchline.web.core.http.state import ServerState
from branchline.web.core.pages.translation import LANGUAGES
from branchline.web.core.store.rows import MailAddress, NoticeChoice
from branchline.web.notices import page as notices_page
from branchline.web.notices import store as notices
from branchline.web.notices.choice import BadChoice, as_fields, read_choice
from branchline.web.notices.delivery import Undelivered
from branchline.web.notices.page import MailContext, NoticeReport, NoticesContext
from branchline.web.notices.service import TurnNotices
from branchline.web.notices.store import EMAIL, WEBHOOK, TooMany, Unwanted


async def dialog(req: PageRequest) -> Response:
    """Show the form as it stands."""
    room = await _my_room(req)
    own, for_all = await req.server.live.read(notices.choices_of, req.server.store, req.client.hash, room)
    choice = own or for_all
    return await _dialog(req, room, as_fields(choice), choice)


async def choose(req: PageRequest) -> Response:
    """Keep what was chosen; ask the address for its consent, or send a test."""
    server, room = req.server, await _my_room(req)
    offered = {
        "email": EMAIL in server.part(TurnNotices).channels,
        "webhook": WEBHOOK in server.part(TurnNotices).channels,
    }
    try:
        choice = await asyncio.to_thread(
            lambda: read_choice(req.fields, req.client.hash, room, req.visit.language, time.time(), **offered)
        )
    except BadChoice as bad:
        filled = {**as_fields(None), "all": "", "quiet": "", **req.fields}
        return await _dialog(req, room, filled, None, problem=bad.field, status=400)
    await server.live.write(lambda: notices.choose(server.store, choice, forget=None if choice.room else room))
    mail = await _mail(req, choice)
    testing = req.fields.get("do") == "test"
    asking = bool(choice.email) and (mail is None or not mail.agreed) and (testing or mail is None)
    if (asking or testing) and not server.rates.allow("notices", address_of(req.http.scope)):
        return await _dialog(req, room, as_fields(choice), choice, said="too_many")
    outcome, tested = "saved", list[NoticeReport]()
    if asking:
        outcome, trouble = await _ask(req, choice)
        tested += trouble
    if testing:
        reports = await server.part(TurnNotices).test(choice, room, mail)
        tested += [report for report in reports if report.outcome != "unconfirmed" or outcome == "saved"]
        if not reports:
            outcome = "nothing_to_test"
    return await _dialog(req, room, as_fields(choice), choice, said=outcome, tested=tuple(tested))


async def _ask(req: PageRequest, choice: NoticeChoice) -> tuple[str, list[NoticeReport]]:
    """Ask an address for its consent: what there is to say, and what went wrong."""
    try:
        await req.server.part(TurnNotices).ask_address(choice)
    except TooMany:
        return "asked_too_often", []
    except Unwanted:
        return "not_wanted", []
    except Undelivered as trouble:
        return "saved", [NoticeReport(EMAIL, "test_failed", 0.0, trouble.reason, trouble.detail)]
    return "asked", []


async def _my_room(req: PageRequest) -> str:
    """Return the room if the browser has a seat there."""
    live_room, viewer = await visible_room(req)
    if not viewer.mine:
        raise PageError(403, "not_yours")
    return live_room.room.id


async def _mail(req: PageRequest, choice: NoticeChoice | None) -> MailAddress | None:
    if choice is None or not choice.email:
        return None
    return await req.server.live.read(notices.mail_address, req.server.store, choice.key, choice.email)


async def _dialog(
    req: PageRequest,
    room: str,
    filled: dict[str, str],
    choice: NoticeChoice | None,
    *,
    said: str = "",
    problem: str = "",
    tested: tuple[NoticeReport, ...] = (),
    status: int = 200,
) -> Response:
    server = req.server
    mail = await _mail(req, choice)
    last = await server.live.read(notices.latest, server.store, req.client.hash, room)
    context = NoticesContext(
        visit=replace(req.visit, path=f"/t/{room}"),
        room=room,
        filled=filled,
        email=EMAIL in server.part(TurnNotices).channels,
        webhook=WEBHOOK in server.part(TurnNotices).channels,
        address_known=bool(server.settings.url),
        email_state="" if mail is None else "confirmed" if mail.agreed else "asked",
        secret=server.signer.webhook_secret(req.client.hash),
        said=said,
        problem=problem,
        reports=server.part(TurnNotices).reports(last),
        tested=tested,
    )
    return HTMLResponse(await asyncio.to_thread(notices_page.notice_dialog, context), status)


# ---------------------------------------------------------------------------------------------------- links in mails


async def mail_link(req: PageRequest) -> Response:
    """Show a link in a mail first, because programs look at links too; a press, or a mail program, sends the form."""
    purpose, id_, server = req.word("what"), req.word("address"), req.server
    check_key(req, purpose in ("confirm", "stop") and server.signer.opens(req.word("signature"), "mail", purpose, id_))
    address = await server.live.read(notices.mail_address_by_id, server.store, id_)
    if address is None:
        raise PageError(404, "not_found")
    done = req.http.method == "POST"
    if done:
        press = notices.confirm_address if purpose == "confirm" else notices.stop_address
        await server.live.write(press, server.store, id_, time.time())
    language = address.language if address.language in LANGUAGES else req.visit.language
    context = MailContext(replace(req.visit, language=language), address.address, req.http.url.path, purpose, done)
    return HTMLResponse(await asyncio.to_thread(notices_page.mail_page, context))


def routes(server: ServerState) -> list[Route]:
    """Return the routes of notices."""

    of = functools.partial(route, server)
    link = "/mail/{what}/{address}/{signature}"
    return [
        of("/t/{room}/notices", dialog, "GET"),
        of("/t/{room}/notices", choose, "POST"),
        of(link, mail_link, "GET", signed=True),
        of(link, mail_link, "POST", signed=True),
    ]


async def _notify(server: ServerState) -> None:
    notices = server.part(TurnNotices)
    if notices.channels:
        await notices.run()


FEATURE = Feature(
    routes,
    words=("mail",),
    parts=(lambda server: TurnNotices(server.live, server.signer, server.settings),),
    tasks=(_notify,),
)
