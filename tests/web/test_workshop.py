"""The workshop on the server: drafts are kept as they were saved, and nothing hostile gets in or is told too much."""

from __future__ import annotations

import base64
import importlib.util
import io
import json
import re
import time
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from branchline.boards.catalogue import BUILTIN
from branchline.web.core.http.state import ServerState
from branchline.web.core.rooms import kept_boards
from branchline.web.core.settings import Limits, Settings
from branchline.web.core.store import tables
from branchline.web.core.store.database import Conflict, Store
from branchline.web.dealing import store as dealings
from branchline.web.workshop import beginning, saving
from branchline.web.workshop import store as drafts
from branchline.workshop import Draft, Step, applied
from branchline.workshop.steps import added, changed
from branchline.workshop.tables import MAX_ROWS
from needs import missing
from web.running_here import running_here

LINK = re.compile(r"/workshop/([a-z0-9]{12})/([\w-]{43})")


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    url = f"sqlite:///{tmp_path / 'rooms.sqlite'}" if request.param == "sqlite" else request.getfixturevalue("postgres")
    opened = Store(url)
    yield opened
    opened.close()


def renamed(draft: Draft, to: str, row: int = 0) -> Step:
    return Step(f"to {to}", (changed(draft, "cities", list(draft["cities"])[row], name=to),))


def said(*steps: Step) -> str:
    return json.dumps(
        [[f"mark-{step.name}-{number:04}".replace(" ", "_"), step.as_json()] for number, step in enumerate(steps)]
    )


def begun(store: Store, draft: Draft) -> str:
    row = saving.begun(draft)
    drafts.create(store, row)
    return row.id


def save(store: Store, row: drafts.DraftRow, steps: str) -> bool:
    """Whether nobody else was quicker."""
    return saving.write(store, saving.prepared(row, steps))


def row_of(store: Store, id_: str) -> drafts.DraftRow:
    row = drafts.load(store, id_)
    assert row is not None
    return row


# ------------------------------------------------------------------------------------------------ the store


def test_a_draft_comes_back_as_it_was_saved(store: Store) -> None:
    draft = beginning.of_edition("world")
    id_ = begun(store, draft)
    assert saving.unpacked(row_of(store, id_)).as_json() == draft.as_json()
    step = renamed(draft, "Elsewhere")
    assert save(store, row_of(store, id_), said(step))
    assert row_of(store, id_).version == 1
    assert saving.unpacked(row_of(store, id_)) == applied(draft, step)
    assert [json.loads(one.step) for one in drafts.saves_since(store, id_, 0)] == [step.as_json()]


def test_a_save_on_an_older_version_changes_nothing(store: Store) -> None:
    draft = beginning.of_edition("berlin")
    id_ = begun(store, draft)
    row = row_of(store, id_)
    assert save(store, row, said(renamed(draft, "One")))
    assert not save(store, row, said(renamed(draft, "Two")))  # loaded before, written after
    assert "One" in {cells["name"] for cells in saving.unpacked(row_of(store, id_))["cities"].values()}
    with pytest.raises(Conflict):
        drafts.save(store, row, row, [drafts.SaveRow(1, "mark", "{}", 0.0)])


def test_of_two_who_save_at_once_one_is_told_to_look_again(store: Store) -> None:
    draft = beginning.of_edition("berlin")
    id_ = begun(store, draft)
    for version in range(5):
        row = row_of(store, id_)
        step = renamed(saving.unpacked(row), f"Name {version}")
        with ThreadPoolExecutor(4) as pool:
            ends = list(pool.map(lambda _, row=row, step=step: save(store, row, said(step)), range(4)))
        assert sorted(ends) == [False, False, False, True]
    assert row_of(store, id_).version == 5


def test_only_so_many_saves_are_kept(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "KEPT", 3)
    id_ = begun(store, beginning.of_edition("berlin"))
    for n in range(6):
        row = row_of(store, id_)
        save(store, row, said(renamed(saving.unpacked(row), f"Name {n}")))
    assert [one.n for one in drafts.saves_since(store, id_, 0)] == [4, 5, 6]


