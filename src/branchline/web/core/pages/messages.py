"""The page that says what went wrong or is missing, and why something was refused."""

from __future__ import annotations

from branchline.boards.wording import Message
from branchline.web.core.pages import talk
from branchline.web.core.pages.fault_text import told
from branchline.web.core.pages.render import render
from branchline.web.core.pages.translation import N_, translator_for
from branchline.web.core.visit import MessageContext

_REASONS = {
    "not_found": N_("There is nothing here. The link may be out of date or incomplete."),
    "no_table": N_(
        "There is no such table, or it is private. If somebody sent you this address, ask them for the invitation or "
        "for the link for watching."
    ),
    "full": N_("All seats at this table are taken. Ask for the link for watching."),
    "not_yours": N_("This table is private. Ask for an invitation."),
    "taken": N_("This seat is already taken."),
    "forged": N_("This form has expired. Go back, reload the page and try again."),
    "no_cookie": N_(
        "Your browser sent no cookie with this form, so the server cannot tell who you are. Allow cookies for "
        "this site in your browser’s settings, reload the page and try again."
    ),
    "no_token": N_(
        "This form arrived without its signature, so the server cannot tell whether it is ours. Reload the "
        "page and try again."
    ),
    "unknown_address": N_(
        "This server does not know that it can be reached at this address, so it accepts no forms here. This "
        "is not your fault: please tell the person who runs the server. The server’s log says which option is "
        "missing."
    ),
    "other_site": N_("This form was sent from another website, so it was refused. Please start from the home page."),
    "no_origin": N_(
        "Your browser hides which page this form comes from, so it was refused. Open this site in a normal "
        "window, without extensions or settings that hide where requests come from."
    ),
    "too_large": N_("That is too large."),
    "too_many": N_("Too many requests. Wait a moment and try again."),
    "too_heavy": N_("That takes too long to compute. Nothing is lost; try something smaller."),
    "bad_request": N_("The server could not read this request."),
    "away": N_("The games cannot be reached right now. Nothing is lost; try again soon."),
    "disk_full": N_(
        "There is no room left to save this. Everything before it was saved; try again when there is room."
    ),
    "broken": N_("Something went wrong on our side. Nothing you did is lost."),
    "elsewhere": N_("This server does not answer to that name."),
    "look_only": N_("This link is view-only. Make a copy to change the board."),
    "unsound": N_("This board has errors. Fix them first; they are listed under “Check”."),
    "running": N_("The game is still being played. This page opens when it is over."),
    **talk.REFUSALS,
}


def message(context: MessageContext) -> str:
    """Return the page for something that is wrong or missing."""
    sentence = why_not(context.visit.language, context.reason)
    return render(
        "core/pages/message.html",
        context.visit,
        context=context,
        title=f"{context.status} · branchline",
        said=sentence,
        detail=told(context.visit.language, context.detail),
        is_told=isinstance(context.detail, Message),
    )


def why_not(language: str, reason: str) -> str:
    """Say why something was refused, by the word of `MessageContext`."""
    return translator_for(language)(_REASONS.get(reason, _REASONS["bad_request"]))
