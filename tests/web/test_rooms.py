"""Rooms as values: playing, taking back, sitting, resigning, counting what each viewer saw."""

from __future__ import annotations

import pytest

from branchline.boards import load_board
from branchline.game import Game, IllegalAction
from branchline.web.core.pages import components
from branchline.web.core.pages.translation import LANGUAGES, translator_for
from branchline.web.core.room_options import Options
from branchline.web.core.rooms import clock, seats
from branchline.web.core.rooms.new_rooms import SeatSetup, new_room
from branchline.web.core.rooms.restoring import restored
from branchline.web.core.rooms.room import OVER, Refused
from branchline.web.core.seen import Player, default_name
from branchline.web.core.store.rows import Stored
from branchline.web.my_games.results import counts_for_rating
from table import COSTLY_EDITIONS
from web.games import a_room, walk


@pytest.mark.parametrize("edition", COSTLY_EDITIONS)
def test_what_may_be_taken_back_leads_to_the_very_state_before(edition: str) -> None:
    before = a_room(edition, seed=5)
    undone = 0
    for after in walk(before, seed=5):
        seat = after.steps[-1].row.seat
        if after.may_undo(seat):
            room, change = after.undone(seat, 0.0)
            assert room.game.state.tobytes() == before.game.state.tobytes()
            assert room.game.actions == before.game.actions
            assert room.steps == before.steps
            assert change.forget_from == after.row.version
            assert room.row.version == after.row.version + 1, "the log is never rewritten"
            undone += 1
        before = after
    assert undone > 10


@pytest.mark.parametrize("edition", COSTLY_EDITIONS)
def test_nothing_is_taken_back_after_something_was_revealed_or_somebody_acted(edition: str) -> None:
    """A cross-check by state: no hidden thing of the state after may lie open that was hidden before."""
    room = a_room(edition, seed=6)
    for after in walk(room, seed=6):
        seat = after.steps[-1].row.seat
        shown = {event.kind for event in after.steps[-1].events}
        if shown & {"blind", "take", "market", "sweep", "tunnel", "tickets", "reshuffle", "fleet_revealed", "over"}:
            assert not after.may_undo(seat)
        if after.may_undo(seat):
            assert tuple(room.game.view(None).market) == tuple(after.game.view(None).market)
            assert room.game.view(None).deck_sizes == after.game.view(None).deck_sizes
        for other in range(len(after.seats)):
            if other != seat:
                assert not after.may_undo(other)
        room = after


@pytest.mark.parametrize("edition", COSTLY_EDITIONS)
def test_alone_everything_may_be_taken_back_decision_by_decision_up_to_the_beginning(edition: str) -> None:
    begun = a_room(edition, seed=8, people=1)
    before = [begun]  # the room before each decision of the person
    room = begun
    for after in walk(begun, seed=8, most=120):
        if after.steps[-1].row.seat == 0:
            before.append(room)
        room = after
    before = before[1:]
    assert len(before) > 20
    if room.game.over:
        assert not room.may_undo(0)
        return
    assert room.undone(0, 5000.0)[1].snapshot is None, "the last decision is taken back without a replay"
    for expected in reversed(before):
        room, change = room.undone(0, 5000.0)
        assert room.game.state.tobytes() == expected.game.state.tobytes()
        assert room.game.actions == expected.game.actions and room.steps == expected.steps
        kept = restored(Stored(room.row, room.seats, room.log, room.states))
        assert kept.game.state.tobytes() == room.game.state.tobytes() and kept.steps == room.steps
        assert change.forget_from is not None
    assert not room.may_undo(0)
    with pytest.raises(Refused):
        room.undone(0, 5000.0)


def test_around_one_screen_a_step_may_be_taken_back_until_the_next_person_has_acted() -> None:
    before = a_room("europe", seed=9, seats=3, people=2, browsers=1)
    revealing = far = 0
    for after in walk(before, seed=9):
        if after.game.over:
            break
        seat = after.steps[-1].row.seat
        if seat < 2:
            assert after.may_undo(seat) and not after.may_undo(1 - seat)
            revealing += after.steps[-1].revealing
            room, _ = after.undone(seat, 0.0)
            assert room.game.state.tobytes() == before.game.state.tobytes()
        else:
            far += after.may_undo(0) or after.may_undo(1)
            assert not (after.may_undo(0) and after.may_undo(1))
        before = after
    assert revealing > 20 and far > 20


def test_people_at_browsers_of_their_own_or_open_seats_are_company() -> None:
    assert a_room("berlin", people=1).options.one_screen and a_room("berlin", browsers=1).options.one_screen
    assert not a_room("berlin", people=2).options.one_screen
    game = Game(load_board("berlin"), 2, 1)
    for second in (SeatSetup("open"), SeatSetup("person")):
        room, _ = new_room("r", game, "berlin", [SeatSetup("person", key="k"), second], Options(), "h", 1.0)
        assert not room.options.one_screen


