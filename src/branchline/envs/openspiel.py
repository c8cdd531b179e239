"""OpenSpiel (Lanctot et al. 2019): importing this module registers the game `python_branchline`.

    import pyspiel
    from branchline.envs import openspiel

    game = pyspiel.load_game("python_branchline(board=europe,players=3)")

All chance comes first, as explicit chance nodes: they draw the seed of the game, digit by digit, and everything after
them follows from the seed and the decisions. So a history tells a game completely, it can be replayed, and algorithms
that want explicit chance run; chance nodes in the middle would have to list the orders of a shuffled deck.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel

from branchline.boards import Board, builtin_boards, load_board
from branchline.boards.arguments import whole_number
from branchline.boards.limits import MAX_LENGTH
from branchline.envs.encoding import told
from branchline.envs.layout import Layout, layout_of
from branchline.envs.plain import in_words, open_to_all, own
from branchline.envs.rewards import EnvError, board_for, win
from branchline.envs.story import FIELDS, Stories
from branchline.game import Game
from branchline.game.actions import action_text
from branchline.plain_data import JsonObject
from branchline.rules import kernel, knowledge
from branchline.rules.state import ACTIONS, KEEP, TRAINS_IN_FLEET
from branchline.rules.turn import MOST_ROUNDS

DIGITS, BASE = 7, 256  # of the seed, as the chance nodes draw it: 2**56 games
TAPE = 4096  # rows of the tape in an information state, if not told otherwise; games at random take less than half
MOST_DECISIONS = 2 * MAX_LENGTH + 12  # in one turn: payments card by card, a tunnel's extra cards, passengers

_PARAMETERS = {"board": builtin_boards()[0], "players": 2, "tape": TAPE}  # those that nobody names

_TYPE = pyspiel.GameType(
    short_name="python_branchline",
    long_name="Branchline: railway routes",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=5,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=True,
    parameter_specification=_PARAMETERS,
)


class BranchlineGame(pyspiel.Game):  # type: ignore[misc]  # it has no types
    """Parameters: `board`, an edition or the path of a board folder; `players`; and `tape`, its rows.

    Raise `EnvError`, and whatever `load_board` does.
    """

    def __init__(self, params: dict[str, object] | None = None) -> None:
        params = _PARAMETERS | (params or {})
        self.board_name = params["board"]
        self.board, self.seats = board_for(_board(self.board_name), params["players"])
        self.tape = whole_number("tape", params["tape"], 1, TAPE, EnvError)
        info = pyspiel.GameInfo(
            num_distinct_actions=ACTIONS,
            max_chance_outcomes=BASE,
            num_players=self.seats,
            min_utility=-1.0 / (self.seats - 1),
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=MOST_ROUNDS * self.seats * MOST_DECISIONS,
        )
        super().__init__(_TYPE, info, params)

    def new_initial_state(self) -> BranchlineState:
        """Return the state before the first chance node."""
        return BranchlineState(self)

    def make_py_observer(self, iig_obs_type: object = None, params: object = None) -> BranchlineObserver:
        """Return an observer of any type that OpenSpiel asks for, except one that sees everybody's secrets."""
        return BranchlineObserver(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)

    def max_chance_nodes_in_history(self) -> int:
        """Return the number of digits."""
        return DIGITS


