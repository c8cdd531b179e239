"""A board on paper: true size, every tile and card there, marks where sheets join, names with all their letters."""

from __future__ import annotations

import io
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from branchline.boards import builtin_boards, load_board, read_board
from branchline.draw.layout import layout_of
from branchline.workshop import printing, sheets
from branchline.workshop.card_faces import HIGH, WIDE, back_files, card_faces, card_files, ticket_faces
from branchline.workshop.printing import PrintError, printed
from needs import missing

POINT = 72 / 25.4  # to the mm

try:
    import pypdf
    import typst  # noqa: F401
except ModuleNotFoundError:
    pypdf = None

needs_typst = pytest.mark.usefixtures("typst_there")


@pytest.fixture
def typst_there() -> None:
    if pypdf is None:
        missing("the extra `workshop` and pypdf are not installed")


def read(content: bytes) -> Any:
    return pypdf.PdfReader(io.BytesIO(content))


def text_of(content: bytes) -> str:
    return " ".join(page.extract_text() for page in read(content).pages)


# ------------------------------------------------------------------------------------------------ tiles


@given(
    paper=st.sampled_from(list(sheets.PAPERS)),
    width=st.floats(100, 2500),
    ratio=st.floats(0.2, 3.0),
)
def test_the_tiles_show_the_whole_map_once(paper: str, width: float, ratio: float) -> None:
    """Without their flaps they join without a gap; with them each shows a centimetre of the next."""
    height = width * ratio
    tiling = sheets.tiled(paper, width, height)
    pages = list(sheets.map_pages(tiling, "map.svg", width, height, "map", ""))
    assert len(pages) == tiling.count
    area = 0.0
    for number, page in enumerate(pages):
        row, column = divmod(number, tiling.columns)
        picture = next(mark for mark in page.marks if isinstance(mark, sheets.Picture))
        from_left, from_top = picture.left - picture.x, picture.top - picture.y
        own_x = min(tiling.width, width - column * tiling.width)
        own_y = min(tiling.height, height - row * tiling.height)
        assert from_left == pytest.approx(column * tiling.width)
        assert from_top == pytest.approx(row * tiling.height)
        area += own_x * own_y
        joined = column < tiling.columns - 1
        assert picture.width == pytest.approx(min(own_x + sheets.FLAP, width - from_left) if joined else own_x)
        assert picture.left + picture.width <= page.width - sheets.MARGIN + 1e-6
        assert picture.top + picture.height <= page.height - sheets.FOOT + 1e-6
    assert area == pytest.approx(width * height)


def test_marks_for_joining_stand_only_where_sheets_join() -> None:
    tiling = sheets.tiled("a4", 700, 600)
    pages = list(sheets.map_pages(tiling, "map.svg", 700, 600, "map", ""))
    rings = [sum(isinstance(mark, sheets.Ring) for mark in page.marks) for page in pages]
    corner, middle = rings[0], rings[1 + tiling.columns]
    assert (corner, middle) == (4, 8)
    alone = next(sheets.map_pages(sheets.tiled("a4", 200, 150), "map.svg", 200, 150, "map", ""))
    assert not any(isinstance(mark, sheets.Ring) for mark in alone.marks)


def test_marks_on_two_sheets_that_join_meet() -> None:
    left, right = list(sheets.map_pages(sheets.tiled("a4", 400, 150), "map.svg", 400, 150, "map", ""))[:2]

    def on_the_map(page: sheets.Page) -> set[float]:
        picture = next(mark for mark in page.marks if isinstance(mark, sheets.Picture))
        return {round(mark.x - picture.x, 6) for mark in page.marks if isinstance(mark, sheets.Ring)}

    assert on_the_map(left) & on_the_map(right)


def test_a_poster_leaves_no_strips() -> None:
    for ratio in (0.5, 0.6, 0.7, 1.0, 1.4):
        width = sheets.poster_width("a4", ratio, 841)
        tiling = sheets.tiled("a4", width, width * ratio)
        used = width * width * ratio / (tiling.count * tiling.width * tiling.height)
        assert 0.85 * 841 <= width <= 1.1 * 841
        assert used > 0.7


