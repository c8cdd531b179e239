"""Paying, step by step: the colour, then how many wilds, then which cards, as far as there is a choice.

Atoms ROUTE-2, ROUTE-5, ROUTE-8, ROUTE-9, STA-2, PORT-2, TUN-2, TUN-3. A price is `open_spaces` to be covered in
one colour and `open_pairs` of difficult terrain; cards chosen are `laid`, and leave the hand when all are.
The number of an option is its colour, its number of wilds, and so on; sets of options are bits.
"""

from __future__ import annotations

from branchline.boards.limits import MAX_COLOURS
from branchline.boards.tables import ANY_COLOUR, DOUBLE, KINDS, SHIP, TRAIN, WILD_KIND, BoardTables
from branchline.boards.tables import MARKED as MARKED_KIND
from branchline.rules import cards
from branchline.rules.kernel import popcount, rule
from branchline.rules.log import PAID, note
from branchline.rules.sets import lowest
from branchline.rules.state import (
    ALL_WILD,
    COLOUR,
    DOUBLES,
    FOR_EXTRA,
    FOR_PORT,
    FOR_ROUTE,
    MARKED,
    NOTHING,
    PAIR,
    SHIP_WILDS,
    UNDECIDED,
    WILDS,
    Scratch,
    State,
)

ALL_WILD_PAIR = 2 * MAX_COLOURS
SETTLED = 0  # in place of a question: every card is chosen


@rule
def begin(state: State, paying_for: int, target: int, spaces: int, pairs: int) -> None:
    """Open a payment of so many spaces of one colour and so many pairs; none may be open."""
    state.paying_for = paying_for
    state.target = target
    state.open_spaces = spaces
    state.open_pairs = pairs
    state.question = COLOUR if spaces > 0 else PAIR


@rule
def begin_extra(state: State, cards_more: int) -> None:
    """TUN-2: Begin to pay what a tunnel asks more, in the colour that was played."""
    state.paying_for = FOR_EXTRA
    state.open_spaces = cards_more
    if state.colour == ALL_WILD:
        state.laid[WILD_KIND] += cards_more
        state.open_spaces = 0
        state.question = SETTLED
    else:
        state.question = WILDS


@rule
def clear(state: State) -> None:
    """Clear the payment: nothing is being paid."""
    state.paying_for = NOTHING
    state.target = -1
    state.colour = UNDECIDED
    state.open_spaces = 0
    state.open_pairs = 0
    state.last_pair = 0
    state.open_colour = UNDECIDED
    for kind in range(KINDS):
        state.laid[kind] = 0
        state.shown[kind] = 0


@rule
def in_hand(state: State, kind: int) -> int:
    """Return how many cards of a kind are not laid yet."""
    return state.hand[state.seat, kind] - state.laid[kind]


@rule
def trains_in_hand(state: State, colour: int) -> int:
    """Train cards of a colour, port-marked or not, that are not laid yet."""
    return in_hand(state, TRAIN + colour) + in_hand(state, MARKED_KIND + colour)


@rule
def proceed(board: BoardTables, state: State) -> bool:
    """Take the steps that leave no choice; True when every card is chosen, else `state.question` asks."""
    while state.question != SETTLED:
        choices = options(board, state)
        if popcount(choices) != 1:
            return False
        choose(board, state, lowest(choices))
    return True


@rule
def options(board: BoardTables, state: State) -> int:
    """Return the answers to the question of this payment."""
    if state.question == COLOUR:
        return colours(board, state)
    if state.question == WILDS:
        return wilds(board, state, state.colour)
    if state.question == SHIP_WILDS:
        return port_ship_wilds(board, state, state.colour)
    if state.question == DOUBLES:
        return doubles(state, state.colour, state.open_spaces, state.laid[WILD_KIND])
    if state.question == MARKED:
        return marked(state)
    return pairs(state)


@rule
def choose(board: BoardTables, state: State, option: int) -> None:
    """Lay the cards of one answer and go to the next question, or to SETTLED."""
    if state.question == COLOUR:
        choose_colour(state, option)
    elif state.question == WILDS:
        choose_wilds(board, state, option)
    elif state.question == SHIP_WILDS:
        state.laid[WILD_KIND] += option
        state.laid[SHIP + state.colour] += board.port_ships - option
        state.question = SETTLED
    elif state.question == DOUBLES:
        state.laid[DOUBLE + state.colour] += option
        state.laid[SHIP + state.colour] += max(0, state.open_spaces - 2 * option)
        spaces_are_covered(state)
    elif state.question == MARKED:
        choose_marked(board, state, option)
    else:
        choose_pair(board, state, option)


