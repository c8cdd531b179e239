"""What can go wrong on the way to somebody, in one form for mail and webhooks."""

from __future__ import annotations


class Undelivered(Exception):  # noqa: N818  it reads as a sentence
    """A notice did not arrive, or nobody can say whether it did."""

    def __init__(self, reason: str, detail: str = "", *, again: bool = False) -> None:
        """Make the error.

        `reason` is a word for the dialog; `again`: it certainly did not arrive, and may if sent again.
        """
        self.reason, self.detail, self.again = reason, one_line(detail), again
        super().__init__(f"{reason} {self.detail}".strip())


def one_line(text: str) -> str:
    """Return another server's answer fit to be shown: one line, visible letters, not long."""
    return "".join(letter if letter.isprintable() else " " for letter in text)[:200].strip()
