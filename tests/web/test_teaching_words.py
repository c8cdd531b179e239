"""Lessons and rules in other languages: as short as in English, about the same numbers, in the right forms."""

from __future__ import annotations

import re

import pytest

from branchline.languages import LANGUAGES
from branchline.teaching import articles, lesson_files, rulings, texts
from branchline.teaching.articles import FIELD, all_chapters, wrong_forms
from branchline.teaching.lesson_files import lessons, shared_texts, taught
from branchline.web.core.pages.translation import TEACHING, translator_for

OTHERS = [code for code in LANGUAGES if code != "en"]
LESSONS = [lesson for board in taught() for lesson in lessons(board)]


@pytest.mark.parametrize("language", OTHERS)
def test_a_lesson_says_no_more_at_once_than_people_read(language: str) -> None:
    words = translator_for(language, TEACHING)
    assert all(len(words(text)) <= texts.LONGEST_TEXT for text in shared_texts().values())
    for lesson in LESSONS:
        assert len(lesson.title.said(words)) <= lesson_files.LONGEST_TITLE
        for step in lesson.steps:
            said = [text.said(words) for text in (*step.say, step.task)]
            assert sum(map(len, said)) <= lesson_files.LONGEST_STEP, said
            others = (step.done, step.otherwise, *(wrong.say for wrong in step.wrong))
            for text in (*step.say, step.task, *lesson.end, *filter(None, others)):
                assert len(words(text.english)) <= texts.LONGEST_TEXT, words(text.english)


def test_no_language_repeats_another() -> None:
    """A text that stands in two languages alike was forgotten by the translator."""
    for lesson in LESSONS:
        for step in lesson.steps:
            for text in (*step.say, step.task):
                said = {text.said(translator_for(code, TEACHING)) for code in LANGUAGES}
                assert len(said) == len(LANGUAGES), text.english


@pytest.mark.parametrize("language", OTHERS)
def test_an_article_names_the_same_numbers_in_the_forms_of_the_language(language: str) -> None:
    words = translator_for(language, TEACHING)
    for chapter in all_chapters():
        assert len(words(chapter.title)) <= articles.LONGEST_TITLE
        for article in chapter.articles:
            text = words(article.text)
            assert {field[1] for field in FIELD.finditer(text)} == {field[1] for field in FIELD.finditer(article.text)}
            assert wrong_forms(text, language) == [], article.id
            assert not re.search(r"\d", FIELD.sub("", text).replace("0, 1, 2", "")), article.id
            assert len(text) <= articles.LONGEST, article.id
            assert all(len(words(ruling.text)) <= rulings.LONGEST for ruling in article.rulings)
