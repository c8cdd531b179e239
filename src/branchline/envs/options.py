"""What many games of one seat can be asked for, by name: for wrappers that pass it on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from branchline.envs.opponents import Opponent


class SeatOptions(TypedDict, total=False):
    """What `SeatEnv` and all that plays one seat of many games take alike."""

    opponents: Opponent | Sequence[Opponent]
    seat: int | None
    reward: str


class ManyOptions(SeatOptions, total=False):
    """What `SeatBatch` and `SeatVectorEnv` take besides."""

    threads: int
    copy: bool


class WordOptions(TypedDict, total=False):
    """What `SeatInWords` can be asked for."""

    opponents: Opponent | Sequence[Opponent]
    seat: int
    tries: int
