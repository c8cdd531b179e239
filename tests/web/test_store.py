"""The store, on SQLite and on PostgreSQL: what was written is there, once, and comes back as it was."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from branchline.game import Game
from branchline.web.core.rooms.restoring import restored
from branchline.web.core.rooms.room import Room
from branchline.web.core.rooms.steps import Unreadable
from branchline.web.core.store import schema, tables
from branchline.web.core.store.database import Conflict, Store, StoreError
from branchline.web.core.store.rows import Change, Stored
from table import COSTLY_EDITIONS
from web.games import HOST, a_room, walk


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    url = f"sqlite:///{tmp_path / 'rooms.sqlite'}" if request.param == "sqlite" else request.getfixturevalue("postgres")
    opened = Store(url)
    yield opened
    opened.close()


def kept(store: Store, room: Room) -> Room:
    store.create(room.row, room.seats, room.states, [(HOST, 0)], room.log)
    return room


def loaded(store: Store, room: Room) -> Stored:
    stored = store.load(room.id)
    assert stored is not None
    return stored


def same(one: Room, other: Room) -> bool:
    return (
        (one.row, one.seats, one.log, one.steps, one.states, one.options)
        == (other.row, other.seats, other.log, other.steps, other.states, other.options)
        and one.game.state.tobytes() == other.game.state.tobytes()
        and one.game.actions == other.game.actions
    )


@pytest.mark.parametrize("edition", COSTLY_EDITIONS)
def test_a_room_comes_back_as_it_was_after_every_step(store: Store, edition: str) -> None:
    room = kept(store, a_room(edition, seed=21))
    while not room.game.over and room.row.version < 40:
        seat = room.row.asked
        assert seat is not None
        legal = list(room.game.legal)
        after, change = room.played(seat, legal[room.row.version * 7 % len(legal)], 1000.0 + room.row.version)
        store.write(change, room.row.version)
        if after.may_undo(seat) and room.row.version % 3 == 0:
            room = after
            after, change = room.undone(seat, 2000.0 + room.row.version)
            store.write(change, room.row.version)
        room = after
        assert same(restored(loaded(store, room)), room)


def test_what_is_new_is_added_to_what_is_known(store: Store) -> None:
    known = room = kept(store, a_room("europe", seed=22))
    for n in range(30):
        assert room.row.asked is not None
        after, change = room.played(room.row.asked, room.game.legal[0], 1000.0 + n)
        store.write(change, room.row.version)
        room = after
        if n % 4 == 0:
            stored = store.load(known.id, known.row.version)
            assert stored is not None
            known = restored(stored, known)
            assert same(known, room)


def test_an_analysis_is_kept_with_its_room(store: Store) -> None:
    room, other = kept(store, a_room("berlin", seed=31)), kept(store, a_room("berlin", seed=32))
    assert store.analysis(room.id) is None
    store.keep_analysis(room.id, "the first")
    store.keep_analysis(room.id, "ein Weg über Köln → Łódź")
    assert store.analysis(room.id) == "ein Weg über Köln → Łódź"
    assert store.analysis(other.id) is None


def test_of_two_writers_one_is_told_that_the_other_was_quicker(store: Store) -> None:
    room = kept(store, a_room("europe", seed=23))
    assert room.row.asked is not None
    changes = [room.played(room.row.asked, action, 5.0)[1] for action in list(room.game.legal)[:8]]
    done: list[bool] = []
    barrier = threading.Barrier(len(changes))

    def write(change: Change) -> None:
        barrier.wait()
        try:
            store.write(change, 0)
            done.append(True)
        except Conflict:
            done.append(False)

    threads = [threading.Thread(target=write, args=(change,)) for change in changes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(done) == [False] * (len(changes) - 1) + [True]
    assert len(loaded(store, room).log) == 1


def test_a_change_is_written_whole_or_not_at_all(store: Store) -> None:
    room = kept(store, a_room("europe", seed=24))
    assert room.row.asked is not None
    _, change = room.played(room.row.asked, room.game.legal[0], 5.0)
    with pytest.raises(Conflict):
        store.write(change, 3)
    stored = loaded(store, room)
    assert stored.log == () and stored.room == room.row and stored.snapshots == room.states


def test_the_tables_are_what_the_migrations_make(store: Store) -> None:
    with store.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, tables.metadata) == []


def test_the_version_of_the_tables_is_what_alembic_says(store: Store) -> None:
    last = ScriptDirectory.from_config(schema._config()).get_current_head()
    with store.engine.begin() as connection:
        noted = MigrationContext.configure(connection).get_current_revision()
        assert schema.revision_of(connection) == schema.latest_revision() == noted == last
        schema.move(connection, schema.NOTHING)
        assert schema.revision_of(connection) == schema.NOTHING


def test_a_room_of_the_tables_before_keeps_its_links(tmp_path: Path) -> None:
    """The links that people have were made with no count at all, which is what 0 stands for."""
    url = f"sqlite:///{tmp_path / 'rooms.sqlite'}"
    store = Store(url)
    room = kept(store, a_room("berlin"))
    with store.engine.begin() as connection:
        command.downgrade(schema._config(connection), "0003")
    with pytest.raises(sa.exc.OperationalError, match="links"):
        store.load(room.id)
    store.close()
    store = Store(url)
    assert same(restored(loaded(store, room)), room)
    assert loaded(store, room).room.links == 0 and {one.links for one in loaded(store, room).seats} == {0}
    store.close()


def test_a_second_process_finds_the_same_tables_and_secret(store: Store) -> None:
    other = Store(store.engine.url.render_as_string(hide_password=False))
    assert other.secret() == store.secret()
    other.close()


def test_a_running_game_goes_on_when_the_rules_have_changed(store: Store) -> None:
    """The state is kept, not only what led to it: other rules are obeyed from now on, nothing is replayed."""
    *_, room = walk(kept(store, a_room("germany", seed=25)), seed=1, most=40)
    store.write(Change(replace(room.row, rules_version=-1), room.log, room.seats, room.states[-1]), 0)
    with store.engine.begin() as connection:  # what was done could not be done any more
        connection.execute(tables.actions.update().values(text="do what other rules allow"))
    back = restored(loaded(store, room))
    assert back.game.state.tobytes() == room.game.state.tobytes()
    assert back.row.asked is not None
    back.played(back.row.asked, back.game.legal[0], 1.0)


def test_a_game_is_replayed_when_its_states_are_of_another_version(store: Store) -> None:
    *_, room = walk(kept(store, a_room("germany", seed=26)), seed=2, most=40)
    store.write(Change(room.row, room.log, room.seats, replace(room.states[-1], state=b"old"), forget_from=0), 0)
    assert restored(loaded(store, room)).game.state.tobytes() == room.game.state.tobytes()


def test_a_game_that_can_be_neither_resumed_nor_replayed_is_said_so(store: Store) -> None:
    *_, room = walk(kept(store, a_room("germany", seed=27)), seed=3, most=20)
    store.write(Change(room.row, room.log, room.seats, replace(room.states[-1], state=b"old"), forget_from=0), 0)
    with store.engine.begin() as connection:
        connection.execute(tables.actions.update().values(text="claim Atlantis–Avalon"))
    with pytest.raises(Unreadable):
        restored(loaded(store, room))


def test_my_games_open_games_and_what_is_due(store: Store) -> None:
    room = a_room("berlin", 2, seed=28)
    room = kept(store, replace(room, row=replace(room.row, open=True, due_at=50.0)))
    assert [(found.id, mine) for found, _, mine in store.rooms_of(HOST)] and store.rights(room.id, HOST) == (0,)
    assert room.id in [found.id for found, _ in store.open_rooms(1000)]
    assert room.id in store.due(60.0) and room.id not in store.due(40.0)
    store.allow(room.id, "somebody", (-1,))
    store.allow(room.id, "somebody", (-1,))
    assert store.rights(room.id, "somebody") == (-1,)
    assert store.rights(room.id, "nobody") == ()


def test_a_rematch_exists_once(store: Store) -> None:
    room = kept(store, a_room("berlin", 2, seed=29))
    again = a_room("berlin", 2, seed=30)
    kept(store, replace(again, row=replace(again.row, rematch_of=room.id)))
    third = a_room("berlin", 2, seed=31)
    with pytest.raises(Conflict):
        kept(store, replace(third, row=replace(third.row, rematch_of=room.id)))
    assert store.rematch_of(room.id) == again.id == loaded(store, room).rematch


def test_a_database_that_cannot_be_opened_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("this is no database, it is a file with some text in it\n" * 100)
    for url in (f"sqlite:///{tmp_path / 'file'}", "postgresql://nobody@127.0.0.1:1/none", "nonsense", "oracle://x"):
        with pytest.raises(StoreError) as error:
            Store(url)
        assert "\n" not in str(error.value)


@pytest.mark.parametrize("url", ["games.sqlite", "/srv/games.sqlite", "", "nobody:secret@host"])
def test_what_is_no_address_of_a_database_is_told_how_one_looks(url: str) -> None:
    with pytest.raises(StoreError, match=r"expected an address such as sqlite:///games\.sqlite") as error:
        Store(url)
    assert "secret" not in str(error.value)


def test_sqlite_is_set_up_to_survive(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'rooms.sqlite'}")
    with store.engine.connect() as connection:
        assert connection.execute(sa.text("PRAGMA journal_mode")).scalar() == "wal"
        assert connection.execute(sa.text("PRAGMA foreign_keys")).scalar() == 1
        assert connection.execute(sa.text("PRAGMA synchronous")).scalar() == 2, "FULL: a power cut loses nothing"
    store.close()


def test_a_game_resumes_from_its_bytes() -> None:
    *_, room = walk(a_room("world", seed=32), seed=4, most=50)
    again = Game.resume(room.board, room.game.state.tobytes(), seed=room.row.seed, actions=room.game.actions)
    assert again.record() == room.game.record()


def test_steps_written_together_are_each_whole_or_not_at_all(store: Store) -> None:
    made = [a_room("berlin", seed=n) for n in range(4)]
    rooms = [kept(store, replace(room, row=replace(room.row, id=f"r{n}"))) for n, room in enumerate(made)]
    steps = [room.played(room.row.asked or 0, int(room.game.legal[0]), 1.0) for room in rooms]
    broken = replace(steps[2][1], keys=(("k", 0), ("k", 0)))  # a key twice: it cannot be written
    expected = [0, 7, 0, 0]  # the second room was written by somebody else
    changes = [steps[0][1], steps[1][1], broken, steps[3][1]]
    errors = store.write_all(list(zip(changes, expected, strict=True)))
    assert [type(error) for error in errors] == [type(None), Conflict, Conflict, type(None)]
    assert [loaded(store, room).room.version for room in rooms] == [1, 0, 0, 1]
    assert [len(loaded(store, room).log) for room in rooms] == [1, 0, 0, 1]
    assert store.write_all([(steps[1][1], 0), (steps[2][1], 0)]) == [None, None]
    assert all(same(restored(loaded(store, room)), after) for room, (after, _) in zip(rooms, steps, strict=True))
