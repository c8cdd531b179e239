"""Mail: how a notice is put into one, and how it gets to the server that takes our mails."""

from __future__ import annotations

import asyncio
import logging
import ssl
import time
from email.message import EmailMessage
from email.policy import SMTP as SMTP_POLICY
from email.utils import formataddr, formatdate, parseaddr
from urllib.parse import urlsplit

import aiosmtplib

from branchline.web.core.settings import MailServer
from branchline.web.notices.delivery import Undelivered
from branchline.web.notices.words import MailWords

log = logging.getLogger("branchline.notices")

PATIENCE = 20.0  # seconds with a mail server that does not answer
AT_ONCE = 4  # connections


class Mailer:
    """Hands mails over to the server of `settings.MailServer`; an outage is one line of the log."""

    def __init__(self, server: MailServer, url: str) -> None:
        """Begin with the public address of the tables in `url`, whose name is in the ids of mails."""
        self.server = server
        self.site = urlsplit(url).hostname or "localhost"
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._failing_since: float | None = None
        self._tls: ssl.SSLContext | None = None

    async def send(self, address: str, words: MailWords, id_: str, stop: str) -> None:
        """Hand a mail over. Raise `Undelivered`."""
        message = self.message(address, words, id_, stop)
        async with self._slots:
            client = await self._connected()
            try:
                await client.send_message(message)
            except aiosmtplib.SMTPRecipientsRefused as error:
                answer = error.recipients[0]
                raise _refused(answer.code, answer.message) from None
            except aiosmtplib.SMTPResponseException as error:
                raise _refused(error.code, error.message) from None
            except (aiosmtplib.SMTPException, OSError, TimeoutError):
                raise Undelivered("no_answer") from None  # it may have been taken: never twice
            finally:
                await _leave(client)

    async def _connected(self) -> aiosmtplib.SMTP:
        server = self.server
        if self._tls is None and server.security != "none":  # reading the certificates takes a while
            self._tls = await asyncio.to_thread(ssl.create_default_context)
        client = aiosmtplib.SMTP(
            hostname=server.host,
            port=server.port,
            username=server.user or None,
            password=server.password or None,
            use_tls=server.security == "tls",
            start_tls=server.security == "starttls",
            tls_context=self._tls,
            timeout=PATIENCE,
        )
        try:
            await client.connect()
        except (aiosmtplib.SMTPException, OSError, TimeoutError) as error:
            client.close()
            self._fails(str(error) or type(error).__name__)
            raise Undelivered("mail_server", type(error).__name__, again=True) from None
        self._works()
        return client

    def _fails(self, why: str) -> None:
        if self._failing_since is None:
            self._failing_since = time.monotonic()
            log.error("the mail server %s:%s fails: %s", self.server.host, self.server.port, why)

    def _works(self) -> None:
        if self._failing_since is not None:
            log.warning("the mail server is back after %.0f s", time.monotonic() - self._failing_since)
            self._failing_since = None

    def message(self, address: str, words: MailWords, id_: str, stop: str) -> EmailMessage:
        """Return the mail. The policy refuses headers with line breaks (`ValueError`)."""
        name, sender = parseaddr(self.server.sender)
        mail = EmailMessage(policy=SMTP_POLICY)
        mail["From"] = formataddr((name or "branchline", sender))
        mail["To"] = address
        mail["Subject"] = words.subject
        mail["Date"] = formatdate(usegmt=True)
        mail["Message-ID"] = f"<{id_}@{self.site}>"
        mail["Auto-Submitted"] = "auto-generated"
        mail["List-Unsubscribe"] = f"<{stop}>"
        mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        mail.set_content(words.text)
        mail.add_alternative(words.html, subtype="html")
        return mail


def _refused(code: int, answer: str) -> Undelivered:
    """Return the mail server's answer as an error; what it calls temporary is tried again."""
    return Undelivered("refused", f"{code} {answer}", again=400 <= code < 500)


async def _leave(client: aiosmtplib.SMTP) -> None:
    try:
        await asyncio.wait_for(client.quit(), 5.0)
    except (aiosmtplib.SMTPException, OSError, TimeoutError):
        client.close()
