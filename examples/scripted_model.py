"""A "model" for `branchline benchmark` that needs no network: it answers with the longest route it may claim.

    branchline benchmark scripted_model:answer --games 2

Replace `answer` by a call of your model. It gets the rules of answering, the map and the position as text.
"""

from __future__ import annotations

from branchline.assistants.benchmark import Reply


def answer(prompt: str) -> Reply:
    """Choose one of the actions after `you may:`."""
    legal = prompt.rpartition("you may: ")[2].splitlines()[0].split("; ")
    claims = [one for one in legal if one.startswith("claim ")]
    return Reply(max(claims, key=len) if claims else legal[-1], tokens=len(prompt.split()))
