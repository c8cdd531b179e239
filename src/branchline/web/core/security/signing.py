"""Signatures: which links open what, and that a form is ours.

Links (to a seat, for watching, to another device) are signed with the secret that all processes share: nothing has to
be stored for them, and nobody can guess one. A link holds the signature only; what it is about is known from elsewhere.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

import itsdangerous

from branchline.web.core.caches import MEGABYTE, kept_texts
from branchline.web.core.security.tokens import is_token

MARK = 11  # letters at the end of a browser's key, 66 bits


class Signer:
    """Signs links and forms."""

    def __init__(self, secret: bytes) -> None:
        """Begin with the secret that all processes share."""
        self._secret = secret
        self._links = _signer(secret, "link")
        self._forms = _signer(secret, "form")
        self._browsers = _signer(secret, "browser")
        self.name = _signer(secret, "name").get_signature(b"").decode()[:MARK]  # no other server has it

    def browser_key(self) -> str:
        """Return a secret for a browser: 192 random bits, and a proof that it was made here, in the form of a token."""
        drawn = secrets.token_urlsafe(24)
        return drawn + self._mark(drawn)

    def is_browser_key(self, key: str) -> bool:
        """Return whether a browser's secret was made here; nobody else can make one."""
        return is_token(key) and _same(key[-MARK:], self._mark(key[:-MARK]))

    def _mark(self, drawn: str) -> str:
        return self._browsers.get_signature(drawn.encode()).decode()[:MARK]

    @kept_texts("signatures", MEGABYTE)  # a server has one signer; its pages ask for the same links again
    def link(self, *parts: object) -> str:
        """Return the signature in a link about these things, as it may stand in a URL."""
        return self._links.get_signature(_joined(parts)).decode()

    def opens(self, signature: str, *parts: object) -> bool:
        """Return whether a link's signature is the one about these things; links made by earlier versions are valid
        too.
        """
        return _same(signature, self.link(*parts)) or _same(signature, self._before("link", *parts)[:40])

    def webhook_secret(self, browser: str) -> str:
        """Return the secret that signs the webhooks chosen in a browser; it is shown to that browser."""
        return hmac.new(self._secret, _joined(("webhook", browser)), hashlib.sha256).hexdigest()

    def form_token(self, browser: str) -> str:
        """Return a token for the forms of a browser, a different one each time, so that compressing pages reveals
        nothing.
        """
        salt = secrets.token_hex(8)
        return f"{salt}.{self._forms.get_signature(_joined((salt, browser))).decode()}"

    def is_form_token(self, token: str, browser: str) -> bool:
        """Return whether a form's token was given to this browser."""
        salt, _, signature = token.partition(".")
        right = self._forms.get_signature(_joined((salt, browser))).decode()
        return _same(signature, right) or _same(signature, self._before("form", salt, browser))

    def _before(self, *parts: object) -> str:
        """Return the signature as branchline made it before it used itsdangerous: it is in links that people have
        kept.
        """
        return hmac.new(self._secret, _joined(parts), hashlib.sha256).hexdigest()


def _signer(secret: bytes, purpose: str) -> itsdangerous.Signer:
    return itsdangerous.Signer(
        secret, salt=f"branchline.{purpose}", key_derivation="hmac", digest_method=hashlib.sha256
    )


def _joined(parts: tuple[object, ...]) -> bytes:
    return "\0".join(str(part) for part in parts).encode()


def _same(first: str, other: str) -> bool:
    """Return whether two texts are the same, in a time that does not reveal how much of them is.

    (`verify_signature` decodes first, so that several texts are the same signature.)
    """
    return hmac.compare_digest(first.encode(errors="replace"), other.encode())