def test_of_large_saves_fewer_are_kept(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A step may hold a backdrop of megabytes, twice."""
    id_ = begun(store, beginning.of_edition("berlin"))
    monkeypatch.setattr(
        drafts, "KEPT_LETTERS", 3 * len(json.dumps(renamed(beginning.of_edition("berlin"), "N").as_json()))
    )
    for n in range(6):
        row = row_of(store, id_)
        save(store, row, said(renamed(saving.unpacked(row), f"N{n}")))
    assert [one.n for one in drafts.saves_since(store, id_, 0)] in ([5, 6], [4, 5, 6])


def test_drafts_that_nobody_opens_are_deleted_and_the_others_stay(store: Store) -> None:
    old, opened, young = (begun(store, beginning.of_edition("berlin")) for _ in range(3))
    save(store, row_of(store, old), said(renamed(beginning.of_edition("berlin"), "Saved Long Ago")))
    long_ago = tables.drafts.update().where(tables.drafts.c.id.in_([old, opened])).values(touched=time.time() - 9e6)
    with store.engine.begin() as connection:
        connection.execute(long_ago)
    drafts.touch(store, row_of(store, opened), time.time())
    assert drafts.purge(store, 90) == 1
    assert drafts.load(store, old) is None and drafts.saves_since(store, old, 0) == []
    assert row_of(store, opened) and row_of(store, young)


def test_public_drafts_are_listed_the_latest_first(store: Store) -> None:
    ids = [begun(store, beginning.of_edition(name)) for name in ("berlin", "europe", "world")]
    for id_ in ids[:2]:
        drafts.publish(store, id_, True)
    assert [row.title for row in drafts.public_drafts(store) if row.id in ids] == ["Europe", "Berlin"]
    drafts.publish(store, ids[1], False)
    assert [row.id for row in drafts.public_drafts(store) if row.id in ids] == [ids[0]]


# ------------------------------------------------------------------------------------------------ over the network


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, ServerState]]:
    folder = tmp_path_factory.mktemp("workshop")
    settings = Settings(database=f"sqlite:///{folder / 'rooms.sqlite'}", warm_up=False, limits=Limits().times(100))
    with running_here(settings) as running:
        yield running


class Browser:
    """Somebody's browser, without scripts."""

    def __init__(self, address: str) -> None:
        self.client = httpx.Client(base_url=address, timeout=60)
        page = self.client.get("/workshop").text
        self.csrf = re.search(r'name="csrf" value="([^"]+)"', page)[1]  # type: ignore[index]

    def post(self, path: str, **fields: str) -> httpx.Response:
        return self.client.post(path, data={"csrf": self.csrf, **fields})

    def begin(self, **fields: str) -> str:
        """The path of a new draft."""
        answer = self.post("/workshop", **fields)
        assert answer.status_code == 303, answer.text[:500]
        return str(answer.headers["location"])

    def files(self, **files: bytes) -> httpx.Response:
        packed = {name.replace("__", "."): base64.b64encode(content).decode() for name, content in files.items()}
        fields = {"csrf": self.csrf, "from": "files", "files": json.dumps(packed)}
        return self.client.post("/workshop", data=fields, headers={"accept": "application/json"})


@pytest.fixture
def anna(here: tuple[str, ServerState]) -> Iterator[Browser]:
    browser = Browser(here[0])
    yield browser
    browser.client.close()


def content(anna: Browser, path: str) -> dict[str, Any]:
    page = anna.client.get(path).text
    found: dict[str, Any] = json.loads(re.search(r'id="content">(.*?)</script>', page, re.DOTALL)[1])  # type: ignore[index]
    return found


@pytest.mark.long
def test_a_draft_begins_from_an_edition_a_region_and_files(anna: Browser) -> None:
    edition = anna.begin(**{"from": "edition", "board": "europe"})
    assert content(anna, edition) == beginning.of_edition("europe").as_json()
    region = anna.begin(**{"from": "region", "title": "Süden", "bounds": "5,45,12,48"})
    assert content(anna, region)["settings"]["title"] == "Süden" and content(anna, region)["backdrop"]["features"]
    folder = io.BytesIO()
    with zipfile.ZipFile(folder, "w") as archive:
        for file in (BUILTIN / "berlin").iterdir():
            archive.writestr(f"berlin/{file.name}", file.read_bytes())
    answer = anna.files(board__zip=folder.getvalue()).json()
    assert content(anna, answer["path"]) == beginning.of_edition("berlin").as_json()


@pytest.mark.long
def test_what_is_no_board_is_refused_in_words(anna: Browser) -> None:
    assert anna.post("/workshop", **{"from": "edition", "board": "nowhere"}).status_code == 400
    for bounds in ("", "1,2,3", "nan,0,1,1", "5,45,5.01,45.01", "5,48,12,45", "1e999,0,1,1"):
        answer = anna.post("/workshop", **{"from": "region", "title": "X", "bounds": bounds})
        assert answer.status_code == 400 and 'role="alert"' in answer.text
    assert anna.files(picture__png=b"\x89PNG\r\n").status_code == 400
    assert anna.files(board__zip=b"PK\x03\x04 and nothing else").status_code == 400
    for files in ("", "[]", "{}", '{"a": 1}', '{"a": "*"}', "[" * 100_000):
        assert anna.post("/workshop", **{"from": "files", "files": files}).status_code == 400


def test_links_open_what_they_say_and_nothing_else(anna: Browser, here: tuple[str, ServerState]) -> None:
    path = anna.begin(**{"from": "edition", "board": "berlin"})
    id_, key = LINK.fullmatch(path).groups()  # type: ignore[union-attr]
    look = here[1].signer.link("draft", "look", id_)
    other = anna.begin(**{"from": "edition", "board": "berlin"})
    for wrong in (f"/workshop/{id_}/{key[:-1]}", f"/workshop/{id_}/x", other.replace(LINK.fullmatch(other)[1], id_)):  # type: ignore[index]
        assert anna.client.get(wrong).status_code == 404
    bob = Browser(here[0])
    page = bob.client.get(f"/workshop/{id_}/{look}")
    assert page.status_code == 200 and key not in page.text
    for what in ("save", "public", "read", "suggest"):
        assert bob.post(f"/workshop/{id_}/{look}/{what}", version="0", steps="[]").status_code == 403
    copy = bob.post(f"/workshop/{id_}/{look}/copy").headers["location"]
    assert LINK.fullmatch(copy)[1] != id_  # type: ignore[index]
    assert content(bob, copy) == content(anna, path)


def test_steps_are_saved_and_whoever_is_behind_is_told_what_it_missed(anna: Browser) -> None:
    path = anna.begin(**{"from": "edition", "board": "berlin"})
    draft = beginning.of_edition("berlin")
    first, second = renamed(draft, "First"), renamed(draft, "Second", 1)
    assert anna.post(f"{path}/save", version="0", steps=said(first)).json() == {"version": 1}
    late = anna.post(f"{path}/save", version="0", steps=said(second))
    assert late.status_code == 409 and late.json()["version"] == 1
    assert [step["name"] for _, step in late.json()["steps"]] == ["to First"]
    assert anna.post(f"{path}/save", version="1", steps=said(second)).json() == {"version": 2}
    assert len(anna.client.get(f"{path}/since/0").json()["steps"]) == 2
    assert anna.client.get(f"{path}/since/2").json() == {"version": 2, "steps": []}
    assert "draft" in anna.client.get(f"{path}/since/7").json()  # a version that never was
    found = Draft.from_json(content(anna, path))
    assert [cells["name"] for cells in list(found["cities"].values())[:2]] == ["First", "Second"]


def test_hostile_steps_are_refused_and_change_nothing(anna: Browser) -> None:
    path = anna.begin(**{"from": "edition", "board": "berlin"})
    before = content(anna, path)
    draft = Draft.from_json(before)
    mark = "mark-of-mine"
    too_many = Step("", added(draft, "cities", [{"name": f"N{n}"} for n in range(MAX_ROWS)]))
    edit = {"table": "cities", "row": "c1", "before": None, "after": {"name": "x"}}
    for steps in (
        "",
        "{}",
        "7",
        "[" * 100_000,
        "[[1, 2]]",
        json.dumps([["short", {"edits": []}]]),
        json.dumps([[mark, {"edits": "x"}]]),
        json.dumps([[mark, {"name": "x" * 5000, "edits": []}]]),
        json.dumps([[mark, {"edits": [{"table": "passwords", "row": "c1", "before": None, "after": {}}]}]]),
        json.dumps([[mark, {"edits": [edit | {"row": "../c1"}]}]]),
        json.dumps([[mark, {"edits": [edit | {"row": "cx", "after": {"name": "a\nb"}}]}]]),
        json.dumps([[mark, {"edits": [edit | {"row": "cx", "at": -1}]}]]),
        json.dumps([[mark, {"edits": [edit]}]]),  # something else stands there
        json.dumps([[mark, {"edits": [{"table": "settings", "path": ["map"] * 9, "before": None, "after": 1}]}]]),
        json.dumps([[mark, {"edits": [{"table": "files", "row": "../../x", "before": None, "after": "y"}]}]]),
        '[["mark-of-mine", {"edits": [{"table": "settings", "path": ["x"], "before": null, "after": NaN}]}]]',
        json.dumps([[mark, too_many.as_json()]]),
        said(*[renamed(draft, "x")] * 101),
    ):
        answer = anna.post(f"{path}/save", version="0", steps=steps)
        assert answer.status_code == 400 and answer.json()["why"], steps[:80]
    for version in ("", "-1", "x", "9" * 30):
        assert anna.post(f"{path}/save", version=version, steps="[]").status_code == 400
    assert anna.client.post(f"{path}/save", data={"version": "0", "steps": "[]", "csrf": "forged"}).status_code == 403
    assert content(anna, path) == before


@pytest.mark.long
def test_a_draft_that_is_too_large_is_refused(anna: Browser) -> None:
    path = anna.begin(**{"from": "edition", "board": "berlin"})
    for n in range(12):
        edit = {"table": "files", "row": f"notes{n}.txt", "before": None, "after": "x" * 400_000}
        steps = json.dumps([["mark-of-mine", {"edits": [edit]}]])
        answer = anna.post(f"{path}/save", version=str(n), steps=steps)
        if answer.status_code == 400:
            break
    assert answer.status_code == 400 and "too large" in answer.json()["why"]
    assert anna.post(f"{path}/save", version="0", steps="x" * 3_100_000).status_code == 413


@pytest.mark.long
def test_what_a_stranger_writes_into_a_board_does_not_run_anywhere(
    anna: Browser, here: tuple[str, ServerState]
) -> None:
    path = anna.begin(**{"from": "edition", "board": "berlin"})
    draft = Draft.from_json(content(anna, path))
    evil = "</script><script>alert(1)</script><img src=x onerror=alert(1)>&'"
    title = {"table": "settings", "path": ["title"], "before": "Berlin", "after": evil[:58]}
    name = changed(draft, "cities", "c1", name=evil.replace(">", "")[:40]).as_json()
    steps = json.dumps([["mark-of-mine", {"name": evil, "edits": [title, name]}]])
    assert anna.post(f"{path}/save", version="0", steps=steps).status_code == 200
    anna.post(f"{path}/public", public="1")
    for page in (path, "/workshop"):
        text = anna.client.get(page).text
        assert "<script>alert" not in text and "<img src=x" not in text
    clean = json.dumps(
        [["mark-of-mine2", {"name": "", "edits": [dict(name, before=name["after"], after=name["before"])]}]]
    )
    assert anna.post(f"{path}/save", version="1", steps=clean).status_code == 200
    drawing = anna.client.get(f"{path}/drawing.svg")
    assert drawing.status_code == 200 and "<script" not in drawing.text
    assert "script-src" not in drawing.headers["content-security-policy"]
    assert drawing.headers["content-security-policy"].startswith("default-src 'none'")
    table = anna.post(f"{path}/play", seats="2")
    assert table.status_code == 303
    assert "<script>alert" not in anna.client.get(table.headers["location"]).text


@pytest.mark.long
def test_a_table_keeps_the_board_it_began_with(anna: Browser, here: tuple[str, ServerState]) -> None:
    """Also its look, which is no part of a board's digest."""
    path = anna.begin(**{"from": "edition", "board": "berlin"})
    draft = Draft.from_json(content(anna, path))
    first = anna.post(f"{path}/play", seats="2", friends="1").headers["location"]
    step = Step("", (changed(draft, "cities", "c1", lat="52.5000", aliases="Somewhere Else"),))
    anna.post(f"{path}/save", version="0", steps=said(step))
    second = anna.post(f"{path}/play", seats="2").headers["location"]
    state = here[1]
    boards = []
    for location in (first, second):
        stored = state.store.load(location.rpartition("/")[2])
        assert stored is not None
        boards.append(kept_boards.board_of(state.store, stored.room))
    assert [board.places[0].lat for board in boards if board] == [float(draft["cities"]["c1"]["lat"]), 52.5]
    assert boards[0] is not None and boards[1] is not None and boards[0].digest == boards[1].digest
    seats = [row.kind for row in state.store.load(first.rpartition("/")[2]).seats]  # type: ignore[union-attr]
    assert seats == ["person", "open"]
    assert anna.client.get(first).status_code == anna.client.get(second).status_code == 200


@pytest.mark.long
def test_a_draft_has_rules_and_is_dealt_as_it_was(anna: Browser, here: tuple[str, ServerState]) -> None:
    path, state = anna.begin(**{"from": "edition", "board": "berlin"}), here[1]
    draft = Draft.from_json(content(anna, path))
    rules = anna.client.get(f"{path}/rules").text
    assert f'href="{path}/referee"' in rules and f'href="{path}"' in rules
    assert anna.client.get(f"{path}/referee").status_code == 200
    page = anna.client.get(f"{path}/deal").text
    assert f'action="{path}/deal"' in page and page.count("data-most=") == 1
    assert anna.post(f"{path}/deal", name0="Anna").status_code == 400, "one person is no table"
    door = anna.post(f"{path}/deal", name0="Anna", name1="Ben").headers["location"]
    step = Step("", (changed(draft, "cities", "c1", lat="52.5000"),))
    anna.post(f"{path}/save", version="0", steps=said(step))
    found = dealings.load(state.store, door.split("/")[2])
    board = kept_boards.board_of(state.store, found[0]) if found else None
    assert board is not None and board.places[0].lat == float(draft["cities"]["c1"]["lat"])
    hand = re.findall(r'<a class="button" href="(/deal/[^"]+)"', anna.client.get(door).text)[2]
    assert f'href="{hand}/rules"' in anna.client.get(hand).text
    assert anna.client.get(f"{hand}/rules").status_code == anna.client.get(f"{hand}/referee").status_code == 200
    assert anna.client.get(f"{hand}x/rules").status_code == 404


@pytest.mark.long
def test_a_board_with_faults_is_neither_played_nor_drawn_nor_printed(anna: Browser) -> None:
    path = anna.begin(**{"from": "region", "title": "Empty", "bounds": "5,45,12,48"})
    assert anna.post(f"{path}/play", seats="2").status_code == 409
    for what in ("drawing.svg", "print.pdf", "rules", "referee", "deal"):
        assert anna.client.get(f"{path}/{what}").status_code == 409
    found = anna.client.get(f"{path}/check").json()["findings"]
    assert found and not found[0]["advice"]
    anna.client.get("/language/de")
    in_german = anna.client.get(f"{path}/check").json()["findings"]
    assert [one["message"] for one in in_german] == ["hat keine Zeilen"] * len(found)
    refused = anna.post(f"{path}/suggest", what="deal", **{"deck tickets": "9"})
    assert (refused.status_code, refused.json()["why"][:25]) == (400, "9 Zielkarten zu verteilen")
    path = anna.begin(**{"from": "edition", "board": "berlin"})
    assert ">Felder<" in anna.client.get(f"{path}/drawing.svg").text
    anna.client.get("/language/en")


@pytest.mark.long
def test_a_board_is_printed(anna: Browser) -> None:
    if importlib.util.find_spec("typst") is None:
        missing("typst is not installed (the extra `workshop`)")
    path = anna.begin(**{"from": "edition", "board": "berlin"})
    answer = anna.client.get(f"{path}/print.pdf", params={"paper": "a4", "part": ["map", "tickets"]})
    assert answer.status_code == 200 and answer.content.startswith(b"%PDF")
    assert anna.client.get(f"{path}/print.pdf", params={"paper": "a0"}).status_code == 409


@pytest.mark.long
def test_tickets_are_printed_on_both_sides_with_their_decks_in_the_readers_words(anna: Browser) -> None:
    if importlib.util.find_spec("typst") is None or importlib.util.find_spec("pypdf") is None:
        missing("typst and pypdf are not installed (the extra `workshop`)")
    import pypdf

    path = anna.begin(**{"from": "edition", "board": "germany"})
    anna.client.get("/language/de")
    answer = anna.client.get(f"{path}/print.pdf", params={"part": "tickets", "backs": "1"})
    anna.client.get("/language/en")
    texts = [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(answer.content)).pages]
    assert len(texts) % 2 == 0 and all(("Rückseite" in text) == bool(n % 2) for n, text in enumerate(texts))
    for text in texts:  # on the faces, and on the backs behind them
        assert "kurz" in text or "lang" in text
        assert "short" not in text and "long" not in text


