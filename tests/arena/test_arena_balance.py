"""How a board plays: the figures are those of the games, the same for one seed, and find what was planted."""

from __future__ import annotations

import os
import signal
import threading
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import branchline as bl
from arena.test_arena_report import read
from branchline.arena.balance import AtSeats, BalanceError, figures, play_balance, ranges
from branchline.arena.balance.improve import TICKET, changed, colour_use, suggestions, tried, unevenness
from branchline.arena.balance.network import Network
from branchline.arena.balance.page import balance_html
from branchline.arena.balance.sections import sections
from branchline.arena.balance.tickets import net_worths, theil_sen
from branchline.arena.play import GAME
from branchline.arena.results import Results
from branchline.arena.table import Table
from branchline.arena.watching import TALLY, after_action
from branchline.bots import BotError
from branchline.bots.api.memory import new_memory
from branchline.bots.planner.planner import PlannerBot
from branchline.bots.simple.greedy import GreedyBot
from branchline.rules import kernel, routes
from branchline.rules.catalogue import TICKETS
from table import EDITIONS, board, new


@pytest.fixture(scope="module")
def berlin() -> tuple[AtSeats, ...]:
    return play_balance("berlin", 60, 3, seats=[2, 4], jobs=1)


# ------------------------------------------------------------------------------------------------ what is watched


def test_watched_games_are_the_same_games() -> None:
    alone, watched = (Table(board("europe"), [PlannerBot] * 4, 5, watched=one) for one in (False, True))
    games = watched.play(0, 20)
    assert np.array_equal(alone.play(0, 20), games)
    tally = watched.tally[0]
    assert tally["games"] == 20
    for route in board("europe").routes:
        assert tally["claimed"][route.index] == (games["route_owner"][:, route.index] >= 0).sum()
    for ticket in board("europe").tickets:
        fate = games["ticket"][:, ticket.index]
        assert tally["held"][ticket.index] == (fate >= 0).sum() <= tally["kept"][ticket.index]
        assert tally["done"][ticket.index] == (fate[fate >= 0] % 2 == 1).sum()
        assert tally["kept"][ticket.index] <= tally["offered"][ticket.index]
    assert tally["points"].sum() == games["parts"][:, TICKETS, :4].sum()


def test_only_bots_that_plan_can_be_watched() -> None:
    with pytest.raises(BotError, match="compiled"):
        Table(board("berlin"), [lambda seed: GreedyBot(seed)] * 2, 1, watched=True)


