"""A form that is refused says the real reason, and what to do."""

from __future__ import annotations

import logging
import re

import pytest
from starlette.testclient import TestClient

from branchline.web.app import make_app
from branchline.web.core.pages.messages import why_not
from branchline.web.core.pages.translation import LANGUAGES
from branchline.web.core.settings import Settings
from web.servers import first_of

PAGE = {"accept": "text/html,*/*"}
SITE = "https://play.example.org"
REASONS = ("forged", "no_cookie", "no_token", "unknown_address", "other_site", "no_origin")


def browsing(database: str, address: str = "http://testserver", **more: object) -> TestClient:
    settings = Settings(database=database, warm_up=False, **more)  # type: ignore[arg-type]
    return TestClient(make_app(settings), follow_redirects=False, base_url=address)


def said(page: str) -> str:
    found = re.search(r"<h1>(.*?)</h1>", page)
    assert found
    return found[1].replace("&#39;", "'")


def test_every_reason_has_a_sentence_of_its_own_in_every_language() -> None:
    for language in LANGUAGES:
        assert len({why_not(language, reason) for reason in (*REASONS, "bad_request")}) == len(REASONS) + 1
    assert len({why_not(language, "no_cookie") for language in LANGUAGES}) == len(LANGUAGES)


@pytest.mark.long
def test_a_browser_that_keeps_no_cookies_is_told_so(database: str) -> None:
    with browsing(database) as browser:
        csrf = first_of(browser.get("/").text, "csrf")
        for path in (
            "/new",
            "/deal",
            "/settings",
            "/mine/forget",
            "/workshop",
            "/notate",
            "/upload",
            "/learn/europe/first",
        ):
            browser.cookies.clear()  # also the one that each answer offers
            answer = browser.post(path, data={"csrf": csrf, "board": "berlin"}, headers=PAGE)
            assert answer.status_code == 403, path
            assert said(answer.text) == why_not("en", "no_cookie")
        browser.cookies.clear()
        scripts = {"accept": "*/*", "sec-fetch-mode": "cors", "accept-language": "pl"}
        answer = browser.post("/notate", data={"csrf": csrf}, headers=scripts)
        assert answer.json() == {"error": "no_cookie", "why": why_not("pl", "no_cookie")}


@pytest.mark.long
def test_a_form_without_its_token_or_with_anothers_is_told_so(database: str) -> None:
    with browsing(database) as browser:
        other = first_of(browser.get("/").text, "csrf")
        browser.cookies.clear()
        mine = first_of(browser.get("/").text, "csrf")
        for token, reason in ((None, "no_token"), (other, "forged"), ("made.up", "forged")):
            fields = {"board": "berlin"} | ({"csrf": token} if token else {})
            assert said(browser.post("/new", data=fields, headers=PAGE).text) == why_not("en", reason)
        assert browser.post("/new", data={"board": "berlin", "csrf": mine}, headers=PAGE).status_code == 303


@pytest.mark.parametrize(
    ("headers", "reason"),
    [
        ({"host": "play.example.org", "origin": SITE}, "unknown_address"),  # TLS ends at the proxy
        ({"host": "127.0.0.1:8000", "origin": SITE, "x-forwarded-host": "play.example.org"}, "unknown_address"),
        ({"host": "127.0.0.1:8000", "origin": SITE, "sec-fetch-site": "same-origin"}, "unknown_address"),
        ({"host": "play.example.org:8443", "origin": f"{SITE}:8443"}, "unknown_address"),
        ({"host": "play.example.org", "origin": "https://evil.example"}, "other_site"),
        ({"host": "play.example.org", "origin": "https://evil.example", "sec-fetch-site": "cross-site"}, "other_site"),
        ({"host": "play.example.org", "sec-fetch-site": "same-site"}, "other_site"),
        ({"host": "play.example.org", "origin": "null"}, "no_origin"),
    ],
)
def test_a_form_from_elsewhere_is_told_why(
    database: str, headers: dict[str, str], reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    with browsing(database) as browser, caplog.at_level(logging.WARNING, "branchline.server"):
        csrf = first_of(browser.get("/").text, "csrf")
        for _ in range(3):
            answer = browser.post("/new", data={"csrf": csrf, "board": "berlin"}, headers=PAGE | headers)
            assert (answer.status_code, said(answer.text)) == (403, why_not("en", reason))
    lines = [record.getMessage() for record in caplog.records if "does not know that address" in record.getMessage()]
    assert len(lines) == (1 if reason == "unknown_address" else 0)
    for line in lines:
        assert line.endswith(f"start the server with --url {headers['origin']} --secure --proxy ADDRESS")


@pytest.mark.long
def test_what_the_log_proposes_is_what_helps(database: str) -> None:
    for options in (
        {"url": SITE, "secure": True},
        {"url": "https://www.example.org", "origins": (SITE,), "secure": True},
    ):
        with browsing(database, SITE, **options) as browser:
            csrf = first_of(browser.get("/").text, "csrf")
            answer = browser.post("/new", data={"csrf": csrf, "board": "berlin"}, headers=PAGE | {"origin": SITE})
            assert answer.status_code == 303, answer.text


def test_nobody_can_fill_the_log_with_addresses(database: str, caplog: pytest.LogCaptureFixture) -> None:
    with browsing(database) as browser, caplog.at_level(logging.WARNING, "branchline.server"):
        for n in range(30):
            browser.post("/new", headers={"host": f"h{n}.example", "origin": f"https://h{n}.example"})
    assert sum("does not know that address" in record.getMessage() for record in caplog.records) == 5