@rule
def spaces_are_covered(state: State) -> None:
    """Go on to the pairs, if any, once the spaces are covered."""
    state.open_spaces = 0
    state.open_colour = UNDECIDED
    state.question = PAIR if state.open_pairs > 0 else SETTLED


@rule
def colours(board: BoardTables, state: State) -> int:
    """ROUTE-2: Return the colours in which the price can be paid; ALL_WILD is one more."""
    wild = in_hand(state, WILD_KIND)
    demanded = ANY_COLOUR
    if state.paying_for == FOR_ROUTE:
        demanded = board.route_colour[state.target]
    payable = 0
    if demanded != ANY_COLOUR:
        if wilds(board, state, demanded) != 0:
            payable = 1 << demanded
    elif takes_plain_trains(board, state):
        payable = train_colours(board, state, wild)
    else:
        for n in range(board.colours):
            if wilds(board, state, board.colour[n]) != 0:
                payable |= 1 << board.colour[n]
    left = wild - state.open_spaces
    if left >= 0 and (state.open_pairs == 0 or pairs_with(state, left, 0, 0) >= state.open_pairs):
        payable |= 1 << ALL_WILD
    return payable


@rule
def takes_plain_trains(board: BoardTables, state: State) -> bool:
    """Return whether the price is in train cards only, none of it in pairs."""
    if state.open_pairs > 0 or state.paying_for == FOR_PORT:
        return False
    return state.paying_for != FOR_ROUTE or board.route_sea[state.target] == 0


@rule
def train_colours(board: BoardTables, state: State, wild: int) -> int:
    """Return the colours with enough train cards: the same answer as `wilds` gives for each, but quicker."""
    most = min(wild, state.open_spaces - 1)
    payable = 0
    if state.paying_for == FOR_ROUTE and board.route_wilds[state.target] > most:
        return 0
    for colour in range(MAX_COLOURS):
        if trains_in_hand(state, colour) >= state.open_spaces - most:
            payable |= 1 << colour
    return payable


@rule
def wilds(board: BoardTables, state: State, colour: int) -> int:
    """Return how many wilds may go with this colour, at least one card of which is played (except for a tunnel's
    extra).
    """
    spaces = state.open_spaces
    wild = in_hand(state, WILD_KIND)
    least = 0
    most = min(wild, spaces - 1)
    if state.paying_for == FOR_ROUTE:
        least = board.route_wilds[state.target]
        if board.route_sea[state.target]:
            return ship_wilds(state, colour, least, most)
    elif state.paying_for == FOR_PORT:
        return port_train_wilds(board, state, colour)
    elif state.paying_for == FOR_EXTRA:
        most = min(wild, spaces)
    least = max(least, spaces - trains_in_hand(state, colour))
    if least > most:
        return 0
    if state.open_pairs == 0:
        return (2 << most) - (1 << least)
    possible = 0
    for played in range(least, most + 1):
        if pairs_with(state, wild - played, colour, spaces - played) >= state.open_pairs:
            possible |= 1 << played
    return possible


@rule
def choose_colour(state: State, colour: int) -> None:
    """Settle the colour; if the payment is all wilds, settle the cards too."""
    state.colour = colour
    if colour == ALL_WILD:
        state.laid[WILD_KIND] += state.open_spaces
        spaces_are_covered(state)
    else:
        state.question = WILDS


@rule
def choose_wilds(board: BoardTables, state: State, played: int) -> None:
    """Settle the number of wilds; the rest are cards of the colour."""
    state.laid[WILD_KIND] += played
    if state.paying_for == FOR_PORT:
        state.laid[MARKED_KIND + state.colour] += board.port_trains - played
        state.question = SHIP_WILDS
        return
    state.open_spaces -= played
    if state.paying_for == FOR_ROUTE and board.route_sea[state.target]:
        state.question = DOUBLES
        return
    lay_trains(board, state, state.colour)