class Watched:
    """A position in which seats need what a test says, and claims are looked at as if games were played."""

    def __init__(self, edition: str, seats: int) -> None:
        self.board = kernel.record_in(board(edition).tables)
        self.state = kernel.record_in(new(edition, seats).redacted(0))
        self.games = kernel.new_buffer(GAME)
        self.game = kernel.record_in(self.games)
        self.buffers = [new_memory() for _ in range(seats)]
        self.memories = tuple(kernel.record_in(one) for one in self.buffers)
        for seat, memory in enumerate(self.memories):
            self.game.entrant[seat] = seat
            memory.planned, memory.seat = 1, seat
        self.tallies = kernel.new_buffer(TALLY)
        self.tally = kernel.record_in(self.tallies)

    def needs(self, seat: int, route: int) -> None:
        self.memories[seat].plan[route // 60] |= 1 << (route % 60)

    def claim(self, seat: int, route: int) -> None:
        self.tally.free[:] = self.state.free
        routes.own(self.board, self.state, seat, route)
        memories = self.memories if kernel.INTERPRETED else np.concatenate(self.buffers)
        after_action(self.board, self.state, memories, self.game, self.tally, seat)

    def told(self) -> dict[str, int]:
        return {name: int(self.tallies[0][name]) for name in ("blockings", "passing", "barging")}


def lines_of(edition: str, count: int) -> list[int]:
    first = next(route for route in board(edition).routes if route.lines == count)
    return [route.index for route in board(edition).routes if route.parallel == first.parallel]


def test_who_needed_a_route_that_another_claims_is_blocked() -> None:
    [route] = lines_of("europe", 1)
    table = Watched("europe", 4)
    table.needs(2, route)
    table.claim(0, route)
    assert table.told() == {"blockings": 1, "passing": 0, "barging": 1}
    table = Watched("europe", 4)
    for seat in (0, 1, 2):
        table.needs(seat, route)
    table.claim(0, route)
    assert table.told() == {"blockings": 2, "passing": 1, "barging": 0}


def test_who_can_take_the_line_beside_it_is_not_blocked() -> None:
    first, second = lines_of("europe", 2)
    table = Watched("europe", 4)
    table.needs(1, first)
    table.claim(0, first)
    assert table.told()["blockings"] == 0
    table.claim(2, second)  # now there is none left
    assert table.told()["blockings"] == 1
    few = Watched("europe", 3)  # with three seats the second line is closed
    few.needs(1, second)
    few.claim(0, first)
    assert few.told()["blockings"] == 1


def test_nobody_is_blocked_on_a_route_that_is_theirs() -> None:
    first, second = lines_of("europe", 2)
    table = Watched("europe", 4)
    table.needs(1, first)
    table.claim(1, first)
    table.claim(0, second)
    assert table.told()["blockings"] == 0


# ------------------------------------------------------------------------------------------------ the games


@pytest.mark.long
def test_the_same_seed_gives_the_same_figures_whatever_the_jobs(berlin: tuple[AtSeats, ...]) -> None:
    beside = figures(play_balance("berlin", 60, 3, seats=[4, 2], jobs=2)).as_dict() | {"seconds": 0}
    assert figures(berlin).as_dict() | {"seconds": 0} == beside
    other = figures(play_balance("berlin", 60, 4, seats=[2, 4], jobs=1)).as_dict() | {"seconds": 0}
    assert other != beside


def test_the_figures_are_those_of_the_games(berlin: tuple[AtSeats, ...]) -> None:
    found = figures(berlin)
    assert found.games == 60 + 60 + 30 + 32  # rounded up to whole rounds of the racer's seats
    for one, table in zip(berlin, found.tables, strict=True):
        assert table.score.mean == pytest.approx(one.results.column("total").mean())
        assert sum(table.sources.values()) == pytest.approx(table.score.mean)
        assert sum(each.win_share.mean for each in table.order) == pytest.approx(1)
        spaces = sum(sum(each.claimed) for each in table.connections)
        assert spaces == pytest.approx((one.results.games["route_owner"][:, :54] >= 0).sum() / 60)
        assert table.contested > 0 and all(each.contested <= each.needed for each in table.connections)
        assert table.racer is not None and table.racer.bot == "racer" and table.racer.places == 1


def test_no_game_is_begun_after_the_time_is_up() -> None:
    found = figures(play_balance("berlin", 100_000, 1, seats=[2], seconds=0.5, jobs=1))
    assert 0 < found.games < 50_000 and not found.stopped


def test_without_time_there_is_nothing_to_say() -> None:
    found = figures(play_balance("berlin", 10, 1, seconds=0.0, jobs=1))
    assert found.games == 0 and found.tables == () and found.tickets == ()
    assert sections(found) == "" and "0 games" in balance_html(found)


def test_ctrl_c_ends_it_with_what_there_is() -> None:
    def interrupt(count: int, _whole: int) -> None:
        if count > 20 and not pressed.is_set():
            pressed.set()
            os.kill(os.getpid(), signal.SIGINT)

    pressed = threading.Event()
    found = figures(play_balance("berlin", 20_000, 1, seats=[2], jobs=1, on_progress=interrupt))
    assert found.stopped and 20 < found.games < 20_000


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"games": 0}, "games: expected a whole number from 1"),
        ({"seed": -1}, "seed: expected"),
        ({"seats": [2, 5]}, "Berlin is for 2 to 4 seats, not 5"),
        ({"seats": []}, "at least one number"),
        ({"seats": "2"}, "seats: expected numbers of seats"),
        ({"seconds": float("nan")}, "seconds: expected a number"),
        ({"on": "moon"}, "on: expected"),
    ],
)
def test_what_cannot_be_asked_is_refused(wrong: dict[str, object], said: str) -> None:
    with pytest.raises((BalanceError, bl.BranchlineError), match=said):
        play_balance("berlin", **{"games": 1, **wrong})  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------------ the map


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_ticket_loads_connections_as_long_as_its_shortest_way(edition: str) -> None:
    network = Network(board(edition))
    spaces = sum(load * one.spaces for load, one in zip(network.load, network.connections, strict=True))
    assert spaces == pytest.approx(sum(network.way(ticket.places) for ticket in board(edition).tickets))
    for one in network.connections:
        detour = network.detour(one)
        assert detour is None or detour >= 0 or any(other.spaces < one.spaces for other in network.connections)


def test_the_traffic_of_europe_is_what_others_have_measured() -> None:
    network = Network(board("europe"))
    assert network.traffic == pytest.approx(1.97, abs=0.01)
    assert network.longest_ticket == pytest.approx(21 / 45)


def test_the_line_through_net_worths_is_not_moved_by_an_outlier() -> None:
    x = np.arange(10.0)
    y = 3 + 2 * x
    y[4] = 100
    slope, level = theil_sen(x, y)
    assert (slope, level) == (pytest.approx(2), pytest.approx(3))


def test_the_net_worth_of_a_ticket_is_what_it_adds_to_scores() -> None:
    luck = np.random.default_rng(1)
    games = np.zeros(400, dtype=GAME)
    games["number"] = np.arange(400)
    games["ticket"] = -1
    holder = luck.integers(-1, 2, (400, 2))  # seat of each of two tickets, or nobody
    games["ticket"][:, :2] = np.where(holder >= 0, 2 * holder + 1, -1)
    worth = np.array((12, -5))
    for seat in range(2):
        games["total"][:, seat] = 80 + (holder == seat) @ worth + luck.normal(0, 6, 400).round()
    results = Results(board("berlin"), ("planner", "planner"), 1, 400, games)
    first, second = net_worths(2, [AtSeats(2, results, np.zeros(1, dtype=TALLY)[0], results)])
    for found, truth in zip((first, second), worth, strict=True):
        assert found is not None
        assert found.low < truth < found.high and found.high - found.low < 5


