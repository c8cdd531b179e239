"""A page is one folder and one line: a copy of the package is given a guest book that stores what is written."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import branchline

PAGE = {
    "__init__.py": '"""A guest book."""',
    "page.py": """
from dataclasses import dataclass

from branchline.web.core.pages.render import render
from branchline.web.core.visit import Visit


@dataclass(frozen=True)
class GuestbookContext:
    visit: Visit
    lines: tuple[str, ...]


def guestbook(context: GuestbookContext) -> str:
    return render("guestbook/guestbook.html", context.visit, context=context, title="Guests")
""",
    "guestbook.html": """{% extends "core/pages/base.html" %}
{% block head %}{{ module('guestbook/guestbook.js') }}{% endblock %}
{% block main %}<ul>{% for line in context.lines %}<li>{{ line }}</li>{% endfor %}</ul>
<form method="post" action="{{ visit.root }}/guestbook"><input name="csrf" value="{{ visit.csrf }}"></form>
{% endblock %}
""",
    "guestbook.js": 'import { notice } from "../core/browser/notice.js";\n',
    "store.py": """
import sqlalchemy as sa

from branchline.web.core.store.tables import metadata

guests = sa.Table("guests", metadata, sa.Column("id", sa.Integer, primary_key=True), sa.Column("line", sa.Text))


def add(store, line):
    with store.engine.begin() as connection:
        connection.execute(guests.insert().values(line=line))


def lines(store):
    with store.engine.connect() as connection:
        return tuple(connection.execute(sa.select(guests.c.line).order_by(guests.c.id)).scalars())
""",
    "routes.py": """
from branchline.web.core.feature import Feature
from branchline.web.core.http.page_requests import limit, made_page, redirect, route
from branchline.web.guestbook import page, store


async def show(req):
    lines = await req.server.live.read(store.lines, req.server.store)
    return await made_page(page.guestbook, page.GuestbookContext(req.visit, lines))


async def write(req):
    limit(req, "saves")
    await req.server.live.write(store.add, req.server.store, req.fields["line"])
    return redirect("/guestbook")


def routes(server):
    return [route(server, "/guestbook", show), route(server, "/guestbook", write, "POST")]


FEATURE = Feature(routes, words=("guestbook",))
""",
    "migrations/step_9999_guests.py": """
import sqlalchemy as sa
from alembic import op

revision, down_revision = "9999", "LATEST"


def upgrade():
    op.create_table("guests", sa.Column("id", sa.Integer, primary_key=True), sa.Column("line", sa.Text))


def downgrade():
    op.drop_table("guests")
""",
}

VISITOR = """
import re, sys
from starlette.testclient import TestClient
from branchline.web.app import make_app
from branchline.web.core.settings import Settings

settings = Settings(database=f"sqlite:///{sys.argv[1]}", warm_up=False)
for visit in (1, 2):
    with TestClient(make_app(settings)) as browser:
        form = re.search('name="csrf" value="([^"]+)"', browser.get("/guestbook").text)[1]
        browser.post("/guestbook", data={"csrf": form, "line": f"Anna <{visit}>"})
        page = browser.get("/guestbook").text
        script = re.search('src="([^"]+guestbook.js)"', page)[1]
        assert browser.get(script).headers["content-type"].startswith("text/javascript"), script
print(page)
"""


@pytest.mark.long
def test_a_page_with_storage_is_one_folder_and_one_line(tmp_path: Path) -> None:
    from branchline.web.core.store.schema import latest_revision

    package = tmp_path / "branchline"
    shutil.copytree(Path(branchline.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in PAGE.items():
        target = package / "web" / "guestbook" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text.replace("LATEST", latest_revision()), encoding="utf-8")
    features = package / "web" / "features.py"
    features.write_text(
        features.read_text("utf-8").replace('    "lobby",\n', '    "guestbook",\n    "lobby",\n'), "utf-8"
    )
    done = subprocess.run(
        [sys.executable, "-c", VISITOR, str(tmp_path / "rooms.sqlite")],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert "<li>Anna &lt;1&gt;</li><li>Anna &lt;2&gt;</li>" in done.stdout, "it is kept, and nothing of it is HTML"