def test_a_game_in_which_more_was_taken_back_than_in_company_counts_for_no_rating() -> None:
    rooms = walk(a_room("berlin", seats=2, seed=3, people=1), seed=3)
    first = next(one for one in rooms if one.may_undo(0) and one.steps[-1].row.seat == 0 and one.steps[-1].revealing)
    seen, _ = first.undone(0, 1.0)
    assert not counts_for_rating(seen, frozenset())
    plain = next(one for one in rooms if one.steps[-1].row.seat == 0 and not one.steps[-1].revealing)
    back, _ = plain.undone(0, 1.0)
    assert counts_for_rating(back, frozenset())


def test_only_as_many_states_are_kept_as_can_be_gone_back_to() -> None:
    kept = [len(room.states) for room in walk(a_room("europe", seed=7), seed=7)]
    assert max(kept) <= 16
    assert min(kept) == 1


@pytest.mark.parametrize("edition", COSTLY_EDITIONS)
def test_a_step_that_others_cannot_see_is_not_counted_for_them(edition: str) -> None:
    quiet = 0
    room = a_room(edition, seed=8)
    for after in walk(room, seed=8):
        row = after.log[-1]
        for viewer in ((), (0,), (1,), (2,), (0, 1)):
            grown = after.version_for(viewer) - room.version_for(viewer)
            assert grown == (0 if row.quiet and row.seat not in viewer else 1)
        if row.quiet:
            quiet += 1
            for other in (None, *range(len(room.seats))):
                if other != row.seat:
                    assert room.game.redacted(other).tobytes() == after.game.redacted(other).tobytes()
        room = after
    assert quiet or edition == "berlin"


def test_only_the_seat_that_is_asked_may_play() -> None:
    room = a_room("europe")
    asked = room.game.question.seat
    assert asked is not None
    other = (asked + 1) % 3
    with pytest.raises(Refused) as refusal:
        room.played(other, "blind", 0.0)
    assert refusal.value.reason == "not_yours"
    with pytest.raises(IllegalAction):
        room.played(asked, "claim Atlantis–Avalon", 0.0)


def test_a_finished_game_takes_no_more() -> None:
    *_, last = walk(a_room("berlin", 2), seed=9)
    assert last.row.status == OVER and last.row.asked is None and last.row.due_at is None
    for act in (
        lambda: last.played(0, "blind", 0.0),
        lambda: last.undone(0, 0.0),
        lambda: last.stood_in(0, "resign", "greedy", 0.0),
    ):
        with pytest.raises(Refused):
            act()


def test_a_bot_stands_in_and_gives_the_seat_back() -> None:
    room = a_room("germany")
    room, _ = room.stood_in(1, "away", "greedy", 5.0)
    assert room.seats[1].bot == "greedy" and room.seats[1].away
    with pytest.raises(Refused):
        room.stood_in(1, "away", "greedy", 6.0)
    room, _ = room.given_back(1, 7.0)
    assert room.seats[1].bot == "" and not room.seats[1].away


def test_who_resigns_does_not_come_back() -> None:
    room, _ = a_room("germany").stood_in(0, "resign", "greedy", 5.0)
    assert seats.automatic(room.seats[0])
    with pytest.raises(Refused):
        room.given_back(0, 6.0)
    with pytest.raises(Refused):
        room.stood_in(0, "resign", "greedy", 6.0)


def test_names_are_one_visible_line() -> None:
    assert seats.clean_name("  Anna\n\u202e Maria\u200b ") == "Anna Maria"
    assert seats.clean_name("\u0000\u200b") == ""
    assert len(seats.clean_name("x" * 500)) == seats.LONGEST_NAME


@pytest.mark.parametrize(
    "name",
    ["Anna 0", "ANNA 0", "Anna  0", "anna0", "Ａnna 0", "Аnna 0", "Ánna 0", "Anna О"],
)
def test_nobody_is_taken_for_somebody_else_at_the_table(name: str) -> None:
    room = a_room("berlin", 3, people=2)
    called = room.named(1, name, 5.0)[0].seats[1].name
    assert called == f"{name} (2)"
    assert room.named(0, name, 5.0)[0].seats[0].name == name, "one's own name is nobody else's"


def test_bots_are_told_apart_from_people_and_names_stay_short() -> None:
    room = a_room("berlin", 3, people=2)
    assert room.named(1, "Greedy 3", 5.0)[0].seats[1].name == "Greedy 3 (2)"
    assert room.named(1, "bot 3", 5.0)[0].seats[1].name == "bot 3 (2)"
    room = room.named(0, "A" * 24, 5.0)[0]
    room = room.named(1, "A" * 24, 5.0)[0]
    assert room.seats[1].name == "A" * 20 + " (2)"
    assert room.named(1, "A" * 20 + " (2)", 5.0)[0].seats[1].name == "A" * 20 + " (2)"


