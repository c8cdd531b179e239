"""The gazetteer finds towns by any of their names, near ones first."""

from __future__ import annotations

import pytest

from branchline.workshop import gazetteer

IBERIA = (-10.0, 35.0, 5.0, 44.0)
FIJI = (176.0, -20.0, 182.0, -15.0)


@pytest.mark.parametrize(
    ("text", "name", "country"),
    [
        ("Wien", "Vienna", "AT"),
        ("Wiedeń", "Vienna", "AT"),
        ("VIDEN", "Vienna", "AT"),
        ("łódź", "Łódź", "PL"),
        ("Koeln", "Köln", "DE"),
        ("Mnichov", "Munich", "DE"),
        ("Monachium", "Munich", "DE"),
        ("los ang", "Los Angeles", "US"),
        ("angeles", "Los Angeles", "US"),
    ],
)
def test_a_town_is_found_by_any_of_its_names(text: str, name: str, country: str) -> None:
    first = gazetteer.find(text)[0]
    assert (first.name, first.country) == (name, country)


def test_where_it_is_and_how_many_live_there() -> None:
    kyoto = gazetteer.find("Kyoto")[0]
    assert abs(kyoto.lat - 35.02) < 0.02
    assert abs(kyoto.lon - 135.75) < 0.02
    assert 1_000_000 < kyoto.population < 2_000_000


def test_towns_on_the_map_come_first() -> None:
    assert gazetteer.find("Toledo")[0].country == "US"
    assert gazetteer.find("Toledo", IBERIA)[0].country == "ES"


def test_a_map_over_the_antimeridian_is_one_map() -> None:
    east, west = gazetteer.find("Labasa", FIJI)[0], gazetteer.find("Suva", FIJI)[0]
    assert {east.country, west.country} == {"FJ"}


@pytest.mark.parametrize("text", ["", " ", "a", "\0\0", "qqqqqqqq", "日本", "-" * 10_000, "a" * 10_000, "\ud800x"])
def test_what_names_no_town_finds_none(text: str) -> None:
    assert gazetteer.find(text) == []


@pytest.mark.parametrize(("limit", "count"), [(0, 0), (-3, 0), (3, 3), (10_000, gazetteer.MOST)])
def test_there_are_never_more_answers_than_asked_for(limit: int, count: int) -> None:
    assert len(gazetteer.find("san", limit=limit)) == count


def test_no_town_is_named_twice() -> None:
    found = gazetteer.find("ba", IBERIA, limit=50)
    assert len(set(found)) == len(found)
