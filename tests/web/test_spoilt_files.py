"""Files that are no files: whatever is wrong with one and wherever it is uploaded, people are told; nothing breaks.

Each kind of spoilt file goes to every route that takes files, and, by turns, to all other routes that take a form.
"""

from __future__ import annotations

import base64
import io
import json
import logging
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from urllib.parse import urlsplit

import pytest
from starlette.testclient import TestClient

import branchline as bl
from branchline.boards.catalogue import BUILTIN
from branchline.web.app import make_app
from branchline.web.core.settings import Limits, Settings
from web import servers
from web.test_every_address import PARAMETER, routes_of


@cache
def good_record() -> str:
    """A game that has begun."""
    game = bl.Game(bl.load_board("berlin"), 2, 1)
    for _ in range(4):
        game.play(game.legal.texts[0])
    return game.record().to_json()


@cache
def archive() -> bytes:
    """The folder of an edition."""
    return zipped({file.name: file.read_bytes() for file in sorted((BUILTIN / "berlin").iterdir()) if file.is_file()})


def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def with_byte(content: bytes, at: int, byte: int) -> bytes:
    return content[:at] + bytes([byte]) + content[at + 1 :]


PLACES = b"name,lat,lon\nWien,48,16\n"


@cache
def record() -> bytes:
    return good_record().encode()


def encrypted() -> bytes:
    """With a flag of its first file."""
    return with_byte(archive(), 6, archive()[6] | 1)


