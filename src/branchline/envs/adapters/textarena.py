"""TextArena: a game for language models, in words."""

from __future__ import annotations

import textarena as ta

from branchline.envs.text import TextGame, map_in_words
from branchline.errors import BranchlineError
from branchline.plain_data import JsonObject

SEEN, DID = ta.ObservationType.GAME_BOARD, ta.ObservationType.PLAYER_ACTION


class TrainGameEnv(ta.Env):  # type: ignore[misc]  # it has no types
    """A game on a board; each player reads what its seat may know, and writes an action."""

    def __init__(self, board: str, error_allowance: int = 2) -> None:
        self._board, self._allowed = board, error_allowance

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Deal a game for so many."""
        self.state = ta.FFAMultiPlayerState(num_players, seed, error_allowance=self._allowed)
        self.game = TextGame(self._board, num_players, 0 if seed is None else seed)
        self.state.reset(game_state={}, player_prompt_function=self._prompt)
        self._ask()

    def step(self, action: str) -> tuple[bool, JsonObject]:
        """Do what the player wrote; what it wrote, the others do not read."""
        seat = self.state.current_player_id
        self.state.add_observation(from_id=seat, to_id=seat, message=action, observation_type=DID)
        try:
            self.game.play(seat, action.strip().strip("[]"))
        except BranchlineError as refused:
            if self.state.set_invalid_move(str(refused)):
                self.state.set_winners([n for n in range(self.state.num_players) if n != seat], "an illegal move")
        else:
            if self.game.asked is None:
                places = self.game.game.scores.ranks
                self.state.set_winners([n for n, place in enumerate(places) if place == 1], "the game is over")
            else:
                self._ask()
        done, info = self.state.step(rotate_player=False)
        return bool(done), info

    def _ask(self) -> None:
        self.state.manually_set_current_player_id(self.game.asked)
        seen = self.game.look(self.state.current_player_id)
        self.state.add_observation(to_id=self.state.current_player_id, message=seen, observation_type=SEEN)

    def _prompt(self, player_id: int, game_state: object) -> str:
        return f"You are seat {player_id}. Answer with one action.\n{map_in_words(self.game.game.board)}"