@rule
def lay_trains(board: BoardTables, state: State, colour: int) -> None:
    """Cover the open spaces with train cards of a colour, asking which are port-marked where that exists.

    Where pairs follow, that is asked when they are chosen too: once for each colour.
    """
    if board.port_marks and state.open_spaces > 0 and state.open_pairs == 0:
        state.open_colour = colour
        state.question = MARKED
    else:
        lay_fewest_marked(state, colour, state.open_spaces)
        spaces_are_covered(state)


@rule
def lay_fewest_marked(state: State, colour: int, count: int) -> None:
    """Lay train cards of a colour, port-marked ones only where the plain ones do not suffice."""
    plain = min(count, in_hand(state, TRAIN + colour))
    state.laid[TRAIN + colour] += plain
    state.laid[MARKED_KIND + colour] += count - plain


@rule
def choose_marked(board: BoardTables, state: State, option: int) -> None:
    """Settle how many of the train cards are port-marked; with pairs, go on to the next colour among them."""
    colour = state.open_colour
    state.laid[MARKED_KIND + colour] += option
    state.laid[TRAIN + colour] += state.open_spaces - option
    spaces_are_covered(state)
    if state.question == SETTLED:
        ask_marks(board, state, colour + 1)


@rule
def ask_marks(board: BoardTables, state: State, first: int) -> None:
    """Ask how many of the laid train cards are port-marked, for the next colour from `first` on; else SETTLED."""
    state.question = SETTLED
    if board.port_marks == 0:
        return
    for colour in range(first, MAX_COLOURS):
        count = state.laid[TRAIN + colour] + state.laid[MARKED_KIND + colour]
        if count > 0:
            state.laid[TRAIN + colour] = 0
            state.laid[MARKED_KIND + colour] = 0
            state.open_spaces = count
            state.open_colour = colour
            state.question = MARKED
            return


@rule
def marked(state: State) -> int:
    """Return how many of the train cards to be laid may be port-marked ones."""
    possible = 0
    plain = in_hand(state, TRAIN + state.open_colour)
    most = min(state.open_spaces, in_hand(state, MARKED_KIND + state.open_colour))
    for count in range(max(0, state.open_spaces - plain), most + 1):
        possible |= 1 << count
    return possible


@rule
def ship_wilds(state: State, colour: int, least: int, most: int) -> int:
    """ROUTE-8: Return how many wilds leave a rest that ship cards of the colour can cover."""
    possible = 0
    for played in range(least, most + 1):
        if doubles(state, colour, state.open_spaces - played, played) != 0:
            possible |= 1 << played
    return possible


