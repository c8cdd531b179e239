"""What is chosen when a room is created: one row for each option.

The form for a new game, how it is read, the body of the API and what is kept of a room follow from `Options`.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Annotated, get_type_hints

from branchline.game import SetupError
from branchline.web.core.pages.translation import N_

CLOCKS = (5.0, 30 * 86_400.0)  # seconds of a clock, fewest and most


@dataclass(frozen=True)
class Choice:
    """How a flag is chosen, and what the other kinds have in common."""

    about: str = ""  # for programs
    label: str = ""  # in the form; empty: it is not there, or another option brings it
    choices: Mapping[str, str] | None = None  # in the form: value → what it is called

    def read(self, name: str, text: str) -> object:
        """Return what a text of the form chooses. Raise `SetupError` if that cannot be."""
        return text in ("1", "on", "true")


@dataclass(frozen=True)
class Number(Choice):
    """A number from 0 to `most`; forms choose whole ones."""

    most: float = 0.0
    for_programs: float | None = None  # what it is at first for programs, if not as for people

    def read(self, name: str, text: str) -> object:
        """Return a whole number."""
        return whole_number(name, text, 0, int(self.most))


@dataclass(frozen=True)
class Word(Choice):
    """One of a few words."""

    words: tuple[str, ...] = ()

    def read(self, name: str, text: str) -> object:
        """Return a word that there is."""
        if text not in self.words:
            raise SetupError(f"{name}: expected one of {', '.join(filter(None, self.words))}")
        return text


@dataclass(frozen=True)
class Options:
    """What was chosen when the room was created. An option without a `Choice` follows from how it was created."""

    clock: Annotated[
        str,
        Word(
            "for each turn, or for the whole game",
            N_("Clock"),
            {
                "": N_("none"),
                "turn 60": N_("1 minute per turn"),
                "turn 180": N_("3 minutes per turn"),
                "turn 86400": N_("1 day per turn"),
                "game 1200": N_("20 minutes per game"),
                "game 2400": N_("40 minutes per game"),
            },
            words=("", "turn", "game"),
        ),
    ] = ""
    clock_seconds: Annotated[float, Number("for each turn, or for the whole game", most=CLOCKS[1])] = 0.0
    open: Annotated[
        bool,
        Choice(
            "listed, and anybody may sit down or watch",
            N_("Who can join"),
            {"": N_("only people with the link"), "1": N_("anyone: listed on the home page")},
        ),
    ] = False
    pace: Annotated[
        int,
        Number(
            "milliseconds before a bot's turn, when somebody watches",
            N_("Speed of the bots"),
            {"200": N_("fast"), "900": N_("relaxed"), "2000": N_("slow")},
            most=60_000,
            for_programs=0,
        ),
    ] = 900
    takeover: Annotated[
        float,
        Number(
            "seconds after which a bot plays for somebody who is not there; 0: never",
            N_("When a player is away"),
            {
                "0": N_("wait for them"),
                "120": N_("a bot takes over after 2 minutes"),
                "900": N_("a bot takes over after 15 minutes"),
            },
            most=CLOCKS[1],
        ),
    ] = 0.0
    talk: Annotated[
        str,
        Word(
            "what may be said at the table",
            N_("Chat"),
            {"on": N_("text and reactions"), "reactions": N_("reactions only"), "off": N_("no chat")},
            words=("on", "reactions", "off"),
        ),
    ] = "on"
    coach: Annotated[
        bool,
        Choice(
            "whether people who play together may agree to a coach; who plays alone always has one",
            N_("Coach, with several players"),
            {"": N_("none"), "1": N_("if everyone at the table agrees")},
        ),
    ] = False
    seeded: bool = False  # somebody chose the luck of this game, and so may know it
    one_screen: bool = False  # all people of the game sat at one browser when it began: alone, or around it


@dataclass(frozen=True)
class Option:
    """An option that can be chosen."""

    name: str
    kind: type  # of its values
    usual: object  # what it is if nothing is chosen
    choice: Choice

    @property
    def usual_text(self) -> str:
        """What the form chooses at first."""
        return ("1" if self.usual else "") if self.kind is bool else str(self.usual).removesuffix(".0")

    @property
    def usual_for_programs(self) -> object:
        """What it is if a program chooses nothing."""
        other = self.choice.for_programs if isinstance(self.choice, Number) else None
        return self.usual if other is None else self.kind(other)


@functools.cache
def chosen_options() -> tuple[Option, ...]:
    """Return all options that can be chosen, in the order of the form."""
    hints = get_type_hints(Options, include_extras=True)
    return tuple(
        Option(one.name, hints[one.name].__origin__, one.default, choice)
        for one in fields(Options)
        for choice in getattr(hints[one.name], "__metadata__", ())
    )


def read_options(form: Mapping[str, str]) -> Options:
    """Return the options that a form chooses. Raise `SetupError` if one of them cannot be."""
    clock, _, seconds = form.get("clock", "").partition(" ")
    texts = {**form, "clock": clock, "clock_seconds": ""}
    read = {one.name: one.choice.read(one.name, text) for one in chosen_options() if (text := texts.get(one.name))}
    return options_of(read | ({"clock_seconds": _seconds(seconds)} if clock else {}))


def options_of(values: Mapping[str, object]) -> Options:
    """Return the options with these values, each of its kind; a clock runs for some seconds at least."""
    kinds = {one.name: one.kind for one in chosen_options()}
    options = Options(**{name: kinds[name](value) for name, value in values.items()})
    return replace(options, clock_seconds=max(CLOCKS[0], options.clock_seconds) if options.clock else 0.0)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not CLOCKS[0] <= seconds <= CLOCKS[1]:
        raise SetupError(f"clock: expected {CLOCKS[0]:.0f} to {CLOCKS[1]:,.0f} seconds")
    return seconds


def whole_number(name: str, text: str, least: int, most: int) -> int:
    """Return the whole number that a field of a form says. Raise `SetupError` if it says none between the limits."""
    text = text.strip()
    if not text.isascii() or not text.isdecimal() or len(text) > 20 or not least <= int(text) <= most:
        raise SetupError(f"{name}: expected a whole number from {least} to {most}")
    return int(text)