SPOILT: dict[str, tuple[str, Callable[[], bytes]]] = {
    "empty": ("record.json", lambda: b""),
    "blanks": ("record.json", lambda: b" \n\t "),
    "JSON that ends": ("record.json", lambda: record()[: len(record()) // 2]),
    "a different kind of JSON": ("record.json", lambda: b"[1, 2, {}]"),
    "JSON with a word too long": ("record.json", lambda: b'{"board": "' + b"x" * 300_000 + b'"}'),
    "JSON with huge numbers": (
        "record.json",
        lambda: b'{"board": 1' + b"0" * 5_000 + b', "seed": -1e999, "seats": NaN}',
    ),
    "JSON nested for ever": ("record.json", lambda: b"[" * 100_000),
    "JSON nested for ever, closed": ("record.json", lambda: b'{"board":' * 20_000 + b"1" + b"}" * 20_000),
    "JSON with half a letter": ("record.json", lambda: b'{"board": "\\ud800"}'),
    "JSON with commas only": ("record.json", lambda: b"[" + b"1," * 400_000 + b"1]"),
    "UTF-16 that ends in a letter": ("record.json", lambda: record().decode().encode("utf-16")[:-1]),
    "not text": ("record.json", lambda: bytes(range(256)) * 40),
    "nulls": ("places.csv", lambda: b"\0" * 5_000),
    "CSV that ends in quotes": ("places.csv", lambda: PLACES + b'"W'),
    "CSV with a line too long": ("places.csv", lambda: PLACES + b"x," * 200_000),
    "CSV in UTF-16 that ends": ("places.csv", lambda: PLACES.decode().encode("utf-16")[:-1]),
    "CSV with many columns": ("places.csv", lambda: b"name" + b",name" * 20_000 + b"\n"),
    "CSV with odd numbers": ("places.csv", lambda: "name,lat,lon\nWien,²,".encode() + b"9" * 5_000 + b"\nA,nan,-inf\n"),
    "zip that ends": ("board.zip", lambda: archive()[: len(archive()) // 2]),
    "zip with its head only": ("board.zip", lambda: archive()[:30]),
    "zip with a wrong sum": ("board.zip", lambda: with_byte(archive(), 60, archive()[60] ^ 255)),
    "zip with a wrong directory": ("board.zip", lambda: with_byte(archive(), len(archive()) - 10, 255)),
    "zip that is encrypted": ("board.zip", encrypted),
    "zip of nothing": ("board.zip", lambda: zipped({})),
    "zip in a zip in a zip": ("board.zip", lambda: zipped({"a.zip": zipped({"b.zip": archive()})})),
    "zip of zeros": ("board.zip", lambda: zipped({"places.csv": b"\0" * 30_000_000})),
    "zip that leads elsewhere": ("board.zip", lambda: zipped({"../../etc/places.csv": PLACES, "/board.toml": b"x"})),
    "zip with many files": ("board.zip", lambda: zipped({f"{n}.csv": b"" for n in range(3_000)})),
    "a table that is compressed": ("places.csv", lambda: zlib.compress(PLACES)),
    "TOML that ends": ("board.toml", lambda: b'title = "'),
    "a picture": ("board.toml", lambda: b"\x89PNG\r\n\x1a\n" + b"\xff" * 100),
}
"""Each kind: the name of the file, and what makes what is in it."""


@cache
def spoilt(kind: str) -> tuple[str, bytes]:
    """The name of a file, and what is in it."""
    name, content = SPOILT[kind]
    return name, content()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    database = f"sqlite:///{tmp_path_factory.mktemp('spoilt') / 'rooms.sqlite'}"
    app = make_app(Settings(database=database, warm_up=False, limits=Limits().times(1000)))
    with TestClient(app, follow_redirects=False, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def csrf(browser: TestClient) -> str:
    return servers.first_of(browser.get("/").text, "csrf")


def as_field(name: str, content: bytes) -> str:
    """A file as the pages of the workshop send it."""
    return json.dumps({name: base64.b64encode(content).decode()})


@pytest.fixture
def draft(browser: TestClient, csrf: str) -> str:
    """The path of a draft that may be changed."""
    made = browser.post("/workshop", data={"csrf": csrf, "from": "edition", "board": "berlin"})
    assert made.status_code == 303, made.text
    return urlsplit(made.headers["location"]).path


@pytest.mark.long
@pytest.mark.parametrize("kind", SPOILT)
def test_a_spoilt_file_is_refused_in_words_by_all_that_takes_files(
    browser: TestClient, csrf: str, draft: str, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    name, content = spoilt(kind)
    files = as_field(name, content)
    with caplog.at_level(logging.ERROR):
        answers = {
            "a record": browser.post("/upload", data={"csrf": csrf}, files={"record": (name, content)}),
            "a new draft": browser.post("/workshop", data={"csrf": csrf, "from": "files", "files": files}),
            "a draft": browser.post(f"{draft}/read", data={"csrf": csrf, "files": files}),
        }
    assert answers["a record"].status_code in (400, 413, 422), answers["a record"].text
    for where, answer in answers.items():
        assert answer.status_code < 500, (where, answer.text[:300])
    assert not [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]


@pytest.mark.long
def test_whatever_form_a_spoilt_file_is_put_into_nothing_breaks(
    browser: TestClient, csrf: str, caplog: pytest.LogCaptureFixture
) -> None:
    room = browser.post("/new", data={"csrf": csrf, "board": "berlin"}).headers["location"].removeprefix("/t/")
    forms = sorted({path for method, path in routes_of(browser.app) if method == "POST"})  # type: ignore[arg-type]
    kinds = [spoilt(kind) for kind in SPOILT]
    assert len(forms) > 40
    with caplog.at_level(logging.ERROR):
        for turn, pattern in enumerate(forms):
            path = PARAMETER.sub(lambda part: room if part[1] == "room" else "berlin", pattern)
            for name, content in (kinds[turn % len(kinds)], kinds[(7 * turn + 3) % len(kinds)]):
                if len(content) > 60_000:
                    continue
                fields = {"csrf": csrf, "files": as_field(name, content), "id": "x"}
                sent = dict.fromkeys(("record",), (name, content))
                answer = browser.post(path, data=fields, files=sent)
                assert answer.status_code < 500, (path, name, answer.text[:300])
                answer = browser.post(path, content=content, headers={"content-type": "application/json"})
                assert answer.status_code < 500, (path, name, answer.text[:300])
    assert not [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_a_record_is_read_in_whatever_encoding_an_editor_has_saved_it(
    browser: TestClient, csrf: str, encoding: str
) -> None:
    content = good_record().encode(encoding)
    answer = browser.post("/upload", data={"csrf": csrf}, files={"record": ("record.json", content)})
    assert answer.status_code == 303, answer.text
    assert browser.get(answer.headers["location"]).status_code == 200
