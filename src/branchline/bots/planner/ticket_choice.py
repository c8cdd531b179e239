"""Which tickets the simpler bots draw and keep, and the fleet that all of them choose."""

from __future__ import annotations

from branchline.boards.limits import MAX_OFFER
from branchline.boards.tables import BoardTables
from branchline.bots.api.memory import Memory
from branchline.bots.planner import plan, route_values, shortest_paths
from branchline.bots.planner.paying import lowest_action
from branchline.bots.planner.route_values import TENTHS
from branchline.rules import fleet
from branchline.rules.kernel import rule
from branchline.rules.sets import is_legal
from branchline.rules.state import KEEP, MAX_SWAP, MIX, SWAP_FOR, TRAINS_IN_FLEET, Scratch, State

BUILDING = 12  # tenths of points that one unit of a connection's cost weighs, in tenths
FIRST_MARGIN = 20  # a ticket more than must be kept is kept if it brings so many tenths of points
LATER_MARGIN = 0
PIECES_TO_DRAW = 30  # per cent of the pieces that everybody still has when tickets are drawn


# -------------------------------------------------------------------------------------------------------- tickets


@rule
def choose_mix(board: BoardTables, state: State, scratch: Scratch) -> int:
    """Return half from the deck of the more valuable tickets while there are many pieces; later all from the other
    one.
    """
    size = board.first_mix if state.setting_up else board.later_mix
    valuable = size // 2
    if not state.setting_up and not early(board, state):
        valuable = 0
    from_first = valuable if mean_value(board, 0) > mean_value(board, 1) else size - valuable
    return nearest_mix(scratch, from_first)


@rule
def nearest_mix(scratch: Scratch, from_first: int) -> int:
    """Return the legal mix nearest to `from_first` tickets from the first deck."""
    for away in range(MAX_OFFER + 1):
        if from_first - away >= 0 and is_legal(scratch, MIX + from_first - away):
            return MIX + from_first - away
        if from_first + away <= MAX_OFFER and is_legal(scratch, MIX + from_first + away):
            return MIX + from_first + away
    return lowest_action(scratch)


@rule
def mean_value(board: BoardTables, deck: int) -> int:
    """Return the mean value of a deck's tickets, in tenths."""
    count = 0
    value = 0
    for ticket in range(board.tickets):
        if board.ticket_deck[ticket] == deck:
            count += 1
            value += board.ticket_value[ticket]
    return TENTHS * value // max(1, count)


@rule
def early(board: BoardTables, state: State) -> bool:
    """Return whether all seats still have most of their pieces."""
    return fewest_pieces(board, state) * 100 >= 70 * at_start(board)


@rule
def fewest_pieces(board: BoardTables, state: State) -> int:
    """Return the pieces of the seat that has fewest."""
    fewest = plan.all_pieces(board, state, 0)
    for seat in range(1, state.seats):
        fewest = min(fewest, plan.all_pieces(board, state, seat))
    return fewest


@rule
def at_start(board: BoardTables) -> int:
    """Return the pieces each seat begins with."""
    return board.fleet if board.fleet else board.pieces[0] + board.pieces[1]


@rule
def wants_tickets(board: BoardTables, state: State, memory: Memory) -> bool:
    """Draw tickets when nothing is left to do for those held, and pieces and time suffice for more."""
    if state.turns_to_go >= 0 or fewest_pieces(board, state) * 100 < PIECES_TO_DRAW * at_start(board):
        return False
    for n in range(memory.held_count):
        if memory.outlook[n] == plan.PLANNED and route_values.claims_missing(board, memory, n) > 0:
            return False
    return True


@rule
def choose_kept(board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int) -> int:
    """Keep one ticket after the other, the one that brings most over what is planned, as long as it brings enough."""
    plan.lay_out(board, memory)
    plan.make_plan(board, state, memory, seat)
    least = board.first_keep if state.setting_up else board.later_keep
    margin = FIRST_MARGIN if state.setting_up else LATER_MARGIN
    kept = 0
    for count in range(state.offer_size[seat]):
        best = -1
        most = 0
        for n in range(state.offer_size[seat]):
            if (kept >> n) & 1 == 0:
                brings = gain(board, state, memory, seat, state.offer[seat, n])
                if best < 0 or brings > most:
                    best = n
                    most = brings
        if count >= least and most < margin:
            break
        kept |= 1 << best
        if plan.connect(board, state, memory, seat, state.offer[seat, best]) != shortest_paths.NEVER:
            plan.keep_trial(board, memory)
    memory.planned = 0
    return KEEP + kept if is_legal(scratch, KEEP + kept) else lowest_action(scratch)


@rule
def gain(board: BoardTables, state: State, memory: Memory, seat: int, ticket: int) -> int:
    """Return what a ticket brings, in tenths of points, less the cost of building what it still needs."""
    cost = plan.connect(board, state, memory, seat, ticket)
    if cost == shortest_paths.NEVER:
        return -TENTHS * board.ticket_penalty[ticket]
    return TENTHS * board.ticket_any_order[ticket] - BUILDING * cost // TENTHS


# ---------------------------------------------------------------------------------------------------------- fleet


@rule
def choose_fleet(board: BoardTables, state: State, memory: Memory, seat: int) -> int:
    """Return the trains the tickets need, and a third of the other pieces."""
    plan.lay_out(board, memory)
    plan.make_plan(board, state, memory, seat)
    left = board.fleet - memory.plan_pieces[0] - memory.plan_pieces[1]
    trains = memory.plan_pieces[0] + left // 3
    return TRAINS_IN_FLEET + max(fleet.fewest_trains(board), min(fleet.most_trains(board), trains))


@rule
def swap_needed(state: State, memory: Memory, seat: int) -> int:
    """Return how many pieces of one kind the plan lacks, as far as the box has them."""
    for kind in range(2):
        lacking = memory.plan_pieces[kind] - state.pieces[seat, kind]
        if 0 < lacking <= min(state.box[seat, kind], state.pieces[seat, 1 - kind]):
            return lacking
    return 0


@rule
def choose_swap(state: State, scratch: Scratch, memory: Memory, seat: int) -> int:
    """Swap for what the plan lacks; if that cannot be, as little as possible."""
    for kind in range(2):
        lacking = memory.plan_pieces[kind] - state.pieces[seat, kind]
        if lacking > 0:
            action = SWAP_FOR + MAX_SWAP * kind + lacking - 1
            if lacking <= MAX_SWAP and is_legal(scratch, action):
                return action
    return lowest_action(scratch)
