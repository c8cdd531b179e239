"""Every sentence of pages, lessons and rules is there in every language, with the same fields."""

from __future__ import annotations

import ast
import functools
import re
import string
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from contexts import table_context

import branchline as bl
from branchline.draw.wording import say_number
from branchline.game.reasons import CARDS_OF_ANY_COLOUR
from branchline.web.core.pages import labels, reason_text, translation
from branchline.web.core.pages.extract_messages import COLLECTED, WEB, collected
from branchline.web.core.visit import Visit
from branchline.web.table import page as table_page
from branchline.web.table import panels

messages = functools.cache(collected)
"""What the pages say now: gathered once, which takes a second."""

OTHERS = [code for code in translation.LANGUAGES if code != "en"]


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def translated(language: str, name: str) -> Catalog:
    with translation.source_of(language, name).open("rb") as file:
        return read_po(file, locale=language)


@pytest.mark.parametrize("name", translation.CATALOGUES)
@pytest.mark.parametrize("language", OTHERS)
def test_no_sentence_lacks_a_translation(language: str, name: str) -> None:
    catalogue, lacking = translated(language, name), []
    for message in messages() if name == translation.PAGES else COLLECTED[name]():
        if not message.id:
            continue
        found = catalogue.get(message.id)
        forms = () if found is None else found.string if isinstance(found.string, tuple) else (found.string,)
        if not forms or not all(forms) or (found is not None and found.fuzzy):
            lacking.append(message.id)
            continue
        wanted = fields(message.id if isinstance(message.id, str) else message.id[1])
        for form in forms:
            assert fields(form) == wanted, (message.id, form)
    assert not lacking, "python -m branchline.web.core.pages.extract_messages, then translate: " + repr(lacking)


BALANCE = WEB.parent / "arena" / "balance"
SPEAKING = [*sorted(WEB.rglob("*.py")), *sorted(BALANCE.glob("*.py"))]


