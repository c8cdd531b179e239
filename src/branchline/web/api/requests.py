"""What programs send to the JSON API, and how they are told why something is refused."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field, create_model

from branchline.web.core.room_options import Number, Option, Word, chosen_options
from branchline.web.core.rooms import talk
from branchline.web.core.seen import REACTIONS


class ApiError(Exception):
    """An answer that says why not."""

    def __init__(self, status: int, error: str, why: str, **extras: Any) -> None:
        """Make the error of an HTTP status, a word and a sentence."""
        self.status, self.body = status, {"error": error, "why": why, **extras}
        super().__init__(why)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ErrorBody(BaseModel):
    """Why something was not done."""

    model_config = ConfigDict(extra="allow")
    error: str = Field(description="a word: stale, illegal, not_yours, not_found, taken, over, bad_request, …")
    why: str = Field(description="a sentence")


class NewSeat(_Strict):
    """Who is to sit at a seat."""

    kind: Literal["me", "open", "bot"] = Field(description="`me`: the token that is given back opens it")
    name: str = Field("", max_length=60)
    bot: str = Field("", max_length=60, description="one of /api/v1/bots; empty: the usual one")


def _field(option: Option) -> tuple[object, object]:
    """Return how a program chooses an option of a room: the type, and what else it needs to know."""
    choice, usual = option.choice, option.usual_for_programs
    if isinstance(choice, Number):
        return option.kind, Field(usual, description=choice.about, ge=0, le=choice.most, allow_inf_nan=False)
    kind: object = Literal[choice.words] if isinstance(choice, Word) else option.kind
    return kind, Field(usual, description=choice.about)


OPTIONS: Any = {one.name: _field(one) for one in chosen_options()}
_ChosenOptions = create_model("ChosenOptions", __base__=_Strict, **OPTIONS)


class NewRoom(_ChosenOptions):  # type: ignore[valid-type, misc]
    """A room to be created."""

    board: str = Field(max_length=60, examples=["germany"])
    seats: list[NewSeat] = Field(min_length=1, max_length=8)
    seed: int | None = Field(None, ge=0, lt=1 << 62, description="chooses the luck; everybody sees that somebody did")
    first_seat: int | None = Field(None, ge=0, le=7)


class JoinRequest(_Strict):
    """A seat to be taken."""

    invite: str = Field("", max_length=80, description="the key at the end of an invite link; empty in an open room")
    seat: int = Field(ge=0, le=7)
    name: str = Field("", max_length=60)


class FillRequest(_Strict):
    """A bot for an open seat."""

    seat: int = Field(ge=0, le=7)
    bot: str = Field("", max_length=60, description="one of /api/v1/bots; empty: the usual one")


class ActionRequest(_Strict):
    """An action."""

    action: str | int = Field(description="its text (also a whole payment) or its number", examples=["blind"])
    version: int = Field(description="of the last `state`, `legal` or `events`: an action is never played twice")
    seat: int | None = Field(None, description="for those who hold several seats")


class SayRequest(_Strict):
    """Something to be said at the table: a line of text, or a reaction."""

    text: str = Field("", max_length=talk.LONGEST_TYPED, description=f"at most {talk.LONGEST_LINE} letters are shown")
    reaction: Literal["", *REACTIONS] = Field("", description="in place of a text")  # type: ignore[valid-type]
    everybody: bool = Field(False, description="for spectators too, not for the seats alone")
    seat: int | None = Field(None, description="for those who hold several seats")


class SeatRequest(_Strict):
    """Which of one's seats is meant."""

    seat: int | None = None


RoomId = Annotated[str, Path(max_length=40, description="id of a room")]
