"""Who plays the other seats in which of many games: compiled bots, and whoever is asked from outside."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from branchline.arena.choosers import Choosers, choosers_of, is_compiled
from branchline.arena.play import SEED_BITS, bot_seed, game_seed
from branchline.arena.table import weights_of
from branchline.boards import Board
from branchline.boards.faults import shown
from branchline.boards.limits import MAX_SEATS
from branchline.bots import Bot, BotError, CompiledBot, Position, bot_maker
from branchline.bots.api.memory import Memories, new_memory
from branchline.bots.simple.random import RandomBot
from branchline.envs.encoding import Mask, Observation
from branchline.envs.layout import Layout
from branchline.envs.opponents import Batched, Opponent, Pool, answer, called, chances_in, seated
from branchline.game import Game
from branchline.rules import kernel
from branchline.rules.kernel import rule
from branchline.runtime.structs import Matrix


class Casting(NamedTuple):
    """What compiled code needs to know of it."""

    compiled: int  # so many of the cast are compiled; they come first
    choosers: Choosers
    fresh: Memories  # of compiled ones, before a game
    lots: Matrix  # (others, most in a pool): a number drawn below the first of them that is larger picks ...
    who: Matrix  # ... this one of the cast


class Cast:
    """All who may play the other seats, and how they are drawn for a game."""

    def __init__(self, opponents: Sequence[Opponent], board: Board, seats: int, kept: Sequence[Opponent] = ()) -> None:
        """Form a cast of one opponent or pool for each other seat. Those in `kept` still have games to end."""
        pools = [opponent if isinstance(opponent, Pool) else Pool((opponent,)) for opponent in opponents]
        members = list(kept)
        for pool in pools:
            members += [member for member in pool.opponents if not any(member is other for other in members)]
        makers = [maker for member in members if (maker := compiled_maker(member)) is not None]
        quick = makers[:MAX_SEATS]  # no line-up in compiled code has more
        inside = [member for member in members if compiled_maker(member) is not None][:MAX_SEATS]
        self.members = [*inside, *(member for member in members if not any(member is other for other in inside))]
        self.names = tuple(map(called, self.members))
        self._makers = quick
        fresh = new_memory(max(1, len(quick)))
        for n, maker in enumerate(quick):
            if weights := weights_of(maker, board, seats):
                weights.put_in(fresh[n])
        most = max(len(pool.opponents) for pool in pools)
        lots = kernel.new_array((len(pools), most), np.int64)
        who = kernel.new_array((len(pools), most), np.int64)
        for n, pool in enumerate(pools):
            lots[n] = SEED_BITS + 1
            lots[n, : len(pool.opponents) - 1] = np.cumsum(chances_in(pool))[:-1] * (SEED_BITS + 1)
            who[n, : len(pool.opponents)] = [self.number_of(member) for member in pool.opponents]
            who[n, len(pool.opponents) :] = who[n, len(pool.opponents) - 1]
        self._tables = len(quick), fresh, lots, who

    def number_of(self, opponent: Opponent) -> int:
        """Return an opponent's number in the cast."""
        return next(n for n, member in enumerate(self.members) if member is opponent)

    def tables(self) -> Casting:
        """Return what compiled code needs to know of the cast."""
        compiled, fresh, lots, who = self._tables
        choices: list[Callable[..., int]] = [maker.choice for maker in self._makers] or [RandomBot.choice]
        return Casting(compiled, choosers_of(choices), kernel.housed(fresh), kernel.housed(lots), kernel.housed(who))


def compiled_maker(opponent: Opponent) -> type[CompiledBot] | None:
    """Return the class of a bot that compiled loops can ask, or None."""
    maker = bot_maker(opponent) if isinstance(opponent, str) else opponent
    return maker if is_compiled(maker) else None


class Outsider:
    """One of the cast that is asked from Python, in all games in which it plays."""

    def __init__(self, opponent: Opponent, layout: Layout) -> None:
        """Begin; nothing is made before it is asked."""
        self._opponent, self._layout = opponent, layout
        self._bots: dict[tuple[int, int], tuple[int, Bot]] = {}  # by place and seat: of which game, and the bot

    def answers(
        self, games: Sequence[tuple[int, int, int, Callable[[], Game]]], seen: Observation, mask: Mask
    ) -> npt.NDArray[np.int64]:
        """Return its actions in some games: of each the place, the number among its bots, its seed, and how to look at
        it.

        Raise `BotError` where that is not legal.
        """
        if isinstance(self._opponent, Batched):
            actions = np.asarray(self._opponent.policy(seen, mask))
            if actions.shape != (len(games),) or actions.dtype.kind not in "iu":
                raise BotError(f"opponent: expected {len(games)} whole numbers, not {actions.dtype} {actions.shape}")
            wrong = [n for n, action in enumerate(actions) if not (0 <= action < mask.shape[1] and mask[n, action])]
            if wrong:
                raise BotError(f"opponent answers {shown(int(actions[wrong[0]]))}, which is not legal for it now")
            return actions.astype(np.int64)
        asked = (self._bot(place, bot, seed) for place, bot, seed, _ in games)
        return np.array([answer(bot, Position.of(game())) for bot, (*_, game) in zip(asked, games, strict=True)])

    def _bot(self, place: int, bot: int, seed: int) -> Bot:
        """Return the bot that plays at a place; a different one for each game."""
        seated_bot = self._bots.get((place, bot))
        if seated_bot is None or seated_bot[0] != seed:
            seated_bot = self._bots[place, bot] = (
                seed,
                seated(own_copy(self._opponent), bot_seed(seed, bot), self._layout),
            )
        return seated_bot[1]


def own_copy(opponent: Opponent) -> Opponent:
    """Return a copy of a bot that is told of each game: as it plays many at once, each has one of its own."""
    if isinstance(opponent, Bot) and not isinstance(opponent, type) and hasattr(opponent, "begin"):
        return copy.deepcopy(opponent)
    return opponent


@rule
def drawn(casting: Casting, seed: int, bot: int) -> int:
    """Return who of the cast plays one of the other seats in the game with this seed."""
    lot = game_seed(game_seed(seed, 1 + bot), 0) & SEED_BITS
    n = 0
    while lot >= casting.lots[bot, n]:
        n += 1
    return casting.who[bot, n]
