"""A game for players that read and write: what a seat knows and may do as compact text or as plain data, and back.

    from branchline.envs.text import TextGame

    game = TextGame("europe", seats=2, seed=7)
    print(game.look(game.asked))
    print(game.play(game.asked, "keep Paris–Wien, Lisboa–Danzig"))    # names in any spelling

Whatever a seat is told is made of the redacted state and of the events as that seat saw them: nothing hidden is in it.
"""

from __future__ import annotations

from collections.abc import Sequence

from branchline.arena.play import game_seed
from branchline.boards import Board
from branchline.boards.arguments import seat_number
from branchline.bots import Position
from branchline.copying import Copied
from branchline.envs.layout import layout_of
from branchline.envs.opponents import Opponent, answer, opponents_for, seated
from branchline.envs.plain import in_words, open_to_all, own
from branchline.envs.rewards import EnvError, board_for, win
from branchline.envs.seat_batch import LOST
from branchline.game import Game, IllegalAction
from branchline.game.actions import route_text
from branchline.plain_data import JsonObject

RULES = "You play a railway-route board game. Answer with one of the actions listed, and nothing else."
"""What a language model is told first."""


class TextGame(Copied):
    """One game, and what each seat has heard of it."""

    def __init__(self, board: Board | str, seats: int = 2, seed: int = 0) -> None:
        """Deal. Raise `EnvError`, `SetupError`, and whatever `load_board` does."""
        on, seats = board_for(board, seats)
        self._sit_down(Game(on, seats, seed))

    @classmethod
    def of(cls, game: Game) -> TextGame:
        """Return a game that is under way; nobody has heard what happened before."""
        game_in_text = cls.__new__(cls)
        game_in_text._sit_down(game)
        return game_in_text

    def _sit_down(self, game: Game) -> None:
        self.game = game
        self._heard: list[list[str]] = [[] for _ in range(game.seats)]

    @property
    def asked(self) -> int | None:
        """The seat that is to act; None when the game is over."""
        return self.game.question.seat

    def legal(self, seat: int) -> tuple[str, ...]:
        """Return the texts of the actions that a seat may do now; none unless it is asked. Raise `EnvError`."""
        return self.game.legal.texts if self._seat(seat) == self.asked else ()

    def data(self, seat: int) -> JsonObject:
        """Return what a seat knows and may do, as plain data for JSON. Raise `EnvError`."""
        seat = self._seat(seat)
        data: JsonObject = {
            "board": self.game.board.id,
            "you": seat,
            "asked": self.asked,
            "public": open_to_all(self.game),
            "private": own(self.game, seat),
            "legal": list(self.legal(seat)),
        }
        if self.game.over:
            scores = self.game.scores
            data["result"] = {"points": list(scores.totals), "places": list(scores.ranks)}
        return data

    def look(self, seat: int) -> str:
        """Return the same in words, one line for each thing. Raise `EnvError`."""
        data = self.data(seat)
        lines = [f"board: {self.game.board.title}", f"you: seat {seat}", in_words(data["public"])]
        lines.append(in_words({name: value for name, value in data["private"].items() if name not in data["public"]}))
        if self.game.over:
            points = ", ".join(f"seat {n} {total}" for n, total in enumerate(data["result"]["points"]))
            lines.append(f"the game is over: {points}; your place: {data['result']['places'][seat]}")
        elif data["legal"]:
            lines.append("you may: " + "; ".join(data["legal"]))
        else:
            lines.append(f"seat {self.asked} is to act")
        return "\n".join(lines)

    def play(self, seat: int, action: str) -> str:
        """Do what a seat says, and tell what happened as that seat saw it.

        Raise `IllegalAction`, which says why and what is legal, and `EnvError`; then nothing has changed.
        """
        if self._seat(seat) != self.asked:
            turn = "the game is over" if self.asked is None else f"seat {self.asked} is to act, not seat {seat}"
            raise IllegalAction(turn)
        events = self.game.play(action)
        for place, heard in enumerate(self._heard):
            heard += [f"seat {event.seat}: {event.for_seat(place).text}" for event in events]
        return "\n".join(f"seat {event.seat}: {event.for_seat(seat).text}" for event in events)

    def heard(self, seat: int, since: int = 0) -> Sequence[str]:
        """Return what a seat has seen happen, from line `since` on. Raise `EnvError`."""
        return tuple(self._heard[self._seat(seat)][max(0, since) :])

    def _seat(self, seat: object) -> int:
        return seat_number(seat, self.game.seats, EnvError)


class SeatInWords(Copied):
    """One seat of a game in words, for a language model; bots have the others.

    `opponents`, `seat`: as in `envs.single.SeatEnv`, but for `None`. Of an answer the last line counts, so that a model
    may think aloud. A model that is refused `tries` times in a row has lost. Raise `EnvError`, `BotError`, and whatever
    `load_board` does.
    """

    def __init__(
        self,
        board: Board | str,
        seats: int = 2,
        seed: int = 0,
        *,
        opponents: Opponent | Sequence[Opponent] = "planner",
        seat: int = 0,
        tries: int = 3,
    ) -> None:
        self._words = TextGame(board, seats, seed)
        game = self._words.game
        self.seat = seat_number(seat, game.seats, EnvError)
        others = [number for number in range(game.seats) if number != self.seat]
        self._bots = {
            number: seated(opponent, int(game_seed(seed, number)), layout_of(game.board, game.seats))
            for number, opponent in zip(others, opponents_for(opponents, game.seats), strict=True)
        }
        self._tries, self._refused = tries, 0
        self.prompt = f"{RULES}\n\n{map_in_words(game.board)}\n\n{self._until_asked()}"

    @property
    def over(self) -> bool:
        """Whether nothing more is asked."""
        return self._words.asked is None or self._refused >= self._tries

    @property
    def legal(self) -> tuple[str, ...]:
        """The texts of the actions that the seat may do now."""
        return () if self.over else self._words.legal(self.seat)

    @property
    def reward(self) -> float:
        """The reward `win` when the game is over, -1 after too many refusals, and 0 before."""
        if self._words.asked is None:
            return win(self._words.game.scores)[self.seat]
        return LOST if self.over else 0.0

    def answer(self, text: str) -> str:
        """Do what the model says, let the bots play, and return what the model reads next; a refusal says why."""
        if self.over:
            raise EnvError("the game is over: begin another one")
        heard = len(self._words.heard(self.seat))
        try:
            self._words.play(self.seat, (text.strip().splitlines() or [""])[-1].strip())
        except IllegalAction as why:
            self._refused += 1
            return f"Refused: {why}\nAnswer again."
        self._refused = 0
        position = self._until_asked()
        return "\n".join([*self._words.heard(self.seat, heard), "", position])

    def _until_asked(self) -> str:
        while (asked := self._words.asked) is not None and asked != self.seat:
            chosen = answer(self._bots[asked], Position.of(self._words.game))
            self._words.play(asked, str(self._words.game.legal.get(chosen)))
        return self._words.look(self.seat)


def map_in_words(board: Board) -> str:
    """Return a board in words for a player who cannot see it: its places, routes and tickets."""
    lines = ["places: " + ", ".join(place.name for place in board.places), "routes:"]
    for route in board.routes:
        remarks = [
            route.colour,
            route.kind if route.kind != "plain" else "",
            f"{route.wilds} wild" if route.wilds else "",
        ]
        lines.append(
            f"  {route_text(route)}: length {route.length}, " + ", ".join(remark for remark in remarks if remark)
        )
    lines.append("tickets: " + ", ".join(f"{ticket.name} ({ticket.value})" for ticket in board.tickets))
    return "\n".join(lines)
