"""The page on the web application tells of the code as it is: addresses, contexts, messages, and files that exist."""

from __future__ import annotations

import dataclasses
import re

import pytest

from branchline.web.core.http.protocol import DOINGS, SocketMessage
from branchline.web.reference import PAGE, page

WRITTEN = PAGE.read_text(encoding="utf-8")
ROOT = PAGE.parents[1]
FILE = re.compile(r"`([\w/]+\.(?:py|js|css|html))`")


@pytest.mark.long
def test_the_tables_are_made_from_the_code() -> None:
    assert page(WRITTEN) == WRITTEN, "routes, contexts or messages have changed: run `make web-page`"


def test_a_message_has_no_field_that_belongs_to_nothing() -> None:
    used = {name for doing in DOINGS.values() for name in doing.fields}
    assert used | {"do", "again"} == {one.name for one in dataclasses.fields(SocketMessage)}


def test_every_file_that_the_page_names_exists() -> None:
    there = [path.as_posix() for folder in ("src", "tests") for path in (ROOT / folder).rglob("*.*")]
    named = {name for name in FILE.findall(WRITTEN) if not name.startswith("/static/")}
    lost = [name for name in sorted(named) if not any(path.endswith(f"/{name}") for path in there)]
    assert len(named) > 30
    assert lost == []
