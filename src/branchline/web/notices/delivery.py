"""What can go wrong on the way to somebody, in one form for mail and webhooks."""

from __future__ import annotations


class Undelivered(Exception):  # noqa: N818  it reads as a sentence
    """A notice did not arrive, or nobody can say whether it did."""

    def __init__(self, reason: str, detail: str = "", *, again: bool = False) -> None:
        """`reason`: a word for the dialog. `again`: it surely did not arrive, and may if it is sent once more."""
        self.reason, self.detail, self.again = reason, one_line(detail), again
        super().__init__(f"{reason} {self.detail}".strip())


def one_line(text: str) -> str:
    """What another server said, as it may be shown: one line, visible letters, not long."""
    return "".join(letter if letter.isprintable() else " " for letter in text)[:200].strip()
