"""Counting a game at the table: totals as `branchline score` has them, by taps, keys, links, and without a network."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pressing import Visitor, faults

import branchline as bl
from branchline.web.core.pages import assets
from web.final_tables import played, strewn

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 760}, "has_touch": True, "is_mobile": True}
LIVE = "body[data-live]"
WAITS_AS_WELL = """async () => { dispatchEvent(new Event("online"));
    for (let n = 0; n < 500; n += 1) {
        if ((await navigator.locks.query()).pending.length) return true;
        await new Promise(done => setTimeout(done, 20));
    }
    return false; }"""
PARTS = ("routes", "tickets", "tours", "stations", "globetrotter", "passengers", "ports", "swaps", "total")

KEPT = "Object.entries(localStorage).find(([key]) => key.startsWith('branchline count '))"

# Scores positions by the page's own modules and the engine, and writes each of them back.
SCORE = """async ([root, editions, positions]) => {
    const [core, count] = ["core/browser", "count"];
    const names = [`${core}/desk/board`, `${count}/record`, `${count}/scoring`, `${core}/desk/table`, `${core}/engine`];
    const [board, record, scoring, table, rules] = await Promise.all(names.map(name => import(`${root}${name}.js`)));
    const engine = await rules.engine();
    const boards = {};
    for (const name of editions) {
        const found = board.boardOf(await (await fetch(`/count/${name}.json?language=en`)).json());
        boards[name] = Object.assign(found, { table: table.tableOf(engine, found) });
    }
    return positions.map(given => {
        const on = boards[given.edition], position = record.positionOf(on, given);
        const sheet = scoring.scored(on, position);
        const again = record.recordOf(on, position);
        return { winners: sheet.winners, again, seats: sheet.seats.map(one => ({ ...one.parts, total: one.total,
            done: one.ticketsDone, trail: one.trail.spaces, walked: one.trail.routes.map(route => route.index),
            results: one.tickets.map(two => [two.ticket.name, two.done, two.inOrder, two.points]),
            built: one.built.reduce((sum, two) => sum + two.points, 0),
            borrowed: one.borrowed.map(two => two.route ? two.route.between : null) })) };
    });
}"""


def opened(visitor: Any, path: str = "/count", **look: Any) -> tuple[Visitor, Any]:
    """Somebody who looks at a page of counts."""
    who = visitor(**(PHONE | look))
    who.page.goto(who.address + path)
    who.page.wait_for_selector(LIVE)
    return who, who.page


def begun(page: Any, edition: str = "europe", seats: int = 3) -> None:
    page.select_option("#edition", edition)
    page.select_option("#seats", str(seats))
    page.locator("#new-count .big").click()
    page.wait_for_selector("#board svg")


def typed(page: Any, text: str) -> str:
    """Enter a route by its name; what the page says to it."""
    page.fill("#type-routes", text)
    page.press("#type-routes", "Enter")
    return str(page.inner_text("#told"))


def kept(page: Any) -> Any:
    """The position that the browser keeps."""
    return json.loads(page.evaluate(f"() => ({KEPT})[1]"))["record"]


def compared(chromium: Any, server: str, strewn_each: int) -> int:
    """How many positions have, source by source, the same points in the page, without a network, as by the rules."""
    boards = [bl.load_board(name) for name in bl.builtin_boards()]
    expected, positions = [], []
    for board in boards:
        for seats in range(board.seats[0], board.seats[1] + 1):
            for seed in range(strewn_each):
                positions.append(strewn(board, seats, seed))
                expected.append(bl.score_position(positions[-1]))
    for position, sheet in played():
        positions.append(position)
        expected.append(bl.score_position(position))
        assert [one["total"] for one in expected[-1]["seats"]] == list(sheet.totals)
    who = Visitor(chromium, server, service_workers="allow", **PHONE)
    who.page.goto(f"{who.address}/count")
    who.page.wait_for_selector("body[data-offline]")
    who.context.set_offline(True)
    who.page.reload()
    found = who.page.evaluate(SCORE, [f"/static/{assets.digest()}/", [board.id for board in boards], positions])
    who.context.close()
    for given, theirs, ours in zip(positions, expected, found, strict=True):
        assert ours["winners"] == theirs["winner_seats"], given
        assert bl.score_position(ours["again"]) == theirs, "written back it is the same position"
        for seat, mine, right in zip(given["seats"], ours["seats"], theirs["seats"], strict=True):
            trail = right["longest_trail"]
            assert {name: mine[name] for name in PARTS} == {name: right[name] for name in PARTS}, given
            assert (mine["trail"], mine["longest_trail_bonus"]) == (trail["length"], trail["bonus"]), given
            assert is_trail(bl.load_board(given["edition"]), mine["walked"], mine["trail"]), (given, mine["walked"])
            assert mine["done"] == right["tickets_done"]
            assert mine["built"] == right["ports"] - right_unbuilt(given["edition"], seat)
            told = {
                one["ticket"]: [one["done"], one.get("in_order", False), one["points"]]
                for one in right["ticket_results"]
            }
            assert {name: rest for name, *rest in mine["results"]} == told, given
            lent = [route and next(one.name for one in _lines(given, route)) for route in right["borrowed"].values()]
            assert mine["borrowed"] == lent, given
    return len(positions)


def is_trail(board: bl.Board, routes: list[int], spaces: int) -> bool:
    """Whether these routes make one walk of so many spaces that uses none twice (a country is an end each time)."""
    lines = [
        [f"{end.name} {route}" if end.kind == "country" else end.name for end in (one.a, one.b)]
        for route, one in ((route, board.routes[route]) for route in routes)
    ]
    ends = [end for line in lines for end in line]
    joined = set(lines[0]) if lines else set()
    for _ in lines:
        joined.update(end for line in lines if joined & set(line) for end in line)
    odd = sum(ends.count(end) % 2 for end in set(ends))
    return (
        len(set(routes)) == len(routes)
        and sum(board.routes[route].length for route in routes) == spaces
        and odd <= 2
        and joined == set(ends)
    )


def right_unbuilt(edition: str, seat: dict[str, Any]) -> int:
    """What the ports that a seat has not built count."""
    ports = bl.load_board(edition).ports
    return ports.unbuilt * (ports.count - len(seat.get("ports", []))) if ports else 0


def _lines(given: dict[str, Any], text: str) -> tuple[bl.Route, ...]:
    board = bl.load_board(given["edition"])
    return tuple(one for one in board.routes if text == one.name or text.startswith(f"{one.name} "))


@pytest.mark.long
def test_without_a_network_the_page_counts_every_edition_source_by_source_as_the_rules_do(
    chromium: Any, server: str
) -> None:
    assert compared(chromium, server, strewn_each=3) == 57 + 17


@pytest.mark.long
def test_the_page_counts_a_thousand_positions_as_the_rules_do(chromium: Any, server: str) -> None:
    assert compared(chromium, server, strewn_each=55) == 1045 + 17


def test_a_count_is_tapped_told_kept_shared_and_read_again(visitor: Any, tmp_path: Path) -> None:
    who, page = opened(visitor)
    begun(page)
    x, y = page.evaluate(
        """() => { const line = document.querySelector('#board [data-route="20"] .hit');
        const at = line.getPointAtLength(line.getTotalLength() / 2).matrixTransform(line.getScreenCTM());
        return [at.x, at.y]; }"""
    )
    page.touchscreen.tap(x, y)
    assert "Berlin–Wien" in page.inner_text("#told") and kept(page)["seats"][0]["routes"] == [["Berlin", "Wien"]]
    page.touchscreen.tap(x, y)
    assert "Removed" in page.inner_text("#told") and kept(page)["seats"][0]["routes"] == []
    page.click("#undo")
    assert kept(page)["seats"][0]["routes"] == [["Berlin", "Wien"]]
    page.click("[data-seat='1']")
    assert "belongs to Player 1" in typed(page, "Vienna Berlin"), "an impossible route is not taken, and said"
    typed(page, "berlin frankfurt")
    page.click("[data-seat='2']")
    assert "Against the rules" in typed(page, "berlin frankfurt"), "a second line at three seats is taken, and said"
    for name in (
        "Palermo Smyrna",
        "Stockholm Petrograd",
        "Kyiv Budapest",
        "Pamplona Paris",
        "Edinburgh London",
        "Palermo Roma",
    ):
        typed(page, name)
        assert "Not possible" not in page.inner_text("#told")
    typed(page, "Sochi Erzurum")
    typed(page, "Sevastopol Rostov")
    assert "Not possible: Player 3 would have 46" in typed(page, "Wilno Petrograd")
    page.click("#tools [data-tool=tickets]")
    page.click("[data-seat='0']")
    page.fill("#ticket-search", "ber mos")
    page.locator(".ticket-line").first.click()
    assert "not completed" in page.locator(".ticket-line").first.inner_text()
    page.click("#tools [data-tool=stations]")
    page.fill("#type-stations", "Vídeň")
    page.press("#type-stations", "Enter")
    page.click("#tools [data-tool=result]")
    position = kept(page)
    assert position["seats"][0]["stations"] == ["Wien"] and position["seats"][0]["tickets"] == [
        ["Berlin", "Moskva", 12]
    ]
    totals = [str(one["total"]).replace("-", "−") for one in bl.score_position(position)["seats"]]
    assert page.locator(".sheet tfoot td").all_inner_texts() == totals
    other = who.context.new_page()  # a second tab goes on from there, and the first one follows
    other.goto(page.url)
    other.wait_for_selector(".player")
    typed(other, "Madrid Lisboa")
    page.wait_for_function("() => JSON.stringify(localStorage).includes('Lisboa')")
    page.click("#tools [data-tool=routes]")
    page.wait_for_function("() => document.querySelector('.chips-back').textContent.includes('Lisboa')")
    page.click("#undo", force=True)  # what this page did before is not taken back over what the other one did since
    page.reload()
    page.wait_for_selector(LIVE)
    assert ["Lisboa", "Madrid"] in kept(page)["seats"][0]["routes"]
    page.click("#tools [data-tool=result]")
    with page.expect_download() as saved:
        page.click("[data-act=file]")
    file = tmp_path / "count.json"
    saved.value.save_as(file)
    assert bl.score_position(json.loads(file.read_text("utf-8"))) == bl.score_position(kept(page))
    with page.expect_download() as drawn:
        page.click("[data-act=picture]")
    drawn.value.save_as(tmp_path / "count.png")
    assert (tmp_path / "count.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    link = page.evaluate(
        """async root => { const { linkTo } = await import(`${root}link.js`);
        return linkTo(JSON.parse(KEPT[1]).record); }""".replace("KEPT", f"({KEPT})"),
        f"/static/{assets.digest()}/core/browser/desk/",
    )
    _, friend = opened(visitor, f"/count{link}")
    friend.wait_for_selector(".sheet")
    assert friend.evaluate("localStorage.length") == 0, "what somebody shared is not kept before it is changed"
    assert friend.locator(".sheet tfoot td").all_inner_texts() == page.locator(".sheet tfoot td").all_inner_texts()
    friend.goto(f"{who.address}/count")
    friend.wait_for_selector(LIVE)
    friend.set_input_files("#count-file", file)
    friend.wait_for_selector(".player")
    assert bl.score_position(kept(friend)) == bl.score_position(kept(page))


@pytest.mark.long
def test_a_link_that_is_no_count_is_refused_in_words(visitor: Any) -> None:
    no_seat = "#j=eyJlZGl0aW9uIjoiZXVyb3BlIiwic2VhdHMiOls1XX0"
    who, page = opened(visitor)
    for fragment in ("#z=AAAA", "#j=e30", "#c=none", "#z=" + "A" * 30_000, no_seat):
        page.goto("about:blank")
        page.goto(f"{who.address}/count{fragment}")
        page.wait_for_selector(LIVE)
        page.wait_for_selector("#notice:not([hidden])")
        assert page.locator("#begin").is_visible() and page.evaluate("localStorage.length") == 0, fragment


@pytest.mark.long
@pytest.mark.parametrize(
    ("language", "look"), [("en", {}), ("de", {"viewport": {"width": 1280, "height": 800}})], ids=["phone", "desk"]
)
def test_axe_finds_nothing_wrong_in_any_part_of_a_count(
    visitor: Any, axe: str, language: str, look: dict[str, Any]
) -> None:
    for theme in ("light", "dark", "contrast"):
        who = visitor(**(PHONE | look))
        for name, value in (("theme", theme), ("language", language)):
            who.context.add_cookies([{"name": f"branchline_{name}", "value": value, "url": who.address}])
        page = who.page
        page.goto(f"{who.address}/count")
        page.wait_for_selector(LIVE)
        assert not faults(page, axe)
        begun(page, "germany" if theme == "dark" else "world" if theme == "contrast" else "europe")
        page.locator("#type-routes").fill("Ber")
        for tool in page.locator("#tools button").all():
            tool.click()
            assert not faults(page, axe), (theme, tool.inner_text())
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.long
def test_the_route_given_as_an_example_is_one_of_this_board(visitor: Any) -> None:
    _, page = opened(visitor)
    begun(page, "berlin")
    example = page.get_attribute("#type-routes", "placeholder").removeprefix("Type a route, such as ")
    typed(page, example)
    first, second = kept(page)["seats"][0]["routes"][0][:2]
    assert example == f"{first} {second}" or example == f"{second} {first}"


@pytest.mark.long
def test_a_count_goes_on_without_a_network_and_opens_again_without_one(chromium: Any, server: str) -> None:
    who = Visitor(chromium, server, service_workers="allow", **PHONE)
    page = who.page
    page.goto(f"{who.address}/count")
    page.wait_for_selector("body[data-offline]")
    begun(page)
    typed(page, "Berlin Wien")
    who.context.set_offline(True)
    typed(page, "Wien Budapest")
    page.reload()
    page.wait_for_selector(LIVE)
    page.wait_for_selector(".player")
    typed(page, "Madrid Lisboa")
    assert [one[:2] for one in kept(page)["seats"][0]["routes"]] == [
        ["Berlin", "Wien"],
        ["Budapest", "Wien"],
        ["Lisboa", "Madrid"],
    ]
    page.click("#tools [data-tool=result]")
    totals = [str(one["total"]).replace("-", "−") for one in bl.score_position(kept(page))["seats"]]
    assert page.locator(".sheet tfoot td").all_inner_texts() == totals
    page.click("[data-act=evening]")
    page.wait_for_function("() => document.getElementById('notice').textContent.includes('Saved in this browser')")
    again = who.context.new_page()  # another edition, which was never opened
    again.goto(f"{who.address}/count")
    again.wait_for_selector(LIVE)
    begun(again, "world")
    assert again.locator("#board [data-route]").count() == len(bl.load_board("world").routes)
    assert len(page.evaluate("caches.keys()")) == 1
    who.context.set_offline(False)
    page.wait_for_function("() => localStorage.getItem('branchline evenings-waiting') === '{}'")
    page.goto(f"{who.address}/evenings")
    assert page.locator(".game summary").count() == 1, "sent by itself when there is a network again"
    who.context.close()


@pytest.mark.long
def test_of_two_open_pages_one_sends_an_evening_at_a_time(visitor: Any) -> None:
    who, page = opened(visitor)
    begun(page)
    page.click("#tools [data-tool=result]")
    other = who.context.new_page()
    other.goto(page.url)
    other.wait_for_selector(LIVE)
    asking: list[Any] = []
    who.context.route("**/evenings/form.json", lambda request: asking.append(request))
    with page.expect_request("**/evenings/form.json"):
        page.click("[data-act=evening]")
    assert other.evaluate(WAITS_AS_WELL), "the other page waits until this one has sent it"
    assert len(asking) == 1
    asking[0].continue_()
    page.wait_for_function("() => localStorage.getItem('branchline evenings-waiting') === '{}'")
    page.goto(f"{who.address}/evenings")
    assert page.locator(".game summary").count() == 1
    assert len(asking) == 1, "nothing is left for it to send"
