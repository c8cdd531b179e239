"""Pages without any finery, for those that `pages` does not have (yet): enough to try the server out."""

from __future__ import annotations

from html import escape
from typing import Any

from branchline.web.context import (
    HomeContext,
    JoinContext,
    MessageContext,
    NewContext,
    ReplayContext,
    TableContext,
)


def home(context: HomeContext) -> str:
    """Editions and games."""
    editions = "".join(
        f'<form method="post" action="/new"><input type="hidden" name="csrf" value="{escape(context.visit.csrf)}">'
        f'<button name="board" value="{escape(board.id)}">{escape(board.title)}</button></form>'
        for board in context.boards
    )
    games = "".join(f'<li><a href="/t/{line.room}">{escape(line.board.title)}</a></li>' for line in context.mine)
    return _page("branchline", f"{editions}<ul>{games}</ul>")


def new(context: NewContext) -> str:
    """The form."""
    return _page("branchline", f"<p>{escape(context.problem)}</p>")


def join(context: JoinContext) -> str:
    """Take a seat."""
    csrf = escape(context.visit.csrf)
    return _page(
        context.board.title,
        f'<form method="post" action="{escape(context.action)}"><input type="hidden" name="csrf" value="{csrf}">'
        f'<input name="name"><button>{context.seat + 1}</button></form>',
    )


def table(context: TableContext) -> str:
    """All fragments, one after the other."""
    return _page(title(context), "".join(fragments(context, None).values()))


def fragments(context: TableContext, previous: TableContext | None) -> dict[str, str]:
    """What changed."""
    made = {
        "seats": _list("seats", [f"{one.name} {one.kind} {one.bot}" for one in context.players]),
        "question": f'<p id="question">{escape(str(context.view.question))}</p>',
        "hand": _list("hand", [f"{count} {card}" for card, count in context.view.hand.items()]),
        "tickets": _list("tickets", [one.name for one in (*context.view.tickets, *context.view.offer)]),
        "log": _list("log", [f"{event.seat} {event.text}" for entry in context.log for event in entry.events]),
        "actions": _list("actions", [action.text for action in context.legal]),
        "invites": _list("invites", [one.invite for one in context.players]),
    }
    before = fragments(previous, None) if previous else {}
    return {name: html for name, html in made.items() if before.get(name) != html}


def title(context: TableContext) -> str:
    """Of the tab."""
    return f"{'● ' if context.my_turn else ''}{context.board.title}"


def panel(context: TableContext, what: str) -> dict[str, str]:
    """Nothing special."""
    return {"panel": f'<div id="panel">{escape(what)}</div>'}


def replay(context: ReplayContext) -> str:
    """One moment."""
    return _page(context.board.title, "".join(replay_fragments(context).values()))


def replay_fragments(context: ReplayContext) -> dict[str, str]:
    """One moment."""
    return {"moment": f'<p id="moment">{context.n}/{context.last} {escape(str(context.views[0].question))}</p>'}


def message(context: MessageContext) -> str:
    """What went wrong."""
    return _page(str(context.status), f"<p>{escape(context.reason)}: {escape(context.detail)}</p>")


def _list(name: str, lines: list[str]) -> str:
    return f'<ul id="{name}">' + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>"


def _page(title: str, body: str) -> str:
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title><body>{body}</body></html>'
    )


def page_function(pages: Any, name: str) -> Any:
    """The function of `pages`, or the plain one."""
    return getattr(pages, name, None) or globals()[name]
