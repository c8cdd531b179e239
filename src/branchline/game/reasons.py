"""Why something cannot be done now, for people who tried or ask."""

from __future__ import annotations

from branchline.boards import Board
from branchline.boards.tables import WILD_KIND, WORD
from branchline.game.actions import action_text, piece_text
from branchline.rules import state as at
from branchline.rules.state import State


def why_not(board: Board, state: State, action: int) -> str:
    """The reason why an action is not legal now, in one line. Tells only what the seat itself may know."""
    if state.question == at.OVER:
        return "the game is over"
    if state.question == at.KEEP_TICKETS:
        return _why_not_keep(board, state, action)
    if at.CLAIM <= action < at.STATION and action < len(board.routes):
        return _why_not_claim(board, state, action - at.CLAIM)
    if state.question != at.TURN:
        return f"seat {state.seat} has to answer something else first"
    if at.STATION <= action < at.PORT and action - at.STATION < len(board.places):
        return _why_not_station(board, state, action - at.STATION)
    if at.PORT <= action < at.TAKE and action - at.PORT < len(board.places):
        return _why_not_port(board, state, action - at.PORT)
    if action == at.PASS:
        return "passing is allowed only when nothing else is possible"
    if at.TAKE <= action < at.DRAW_TICKETS:
        return "no such card can be drawn now"
    if action == at.DRAW_TICKETS:
        return "there are no tickets left"
    if action == at.SWAP_PIECES:
        return "there is nothing to swap"
    return "that is not possible now"


def _why_not_keep(board: Board, state: State, action: int) -> str:
    """Tickets are on offer, and nothing else can be done before some are kept."""
    size = int(state.offer_size[state.seat])
    rules = board.ticket_rules.first if state.setting_up else board.ticket_rules.later
    if at.KEEP <= action < at.KEEP + (1 << size):
        return f"at least {min(rules.keep, size)} of the {size} tickets have to be kept"
    return "choose which tickets to keep first"


def _why_not_claim(board: Board, state: State, number: int) -> str:
    route, seat = board.routes[number], int(state.seat)
    owner = int(state.route_owner[number])
    name = action_text(board, state, number).removeprefix("claim ")
    if owner >= 0:
        return f"{name} already belongs to {'you' if owner == seat else f'seat {owner}'}"
    if owner == at.CLOSED:
        return f"{name} is closed: its parallel line is taken, and with {state.seats} seats only one may be used"
    if state.barred[seat, number // WORD] >> (number % WORD) & 1:
        return f"{name}: you hold its parallel line, and nobody may hold two"
    kind = 1 if route.kind in ("sea", "subway") else 0
    have = int(state.pieces[seat, kind])
    if have < route.length:
        return f"{name} needs {piece_text(board, kind, route.length)}, you have {have}"
    if state.question != at.TURN:
        return f"seat {seat} has to answer something else first"
    if state.hand[seat, WILD_KIND] < route.wilds:
        wilds = f"{route.wilds} wild{'' if route.wilds == 1 else 's'}"
        return f"{name} needs at least {wilds}, you have {int(state.hand[seat, WILD_KIND])}"
    colour = "any one colour" if route.colour == "gray" else route.colour
    if route.pairs:
        return f"{name} needs {route.pairs} pairs of equal train cards; your hand cannot pay that"
    what = "spaces of ship cards" if route.kind == "sea" else "cards"
    return f"{name} costs {route.price} {what} of {colour}; your hand cannot pay that"


def _why_not_station(board: Board, state: State, number: int) -> str:
    place, seat = board.places[number], int(state.seat)
    if not board.stations:
        return "there are no stations in this edition"
    if state.station_owner[number] >= 0:
        return f"{place.name} has a station already"
    if place.kind != "city":
        return f"{place.name} is not a city"
    built = int(state.stations_built[seat])
    if built == len(board.stations.prices):
        return "all your stations are built"
    return f"your next station costs {board.stations.prices[built]} cards of one colour; your hand cannot pay that"


def _why_not_port(board: Board, state: State, number: int) -> str:
    place, seat = board.places[number], int(state.seat)
    if not board.ports:
        return "there are no ports in this edition"
    if state.port_owner[number] >= 0:
        return f"{place.name} has a port already"
    if not place.port:
        return f"{place.name} is not a port city"
    if state.ports_built[seat] == board.ports.count:
        return "all your ports are built"
    if not state.reached[seat, number // WORD] >> (number % WORD) & 1:
        return f"you have no route to {place.name} yet"
    return (
        f"a port costs {board.ports.train_cards} train and {board.ports.ship_cards} ship cards of one colour, "
        "all port-marked; your hand cannot pay that"
    )
