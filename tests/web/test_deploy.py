"""The files in `deploy/`: real nginx and Caddy in front of a server, with pages, WebSockets and their logs."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import ssl
import subprocess
import time
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets

from branchline.web.core.http.clients import cookie_name
from branchline.web.core.security.tokens import new_token
from needs import missing
from web import servers

DEPLOY = Path(__file__).parents[2] / "deploy"
SITE = "play.example.org"
ROOT = "/branchline"
AT_THE_ROOT, LEFT, TAKEN = "at the root", "the path is left", "the path is taken away"


def written(language: str) -> str:
    """What `docs/server.md` has for a proxy that serves below a path."""
    text = (DEPLOY.parent / "docs" / "server.md").read_text(encoding="utf-8")
    return text.partition(f"```{language}\n")[2].partition("```")[0]


def nginx_below(way: str) -> str:
    """The configuration of nginx, with what the documentation says of paths."""
    text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    if way == AT_THE_ROOT:
        return text
    before, block = "    location / {\n        proxy_pass http://branchline;\n", written("nginx")
    assert before in text and "http://branchline;" in block
    return text.replace(before, block if way == LEFT else block.replace("http://branchline;", "http://branchline/;"))


def caddy_below(way: str) -> str:
    """The configuration of Caddy, likewise."""
    text = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    if way == AT_THE_ROOT:
        return text
    head, block = text.partition("\treverse_proxy")[0], written("caddy")
    assert "handle /" in block
    return head + (block if way == LEFT else block.replace("handle /", "handle_path /")) + "}\n"


@contextlib.contextmanager
def running(command: list[str], port: int, folder: Path) -> Iterator[None]:
    log = folder / "proxy.log"
    environment = {**os.environ, "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "HOME": str(folder)}
    with log.open("wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, env=environment)
    try:
        until = time.monotonic() + 20
        while True:
            try:
                with httpx.Client(verify=False) as http:
                    http.get(f"https://127.0.0.1:{port}/", extensions={"sni_hostname": SITE})
                break
            except httpx.TransportError:
                assert time.monotonic() < until and process.poll() is None, log.read_text()
                time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait(10)


@contextlib.contextmanager
def nginx(server: int, port: int, folder: Path, way: str = AT_THE_ROOT) -> Iterator[Path]:
    """nginx with our configuration, in a folder of its own; its access log."""
    if (program := shutil.which("nginx") or shutil.which("/usr/sbin/nginx")) is None:
        missing("nginx is not installed (apt-get install nginx-light)")
    request = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={SITE}"]
    names = ["-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")]
    subprocess.run([*request, *names], check=True, capture_output=True)
    text = nginx_below(way)
    for before, after in {
        "127.0.0.1:8000": f"127.0.0.1:{server}",
        "    listen [::]:80;\n": "",
        "    listen [::]:443 ssl http2;\n": "",
        "listen 80;": f"listen 127.0.0.1:{servers.free_port()};",
        "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
        f"/etc/letsencrypt/live/{SITE}": str(folder),
        "/var/log/nginx": str(folder),
    }.items():
        assert before in text, before
        text = text.replace(before, after)
    (folder / "branchline.conf").write_text(text, encoding="utf-8")
    paths = "".join(
        f"{name}_temp_path {folder / name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder / 'pid'}; events {{}} http {{ {paths} include {folder / 'branchline.conf'}; }}"
    )
    with running([program, "-c", str(folder / "nginx.conf"), "-p", str(folder), "-e", "stderr"], port, folder):
        yield folder / "branchline.log"


@contextlib.contextmanager
def caddy(server: int, port: int, folder: Path, way: str = AT_THE_ROOT) -> Iterator[Path]:
    """Caddy with our configuration and a certificate that it signs itself; its access log."""
    if (program := shutil.which("caddy")) is None:
        missing("Caddy is not installed (apt-get install caddy)")
    text = caddy_below(way)
    for before, after in {
        f"\n{SITE} {{": f"\n{SITE}:{port} {{\n\ttls internal",
        "127.0.0.1:8000": f"127.0.0.1:{server}",
        "\n{\n": f"\n{{\n\tadmin off\n\tskip_install_trust\n\thttp_port {servers.free_port()}\n"
        "\tauto_https disable_redirects\n",
    }.items():
        assert before in text, before
        text = text.replace(before, after)
    (folder / "Caddyfile").write_text(text, encoding="utf-8")
    with running([program, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"], port, folder):
        yield folder / "proxy.log"


PROXIES: dict[str, Callable[[int, int, Path, str], Any]] = {"nginx": nginx, "caddy": caddy}


@pytest.mark.long
@pytest.mark.parametrize("way", [AT_THE_ROOT, LEFT, TAKEN])
@pytest.mark.parametrize("name", PROXIES)
def test_people_play_through_the_proxy_and_its_log_keeps_no_secret(name: str, way: str, tmp_path: Path) -> None:
    root = "" if way == AT_THE_ROOT else ROOT
    options = ("--secure", "--url", f"https://{SITE}{root}", "--proxy", "127.0.0.1")
    port, key = servers.free_port(), new_token()
    folder = tmp_path / "proxy"
    folder.mkdir()
    with (
        servers.serving(f"sqlite:///{tmp_path / 'rooms.sqlite'}", tmp_path, *options) as server,
        PROXIES[name](server.port, port, folder, way) as log,
    ):
        links = [*asyncio.run(play(port, key, root)), *asked_for(port, root)]
        time.sleep(0.5)  # logs are written at leisure
        logged = log.read_text(encoding="utf-8") + server.log.read_text(encoding="utf-8")
    for link in links:
        parts = link.removeprefix(root).split("/")
        assert f"{root}/{parts[1]}/{parts[2]}/" in logged, logged
    for secret in (key, *(link.rstrip("/").rpartition("/")[2] for link in links)):
        assert secret not in logged


def asked_for(port: int, root: str) -> list[str]:
    """Links that lead nowhere, whose keys would be secrets."""
    paths = ("/deal/Ab12", "/ws/deal/Ab12", "/workshop/Ab12", "/mail/confirm/Ab12")
    links = [f"{root}{path}/{new_token()}" for path in paths]
    with httpx.Client(base_url=f"https://127.0.0.1:{port}", verify=False, headers={"host": SITE}) as http:
        for link in links:
            answer = http.get(f"{link}/rules" if "workshop" in link else link, extensions={"sni_hostname": SITE})
            assert answer.status_code < 500
    return links


async def play(port: int, key: str, root: str) -> list[str]:
    """A page, an action over the API that is seen over the WebSocket, and links being followed."""
    unchecked = ssl.create_default_context()
    unchecked.check_hostname, unchecked.verify_mode = False, ssl.CERT_NONE
    headers, sni = {"host": SITE, "authorization": f"Bearer {key}"}, {"sni_hostname": SITE}
    async with httpx.AsyncClient(base_url=f"https://127.0.0.1:{port}", verify=False, headers=headers) as http:
        seats = [{"kind": "me"}, {"kind": "open"}]
        made = await http.post(
            f"{root}/api/v1/rooms", json={"board": "berlin", "seats": seats, "first_seat": 0}, extensions=sni
        )
        room = made.json()
        assert made.status_code == 201 and made.headers["strict-transport-security"]
        cookie = f"{cookie_name('key', root)}={key}"
        async with websockets.connect(
            f"wss://{SITE}:{port}{root}/ws/{room['room']}",
            host="127.0.0.1",
            ssl=unchecked,
            origin=f"https://{SITE}",  # type: ignore[arg-type]
            additional_headers={"cookie": cookie},
            max_size=None,
            proxy=None,
        ) as talk:
            await servers.say(talk, do="hello", version=0)
            assert (await servers.hear(talk))["version"] == 0
            path = f"{root}/api/v1/rooms/{room['room']}"
            legal = (await http.get(f"{path}/legal", extensions=sni)).json()
            action = {"action": legal["actions"][0]["text"], "version": legal["version"]}
            assert (await http.post(f"{path}/actions", json=action, extensions=sni)).status_code == 200
            while (heard := await servers.hear(talk))["version"] == 0:
                pass
            assert heard["fragments"]
        about = (await http.get(path, extensions=sni)).json()
        links = [about["watch"], *(one["invite"] for one in about["players"] if one["invite"])]
        assert len(links) == 2
        links = [link[link.index("/", 8) :] if "://" in link else link for link in links]
        for link in links:
            assert (await http.get(link, extensions=sni)).status_code in (200, 303)
        return links


def test_the_container_is_built_from_extras_that_exist() -> None:
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    extras = text.partition("'.[")[2].partition("]'")[0].split(",")
    project = tomllib.loads((DEPLOY.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(extras) <= set(project["optional-dependencies"])