# ------------------------------------------------------------------------------------------------ improve


@pytest.mark.long
def test_a_ticket_that_pays_far_too_much_is_found_and_mended() -> None:
    cheap = next(ticket for ticket in board("berlin").tickets if ticket.value == 5)
    odd = replace(
        board("berlin"),
        tickets=tuple(
            replace(t, value=20, any_order=20, penalty=20) if t == cheap else t for t in board("berlin").tickets
        ),
    )
    before = figures(play_balance(odd, 300, 2, seats=[3], jobs=2))
    planted = before.tickets[cheap.index]
    assert planted.off is not None and planted.off.low > 3
    assert planted.suggested == 15  # a quarter at a time
    changes = suggestions(before)
    assert any(one.kind == TICKET and one.items == (cheap.index,) for one in changes)
    after = figures(play_balance(changed(odd, changes), 300, 2, seats=[3], jobs=2))
    [found] = [one for one in tried(changes, before, after) if one.change.items == (cheap.index,)]
    assert found.helped and found.after < found.before - 3


def test_swapped_colours_leave_the_printed_spaces_as_they_are(berlin: tuple[AtSeats, ...]) -> None:
    found = figures(berlin)
    swaps = [one for one in suggestions(found) if one.kind != TICKET]
    assert swaps
    after = changed(found.board, swaps)

    def printed(which: bl.Board) -> dict[str, int]:
        return {colour: sum(r.length for r in which.routes if r.colour == colour) for colour in which.cards.colours}

    assert printed(after) == printed(found.board)
    same_games = replace(found, board=after, network=Network(after))
    assert unevenness(same_games, swaps[0].items[0]) < unevenness(found, swaps[0].items[0])
    use = colour_use(found, ("rail", "tunnel", "ferry", "tram"))
    assert set(use) == set(found.board.cards.colours) and min(use.values()) > 0


# ------------------------------------------------------------------------------------------------ what is shown


@pytest.mark.long
def test_the_report_needs_nothing_else_and_lets_no_name_in(berlin: tuple[AtSeats, ...]) -> None:
    rude = replace(berlin[0].results.board, title="<b onload='x'>&")
    found = figures([replace(one, results=replace(one.results, board=rude)) for one in berlin])
    page = balance_html(found, tried(suggestions(found), found, found))
    reader = read(page)
    assert "<b onload" not in page and "&lt;b onload" in page
    assert [tag for tag, _ in reader.tags].count("script") == 1
    for tag, attributes in reader.tags:
        assert not {"src", "onclick"} & set(attributes), tag
        assert not (attributes.get("href") or "#").startswith(("http", "//")), tag
    policy = next(a["content"] for t, a in reader.tags if t == "meta" and "Content-Security-Policy" in str(a))
    assert policy is not None and policy.startswith("default-src 'none'") and policy.count("'sha256-") == 2


def test_the_ranges_are_those_of_the_editions_as_they_are() -> None:
    known = ranges.editions()["editions"]
    assert {name: one["digest"] for name, one in known.items()} == {
        name: board(name).digest for name in bl.builtin_boards()
    }, "run `make balance`"
    for name in EDITIONS:
        fewest, most = board(name).seats
        assert [int(count) for count in known[name]["seats"]] == list(range(fewest, most + 1))
    low, high = ranges.range_of("traffic") or (0, 0)
    assert low < 1.97 < high
    assert ranges.range_of("turns", 9) is not None  # no edition is for nine: then all numbers of seats count


def test_the_published_page_shows_the_ranges_that_reports_use() -> None:
    rows = {}
    for line in (Path(__file__).parents[2] / "docs" / "balance.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            rows[line[3:]] = table = {}
        elif line.startswith("| "):
            name, *cells = (cell.strip() for cell in line.strip("|").split("|"))
            table[name] = cells
    boards = ranges.editions()["editions"]
    for name, figure in ranges.MAP_FIGURES.items():
        assert rows["Maps and tickets"][figure.name][:5] == [figure.shown(one["map"][name]) for one in boards.values()]
    for seats in ("2", "3", "4", "5"):
        there = [one["seats"][seats] for one in boards.values() if seats in one["seats"]]
        for name, figure in ranges.SEAT_FIGURES.items():
            if any(one[name] for one in there):
                assert rows[f"{seats} seats"][figure.name] == [figure.shown(one[name]) for one in there], name


def test_a_figure_is_written_with_a_true_minus_sign() -> None:
    assert ranges.SEAT_FIGURES["first_lead"].shown(-1.25) == "\N{MINUS SIGN}1.2"
    assert ranges.MAP_FIGURES["idle"].shown(0.166) == "17 %"
    assert ranges.spelt(ranges.MAP_FIGURES["crowded"], (8, 19)) == "8 … 19"
    assert all(one.name != other.name for one, other in pairwise(sorted(ranges.SEAT_FIGURES.values(), key=str)))
