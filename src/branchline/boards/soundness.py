"""Whether the parts of a board fit together: each rule has what it needs, all on the map can be used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from branchline.boards.board import GRAY, NEVER, PIECE_OF, Board, Place, Route
from branchline.boards.faults import FaultList, did_you_mean, listed, quoted
from branchline.boards.limits import MAX_DECK, MAX_MARKET
from branchline.boards.places import FILE as CITIES
from branchline.boards.places import PASSENGERS
from branchline.boards.rows import Row
from branchline.boards.sections import Section
from branchline.boards.tickets import FILE as TICKETS
from branchline.boards.wording import Term, terms, worded

Say = Callable[[str, str], None]


def check_rules(board: Board, top: Section) -> None:
    """Check for faults of board.toml that show only when its sections are compared."""
    say = top.wrong
    _check_cards(board, say)
    _check_pieces(board, say)
    _check_ports(board, say)
    for tie, rules in (("fewest_stations", board.stations), ("passengers", board.passengers)):
        if tie in board.ending.ties and rules is None:
            say(
                "ending.ties",
                worded(
                    "[ending] ties: {tie} without a section [{section}]", tie=tie, section=tie.removeprefix("fewest_")
                ),
            )
    if board.one_line_up_to > board.seats[1]:
        most = board.seats[1]
        message = worded("[parallel] one_line_up_to_seats is more than the {most} seats there are", most=most)
        say("parallel.one_line_up_to_seats", message)
    if board.stations and (dear := max(board.stations.prices)) > board.cards.train + board.cards.wild:
        say("stations.prices", worded("[stations] no player can ever have {dear} cards of one colour", dear=dear))


def _check_cards(board: Board, say: Say) -> None:
    cards, most_seats = board.cards, board.seats[1]
    colours = len(cards.colours)
    train_deck = colours * cards.train + cards.wild
    ship_deck = colours * (cards.ship_single + cards.ship_double)
    for number, (name, deck) in enumerate((("train", train_deck), ("ship", ship_deck))):
        hand, market = cards.hand[number], cards.market[number]
        if deck > MAX_DECK:
            say(
                "cards",
                worded(
                    "[cards] the {name} deck has {deck} cards, the limit is {most}",
                    name=name,
                    deck=deck,
                    most=MAX_DECK,
                ),
            )
        if most_seats * hand + market > deck:
            say(
                "cards.hand",
                worded(
                    "[cards] {seats} hands of {hand} and a market of {market} {name} cards "
                    "are more than the {deck} in the deck",
                    seats=most_seats,
                    hand=hand,
                    market=market,
                    name=name,
                    deck=deck,
                ),
            )
    market = sum(cards.market)
    if not 1 <= market <= MAX_MARKET:
        say(
            "cards.market",
            worded("[cards] {market} cards lie in the market, expected 1 to {most}", market=market, most=MAX_MARKET),
        )
    if market < cards.sweep_at < NEVER:
        say(
            "cards.sweep_at",
            worded(
                "[cards] sweep_at is {sweep_at}, but {market} cards lie in the market",
                sweep_at=cards.sweep_at,
                market=market,
            ),
        )


def _check_pieces(board: Board, say: Say) -> None:
    pieces = board.pieces
    if pieces.fleet and len(pieces.names) < 2:
        say("fleet", worded("[fleet] chooses between two kinds of pieces; [pieces] has one"))
    if "ship" in pieces.names and not board.cards.two_decks:
        say("pieces.ship", worded("[pieces] has ships, but [cards] has no ship cards (ship_single, ship_double)"))
    if board.cards.two_decks and "ship" not in pieces.names:
        say("cards", worded("[cards] has ship cards, but [pieces] has no ship"))
    if "subway" in pieces.names and not any(board.subway_points):
        say("pieces.subway", worded("[pieces] has subway cars, but there is no section [points_subway]"))
    if any(board.subway_points) and "subway" not in pieces.names:
        say("points_subway", worded("[points_subway] is given but [pieces] has no subway cars"))
    start, left = pieces.of_a_seat, board.ending.pieces_left
    if left >= start:
        say(
            "ending.pieces_left",
            worded("[ending] pieces_left is {left}, but every seat starts with {start}", left=left, start=start),
        )


def _check_ports(board: Board, say: Say) -> None:
    ports, cards = board.ports, board.cards
    if ports is None:
        return
    if not (cards.ship_single and cards.train_port_marked):
        say("ports", worded("[ports] needs port-marked cards: port_marked and ship_single in [cards]"))
        return
    for key, price, marked in (
        ("train_cards", ports.train_cards, cards.train_port_marked),
        ("ship_cards", ports.ship_cards, cards.ship_single),
    ):
        if price > marked + cards.wild:
            say(
                f"ports.{key}",
                worded(
                    "[ports] no player can ever have {price} port-marked {key} cards of one colour",
                    price=price,
                    key=key[:-6],
                ),
            )


# --- the map


def check_map(
    board: Board, routes: list[tuple[Row, Route]], city_lines: dict[str, int], top: Section, faults: FaultList
) -> None:
    """Check that every route can be claimed and scored, every place is reached, and every mechanism has what it
    needs.
    """
    for row, route in routes:
        for message in _troubles(board, route):
            row.wrong(message)
    joined = {end.index for route in board.routes for end in (route.a, route.b)}
    for place in board.places:
        line = city_lines.get(place.name, 0)
        if place.index not in joined:
            faults.add(CITIES, line, worded("no route reaches {name}", name=quoted(place.name)))
        if place.port and board.ports is None:
            faults.add(
                CITIES,
                line,
                worded("{name} can have a port, but board.toml has no section [ports]", name=quoted(place.name)),
            )
    if board.ports and not any(place.port for place in board.places):
        top.wrong("ports", worded("[ports] is given but no city in cities.csv has port = yes"))
    if board.tunnel_cards and not any(route.kind == "tunnel" for route in board.routes):
        top.wrong("tunnels", worded("[tunnels] is given but no route in routes.csv is a tunnel"))
    names = {name for route in board.routes if route.wraps for name in _both_ways(route)}
    for name in board.map.get("edges", {}):
        if name not in names:
            near = did_you_mean(name, names)
            top.wrong(
                "map.edges",
                worded(
                    "[map.edges] {name} is not a route over the edge (wraps = yes){near}", name=quoted(name), near=near
                ),
            )
    _check_passengers(board, top, faults)


def _both_ways(route: Route) -> tuple[str, str]:
    return f"{route.a.name}–{route.b.name}", f"{route.b.name}–{route.a.name}"


def _troubles(board: Board, route: Route) -> Iterator[str]:
    """Yield why this route cannot be used on this board."""
    piece, cards = PIECE_OF[route.kind], board.cards
    if piece not in board.pieces.names:
        there = listed(board.pieces.names)
        yield worded(
            "a {kind} route needs {piece} pieces; [pieces] of board.toml has {there}",
            kind=Term(route.kind),
            piece=piece,
            there=there,
        )
        return
    if route.length > board.pieces.count[board.pieces.names.index(piece)]:
        yield worded("has {length} spaces; no seat has that many pieces", length=route.length)
    if route.colour != GRAY and route.colour not in cards.colours:
        yield worded(
            "there are no {colour} cards; [cards] of board.toml has {expected}",
            colour=Term(route.colour),
            expected=listed(terms(cards.colours)),
        )
    table, name = (board.points, "points") if route.kind != "subway" else (board.subway_points, "points_subway")
    if route.points_row >= len(table) or not table[route.points_row]:
        yield worded("length {length} has no entry in [{name}] of board.toml", length=route.points_row, name=name)
    if route.kind == "tunnel" and not board.tunnel_cards:
        yield worded("a tunnel needs the section [tunnels] in board.toml")
    if route.wilds > cards.wild:
        yield worded("needs {wilds} wilds; there are only {wild}", wilds=route.wilds, wild=cards.wild)
    most = cards.wild + (cards.ship_single + 2 * cards.ship_double if piece == "ship" else cards.train)
    if route.points_row > most:
        yield worded(
            "needs {cards} cards of one colour; with all wilds there are only {most}", cards=route.points_row, most=most
        )


def _check_passengers(board: Board, top: Section, faults: FaultList) -> None:
    standing = sum(place.passengers for place in board.places)
    if board.passengers is None:
        if standing:
            faults.add(
                PASSENGERS, 0, worded("there are passengers on the map, but board.toml has no section [passengers]")
            )
        return
    bag = len(board.passengers.colours) * board.passengers.each
    if not standing:
        top.wrong(
            "passengers",
            worded("[passengers] is given but no passengers are placed; place them in {file}", file=PASSENGERS),
        )
    if standing > bag:
        faults.add(
            PASSENGERS,
            0,
            worded("there are {standing} passengers on the map, but the bag holds {bag}", standing=standing, bag=bag),
        )


# --- tickets


def check_tickets(board: Board, rows: list[Row], top: Section, faults: FaultList) -> None:
    """Check that every ticket can be done, and there are enough to begin with."""
    neighbours = neighbours_by(board.routes)
    reach = {place.index: reached_from(place, neighbours) for place in board.places}
    for row, ticket in zip(rows, board.tickets, strict=True):
        for a, b in zip(ticket.places, ticket.places[1:], strict=False):
            if b.index not in reach[a.index]:
                row.wrong(worded("no routes lead from {a} to {b}{why}", a=a.name, b=b.name, why=_why(board)))
    first, seats = board.ticket_rules.first, board.seats[1]
    stock = [0] * len(board.ticket_rules.decks)
    for ticket in board.tickets:
        stock[ticket.deck] += 1
    if seats * first.mix > sum(stock):
        message = worded(
            "[tickets.first] {seats} seats are dealt {dealt} tickets, there are {count}",
            seats=seats,
            dealt=seats * first.mix,
            count=sum(stock),
        )
        top.wrong("tickets.first.mix", message)
    for number, deck in enumerate(board.ticket_rules.decks):
        dealt = seats * first.deal[number] if first.deal else 0
        if stock[number] == 0:
            faults.add(TICKETS, 0, worded("no ticket belongs to the deck {deck}", deck=deck))
        elif dealt > stock[number]:
            message = worded(
                "[tickets.first] {seats} seats are dealt {dealt} {deck}, there are {stock}",
                seats=seats,
                dealt=dealt,
                deck=deck,
                stock=stock[number],
            )
            top.wrong("tickets.first.deal", message)


def _why(board: Board) -> str:
    through = worded("; connections cannot pass through a country")
    return through if any(place.kind == "country" for place in board.places) else ""


def neighbours_by(routes: Iterable[Route]) -> dict[int, list[Place]]:
    """Return the places at the other ends of each place's routes."""
    neighbours: dict[int, list[Place]] = {}
    for route in routes:
        neighbours.setdefault(route.a.index, []).append(route.b)
        neighbours.setdefault(route.b.index, []).append(route.a)
    return neighbours


def reached_from(start: Place, neighbours: dict[int, list[Place]]) -> set[int]:
    """Return all places where a connection from here can end; it passes through no country (TIC-4)."""
    reached, frontier = {start.index}, [start]
    while frontier:
        here = frontier.pop()
        if here.kind == "country" and here.index != start.index:
            continue
        for place in neighbours.get(here.index, ()):
            if place.index not in reached:
                reached.add(place.index)
                frontier.append(place)
    return reached
