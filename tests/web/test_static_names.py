"""What templates and scripts name is there: other templates, style sheets, scripts, pictures."""

from __future__ import annotations

import posixpath
import re

from branchline.web.core.pages import assets

WEB = assets.STATIC


def test_every_template_style_sheet_and_script_that_is_named_is_there() -> None:
    missing = []
    for file in WEB.rglob("*.html"):
        text = file.read_text(encoding="utf-8")
        missing += [
            (file.name, one)
            for one in re.findall(r'\{% *(?:extends|include) "([^"]+)"', text)
            if not (WEB / one).is_file()
        ]
        named = re.findall(r"""(?:asset|module)\(["']([^"']+)""", text)
        missing += [(file.name, one) for one in named if one not in assets.files()]
    for name, file in assets.files().items():
        if file.suffix == ".js":
            imported = re.findall(r'(?:from|import\() ?"(\.[^"]+)"', file.read_text(encoding="utf-8"))
            goals = [posixpath.normpath(posixpath.join(posixpath.dirname(name), one)) for one in imported]
            missing += [(name, goal) for goal in goals if goal not in assets.files()]
    assert missing == []


def test_no_style_of_a_table_depends_on_what_its_body_contains() -> None:
    """Browsers would style the whole page anew at each press. The body has classes for it, see `body_marks.js`."""
    template = (WEB / "table" / "table.html").read_text(encoding="utf-8")
    sheets = ["core/browser/base.css", *re.findall(r"asset\('([^']+\.css)'\)", template)]
    assert len(sheets) > 3
    whole = re.compile(r"(?:\b(?:html|body)|:root|\.(?:table|replay|with-guide))[^\s,{]*:has\([^{]*")
    assert [found for sheet in sheets for found in whole.findall((WEB / sheet).read_text(encoding="utf-8"))] == []
