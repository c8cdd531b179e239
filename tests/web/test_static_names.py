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
