"""What is kept of a guide with its room; what guides do is said in `guides`."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

ANSWER = "guide"
"""The reason with which a guide refuses an answer: `Refused(ANSWER, sentence)`. The sentence is shown as it is."""


@dataclass(frozen=True)
class Guide:
    """What is kept of a guide with its room."""

    kind: str  # one of `KINDS`
    name: str  # which lesson, which exercise: up to the kind
    given: int = 0  # how many steps of the room are the position that was set up; what follows was played
    notes: str = ""  # what the kind keeps of how far its person is; `Room.with_notes` changes it

    def written(self) -> str:
        """Return the guide's state as it is kept."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def read(cls, text: str) -> Guide | None:
        """Return what `written` gave, or None for an empty text: there is no guide."""
        return cls(**json.loads(text)) if text else None
