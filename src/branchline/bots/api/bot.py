"""What a bot is: something with a name that answers questions from what its seat may know."""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar, cast, runtime_checkable

import numpy as np

from branchline.boards import Board
from branchline.boards.tables import WORD
from branchline.bots.api import memory as memories
from branchline.bots.api.errors import BotError
from branchline.copying import Copied
from branchline.game.scratch import scratch_buffer
from branchline.rules import kernel
from branchline.rules.state import ACTION_WORDS, Scratch, State
from branchline.runtime.structs import Buffer

if TYPE_CHECKING:
    from branchline.bots.api.tuned_weights import Weights
    from branchline.game import Game


class Numbers(np.ndarray[Any, Any]):
    """A field of a state as bots in Python read it: an array of NumPy, whose elements are plain integers."""

    def __getitem__(self, index: Any) -> Any:
        """Return an element, or several as an array."""
        element = super().__getitem__(index)
        return element.item() if isinstance(element, np.generic) else element


class Seen(kernel.RecordView):
    """A state as bots in Python read it: what they do with arrays of NumPy works however the rules are run."""

    __slots__ = ()

    def __reduce__(self) -> tuple[object, ...]:
        """Copy and pickle the state with a buffer of its own."""
        return Seen, (kernel.copy_of(self._buffer),)

    def _open(self, name: str) -> object:
        if name in self._buffer.dtype.names and self._buffer[name].ndim > 1:
            self._parts[name] = self._buffer[name][0].view(Numbers)
            return self._parts[name]
        return super()._open(name)


def seen_in(buffer: Buffer[State]) -> State:
    """Return the state in a buffer of one, for a bot."""
    return cast(State, kernel.record_in(buffer) if kernel.NATIVE else Seen(buffer))


@dataclass(frozen=True)
class Position(Copied):
    """A question to a bot: what its seat may know, and the actions to choose from."""

    board: Board
    state: State  # a record laid out as `rules.state.STATE`, redacted (`rules.knowledge`); a copy, the bot's to keep
    seat: int
    legal: tuple[int, ...]  # action numbers of `rules.state`, in rising order

    @classmethod
    def of(cls, game: Game) -> Position:
        """Return the question that a game is asking now.

        Raise `BotError` if the game is over or the question hidden here.
        """
        seat = game.question.seat
        if seat is None:
            raise BotError("the game is over: nothing is asked")
        if not game.playable:
            raise BotError("this view hides what the question is about, so it cannot be played on")
        return cls(game.board, seen_in(game.redacted(seat)), seat, game.legal.numbers)

    @property
    def question(self) -> int:
        """What is asked: one of the questions of `rules.state`."""
        return int(self.state.question)


@runtime_checkable
class Bot(Protocol):
    """Plays one seat of one game. It is made with a seed, `MyBot(seed)`, and draws all its luck from that."""

    name: str

    def choose(self, position: Position) -> int:
        """Return one of `position.legal`."""
        ...


def scratch_for(position: Position) -> Buffer[Scratch]:
    """Return a scratch record, in a buffer of one, that holds the set of legal actions."""
    words = [0] * ACTION_WORDS
    for action in position.legal:
        words[action // WORD] |= 1 << (action % WORD)
    buffer = scratch_buffer()
    buffer["legal"][0] = words
    return buffer


Kind = TypeVar("Kind")

BotMaker = Callable[[int], Bot]
"""A class of bots, or any function from a seed to a bot."""


Maker = tuple[Callable[..., Any], tuple[object, ...]]


class Made(type):
    """A class that was made at run time, by `made_by[0](*made_by[1])`: pickled as that, as no module holds it."""

    made_by: Maker


def _reduced(instance: Made) -> tuple[Callable[..., Made], tuple[object, ...]]:
    return instance.made_by


copyreg.pickle(Made, _reduced)


def another(kind: type[Kind], made_by: Maker, **named: object) -> type[Kind]:
    """Return a class like this one, with some attributes changed."""
    return cast("type[Kind]", Made(kind.__name__, (kind,), {**named, "made_by": made_by}))


class CompiledBot(Copied):
    """A bot whose choice is one `@rule`: `choice(board, state, scratch, memory, seat) -> action`.

    The arena calls that function straight from compiled code. `state` is redacted, `scratch.legal` holds the set of
    legal actions (the rest of `scratch` is free to use), `memory` is the bot's own record and luck.
    """

    name: str = ""
    choice: ClassVar[Callable[..., int]]
    quick: ClassVar[bool] = False
    """Whether it always answers within a millisecond, so that a server asks it without a thread."""

    @classmethod
    def weights_on(cls, board: Board, seats: int) -> Weights | None:
        """Return the weights that it uses on a board with `seats` seats, or None if it uses none."""
        return None

    def __init__(self, seed: int = 0) -> None:
        """Begin with an empty memory."""
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """Begin another game, with an empty memory."""
        self._memory = memories.new_memory()
        memories.seed(kernel.record_in(self._memory), seed)
        self._weighed: tuple[Board, int] | None = None  # for what board and seats there are weights in the memory

    @property
    def memory(self) -> memories.Memory:
        """Its working record: among others its plan, as of its last choice."""
        return kernel.record_in(self._memory)

    def choose(self, position: Position) -> int:
        """Return the same choice, asked from Python."""
        self._weigh(position.board, int(position.state.seats))
        board, scratch = kernel.record_in(position.board.tables), kernel.record_in(scratch_for(position))
        return int(type(self).choice(board, position.state, scratch, self.memory, position.seat))

    def play_by(self, weights: Weights, board: Board, seats: int) -> None:
        """Play this game by these weights, whatever there are for the board."""
        self._weighed = board, seats
        weights.put_in(self.memory)

    def _weigh(self, board: Board, seats: int) -> None:
        """See that the weights for this board are in the memory."""
        if self._weighed is None or self._weighed[0] is not board or self._weighed[1] != seats:
            self._weighed = board, seats
            if weights := self.weights_on(board, seats):
                weights.put_in(self.memory)