@rule
def doubles(state: State, colour: int, spaces: int, wild: int) -> int:
    """ROUTE-8: Return how many double ships may cover `spaces` spaces, singles taking the rest.

    One space too many is covered only where no card could be left out: by doubles alone.
    """
    single = in_hand(state, SHIP + colour)
    double = in_hand(state, DOUBLE + colour)
    most = spaces // 2
    if wild == 0:
        most = (spaces + 1) // 2
    least = max(0, (spaces - single + 1) // 2)
    most = min(most, double)
    return (2 << most) - (1 << least) if least <= most else 0


@rule
def port_train_wilds(board: BoardTables, state: State, colour: int) -> int:
    """PORT-2: Return how many of the train cards may be wilds."""
    possible = 0
    wild = in_hand(state, WILD_KIND)
    for played in range(min(wild, board.port_trains) + 1):
        if board.port_trains - played <= in_hand(state, MARKED_KIND + colour):
            least = max(0, board.port_ships - in_hand(state, SHIP + colour))
            most = min(wild - played, board.port_ships)
            if played == board.port_trains:  # all four wild is a choice of its own
                most = min(most, board.port_ships - 1)
            if least <= most:
                possible |= 1 << played
    return possible


@rule
def port_ship_wilds(board: BoardTables, state: State, colour: int) -> int:
    """PORT-2: Return how many of the ship cards may be wilds, those among the trains being laid."""
    possible = 0
    most = min(in_hand(state, WILD_KIND), board.port_ships)
    if state.laid[WILD_KIND] == board.port_trains:
        most = min(most, board.port_ships - 1)
    for played in range(max(0, board.port_ships - in_hand(state, SHIP + colour)), most + 1):
        possible |= 1 << played
    return possible


@rule
def pairs_with(state: State, wild: int, colour: int, spent: int) -> int:
    """ROUTE-9: Return the most pairs that `wild` wilds and the train cards make, `spent` of one colour being gone."""
    whole = 0
    odd = 0
    for other in range(MAX_COLOURS):
        count = trains_in_hand(state, other)
        if other == colour:
            count -= spent
        whole += count // 2
        odd += count % 2
    return whole + min(odd, wild) + max(0, wild - odd) // 2


@rule
def pairs_from(state: State, option: int) -> int:
    """ROUTE-9: Return the most pairs from what is in hand, none of them before `option` in the order of pairs."""
    wild = in_hand(state, WILD_KIND)
    whole = 0
    odd = 0
    for colour in range(option // 2, MAX_COLOURS):
        count = trains_in_hand(state, colour)
        whole += count // 2
        odd += count % 2
    return whole + min(odd, wild) + max(0, wild - odd) // 2


@rule
def after_pair(option: int) -> int:
    """Return the first pair that may follow: of a colour and a wild there is one at most.

    Two of these are the same cards as a pair of the colour and a pair of wilds. With that, and the order of the
    pairs, the same cards are one payment, however many pairs they make.
    """
    return option + option % 2


@rule
def pairs(state: State) -> int:
    """ROUTE-9: Return the next pair: 2 · colour + wilds in it, or ALL_WILD_PAIR; later ones must still be payable."""
    possible = 0
    for option in range(state.last_pair, ALL_WILD_PAIR + 1):
        if has_pair(state, option):
            lay_pair(state, option, 1)
            if pairs_from(state, after_pair(option)) >= state.open_pairs - 1:
                possible |= 1 << option
            lay_pair(state, option, -1)
    return possible


@rule
def has_pair(state: State, option: int) -> bool:
    """ROUTE-9: Return whether the cards of a pair are in hand."""
    wild = in_hand(state, WILD_KIND)
    if option == ALL_WILD_PAIR:
        return wild >= 2
    if option % 2 == 1:
        return wild >= 1 and trains_in_hand(state, option // 2) >= 1
    return trains_in_hand(state, option // 2) >= 2


@rule
def lay_pair(state: State, option: int, times: int) -> None:
    """Count a pair as laid, or (times = -1) no longer; which cards are port-marked does not matter here."""
    wild = 2 if option == ALL_WILD_PAIR else option % 2
    state.laid[WILD_KIND] += times * wild
    if wild < 2:
        state.laid[TRAIN + option // 2] += times * (2 - wild)


@rule
def choose_pair(board: BoardTables, state: State, option: int) -> None:
    """Lay one pair; after the last one comes which of the cards are port-marked."""
    wild = 2 if option == ALL_WILD_PAIR else option % 2
    state.last_pair = after_pair(option)
    state.open_pairs -= 1
    state.laid[WILD_KIND] += wild
    if wild < 2:
        lay_fewest_marked(state, option // 2, 2 - wild)
    if state.open_pairs == 0:
        ask_marks(board, state, 0)


@rule
def spend(board: BoardTables, state: State, scratch: Scratch) -> None:
    """ROUTE-3: Put the laid cards on the discards."""
    if state.paying_for == FOR_ROUTE and board.route_pairs[state.target] > 0:  # pairs may be of any colours
        for kind in range(WILD_KIND):
            spend_kind(state, scratch, kind)
    elif state.colour != ALL_WILD:
        for family in (TRAIN, MARKED_KIND, SHIP, DOUBLE):
            spend_kind(state, scratch, family + state.colour)
    spend_kind(state, scratch, WILD_KIND)


@rule
def spend_kind(state: State, scratch: Scratch, kind: int) -> None:
    """Put the laid cards of one kind on the discards."""
    if state.laid[kind] > 0:
        note(scratch, PAID, state.seat, kind, state.laid[kind])
        cards.spend(state, state.seat, kind, state.laid[kind])


@rule
def show(state: State, scratch: Scratch) -> None:
    """TUN-1: Lay the payment open; from now on everybody knows that these cards are in the hand."""
    note_laid(state, scratch)
    for kind in range(KINDS):
        state.shown[kind] = state.laid[kind]
        state.seen[state.seat, kind] = max(state.seen[state.seat, kind], state.laid[kind])


@rule
def note_laid(state: State, scratch: Scratch) -> None:
    """Note the cards that lie open; they do not leave the hand yet, or not at all (TUN-4)."""
    for kind in range(KINDS):
        if state.laid[kind] > 0:
            note(scratch, PAID, state.seat, kind, state.laid[kind])
