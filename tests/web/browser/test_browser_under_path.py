"""Below a path, behind nginx, in a real browser: whole games, and nothing outside the path is asked for."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from company import before_the_end, set_table
from pressing import Visitor, pressing, table

from needs import missing
from web import servers
from web.test_deploy import LEFT, ROOT, TAKEN, nginx_below

CONTROLLED = "() => navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)"
KEPT = """async () => ({
    stored: Object.keys(localStorage),
    caches: await caches.keys(),
    scopes: (await navigator.serviceWorker.getRegistrations()).map(one => new URL(one.scope).pathname),
    cookies: document.cookie,
})"""


@dataclass
class Below:
    """A server below a path, and nginx in front of it, which can be stopped."""

    url: str
    nginx: subprocess.Popen[bytes]

    def stop(self) -> None:
        self.nginx.terminate()
        self.nginx.wait(10)


@pytest.fixture(params=[LEFT, TAKEN])
def below(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Below]:
    if (program := shutil.which("nginx") or shutil.which("/usr/sbin/nginx")) is None:
        missing("nginx is not installed (apt-get install nginx-light)")
    port = servers.free_port()
    with servers.serving(f"sqlite:///{tmp_path / 'rooms.sqlite'}", tmp_path, "--path", ROOT) as server:
        text = nginx_below(request.param).replace("127.0.0.1:8000", f"127.0.0.1:{server.port}")
        plain = text.partition("server {\n    listen 80;")[0] + "server {" + text.partition("listen 443 ssl")[2]
        plain = re.sub(r"server \{[^\n]*\n[^\n]*\n", f"server {{\n    listen 127.0.0.1:{port};\n", plain, count=1)
        plain = re.sub(r"\n    (?:ssl_certificate|server_name|access_log)[^\n]*", "", plain)
        plain = plain.replace("Host $host;", "Host $http_host;")  # with its port: this one is not the usual one
        temporary = "".join(f"{one}_temp_path {tmp_path}/{one};" for one in ("client_body", "proxy", "fastcgi"))
        temporary += "".join(f"{one}_temp_path {tmp_path}/{one};" for one in ("uwsgi", "scgi"))
        head = f"daemon off; pid {tmp_path}/pid; events {{}} http {{ {temporary} access_log off;\n"
        (tmp_path / "nginx.conf").write_text(f"{head}{plain}}}", encoding="utf-8")
        with (tmp_path / "nginx.log").open("wb") as log:
            nginx = subprocess.Popen(
                [program, "-c", str(tmp_path / "nginx.conf"), "-p", str(tmp_path), "-e", "stderr"], stderr=log
            )
        found = Below(f"http://127.0.0.1:{port}{ROOT}", nginx)
        until = time.monotonic() + 20
        while True:
            try:
                httpx.get(f"{found.url}/healthz")
                break
            except httpx.TransportError:
                assert time.monotonic() < until and nginx.poll() is None, (tmp_path / "nginx.log").read_text()
                time.sleep(0.1)
        yield found
        found.stop()


class Asking(Visitor):
    """A visitor who remembers what the browser asked for."""

    def __init__(self, browser: Any, address: str) -> None:
        super().__init__(browser, address, service_workers="allow")
        self.asked: set[str] = set()
        self.lines: set[str] = set()
        self.context.on("request", lambda request: self.asked.add(request.url))
        self.page.on("websocket", lambda line: self.lines.add(urlsplit(line.url).path))

    def see(self, path: str) -> Any:
        """A page, at rest."""
        self.page.goto(self.address + path)
        self.page.wait_for_load_state("networkidle")
        return self.page

    def new_table(self) -> Any:
        page = self.go("/")
        page.click("[aria-labelledby=e-berlin] button.first")
        table(page)
        return page


@pytest.mark.long
def test_a_game_is_begun_and_ended_and_nothing_outside_the_path_is_asked_for(chromium: Any, below: Below) -> None:
    visitor = Asking(chromium, below.url)
    page = visitor.go("/")
    page.wait_for_function(CONTROLLED)
    page = visitor.new_table()
    assert urlsplit(page.url).path.startswith(f"{ROOT}/t/")
    pressing(page, until="#log li:nth-of-type(12)")
    page = set_table(visitor, before_the_end("berlin"))
    pressing(page)
    ended = page.url
    for path in ("/replay", "/analysis", "/rules"):
        page.goto(ended + path)
    for path in ("/learn", "/learn/puzzles", "/rules", "/count", "/notate", "/evenings", "/mine"):
        page = visitor.see(path)
    visitor.see("/workshop")
    page.locator("form[action$='/workshop'] button").last.click()
    page.wait_for_url(re.compile(f"{ROOT}/workshop/[^/]+/"))
    page.wait_for_load_state("networkidle")
    visitor.see("/deal")
    page.fill("input[name=name0]", "Ada")
    page.fill("input[name=name1]", "Bo")
    page.click("main form[action$='/deal'] button.first")
    page.wait_for_url(re.compile(f"{ROOT}/deal/[^/]+/"))
    page.wait_for_load_state("networkidle")
    kept = page.evaluate(KEPT)
    visitor.context.close()
    outside = [one for one in visitor.asked if one.startswith("http") and not one.startswith(f"{below.url}/")]
    assert not outside and len(visitor.asked) > 60
    assert visitor.lines and all(one.startswith(f"{ROOT}/ws/") for one in visitor.lines)
    assert kept["scopes"] == [f"{ROOT}/"]
    assert kept["caches"] and all(one.startswith(f"{ROOT} ") for one in [*kept["caches"], *kept["stored"]])
    assert not visitor.faults


@pytest.mark.long
def test_without_the_network_the_offline_page_stands_there_and_counting_goes_on(chromium: Any, below: Below) -> None:
    visitor = Asking(chromium, below.url)
    page = visitor.see("/count")
    page.wait_for_function(CONTROLLED)
    visitor.see("/count")
    below.stop()
    page.goto(f"{below.url}/")
    assert page.locator("section:visible h1").text_content() == "You are offline"
    page.goto(f"{below.url}/count")
    assert page.locator("#edition").count()
    outside = [one for one in visitor.asked if one.startswith("http") and not one.startswith(f"{below.url}/")]
    assert not outside
    visitor.context.close()
