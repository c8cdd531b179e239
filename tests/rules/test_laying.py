"""A position laid out by hand: the pieces of the game say what cannot be."""

import pytest

import table
from branchline.rules import kernel, laying, ports, routes, setup, stations
from branchline.rules.state import STATE


def laid(edition, seats):
    board = table.board(edition)
    tables, state = kernel.record_in(board.tables), kernel.record_in(kernel.new_buffer(STATE))
    state.seats = seats
    setup.empty_table(tables, state)
    return board, tables, state


def lines(board, a, b):
    return [route.index for route in board.index.routes(a, b)]


@pytest.mark.parametrize(("seats", "too_many"), [(3, 2), (4, 0)])
def test_ROUTE_4_two_lines_of_a_set_are_one_too_many_with_few_seats_and_never_of_one_seat(seats, too_many):
    board, tables, state = laid("europe", seats)
    first, second = lines(board, "Berlin", "Frankfurt")[:2]
    assert laying.problem_with_route(tables, state, 0, first) == laying.FITS
    routes.own(tables, state, 0, first)
    assert laying.problem_with_route(tables, state, 0, first) == laying.TWICE
    assert laying.problem_with_route(tables, state, 0, second) == laying.TWICE
    assert laying.problem_with_route(tables, state, 1, first) == laying.TAKEN
    assert laying.problem_with_route(tables, state, 1, second) == laying.FITS, "the table may have played so"
    assert laying.lines_too_many(tables, state, first) == 0
    routes.own(tables, state, 1, second)
    assert laying.lines_too_many(tables, state, first) == laying.lines_too_many(tables, state, second) == too_many


@pytest.mark.parametrize(("edition", "problem"), [("europe", laying.PIECES), ("world", laying.FLEET)])
def test_FLE_1_no_seat_has_more_pieces_on_the_board_than_it_plays_with(edition, problem):
    board, tables, state = laid(edition, 2)
    for route in sorted(board.routes, key=lambda one: -one.length):
        found = laying.problem_with_route(tables, state, 0, route.index)
        if found == laying.FITS:
            routes.own(tables, state, 0, route.index)
        elif found == problem:
            break
    used = [laying.pieces_laid(tables, state, 0, kind) for kind in range(len(board.pieces.names))]
    assert found == problem and sum(used) + route.length > (board.pieces.fleet or board.pieces.count[0])


def test_STA_1_a_station_stands_in_a_city_alone_and_there_are_three():
    board, tables, state = laid("europe", 2)
    cities = [place.index for place in board.places if place.kind == "city"]
    for place in cities[:3]:
        assert laying.problem_with_station(tables, state, 0, place) == laying.FITS
        stations.build(state, 0, place)
    assert laying.problem_with_station(tables, state, 1, cities[0]) == laying.TAKEN
    assert laying.problem_with_station(tables, state, 0, cities[3]) == laying.MOST


def test_PORT_1_a_port_stands_in_a_port_city_alone_and_wants_a_route():
    board, tables, state = laid("world", 2)
    inland = next(place.index for place in board.places if not place.port)
    harbours = [place.index for place in board.places if place.port]
    assert laying.problem_with_port(tables, state, 0, inland) == laying.NOT_HERE
    for place in harbours[: board.ports.count]:
        assert laying.problem_with_port(tables, state, 0, place) == laying.FITS
        ports.build(state, 0, place)
    assert laying.problem_with_port(tables, state, 1, harbours[0]) == laying.TAKEN
    assert laying.problem_with_port(tables, state, 0, harbours[-1]) == laying.MOST
    assert not laying.reaches(tables, state, 0, harbours[0])
    routes.own(tables, state, 0, next(one.index for one in board.routes if harbours[0] in (one.a.index, one.b.index)))
    assert laying.reaches(tables, state, 0, harbours[0])
