"""The workshop in a real browser: boards made by mouse and by keyboard, and nothing that is done is ever lost."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pressing import Visitor, faults, visitors

from branchline.boards.catalogue import BUILTIN
from branchline.web.core.http.state import ServerState
from branchline.web.core.settings import Limits, Settings
from branchline.web.workshop import saving
from branchline.web.workshop import store as drafts
from branchline.workshop import Draft, findings
from web.running_here import running_here

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
PLACES = {
    "Bern": (420, 380),
    "Basel": (400, 250),
    "Genf": (180, 520),
    "Chur": (700, 400),
    "Lugano": (620, 560),
}
ROUTES = [
    ("Bern", "Basel"),
    ("Bern", "Genf"),
    ("Basel", "Chur"),
    ("Chur", "Lugano"),
    ("Genf", "Lugano"),
    ("Bern", "Chur"),
]
TICKETS = [
    ("Genf", "Chur"),
    ("Basel", "Lugano"),
    ("Bern", "Lugano"),
    ("Basel", "Genf"),
    ("Bern", "Chur"),
    ("Genf", "Lugano"),
]


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, ServerState]]:
    folder = tmp_path_factory.mktemp("workshop")
    settings = Settings(database=f"sqlite:///{folder / 'rooms.sqlite'}", warm_up=False, limits=Limits().times(100))
    with running_here(settings) as running:
        yield running


@pytest.fixture
def maker(chromium: Any, workshop: tuple[str, ServerState]) -> Iterator[Callable[..., Visitor]]:
    """People who make boards."""
    with visitors(chromium, workshop[0]) as make:
        yield make


def kept(state: ServerState, page: Any) -> Draft:
    """What the server has of the board on a page."""
    row = drafts.load(state.store, page.url.split("/")[-2])
    assert row is not None
    return saving.unpacked(row)


def live(page: Any) -> Any:
    page.wait_for_selector("body[data-live]")
    return page


def saved(page: Any) -> None:
    page.wait_for_selector("#state[data-state=saved]")


def begun(anna: Visitor, edition: str = "berlin") -> Any:
    page = live(anna.go("/workshop"))
    page.locator(f".small-editions form:has([value={edition}]) button").click()
    page.wait_for_url("**/workshop/*/*")
    return live(page)


def empty(anna: Visitor, title: str = "Small Alps") -> Any:
    page = live(anna.go("/workshop"))
    page.fill("#region [name=title]", title)
    for side, value in {"west": "5", "south": "45", "east": "12", "north": "48.5"}.items():
        page.fill(f"#region [name={side}]", value)
    page.click("#region button")
    page.wait_for_url("**/workshop/*/*")
    return live(page)


def names(draft: Draft) -> list[str]:
    return [cells["name"] for cells in draft["cities"].values()]


def faults_of(draft: Draft) -> list[str]:
    return [one.message for one in findings(draft) if not one.advice]


def point(page: Any, name: str) -> tuple[float, float]:
    """Where a place lies in the window."""
    box = page.locator(f".editing .place:has(text:text-is('{name}')) .dot").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.long
def test_a_row_that_is_being_pressed_is_not_drawn_anew(maker: Callable[..., Visitor]) -> None:
    page = begun(maker())
    row = page.locator("#rows-cities button").first
    pressed = row.element_handle()
    row.hover()
    page.mouse.down()
    with page.expect_response("**/check"):  # its answer draws all lists
        page.evaluate("document.querySelector('#tab-tickets').click()")
        page.evaluate("document.querySelector('#rows-tickets button').click()")
        page.evaluate("document.querySelector('#delete').click()")
    page.evaluate("document.querySelector('#tab-cities').click()")
    page.wait_for_function("() => document.querySelector('#state').dataset.state === 'saved'")
    assert pressed.evaluate("row => row.isConnected")
    page.mouse.up()
    page.wait_for_selector("#card [data-card=cities]")


@pytest.mark.long
def test_a_board_is_made_from_nothing_by_mouse(
    maker: Callable[..., Visitor], workshop: tuple[str, ServerState]
) -> None:
    page = empty(maker())
    page.wait_for_selector(".editing .ground .land", state="attached")
    page.locator(".tool", has_text="Place").click()
    stage = page.locator("#stage").bounding_box()
    for name, (x, y) in PLACES.items():
        page.mouse.click(stage["x"] + x, stage["y"] + y)
        page.keyboard.type(name)
        page.keyboard.press("Enter")
        page.wait_for_selector(f"#rows-cities >> text={name}")
    page.locator(".tool", has_text="Route").click()
    for a, b in ROUTES:
        page.mouse.move(*point(page, a))
        page.mouse.down()
        page.mouse.move(*point(page, b), steps=4)
        page.mouse.up()
        page.wait_for_selector(f"#card-title:text-is('{a}–{b}')")
    page.click("#tab-routes")
    assert page.locator("#rows-routes li").count() == len(ROUTES)
    saved(page)
    assert len({cells["colour"] for cells in kept(workshop[1], page)["routes"].values()}) > 1
    page.click("#tab-tickets")
    for a, b in TICKETS:
        page.fill("[data-add=tickets] [name=city_a]", a)
        page.fill("[data-add=tickets] [name=city_b]", b)
        page.click("[data-add=tickets] button")
    page.click("#tab-rules")
    page.fill("[data-path='seats.to']", "2")
    page.fill("[data-path='pieces.train']", "9")
    page.fill("[data-path='parallel.one_line_up_to_seats']", "2")
    page.keyboard.press("Tab")
    saved(page)
    page.wait_for_selector("#verdict:not(.bad):has-text('No errors')")
    draft = kept(workshop[1], page)
    assert sorted(names(draft)) == sorted(PLACES)
    assert faults_of(draft) == []
    lat = {cells["name"]: float(cells["lat"]) for cells in draft["cities"].values()}
    assert lat["Basel"] > lat["Bern"] > lat["Lugano"]

    page.locator(".tool", has_text="Select").click()
    before = draft["cities"]
    x, y = point(page, "Bern")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y + 10, steps=4)
    with page.expect_response("**/save"):
        page.mouse.up()
    saved(page)
    moved = [row for row, cells in kept(workshop[1], page)["cities"].items() if cells != before[row]]
    assert [before[row]["name"] for row in moved] == ["Bern"]


def tab_to(page: Any, selector: str, most: int = 80) -> None:
    """Press Tab until something has focus: it can be reached."""
    for _ in range(most):
        if page.evaluate("(selector) => Boolean(document.activeElement?.matches(selector))", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {selector}")


@pytest.mark.long
def test_a_board_is_made_from_nothing_by_keyboard_alone(
    maker: Callable[..., Visitor], workshop: tuple[str, ServerState]
) -> None:
    page = live(maker().go("/workshop"))
    press, type_ = page.keyboard.press, page.keyboard.type
    tab_to(page, "#region [name=title]")
    type_("Keys")
    press("Enter")
    page.wait_for_url("**/workshop/*/*")
    live(page)
    press("Tab")
    press("Enter")  # past the bar, to the lists
    tab_to(page, "[data-add=cities] [name=name]")
    for name, lat, lon in (("Aarau", "47.4", "8.0"), ("Brig", "46.3", "8.0"), ("Chur", "46.8", "9.5")):
        type_(name)
        press("Tab")
        press("Control+A")
        type_(lat)
        press("Tab")
        press("Control+A")
        type_(lon)
        press("Enter")
        page.wait_for_selector(f"#rows-cities >> text={name}")
        assert page.evaluate("document.activeElement.name") == "name"
    tab_to_previous(page, "#tab-cities")
    press("ArrowRight")
    assert page.evaluate("document.activeElement.id") == "tab-routes"
    press("2")
    for n, (a, b) in enumerate((("aar", "b"), ("Brig", "Chur"), ("c", "Aarau"))):
        assert page.evaluate("document.activeElement.name") == "city_a"
        type_(a)
        press("Tab")
        type_(b)
        press("Tab")
        type_(str(n + 2))
        press("Enter")
        page.wait_for_function("n => document.querySelectorAll('#rows-routes button').length === n", arg=n + 1)
    assert "Chur–Aarau, 4" in page.locator("#hint").inner_text()
    type_("Aar")
    press("Tab")
    type_("Zug")
    press("Enter")
    page.wait_for_selector("#notice:not([hidden]) >> text=Zug")
    assert page.evaluate("document.activeElement.name") == "city_b"
    press("Escape")
    press("3")
    for a, b in (("Aarau", "Brig"), ("Brig", "Chur"), ("Chur", "Aarau")):
        assert page.evaluate("document.activeElement.name") == "city_a"
        type_(a)
        press("Tab")
        type_(b)
        press("Enter")
        page.wait_for_selector(f"#rows-tickets >> text={a}–{b}")
    tab_to(page, "#rows-tickets button")
    press("Enter")
    assert page.evaluate("document.activeElement.id") == "card-title"
    tab_to(page, "[data-card=tickets] [name=value]")
    press("Control+A")
    type_("13")
    press("Escape")
    assert page.evaluate("document.activeElement.closest('#rows-tickets') !== null")
    press("End")
    press("Delete")
    page.wait_for_function("() => document.activeElement.textContent.includes('Brig–Chur')")
    press("Control+Z")
    press("1")
    tab_to(page, "#rows-cities button")
    press("Shift+ArrowRight")
    saved(page)
    draft = kept(workshop[1], page)
    assert float(draft["cities"][next(iter(draft["cities"]))]["lon"]) > 8.0
    assert names(draft) == ["Aarau", "Brig", "Chur"]
    assert [cells["length"] for cells in draft["routes"].values()] == ["2", "3", "4"]
    assert [cells["value"] for cells in draft["tickets"].values()] == ["13", "3", "4"]


def tab_to_previous(page: Any, selector: str, most: int = 80) -> None:
    for _ in range(most):
        if page.evaluate("(selector) => Boolean(document.activeElement?.matches(selector))", selector):
            return
        page.keyboard.press("Shift+Tab")
    raise AssertionError(f"Shift+Tab does not reach {selector}")


@pytest.mark.long
def test_every_step_can_be_undone_and_done_again_also_after_a_reload(
    maker: Callable[..., Visitor], workshop: tuple[str, ServerState]
) -> None:
    page = begun(maker())
    whole = kept(workshop[1], page)
    steps = 210
    for n in range(steps):
        page.evaluate(
            """n => { const form = document.querySelector("[data-add=cities]");
              form.elements.name.value = `Place ${n}`;
              form.elements.lat.value = "52.51"; form.elements.lon.value = "13.37";
              form.requestSubmit(); if (n % 2) { document.querySelector("#rows-cities li:last-child button").click();
              document.getElementById("delete").click(); } }""",
            n,
        ) if n < 60 else page.evaluate(
            """n => { document.querySelector("#rows-cities li:first-child button").click();
              const input = document.querySelector("[data-card=cities] [name=source]");
              input.value = `source ${n}`; input.dispatchEvent(new Event("change", { bubbles: true })); }""",
            n,
        )
    saved(page)
    changed = kept(workshop[1], page)
    assert changed != whole
    live(page.reload() and page)
    undo = page.locator("#undo")
    pressed = 0
    while undo.is_enabled():
        undo.click()
        pressed += 1
    assert pressed >= 200
    saved(page)
    assert kept(workshop[1], page).as_json() == whole.as_json()
    page.locator("body").click(position={"x": 5, "y": 5})
    while page.locator("#redo").is_enabled():
        page.keyboard.press("Control+Shift+Z")
    saved(page)
    assert kept(workshop[1], page).as_json() == changed.as_json()


@pytest.mark.long
def test_a_town_that_is_known_lies_where_it_lies(
    maker: Callable[..., Visitor], workshop: tuple[str, ServerState]
) -> None:
    page = empty(maker())
    for name in ("Zürich", "Ženeva"):
        page.fill("[data-add=cities] [name=name]", name)
        page.click("[data-add=cities] button")
        page.wait_for_selector(f"#rows-cities >> text={name}")
    page.fill("[data-add=cities] [name=name]", "Nowhere At All")  # the next press on the map says where that is
    page.click("[data-add=cities] button")
    page.wait_for_selector("#hint:has-text('Click the map where Nowhere At All is.')")
    page.click("#stage", position={"x": 300, "y": 300})
    page.wait_for_selector("#rows-cities >> text=Nowhere At All")
    page.fill("[data-add=cities] [name=name]", "Praha")
    page.click("[data-add=cities] button")
    page.wait_for_selector("#notice:has-text('Praha lies outside the map')")
    saved(page)
    lies = {cells["name"]: cells.get("lat", "")[:2] for cells in kept(workshop[1], page)["cities"].values()}
    assert lies.pop("Nowhere At All"), "it has been put down"
    assert lies == {"Zürich": "47", "Ženeva": "46", "Praha": "50"}


def rename(page: Any, old: str, new: str) -> None:
    page.locator("#rows-cities button", has_text=old).first.click()
    page.fill("[data-card=cities] [name=name]", new)
    page.press("[data-card=cities] [name=name]", "Enter")


@pytest.mark.long
def test_a_place_that_is_renamed_is_so_wherever_it_stands(
    maker: Callable[..., Visitor], workshop: tuple[str, ServerState]
) -> None:
    page = begun(maker(), "world")
    rename(page, "Lagos", "Eko")
    saved(page)
    text = json.dumps(kept(workshop[1], page).as_json()["tables"])
    assert "Eko" in text and '"Lagos' not in text and ">Lagos" not in text and "Lagos>" not in text
    assert faults_of(kept(workshop[1], page)) == []


@pytest.mark.long
def test_a_name_moves_to_the_side_that_is_chosen(
    maker: Callable[..., Visitor], workshop: tuple[str, ServerState]
) -> None:
    page = begun(maker())
    page.locator("#rows-cities button", has_text="Gleisdreieck").first.click()
    page.locator("[data-card=cities] summary").click()
    name = page.locator(".editing .place text", has_text="Gleisdreieck")
    for side, anchor in (("w", "end"), ("ne", "start"), ("s", "middle")):
        page.select_option("[data-card=cities] [name=label]", side)
        page.locator(f".editing .place text[text-anchor={anchor}]", has_text="Gleisdreieck").wait_for()
        assert name.count() == 1
    saved(page)
    row = next(cells for cells in kept(workshop[1], page)["cities"].values() if cells["name"] == "Gleisdreieck")
    assert row["label"] == "s"


@pytest.mark.long
def test_two_tabs_keep_what_both_of_them_do(maker: Callable[..., Visitor], workshop: tuple[str, ServerState]) -> None:
    anna = maker()
    one = begun(anna)
    other = anna.context.new_page()
    other.goto(one.url)
    live(other)
    for page in (one, other):
        page.route("**/save", lambda route: route.abort())
    first, second, third = names(kept(workshop[1], one))[:3]
    rename(one, first, "From One")
    rename(other, second, "From Other")
    rename(one, third, "Both (One)")
    rename(other, third, "Both (Other)")
    for page in (one, other):
        page.wait_for_selector("#state[data-state=away]")
        page.unroute("**/save")
    for page in (one, other):
        saved(page)
    one.wait_for_function("() => document.querySelector('#rows-cities').textContent.includes('From Other')")
    other.wait_for_function("() => document.querySelector('#rows-cities').textContent.includes('From One')")
    there = names(kept(workshop[1], one))
    assert "From One" in there and "From Other" in there
    assert ("Both (One)" in there) != ("Both (Other)" in there)  # the same cell: one of them, and the other is told
    told = [page.locator("#notice").text_content() for page in (one, other)]  # hidden after a while
    assert any("Someone else changed the same thing" in text for text in told)
    anna.faults.clear()  # the browser writes about requests that this test has cut off


def test_what_is_done_while_the_server_is_away_is_saved_later_even_after_a_crash(
    maker: Callable[..., Visitor], workshop: tuple[str, ServerState]
) -> None:
    anna = maker()
    page = begun(anna)
    address = page.url
    page.route("**/save", lambda route: route.abort())
    first = names(kept(workshop[1], page))[0]
    rename(page, first, "Kept Here")
    page.wait_for_selector("#state[data-state=away]")
    assert "safe in this browser" in page.locator("#state").inner_text()
    before = kept(workshop[1], page)
    assert "Kept Here" not in names(before)
    page.close(run_before_unload=False)  # as in a crash: nothing is sent any more
    again = anna.context.new_page()
    again.goto(address)
    live(again)
    saved(again)
    assert "Kept Here" in names(kept(workshop[1], again))
    assert again.locator("#rows-cities >> text=Kept Here").count() == 1
    anna.faults.clear()


@pytest.mark.long
def test_a_save_that_arrived_without_an_answer_is_not_done_twice(
    maker: Callable[..., Visitor], workshop: tuple[str, ServerState]
) -> None:
    anna = maker()
    page = begun(anna)
    count = len(names(kept(workshop[1], page)))

    def lose(route: Any) -> None:
        route.fetch()  # it arrives …
        route.abort()  # … and nobody hears of it

    page.route("**/save", lose, times=1)
    page.fill("[data-add=cities] [name=name]", "Once")
    page.fill("[data-add=cities] [name=lat]", "52.51")
    page.fill("[data-add=cities] [name=lon]", "13.40")
    page.click("[data-add=cities] button")
    page.wait_for_selector("#state[data-state=away]")
    saved(page)
    assert names(kept(workshop[1], page)).count("Once") == 1
    assert len(names(kept(workshop[1], page))) == count + 1
    anna.faults.clear()


@pytest.mark.long
def test_faults_stand_beside_what_they_are_about(maker: Callable[..., Visitor]) -> None:
    page = begun(maker())
    page.click("#tab-routes")
    page.locator("#rows-routes button").first.click()
    page.fill("[data-card=routes] [name=length]", "99")
    page.press("[data-card=routes] [name=length]", "Enter")
    page.wait_for_selector("#verdict.bad")
    assert "length is" in page.locator("#card-faults").inner_text()
    assert page.locator("#rows-routes li:first-child .mark").count() == 1
    assert page.locator(".editing .route.troubled").count() >= 1
    page.click("#card-close")
    page.click("#tab-check")
    page.locator("#rows-check button").first.click()
    assert page.locator("#card").is_visible()
    page.click("#tab-rules")
    page.fill("[data-path='cards.train']", "many")
    page.keyboard.press("Tab")
    page.wait_for_selector("[data-path='cards.train'][aria-invalid=true]")
    page.locator("#undo").click()
    page.locator("#undo").click()
    page.wait_for_selector("#verdict:not(.bad):has-text('No errors')")


@pytest.mark.long
def test_a_damaged_board_opens_as_far_as_it_goes_with_reasons(
    maker: Callable[..., Visitor], workshop: tuple[str, ServerState], tmp_path: Path
) -> None:
    for file in (BUILTIN / "berlin").iterdir():
        if file.is_file():
            (tmp_path / file.name).write_bytes(file.read_bytes())
    rules = (tmp_path / "board.toml").read_text(encoding="utf-8")
    (tmp_path / "board.toml").write_text(rules.replace("[seats]", "[seats", 1), encoding="utf-8")
    page = live(maker().go("/workshop"))
    page.set_input_files("#opening [type=file]", sorted(tmp_path.iterdir()))
    page.click("#opening button")
    page.wait_for_url("**/workshop/*/*")
    live(page)
    page.wait_for_selector("#inout[open]")
    assert "board.toml" in page.locator("#import-said").inner_text()
    assert kept(workshop[1], page)["cities"]


@pytest.mark.long
def test_a_file_put_into_a_board_is_one_step(
    maker: Callable[..., Visitor], workshop: tuple[str, ServerState], tmp_path: Path
) -> None:
    page = begun(maker())
    before = kept(workshop[1], page)
    tickets = tmp_path / "tickets.csv"
    tickets.write_text("city_a,city_b,value\nKurfürstendamm,Alexanderplatz,9\n", encoding="utf-8")
    page.click("#more summary")
    page.click("[data-open=inout]")
    page.set_input_files("#import-files", tickets)
    page.wait_for_selector("#import-said >> text=Everything was imported.")
    saved(page)
    assert [cells["value"] for cells in kept(workshop[1], page)["tickets"].values()] == ["9"]
    with page.expect_download() as download:
        page.click("#exports >> text=The whole board")
    assert download.value.path().read_bytes().startswith(b"PK")
    page.keyboard.press("Escape")
    page.click("#undo")
    saved(page)
    assert kept(workshop[1], page).as_json() == before.as_json()


def test_the_finished_drawing_is_shown_and_the_board_is_played(
    maker: Callable[..., Visitor], workshop: tuple[str, ServerState]
) -> None:
    page = begun(maker())
    rename(page, "Siegessäule", "Goldelse")
    page.click("#show-printed")
    page.wait_for_selector("#printed-image:not([hidden])")
    assert page.eval_on_selector("#printed-image", "one => one.naturalWidth") > 100
    page.keyboard.press("Escape")
    page.click(".etools [data-open=play]")
    page.select_option("#play-seats", "3")
    page.select_option("#play-friends", "1")
    page.click("#play-form button.first")
    page.wait_for_url("**/t/*")
    page.wait_for_selector("body[data-live] #board svg")
    assert "Goldelse" in page.locator("#board").inner_html()
    page.goto(workshop[0])
    assert page.locator("#mine").count() == 1


@pytest.mark.long
def test_who_has_the_link_for_looking_can_look_and_copy_but_not_change(
    maker: Callable[..., Visitor], workshop: tuple[str, ServerState]
) -> None:
    page = begun(maker())
    page.click("#more summary")
    page.click("[data-open=links]")
    look = page.locator("[data-link]").nth(1).input_value()
    page.check("#public")
    page.wait_for_selector("#public-said:has-text('Listed')")
    bob = maker()
    other = live(bob.go("/workshop"))
    other.locator("section[aria-labelledby=public-title] a").first.click()
    other.wait_for_url(look)
    live(other)
    assert other.locator("#undo, #delete, [data-add]").count() == 0
    other.locator("#rows-cities button").first.click()
    assert not other.locator("[data-card=cities] [name=name]").is_editable()
    other.click("#card-close")
    other.click("#more summary")
    other.click("text=Make an editable copy")
    other.wait_for_url(lambda url: url != look)
    live(other)
    assert other.locator("[data-add=cities]").count() == 1
    page.click("#public")
    page.wait_for_selector("#public-said:has-text('Only people')")


QUICK = ("dark phone", "pl")  # the other looks and languages are long tests


@pytest.mark.long
@pytest.mark.parametrize(
    ("look", "language"),
    [
        pytest.param(
            look, language, id=f"{name}-{language}", marks=[] if (name, language) == QUICK else pytest.mark.long
        )
        for name, look in (("desk", {}), ("dark phone", {**PHONE, "color_scheme": "dark"}))
        for language in ("en", "pl", "cs", "de")
    ],
)
def test_the_workshop_is_without_faults_and_fits(
    maker: Callable[..., Visitor], axe: str, language: str, look: dict[str, Any]
) -> None:
    anna = maker(locale=language, **look)
    page = live(anna.go("/workshop"))
    assert faults(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page = begun(anna)
    assert page.get_attribute("html", "lang") == language
    found = []
    for tab in ("cities", "routes", "tickets", "rules", "check"):
        page.click(f"#tab-{tab}")
        found += faults(page, axe)
        assert page.eval_on_selector("#panel", "one => one.scrollWidth <= one.clientWidth"), tab
    page.click("#tab-routes")
    page.locator("#rows-routes button").first.click()
    found += faults(page, axe)
    page.click("#show-printed")
    page.wait_for_selector("#printed-image:not([hidden])")
    found += faults(page, axe)
    page.keyboard.press("Escape")
    page.click(".etools [data-open=play]")
    found += faults(page, axe)
    assert found == []
