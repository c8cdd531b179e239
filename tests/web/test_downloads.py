"""Files to be kept: under which names."""

from __future__ import annotations

import pytest

from branchline.web.core.http.page_requests import download


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("berlin.pdf", 'attachment; filename="berlin.pdf"'),
        ("łódź.zip", "attachment; filename*=UTF-8''%C5%82%C3%B3d%C5%BA.zip"),
        ('a"b\r\nset-cookie: x/y.csv', "attachment; filename*=UTF-8''a%22b%0D%0Aset-cookie%3A%20x%2Fy.csv"),
    ],
)
def test_any_name_is_told_as_the_standard_wants_it(name: str, said: str) -> None:
    assert download("", "text/plain", name).headers["content-disposition"] == said
