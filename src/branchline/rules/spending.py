"""Which cards a price could be paid with: every kind that one payment or another spends, without trying them all.

Atoms ROUTE-2, ROUTE-5, ROUTE-8, ROUTE-9, STA-2, PORT-2. The answers are those of `payment`; nothing is chosen here.
"""

from __future__ import annotations

from branchline.boards.limits import MAX_COLOURS
from branchline.boards.tables import DOUBLE, MARKED, SHIP, TRAIN, WILD_KIND, BoardTables
from branchline.rules import payment
from branchline.rules.kernel import rule
from branchline.rules.sets import lowest
from branchline.rules.state import ALL_WILD, FOR_PORT, FOR_ROUTE, PAIR, State


@rule
def kinds(board: BoardTables, state: State) -> int:
    """Return the kinds of cards, as bits, that the payment which has just begun may spend; the state stays as it is."""
    if state.question == PAIR:
        return of_pairs(state)
    spendable = 0
    colours = payment.colours(board, state)
    for colour in range(MAX_COLOURS):
        if colours >> colour & 1:
            spendable |= of_colour(board, state, colour)
    if colours >> ALL_WILD & 1:
        spendable |= 1 << WILD_KIND
        spendable |= and_pairs(state, 0, 0, state.open_spaces)
    return spendable


@rule
def of_colour(board: BoardTables, state: State, colour: int) -> int:
    """Return the kinds that payments in one colour spend, wilds among them or not."""
    spendable = 0
    options = payment.wilds(board, state, colour)
    while options != 0:
        wilds = lowest(options)
        options &= options - 1
        if wilds > 0:
            spendable |= 1 << WILD_KIND
        if state.paying_for == FOR_PORT:
            spendable |= of_port(board, state, colour, wilds)
        elif state.paying_for == FOR_ROUTE and board.route_sea[state.target]:
            spendable |= of_ships(state, colour, state.open_spaces - wilds, wilds)
        else:
            spendable |= of_trains(state, colour)
            spendable |= and_pairs(state, colour, state.open_spaces - wilds, wilds)
    return spendable


@rule
def of_trains(state: State, colour: int) -> int:
    """Train cards of a colour: with or without port mark as one likes."""
    spendable = 0
    for kind in (TRAIN + colour, MARKED + colour):
        if payment.in_hand(state, kind) > 0:
            spendable |= 1 << kind
    return spendable


@rule
def of_ships(state: State, colour: int, spaces: int, wilds: int) -> int:
    """ROUTE-8: Return the kinds of single and double ships that cover `spaces` spaces, with `wilds` wilds played."""
    options = payment.doubles(state, colour, spaces, wilds)
    spendable = 0
    if options >> 1 != 0:
        spendable |= 1 << (DOUBLE + colour)
    if spaces > 2 * lowest(options):
        spendable |= 1 << (SHIP + colour)
    return spendable


@rule
def of_port(board: BoardTables, state: State, colour: int, wilds: int) -> int:
    """PORT-2: Return the kinds that a port spends, with `wilds` of its train cards being wilds."""
    state.laid[WILD_KIND] += wilds
    options = payment.port_ship_wilds(board, state, colour)
    state.laid[WILD_KIND] -= wilds
    spendable = 0
    if wilds < board.port_trains:
        spendable |= 1 << (MARKED + colour)
    if options >> 1 != 0:
        spendable |= 1 << WILD_KIND
    if lowest(options) < board.port_ships:
        spendable |= 1 << (SHIP + colour)
    return spendable


@rule
def and_pairs(state: State, colour: int, trains: int, wilds: int) -> int:
    """ROUTE-9: Return the kinds of the pairs that follow once these cards of a colour and wilds are laid; none where no
    pair is asked.
    """
    if state.open_pairs == 0:
        return 0
    state.laid[TRAIN + colour] += trains
    state.laid[WILD_KIND] += wilds
    spendable = of_pairs(state)
    state.laid[TRAIN + colour] -= trains
    state.laid[WILD_KIND] -= wilds
    return spendable


@rule
def of_pairs(state: State) -> int:
    """ROUTE-9: Return the kinds of every pair that leaves enough cards for the others, in whichever order they are
    laid.
    """
    spendable = 0
    for option in range(payment.ALL_WILD_PAIR + 1):
        if payment.has_pair(state, option):
            payment.lay_pair(state, option, 1)
            enough = payment.pairs_from(state, 0) >= state.open_pairs - 1
            payment.lay_pair(state, option, -1)
            if enough and option < payment.ALL_WILD_PAIR:
                spendable |= of_trains(state, option // 2)
            if enough and (option == payment.ALL_WILD_PAIR or option % 2 == 1):
                spendable |= 1 << WILD_KIND
    return spendable
