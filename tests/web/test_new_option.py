"""An option of rooms is one row, and the code that heeds it: a copy of the package is given one for a handicap."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import branchline

BEFORE = "    seeded: bool = False"
ROW = """    handicap: Annotated[
        int,
        Number("points that the host begins behind", N_("Handicap"), {"0": N_("none"), "10": N_("10 points")}, most=30),
    ] = 0
"""

VISITOR = """
import json, re, sqlite3, sys
from starlette.testclient import TestClient
from branchline.web.app import make_app
from branchline.web.core.settings import Settings

database = sys.argv[1]
settings = Settings(database=f"sqlite:///{database}", warm_up=False)


def kept(browser, room):
    return browser.get(f"/api/v1/rooms/{room}").json()["options"]["handicap"]


with TestClient(make_app(settings)) as browser:
    page = browser.get("/new").text
    print("offered:", re.search('<label>Handicap <select name="handicap">.*?</select>', page)[0])
    csrf = re.search('name="csrf" value="([^"]+)"', page)[1]
    wish = {"csrf": csrf, "board": "berlin", "open": "1", "clock": "turn 60"}
    made = browser.post("/new", data={**wish, "handicap": "10"}, follow_redirects=False)
    room = made.headers["location"].removeprefix("/t/")
    usual = browser.post("/new", data=wish, follow_redirects=False).headers["location"].removeprefix("/t/")
    refused = browser.post("/new", data={**wish, "handicap": "31"})
    print("refused:", refused.status_code, "handicap: expected a whole number from 0 to 30" in refused.text)
    said = {"board": "berlin", "seats": [{"kind": "me"}, {"kind": "bot"}]}
    print("by a program:", browser.post("/api/v1/rooms", json={**said, "handicap": 10}).json()["options"]["handicap"])
    print("refused:", browser.post("/api/v1/rooms", json={**said, "handicap": 31}).status_code)
    about = browser.get("/api/v1/openapi.json").json()["components"]["schemas"]["NewRoom"]["properties"]["handicap"]
    print("documented:", about["description"], about["maximum"])
with sqlite3.connect(database) as rooms:  # a room from before there was this option
    (text,) = rooms.execute("SELECT options FROM rooms WHERE id = ?", (usual,)).fetchone()
    options = json.loads(text)
    print("written:", options.pop("handicap"))
    rooms.execute("UPDATE rooms SET options = ? WHERE id = ?", (json.dumps(options), usual))
with TestClient(make_app(settings)) as browser:
    print("kept:", kept(browser, room), kept(browser, usual))
"""


@pytest.mark.long
def test_a_room_option_is_one_row(tmp_path: Path) -> None:
    package = tmp_path / "branchline"
    shutil.copytree(Path(branchline.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    options = package / "web" / "core" / "room_options.py"
    written = options.read_text("utf-8")
    assert written.count(BEFORE) == 1
    options.write_text(written.replace(BEFORE, ROW + BEFORE), "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", VISITOR, str(tmp_path / "rooms.sqlite")],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.split("\n")[1:-1] == [
        "refused: 400 True",
        "by a program: 10",
        "refused: 422",
        "documented: points that the host begins behind 30.0",
        "written: 0",
        "kept: 10 0",
    ]
    choices = '<option value="0" selected>none</option><option value="10">10 points</option>'
    assert f'offered: <label>Handicap <select name="handicap">{choices}</select>' in done.stdout
