"""The parts of a line of a noted game: cards, tickets, payments, numbers and names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from branchline.boards import Board, Ticket
from branchline.boards.faults import UnknownName, quoted
from branchline.boards.letters import count, is_clean, is_seen, line_of
from branchline.boards.wording import Message, worded
from branchline.game.actions import DECKS
from branchline.game.cards import card_kind, read_cards
from branchline.rules.cards import deck_of
from branchline.tabletop.notation import ANY_DECK, LONGEST_NAME, CardDrawn, Choice


def clauses_of(text: str, *words: str) -> dict[str, str]:
    """Return `Paris–Dieppe with 1 purple` by clause: what stands before the first of the words, and behind each of
    them.
    """
    parts = re.split(rf"(?:^|\s+)({'|'.join(sorted(words, key=len, reverse=True))})(?=\s|$)", text, flags=re.IGNORECASE)
    clauses = {"": parts[0].strip()}
    for word, rest in zip(parts[1::2], parts[2::2], strict=True):
        if word.casefold() in clauses:
            raise UnknownName(worded("{text} appears twice", text=quoted(word)))
        if not rest.strip():
            raise UnknownName(worded("expected something after {text}", text=quoted(word)))
        clauses[word.casefold()] = rest.strip()
    if clauses[""] and "keep" in words:
        raise UnknownName(worded("cannot read {text}", text=quoted(clauses[""])))
    return clauses


def card_in(board: Board, text: str) -> CardDrawn:
    """Return one card of a draw, as in `?`, `blind`, `blind red`, `red`, `red ship refill train`."""
    name, _, deck = (part.strip() for part in text.casefold().partition(" refill "))
    refill = ANY_DECK
    if deck:
        refill = _deck(board, deck)
    words = name.removesuffix("s") if name.removesuffix("s") in DECKS else name
    if words in ("?", "card", "cards"):
        return CardDrawn()
    blind = words == "blind" or words.startswith("blind ")
    rest = words.removeprefix("blind").strip() if blind else words
    if rest.removesuffix("s") in DECKS:
        return CardDrawn(deck=_deck(board, rest.removesuffix("s")), blind=blind)
    if not rest:
        return CardDrawn(deck=ANY_DECK if board.cards.two_decks else 0, blind=True)
    try:
        kind = card_kind(rest, board)
    except ValueError as error:
        raise UnknownName(error.args[0]) from None
    return CardDrawn(kind, not blind, deck_of(kind) if blind else ANY_DECK, refill, blind=blind)


def _deck(board: Board, word: str) -> int:
    if word not in DECKS or not board.cards.two_decks:
        raise UnknownName(worded("there is no deck {text}", text=quoted(word)))
    return DECKS.index(word)


def paid_in(board: Board, clauses: dict[str, str]) -> tuple[tuple[int, int], ...] | None:
    """Return the cards of a payment by kind, with their number, or None if not noted. Raise `UnknownName`."""
    return tuple(sorted(cards_in(board, clauses["with"]).items())) if "with" in clauses else None


def cards_in(board: Board, text: str) -> Counter[int]:
    """Return the cards that a text counts, by kind. Raise `UnknownName`."""
    cards = read_cards(text, board)
    if sum(cards.values()) > board.cards.total:
        raise UnknownName(worded("the game has fewer cards than that"))
    return cards


def choice_in(board: Board, clauses: dict[str, str], mix: int) -> Choice:
    """Return which tickets were kept, and how many of which deck were drawn. Raise `UnknownName`."""
    kept = clauses.get("keep", "")
    tickets: tuple[Ticket, ...] = ()
    count = None
    if kept.isdecimal() and len(kept) < 3:
        count = int(kept)
    elif kept:
        tickets = tickets_in(board, kept)
        count = len(tickets)
    from_first = None
    if "mix" in clauses:
        if not mix:
            raise UnknownName(worded("{board} has no mix of tickets to announce", board=board.title))
        from_first = counted_in(clauses["mix"], board.ticket_rules.decks, mix, f"2 {board.ticket_rules.decks[0]}")
    return Choice(from_first, count, tickets)


def counted_in(text: str, names: Sequence[str], whole: int, example: str) -> int:
    """Return how many of the first kind `20 trains` or `40 ships` means, of `whole` in all."""
    counts = re.findall(r"(\d{1,3})\s+(\w+?)s?\b", text.casefold())
    known = {name.casefold(): n for n, name in enumerate(names)}
    if len(counts) not in (1, 2) or any(name not in known for _, name in counts):
        raise UnknownName(
            worded("expected, for example, {text}, not {text2}", text=quoted(example), text2=quoted(text))
        )
    numbers = {known[name]: int(count) for count, name in counts}
    count = numbers.get(0, whole - numbers.get(1, 0))
    if not 0 <= count <= whole or (len(numbers) == 2 and sum(numbers.values()) != whole):
        raise UnknownName(worded("{text} does not add up to {whole}", text=quoted(text), whole=whole))
    return count


def tickets_in(board: Board, text: str) -> tuple[Ticket, ...]:
    """Return the tickets that a text lists. Raise `UnknownName`."""
    tickets = [board.index.ticket(dashed(board, part)) for part in re.split(r"\s*[,;]\s*", text) if part]
    for n, ticket in enumerate(tickets):
        if ticket in tickets[:n]:
            raise UnknownName(worded("{ticket} appears twice", ticket=ticket.name))
    return tuple(tickets)


def dashed(board: Board, text: str) -> str:
    """Return `Berlin Wien` as `Berlin–Wien`; text with a mark between its places stays as it is."""
    words = text.split()
    if re.search(r"[–—>/]|-", text):
        return text
    if "to" in [word.casefold() for word in words]:
        return text
    for cut in range(1, len(words)):
        for end in range(len(words), cut, -1):
            a, b, rest = " ".join(words[:cut]), " ".join(words[cut:end]), " ".join(words[end:])
            if board.index.find(a) and board.index.find(b):
                return f"{a}–{b} {rest}".strip()
    return text


def wrong_with(name: str) -> Message | None:
    """Return why this is not a name of a player; None where it is one."""
    if not is_seen(name):
        return worded("expected the names of the players, separated by commas; one of them is empty")
    if ":" in name:
        return worded(
            "the name {text} contains a colon; a colon separates the player from the action", text=quoted(name)
        )
    if not is_clean(name):
        return worded("the name {text} contains invisible characters", text=quoted(line_of(name)))
    if count(name) > LONGEST_NAME:
        return worded("expected a name of at most {most} characters, not {text}", most=LONGEST_NAME, text=quoted(name))
    return None
