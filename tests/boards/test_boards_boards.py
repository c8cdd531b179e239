"""The editions against the numbers of their rulebooks and of the notes on their data."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from branchline.boards import GRAY, Board, Place, Ticket, builtin_boards, load_board, read_board
from branchline.draw.layout import layout_of

EDITIONS = ("germany", "europe", "berlin", "world", "great_lakes")


@pytest.fixture(scope="module", params=EDITIONS)
def board(request: pytest.FixtureRequest) -> Board:
    return load_board(request.param)


def spaces_by_colour(board: Board, *kinds: str) -> dict[str, int]:
    count: Counter[str] = Counter()
    for route in board.routes:
        if route.kind in kinds:
            count[route.colour] += route.length
    return dict(count)


def routes_by_length(board: Board, *kinds: str) -> dict[int, int]:
    return dict(Counter(route.length for route in board.routes if route.kind in kinds))


def parallel_sets(board: Board) -> Counter[int]:
    """How many sets of one line, of two, of three."""
    return Counter(Counter(route.parallel for route in board.routes).values())


def lines_at(board: Board) -> Counter[str]:
    return Counter(end.name for route in board.routes for end in (route.a, route.b))


def neighbours_at(board: Board) -> Counter[str]:
    return Counter(end.name for route in board.routes if route.line == 0 for end in (route.a, route.b))


def shortest(board: Board, start: Place, goal: Place) -> int:
    """Fewest spaces (for a subway: cards) that join two places; nothing passes through a country (TIC-4)."""
    far = {start: 0}
    open_ends = {start}
    while open_ends:
        here = min(open_ends, key=far.__getitem__)
        open_ends.remove(here)
        if here == goal:
            return far[here]
        if here.kind == "country" and here != start:
            continue
        for route in board.routes:
            if here in (route.a, route.b):
                there = route.b if here == route.a else route.a
                if far[here] + route.points_row < far.get(there, 10**6):
                    far[there] = far[here] + route.points_row
                    open_ends.add(there)
    raise AssertionError(f"{start.name} and {goal.name} cannot be joined")


def off_the_shortest(board: Board) -> dict[str, tuple[int, int]]:
    """Tickets whose value is not the shortest way: name, value, shortest."""
    ways = {ticket: shortest(board, *ticket.places) for ticket in board.tickets if not ticket.tour}
    return {ticket.name: (ticket.value, way) for ticket, way in ways.items() if ticket.value != way}


def deck(board: Board, name: str) -> list[Ticket]:
    number = board.ticket_rules.decks.index(name)
    return [ticket for ticket in board.tickets if ticket.deck == number]


# --- every edition


def test_the_editions() -> None:
    assert sorted(builtin_boards()) == sorted(EDITIONS)
    assert all(load_board(name).id == name for name in EDITIONS)


def test_indices_count_the_lines_of_the_files(board: Board) -> None:
    for things in (board.places, board.routes, board.tickets):
        assert [thing.index for thing in things] == list(range(len(things)))


def test_every_place_is_joined_to_every_other(board: Board) -> None:
    first = next(place for place in board.places if place.kind == "city")
    assert all(shortest(board, first, place) < 100 for place in board.places)


def test_lines_of_a_parallel_set_join_the_same_places_and_agree(board: Board) -> None:
    for route in board.routes:
        lines = [other for other in board.routes if other.parallel == route.parallel]
        joining = [other for other in board.routes if {other.a, other.b} == {route.a, route.b}]
        assert len(joining) == route.lines
        assert [other.line for other in joining] == list(range(route.lines))
        assert lines == [other for other in joining if not board.kinds_apart or other.kind == route.kind]
        assert len({(other.length, other.price, other.kind, other.wilds, other.pairs) for other in lines}) == 1
        colours = [other.colour for other in joining if other.colour != GRAY]
        assert len(colours) == len(set(colours))


def test_parallel_numbers_belong_to_one_pair_of_places(board: Board) -> None:
    pairs = {(frozenset((route.a, route.b)), route.kind if board.kinds_apart else "") for route in board.routes}
    assert len(pairs) == len({route.parallel for route in board.routes})


def test_every_length_has_points(board: Board) -> None:
    for route in board.routes:
        table = board.subway_points if route.kind == "subway" else board.points
        assert table[route.points_row] > 0


def test_DRAW_4_and_6_market_of_five_or_six_swept_at_three_wilds(board: Board) -> None:
    assert sum(board.cards.market) == (6 if board.ports else 5)
    assert board.cards.sweep_at == 3
    assert board.cards.market_lasts == (board.id == "berlin")


def test_only_berlin_is_a_reconstruction_and_says_so(board: Board) -> None:
    assert board.reconstructed == (board.id == "berlin")
    assert any("RECONSTRUCTION" in note for note in board.notes) == (board.id == "berlin")


def test_digest_counts_what_changes_a_game_and_nothing_else(board: Board) -> None:
    from branchline.boards.digest import digest

    moved = replace(board.places[0], lat=1.0, aliases=("Elsewhere",), nudge=(3.0, 4.0))
    same = replace(board, title="Other", notes=(), map={}, places=(moved, *board.places[1:]), digest="")
    other = replace(board, tickets=(replace(board.tickets[0], value=99), *board.tickets[1:]))
    shuffled = replace(board, routes=board.routes[::-1])
    assert digest(same) == digest(board) == board.digest
    assert len({digest(board), digest(other), digest(shuffled)}) == 3


@pytest.mark.parametrize(
    ("edition", "known"),
    [
        ("berlin", "a5ad5d9ea3b40ea1"),
        ("europe", "11c52924826756a2"),
        ("germany", "ebcd383f45d9bac4"),
        ("world", "0e1006ad7dd1894f"),
    ],
)
def test_the_digests_that_records_name_stay(edition: str, known: str) -> None:
    """A digest that moves makes every record, room and tuned weight of an edition a stranger to it."""
    assert load_board(edition).digest == known


def test_digests_differ_between_editions() -> None:
    assert len({load_board(name).digest for name in EDITIONS}) == len(EDITIONS)


# --- Germany


def test_germany_box() -> None:
    board = load_board("germany")
    assert board.seats == (2, 5)
    assert board.cards.total == 110
    assert (board.cards.train, board.cards.wild, len(board.cards.colours)) == (12, 14, 8)
    assert (board.cards.hand, board.cards.market) == ((4, 0), (5, 0))
    assert board.pieces.names == ("train",)
    assert board.pieces.count == (45,)
    assert board.one_line_up_to == 3
    assert board.points == (0, 1, 2, 4, 7, 10, 15, 18)
    assert (board.ending.pieces_left, board.ending.extra_turns) == (2, 1)
    assert board.ending.ties == ("tickets_done", "passengers")
    assert (board.most_tickets, board.longest_trail) == (15, 0)
    assert board.stations is board.ports is None
    assert board.tunnel_cards == 0


def test_germany_map() -> None:
    board = load_board("germany")
    assert Counter(place.kind for place in board.places) == {"city": 35, "country": 5}
    assert (len(board.routes), sum(route.length for route in board.routes)) == (110, 313)
    assert parallel_sets(board) == {1: 85 - 23, 2: 21, 3: 2}
    assert {route.kind for route in board.routes} == {"rail"}
    named = dict.fromkeys(("black", "blue", "green", "purple", "red"), 28)
    named |= dict.fromkeys(("orange", "white", "yellow"), 27)
    assert spaces_by_colour(board, "rail") == {**named, "gray": 92}
    assert routes_by_length(board, "rail") == {1: 23, 2: 30, 3: 25, 4: 17, 5: 8, 6: 2, 7: 5}
    degrees = lines_at(board)
    assert [degrees[name] for name in ("Frankfurt", "Hannover", "Berlin", "Rostock", "Schweiz")] == [
        10,
        10,
        8,
        3,
        3,
    ]


def test_germany_exits_end_at_points_of_their_own() -> None:
    board = load_board("germany")
    into = [route for route in board.routes if "country" in (route.a.kind, route.b.kind)]
    assert len(into) == 14
    assert all((route.end_a if route.a.kind == "country" else route.end_b) is not None for route in into)
    points = {route.end_a or route.end_b for route in into}
    assert len(points) == 14
    assert all(route.end_a is route.end_b is None for route in board.routes if route not in into)


def test_germany_tickets_keep_the_range_of_the_rulebook() -> None:
    board = load_board("germany")
    short, long = deck(board, "short"), deck(board, "long")
    assert (len(short), min(t.value for t in short), max(t.value for t in short)) == (55, 3, 11)
    assert (len(long), min(t.value for t in long), max(t.value for t in long)) == (34, 12, 22)
    assert sum(t.value for t in short) == 415 - 2 + 6
    assert sum(t.value for t in long) == 526
    assert board.index.ticket("Köln–Stuttgart").value == 6
    assert any("Mannheim–Stuttgart 2" in note for note in board.notes)
    assert off_the_shortest(board) == {"Kiel–Stuttgart": (17, 16)}


def test_germany_TIC_2_mix_of_four() -> None:
    first, later = load_board("germany").ticket_rules.first, load_board("germany").ticket_rules.later
    assert (first.mix, first.deal, first.keep, first.rejected, first.most) == (4, (), 2, "reshuffled", 4)
    assert (later.mix, later.deal, later.keep, later.rejected, later.most) == (4, (), 1, "under", 4)


def test_germany_PAS_1_sixty_passengers() -> None:
    board = load_board("germany")
    assert board.passengers is not None
    assert (len(board.passengers.colours), board.passengers.each) == (6, 10)
    assert (board.passengers.most, board.passengers.second) == (20, 10)
    standing = {place.name: place.passengers for place in board.places}
    assert sum(standing.values()) == 60
    crowded = {name: count for name, count in standing.items() if count != 1}
    assert crowded == {
        "Berlin": 5, "Hamburg": 4, "Köln": 4, "Frankfurt": 4, "München": 4, "Leipzig": 3, "Stuttgart": 3
    }  # fmt: skip


# --- Europe


def test_europe_box() -> None:
    board = load_board("europe")
    assert board.seats == (2, 5)
    assert board.cards.total == 110
    assert (board.cards.hand, board.cards.market) == ((4, 0), (5, 0))
    assert board.pieces.count == (45,)
    assert board.one_line_up_to == 3
    assert board.points == (0, 1, 2, 4, 7, 0, 15, 0, 21)
    assert board.tunnel_cards == 3
    assert board.stations is not None
    assert (board.stations.prices, board.stations.kept_bonus) == ((1, 2, 3), 4)
    assert (board.ending.pieces_left, board.ending.extra_turns) == (2, 1)
    assert board.ending.ties == ("tickets_done", "fewest_stations", "longest_trail")
    assert (board.most_tickets, board.longest_trail) == (0, 10)


def test_europe_map() -> None:
    board = load_board("europe")
    assert len(board.places) == 47
    assert Counter(route.kind for route in board.routes) == {"rail": 70, "tunnel": 18, "ferry": 13}
    assert sum(route.length for route in board.routes) == 300
    assert parallel_sets(board) == {1: 79, 2: 11}
    kinds = ("rail", "tunnel", "ferry")
    named = dict.fromkeys(("black", "orange", "purple", "red", "white", "yellow"), 22)
    assert spaces_by_colour(board, *kinds) == {**named, "blue": 23, "green": 23, "gray": 122}
    per_colour = Counter(route.colour for route in board.routes)
    assert per_colour.pop("gray") == 37
    assert set(per_colour.values()) == {8}
    assert routes_by_length(board, *kinds) == {1: 4, 2: 35, 3: 30, 4: 29, 6: 2, 8: 1}
    degrees = lines_at(board)
    assert [degrees[name] for name in ("Paris", "Frankfurt", "Berlin", "Lisboa", "Cádiz")] == [10, 8, 7, 2, 2]


def test_europe_ROUTE_5_ferries_are_gray_and_ask_for_wilds() -> None:
    board = load_board("europe")
    for route in board.routes:
        assert (route.wilds > 0) == (route.kind == "ferry")
        assert route.kind != "ferry" or route.colour == GRAY
    far = board.index.route("Smyrna", "Palermo")
    assert (far.length, far.wilds) == (6, 2)
    tunnels = board.index.routes("Madrid", "Pamplona")
    assert [(route.kind, route.length) for route in tunnels] == [("tunnel", 3)] * 2
    assert {route.colour for route in tunnels} == {"black", "white"}


def test_europe_tickets() -> None:
    board = load_board("europe")
    regular, long = deck(board, "regular"), deck(board, "long")
    assert (len(regular), min(t.value for t in regular), max(t.value for t in regular)) == (40, 5, 13)
    assert (len(long), min(t.value for t in long), max(t.value for t in long)) == (6, 20, 21)
    assert (sum(t.value for t in regular), sum(t.value for t in long)) == (321, 123)
    assert off_the_shortest(board) == {"London–Wien": (10, 9), "Edinburgh–Athína": (21, 20)}
    first, later = board.ticket_rules.first, board.ticket_rules.later
    assert (first.deal, first.keep, first.rejected) == ((1, 3), 2, "out")
    assert (later.deal, later.keep, later.rejected) == ((0, 3), 1, "under")


# --- Berlin


def test_berlin_box() -> None:
    board = load_board("berlin")
    assert board.seats == (2, 4)
    assert board.cards.total == 44
    assert (board.cards.train, board.cards.wild, len(board.cards.colours)) == (6, 8, 6)
    assert board.cards.wild_name == "bicycle"
    assert (board.cards.hand, board.cards.market) == ((2, 0), (5, 0))
    assert (board.pieces.names, board.pieces.count) == (("tram", "subway"), (11, 5))
    assert board.one_line_up_to == 2
    assert board.points == (0, 1, 2, 4, 7)
    assert board.subway_points == (0, 0, 3, 5, 8)
    assert (board.ending.pieces_left, board.ending.extra_turns) == (1, 1)
    assert board.ending.ties == ("tickets_done",)
    assert (board.most_tickets, board.longest_trail) == (0, 0)
    for draw in (board.ticket_rules.first, board.ticket_rules.later):
        assert (draw.deal, draw.keep, draw.rejected) == ((2,), 1, "under")


def test_berlin_map() -> None:
    board = load_board("berlin")
    assert len(board.places) == 17
    assert Counter(route.kind for route in board.routes) == {"tram": 36, "subway": 18}
    assert routes_by_length(board, "tram") == {1: 11, 2: 19, 3: 5, 4: 1}
    trams = spaces_by_colour(board, "tram")
    assert trams.pop("gray") == 14
    assert set(trams.values()) == {9}
    assert parallel_sets(board) == {1: 16, 2: 10 + 9}
    assert all(3 <= count <= 6 for count in neighbours_at(board).values())


def test_berlin_ROUTE_6_a_subway_is_one_space_with_a_price() -> None:
    subways = [route for route in load_board("berlin").routes if route.kind == "subway"]
    assert {route.length for route in subways} == {1}
    assert Counter(route.price for route in subways) == {2: 8, 3: 6, 4: 4}


def test_berlin_tickets() -> None:
    board = load_board("berlin")
    assert len(board.tickets) == 22
    assert off_the_shortest(board) == {}
    values = Counter(ticket.value for ticket in board.tickets)
    assert values == {10: 1, 9: 1, 8: 3, 7: 3, 6: 4, 5: 4, 4: 4, 3: 2}


# --- World


def test_world_box() -> None:
    board = load_board("world")
    cards = board.cards
    assert board.seats == (2, 5)
    assert cards.total == 140
    assert len(cards.colours) * cards.train + cards.wild == 80
    assert (cards.train, cards.train_port_marked) == (11, 4)
    assert (len(cards.colours) * cards.ship_single, len(cards.colours) * cards.ship_double) == (24, 36)
    assert (cards.wild, cards.wild_name) == (14, "joker")
    assert (cards.hand, cards.market) == ((3, 7), (3, 3))
    assert (board.pieces.names, board.pieces.count) == (("train", "ship"), (25, 50))
    assert (board.pieces.fleet, board.pieces.swap_price) == (60, 1)
    assert board.one_line_up_to == 3
    assert board.points == (0, 1, 2, 4, 7, 10, 15, 18, 21)
    assert board.ports is not None
    assert (board.ports.count, board.ports.train_cards, board.ports.ship_cards) == (3, 2, 2)
    assert (board.ports.points, board.ports.unbuilt) == ((0, 20, 30, 40), -4)
    assert (board.ending.pieces_left, board.ending.extra_turns) == (6, 2)
    first, later = board.ticket_rules.first, board.ticket_rules.later
    assert (first.deal, first.keep, first.rejected) == ((5,), 3, "under")
    assert (later.deal, later.keep, later.rejected) == ((4,), 1, "under")


def test_world_map() -> None:
    board = load_board("world")
    assert Counter(place.kind for place in board.places) == {"city": 47, "waypoint": 1}
    assert Counter(route.kind for route in board.routes) == {"rail": 71, "sea": 59}
    assert parallel_sets(board) == {1: 96 - 34, 2: 34}
    assert sum(route.length for route in board.routes) == 411
    assert sum(route.length for route in board.routes if route.line == 0) == 307
    rail = {"black": 21, "green": 22, "purple": 21, "red": 20, "white": 23, "yellow": 20, "gray": 31}
    sea = {"black": 37, "green": 38, "purple": 38, "red": 37, "white": 38, "yellow": 38, "gray": 27}
    assert spaces_by_colour(board, "rail") == rail
    assert spaces_by_colour(board, "sea") == sea
    assert routes_by_length(board, "rail") == {1: 18, 2: 27, 3: 18, 4: 8}
    assert routes_by_length(board, "sea") == {1: 10, 2: 9, 3: 8, 4: 2, 5: 6, 6: 8, 7: 13, 8: 3}


def test_world_degrees_of_the_notes() -> None:
    board = load_board("world")
    lines, neighbours = lines_at(board), neighbours_at(board)
    given = {
        "Cape Town": (6, 10),
        "Los Angeles": (6, 10),
        "Toamasina": (2, 2),
        "Tokyo": (6, 7),
        "Lima": (4, 7),
    }
    assert {name: (neighbours[name], lines[name]) for name in given} == given


def test_world_PORT_1_thirty_eight_ports() -> None:
    board = load_board("world")
    assert sum(place.port for place in board.places) == 38
    without = {place.name for place in board.places if not place.port and place.kind == "city"}
    assert without == {
        "Beijing", "Djibouti", "Lahore", "Mexico", "Moskva", "Novosibirsk", "Tehran", "Winnipeg", "Yakutsk"
    }  # fmt: skip


def test_world_TIC_5_the_waypoint_is_on_no_ticket() -> None:
    board = load_board("world")
    waypoint = next(place for place in board.places if place.kind == "waypoint")
    assert not waypoint.port
    assert not any(waypoint in ticket.places for ticket in board.tickets)
    assert (neighbours_at(board)[waypoint.name], lines_at(board)[waypoint.name]) == (2, 4)


def test_world_ROUTE_9_difficult_terrain() -> None:
    hard = {route.name: route.pairs for route in load_board("world").routes if route.pairs}
    assert hard == {
        "Anchorage–Vancouver": 2, "Beijing–Lahore": 3, "Casablanca–Marseille": 1,
        "Dar Es Salaam–Luanda": 2, "Lahore–Tehran": 2,
    }  # fmt: skip


def test_world_ten_routes_over_the_edge() -> None:
    wrapping = Counter(route.name for route in load_board("world").routes if route.wraps)
    assert sum(wrapping.values()) == 10
    assert {name for name, count in wrapping.items() if count == 2} == {"Los Angeles–Tokyo", "Lima–Sydney"}


def test_world_places_lie_on_the_sheet() -> None:
    assert all(place.sheet is not None for place in load_board("world").places)


def test_world_tickets_and_TIC_6_tours() -> None:
    board = load_board("world")
    tours = [ticket for ticket in board.tickets if ticket.tour]
    assert (len(board.tickets) - len(tours), len(tours)) == (57, 8)
    for tour in tours:
        assert tour.penalty == tour.value + 6
        assert tour.value == tour.any_order * 3 // 2
    over = Counter(ticket.value - shortest(board, *ticket.places) for ticket in board.tickets if not ticket.tour)
    assert over == {0: 4, 1: 2, 2: 17, 3: 12, 4: 7, 5: 9, 6: 4, 7: 1, 8: 1}


# --- Great Lakes


def test_great_lakes_differ_from_world_in_a_few_numbers() -> None:
    board, world = load_board("great_lakes"), load_board("world")
    assert replace(board.cards, hand=world.cards.hand) == world.cards
    assert board.cards.hand == (2, 2)
    assert (board.pieces.names, board.pieces.count) == (("train", "ship"), (33, 32))
    assert (board.pieces.fleet, board.pieces.swap_price) == (50, 1)
    assert board.ports is not None and world.ports is not None
    assert replace(board.ports, points=world.ports.points) == world.ports
    assert board.ports.points == (0, 10, 20, 30)
    assert board.points == (*world.points, 27)
    assert (board.seats, board.one_line_up_to, board.ending) == (world.seats, world.one_line_up_to, world.ending)
    assert replace(board.ticket_rules, decks=()) == replace(world.ticket_rules, decks=())


def test_great_lakes_map() -> None:
    board = load_board("great_lakes")
    assert Counter(place.kind for place in board.places) == {"city": 35, "waypoint": 2}
    assert sum(place.port for place in board.places) == 25
    assert Counter(route.kind for route in board.routes) == {"rail": 52, "sea": 58}
    assert routes_by_length(board, "rail") == {1: 8, 2: 10, 3: 8, 4: 11, 5: 8, 6: 2, 7: 3, 8: 1, 9: 1}
    assert routes_by_length(board, "sea") == {1: 12, 2: 13, 3: 15, 4: 9, 5: 4, 6: 5}
    assert not any(route.pairs or route.wraps for route in board.routes)


def test_great_lakes_ROUTE_4_rail_and_sea_between_two_cities_are_no_set() -> None:
    board = load_board("great_lakes")
    mixed = {
        route.name: {other.kind: other.parallel for other in board.routes if other.name == route.name}
        for route in board.routes
    }
    apart = {name: sets for name, sets in mixed.items() if len(sets) == 2}
    assert set(apart) == {"Duluth–Thunder Bay", "Muskegon–Traverse City"}
    assert all(sets["rail"] != sets["sea"] for sets in apart.values())
    assert len({route.parallel for route in board.routes if route.name == "Green Bay–Milwaukee"}) == 1


def test_great_lakes_tickets() -> None:
    board = load_board("great_lakes")
    assert len(board.tickets) == 55
    assert sum(ticket.value for ticket in board.tickets) == 526
    assert not any(ticket.tour for ticket in board.tickets)
    off = [value - way for value, way in off_the_shortest(board).values()]
    assert (min(off), max(off)) == (-6, 2)
    assert not any(place.kind == "waypoint" for ticket in board.tickets for place in ticket.places)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be", "utf-32"])
def test_a_folder_saved_on_windows_is_the_same_board(tmp_path: Path, encoding: str) -> None:
    folder = load_board("berlin").folder
    assert folder is not None
    for file in folder.iterdir():
        if file.is_file():
            (tmp_path / file.name).write_bytes(file.read_text(encoding="utf-8").replace("\n", "\r\n").encode(encoding))
    assert read_board(tmp_path).digest == load_board("berlin").digest
    assert layout_of(read_board(tmp_path)).scenery