class Course:
    """A game as far as it has come, and what everybody has seen of it. It is copied and pickled with its state."""

    def __init__(self, board_name: str, game: Game, stories: Stories) -> None:
        self.board_name, self.game, self.stories = board_name, game, stories

    def __deepcopy__(self, memo: object) -> Course:
        """Copy the course for OpenSpiel, which copies states attribute by attribute."""
        return Course(self.board_name, self.game.copy(), self.stories.copy())

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the course for OpenSpiel, which pickles the attributes of a state."""
        return _resumed, (self.board_name, self.game.state_bytes, self.stories.words, self.stories.tapes)


class BranchlineState(pyspiel.State):  # type: ignore[misc]  # it has no types
    """A moment of a game: a chance node until the seed is drawn, then a decision of one seat, then the end."""

    def __init__(self, game: BranchlineGame) -> None:
        super().__init__(game)
        self.digits: tuple[int, ...] = ()
        self.course: Course | None = None  # from the last digit on

    def current_player(self) -> int:
        """Return whose decision it is."""
        if self.course is None:
            return int(pyspiel.PlayerId.CHANCE)
        seat = self.course.game.question.seat
        return int(pyspiel.PlayerId.TERMINAL) if seat is None else seat

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.course is not None and self.course.game.over

    def returns(self) -> list[float]:
        """Return the reward `win` of `envs.rewards`; zeros until the game is over."""
        if self.course is not None and self.course.game.over:
            return list(win(self.course.game.scores))
        return [0.0] * self.num_players()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return every digit with the same probability."""
        return [(digit, 1 / BASE) for digit in range(BASE)]

    def resample_from_infostate(self, player: int, probability_sampler: Callable[[], float]) -> BranchlineState:
        """Return a state that this player cannot tell from this one; the same numbers drawn give the same state.

        What is hidden is dealt at random. What others went through in secret is not made up: their stories hold what
        everybody saw. The history of the new state is empty, as it would tell what is hidden.
        """
        resampled = BranchlineState(self.get_game())
        if self.course is None:
            for _ in self.digits:
                resampled.apply_action(_drawn(probability_sampler, BASE))
            return resampled
        game = self.course.game
        if not game.over:
            dealt = game.redacted(player)
            tables, seed = kernel.record_in(game.board.tables), _drawn(probability_sampler, 1 << 53)
            knowledge.imagine(tables, kernel.record_in(dealt), player, seed)
            game = Game.resume(game.board, dealt)
        resampled.course = Course(self.course.board_name, game.copy(), self.course.stories.of_one(player))
        return resampled

    def _legal_actions(self, player: int) -> list[int]:
        assert self.course is not None
        return list(self.course.game.legal.numbers)

    def _apply_action(self, action: int) -> None:
        if self.course is not None:
            self.course.stories.play(self.course.game, action)
            return
        self.digits = (*self.digits, action)
        if len(self.digits) == DIGITS:
            game = self.get_game()
            seed = functools.reduce(lambda number, digit: number * BASE + digit, self.digits)
            self.course = Course(game.board_name, Game(game.board, game.seats, seed), Stories(game.seats))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"digit {action}"
        if self.course is not None and (legal := self.course.game.legal.get(action)):
            return str(legal)
        return _text_anywhere(self.get_game().board, action)

    def _to_struct(self) -> dict[str, object]:
        """Return all of a game: what is open, and what each seat knows."""
        if self.course is None:
            return {"digits": list(self.digits)}
        game = self.course.game
        return {"public": open_to_all(game), "private": [own(game, seat) for seat in range(game.seats)]}

    def _to_observation_struct(self, player: int) -> dict[str, object]:
        """Return what is open, and what this seat alone sees."""
        if self.course is None:
            return {}
        return {"public": open_to_all(self.course.game), "private": own(self.course.game, player)}

    def _action_to_struct(self, player: int, action: int) -> dict[str, object]:
        """Return the number and the text of an action."""
        return {"action": action, "text": self._action_to_string(player, action)}

    def _struct_to_actions(self, struct: JsonObject) -> list[int]:
        """Return the action of a struct with a number or a text."""
        if "action" in struct:
            return [int(struct["action"])]
        return [int(self.string_to_action(str(struct["text"])))]

    def __str__(self) -> str:
        """Return how far it has come, and a fingerprint of everything."""
        if self.course is None:
            return f"seed: {' '.join(map(str, self.digits))}"
        game = self.course.game
        return f"{game.board.title}, turn {game.turns + 1}: {game.question}, {game.fingerprint}"


class BranchlineObserver:
    """What a player sees, as OpenSpiel asks for it (`open_spiel.python.observation`).

    Public things, a player's own, or both; with perfect recall also the story so far. The tensor of both is that of
    `envs.layout`, by features, and with perfect recall behind it the `tape` (see `envs.story.FIELDS`; the last rows,
    as many as the game is told). Of public things alone it is what a spectator sees; of private things alone there
    are words only.
    """

    def __init__(self, game: BranchlineGame, kind: Any, params: object) -> None:
        if params:
            raise ValueError(f"observers have no parameters here: {params}")
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("nobody observes the secrets of all players")
        self._public, self._recall = kind.public_info, kind.perfect_recall
        self._private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._layout: Layout = layout_of(game.board, game.seats)
        self._rows = game.tape
        self.dict: JsonObject = {}
        self.tensor: Any = None
        if self._public:
            size = self._layout.size
            self.tensor = np.zeros(size + (self._rows * len(FIELDS) if self._recall else 0), np.float32)
            for feature in self._layout.features:
                self.dict[feature.name] = self._layout.part(self.tensor[:size], feature.name)
            if self._recall:
                self.dict["tape"] = self.tensor[size:].reshape(self._rows, len(FIELDS))

    def set_from(self, state: BranchlineState, player: int) -> None:
        """Write `tensor`; zeros before the game is dealt."""
        if self.tensor is None:
            return
        self.tensor.fill(0)
        if state.course is None:
            return
        seen = state.course.game.redacted(player if self._private else None)
        self.tensor[: self._layout.size] = told(self._layout, seen, player)
        if self._recall:
            rows = state.course.stories.tape(player if self._private else -1)[-self._rows :]
            self.dict["tape"][: len(rows)] = rows

    def string_from(self, state: BranchlineState, player: int) -> str:
        """Return the same in words."""
        if state.course is None:
            return ""
        course, parts = state.course, []
        if self._recall:
            parts.append(course.stories.words[player if self._private else -1])
        if self._public:
            parts.append(in_words(open_to_all(course.game)))
        if self._private:
            parts.append(in_words(own(course.game, player)))
        return "\n".join(parts)


@functools.lru_cache(maxsize=64)
def _board(name: str) -> Board:
    return load_board(name)


def _resumed(board_name: str, state: bytes, words: list[str], tapes: list[bytes]) -> Course:
    stories = Stories(0)
    stories.words, stories.tapes = words, tapes
    return Course(board_name, Game.resume(_board(board_name), state), stories)


def _drawn(sampler: Callable[[], float], bound: int) -> int:
    return min(int(sampler() * bound), bound - 1)


def _text_anywhere(board: Board, action: int) -> str:
    """Return the text of an action without a state, which cannot tell which tickets are kept."""
    if KEEP <= action < TRAINS_IN_FLEET:
        return f"keep choice {action - KEEP}"
    try:
        return action_text(board, None, action)
    except (IndexError, ValueError, TypeError, AttributeError):
        return f"action {action}"  # of a route, a place or a piece that this board does not have


pyspiel.register_game(_TYPE, BranchlineGame)
