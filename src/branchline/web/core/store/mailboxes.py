"""One mail address is one person, however it is spelt: the mailbox that a spelling leads to, and who runs it.

Limits are counted by mailbox. Mails go to the address as it was written, so a guess that is wrong costs nobody a mail.
"""

from __future__ import annotations

TAG = "+"  # what follows is for sorting one's mail; nearly all providers deliver it to the same person

SAME_PROVIDER = {
    "googlemail.com": "gmail.com",
    "protonmail.com": "proton.me",
    "protonmail.ch": "proton.me",
    "pm.me": "proton.me",
    "me.com": "icloud.com",
    "mac.com": "icloud.com",
    "ya.ru": "yandex.ru",
    "yandex.com": "yandex.ru",
    "yandex.by": "yandex.ru",
    "yandex.kz": "yandex.ru",
    "fastmail.fm": "fastmail.com",
}
"""Domains of one provider where the same name is the same mailbox."""

IGNORED = {"gmail.com": ".", "proton.me": ".-_"}
"""Signs that make no difference at a provider."""

SUBDOMAINS = frozenset({"fastmail.com"})
"""Providers where whatever@name.example is delivered to name@example."""

LARGE_PROVIDERS = frozenset(SAME_PROVIDER.values()) | {
    "aol.com",
    "centrum.cz",
    "email.cz",
    "free.fr",
    "freenet.de",
    "gmx.at",
    "gmx.ch",
    "gmx.de",
    "gmx.net",
    "hotmail.com",
    "interia.pl",
    "libero.it",
    "live.com",
    "mail.ru",
    "mailbox.org",
    "o2.pl",
    "onet.pl",
    "op.pl",
    "orange.fr",
    "outlook.com",
    "outlook.de",
    "poczta.onet.pl",
    "posteo.de",
    "seznam.cz",
    "t-online.de",
    "tlen.pl",
    "web.de",
    "wp.pl",
    "yahoo.com",
    "yahoo.de",
}
"""Domains at which strangers have their mailboxes: who is there has nothing to do with one another."""

_SHORT = 3  # letters: below a country's domain, a shorter part is a kind of registrant, as in co.uk, com.pl or gov.au


def mailbox_of(address: str) -> str:
    """Return the canonical form of a mail address."""
    local, _, domain = address.strip().rpartition("@")
    local, domain = local.lower().strip("."), _in_ascii(domain)
    domain = SAME_PROVIDER.get(domain, domain)
    for provider in SUBDOMAINS:
        if domain.endswith(f".{provider}"):
            local, domain = domain.removesuffix(f".{provider}").rpartition(".")[2], provider
    local = local.partition(TAG)[0] or local
    plain = "".join(sign for sign in local if sign not in IGNORED.get(domain, ""))
    return f"{plain or local}@{domain}"


def domain_of(mailbox: str) -> str:
    """Return the domain of a mailbox, without subdomains that its owner can choose at will."""
    domain = mailbox.rpartition("@")[2]
    if domain in LARGE_PROVIDERS:
        return domain
    parts = domain.split(".")
    shared = len(parts) > 2 and len(parts[-1]) == 2 and len(parts[-2]) <= _SHORT
    return ".".join(parts[-3:] if shared else parts[-2:])


def _in_ascii(domain: str) -> str:
    """Return a domain as it travels: small letters, other alphabets in Punycode, no dot at its end."""
    try:
        return domain.encode("idna").decode().lower().rstrip(".")
    except UnicodeError:
        return domain.lower().rstrip(".")
