"""The addresses a server goes by: no stranger's `Host` gets into a link, and `--url` is where the server is."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import websockets
from starlette.testclient import TestClient

from branchline.web.app import make_app
from branchline.web.core.http.addresses import is_our_host, is_our_origin, mail_server, public_address
from branchline.web.core.http.plan import ServeError
from branchline.web.core.settings import MailServer, Settings
from web.servers import Person, first_of, hear, say, serving

SITE = "https://play.example.org"
EVIL = "evil.example"


def settings_of(folder: Path, **more: object) -> Settings:
    return Settings(database=f"sqlite:///{folder / 'rooms.sqlite'}", warm_up=False, **more)  # type: ignore[arg-type]


@contextlib.contextmanager
def browsing(settings: Settings, address: str = "http://testserver") -> Iterator[TestClient]:
    with TestClient(make_app(settings), follow_redirects=False, base_url=address) as client:
        yield client


def links_of(browser: TestClient, **headers: str) -> list[str]:
    """The links that the host of a new room may copy."""
    csrf = first_of(browser.get("/new").text, "csrf")
    made = browser.post("/new", data={"csrf": csrf, "board": "berlin", "kind0": "me", "kind1": "open", "seats": "2"})
    assert made.status_code == 303, made.text
    return re.findall(r'data-copy="([^"]*)"', browser.get(made.headers["location"], headers=headers).text)


@pytest.mark.long
def test_no_page_and_no_redirect_holds_what_a_stranger_wrote_into_the_host_header(tmp_path: Path) -> None:
    with browsing(settings_of(tmp_path)) as browser:
        links = links_of(browser, host=EVIL)
        assert len(links) == 3 and all(re.match(r"/[jwd]/", link) for link in links)
        for path in ("/", "/new/", "//evil.example/", "/t/x/", "/nowhere"):
            answer = browser.get(path, headers={"host": EVIL})
            assert EVIL not in answer.text.replace("//evil.example/", "")
            where = answer.headers.get("location", "/")
            assert where.startswith("/") and not where.startswith("//")


def test_links_begin_with_the_public_address(tmp_path: Path) -> None:
    with browsing(settings_of(tmp_path, url=SITE), "http://127.0.0.1:8000") as browser:
        links = links_of(browser)
        assert len(links) == 3 and all(re.match(rf"{SITE}/[jwd]/", link) for link in links)


def test_a_server_with_a_public_address_does_not_go_by_other_names(tmp_path: Path) -> None:
    with browsing(settings_of(tmp_path, url=SITE), "http://127.0.0.1:8000") as browser:
        answer = browser.get("/", headers={"host": EVIL})
        assert answer.status_code == 421 and SITE in answer.text and EVIL not in answer.text
        told = browser.get("/api/v1/boards", headers={"host": EVIL})
        assert told.status_code == 421 and told.json()["error"] == "elsewhere"
        for host in ("play.example.org", "play.example.org:443", "localhost:8000", "192.168.1.5", "[::1]:8000"):
            assert browser.get("/healthz", headers={"host": host}).status_code == 200


def test_with_secure_and_no_proxy_forms_of_the_https_page_are_ours(tmp_path: Path) -> None:
    """Who speaks https in front of the server need not be known to it: it hears plain http."""
    with browsing(settings_of(tmp_path, secure=True)) as browser:
        cookie = browser.get("/new").headers["set-cookie"].partition(";")[0]
        page = browser.get("/new", headers={"cookie": cookie}).text
        assert "http://testserver" not in page
        fields = {"csrf": first_of(page, "csrf"), "board": "berlin"}
        for origin, status in (("https://testserver", 303), ("http://testserver", 403), (f"https://{EVIL}", 403)):
            answer = browser.post("/new", data=fields, headers={"cookie": cookie, "origin": origin})
            assert answer.status_code == status, origin


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("https://play.example.org", SITE),
        ("https://Play.Example.org/", SITE),
        ("http://192.168.1.5:8000", "http://192.168.1.5:8000"),
        ("https://Example.org/Games/", "https://example.org/Games"),
        ("https://example.org/games/branch-line_2.0", "https://example.org/games/branch-line_2.0"),
    ],
)
def test_a_public_address_is_a_scheme_a_name_and_perhaps_a_path(text: str, address: str) -> None:
    assert public_address(text) == address


@pytest.mark.parametrize(
    "text",
    ["play.example.org", "ftp://x", "https://", "https://x?y", "https://a@x", "https://x:y", "//x", "https://x/g?y"]
    + [f"https://x/{path}" for path in ("a b", "a//b", "..", "a/../b", "%61", "a;b", "ż", "a~b", "'", "a" * 101)],
)
def test_any_other_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(ServeError, match=r"--url .*expected"):
        public_address(text)


@pytest.mark.parametrize("host", ["", "tower.local:8000", "192.168.1.5:8000", "[fe80::1]:8000", "anything.example"])
def test_around_one_table_any_name_is_good(host: str) -> None:
    assert is_our_host(host, Settings())
    assert is_our_origin(f"http://{host}", "http", host, Settings())


def test_pages_of_every_address_that_browsers_see_are_ours() -> None:
    settings = Settings(url=SITE, origins=("https://games.example.org",), secure=True)
    assert is_our_host("games.example.org", settings) and not is_our_host("evil", settings)
    for origin in (SITE, "https://games.example.org"):
        assert is_our_origin(origin, "http", "127.0.0.1:8000", settings)
    assert not is_our_origin(f"https://{EVIL}", "http", EVIL, settings)


@pytest.mark.long
def test_a_real_server_tells_where_it_is_and_talks_to_pages_from_there_only(database: str, tmp_path: Path) -> None:
    async def play(url: str) -> None:
        async with Person(url) as anna:
            room = await anna.new(board="berlin", seats="2", kind0="me", kind1="open")
            for origin in (SITE, url):
                async with anna.talk(room, origin=origin) as talk:
                    await say(talk, do="hello")
                    assert f'data-copy="{SITE}/w/' in (await hear(talk))["fragments"]["bar"]
            headers = {"host": EVIL}
            assert (await anna.http.get(f"/t/{room}", headers=headers)).status_code == 421
            with pytest.raises(websockets.ConnectionClosed) as closed:
                async with anna.talk(room, origin=f"http://{EVIL}") as talk:
                    await hear(talk)
            assert closed.value.rcvd is not None and closed.value.rcvd.code == 4403

    with serving(database, tmp_path, "--url", SITE) as server:
        asyncio.run(play(server.url))
        assert f"branchline is at {SITE}/" in server.log.read_text()
        assert httpx.get(f"{server.url}/healthz").status_code == 200


def test_a_mail_server_is_named_with_or_without_a_port() -> None:
    found = mail_server("Mail.example.org", "Table <a@b.org>", "tls", "anna", "secret", url=SITE)
    assert found == MailServer("mail.example.org", "Table <a@b.org>", 465, "anna", "secret", "tls")
    assert "secret" not in repr(found)
    found = mail_server("[::1]:2525", "a@b.org", "none", "", "", url=SITE)
    assert found is not None and (found.host, found.port) == ("::1", 2525)
    assert mail_server("", "", "starttls", "", "", url="") is None


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"smtp": "mail.example.org:x"}, "expected a name and perhaps a port"),
        ({"smtp": "smtp://mail.example.org"}, "expected a name and perhaps a port"),
        ({"smtp": "anna@mail.example.org"}, "expected a name and perhaps a port"),
        ({"url": ""}, "give --url too"),
        ({"sender": ""}, "--smtp-from: expected an address"),
        ({"sender": "a@b.org\nBcc: c@d.org"}, "--smtp-from: expected an address"),
        ({"user": "anna"}, "BRANCHLINE_SMTP_PASSWORD"),
    ],
)
def test_a_mail_server_that_cannot_be_used_is_refused_in_one_line(given: dict[str, str], said: str) -> None:
    asked = {"smtp": "mail.example.org", "sender": "a@b.org", "user": "", "url": SITE, **given}
    with pytest.raises(ServeError, match=said):
        mail_server(asked["smtp"], asked["sender"], "starttls", asked["user"], "", url=asked["url"])