@pytest.mark.long
def test_everything_can_be_saved_as_files_and_read_again(anna: Browser) -> None:
    path = anna.begin(**{"from": "edition", "board": "germany"})
    names = anna.client.get(f"{path}/files").json()
    assert {"board.toml", "cities.csv", "routes.csv", "tickets.csv", "exits.csv", "map.geojson"} <= set(names)
    for name in names:
        assert anna.client.get(f"{path}/files/{name}").status_code == 200
    for name in ("nothing.csv", "..%2F..%2Fetc%2Fpasswd", "%00"):
        assert anna.client.get(f"{path}/files/{name}").status_code == 404
    whole = anna.client.get(f"{path}/files/board.zip")
    assert whole.headers["content-disposition"] == 'attachment; filename="board.zip"'
    answer = anna.files(again__zip=whole.content).json()
    assert answer["reasons"] == [] and content(anna, answer["path"]) == content(anna, path)
    assert anna.client.get(f"{path}/files/map-generator.zip").content.startswith(b"PK")


def test_towns_are_found_by_any_of_their_names_those_on_the_map_first(anna: Browser) -> None:
    def towns(**params: str) -> list[str]:
        return [town["name"] for town in anna.client.get("/workshop/towns", params=params).json()]

    assert "Prague" in towns(name="Prag")
    assert towns(name="Praha", exact="1")[0] == "Prague"
    assert towns(name="Prah", exact="1") == [] and towns(name="") == [] and towns(name="x" * 400) == []
    paris = anna.client.get("/workshop/towns", params={"name": "Paris", "exact": "1", "near": "-100,30,-90,36"}).json()
    assert paris[0]["country"] == "US"
    assert towns(name="Wien", near="nonsense") != []


