"""Tables whose board is real: who sees what, what is done once, what is taken back, and links, restarts, processes."""

from __future__ import annotations

import asyncio
import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
import segno
import websockets

from branchline.boards import builtin_boards, load_board
from branchline.tabletop.dealer import Dealer
from branchline.web.core.pages.translation import LANGUAGES
from branchline.web.core.rooms.room import Refused
from branchline.web.core.settings import Settings
from branchline.web.core.store.database import Conflict, Store
from branchline.web.core.visit import Visit
from branchline.web.dealing import page as dealing_page
from branchline.web.dealing import store as dealings
from branchline.web.dealing import table as dealing_table
from branchline.web.dealing.perspective import deal_context
from branchline.web.dealing.table import DealingTable, named, new_table, position_of, record_of, restored, sealed
from web.phones import NAMES, Phone, made
from web.running_here import running_here


def begun(name: str = "europe", names: list[str] = NAMES) -> DealingTable:
    """All have chosen their first tickets."""
    board = load_board(name)
    table = new_table(name, board, names, 1.0)
    for seat in range(len(names)):
        if not table.dealer.view(seat).offer:
            table = doing(table, seat, table.dealer.allowed(seat)[0])
        offer = table.dealer.view(seat).offer[: board.ticket_rules.first.keep]
        table = doing(table, seat, "keep " + " ".join(str(one.index) for one in offer))
    return table


def doing(table: DealingTable, seat: int, *deeds: str) -> DealingTable:
    for deed in deeds:
        table, _ = table.after(seat, deed, table.desk.steps[seat], 2.0)
    return table


def refused(table: DealingTable, seat: int, deed: str, step: int | None = None) -> str:
    with pytest.raises(Refused) as refusal:
        table.after(seat, deed, table.desk.steps[seat] if step is None else step, 2.0)
    return refusal.value.reason


def shown(table: DealingTable, seat: int | None) -> str:
    context = deal_context(table, seat, Visit(), "/deal/x/y")
    return (
        dealing_page.deal(context)
        + json.dumps(dealing_page.deal_fragments(context))
        + dealing_page.deal_news(context, 0)
    )


# ---------------------------------------------------------------------------------------------------- who sees what


def blinded(table: DealingTable, seat: int) -> DealingTable:
    """The same table, with other cards and tickets in all places that a seat (-1: nobody) cannot see."""
    from branchline.rules import kernel, knowledge
    from branchline.rules.state import STATE

    seen = kernel.new_buffer(STATE)
    whole = Dealer.resume(table.board, table.row.state)
    knowledge.redact(whole._table, whole._state, kernel.record_in(seen), seat)
    other = object.__new__(Dealer)
    other._open(table.board, seen)
    twin = DealingTable(table.row, table.board, table.desk, table.done)
    twin.__dict__["dealer"] = other
    return twin


@pytest.mark.parametrize("name", builtin_boards())
def test_a_page_is_made_of_what_its_seat_may_know(name: str) -> None:
    """From the state redacted for the seat comes the same page, letter for letter."""
    table = begun(name)
    deck = " ship" if table.board.cards.two_decks else ""
    table = doing(table, 1, f"draw{deck}", f"draw{deck}", "next")
    tickets = next(deed for deed in table.dealer.allowed(1) if deed.startswith("tickets"))
    table = doing(table, 1, tickets)
    for seat in (None, 0, 1):
        plain = {"allowed": (), "refills": False, "position": None}
        contexts = [
            deal_context(one, seat, Visit(), "/deal/x/y")
            for one in (table, blinded(table, -1 if seat is None else seat))
        ]
        made = [dealing_page.deal_fragments(type(one)(**{**vars(one), **plain})) for one in contexts]
        assert made[0] == made[1]