@pytest.mark.parametrize("module", SPEAKING, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_sentence_in_the_code_is_found_by_the_tool(module: Path) -> None:
    """Babel does not look into f-strings: there no sentence may hide."""
    known = {message.id if isinstance(message.id, str) else message.id[0] for message in messages()}
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            function = node.func
            name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
            if name in ("words", "many", "N_") and isinstance(node.args[0].value, str):
                assert node.args[0].value in known, f"{module.name}:{node.lineno}"


def test_plural_forms_follow_the_language() -> None:
    polish = translation.translator_for("pl")
    said = [polish.many("{count} point", "{count} points", count) for count in (1, 2, 5, 22)]
    assert said == ["1 punkt", "2 punkty", "5 punktów", "22 punkty"]
    assert translation.translator_for("xx").language == "en"


def test_what_was_compiled_is_kept_and_made_again_where_it_is_spoilt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each time as in a new process."""
    monkeypatch.setenv("BRANCHLINE_CACHE", str(tmp_path))
    compiled, made = translation.compiled, []
    monkeypatch.setattr(translation, "compiled", lambda *what: made.append(what) or compiled(*what))
    afresh = translation.translator_for.__wrapped__
    for spoil in (b"", b"spoilt", None):
        for _ in range(2):
            assert afresh("cs")("{count} point", count=1) == "1 bod"
        (kept,) = (tmp_path / "words").iterdir()
        whole = kept.read_bytes()
        kept.write_bytes(whole[: len(whole) // 2] if spoil is None else spoil)
    assert afresh("cs")("{count} point", count=1) == "1 bod"
    assert len(made) == 4


@pytest.mark.parametrize(
    ("language", "title", "place", "country"),
    [
        ("en", "Germany", "München (Munich)", "Frankreich (France), country"),
        ("pl", "Niemcy", "München (Monachium)", "Frankreich (Francja), kraj"),
        ("cs", "Německo", "München (Mnichov)", "Frankreich (Francie), země"),
        ("de", "Deutschland", "München", "Frankreich, Land"),
    ],
)
def test_the_map_bears_its_title_and_tells_the_names_of_places_in_the_language_of_the_page(
    language: str, title: str, place: str, country: str
) -> None:
    context = table_context(bl.Game(bl.load_board("germany"), seats=3, seed=1), visit=Visit(language=language))
    drawing = table_page.fragments(context, None)["board"]
    assert f">{title}</text>" in drawing, "in the cartouche"
    assert f">{title}</title>" in drawing
    assert f"<title>{place}, " in drawing
    assert f"<title>{country}" in drawing
    assert table_page.title(context).endswith(f"{title} · branchline")
    munich = context.board.index.place("München")
    assert f">{place}</h2>" in panels.panel(context, f"place-{munich.index}")["panel"]


def test_tickets_tell_the_names_of_their_places_where_the_language_has_others() -> None:
    game = bl.Game(bl.load_board("europe"), seats=2, seed=3)
    context = table_context(game, visit=Visit(language="pl"))
    question = table_page.fragments(context, None)["question"]
    for ticket in context.view.question.tickets:
        others = ", ".join(filter(None, (place.exonym("pl") for place in ticket.places)))
        assert not others or f">{others}</small>" in question
    assert "Lizbona, Gdańsk</small>" in question
    berlin = table_context(bl.Game(bl.load_board("berlin"), seats=2, seed=3), visit=Visit(language="pl"))
    assert "abroad" not in table_page.fragments(berlin, None)["question"], "its places have no other names"


def test_plural_forms_fit_one_two_five_and_twenty_two_in_every_language() -> None:
    said = {
        code: [
            words.many("{name} draws {count} ticket.", "{name} draws {count} tickets.", n, name="A")
            for n in (1, 2, 5, 22)
        ]
        for code in translation.LANGUAGES
        for words in [translation.translator_for(code)]
    }
    assert [one.removeprefix("A ") for one in said["en"]] == [
        f"draws {n}." for n in ("1 ticket", "2 tickets", "5 tickets", "22 tickets")
    ]
    assert [one.split()[-1] for one in said["pl"]] == ["Bilet.", "Bilety.", "Biletów.", "Bilety."]
    assert [one.split()[-1] for one in said["cs"]] == ["linku.", "linky.", "linek.", "linek."]
    assert [one.split()[-1] for one in said["de"]] == ["Zielkarte.", "Zielkarten.", "Zielkarten.", "Zielkarten."]


def test_scripts_get_a_sentence_about_a_number_in_all_its_forms() -> None:
    """By the names that `Intl.PluralRules` has for them in that language, where numbers are whole."""
    routes = translation.N_many("{count} route", "{count} routes")
    said = {code: translation.translator_for(code).for_browser(routes) for code in translation.LANGUAGES}
    assert said == {
        "en": {"one": "{count} route", "other": "{count} routes"},
        "pl": {"one": "{count} połączenie", "few": "{count} połączenia", "many": "{count} połączeń"},
        "cs": {"one": "{count} trať", "few": "{count} tratě", "other": "{count} tratí"},
        "de": {"one": "{count} Strecke", "other": "{count} Strecken"},
    }
    assert translation.translator_for("pl").for_browser("tickets") == "Bilety"


def test_a_reason_and_the_map_say_numbers_in_the_form_that_goes_with_them() -> None:
    context = table_context(bl.Game(bl.load_board("europe"), seats=2, seed=3))
    reasons = {
        count: reason_text.in_words(
            translation.translator_for("cs"),
            context.players,
            CARDS_OF_ANY_COLOUR(route="Paris–Wien", count=count),
        )
        for count in (1, 4, 8)
    }
    assert [said.split()[2] for said in reasons.values()] == ["kartu", "karty", "karet"]
    words = labels.map_words("pl")
    said = [say_number(words, "owned", count).split()[-1] for count in (1, 2, 5, 22, 25)]
    assert said == ["połączenie.", "połączenia.", "połączeń.", "połączenia.", "połączeń."]
    assert [say_number(labels.map_words("en"), "points", count) for count in (1, 2)] == ["1 point", "2 points"]


@pytest.mark.parametrize("name", translation.CATALOGUES)
@pytest.mark.parametrize("language", OTHERS)
def test_punctuation_is_that_of_the_language(language: str, name: str) -> None:
    closing = "”" if language == "pl" else "“"
    for message in translated(language, name):
        for text in message.string if isinstance(message.string, tuple) else (message.string,):
            if not message.id:
                continue
            assert '"' not in text and "..." not in text, text
            assert text.count("„") == text.count(closing) == len(re.findall("[„“”]", text)) / 2, text
            assert (" …" in text) is (language == "de" and "…" in text), text
            assert "%" not in text or ("\u00a0%" in text) is (language != "pl"), text
            assert "  " not in text and text == text.strip(), text
            assert not re.search(r" [,;:!?]", text), text


def test_a_colour_and_its_sign_stay_on_one_line() -> None:
    board = bl.load_board("berlin")
    twin = next(one for one in board.routes if one.lines > 1 and one.colour == "orange")
    assert labels.route(translation.translator_for("en"), board, twin).endswith(" (orange\u00a0●)")


def test_players_see_which_pieces_are_trams_and_which_are_subway_cars() -> None:
    page = table_page.table(table_context(bl.Game(bl.load_board("berlin"), 2, 1)))
    assert "#s-train'" in page and "#s-subway'" in page
