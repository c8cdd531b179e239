"""Forms, headers, sizes, rates, links and names that somebody hostile may send."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from branchline.runtime.engine_file import FILE
from branchline.web.app import make_app
from branchline.web.core.http.page_requests import safe_path
from branchline.web.core.http.rate_limits import REMEMBERED, Buckets, RateLimits
from branchline.web.core.pages import assets
from branchline.web.core.security.signing import Signer
from branchline.web.core.security.tokens import is_token, new_token
from branchline.web.core.settings import Limits, Settings
from web.servers import Person, Server, first_of

HOME = "http://testserver"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    database = f"sqlite:///{tmp_path_factory.mktemp('site') / 'rooms.sqlite'}"
    settings = Settings(database=database, warm_up=False, limits=Limits().times(1000))
    with TestClient(make_app(settings), follow_redirects=False, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def browser(site: TestClient) -> TestClient:
    """Somebody who was never here before."""
    site.cookies.clear()
    return site


def token(browser: TestClient) -> str:
    return first_of(browser.get("/new").text, "csrf")


def a_room(browser: TestClient, **fields: str) -> str:
    answer = browser.post("/new", data={"csrf": token(browser), "board": "berlin", **fields})
    assert answer.status_code == 303, answer.text
    return answer.headers["location"].removeprefix("/t/")


@pytest.mark.parametrize(
    "path", ["/", "/new", "/nowhere", "/t/nowhere", "/static/nothing.js", "/api/v1/boards", "/healthz"]
)
def test_every_answer_has_its_headers(browser: TestClient, path: str) -> None:
    headers = browser.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src 'self';" in policy and "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"


def test_only_the_page_that_counts_may_run_the_engine(browser: TestClient) -> None:
    asked = {path: browser.get(path).headers["content-security-policy"] for path in ("/", "/new", "/notate", "/count")}
    assert [path for path, policy in asked.items() if "unsafe" in policy] == ["/count"]
    assert "script-src 'self' 'wasm-unsafe-eval';" in asked["/count"]


def test_browsers_get_the_engine_that_python_runs_packed_and_keep_it(browser: TestClient) -> None:
    answer = browser.get(assets.url(f"{assets.BROWSER}/engine.wasm"), headers={"accept-encoding": "gzip"})
    assert answer.content == FILE.read_bytes()
    headers = answer.headers
    assert headers["content-type"] == "application/wasm" and headers["content-encoding"] == "gzip"
    assert (
        headers["cache-control"] == assets.FOR_EVER and int(headers.get("content-length", 0)) < len(answer.content) / 2
    )
    assert assets.url(f"{assets.BROWSER}/engine.wasm") in browser.get("/service-worker.js").text, (
        "it is kept for when there is no network"
    )


def test_each_page_has_its_own_nonce(browser: TestClient) -> None:
    assert len({browser.get("/").headers["content-security-policy"] for _ in range(5)}) == 5


def test_the_key_is_in_a_cookie_that_no_script_can_read(browser: TestClient) -> None:
    cookie = browser.get("/").headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=lax" in cookie
    assert is_token(cookie.split("=")[1].split(";")[0])


def test_a_key_that_we_did_not_make_is_replaced(browser: TestClient) -> None:
    browser.cookies.set("branchline_key", "hello")
    assert "branchline_key" in browser.get("/").headers["set-cookie"]


def test_a_key_that_somebody_else_has_chosen_is_replaced(browser: TestClient) -> None:
    """It has the right form, but was not made here and opens nothing: whoever planted it would share all seats."""
    chosen = new_token()
    answer = browser.get("/", headers={"cookie": f"branchline_key={chosen}"})
    made = answer.headers["set-cookie"].split("=")[1].split(";")[0]
    assert is_token(made) and made != chosen
    again = browser.get("/", headers={"cookie": f"branchline_key={made}"})
    assert "set-cookie" not in again.headers


def test_a_key_with_seats_is_kept_wherever_it_was_made(browser: TestClient) -> None:
    known = new_token()
    wish = {"board": "berlin", "seats": [{"kind": "me"}, {"kind": "open"}]}
    room = browser.post("/api/v1/rooms", json=wish, headers={"authorization": f"Bearer {known}"}).json()
    for path in ("/", f"/t/{room['room']}", room["players"][1]["invite"]):
        answer = browser.get(path, headers={"cookie": f"branchline_key={known}"})
        assert answer.status_code == 200 and "set-cookie" not in answer.headers


@pytest.mark.parametrize("kind", ["j", "d"])
def test_a_key_of_ours_that_was_planted_does_not_share_the_seat(browser: TestClient, kind: str) -> None:
    host = TestClient(browser.app, follow_redirects=False)
    room = a_room(host, seats="2", kind0="me", kind1="open")
    link = re.findall(rf'data-copy="(/{kind}/[^"]*)"', host.get(f"/t/{room}").text)[0]
    browser.get("/")
    planted = browser.cookies["branchline_key"]
    page = browser.get(link)
    assert browser.cookies["branchline_key"] != planted
    assert browser.post(link, data={"csrf": first_of(page.text, "csrf"), "name": "Ben"}).status_code == 303
    assert browser.get(f"/t/{room}").status_code == 200
    eve = TestClient(browser.app, cookies={"branchline_key": planted})
    assert eve.get(f"/t/{room}").status_code == 404


def test_only_we_make_keys_for_browsers() -> None:
    key = Signer(b"secret").browser_key()
    assert is_token(key) and Signer(b"secret").is_browser_key(key)
    assert not any(Signer(b"secret").is_browser_key(one) for one in (new_token(), key[1:] + key[0], key[:-1], ""))
    assert not Signer(b"another").is_browser_key(key)


def test_forms_of_others_are_refused(browser: TestClient) -> None:
    good = token(browser)
    assert browser.post("/new", data={"board": "berlin"}).status_code == 403
    assert browser.post("/new", data={"board": "berlin", "csrf": "nonsense"}).status_code == 403
    assert browser.post("/new", data={"board": "berlin", "csrf": good[:-1] + "x"}).status_code == 403
    for header in ({"origin": "https://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}):
        assert browser.post("/new", data={"board": "berlin", "csrf": good}, headers=header).status_code == 403
    assert browser.post("/new", data={"board": "berlin", "csrf": good}, headers={"origin": HOME}).status_code == 303
    browser.cookies.clear()
    assert browser.post("/new", data={"board": "berlin", "csrf": good}).status_code == 403


def test_a_cookie_alone_does_nothing_in_the_api(browser: TestClient) -> None:
    room = a_room(browser)
    assert browser.get(f"/api/v1/rooms/{room}").status_code == 404
    known = browser.cookies["branchline_key"]
    assert browser.get(f"/api/v1/rooms/{room}", headers={"authorization": f"Bearer {known}"}).status_code == 200


def test_too_large_is_too_large(browser: TestClient) -> None:
    assert browser.post("/new", content=b"x" * 100_000).status_code == 413

    def pieces() -> Iterator[bytes]:
        for _ in range(100):
            yield b"x" * 10_000

    for path, kind in (("/new", "application/x-www-form-urlencoded"), ("/api/v1/rooms", "application/json")):
        assert browser.post(path, content=pieces(), headers={"content-type": kind}).status_code == 413


def test_only_addresses_that_take_files_take_more_than_others(browser: TestClient) -> None:
    for path in ("/along", "/upload", "/workshop", "/workshop/a/b/read"):
        assert browser.post(path, content=b"x" * 100_000).status_code != 413, path
    for path in ("/along/file", "/upload/more", "/alongside", "/new"):
        assert browser.post(path, content=b"x" * 100_000).status_code == 413, path


@pytest.mark.long
def test_too_many_is_too_many(tmp_path: Path) -> None:
    limits = replace(Limits(), reads=(5, 0.001))
    settings = Settings(database=f"sqlite:///{tmp_path / 'rooms.sqlite'}", warm_up=False, limits=limits)
    with TestClient(make_app(settings)) as client:
        codes = [client.get("/healthz").status_code for _ in range(8)]
        assert codes == [200] * 5 + [429] * 3
        assert client.get("/").headers["retry-after"]


def test_a_rate_is_counted_for_each_address() -> None:
    rates = RateLimits(replace(Limits(), rooms=(2, 0.0), guesses=(2, 0.0)))
    assert [rates.allow("rooms", "a") for _ in range(3)] == [True, True, False]
    assert rates.allow("rooms", "b") and rates.allow("guesses", "a")


@pytest.mark.parametrize("rate", [(400, 100.0), (40, 15.0), (3, 0.0), (1, 5.0)])
def test_so_many_are_allowed_at_once_and_then_so_many_in_the_long_run(rate: tuple[int, float]) -> None:
    now = [100.0]
    most, per_second = rate
    bucket = Buckets(most, per_second, lambda: now[0])
    assert [bucket.allow("a") for _ in range(most + 1)] == [True] * most + [False]
    allowed = 0
    for _ in range(1000):
        now[0] += 0.01
        allowed += bucket.allow("a")
    assert allowed == pytest.approx(10 * per_second, abs=1)


def test_what_was_charged_is_waited_for() -> None:
    now = [100.0]
    bucket = Buckets(2.0, 0.5, lambda: now[0])
    bucket.charge("a", 3.0)
    assert bucket.wait("a") == 2.0 and bucket.wait("b") == 0.0
    assert not bucket.allow("a")
    now[0] += 2.0
    assert bucket.wait("a") == 0.0


def test_only_so_many_who_asked_are_remembered_and_not_those_who_asked_for_least() -> None:
    bucket = Buckets(5, 0.1, lambda: 100.0)
    assert all(bucket.allow("loud") for _ in range(5))
    for n in range(2 * REMEMBERED):
        bucket.allow(f"{n}")
    assert len(bucket) <= REMEMBERED
    assert not bucket.allow("loud")


def test_links_are_signed_by_the_secret_and_say_what_they_are_about() -> None:
    signer = Signer(b"secret")
    link = signer.link("seat", "room", 1)
    assert signer.opens(link, "seat", "room", 1)
    assert not any(signer.opens(link, *other) for other in (("seat", "room", 2), ("watch", "room"), ("seat", "room1")))
    assert not Signer(b"another").opens(link, "seat", "room", 1)
    assert not any(
        signer.opens(link[:n] + "x" + link[n + 1 :], "seat", "room", 1) for n in range(len(link)) if link[n] != "x"
    )
    assert re.fullmatch(r"[A-Za-z0-9_-]{43}", link), "it stands in a URL as it is"


def test_links_and_forms_made_before_itsdangerous_are_good_still() -> None:
    """What earlier versions made with the secret `b"secret"`; links are kept by people for as long as a game lasts."""
    signer = Signer(b"secret")
    assert signer.opens("5c31cb4b81f300f30251dc4c9a44247d2c96953a", "seat", "room", 1)
    assert not signer.opens("5c31cb4b81f300f30251dc4c9a44247d2c96953a", "seat", "room", 2)
    assert signer.is_form_token(
        "0123456789abcdef.4ff8e72ed2e2ff8e7efc293602b3be984f1f8716844104f2280aee26d4739829", "browser"
    )
    assert not signer.is_form_token(
        "0123456789abcdef.4ff8e72ed2e2ff8e7efc293602b3be984f1f8716844104f2280aee26d4739829", "another"
    )


def test_a_form_token_is_another_one_each_time() -> None:
    signer = Signer(b"secret")
    tokens = {signer.form_token("browser") for _ in range(5)}
    assert len(tokens) == 5 and all(signer.is_form_token(one, "browser") for one in tokens)
    assert not any(signer.is_form_token(one, "another") for one in tokens)


@pytest.mark.parametrize(
    "name",
    [
        "../app.py",
        "..%2fapp.py",
        "%2e%2e/app.py",
        "/etc/passwd",
        "....//app.py",
        "x/../../app.py",
        "%00",
        "9" * 400,
        "app.py",
        "core/store/tables.py",
        "lobby/home.html",
    ],
)
def test_only_static_files_are_static_files(browser: TestClient, name: str) -> None:
    assert browser.get(f"/static/{name}").status_code in (400, 404)


@pytest.mark.parametrize(
    ("address", "there"),
    [
        ("/t/abc", "/t/abc"),
        ("//evil.example", "/"),
        ("/\\evil.example", "/"),
        ("https://evil.example", "/"),
        ("javascript:alert(1)", "/"),
        ("/a\r\nset-cookie: x=1", "/"),
        ("", "/"),
    ],
)
def test_back_leads_nowhere_else(address: str, there: str) -> None:
    assert safe_path(address) == there


@pytest.mark.parametrize(
    "fields",
    [
        {"board": "/etc"},
        {"board": "../boards/berlin"},
        {"board": "nowhere"},
        {"seats": "9"},
        {"seats": "-1"},
        {"seats": "two"},
        {"seats": "²"},
        {"kind0": "king"},
        {"bot": "os:system"},
        {"kind0": "bot", "bot0": "subprocess:Popen"},
        {"seed": "9" * 40},
        {"clock": "turn 0"},
        {"clock": "turn nan"},
        {"clock": "turn inf"},
        {"clock": "sand 3"},
        {"pace": "100000000"},
        {"takeover": "-3"},
        {"first": "7"},
    ],
)
def test_a_wish_that_cannot_be_is_refused_with_the_form(browser: TestClient, fields: dict[str, str]) -> None:
    answer = browser.post("/new", data={"csrf": token(browser), "board": "berlin", **fields})
    assert answer.status_code == 400
    assert "Traceback" not in answer.text


def test_names_are_shown_as_text(browser: TestClient) -> None:
    room = a_room(browser, name0="<script>alert(1)</script>", kind0="me", kind1="open")
    page = browser.get(f"/t/{room}").text
    assert "<script>alert(1)" not in page


@pytest.mark.long
def test_an_invitation_is_taken_once_and_by_a_form_only(server: Server) -> None:
    async def play() -> None:
        async with Person(server.url) as anna, Person(server.url) as ben, Person(server.url) as eve:
            room = await anna.new(board="berlin", kind0="me", kind1="open", seats="2")
            link = (await anna.get(f"/rooms/{room}"))["players"][1]["invite"]
            wrong = link[:-1] + ("0" if link[-1] != "0" else "1")
            assert (await eve.http.get(wrong)).status_code == 404
            assert (await ben.http.get(link)).status_code == 200
            assert (await anna.get(f"/rooms/{room}"))["players"][1]["kind"] == "open", "looking is not taking"
            taken = await ben.form(link, page=link, name="Ben")
            assert taken.headers["location"] == f"/t/{room}"
            assert (await eve.http.get(link)).status_code == 409
            assert (await eve.form(link, page="/new", name="Eve")).status_code == 409
            players = (await ben.get(f"/rooms/{room}"))["players"]
            assert players[1]["name"] == "Ben" and all(not one["invite"] for one in players)
            assert (await anna.get(f"/rooms/{room}"))["seats"] == [0]
            assert (await ben.get(f"/rooms/{room}"))["seats"] == [1]
            assert (await ben.call("GET", f"/rooms/{room}/state?seat=0")).status_code == 403

    asyncio.run(play())


def test_the_seats_come_along_to_another_device(server: Server) -> None:
    async def play() -> None:
        async with Person(server.url) as anna, Person(server.url) as phone:
            room = await anna.new(board="berlin", kind0="me", kind1="bot", seats="2")
            page = (await anna.http.get(f"/t/{room}")).text
            start = page.index(f"/d/{room}/")
            link = page[start : page.index('"', start)]
            assert (await phone.http.get(link.replace("/0-", "/1-"))).status_code == 404
            assert (await phone.form(link, page=link)).status_code == 303
            assert (await phone.get(f"/rooms/{room}"))["seats"] == [0]

    asyncio.run(play())


def test_a_game_is_looked_through_and_its_record_had_when_it_is_over_only(browser: TestClient) -> None:
    room = a_room(browser)
    for path in ("replay", "replay/0.json", "record.json", "analysis", "analysis.json"):
        assert browser.get(f"/t/{room}/{path}").status_code == 409
    assert browser.post(f"/t/{room}/analysis", data={"csrf": token(browser)}).status_code == 409


def test_a_fault_of_ours_is_told_in_one_word(browser: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_context: object) -> str:
        raise RuntimeError("swordfish")

    monkeypatch.setattr("branchline.web.lobby.page.home", broken)
    answer = browser.get("/")
    assert answer.status_code == 500 and "swordfish" not in answer.text
    assert browser.get("/healthz").status_code == 200


@pytest.mark.long
def test_records_of_any_kind_are_played_or_refused(browser: TestClient) -> None:
    def upload(content: bytes) -> int:
        files = {"record": ("record.json", content, "application/json")}
        return browser.post("/upload", data={"csrf": token(browser)}, files=files).status_code

    assert upload(b"") == 400
    assert upload(b"\xff\xfe") == 400
    assert upload(b'{"branchline_record": 1}') == 400
    assert upload(b'{"branchline_record": 1, "board": "/etc/passwd", "actions": []}') == 400


HOSTILE = {
    "long": "x" * 5000,
    "a number too long to be read": "9" * 4400,
    "a line of the log": "%0a2026-01-01 INFO branchline.server: forged",
    "nothing": "%00",
    "not text": "%ff%fe%C3",
    "another digit": "%C2%B2",
}


@pytest.mark.parametrize("word", HOSTILE.values(), ids=HOSTILE)
def test_no_address_however_odd_is_a_fault_of_ours_or_a_line_in_the_log(
    browser: TestClient, word: str, caplog: pytest.LogCaptureFixture
) -> None:
    room = a_room(browser, open="1")
    known = {"authorization": f"Bearer {browser.cookies['branchline_key']}"}
    paths = ["/{x}", "/t/{x}", "/t/{room}/{x}", "/t/{room}/replay/{x}", "/t/{room}/replay/{x}.json", "/j/{room}/{x}"]
    paths += [
        "/w/{room}/{x}",
        "/d/{room}/{x}-a",
        "/language/{x}",
        "/static/{x}",
        "/api/v1/boards/{x}",
        "/new?board={x}",
    ]
    paths += ["/api/v1/rooms/{x}", "/api/v1/rooms/{room}/events?since={x}", "/t/{room}/replay/0.json?since={x}"]
    paths += [
        "/api/v1/rooms/{room}/state?seat={x}",
        "/api/v1/rooms/{room}/payments?action={x}",
        "/language/de?back={x}",
    ]
    for path in paths:
        address = path.replace("{room}", room).replace("{x}", word)
        for method in ("GET", "POST"):
            answer = browser.request(method, address, headers=known)
            assert answer.status_code < 500, (method, path)
    assert not any("forged" in record.getMessage() for record in caplog.records if record.name.startswith("branchline"))


@pytest.mark.parametrize("charset", ["nonsense", "utf-16", "base64", "undefined", "idna", "zip", "unicode_escape"])
def test_a_form_in_an_odd_charset_is_read_or_refused(browser: TestClient, charset: str) -> None:
    good = token(browser)
    body = f'--x\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n{good}\r\n--x--\r\n'.encode()
    kind = f"multipart/form-data; boundary=x; charset={charset}"
    assert browser.post("/new", content=body, headers={"content-type": kind}).status_code < 500


@pytest.mark.parametrize(("charset", "half"), [("unicode_escape", "\\ud800"), ("utf-7", "+2AA-")])
@pytest.mark.parametrize("path", ["/new", "/workshop", "/evenings"])
def test_half_a_letter_in_a_form_is_refused(browser: TestClient, path: str, charset: str, half: str) -> None:
    body = f'--x\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n{half}\r\n--x--\r\n'.encode()
    kind = f"multipart/form-data; boundary=x; charset={charset}"
    assert browser.post(path, content=body, headers={"content-type": kind}).status_code == 400


@pytest.fixture
def secure_site(tmp_path: Path) -> Iterator[TestClient]:
    settings = Settings(database=f"sqlite:///{tmp_path / 'rooms.sqlite'}", warm_up=False, secure=True)
    with TestClient(make_app(settings), follow_redirects=False, base_url="https://testserver") as client:
        yield client


def test_over_https_no_neighbour_can_choose_the_key(secure_site: TestClient) -> None:
    chosen = new_token()
    answer = secure_site.get("/", headers={"cookie": f"branchline_key={chosen}"})
    [cookie] = [one for one in answer.headers.get_list("set-cookie") if one.startswith("__Host-branchline_key=")]
    assert chosen not in cookie
    assert "Secure" in cookie and "Path=/" in cookie and "HttpOnly" in cookie and "Domain" not in cookie
    mine = secure_site.cookies["__Host-branchline_key"]
    answer = secure_site.get("/", headers={"cookie": f"branchline_key={chosen}; __Host-branchline_key={mine}"})
    assert "set-cookie" not in answer.headers


def test_over_https_a_cookie_of_before_keeps_its_seats(secure_site: TestClient) -> None:
    token = new_token()
    wish = {"board": "berlin", "seats": [{"kind": "me"}, {"kind": "bot"}]}
    made = secure_site.post("/api/v1/rooms", json=wish, headers={"authorization": f"Bearer {token}"}).json()
    answer = secure_site.get(f"/t/{made['room']}", headers={"cookie": f"branchline_key={token}"})
    assert answer.status_code == 200
    kept = dict(one.partition(";")[0].split("=", 1) for one in answer.headers.get_list("set-cookie"))
    assert kept["__Host-branchline_key"] == token and kept["branchline_key"] in ("", '""')
    assert secure_site.get(f"/t/{made['room']}").status_code == 200


@pytest.mark.long
def test_two_servers_of_one_host_leave_each_other_their_keys(tmp_path: Path) -> None:
    """Browsers send cookies to all ports of a host: each server finds its own, and neither takes the other's place."""
    first, second = (
        TestClient(make_app(Settings(database=f"sqlite:///{tmp_path / name}.sqlite", warm_up=False)), base_url=HOME)
        for name in ("first", "second")
    )
    with first, second:
        kept: dict[str, str] = {}  # what the browser keeps for the host
        shown: dict[TestClient, set[str]] = {first: set(), second: set()}
        for _ in range(3):
            for site in (first, second):
                site.cookies.clear()
                header = {"cookie": "; ".join(f"{name}={value}" for name, value in kept.items())} if kept else {}
                answer = site.get("/", headers=header)
                for cookie in answer.cookies.jar:
                    kept[cookie.name] = str(cookie.value)
                    shown[site].add(str(cookie.value))
        assert [len(keys) for keys in shown.values()] == [1, 1], "each gave one key, and found it again"
        assert len(kept) == 2
