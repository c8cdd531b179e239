"""Serving below a path (`https://example.org/branchline/`): no page asks for anything outside it."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
import segno
from starlette.testclient import TestClient

from branchline.web.app import make_app
from branchline.web.core.http.addresses import public_path
from branchline.web.core.http.middleware import Receive, Scope, Send
from branchline.web.core.http.plan import ServeError
from branchline.web.core.security.tokens import token_hash
from branchline.web.core.settings import MailServer, Settings
from branchline.web.features import first_words
from branchline.web.notices import store as notices
from branchline.web.notices.service import TurnNotices
from web.servers import first_of

WEB = Path(__file__).parents[2] / "src" / "branchline" / "web"
HOST = "https://example.org"
ROOT = "/branchline"


def settings_of(folder: Path, **more: object) -> Settings:
    return Settings(database=f"sqlite:///{folder / 'rooms.sqlite'}", warm_up=False, **more)  # type: ignore[arg-type]


@contextlib.contextmanager
def browsing(settings: Settings, stripped: bool = False) -> Iterator[TestClient]:
    """A browser in front of the server; `stripped`: a proxy between them takes the path away."""
    app = make_app(settings)

    async def proxy(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith(f"{ROOT}/"):
            scope = {**scope, "path": scope["path"][len(ROOT) :], "raw_path": scope["raw_path"][len(ROOT) :]}
        await app(scope, receive, send)

    with TestClient(proxy if stripped else app, follow_redirects=False, base_url=HOST) as client:
        yield client


# ------------------------------------------------------------------------------------------------- addresses


class Asked(HTMLParser):
    """What a page asks for, or may: by links, forms, files, and what its scripts are told."""

    NAMES = ("href", "src", "action", "formaction", "poster", "data-copy", "data-link", "data-code", "data-balance")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []  # tag, address
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in self.NAMES and value and not value.startswith(("#", "data:")):
                self.found.append((tag, value))
            if name == "srcset" and value:
                self.found += [(tag, one.split()[0]) for one in value.split(",")]
            if name == "data-path" and value and value.startswith("/"):
                self.found.append((tag, value))


def made_pages(browser: TestClient) -> list[str]:
    """Pages that no link leads to until something was made: tables, a board of the workshop, a dealt table."""
    csrf = first_of(browser.get(f"{ROOT}/new").text, "csrf")
    open_table = {"csrf": csrf, "board": "berlin", "kind0": "me", "kind1": "open", "seats": "2"}
    forms = [
        ("/new", open_table),
        ("/new", {"csrf": csrf, "board": "berlin", "open": "1", "kind0": "me", "kind1": "open", "seats": "2"}),
        ("/workshop", {"csrf": csrf, "from": "edition", "board": "berlin"}),
        ("/deal", {"csrf": csrf, "board": "berlin", "name0": "Ada", "name1": "Bo"}),
        ("/learn/puzzles/nowhere/next", {"csrf": csrf}),
        ("/settings", {"csrf": csrf, "back": "/count", "theme": "dark"}),
    ]
    found = []
    for path, fields in forms:
        answer = browser.post(f"{ROOT}{path}", data=fields)
        if "location" in answer.headers:
            found.append(answer.headers["location"])
    assert len(found) >= 5, found
    return found


@pytest.mark.long
@pytest.mark.parametrize(
    "stripped",
    [pytest.param(False, id="the proxy leaves the path"), pytest.param(True, id="the proxy takes it away")],
)
def test_every_address_that_pages_name_is_below_the_path(tmp_path: Path, stripped: bool) -> None:
    with browsing(settings_of(tmp_path, url=HOST + ROOT), stripped) as browser:
        begun = [f"{ROOT}/", f"{ROOT}/nowhere", f"{ROOT}/offline", *made_pages(browser)]
        outside, seen = [], set[str]()
        while begun:
            address = begun.pop()
            path = urlsplit(address).path
            kind = re.sub(r"(?<=[tjwd]/)[\w-]+|\d+|(?<=\w{8})[\w.-]{20,}", "…", path)  # one of each kind is enough
            if kind in seen:
                continue
            seen.add(kind)
            answer = browser.get(address)
            assert answer.status_code < 500, address
            named = [("location", answer.headers["location"])] if "location" in answer.headers else []
            if answer.headers.get("content-type", "").startswith("text/html"):
                named += Asked(answer.text).found
            for tag, one in named:
                goal = urlsplit(urljoin(f"{HOST}{path}", one))
                if goal.netloc != "example.org":
                    continue
                if not goal.path.startswith(f"{ROOT}/"):
                    outside.append((path, tag, one))
                elif tag in ("a", "link", "script", "img", "location"):
                    begun.append(goal.path + (f"?{goal.query}" if goal.query else ""))
        assert not outside, outside
        assert len(seen) > 60, sorted(seen)


def test_nothing_in_templates_or_scripts_begins_at_the_root_of_the_host() -> None:
    """Templates write `{{ visit.root }}` before an address, scripts make them by `address` of `address.js`."""
    outside = []
    attribute = r"""(?:href|src|action|formaction|srcset|data-(?:copy|link|code|balance|path))=["']"""
    literal, told = r"/", r"\{\{ [\w.]*\.(?:path|back|referee|rules|action|look_link|invite|\w+_link) \}\}"
    for file in sorted(WEB.rglob("*.html")):
        text = file.read_text(encoding="utf-8")
        outside += [(file.name, found[0]) for found in re.finditer(f"{attribute}(?:{literal}|{told})", text)]
    compared = (".startsWith", ".lastIndexOf", "key")
    for file in sorted(WEB.rglob("*.js")):
        for line in file.read_text(encoding="utf-8").splitlines():
            code = re.sub(r"(?:^|\s)//.*", "", line)
            for found in re.finditer(r"""(?P<before>[\w.]*)[( ]*["'`]/[a-z$]""", code):
                if found["before"] != "address" and not found["before"].endswith(compared):
                    outside.append((file.name, code.strip()))
    assert not outside


def test_what_browsers_keep_is_named_through_one_function() -> None:
    """Two servers at one host share storage, databases, caches, channels and locks."""
    keeping = r"""(?:localStorage|sessionStorage)\.\w+\((?!KEY|KEPT|RECENT|WAITING|kept|n\b|storedAs)|"""
    keeping += r"""(?:indexedDB\.open|BroadcastChannel|locks\.request)\((?!storedAs|WAITING)|= ["'`]branchline[ _]"""
    for file in sorted(WEB.rglob("*.js")):
        found = re.findall(keeping, file.read_text(encoding="utf-8").replace("localStorage.key(n)", ""))
        assert not found, (file.name, found)


# ---------------------------------------------------------------------------------------------- requests


def test_the_path_alone_leads_to_its_home_with_the_query(tmp_path: Path) -> None:
    with browsing(settings_of(tmp_path, path=ROOT)) as browser:
        answer = browser.get(f"{ROOT}?a=b")
        assert (answer.status_code, answer.headers["location"]) == (308, f"{ROOT}/?a=b")
        assert browser.get("/branchline2").status_code == 404
        assert browser.get(f"{ROOT}/healthz").status_code == browser.get("/healthz").status_code == 200


def test_without_a_path_nothing_is_put_before_addresses(tmp_path: Path) -> None:
    with browsing(settings_of(tmp_path)) as browser:
        assert browser.get("/t/nowhere/").headers["location"] == "/t/nowhere"
        assert "servers" not in browser.get("/api/v1/openapi.json").json()
        assert 'href="/learn"' in browser.get("/").text
        browser.get("/new")
        assert "branchline_key" in browser.cookies


def test_links_redirects_and_the_api_are_below_the_path_without_a_public_address(tmp_path: Path) -> None:
    with browsing(settings_of(tmp_path, path=ROOT)) as browser:
        csrf = first_of(browser.get(f"{ROOT}/new").text, "csrf")
        fields = {"csrf": csrf, "board": "berlin", "kind0": "me", "kind1": "open", "seats": "2"}
        table = browser.post(f"{ROOT}/new", data=fields).headers["location"]
        assert table.startswith(f"{ROOT}/t/")
        links = re.findall(r'data-copy="([^"]*)"', browser.get(table).text)
        assert len(links) == 3 and all(re.match(rf"{ROOT}/[jwd]/", link) for link in links)
        assert browser.get(f"{ROOT}/language/pl?back=/count").headers["location"] == f"{ROOT}/count"
        assert browser.get(f"{ROOT}/language/pl?back=//evil.example").headers["location"] == f"{ROOT}/"
        seats = [{"kind": "me"}, {"kind": "open"}]
        made = browser.post(f"{ROOT}/api/v1/rooms", json={"board": "berlin", "seats": seats}).json()
        headers = {"authorization": f"Bearer {made['token']}"}
        room = browser.get(f"{ROOT}/api/v1/rooms/{made['room']}", headers=headers).json()
        told = [room["watch"], *(one["invite"] for one in room["players"] if one["invite"])]
        assert len(told) == 2 and all(one.startswith(f"{ROOT}/") for one in told)
        assert browser.get(f"{ROOT}/api/v1/openapi.json").json()["servers"] == [{"url": ROOT}]


@pytest.mark.parametrize("public", [True, False], ids=["public address", "as the browser says"])
def test_codes_to_scan_and_links_in_notices_lead_below_the_path(
    tmp_path: Path, public: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    make = segno.make_qr
    monkeypatch.setattr(segno, "make_qr", lambda text, **look: drawn.append(text) or make(text, **look))
    settings = settings_of(tmp_path, url=f"{HOST}{ROOT}") if public else settings_of(tmp_path, path=ROOT)
    with browsing(settings) as browser:
        csrf = first_of(browser.get(f"{ROOT}/new").text, "csrf")
        fields = {"csrf": csrf, "board": "berlin", "kind0": "me", "kind1": "open", "seats": "2"}
        table = browser.post(f"{ROOT}/new", data=fields).headers["location"]
        dealt = {"csrf": csrf, "board": "berlin", "name0": "Ada", "name1": "Bo"}
        host = browser.post(f"{ROOT}/deal", data=dealt).headers["location"]
        codes = [f"{table}/code.svg", *re.findall(r'data-code="([^"?]*)', browser.get(host).text)]
        assert all(code.removeprefix(HOST).startswith(f"{ROOT}/") for code in codes)
        for code in codes:
            assert browser.get(code.removeprefix(HOST), params={"at": f"{HOST}/"}).status_code == 200
    assert len(drawn) == len(codes) > 0
    assert all(text.startswith(f"{HOST}{ROOT}/") for text in drawn), drawn


@pytest.mark.parametrize("stripped", [False, True], ids=["whole", "stripped"])
def test_links_in_mails_lead_below_the_path_and_work_there(tmp_path: Path, stripped: bool) -> None:
    settings = settings_of(tmp_path, url=f"{HOST}{ROOT}", mail=MailServer("localhost", "games@example.org"))
    with browsing(settings, stripped) as browser:
        app = browser.app.__closure__[0].cell_contents if stripped else browser.app  # type: ignore[attr-defined]
        server = app.state.server
        asked = notices.ask_address(server.store, token_hash("Anna"), "anna@example.org", "en", 1.0)
        link = server.part(TurnNotices).stop_link(asked.id)
        assert link.startswith(f"{HOST}{ROOT}/mail/stop/")
        page = browser.get(link)
        assert page.status_code == 200 and f'action="{ROOT}/mail/stop/' in page.text
        assert browser.post(link, data={"List-Unsubscribe": "One-Click"}).status_code == 200
        stopped = notices.mail_address_by_id(server.store, asked.id)
        assert stopped is not None and stopped.stopped_at is not None


def test_the_app_is_installed_below_the_path(tmp_path: Path) -> None:
    with browsing(settings_of(tmp_path, path=ROOT)) as browser:
        manifest = browser.get(f"{ROOT}/manifest.webmanifest").json()
        named = [manifest["id"], manifest["start_url"], manifest["scope"]]
        assert named == [f"{ROOT}/"] * 3
        named += [one["src"] for one in manifest["icons"]] + [one["url"] for one in manifest["shortcuts"]]
        assert all(one.startswith(f"{ROOT}/") for one in named)
        worker = browser.get(f"{ROOT}/service-worker.js").text
        shell = json.loads(worker.partition("const SHELL = ")[2].partition(";\n")[0])
        assert shell["root"] == ROOT
        for address in (shell["offline"], *shell["files"]):
            assert address.startswith(f"{ROOT}/")
        kept = browser.get(shell["files"][0])
        assert kept.status_code == 200 and "immutable" in kept.headers["cache-control"]


# ----------------------------------------------------------------------------------------------- cookies


@pytest.mark.parametrize("secure", [False, True])
def test_two_servers_at_one_host_know_their_own_browsers(tmp_path: Path, secure: bool) -> None:
    """One at the root, one below it: the browser sends the cookies of the former to the latter too."""
    jar: dict[str, str] = {}
    for name, root in (("upper", ""), ("lower", ROOT)):
        folder = tmp_path / name
        folder.mkdir()
        with browsing(settings_of(folder, path=root, secure=secure)) as browser:
            answer = browser.get(f"{root}/new")
            made = [one for one in answer.headers.get_list("set-cookie") if "Max-Age=0" not in one]
            assert len(made) == 1
            pair, _, about = made[0].partition(";")
            cookie, _, value = pair.partition("=")
            assert cookie not in jar and cookie.startswith("__Host-") == secure
            assert f"Path={'/' if secure else root or '/'};" in f"{about};"
            jar[cookie] = value
            both = "; ".join(f"{one}={key}" for one, key in jar.items())
            browser.cookies.clear()
            again = browser.get(f"{root}/new", headers={"cookie": both})
            assert not [one for one in again.headers.get_list("set-cookie") if "Max-Age=0" not in one]


# ------------------------------------------------------------------------------------------- what may be given


def test_a_path_that_begins_like_a_page_is_refused(tmp_path: Path) -> None:
    """A proxy may take the path away or not: what `/rules/europe` means then must not depend on it."""
    app = make_app(settings_of(tmp_path))
    named = {str(getattr(route, "path", "/api")).split("/")[1] for route in app.routes} - {""}
    assert named == first_words()
    for word in sorted(named):
        with pytest.raises(ServeError, match=r"--path.*begin with"):
            public_path(f"/{word}/branchline", f"--path /{word}/branchline", first_words)
    app.state.server.store.close()


@pytest.mark.parametrize("text", ["branchline", "//x", "/a/../b", "/a b", "/.", "/ż", "/a%2fb", "/a\nb"])
def test_what_is_no_path_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(ServeError, match=r"--path .*expected a path"):
        public_path(text, f"--path {text!r}", first_words)
