"""What somebody who is not at the table is told, in words and as a mail."""

from __future__ import annotations

import re
from dataclasses import dataclass

from branchline.web.core.pages import components
from branchline.web.core.pages.render import part
from branchline.web.core.pages.translation import translator_for
from branchline.web.core.seen import Player


@dataclass(frozen=True)
class NoticeContext:
    """What somebody who is not at the table is told."""

    kind: str  # "turn", "over" or "test"
    language: str
    link: str  # whole address of the table
    board: str = ""  # title
    seat: int = 0
    players: tuple[Player, ...] = ()


_WORD_JOINER = "\u2060"  # takes no room


@dataclass(frozen=True)
class NoticeWords:
    """A notice in its language."""

    title: str
    text: str
    open: str  # label of the link to the table


@dataclass(frozen=True)
class MailWords:
    """A mail in its language."""

    subject: str
    text: str
    html: str


def notice(context: NoticeContext) -> NoticeWords:
    """Return a notice as it goes to a webhook."""
    words = translator_for(context.language)
    names = [_unlinked(components.name_of(words, player)) for player in context.players]
    around = words("At the table: {names}.", names=", ".join(names)) if names else ""
    if context.kind == "turn":
        title = words("Your turn: {board}", board=context.board)
        text = words("{name}, it is your turn.", name=names[context.seat])
    elif context.kind == "over":
        title = words("Game over: {board}", board=context.board)
        text = words("The game is over.")
    else:
        title = words("Test message from branchline")
        text = words("This is how we will tell you when it is your turn.")
        around = ""
    return NoticeWords(title, f"{text} {around}".strip(), words("Open the table"))


def notice_mail(context: NoticeContext, site: str, stop: str) -> MailWords:
    """Return a notice as a mail, with the link that stops such mails."""
    words, texts = translator_for(context.language), notice(context)
    why = words("You get this e-mail because you asked {site} to tell you when it is your turn.", site=_unlinked(site))
    return _mail(context.language, texts.title, texts.text, (texts.open, context.link), why, stop)


def consent_mail(language: str, site: str, confirm: str, stop: str) -> MailWords:
    """Return the mail that asks whether the owner of an address agrees."""
    words, site = translator_for(language), _unlinked(site)
    return _mail(
        language,
        words("Get an e-mail when it is your turn?"),
        words(
            "Someone, hopefully you, asked {site} to send an e-mail to this address when it is their turn.", site=site
        ),
        (words("Yes, send me e-mails"), confirm),
        words("If it was not you, ignore this e-mail and you will not hear from us again."),
        stop,
    )


def _mail(language: str, title: str, text: str, link: tuple[str, str], why: str, stop: str) -> MailWords:
    words = translator_for(language)
    stopping = words("Unsubscribe")
    plain = f"{text}\n\n{link[0]}:\n{link[1]}\n\n--\n{why}\n{stopping}:\n{stop}\n"
    html = part(
        "notices/mail_text.html", words, title=title, text=text, link=link, why=why, stopping=stopping, stop=stop
    )
    return MailWords(" ".join(title.split()), plain, str(html))


def _unlinked(text: str) -> str:
    """Return a text in which programs find no address to link to: players choose their names freely."""
    return re.sub(r"(?<=[.:@])(?=\S)", _WORD_JOINER, text)
