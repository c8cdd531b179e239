"""The report: one page that needs nothing else, and shows what came out."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from branchline.arena import Tournament, report, tournament
from branchline.arena.report import maps, plots
from branchline.arena.statistics import Estimate
from branchline.bots.simple.random import RandomBot
from table import EDITIONS


class Rude(RandomBot):
    """Has a name that would be mark-up."""

    name = "<b onload='x'>&"


class Reader(HTMLParser):
    """Notes what is on a page; complains of what is not closed."""

    VOID = ("meta", "br")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader


@pytest.fixture(scope="module")
def played() -> Tournament:
    return tournament("berlin", ["greedy", "random", Rude], games=20, seed=1)


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_page_needs_nothing_else(edition: str) -> None:
    page = tournament(edition, ["greedy", "random"], games=4, seed=1).report()
    reader = read(page)
    assert not {tag for tag, _ in reader.tags} & {"script", "link", "iframe", "img", "object", "base", "form"}
    for tag, attributes in reader.tags:
        assert not [name for name in attributes if name.startswith("on") or name in ("style", "src")], tag
        assert (attributes.get("href") or "#").startswith("#"), tag
    assert "url(" not in page.replace("url(#", "") and "@import" not in page
    assert not re.findall(r"https?://(?!www\.w3\.org/2000/svg)", page)


def test_the_page_allows_its_one_style_sheet_and_nothing_more(played: Tournament) -> None:
    page = played.report()
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    (policy,) = re.findall(r'Security-Policy" content="([^"]*)"', page)
    assert "default-src 'none'" in policy
    assert base64.b64encode(hashlib.sha256(style.encode()).digest()).decode() in policy
    assert "prefers-color-scheme:dark" in style


def test_every_id_is_there_once_and_every_reference_leads_somewhere(played: Tournament) -> None:
    tags = read(played.report()).tags
    ids = [attributes["id"] for _, attributes in tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    for _, attributes in tags:
        if attributes.get("href"):
            assert str(attributes["href"])[1:] in ids


def test_names_of_others_are_no_mark_up(played: Tournament) -> None:
    assert "<b onload" not in played.report()
    assert "&lt;b onload" in played.report()


def test_the_page_shows_what_came_out(played: Tournament) -> None:
    page = played.report()
    for title in ("Ratings", "Head to head", "Points by source", "Spread of scores", "Turn order"):
        assert f"<h2>{title}</h2>" in page
    for title in ("Length of games", "Routes", "Tickets", "Pairings"):
        assert f"<h2>{title}</h2>" in page
    assert page.count("data-route=") == 2 * len(played.results.board.routes)
    assert "reconstruction" in page
    assert page == tournament("berlin", ["greedy", "random", Rude], games=20, seed=1).report()


def test_a_tournament_without_games_has_a_page() -> None:
    def interrupt(done: int) -> None:
        raise KeyboardInterrupt

    stopped = tournament("berlin", ["greedy", "random"], games=4, seed=1, on_progress=interrupt)
    assert "Stopped after" in stopped.report()
    none = replace(stopped, results=replace(stopped.results, games=stopped.results.games[:0]))
    assert "<main>" not in none.report()
    read(none.report())


def test_routes_and_tickets_are_counted_as_the_games_went(played: Tournament) -> None:
    results = played.results
    uses = maps.route_use(results)
    owned = sum(one.claimed for one in uses) * results.played
    assert owned == pytest.approx((results.games["route_owner"][:, : len(uses)] >= 0).sum())
    tickets = maps.ticket_use(results)
    held = sum(one.held for one in tickets) * results.played
    assert held == pytest.approx(results.column("tickets_held").sum())
    done = sum(one.held * one.done for one in tickets) * results.played
    assert done == pytest.approx(results.column("tickets_done").sum())


def test_points_for_routes_follow_from_the_routes_noted(played: Tournament) -> None:
    results = played.results
    board = results.board
    points = np.array([int(board.tables["route_points"][0][route.index]) for route in board.routes])
    owner = results.games["route_owner"][:, : len(board.routes)]
    for seat in range(2):
        assert np.array_equal((owner == seat) @ points, results.column("routes")[:, seat])


def test_an_axis_has_round_figures_and_holds_everything() -> None:
    for low, high in ((-305.0, 597.0), (0.0, 1.0), (31.1, 35.6), (7.0, 7.0), (-1e-3, 2e-3)):
        axis = plots.Axis(low, high, 100.0)
        assert axis.low <= low and axis.high >= high - 1e-9
        assert 100.0 <= axis.at(low) <= axis.at(high) <= axis.right
        assert (axis.high - axis.low) / axis.step <= 8


def test_plots_tell_what_they_show() -> None:
    drawn = plots.reaches([("<a>", Estimate(1.0, 0.0, 2.0))], "All & all")
    assert "<title>All &amp; all</title>" in drawn
    assert "<title>&lt;a&gt;: 1.0 (0.0 … 2.0)</title>" in drawn
    assert plots.hills([("a", np.zeros(0))], "nothing") == ""


def test_no_rule_of_the_style_sheet_stands_twice() -> None:
    lines = (Path(report.__file__).parent / "report.css").read_text(encoding="utf-8").splitlines()
    rules = [line for line in lines if "{" in line]
    assert (
        len(rules) == len(set(rules)) and ".matrix td small { display: block; color: inherit; opacity: .85; }" in rules
    )