def test_equal_names_of_a_new_room_are_told_apart_and_bots_without_names_are_left_alone() -> None:
    setups = [SeatSetup("person", "Anna"), SeatSetup("person", "anna"), SeatSetup("bot", "greedy", "greedy")]
    setups += [SeatSetup("bot", "greedy", "greedy"), SeatSetup("open", "Anna")]
    game = Game(load_board("europe"), 5, 1)
    room, _ = new_room("abc", game, "europe", setups, Options(), "", 1000.0)
    assert [one.name for one in room.seats] == ["Anna", "anna (2)", "greedy", "greedy", "Anna (3)"]
    assert room.taken(4, "ANNA", "key", 5.0)[0].seats[4].name == "ANNA (3)"
    assert room.taken(4, "Ben", "key", 5.0)[0].seats[4].name == "Ben"


def test_who_types_no_name_is_called_after_the_seat_and_is_doubled_in_no_language() -> None:
    setups = [SeatSetup("person", "hráč 2"), SeatSetup("person", ""), SeatSetup("open", ""), SeatSetup("open", "Cleo")]
    game = Game(load_board("europe"), 4, 1)
    room, _ = new_room("abc", game, "europe", setups, Options(), "", 1000.0)
    assert [one.name for one in room.seats] == ["hráč 2", "Player 2 (2)", "", "Cleo"]
    assert room.taken(2, "", "key", 5.0)[0].seats[2].name == "Player 3"
    assert room.taken(3, "", "key", 5.0)[0].seats[3].name == "Cleo", "the name that the host gave this seat"
    assert room.named(0, "", 5.0)[0].seats[0].name == "Player 1"
    unnamed = room.taken(2, "", "key", 5.0)[0]
    for typed in ("Player 3", "Gracz 3", "Hráč 3", "SPIELER 3"):
        assert unnamed.named(0, typed, 5.0)[0].seats[0].name == f"{typed} (2)"


def test_records_and_programs_read_a_name_for_every_seat() -> None:
    setups = [SeatSetup("person"), SeatSetup("bot", "medium", "medium"), SeatSetup("bot", "", "medium")]
    game = Game(load_board("berlin"), 3, 1)
    room, _ = new_room("abc", game, "berlin", [*setups], Options(), "", 1000.0)
    assert room.record().names == ("Player 1", "medium 2", "medium 3")


def test_the_words_of_names_given_by_default_are_those_of_the_pages() -> None:
    said = [components.name_of(translator_for(one), Player(1, "person", default_name(1))) for one in LANGUAGES]
    assert said == [f"{word} 2" for word in seats.PLAYER] == ["Player 2", "Gracz 2", "Hráč 2", "Spieler 2"]
    for one in LANGUAGES:
        words = translator_for(one)
        assert components.name_of(words, Player(1, "person", "")) == words("Player {number}", number=2)
        assert components.name_of(words, Player(1, "person", "Player 1")) == "Player 1", "typed: it is another seat's"
        assert components.name_of(words, Player(2, "bot", "medium", "medium")) == "Bot 3"
        assert components.name_of(words, Player(2, "bot", "Robo", "medium")) == "Robo"


def test_neither_another_name_nor_new_links_turn_a_clock_back() -> None:
    room = a_room("berlin", options=Options(clock="turn", clock_seconds=60.0))
    seat, now = room.row.asked, room.row.asked_at + 50
    assert seat is not None
    for after, change in (room.named(seat, "Anna", now), room.relinked([seat], True, now)):
        after, _ = after.timed(room, change, now)
        assert clock.left(after.options, after.seats, seat, after.row, now) == 10.0


def test_new_links_are_nothing_that_anybody_sees_happen() -> None:
    room = a_room("berlin", people=2)
    after, change = room.relinked([0], False, 5.0)
    assert [one.seat for one in change.seats] == [0] and after.row.links == 0
    assert all(after.version_for([seat]) == room.version_for([seat]) for seat in range(3))
    hosted, _ = room.relinked([], True, 5.0)
    assert hosted.row.links == 1 and hosted.seats == room.seats
    with pytest.raises(Refused):
        room.relinked([], False, 5.0)


def test_the_clock_of_a_turn_begins_anew_and_that_of_a_game_does_not() -> None:
    for kind, expected in (("turn", 60.0), ("game", 50.0)):
        room = a_room("berlin", 2, options=Options(clock=kind, clock_seconds=60.0))
        asked = room.row.asked
        assert asked is not None
        after, change = room.played(asked, room.game.legal[0], 1010.0)
        room, written = after.timed(room, change, 1010.0)
        assert [one.seat for one in written.seats] == ([] if kind == "turn" else [asked])
        assert room.row.asked != asked
        assert room.seats[asked].time_left == expected
        assert room.row.due_at == 1010.0 + 60.0
