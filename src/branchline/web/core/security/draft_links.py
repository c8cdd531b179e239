"""Links to boards of the workshop: whoever has one may change a draft, or look at it."""

from __future__ import annotations

from branchline.web.core.security.signing import Signer

EDIT, LOOK = "edit", "look"


def path_of(signer: Signer, draft: str, right: str) -> str:
    """Return the path of a link to a draft."""
    return f"/workshop/{draft}/{signer.link('draft', right, draft)}"


def right_of(signer: Signer, draft: str, key: str) -> str:
    """Return what the key in a link to a draft allows, or an empty text."""
    return next((right for right in (EDIT, LOOK) if signer.opens(key, "draft", right, draft)), "")
