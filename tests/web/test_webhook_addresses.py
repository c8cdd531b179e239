"""Webhooks are no way into the network of the server: which addresses are called, and how."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path
from typing import Any

import pytest

from branchline.web.notices.choice import BadChoice, read_choice
from branchline.web.notices.delivery import Undelivered
from branchline.web.notices.webhook import Webhooks, is_public
from branchline.web.notices.words import NoticeContext, notice
from web.receivers import Receiver, certificate, receiver

TEST = NoticeContext("test", "en", "https://play.example.org/t/room")


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.8.8.8",
        "0.0.0.0",
        "10.0.0.1",
        "172.16.5.4",
        "192.168.1.1",
        "169.254.169.254",  # where clouds tell machines their secrets
        "100.64.0.1",
        "192.0.2.1",
        "198.18.0.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "64:ff9b::a9fe:a9fe",  # 169.254.169.254 by way of NAT64
        "2002:7f00:1::",  # 127.0.0.1 by way of 6to4
        "fe80::1",
        "fc00::1",
        "fd12:3456:789a::1",
        "fec0::1",
        "ff02::1",
        "2001:db8::1",
    ],
)
def test_addresses_that_are_not_for_everybody_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.216.34", "1.1.1.1", "2606:4700:4700::1111", "64:ff9b::101:101"])
def test_addresses_of_the_internet_are_public(address: str) -> None:
    assert is_public(address)


def sent(url: str, **how: Any) -> int:
    async def send() -> int:
        webhooks = Webhooks(**how)
        try:
            return await webhooks.send(url, "json", TEST, notice(TEST), "id", "secret")
        finally:
            await webhooks.close()

    return asyncio.run(send())


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "0", "2130706433", "0x7f.1", "127.1"])
def test_this_machine_is_not_called_however_it_is_written(host: str) -> None:
    with receiver() as there:
        port = there.url.rpartition(":")[2]
        with pytest.raises(Undelivered) as trouble:
            sent(f"http://{host}:{port}/")
        assert trouble.value.reason == "private" and trouble.value.detail == host.strip("[]")
        assert there.posts == []


def test_the_operator_may_allow_addresses_in_the_house() -> None:
    with receiver() as there:
        assert sent(there.url, private=True) == 204


def resolving(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """Names have these addresses: at the first question the first ones, and so on. Which names were asked for."""
    asked: list[str] = []

    def getaddrinfo(host: str, port: int, **_: Any) -> list[Any]:
        asked.append(host)
        found = answers[min(len(asked), len(answers)) - 1]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in found]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return asked


def test_a_name_with_one_private_address_among_public_ones_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    resolving(monkeypatch, ["93.184.216.34", "10.0.0.7"])
    with pytest.raises(Undelivered) as trouble:
        sent("https://hooks.example.org/x")
    assert trouble.value.reason == "private" and not trouble.value.again


def test_a_name_is_looked_up_once_and_the_address_that_was_checked_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name server that gives a public address first and a private one afterwards gains nothing."""
    with receiver() as public, receiver() as private:
        asked = resolving(monkeypatch, ["127.0.0.1"], ["127.0.0.2"])
        monkeypatch.setattr("branchline.web.notices.webhook.is_public", lambda address: address == "127.0.0.1")
        port = public.url.rpartition(":")[2]
        assert sent(f"http://hooks.example.org:{port}/x?y=1") == 204
        assert asked == ["hooks.example.org"] and private.posts == []
        [post] = public.posts
        assert post.headers["host"] == f"hooks.example.org:{port}" and post.path == "/x?y=1"