# ------------------------------------------------------------------------------------------------ cards


@pytest.mark.parametrize("name", builtin_boards())
def test_every_card_of_the_box_is_there(name: str) -> None:
    board = load_board(name)
    assert len(card_faces(board)) == board.cards.total
    pages = list(sheets.card_pages("a4", (WIDE, HIGH), card_faces(board), "cards"))
    files = Counter(mark.file for page in pages for mark in page.marks if isinstance(mark, sheets.Picture))
    assert files == {file: count for file, (_, count) in card_files(board).items()}


@pytest.mark.parametrize("name", builtin_boards())
def test_every_ticket_names_its_places_and_its_points(name: str) -> None:
    board = load_board(name)
    faces = ticket_faces(board, layout_of(board), board.ticket_rules.decks)
    for ticket, face in zip(board.tickets, faces, strict=True):
        words = " ".join(mark.text for mark in face.marks if isinstance(mark, sheets.Words))
        assert all(place.name in words for place in ticket.places)
        assert str(ticket.value) in words
        inside = [mark for mark in face.marks if isinstance(mark, sheets.Words)]
        assert all(mark.x >= 0 and mark.x + mark.width <= WIDE for mark in inside)


@pytest.mark.parametrize("name", builtin_boards())
def test_the_points_cover_no_place(name: str) -> None:
    board = load_board(name)
    for face in ticket_faces(board, layout_of(board), board.ticket_rules.decks):
        *places, value = [mark for mark in face.marks if isinstance(mark, sheets.Ring)]
        if value.radius > 3:  # a tour has a panel
            apart = [((place.x - value.x) ** 2 + (place.y - value.y) ** 2) ** 0.5 for place in places]
            assert min(apart) > value.radius