def test_hidden_cards_and_tickets_are_on_no_other_page() -> None:
    table = begun()
    secret = table.dealer.tickets(1)
    table = doing(table, 1, "draw")
    [drawn] = [event.secret for event in table.done[-1].events if event.kind == "blind"]
    assert drawn
    for seat in (None, 0):
        page = shown(table, seat)
        assert not any(ticket.name in page for ticket in secret if ticket not in table.dealer.tickets(0))
        assert "draws face down" not in page and str(table.row.seed) not in page
    assert all(ticket.name in shown(table, 1) for ticket in secret)
    assert f"Ben draws face down: {drawn[0]}" in re.sub(r"wild", "wild", shown(table, 1).replace("locomotive", "wild"))
    table = doing(table, 1, "open")
    assert all(ticket.name in shown(table, None) for ticket in secret)
    table = doing(table, 1, "hide")
    assert not any(ticket.name in shown(table, None) for ticket in secret)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_can_be_made_in_every_language(language: str) -> None:
    table = begun("world", ["Anna", "<b>Ben</b>", "Żaneta"])
    page = dealing_page.deal(deal_context(table, 1, Visit(language=language), "/deal/x/y"))
    assert "<b>Ben</b>" not in page and "&lt;b&gt;Ben" in page
    assert all(dealing_page.deal_refusal(language, reason) for reason in ("stale", "gone", "what nobody has heard of"))


# ---------------------------------------------------------------------------------------------------- once, and back


def test_a_request_that_comes_twice_is_done_once() -> None:
    table = begun()
    step = table.desk.steps[0]
    after, _ = table.after(0, "draw", step, 2.0)
    assert refused(after, 0, "draw", step) == "stale"
    doing(after, 1, "draw")  # others may do what they like meanwhile


def test_a_request_that_names_no_step_is_refused() -> None:
    table = begun()
    assert refused(table, 0, "draw", -1) == "stale", "what a message says that names no version"


def test_who_does_too_much_stops_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    table = begun()
    share = max(table.desk.steps) + 2
    monkeypatch.setattr(dealing_table, "MOST_DEEDS", share * len(NAMES))
    while table.desk.steps[1] < share:
        table = doing(table, 1, "hide" if table.desk.open[1] else "open")
    assert refused(table, 1, "hide") == refused(table, 1, "draw") == "too_long"
    table = doing(table, 0, "open" if table.desk.open[1] else "draw")
    table, _ = table.quietly(1, "relink", 2.0)
    for seat in range(len(NAMES)):
        if not table.desk.open[seat]:
            table = doing(table, seat, "open")
    assert table.over


@pytest.mark.parametrize("what", ["sit", "relink"])
def test_a_phone_cannot_do_what_concerns_links(what: str) -> None:
    assert refused(begun(), 0, what) == "not_now"


def test_of_two_who_take_the_same_card_one_has_it() -> None:
    table = begun()
    for _ in range(20):  # until another card comes to its place
        card = table.dealer.view(None).market[0]
        after = doing(table, 0, f"take 1 {card}")
        if after.dealer.view(None).market[0] != card:
            break
        table = after
    assert refused(after, 1, f"take 1 {card}") == "gone"


def test_what_showed_nothing_is_taken_back_at_once_and_only_by_who_did_it() -> None:
    table = begun()
    hand = table.dealer.view(0).hand
    card = next(iter(hand))
    paid = doing(table, 0, f"put 1 {card}")
    assert refused(paid, 1, "back") == "no_undo"
    back = doing(paid, 0, "back")
    assert back.dealer.view(0).hand == hand and refused(back, 0, "back") == "no_undo"
    assert refused(doing(paid, 1, "next"), 0, "back") == "no_undo"
    assert [entry.kind for entry in deal_context(back, 1, Visit(), "/").log][-2:] == ["action", "undo"]


def test_what_showed_a_card_is_taken_back_when_somebody_agrees() -> None:
    table = begun()
    hand = table.dealer.view(0).hand
    drawn = doing(table, 0, "draw", "back")
    assert drawn.dealer.view(0).hand != hand and refused(drawn, 0, "agree") == "no_undo"
    assert deal_context(drawn, 1, Visit(), "/").asks == 0
    agreed = doing(drawn, 1, "agree")
    assert agreed.dealer.view(0).hand == hand
    gone_on = doing(drawn, 1, "draw")
    assert refused(gone_on, 1, "agree") == "no_undo"


def test_the_game_is_over_when_all_tickets_lie_open_and_counting_begins_with_them() -> None:
    table = begun("world", ["Anna", "Ben"])
    assert deal_context(table, 0, Visit(), "/").position is None
    table = doing(doing(table, 0, "open"), 1, "open")
    assert table.over and refused(table, 0, "hide") == "over"
    position = position_of(table)
    from branchline import score_position

    counted = score_position(position)
    held = [sum(len(seat.get(kind, [])) for kind in ("tickets", "tours")) for seat in position["seats"]]
    assert held == [len(table.dealer.tickets(seat)) for seat in range(2)]
    assert [seat["name"] for seat in counted["seats"]] == NAMES


