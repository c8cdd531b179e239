"""What is written from the code takes the place of what stood between two marks, and nothing else changes."""

from __future__ import annotations

from branchline.documents import rewritten

BY_HAND = "# Fruit\n\n<!-- a remark -->\n\nApples:\n\n"


def test_only_what_lies_between_marks_is_written_anew() -> None:
    apples, pears = "<!-- apples -->\n\n| old |\n\n<!-- end -->\n\n", "<!-- pears: 2 -->\n<!-- end -->\n\n"
    document = f"{BY_HAND}{apples}Pears:\n\n{pears}End.\n"
    assert rewritten(document, lambda name: [f"| {name} |", "| new |"]) == (
        BY_HAND + "<!-- apples -->\n\n| apples |\n| new |\n\n<!-- end -->\n\n"
        "Pears:\n\n<!-- pears: 2 -->\n\n| pears: 2 |\n| new |\n\n<!-- end -->\n\nEnd.\n"
    )


def test_a_document_that_is_written_twice_stays_as_it_is() -> None:
    once = rewritten("<!-- apples -->\n<!-- end -->\n", lambda name: [name])
    assert rewritten(once, lambda name: [name]) == once
