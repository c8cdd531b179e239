"""Second opinions: the rules once more, by brute force, sharing nothing with the code under test but the board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import reduce
from heapq import heappop, heappush
from itertools import product
from math import inf
from operator import or_

import branchline as bl

# ---------------------------------------------------------------------------------------------------- payments

Cards = frozenset  # of (name, number)


def multisets(hand: Counter[str], sizes: Sequence[int]) -> Iterator[Counter[str]]:
    """Every choice of so many cards from a hand."""
    names = sorted(name for name in hand if hand[name])
    for counts in product(*(range(hand[name] + 1) for name in names)):
        if sum(counts) in sizes:
            yield Counter({name: n for name, n in zip(names, counts, strict=True) if n})


def colour_of(card: str) -> str:
    """`red` of `red double ship`; `wild` has none."""
    return "" if card == "wild" else card.split()[0]


def is_train(card: str) -> bool:
    """Whether it is a card of the train deck."""
    return "ship" not in card


def one_colour(cards: Counter[str], asked: str) -> bool:
    """ROUTE-2: all of one colour, the one that is asked unless that is gray, wilds aside."""
    colours = {colour_of(card) for card in cards} - {""}
    return len(colours) <= 1 and (asked == "gray" or colours <= {asked})


def pays_spaces(cards: Counter[str], route: bl.Route) -> bool:
    """ROUTE-2, ROUTE-5, ROUTE-7 for a route without difficult terrain."""
    if route.kind == "sea":
        return pays_at_sea(cards, route)
    exact = sum(cards.values()) == route.price
    return exact and all(map(is_train, cards)) and one_colour(cards, route.colour) and cards["wild"] >= route.wilds


def pays_at_sea(cards: Counter[str], route: bl.Route) -> bool:
    """ROUTE-8: covers all spaces, and no card could be left out."""
    if any(is_train(card) and card != "wild" for card in cards) or not one_colour(cards, route.colour):
        return False
    covers = [2 if "double" in card else 1 for card in cards.elements()]
    return sum(covers) >= route.length and all(sum(covers) - cover < route.length for cover in covers)


def pays_terrain(cards: Counter[str], route: bl.Route) -> bool:
    """ROUTE-9: some of the cards are the ordinary spaces, the rest falls into pairs of one colour or with wilds."""
    plain = route.length - route.pairs
    if not all(map(is_train, cards)) or sum(cards.values()) != plain + 2 * route.pairs:
        return False
    for ordinary in multisets(cards, [plain]):
        if one_colour(ordinary, route.colour) and falls_into_pairs(sorted((cards - ordinary).elements())):
            return True
    return False


def falls_into_pairs(cards: list[str]) -> bool:
    """Whether the cards can be laid in pairs, each of one colour, wilds standing for either."""
    if not cards:
        return True
    first, others = cards[0], cards[1:]
    for n, other in enumerate(others):
        same = "wild" in (first, other) or colour_of(first) == colour_of(other)
        if same and falls_into_pairs(others[:n] + others[n + 1 :]):
            return True
    return False


def route_payments(route: bl.Route, hand: Counter[str]) -> set[Cards]:
    """All ways to pay for a route from a hand."""
    useful = Counter({card: n for card, n in hand.items() if card == "wild" or is_train(card) != (route.kind == "sea")})
    if route.pairs:
        found = (cards for cards in multisets(useful, [route.length + route.pairs]) if pays_terrain(cards, route))
    else:
        found = (cards for cards in multisets(useful, range(1, route.price + 1)) if pays_spaces(cards, route))
    return {frozenset(cards.items()) for cards in found}


def station_payments(price: int, hand: Counter[str]) -> set[Cards]:
    """STA-2: so many cards of one colour."""
    return {frozenset(cards.items()) for cards in multisets(hand, [price]) if one_colour(cards, "gray")}


def port_payments(hand: Counter[str]) -> set[Cards]:
    """PORT-2: two trains and two single ships of one colour, all port-marked; wilds for any of them."""
    marked = Counter({c: n for c, n in hand.items() if c == "wild" or c.endswith((" port", " ship"))})
    found = set()
    for cards in multisets(Counter({c: n for c, n in marked.items() if "double" not in c}), [4]):
        trains = sum(n for card, n in cards.items() if card.endswith(" port"))
        ships = sum(n for card, n in cards.items() if card.endswith(" ship"))
        if one_colour(cards, "gray") and trains <= 2 and ships <= 2:
            found.add(frozenset(cards.items()))
    return found


# ---------------------------------------------------------------------------------------------------- networks


def longest_trail(routes: Sequence[bl.Route]) -> int:
    """END-3 by trying every trail."""
    best = 0

    def walk(here: bl.Place, used: frozenset[int], spaces: int) -> None:
        nonlocal best
        best = max(best, spaces)
        for n, route in enumerate(routes):
            if n not in used and here in (route.a, route.b):
                walk(route.b if here == route.a else route.a, used | {n}, spaces + route.length)

    for place in {end for route in routes for end in (route.a, route.b)}:
        walk(place, frozenset(), 0)
    return best


def joined(routes: Sequence[bl.Route], start: bl.Place, goal: bl.Place) -> bool:
    """TIC-3, TIC-4: whether one can travel from place to place without passing through a country."""
    reached, edge = {start}, [start]
    while edge:
        here = edge.pop()
        if here.kind == "country" and here is not start:
            continue
        for route in routes:
            if here in (route.a, route.b):
                there = route.b if here == route.a else route.a
                if there not in reached:
                    reached.add(there)
                    edge.append(there)
    return goal in reached


def cheapest_network(board: bl.Board, costs: dict[int, int], wishes: Sequence[Sequence[int]]) -> int:
    """What the cheapest routes cost together by which all the places of each wish are joined (a Steiner forest).

    `costs`: of the routes that can be had, by number. Trees from small sets of places to large (Dreyfus and Wagner,
    1971), then every way to share the wishes out among trees. A country is the end of a branch or nothing.
    """
    places = sorted({place for wish in wishes for place in wish})
    tree: dict[tuple[int, int], int] = {}  # (set of places, one more place): what the cheapest tree costs

    def spreads(joined: int, here: int) -> bool:
        return board.places[here].kind != "country" or joined == only(here)

    def only(place: int) -> int:
        return 1 << places.index(place) if place in places else 0

    for joined in range(1, 1 << len(places)):
        best = {place: 0 for place in places if only(place) == joined}
        for part in range(1, joined):
            if part & joined == part:
                for place in range(len(board.places)):
                    whole = tree.get((part, place), inf) + tree.get((joined - part, place), inf)
                    apart = spreads(joined, place) or only(place) in (part, joined - part)
                    if apart and whole < best.get(place, inf):
                        best[place] = int(whole)
        heap = sorted((cost, place) for place, cost in best.items())
        while heap:
            cost, here = heappop(heap)
            tree[joined, here] = best[here]
            if cost == best[here] and spreads(joined, here):
                for route in board.routes:
                    ends = {route.a.index, route.b.index}
                    if route.index in costs and here in ends:
                        (there,) = ends - {here}
                        if cost + costs[route.index] < best.get(there, inf):
                            best[there] = cost + costs[route.index]
                            heappush(heap, (best[there], there))
    needs = [sum(only(place) for place in set(wish)) for wish in wishes]
    cheapest = {0: 0}
    for some in range(1, 1 << len(wishes)):
        ways = []
        for part in range(1, some + 1):
            if part & some == part:
                joined = reduce(or_, (need for n, need in enumerate(needs) if part >> n & 1))
                ways.append(min(tree.get((joined, place), inf) for place in places) + cheapest[some - part])
        cheapest[some] = int(min(ways))
    return cheapest[(1 << len(wishes)) - 1]


def in_order(routes: Sequence[bl.Route], cities: Sequence[bl.Place]) -> bool:
    """TIC-6 and its ruling, by trying every trail from the first city."""

    def walk(here: bl.Place, visited: int, used: frozenset[int]) -> bool:
        if visited < len(cities) and here == cities[visited]:
            visited += 1
        if visited == len(cities):
            return True
        return any(
            walk(route.b if here == route.a else route.a, visited, used | {n})
            for n, route in enumerate(routes)
            if n not in used and here in (route.a, route.b)
        )

    return walk(cities[0], 0, frozenset())


def ticket_points(ticket: bl.Ticket, routes: Sequence[bl.Route], helped: Sequence[bl.Route] = ()) -> tuple[int, bool]:
    """TIC-3, TIC-6: points of a ticket and whether it is done; `helped`: with borrowed routes."""
    together = [*routes, *helped]
    if not all(joined(together, ticket.places[0], place) for place in ticket.places[1:]):
        return -ticket.penalty, False
    if len(ticket.places) > 2:
        return (ticket.value if in_order(routes, ticket.places) else ticket.any_order), True
    return ticket.value, True


def best_stations(
    tickets: Sequence[bl.Ticket],
    routes: Sequence[bl.Route],
    foreign: Sequence[bl.Route],
    cities: Sequence[bl.Place],
) -> tuple[int, int]:
    """STA-3: most points, then most tickets done, over every choice of one foreign route for each station."""
    choices = [[None, *(route for route in foreign if city in (route.a, route.b))] for city in cities]
    results = []
    for picked in product(*choices):
        helped = [route for route in picked if route is not None]
        scored = [ticket_points(ticket, routes, helped) for ticket in tickets]
        results.append((sum(points for points, _ in scored), sum(done for _, done in scored)))
    return max(results)


def passenger_points(taken: Sequence[int], most: int = 20, second: int = 10) -> list[int]:
    """PAS-3 for one colour, read off the rulebook sentence by sentence."""
    points = [0] * len(taken)
    first = max(taken)
    leaders = [seat for seat, n in enumerate(taken) if n == first and n > 0]
    for seat in leaders:
        points[seat] = most
    if len(leaders) == 1:
        others = [n for n in taken if 0 < n < first]
        for seat, n in enumerate(taken):
            if others and n == max(others):
                points[seat] = second
    return points
