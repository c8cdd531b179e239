"""The table's fragments: what is on them, that they change when they must, and that they keep what is secret."""

from __future__ import annotations

import posixpath
import random
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from contexts import played, players, seen_by, table_context

import branchline as bl
from branchline.bots import Position
from branchline.web.core.pages import assets, fault_text, messages, palette, paths, reason_text, ticket_status
from branchline.web.core.pages.translation import LANGUAGES, translator_for
from branchline.web.core.seen import LogEntry
from branchline.web.core.visit import Visit
from branchline.web.lobby import page as lobby_page
from branchline.web.table import joining, panels, prompts, tunnel_odds
from branchline.web.table import page as table_page
from branchline.web.table.page import FRAGMENTS

BOARDS = ("berlin", "europe", "germany", "world")


class _Actions(HTMLParser):
    """The actions that can be pressed now."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if values.get("data-act") and values.get("aria-disabled") != "true":
            self.found.append(values["data-act"] or "")


# Every board and every language once, the other pairs with the long tests.
SHOWN = [
    pytest.param(board, language, marks=[] if (n - m) % len(BOARDS) == 0 else pytest.mark.long)
    for n, board in enumerate(BOARDS)
    for m, language in enumerate(("en", "pl", "cs", "de"))
]


@pytest.mark.parametrize(("board", "language"), SHOWN)
def test_whole_games_can_be_shown_at_every_step(board: str, language: str) -> None:
    """Each question in each language; every button of a question is a legal action."""
    from branchline.bots.api.bot import Position

    game = bl.Game(bl.load_board(board), seats=2, seed=11)
    bots = [bl.make_bot("greedy", n) for n in range(2)]
    visit = Visit(language=language, csrf="c", nonce="n")
    before = table_context(game, visit=visit)
    assert table_page.table(before).count('id="question"') == 1
    steps = 0
    while not game.over:
        question = game.question
        if question.seat == 0 and (steps % 7 == 0 or question.kind not in ("turn", "second_card")):
            now = table_context(game, visit=visit, version=steps + 1)
            html = "".join(table_page.fragments(now, before).values())
            for action in _Actions(html).found:
                twin = game.copy()
                twin.play(action)
            before = now
        assert question.seat is not None
        game.play(int(bots[question.seat].choose(Position.of(game))))
        steps += 1
    end = table_page.table(table_context(game, visit=visit))
    assert 'class="scores"' in end


@pytest.mark.parametrize("board", BOARDS)
def test_panels_offer_only_what_is_legal_and_say_why_not(board: str) -> None:
    game, log = played(board, 40, until="turn")
    context = table_context(game, log)
    for route in game.board.routes:
        html = panels.panel(context, f"route-{route.index}")["panel"]
        acts = _Actions(html).found
        for act in acts:
            game.copy().play(act)
        assert acts or 'class="why"' in html
    for place in game.board.places:
        for act in _Actions(panels.panel(context, f"place-{place.index}")["panel"]).found:
            game.copy().play(act)
    for hostile in ("", "route-", "route-9999", "place--1", "seat-9", "../x", "<script>", "route-1 " * 50):
        assert panels.panel(context, hostile) == {}


@pytest.mark.parametrize("board", BOARDS)
def test_every_reason_is_known_in_words(board: str) -> None:
    english = translator_for("en")
    game, _ = played(board, 60, until="turn")
    seats = players(game)
    context = table_context(game)
    for action in range(400):
        if action not in [int(one) for one in context.legal]:
            reason = context.why_not(action)
            assert reason is not None and reason == reason.template.format(**reason.values)
            assert "{" not in reason_text.in_words(english, seats, reason)


def test_what_is_not_allowed_is_refused_in_the_language_of_who_tried() -> None:
    game, _ = played("europe", 60, until="turn")
    contexts = {code: table_context(game, visit=Visit(code)) for code in LANGUAGES}
    for said in ("pass", "claim Paris–Dieppe with 9 red", "market 9", "keep all", "claim Nowhere–Paris", "x"):
        with pytest.raises(bl.IllegalAction) as refused:
            game.play(said)
        told = {code: fault_text.refusal(context, refused.value.why) for code, context in contexts.items()}
        assert len(set(told.values())) == len(LANGUAGES) and "; legal now" not in told["en"], told


def test_fragments_are_sent_only_when_they_change() -> None:
    game, log = played("europe", 30, until="turn")
    context = table_context(game, log)
    assert set(table_page.fragments(context, None)) == {"board", *FRAGMENTS}
    assert table_page.fragments(context, context) == {}
    game.play("blind")
    later = table_context(game, log, version=context.version + 1)
    found = table_page.fragments(later, context)
    assert {"hand", "acts", f"cards-{context.seat}", "count-train", "question"} <= set(found)
    assert not {"board", "end", "cover"} & set(found)
    assert not {"seats", "market", "bar"} & set(found)
    assert all(f'id="{name}"' in html for name, html in found.items() if name != "log+")


def _steady(html: str) -> str:
    """Without what the page itself sets, from `whose` and `acts`."""
    html = re.sub(r' aria-disabled="true"| data-asked(?: hidden)?', "", html)
    return re.sub(r'(id="(?:bar|seat-\d)" class="[^"]*?)( mine| now)(?=[ "])', r"\1", html)


def test_where_tickets_lead_is_worked_out_again_only_when_the_network_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    worked_out: list[int] = []
    really = ticket_status.statuses
    monkeypatch.setattr(ticket_status, "statuses", lambda game, view: worked_out.append(1) or really(game, view))
    game, log = played("europe", 20)
    before = table_context(game, log)
    table_page.fragments(before, None)
    networks = 1
    for _ in range(30):
        number = game.legal.numbers[-1]
        game = game.copy()
        game.play(number)
        after = table_context(game, log)
        networks += table_page._ticket_marks(before) != table_page._ticket_marks(after)
        made = table_page.fragments(after, before)
        if "tickets" not in made:
            assert table_page._statuses(after) == table_page._statuses(before)
        before = after
    assert len(worked_out) == networks < 31


@pytest.mark.parametrize("board", BOARDS)
def test_pieces_put_into_what_was_shown_give_what_is_shown_now(board: str) -> None:
    game = bl.Game(bl.load_board(board), seats=3, seed=5)
    luck = random.Random(5)
    contexts = [table_context(game)]
    while not game.over and len(contexts) < 60:
        game.play(luck.choice(list(game.legal)))
        contexts.append(table_context(game, version=len(contexts)))
    shown = table_page.fragments(contexts[0], None)
    whole = {name: one for name, one in FRAGMENTS.items() if one.pieces is not None}
    alone = 0
    for before, now in pairwise(contexts):
        for name, html in table_page.fragments(now, before).items():
            if name in FRAGMENTS:
                shown[name] = html
            for around, one in whole.items():
                assert one.pieces is not None
                if name in one.pieces(before):
                    old = re.sub(r' aria-disabled="true"', "", one.pieces(before)[name].draw())
                    shown[around] = re.sub(r' aria-disabled="true"', "", shown[around])
                    assert shown[around].count(old) == 1
                    shown[around] = shown[around].replace(old, html)
                    alone += 1
        for name in whole:
            assert _steady(shown[name]) == _steady(FRAGMENTS[name].draw(now))
    assert alone > 100


def test_only_new_lines_of_the_log_are_sent_until_something_is_taken_back() -> None:
    game, log = played("europe", 30, until="turn")
    context = table_context(game, log)
    longer = table_context(game, (*log, LogEntry(len(log) + 1, 1, log[-1].events)))
    found = table_page.fragments(longer, context)
    assert "log" not in found
    whole = table_page.fragments(longer, None)["log"]
    assert found["log+"].strip()
    assert found["log+"].count("<li") == table_page.fragments(context, table_context(game, log[:-1]))["log+"].count(
        "<li"
    )
    assert whole.replace("</ol>", "").replace("</section>", "").rstrip().endswith(found["log+"].rstrip())
    back = table_page.fragments(context, longer)
    assert "log+" not in back
    assert back["log"] == table_page.fragments(context, None)["log"]
    renamed = tuple(replace(one, name=one.name + "!") for one in context.players)
    assert "log" in table_page.fragments(replace(longer, players=renamed), context)


def test_a_claimed_route_is_drawn_anew_alone() -> None:
    game, log = played("europe", 60, until="claim")
    before = table_context(game, log)
    claim = next(action for action in game.legal if action.text.startswith("claim") and "–" in action.text)
    route = game.board.routes[int(claim)]
    game.play(f"{claim.text} with {game.payments(claim)[0].text}")
    if game.question.kind == "tunnel":
        pytest.skip("a tunnel")
    found = table_page.fragments(table_context(game, log, version=before.version + 1), before)
    parts = {name for name in found if name.startswith("route-")}
    assert f"route-{route.index}" in parts
    assert len(parts) <= 3
    assert "owned" in found[f"route-{route.index}"]


def test_no_page_breaks_the_content_security_policy() -> None:
    game, log = played("germany", 30, until="turn")
    html = table_page.table(table_context(game, log))
    assert not re.search(r"\son\w+=", re.sub(r"<script.*?</script>", "", html, flags=re.DOTALL))
    assert "style=" not in html
    assert re.findall(r"<style(.*?)>", html) == [' nonce="nonce"']
    for attributes in re.findall(r"<script(.*?)>", html):
        assert "src=" in attributes or "application/json" in attributes
    for fragment in table_page.fragments(table_context(game, log), None).values():
        assert "<style" not in fragment
        for attributes in re.findall(r"<script(.*?)>", fragment):
            assert 'type="application/json"' in attributes, "data for scripts, but none that runs"


def test_a_page_names_all_modules_of_its_script_so_that_they_come_together() -> None:
    page = table_page.table(table_context(bl.Game(bl.load_board("berlin"), seats=2, seed=1)))
    named = set(re.findall(r'(?:href|src)="/static/\w+/([\w/]+\.js)"', page))
    assert "table/table.js" in named
    wanted = {
        posixpath.normpath(posixpath.join(posixpath.dirname(one), name))
        for one in named
        for name in re.findall(r'from "(\.[\w./]+)"', (assets.STATIC / one).read_text("utf-8"))
    }
    assert wanted and wanted < named


def test_names_are_escaped() -> None:
    game, log = played("berlin", 10, until="turn")
    from dataclasses import replace

    nasty = '<img src=x onerror="alert(1)">'
    seats = tuple(replace(one, name=nasty) for one in players(game))
    context = table_context(game, log, players=seats)
    html = table_page.table(context)
    assert "<img" not in html
    assert "&lt;img" in html


def test_the_odds_of_a_tunnel() -> None:
    """110 cards, 4 red in hand: of the 101 cards that are not seen, 8 red and 14 wild match."""
    from math import comb

    board = bl.load_board("europe")
    game = bl.Game(board, seats=2, seed=1, decks={"cards": ["red"] * 4 + ["blue"] * 4 + ["green"] * 5})
    view = game.view(0)
    chances = tunnel_odds.extra(board, view, "red")
    assert sum(chances) == pytest.approx(1)
    assert chances[0] == pytest.approx(comb(101 - 22, 3) / comb(101, 3))
    wild = tunnel_odds.extra(board, view, "wild")
    assert wild[0] == pytest.approx(comb(101 - 14, 3) / comb(101, 3))


def test_a_ticket_is_dead_when_its_way_is_closed() -> None:
    game, _ = played("europe", 10**6)
    view = game.view(0)
    for mark in ticket_status.statuses(game, view):
        own = paths.shortest_path(game.board, view.seats[0].routes, *mark.ticket.places)
        assert (mark.state == "done") == (own is not None or mark.borrowed)


@pytest.mark.parametrize("edition", ["germany", "europe", "berlin", "world"])
def test_the_way_of_a_ticket_is_free_joins_its_places_and_is_the_cheapest(edition: str) -> None:
    seen = 0
    for actions in (30, 60, 90):
        game, _ = played(edition, actions)
        for seat in range(game.seats):
            view = game.view(seat)
            taken = {route for one in view.seats for route in one.routes} | set(view.closed)
            own = view.seats[seat].routes
            for mark in ticket_status.statuses(game, view):
                assert bool(mark.way) <= (mark.state == "possible")
                assert not taken & set(mark.way)
                assert len(set(mark.way)) == len(mark.way)
                if mark.way and not mark.ticket.tour:
                    seen += 1
                    assert paths.shortest_path(game.board, (*own, *mark.way), *mark.ticket.places) is not None
                    assert sum(route.length for route in mark.way) == cheapest(
                        game.board, view, seat, *mark.ticket.places
                    )
    assert seen


def cheapest(board: bl.Board, view: bl.View, seat: int, start: bl.Place, goal: bl.Place) -> int:
    """The pieces that the cheapest way takes, found by relaxing all routes until nothing changes."""
    own = set(view.seats[seat].routes)
    shut = {route for one in view.seats for route in one.routes} | set(view.closed)
    barred = {route.parallel for route in own if route.lines > 1}
    price = {
        route: route.length
        for route in board.routes
        if route not in shut and not (route.lines > 1 and route.parallel in barred)
    }
    price |= dict.fromkeys(own, 0)
    cost: dict[bl.Place, int] = {start: 0}
    before: dict[bl.Place, int] = {}
    while cost != before:
        before = dict(cost)
        for route, pieces in price.items():
            for here, there in ((route.a, route.b), (route.b, route.a)):
                if here in cost and (here == start or here.kind != "country"):
                    cost[there] = min(cost.get(there, 1 << 30), cost[here] + pieces)
    return cost[goal]


def test_a_ticket_that_a_station_does_is_marked_done_as_the_rules_borrow() -> None:
    borrowed = 0
    for seed in range(1, 60):
        game, _ = played("europe", 10**6, seed=seed)
        for seat in range(game.seats):
            score = game.scores[seat]
            done = {result.ticket for result in score.results if result.done}
            found = ticket_status.statuses(seen_by(game, seat), game.view(seat))
            assert {mark.ticket for mark in found if mark.state == "done"} == done
            for mark in found:
                lent = set(mark.route) - set(game.view(seat).seats[seat].routes)
                assert bool(lent) == mark.borrowed
                assert lent <= {route for _, route in score.borrowed}
                borrowed += mark.borrowed
        if borrowed:
            return
    pytest.fail("no station helped in any of the games")


def test_the_palette_file_is_up_to_date() -> None:
    written = (palette.STATIC / "palette.css").read_text(encoding="utf-8")
    assert written == palette.palette_css(), "python -m branchline.web.core.pages.palette"


def test_a_country_is_passed_by_no_way() -> None:
    board = bl.load_board("germany")
    france = board.index.place("Frankreich")
    routes = [route for route in board.routes if france in (route.a, route.b)]
    ends = [route.a if route.b == france else route.b for route in routes]
    assert paths.shortest_path(board, routes, ends[0], france)
    assert paths.shortest_path(board, routes, ends[0], ends[1]) is None


def test_the_panel_of_a_tunnel_never_says_whether_one_could_pay() -> None:
    """To everybody else the question looks the same."""
    game, log = played("europe", 0, until="tunnel")
    words = translator_for("en")
    other = table_context(game, log, seat=1, mine=(1,), players=players(game, (1,)))
    assert prompts.prompt(other, words) is None
    html = "".join(str(part) for part in table_page.fragments(other, None).values() if 'id="board"' not in part)
    assert "withdraw" not in html
    assert "pay extra" not in html


def test_whoever_cannot_pay_a_tunnel_is_told_so() -> None:
    asked = set()
    game = bl.Game(bl.load_board("europe"), seats=2, seed=1)
    bots = [bl.make_bot("greedy", seat) for seat in range(2)]
    while len(asked) < 2:
        seat = game.question.seat
        if game.question.kind == "tunnel":
            found = prompts.prompt(table_context(game, (), seat=seat, mine=(seat,)), translator_for("en"))
            assert found is not None
            may_pay = any(text.startswith("pay") for text in game.legal.texts)
            assert ("take your cards back" in found.text) == (not may_pay)
            assert (len(found.answers) > 1) == may_pay
            asked.add(may_pay)
        if game.over:
            game = bl.Game(game.board, seats=2, seed=game.seed + 1)
        else:
            game.play(bots[seat].choose(Position.of(game)))


@pytest.mark.parametrize("language", ["en", "pl", "cs", "de"])
def test_the_pages_around_the_tables(language: str) -> None:
    from branchline.web.core.seen import GameLine
    from branchline.web.core.visit import MessageContext
    from branchline.web.lobby.page import HomeContext, NewContext
    from branchline.web.table.joining import JoinContext

    visit = Visit(language=language, csrf="c", nonce="n")
    boards = tuple(bl.load_board(name) for name in bl.builtin_boards())
    game, _ = played("berlin", 0)
    lines = tuple(
        GameLine("room", boards[0], players(game), status, status == "playing", 4, 0.0, True, seats)
        for status, seats in (("playing", ()), ("over", ()), ("playing", (1,)))
    )
    home = lobby_page.home(HomeContext(visit, boards, ("greedy", "random"), lines, lines))
    assert "Anna" in home
    assert home.count('name="csrf"') >= len(boards)
    new = lobby_page.new(
        NewContext(visit, boards, ("greedy",), boards[1], {"seats": "4", "kind1": "open"}, "what is wrong")
    )
    assert "what is wrong" in new
    for device in (False, True):
        assert "/j/x" in joining.join(JoinContext(visit, "room", boards[0], players(game), 1, "/j/x", device))
    for reason in ("not_found", "not_yours", "taken", "forged", "too_large", "too_many", "bad_request", "broken", "?"):
        assert messages.message(MessageContext(visit, 404, reason))
