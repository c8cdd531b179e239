"""How to be told of one's turn: the dialog at the table, and the pages behind the links in mails."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from branchline.web.core.pages.render import part, render
from branchline.web.core.pages.translation import N_, Translator, translator_for
from branchline.web.core.visit import Visit


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


_SAID = {
    "saved": N_("Saved."),
    "asked": N_("Saved. Now open the link in the e-mail we sent you."),
    "asked_too_often": N_("Too many e-mails to this address today. Try again tomorrow."),
    "not_wanted": N_("This address is not signed up for e-mails."),
    "too_many": N_("Too many requests. Wait a moment and try again."),
    "nothing_to_test": N_("There is nothing to test yet. Enter an address first."),
}

_FAILED = frozenset({"asked_too_often", "not_wanted", "too_many", "nothing_to_test"})

_PROBLEMS = {
    "email": N_("This is not a valid e-mail address."),
    "webhook": N_(
        "This is not a valid webhook address. It must start with https:// or http:// and contain no password."
    ),
    "format": N_("The server could not read this request."),
    "wait": N_("The server could not read this request."),
    "quiet": N_("Enter both times as hours and minutes."),
}

_REASONS = {
    "status": N_("the webhook answered: {detail}"),
    "connection": N_("connection failed: {detail}"),
    "name": N_("no server with that name was found: {detail}"),
    "private": N_("this server does not call private addresses: {detail}"),
    "no_answer": N_("there was no answer in time; it may have arrived anyway"),
    "refused": N_("the e-mail was refused: {detail}"),
    "mail_server": N_("our mail server cannot be reached: {detail}"),
    "too_many": N_("too many notices within an hour"),
    "fault": N_("something went wrong on our side"),
}

FORMATS = {"json": N_("signed JSON"), "ntfy": "ntfy", "discord": "Discord", "matrix": "Matrix (hookshot)"}
WAITS = {
    "0": N_("right away"),
    "5": N_("5 minutes"),
    "15": N_("15 minutes"),
    "60": N_("1 hour"),
    "240": N_("4 hours"),
}


def notice_dialog(context: NoticesContext) -> str:
    """Return the content of the dialog: the form as it stands, and the fate of the last notices."""
    words = translator_for(context.visit.language)
    sentence = words(_SAID[context.said]) if context.said else ""
    problem = words(_PROBLEMS[context.problem]) if context.problem else ""
    failed = (
        bool(problem) or context.said in _FAILED or any(report.outcome == "test_failed" for report in context.tested)
    )
    return part(
        "notices/notices.html",
        words,
        context=context,
        visit=context.visit,
        said=problem if problem and context.problem not in ("email", "webhook") else sentence,
        problem=problem,
        failed=failed,
        formats={name: words(label) for name, label in FORMATS.items()},
        waits={name: words(label) for name, label in WAITS.items()},
        reports=[_told(words, report) for report in context.tested],
        last=[(report, _told(words, report)) for report in context.reports],
    )


def _told(words: Translator, report: NoticeReport) -> str:
    """Return a report in a sentence."""
    way = words("E-mail") if report.channel == "email" else words("Webhook")
    reason = words(_REASONS.get(report.reason, _REASONS["fault"]), detail=report.detail)
    outcome = {
        "answered": words("the test has arrived: {detail}", detail=report.detail),
        "handed_over": words("the test is on its way"),
        "sent": words("the last notice was sent"),
        "again": words("the last notice failed and will be sent again: {reason}", reason=reason),
        "failed": words("the last notice failed: {reason}", reason=reason),
        "test_failed": words("the test failed: {reason}", reason=reason),
        "unconfirmed": words("first open the link in the e-mail we sent you"),
        "interrupted": words("the last notice was interrupted; it may have arrived"),
    }[report.outcome]
    return f"{way}: {outcome}"


def mail_page(context: MailContext) -> str:
    """Return the page behind a link in a mail: a button, or the fact that it has been pressed."""
    words = translator_for(context.visit.language)
    title = {
        ("confirm", False): words("Get an e-mail when it is your turn?"),
        ("confirm", True): words("Thank you. You will get an e-mail when it is your turn."),
        ("stop", False): words("Stop these e-mails?"),
        ("stop", True): words("You will not get any more e-mails."),
    }[(context.what, context.done)]
    return render("notices/mail.html", context.visit, context=context, title=f"{title} · branchline", said=title)