def test_the_record_deals_the_same_cards_again() -> None:
    table = doing(begun(), 0, "draw", "back")
    table = doing(doing(table, 1, "agree", "turn", "open"), 0, "next", "open")
    record = json.loads(json.dumps(record_of(table)))
    assert record["seal"] == sealed(record["dealing"], record["seed"]) == begun_seal(table)
    again = DealingTable(
        dealings.DealingRow(
            **{
                **vars(table.row),
                "state": Dealer(table.board, 2, record["seed"]).snapshot,
                "before": None,
                "version": 0,
            }
        ),
        table.board,
        new_table("europe", table.board, record["names"], 1.0).desk,
    )
    for deed in record["deeds"]:
        again = doing(again, deed["seat"], deed["deed"])
    assert again.row.state == table.row.state


def begun_seal(table: DealingTable) -> str:
    return deal_context(table, None, Visit(), "/").seal


def test_names_are_cut_cleaned_and_told_apart() -> None:
    assert named(["Anna", "", " anna ", "B\u202een\x00", "x" * 99]) == ["Anna", "anna (2)", "Ben", "x" * 24]


# ---------------------------------------------------------------------------------------------------- the store


def test_of_two_processes_one_writes_and_what_is_written_is_what_is_read(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'rooms.sqlite'}")
    try:
        table = begun()
        fresh = new_table("europe", table.board, NAMES, 1.0)
        dealings.create(store, fresh.row)
        offer = fresh.dealer.view(0).offer
        first, row = fresh.after(0, "keep " + " ".join(str(one.index) for one in offer), 0, 2.0)
        dealings.write(store, first.row, row)
        with pytest.raises(Conflict):
            dealings.write(store, first.row, row)
        found = dealings.load(store, fresh.row.id)
        assert found is not None
        again = restored(table.board, *found)
        assert (again.row, again.desk, again.done) == (first.row, first.desk, first.done)
        assert dealings.purge(store, 1.0) == 1 and dealings.load(store, fresh.row.id) is None
    finally:
        store.close()


# ---------------------------------------------------------------------------------------------------- by wire


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Settings]]:
    settings = Settings(
        database=f"sqlite:///{tmp_path_factory.mktemp('deal') / 'rooms.sqlite'}", warm_up=False, poll=0.05
    )
    with running_here(settings) as (url, _):
        yield url, settings


def test_two_phones_play_and_neither_is_sent_what_the_other_holds(address: tuple[str, Settings]) -> None:
    url, _ = address
    _, _, [anna, ben], screen = made(url)

    async def evening() -> None:
        async with Phone(url, anna) as one, Phone(url, ben) as two, Phone(url, screen) as all_see:
            await asyncio.gather(one.keep(), two.keep())  # at the same instant
            mine = re.findall(r'<span class="ends">([^< ]+)', two.parts["tickets"])
            assert len(mine) == 4
            await two.until(lambda: "deck-train" in two.parts["market"] and "aria-disabled" not in two.parts["market"])
            await two.play("draw")
            await two.until(lambda: two.version == 2)
            await one.until(lambda: "Ben draws a card face down." in " ".join(one.said))
            await all_see.until(lambda: "Ben draws a card face down." in " ".join(all_see.said))
            names = {name for name in mine if name not in one.parts["tickets"]}
            assert names and not any(name in one.seen + all_see.seen for name in names)
            await two.play("draw", version=1)  # once more what was done
            await two.until(lambda: two.errors)
            assert two.errors == ["stale"]
            await all_see.play("draw")
            await all_see.until(lambda: all_see.errors)
            assert all_see.errors == ["bad_message"]

    asyncio.run(evening())


