"""The page on which everything of a person is saved in one file, and such a file is opened."""

from __future__ import annotations

from dataclasses import dataclass

from branchline.web.along.archive import MOST_REASONS, LeftOut, Opened
from branchline.web.along.store import Added, OwnThings, Tally
from branchline.web.core.pages import fault_text
from branchline.web.core.pages.render import data, render
from branchline.web.core.pages.translation import Translator, translator_for
from branchline.web.core.rooms.room import OVER
from branchline.web.core.visit import Visit


@dataclass(frozen=True)
class AlongContext:
    """What there is to be taken along, and what became of a file that was opened."""

    visit: Visit
    finished: int  # games
    playing: int  # games that nobody else plays in
    evenings: int
    exercises: int  # lessons and puzzles
    opened: Opened | None = None
    added: Added | None = None
    drafts: tuple[tuple[str, str], ...] = ()  # path and title of boards that are new here
    problem: str = ""  # why a file was refused


def counted(visit: Visit, things: OwnThings) -> AlongContext:
    """Return what there is to be taken along."""
    finished = sum(game.row.status == OVER for game in things.games)
    return AlongContext(
        visit,
        finished,
        len(things.games) - finished,
        len(things.evenings),
        len(things.lessons) + len(things.attempts),
    )


def along(context: AlongContext) -> str:
    """Return the whole page."""
    words = translator_for(context.visit.language)
    return render(
        "along/along.html",
        context.visit,
        context=context,
        title=f"{words('Take my games with me')} · branchline",
        there=_there(words, context),
        outcome=_outcome(words, context.added, context.opened) if context.added and context.opened else [],
        left=[_left(words, one) for one in context.opened.left[:MOST_REASONS]] if context.opened else [],
        problem=fault_text.told(context.visit.language, context.problem),
        said=data(
            {
                "saving": words("Saving …"),
                "opening": words("Opening … Each game is played again by the rules."),
                "failed": words("This did not work. Try again later."),
                "kept": words("Scoresheets and recordings of this browser were added, too."),
            }
        ),
    )


def _there(words: Translator, context: AlongContext) -> list[str]:
    """Return what the file will hold, a line for each kind."""
    lines = [
        (words.many("{count} finished game", "{count} finished games", context.finished), context.finished),
        (words.many("{count} game under way", "{count} games under way", context.playing), context.playing),
        (words.many("{count} game night", "{count} game nights", context.evenings), context.evenings),
        (
            words.many("{count} lesson or puzzle", "{count} lessons and puzzles", context.exercises),
            context.exercises,
        ),
    ]
    return [line for line, count in lines if count]


def _outcome(words: Translator, added: Added, opened: Opened) -> list[str]:
    """Return what became of a file, a sentence for each kind."""
    lines = [
        _became(words, words("Games"), added.games),
        _became(words, words("Boards of the workshop"), added.drafts),
        _became(words, words("Game nights"), added.evenings),
        _became(words, words("Lessons and puzzles"), added.exercises),
    ]
    if opened.left:
        count = len(opened.left)
        lines.append(words.many("{count} entry was left out.", "{count} entries were left out.", count))
    if opened.later:
        lines.append(
            words.many(
                "{count} game is still to come: open the file again to add it.",
                "{count} games are still to come: open the file again to add them.",
                opened.later,
            )
        )
    return [line for line in lines if line]


def _became(words: Translator, name: str, tally: Tally) -> str:
    if not tally.new and not tally.here:
        return ""
    return words("{name}: {new} added, {here} already here.", name=name, new=tally.new, here=tally.here)


def _left(words: Translator, one: LeftOut) -> str:
    """Return what was left out, and why."""
    why = fault_text.told(words.language, one.why)
    kinds = {
        "game": words("Game {number}: {why}", number=one.number, why=why),
        "board": words("Board {number}: {why}", number=one.number, why=why),
        "evening": words("Game night {number}: {why}", number=one.number, why=why),
        "exercise": words("Exercise {number}: {why}", number=one.number, why=why),
    }
    return kinds[one.kind]