def test_backs_lie_behind_their_cards_when_the_sheet_is_turned() -> None:
    """Both decks of cards, both decks of tickets; the last sheet of each is not full."""
    germany, world = load_board("germany"), load_board("world")
    for faces in (ticket_faces(germany, layout_of(germany), germany.ticket_rules.decks), card_faces(world)):
        pages = list(sheets.card_pages("a4", (WIDE, HIGH), faces, "cards", backs=True))
        assert [page.is_back for page in pages] == [False, True] * (len(pages) // 2)
        left = iter(faces)
        for front, back in zip(pages[::2], pages[1::2], strict=True):
            behind = {
                (round(front.width - mark.left - WIDE, 6), round(mark.top, 6)): mark.file
                for mark in back.marks
                if isinstance(mark, sheets.Picture)
            }
            expected = [next(left).back[1] for _ in behind]
            placed = [file for _, file in sorted(((y, x), file) for (x, y), file in behind.items())]
            assert placed == [mark.file for mark in expected if isinstance(mark, sheets.Picture)]
        assert next(left, None) is None
    backs = {face.back[1].file for face in card_faces(world) if isinstance(face.back[1], sheets.Picture)}
    assert backs <= set(back_files(world))
    assert len(backs) == 2


# ------------------------------------------------------------------------------------------------ the PDF


@needs_typst
def test_a_printed_board_has_its_sheets_in_true_size() -> None:
    content = printed(load_board("europe"), date="2026-11-22")
    pages = read(content).pages
    sizes = {tuple(round(float(side)) for side in page.mediabox[2:]) for page in pages}
    assert sizes == {(round(297 * POINT), round(210 * POINT))}
    assert len(pages) == 1 + 3 + 7  # the map, 46 tickets, 110 cards


@pytest.mark.long
@needs_typst
def test_every_sheet_has_its_other_side() -> None:
    pages = read(printed(load_board("berlin"), backs=True)).pages
    fronts = [page.extract_text() for page in pages[::2]]
    assert all(f"sheet {n} of {len(fronts)}" in text for n, text in enumerate(fronts, 1))
    assert all(f"back of sheet {n}" in page.extract_text() for n, page in enumerate(pages[1::2], 1))


@pytest.mark.long
@needs_typst
def test_version_and_date_stand_on_every_sheet() -> None:
    board = load_board("berlin")
    for number, page in enumerate(read(printed(board, date="2026-11-22")).pages, 1):
        text = page.extract_text()
        assert board.digest[:12] in text
        assert "2026-11-22" in text
        assert f"sheet {number} of" in text
    assert "draft 7" in text_of(printed(board, version="draft 7", parts=["map"]))


@pytest.mark.long
@needs_typst
def test_names_keep_their_letters() -> None:
    text = text_of(printed(load_board("europe"), parts=["tickets"]))
    assert all(name in text for name in ("København", "Kyïv", "München", "Zürich", "Athína", "Zágráb"))


@needs_typst
def test_the_same_board_gives_the_same_file() -> None:
    board = load_board("berlin")
    assert printed(board, date="2026-11-22") == printed(board, date="2026-11-22")


@pytest.mark.long
@needs_typst
def test_a_poster_takes_as_many_sheets_as_it_says() -> None:
    board = load_board("europe")
    content = printed(board, poster=True, parts=["map"])
    pages = read(content).pages
    assert len(pages) > 4
    assert f"sheet 2 of {len(pages)}" in pages[1].extract_text()
    assert "row 1, column 2" in pages[1].extract_text()


def test_wagons_fit_on_the_smallest_space() -> None:
    layout = layout_of(load_board("germany"))
    width = printing.width_for_wagons(layout, 24.0)
    smallest = min(space.length for track in layout.tracks for space in track.spaces)
    assert smallest * width / layout.sheet.width == pytest.approx(24.0)


@pytest.mark.long
@needs_typst
def test_what_a_board_says_is_no_markup(tmp_path: Path) -> None:
    """Typst knows `#read` and `$x$`, SVG knows tags and entities: names may hold all of them."""
    folder = load_board("berlin").folder
    assert folder is not None
    hostile = "A #read('x') $a$ *b* <c &lt \\u"
    for file in folder.iterdir():
        text = file.read_text(encoding="utf-8")
        text = text.replace("Zoologischer Garten", hostile) if file.suffix == ".csv" else text
        (tmp_path / file.name).write_text(text, encoding="utf-8")
    assert hostile in (tmp_path / "tickets.csv").read_text(encoding="utf-8")
    text = text_of(printed(read_board(tmp_path), parts=["map", "tickets"]))
    assert all(part in text for part in ("#read(", "$a$", "*b*", "<c", "&lt"))


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"paper": "a5"}, "unknown paper"),
        ({"parts": ["box"]}, "unknown part"),
        ({"parts": []}, "unknown part"),
        ({"width": 20.0}, "100 to 3000 mm wide"),
        ({"width": float("nan")}, "100 to 3000 mm wide"),
        ({"wagon": 0.0}, "5 to 60 mm long"),
        ({"wagon": 25.0, "width": 500.0}, "not both"),
        ({"wagon": 60.0}, "at most 3000 are possible"),
        ({"width": 3000.0}, "sheets, the limit is 100"),
    ],
)
def test_what_cannot_be_printed_is_refused_in_words(options: dict[str, Any], expected: str) -> None:
    with pytest.raises(PrintError, match=expected):
        printed(load_board("europe"), **options)


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(name: str) -> None:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(printing, "import_module", gone)
    with pytest.raises(PrintError, match=r"branchline\[workshop\]"):
        printed(load_board("berlin"), parts=["map"])


def test_pages_are_plain_data() -> None:
    board = load_board("berlin")
    for page in sheets.card_pages(
        "a3", (WIDE, HIGH), ticket_faces(board, layout_of(board), board.ticket_rules.decks), "tickets"
    ):
        assert json.loads(json.dumps(page.as_json())) == page.as_json()