def test_a_name_is_taken_once_and_a_new_link_shuts_the_old_one_out(address: tuple[str, Settings]) -> None:
    url, _ = address
    host, path, [anna, _], _ = made(url)
    door = re.search(r'href="(/deal/[^"]+)">Choose', host.get(path).text)
    assert door
    guest = httpx.Client(base_url=url)
    first = guest.post(f"{door[1]}/take", data={"seat": "0"})
    assert first.status_code == 303 and first.headers["location"] == anna
    assert guest.post(f"{door[1]}/take", data={"seat": "0"}).status_code == 409
    for wrong in ("9", "-1", "x", ""):
        assert guest.post(f"{door[1]}/take", data={"seat": wrong}).status_code == 400
    assert guest.post(f"{anna}/link", data={"seat": "0"}).status_code == 404  # only for the host

    async def shut_out() -> None:
        async with Phone(url, anna) as old:
            assert host.post(f"{path}/link", data={"seat": "0"}).status_code == 200
            with pytest.raises(websockets.ConnectionClosed) as closed:
                await old.until(lambda: False)
            assert closed.value.rcvd is not None and closed.value.rcvd.code == 4404

    asyncio.run(shut_out())
    assert guest.get(anna).status_code == 404
    assert guest.post(f"{door[1]}/take", data={"seat": "0"}).status_code == 303


def test_strangers_guesses_and_forged_forms_open_nothing(address: tuple[str, Settings]) -> None:
    url, _ = address
    host, path, [anna, ben], screen = made(url)
    dealing = anna.split("/")[2]
    guest = httpx.Client(base_url=url)
    _, _, [other, _], _ = made(url)
    for key in ("x", other.split("/")[3], "%00", "é", "a" * 300):
        assert guest.get(f"/deal/{dealing}/{key}").status_code == 404
    assert guest.get("/deal/nothing/x").status_code == 404
    assert guest.get(f"{anna}/record.json").status_code == 409
    assert guest.get(f"{anna}/code/0.svg").status_code == 404
    assert guest.get(f"{path}/code/7.svg").status_code == 404
    assert guest.post("/deal", data={"board": "europe", "name0": "A", "name1": "B"}).status_code == 403
    token = re.search(r'name="csrf" value="([^"]+)"', host.get("/deal").text)
    assert token
    for wrong in ({"board": "../etc"}, {"name1": ""}, {f"name{n}": f"P{n}" for n in range(9)}):
        answer = host.post("/deal", data={"csrf": token[1], "board": "europe", "name0": "A", "name1": "B"} | wrong)
        assert answer.status_code == 400 and 'role="alert"' in answer.text
    assert len({anna, ben, screen, path}) == 4


def code_of(address: str) -> bytes:
    picture = io.BytesIO()
    segno.make_qr(address, error="m").save(picture, kind="svg", scale=4, border=3, dark="#000", light="#fff")
    return picture.getvalue()


@pytest.mark.long
def test_no_code_says_what_a_host_header_says(address: tuple[str, Settings]) -> None:
    url, settings = address
    host, path, [anna, _], _ = made(url)
    hostile = {"host": "evil.example"}
    for wrong in (
        "",
        "?at=",
        "?at=evil",
        "?at=javascript:alert(1)",
        "?at=https://a.example/x",
        "?at=https://u@a.example",
    ):
        assert host.get(f"{path}/code/0.svg{wrong}", headers=hostile).status_code == 400
    assert host.get(f"{path}/code/0.svg?at=http://tower.local:8000", headers=hostile).content == code_of(
        f"http://tower.local:8000{anna}"
    )
    public = replace(settings, url="https://play.example.org")
    with running_here(public) as (told, _):
        asked = httpx.get(f"{told}{path}/code/0.svg?at=https://evil.example")
        assert asked.content == code_of(f"https://play.example.org{anna}")


@pytest.mark.long
def test_it_goes_on_after_a_restart_and_in_another_process(address: tuple[str, Settings]) -> None:
    url, settings = address
    _, _, [anna, ben], _ = made(url)

    async def evening() -> None:
        with running_here(settings) as (elsewhere, _):
            async with Phone(url, anna) as one, Phone(elsewhere, ben) as two:
                await one.keep()
                await two.until(lambda: "Anna keeps 4 tickets." in " ".join(two.said))
                await two.keep()
                await one.until(lambda: "Ben keeps 4 tickets." in " ".join(one.said))
                before = two.parts["hand"]
        with running_here(settings) as (again, _):
            async with Phone(again, ben) as two:
                assert two.parts["hand"] == before and two.version == 1

    asyncio.run(evening())
