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
SPANISH = "Málaga,Córdoba,Cádiz,La Coruña,León"
HUNGARIAN = "Győr,Pécs,Székesfehérvár,Kecskemét,Nyíregyháza"
BALTIC = "Vilnius,Šiauliai,Panevėžys,Klaipėda,Rīga,Liepāja"
HEBREW = "ירושלים,תל אביב,חיפה"
ARABIC = "القاهرة,الإسكندرية,دمشق"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("text", ["name,lat\n" + POLISH, '{"names": ["Zoë", "東京"]}\n', "plain\r\ntext\r\n"])
def test_unicode_is_read_in_every_form(encoding: str, text: str) -> None:
    assert decoded(text.encode(encoding)).text == text


@pytest.mark.long
@settings(max_examples=100)
@given(text=st.text(st.characters(codec="utf-8", exclude_characters="\0\ufeff"), max_size=60))
def test_no_mark_is_left_and_no_letter_lost(text: str) -> None:
    for encoding in ("utf-8-sig", "utf-16", "utf-32"):
        assert decoded(text.encode(encoding)).text == text
    assert decoded(b"\xfe\xff" + text.encode("utf-16-be")).text == text


@pytest.mark.parametrize(
    ("text", "encodings"),
    [
        (POLISH, ["cp1250", "iso8859_2", "cp852", "mac_latin2"]),
        (CZECH, ["cp1250", "iso8859_2", "cp852", "mac_latin2"]),
        (GERMAN, ["cp1250", "cp1252", "latin-1", "cp850", "mac_roman"]),
        (f"{GERMAN},{POLISH}", ["cp1250", "iso8859_2", "cp852"]),
        (f"{CZECH},{GERMAN},{POLISH}", ["cp1250", "iso8859_2", "cp852"]),
        (FRENCH, ["cp1252", "mac_roman"]),
        (DANISH, ["cp1252", "mac_roman"]),
        (SPANISH, ["cp1252", "mac_roman"]),
        (HUNGARIAN, ["cp1250", "mac_latin2"]),
        (RUSSIAN, ["cp1251", "koi8-r", "cp866", "mac_cyrillic"]),
        (HEBREW, ["cp1255"]),
        (ARABIC, ["cp1256"]),
        (BALTIC, ["cp1257"]),
        ("Anna’s turn", ["cp1252"]),
        ("name,lat,lon\nA,50°56'N,6°57'E", ["cp1252", "mac_roman"]),
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
    assert (found.encoding, found.line, found.byte, found.words) == ("Windows-1250", 2, "0xa3", ("Łódź",))
    assert not decoded("name\nŁódź\n".encode()).guessed


def test_lines_that_end_with_a_carriage_return_alone_come_from_a_mac() -> None:
    found = decoded("name,lat\rBonn,50.7\rKöln,50.9\r".encode("mac_roman"))
    assert (found.encoding, found.line, found.words) == ("Mac Roman", 3, ("Köln",))


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("東京,大阪,京都,名古屋", "shift_jis"),
        ("東京,大阪,京都,名古屋", "euc_jp"),
        ("北京,上海,广州,武汉", "gbk"),
        ("台北,高雄,臺中", "big5"),
        ("서울,부산,대구", "cp949"),
        ("กรุงเทพ,เชียงใหม่", "cp874"),
        ("Москва,Санкт-Петербург", "iso8859_5"),
    ],
)
def test_a_code_page_that_is_not_known_is_refused_and_not_taken_for_another(text: str, encoding: str) -> None:
    with pytest.raises(UndecodableError, match="not UTF-8"):
        decoded(text.encode(encoding))


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
