"""Text is read whatever it was saved with, or refused with the line and the reason."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from branchline.decoding import UndecodableError, decoded

POLISH = "Łódź,Kraków,Gdańsk,Wrocław,Częstochowa,Żywiec,Świnoujście"
CZECH = "Plzeň,České Budějovice,Ústí nad Labem,Hradec Králové,Děčín,Třebíč"
GERMAN = "Köln,Düsseldorf,München,Straße,Gießen"
FRENCH = "Orléans,Besançon,Nîmes,Angoulême,Béthune"
DANISH = "København,Århus,Ålborg,Helsingør,Næstved"
RUSSIAN = "Москва,Санкт-Петербург,Нижний Новгород"
GREEK = "Αθήνα,Θεσσαλονίκη,Πάτρα"
TURKISH = "İstanbul,Eskişehir,Muğla,Çanakkale"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("text", ["name,lat\n" + POLISH, '{"names": ["Zoë", "東京"]}\n', "plain\r\ntext\r\n"])
def test_unicode_is_read_in_every_form(encoding: str, text: str) -> None:
    assert decoded(text.encode(encoding)).text == text


@settings(max_examples=100)
@given(text=st.text(st.characters(codec="utf-8", exclude_characters="\0\ufeff"), max_size=60))
def test_no_mark_is_left_and_no_letter_lost(text: str) -> None:
    for encoding in ("utf-8-sig", "utf-16", "utf-32"):
        assert decoded(text.encode(encoding)).text == text
    assert decoded(b"\xfe\xff" + text.encode("utf-16-be")).text == text


@pytest.mark.parametrize(
    ("text", "encodings"),
    [
        (POLISH, ["cp1250", "iso8859_2", "cp852"]),
        (CZECH, ["cp1250", "iso8859_2", "cp852"]),
        (GERMAN, ["cp1250", "cp1252", "latin-1", "cp850"]),
        (f"{GERMAN},{POLISH}", ["cp1250", "iso8859_2", "cp852"]),
        (f"{CZECH},{GERMAN},{POLISH}", ["cp1250", "iso8859_2", "cp852"]),
        (FRENCH, ["cp1252"]),
        (DANISH, ["cp1252"]),
        (RUSSIAN, ["cp1251"]),
        (GREEK, ["cp1253"]),
        (TURKISH, ["cp1254"]),
        ("Anna: claim Kyiv–Łódź with 3 orange", ["cp1250"]),
        ("Łódź", ["cp1250", "iso8859_2", "cp852"]),
        ("Bílina", ["cp1250", "iso8859_2"]),
    ],
)
def test_a_code_page_is_told_by_its_letters(text: str, encodings: list[str]) -> None:
    for encoding in encodings:
        found = decoded(text.encode(encoding))
        assert found.text == text, (encoding, found)
        assert found.guessed


def test_what_is_guessed_says_where_and_what_it_was() -> None:
    found = decoded("name\nŁódź\n".encode("cp1250"))
    assert (found.encoding, found.line, found.byte) == ("Windows-1250", 2, "0xa3")
    assert not decoded("name\nŁódź\n".encode()).guessed


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a\nb\0c", "not text: it holds a zero byte"),
        (b"\xff\xfea\0b", "it begins as UTF-16, but is damaged"),
        (b"\xff\xfe\x00\xd8a\0", "it begins as UTF-16, but is damaged"),
        (b"\xef\xbb\xbfa\xff", "it begins as UTF-8, but is damaged"),
        (b"\x89PNG\r\n\x1a\n\x01\x02", "not UTF-8 text (byte 0x89)"),
        (b"\xff\xd8\xff\xe0A\x01", "not UTF-8 text (byte 0xff)"),
    ],
)
def test_what_is_no_text_is_refused_in_words(content: bytes, said: str) -> None:
    with pytest.raises(UndecodableError) as refusal:
        decoded(content)
    assert said in str(refusal.value)
    assert refusal.value.line >= 1


@settings(max_examples=300)
@given(content=st.binary(max_size=80))
def test_any_bytes_are_text_or_refused(content: bytes) -> None:
    try:
        found = decoded(content)
    except UndecodableError as error:
        assert "\n" not in str(error)
    else:
        assert decoded(content) == found