@pytest.mark.parametrize(("name", "answers"), [("localhost", True), ("other.example", False)])
def test_over_https_the_certificate_must_be_that_of_the_name_though_an_address_is_called(
    name: str, answers: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown, context = certificate(tmp_path, name)
    monkeypatch.setenv("SSL_CERT_FILE", str(shown))
    with receiver(context) as there:
        url = there.url.replace("127.0.0.1", "localhost")
        if answers:
            assert sent(url, private=True) == 204
        else:
            with pytest.raises(Undelivered) as trouble:
                sent(url, private=True)
            assert trouble.value.reason == "connection" and there.posts == []


def test_of_an_answer_only_the_head_is_read() -> None:
    """A body without an end holds nobody up."""

    async def endless(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
        try:
            while True:
                writer.write(b"400\r\n" + bytes(1024) + b"\r\n")
                await writer.drain()
        except OSError:
            writer.close()

    async def meet() -> int:
        server = await asyncio.start_server(endless, "127.0.0.1", 0)
        webhooks = Webhooks(private=True)
        try:
            url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
            return await webhooks.send(url, "json", TEST, notice(TEST), "id", "secret")
        finally:
            await webhooks.close()
            server.close()

    assert asyncio.run(meet()) == 200


def test_a_proxy_of_the_environment_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with receiver() as there, receiver() as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        monkeypatch.setenv("http_proxy", proxy.url)
        assert sent(there.url, private=True) == 204
        assert proxy.posts == []


# ---------------------------------------------------------------------------------------------------- the form


def chosen(**fields: str) -> Any:
    return read_choice(fields, "key", "room", "en", 0.0, email=True, webhook=True)


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.org/",
        "file:///etc/passwd",
        "gopher://example.org/",
        "javascript:alert(1)",
        "https://",
        "https:///x",
        "https://user:password@example.org/",
        "https://example.org@10.0.0.1/",
        "https://example.org:22/",
        "https://example.org:25/",
        "https://example.org:99999/",
        "https://example.org:x/",
        "https://exam ple.org/",
        "https://example.org/\r\nHost: other",
        "https://example.org\\@10.0.0.1/",
        "https://żółw.example/",
        "https://[::1/",
        "https://example.org/" + 500 * "x",
        "example.org",
    ],
)
def test_what_is_no_address_of_a_webhook_is_refused(url: str) -> None:
    with pytest.raises(BadChoice) as trouble:
        chosen(webhook=url)
    assert trouble.value.field == "webhook"


@pytest.mark.parametrize("url", ["https://ntfy.sh/topic", "http://example.org:8080/a?b=c", "https://[2606:4700::1]/"])
def test_addresses_of_webhooks_are_kept_as_they_are(url: str) -> None:
    assert chosen(webhook=url).webhook == url


@pytest.mark.parametrize(
    "address",
    [
        "anna",
        "anna@localhost",
        "@example.org",
        "anna@",
        "a b@example.org",
        "anna@example.org\r\nBcc: all@example.org",
        "anna@example.org, ben@example.org",
        "Anna <anna@example.org>",
        "anna@[127.0.0.1]",
        "ł@example.org",
        65 * "a" + "@example.org",
        "a@" + 60 * "abcd." + "org",
        "a@" + 300 * "x" + ".org",
    ],
)
def test_what_is_no_mail_address_is_refused(address: str) -> None:
    with pytest.raises(BadChoice) as trouble:
        chosen(email=address)
    assert trouble.value.field == "email"


def test_mail_addresses_are_kept_with_the_domain_in_small_letters() -> None:
    assert chosen(email=" Anna.B+games@Example.ORG ").email == "Anna.B+games@example.org"
    assert chosen(email="anna@żółw.pl").email == "anna@xn--w-uga1v8h.pl"


@pytest.mark.parametrize(
    "fields",
    [
        {"quiet_from": "24:00", "quiet_to": "07:00"},
        {"quiet_from": "22:00", "quiet_to": "7"},
        {"quiet_from": "22:00"},
        {"quiet_from": "22:00", "quiet_to": "07:00", "zone": "../../etc/passwd"},
        {"quiet_from": "22:00", "quiet_to": "07:00", "zone": "/etc/passwd"},
        {"quiet_from": "22:00", "quiet_to": "07:00", "zone": "Mars/Olympus"},
        {"quiet_from": "22:00", "quiet_to": "07:00", "zone": 1000 * "x"},
        {"quiet_from": "22:00", "quiet_to": "07:00", "zone": "a\0b"},
        {"quiet_from": "22:00", "quiet_to": "07:00", "zone": "Europe"},
    ],
)
def test_quiet_hours_that_are_none_are_refused(fields: dict[str, str]) -> None:
    with pytest.raises(BadChoice) as trouble:
        chosen(quiet="1", **fields)
    assert trouble.value.field == "quiet"


@pytest.fixture
def there() -> Any:
    with receiver() as running:
        yield running


def test_a_webhook_that_sends_elsewhere_is_not_followed_into_the_house(there: Receiver) -> None:
    there.status, there.location = 307, "http://169.254.169.254/latest/meta-data/"
    with pytest.raises(Undelivered) as trouble:
        sent(there.url, private=True)
    assert trouble.value.detail == "307 Temporary Redirect" and len(there.posts) == 1
