"""Exercises: what the guide at the table says of one, the list of one's mistakes, the puzzles."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from babel.dates import format_date

from branchline.analysis import Comparison, Move, Option
from branchline.analysis import mistakes as scale
from branchline.boards import Board
from branchline.teaching.exercises import Answer, Answers
from branchline.web.core.pages import labels
from branchline.web.core.pages.decisions import SIZES, compared, difference, move, points, why
from branchline.web.core.pages.render import render
from branchline.web.core.pages.thumbnail import cut_out, thumbnail, whole
from branchline.web.core.pages.translation import N_, Translator, translator_for
from branchline.web.core.seen import GuideLink, GuideView
from branchline.web.core.visit import Visit


@dataclass(frozen=True)
class ExerciseContext:
    """An exercise at its table, for the guide there."""

    kind: str  # "mistake" of an own game, or "puzzle"
    board: Board
    answers: Answers
    state: str  # "asked", "right", or "shown" without having been found
    given: Answer | None = None  # the answer that was right
    played: Option | None = None  # what was done in the own game
    themes: tuple[str, ...] = ()  # of a puzzle, the main one first
    room: str = ""  # the exercise's own
    again: str = ""  # path to which a form posts to begin it anew
    fields: tuple[tuple[str, str], ...] = ()  # of that form
    next: str = ""  # the same for the next one
    back: str = ""  # where all of them are listed
    replay: str = ""  # the moment in the replay of the own game


@dataclass(frozen=True)
class MistakeLine:
    """A mistake in an own game."""

    room: str  # the game
    step: int
    board: Board
    played: float  # when, in seconds since 1970
    lost: float  # of the chance to win, 0 to 1
    answered: int
    right: int
    due_at: float
    played_move: Move | None = None  # None: the analysis of the game is gone
    compared: Comparison | None = None  # the better move with it


@dataclass(frozen=True)
class MistakesContext:
    """The mistakes of a browser."""

    visit: Visit
    lines: tuple[MistakeLine, ...]  # the first that is due first
    now: float

    @property
    def due(self) -> tuple[MistakeLine, ...]:
        """Those that are due."""
        return tuple(line for line in self.lines if line.due_at <= self.now)


@dataclass(frozen=True)
class PuzzleLine:
    """A puzzle in a list."""

    number: int  # in its collection, from 1
    id: str
    themes: tuple[str, ...]
    difficulty: float  # share of weaker bots that miss it
    rating: float | None  # by those who tried it; None: nobody has
    solved: bool | None  # None: this browser has not tried it


@dataclass(frozen=True)
class PuzzleShelf:
    """The puzzles of one edition."""

    board: Board
    lines: tuple[PuzzleLine, ...]

    @property
    def solved(self) -> int:
        """How many of them this browser has solved."""
        return sum(bool(line.solved) for line in self.lines)


@dataclass(frozen=True)
class PuzzlesContext:
    """The puzzles of all editions, or of one."""

    visit: Visit
    shelves: tuple[PuzzleShelf, ...]
    chosen: PuzzleShelf | None  # the edition whose page it is
    theme: str  # only puzzles about this; "": all
    day: tuple[Board, PuzzleLine] | None  # the puzzle of the day
    rating: float | None  # of this browser; None: it has not tried any


THEMES = {
    "keep tickets": N_("Keep tickets"),
    "tunnel risk": N_("Tunnel risk"),
    "swap": N_("Swap"),
    "port": N_("Ports"),
    "passenger": N_("Passengers"),
    "last turns": N_("Last turns"),
    "block": N_("Block"),
    "longest trail": N_("Longest trail"),
    "new tickets": N_("Draw tickets"),
    "own tickets": N_("Complete your tickets"),
    "cards or route": N_("Cards or route"),
}
_HARD = ((0.4, N_("an easy one")), (0.75, N_("a medium one")), (1.1, N_("a hard one")))
_OTHERS = 3  # further answers that are told of
FIRST = 20  # mistakes that the list shows; those behind them are folded away
DAY = 86_400.0


# ---------------------------------------------------------------------------------------------------- at the table


def exercise_guide(language: str, exercise: ExerciseContext) -> GuideView:
    """Return what the guide of an exercise says; the answer only after it was found or shown."""
    words = translator_for(language)
    title = words("Try again") if exercise.kind == "mistake" else words("Puzzle")
    if exercise.state == "asked":
        text = words("You had a better move here in your game.") if exercise.kind == "mistake" else ""
        return GuideView(
            title=title,
            text=(text,) if text else (),
            task=words("Find the best move. Only its first step counts: the route, or the first of two cards."),
            links=(
                GuideLink(words("Show the answer"), f"/learn/exercise/{exercise.room}/show", post=True),
                GuideLink(words("All mistakes") if exercise.kind == "mistake" else words("All puzzles"), exercise.back),
            ),
        )
    best = exercise.answers.best
    answer = words("The answer") if exercise.state == "shown" else words("Right!")
    return GuideView(
        title=title,
        answer=answer,
        text=tuple(_outcome(words, exercise)),
        marks=_marks(best),
        links=tuple(_links(words, exercise)),
        done=True,
        over=True,
    )


def _outcome(words: Translator, exercise: ExerciseContext) -> list[str]:
    """Return what is best and why, what was answered, what was done in the game, and the alternatives."""
    board, best = exercise.board, exercise.answers.best
    sentences = [words("Best: {move}. Win chance: {share}.", move=_move(words, board, best), share=_share(words, best))]
    sentences += [
        sentence
        for sentence in (compared(words, board, exercise.answers.compared), why(words, best.option.reason))
        if sentence
    ]
    if exercise.given is not None and exercise.given != best:
        sentences.append(
            words(
                "Your move is just as good: {move}, {share}.",
                move=_move(words, board, exercise.given),
                share=_share(words, exercise.given),
            )
        )
    spoken_of = {_move(words, board, answer) for answer in (best, exercise.given) if answer is not None}
    if exercise.played is not None:
        own = exercise.played.move.text
        done = next((answer for answer in exercise.answers.found if answer.move.text == own), None)
        spoken_of.add(_move(words, board, exercise.played))
        share = _share(words, done) if done else labels.share(words, exercise.played.chance)
        sentences.append(
            words("In your game: {move}, {share}.", move=_move(words, board, exercise.played), share=share)
        )
    others = {
        told_of: answer
        for answer in exercise.answers.found
        if (told_of := _move(words, board, answer)) not in spoken_of
    }
    if others:
        listed = "; ".join(f"{told_of}, {_share(words, answer)}" for told_of, answer in [*others.items()][:_OTHERS])
        sentences.append(words("Other moves: {moves}.", moves=listed))
    if exercise.themes:
        sentences.append(
            words("Themes: {themes}.", themes=", ".join(words(THEMES[theme]) for theme in exercise.themes))
        )
    return sentences


def _links(words: Translator, exercise: ExerciseContext) -> list[GuideLink]:
    mistake = exercise.kind == "mistake"
    links = [
        GuideLink(words("Next mistake") if mistake else words("Next puzzle"), exercise.next, post=True, first=True),
        GuideLink(words("Try again"), exercise.again, post=True, fields=exercise.fields),
        GuideLink(words("All mistakes") if mistake else words("All puzzles"), exercise.back),
    ]
    if exercise.replay:
        links.append(GuideLink(words("Show in the replay"), exercise.replay))
    return links


def _marks(best: Answer) -> tuple[str, ...]:
    """Return what the best move is about, on the map."""
    if best.move.route is not None:
        return (f"route-{best.move.route.index}",)
    return (f"place-{best.move.place.index}",) if best.move.place is not None else ()


def _move(words: Translator, board: Board, answer: Answer | Option) -> str:
    return move(words, board, answer.move)


def _share(words: Translator, answer: Answer) -> str:
    return labels.share(words, answer.option.chance)


def not_right(language: str, board: Board, answer: Answer | None, own: bool) -> str:
    """Return why an answer was not accepted. `own`: it is what was done in the game."""
    words = translator_for(language)
    if own:
        return words("That is what you played. There is a better move.")
    if answer is None:
        return words("Not this one: it is clearly worse. Try another move.")
    return words(
        "Not {move}: it costs about {points} points of win chance. Try another move.",
        move=_move(words, board, answer),
        points=max(1, round(100 * answer.behind)),
    )


def is_over(language: str) -> str:
    """Return what to tell those who play on after the answer."""
    return translator_for(language)("This exercise is over. Try the next one.")


# ---------------------------------------------------------------------------------------------------- lists


def mistakes(context: MistakesContext) -> str:
    """Return the mistakes of a browser, and which of them are due."""
    words = translator_for(context.visit.language)
    return render(
        "exercises/mistakes.html",
        context.visit,
        context=context,
        title=f"{words('My mistakes')} · branchline",
        first=context.lines[:FIRST],
        further=context.lines[FIRST:],
        size=lambda line: words(SIZES[scale.size(line.lost, 0.0) or "small"]),
        points=lambda line: words("{points} points of win chance", points=points(-100 * line.lost)),
        when=lambda line: _when(words, line, context.now),
        boards={line.board.digest: line.board for line in context.lines}.values(),
        whole=whole,
        picture=lambda line: cut_out(
            line.board, line.played_move and (line.played_move.route or line.played_move.place)
        ),
        told=lambda line: _told(words, line),
        date=lambda line: format_date(datetime.fromtimestamp(line.played, UTC), locale=words.language),
    )


def _told(words: Translator, line: MistakeLine) -> tuple[str, ...]:
    """Return what was done, and what the better move brings, without naming it: the pupil should find it."""
    if line.played_move is None:
        return ()
    played = words("You played: {move}.", move=move(words, line.board, line.played_move))
    if line.compared is None:
        return (played,)
    return played, words("The best move: {difference}.", difference=difference(words, line.compared))


def _when(words: Translator, line: MistakeLine, now: float) -> str:
    """Return when a mistake comes back."""
    if not line.answered:
        return words("new")
    if line.due_at <= now:
        return words("due")
    days = max(1, round((line.due_at - now) / DAY))
    return words.many("in {count} day", "in {count} days", days)


def puzzles(context: PuzzlesContext) -> str:
    """Return the puzzles of all editions, or of one."""
    words = translator_for(context.visit.language)
    shelf = context.chosen
    title = words("Puzzles")
    if shelf is not None:
        title = f"{title} · {shelf.board.title_in(words.language)}"
    lines = [line for line in shelf.lines if context.theme in ("", *line.themes)] if shelf else []
    present = {theme for line in shelf.lines for theme in line.themes} if shelf else set()
    return render(
        "exercises/puzzles.html",
        context.visit,
        context=context,
        title=f"{title} · branchline",
        heading=title,
        lines=lines,
        themes=[(theme, words(name)) for theme, name in THEMES.items() if theme in present],
        theme_of=lambda line: ", ".join(words(THEMES[theme]) for theme in line.themes),
        hard=lambda line: hard(words, line),
        thumbnail=thumbnail,
    )


def hard(words: Translator, line: PuzzleLine) -> str:
    """Return the difficulty of a puzzle in a word."""
    return words(next(name for least, name in _HARD if line.difficulty < least))