@pytest.mark.long
def test_suggestions_are_steps_that_fit_the_draft(anna: Browser) -> None:
    path = anna.begin(**{"from": "edition", "board": "germany"})
    draft = Draft.from_json(content(anna, path))
    dealt = {"what": "deal", "deck short": "8", "deck long": "4"}
    for fields in (dealt, {"what": "values"}, {"what": "colours"}):
        step = Step.from_json(anna.post(f"{path}/suggest", **fields).json()["step"])
        assert applied(draft, step) is not None
    for bad in (
        {"what": "deal", "deck short": "-1"},
        {"what": "deal"},
        {"what": "magic"},
        {"what": "deal", "deck x": "999"},
    ):
        assert anna.post(f"{path}/suggest", **bad).status_code == 400
    route = anna.client.get(f"{path}/suggest/route", params={"a": "Berlin", "b": "München", "kind": "rail"}).json()
    assert 1 <= int(route["length"]) <= 9 and route["colour"]


@pytest.mark.long
def test_too_much_of_anything_is_refused(tmp_path: Path) -> None:
    limits = Limits(drafts=(2, 0.01), saves=(3, 0.01), checks=(3, 0.01), drawings=(3, 0.01))
    settings = Settings(database=f"sqlite:///{tmp_path / 'rooms.sqlite'}", warm_up=False, limits=limits)
    with running_here(settings) as (url, _):
        anna = Browser(url)
        path = anna.begin(**{"from": "edition", "board": "berlin"})
        saves = [anna.post(f"{path}/save", version="0", steps="[]").status_code for _ in range(5)]
        checks = [anna.client.get(f"{path}/ground").status_code for _ in range(5)]
        drawings = [anna.client.get(f"{path}/drawing.svg").status_code for _ in range(5)]
        assert saves == checks == drawings == [200, 200, 200, 429, 429]
        begun = [anna.post("/workshop", **{"from": "edition", "board": "berlin"}).status_code for _ in range(2)]
        assert begun == [303, 429]
        anna.client.close()
