"""Where notices arrive: a real mail server and a real HTTP server, on this machine."""

from __future__ import annotations

import contextlib
import email
import email.policy
import logging
import shutil
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

from branchline.web.core.settings import MailServer
from needs import missing
from web.servers import free_port

USER, PASSWORD = "games", "a secret"


@dataclass
class Post:
    """What an HTTP server has received."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Receiver:
    """An HTTP server that keeps what is sent to it, and answers with `status`."""

    url: str
    posts: list[Post] = field(default_factory=list)
    status: int = 204
    location: str = ""
    hanging: threading.Event = field(default_factory=threading.Event)  # set: nobody is answered
    released: threading.Event = field(default_factory=threading.Event)


def certificate(folder: Path, name: str) -> tuple[Path, ssl.SSLContext]:
    """A certificate for a name that only those trust who are told to, and the context of a server that shows it."""
    if shutil.which("openssl") is None:
        missing("openssl is not installed (apt-get install openssl)")
    shown, key = folder / f"{name}.pem", folder / f"{name}.key"
    words = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}"]
    more = ["-addext", f"subjectAltName=DNS:{name}", "-keyout", str(key), "-out", str(shown)]
    subprocess.run(["openssl", "req", *words, *more], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(shown, key)
    return shown, context


@contextlib.contextmanager
def receiver(tls: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            there.posts.append(Post(self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            if there.hanging.is_set():
                there.released.wait(60)
            with contextlib.suppress(OSError):
                self.send_response(there.status)
                if there.location:
                    self.send_header("location", there.location)
                self.send_header("content-length", "0")
                self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Silence."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    there = Receiver(f"http{'s' if tls else ''}://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield there
    finally:
        there.released.set()
        server.shutdown()
        server.server_close()
        thread.join(10)


@dataclass
class Mailbox:
    """A mail server that keeps what it takes. `refusal`: what it answers to every recipient instead."""

    settings: MailServer
    mails: list[EmailMessage] = field(default_factory=list)
    refusal: str = ""

    def to(self, address: str) -> list[EmailMessage]:
        return [mail for mail in self.mails if mail["To"] == address]

    def wait_for(self, count: int) -> list[EmailMessage]:
        """The mails, once there are so many."""
        until = time.monotonic() + 30
        while len(self.mails) < count:
            assert time.monotonic() < until, f"{len(self.mails)} mails instead of {count}"
            time.sleep(0.02)
        return self.mails


class _Keeps:
    def __init__(self, box: Mailbox) -> None:
        self.box = box

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        if self.box.refusal:
            return self.box.refusal
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        assert isinstance(mail, EmailMessage)
        assert envelope.rcpt_tos == [mail["To"]]
        self.box.mails.append(mail)
        return "250 taken"


@contextlib.contextmanager
def mailbox(port: int = 0, security: str = "none", tls: ssl.SSLContext | None = None) -> Iterator[Mailbox]:
    """A mail server that wants a login. `security` as in `MailServer`; with `tls` it is called localhost."""
    port = port or free_port()
    host = "localhost" if tls else "127.0.0.1"
    box = Mailbox(MailServer(host, "Table <games@play.example.org>", port, USER, PASSWORD, security))

    def login(_server: SMTP, _session: Any, _envelope: Any, _mechanism: str, data: LoginPassword) -> AuthResult:
        return AuthResult(success=(data.login, data.password) == (USER.encode(), PASSWORD.encode()))

    controller = Controller(
        _Keeps(box),
        hostname="127.0.0.1",
        port=port,
        authenticator=login,
        auth_required=True,
        auth_require_tls=tls is not None and security == "starttls",
        ssl_context=tls if security == "tls" else None,
        tls_context=tls if security == "starttls" else None,
        require_starttls=security == "starttls",
    )
    logging.getLogger("mail.log").setLevel(logging.ERROR)  # it warns that a login without TLS is unsafe
    controller.start()
    try:
        yield box
    finally:
        controller.stop()


def text_of(mail: EmailMessage) -> str:
    """The plain part of a mail."""
    part = mail.get_body(("plain",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def html_of(mail: EmailMessage) -> str:
    """The other part."""
    part = mail.get_body(("html",))
    assert part is not None
    return str(part.get_content())
