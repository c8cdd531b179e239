"""Records: what is saved comes back bit for bit; what cannot be read or replayed is said in one line."""

import json
import random
from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import branchline as bl
import table
from branchline.game import record as records
from table import board
from walks import random_game

QUICK = settings(max_examples=150)


def played(edition, seats=3, seed=5, steps=None, **how):
    """A game played at random, to the end or for so many actions."""
    game = bl.Game(board(edition), seats, seed, **how)
    luck = random.Random(seed)
    while not game.over and (steps is None or len(game.actions) < steps):
        game.play(luck.choice(game.legal))
    return game


# ------------------------------------------------------------------------------------------------ there and back


@pytest.mark.parametrize(
    ("edition", "seats"), [("germany", 2), ("germany", 5), ("europe", 4), ("berlin", 3), ("world", 5)]
)
def test_a_record_replays_to_the_same_bytes(edition, seats, tmp_path):
    game = played(edition, seats)
    path = tmp_path / "evening.json"
    game.record(names=["Anna", "Bert"]).save(path)
    loaded = bl.Record.load(path)
    assert loaded == game.record(names=["Anna", "Bert"])
    assert loaded.names == ("Anna", "Bert")
    again = loaded.replay()
    assert again.state.tobytes() == game.state.tobytes()
    assert again.scores == game.scores and again.actions == game.actions


def test_a_record_of_a_running_game_and_its_steps():
    game = played("europe", steps=40)
    states = [step.fingerprint for step in game.record().steps()]
    assert len(states) == 41 and states[-1] == game.fingerprint
    again = [one.fingerprint for one in random_game(board("europe"), 3, 5, random.Random(5))][:41]
    assert states == again


def test_a_record_keeps_stacked_decks_and_the_first_seat(tmp_path):
    decks = {"cards": ["wild", "red", "red", "blue"], "tickets": ["Brest–Petrograd", "Paris–Wien"]}
    game = played("europe", steps=30, first_seat=2, decks=decks)
    game.record().save(tmp_path / "stacked.json")
    again = bl.Record.load(tmp_path / "stacked.json").replay()
    assert again.fingerprint == game.fingerprint and again.stacked == game.stacked
    assert again.asked_first_seat == 2


def test_a_whole_payment_is_recorded_as_its_steps():
    game = table.new("europe", cards=["black", "black", "wild", "wild"])
    game.play("keep all")
    game.play("keep all")
    game.play("claim Roma–Venezia with 1 black + 1 wild")
    assert game.actions[2:] == ["0 claim Roma–Venezia", "0 pay black", "0 wilds 1"]
    assert game.record().replay().fingerprint == game.fingerprint


def test_a_record_is_replaced_only_when_the_new_one_is_whole(tmp_path):
    path = tmp_path / "evening.json"
    played("berlin", steps=10).record().save(path)
    before = path.read_text(encoding="utf-8")
    played("berlin", steps=20).record().save(path)
    assert path.read_text(encoding="utf-8") != before
    assert [one.name for one in tmp_path.iterdir()] == ["evening.json"]


def test_a_board_of_ones_own_replays_when_it_is_given():
    on = table.altered("berlin", digest="my own")
    game = bl.Game(on, 2, 3)
    game.play(game.legal[0])
    assert game.record().replay(on).fingerprint == game.fingerprint
    with pytest.raises(bl.RecordError, match="another berlin"):
        game.record().replay()


# ------------------------------------------------------------------------------------------------- what is wrong


def broken(**changes):
    data = json.loads(played("berlin", steps=12).record().to_json())
    return json.dumps({**data, **changes})


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"branchline_record": 2}, "record format"),
        ({"branchline_record": None}, "record format"),
        ({"board": 7}, '"board"'),
        ({"board": None}, '"board" is missing'),
        ({"board_digest": 7}, '"board_digest"'),
        ({"rules_version": "1"}, '"rules_version"'),
        ({"rules_version": True}, '"rules_version"'),
        ({"seats": 2.0}, '"seats"'),
        ({"seed": -1}, "out of range"),
        ({"seed": 2**62}, "out of range"),
        ({"seed": "7"}, '"seed"'),
        ({"first_seat": "0"}, '"first_seat"'),
        ({"actions": None}, '"actions"'),
        ({"actions": "0 blind"}, '"actions"'),
        ({"actions": [7]}, '"actions"'),
        ({"actions": ["x" * 1001]}, '"actions"'),
        ({"decks": []}, '"decks"'),
        ({"decks": {"cards": "red"}}, '"decks.cards"'),
        ({"names": [7]}, '"names"'),
        ({"fingerprint": 7}, '"fingerprint"'),
    ],
)
def test_a_record_with_a_wrong_field_is_refused(changes, said):
    with pytest.raises(bl.RecordError) as refusal:
        bl.Record.from_json(broken(**changes))
    assert said in str(refusal.value) and "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"rules_version": 2}, "recorded with rules 2 of berlin; these are rules 1"),
        ({"board_digest": "0" * 16}, "recorded on another berlin"),
        ({"board": "atlantis"}, "the board of the record"),
        ({"board": "/nowhere/at/all"}, "the board of the record"),
        ({"board": "\x00"}, "the board of the record"),
        ({"board": "\ud800"}, "the board of the record"),
        ({"board": ""}, "the board of the record"),
        ({"board": "x" * 5000}, "the board of the record"),
        ({"seats": 9}, "cannot be set up"),
        ({"seats": -1}, "cannot be set up"),
        ({"seats": 10**40}, "cannot be set up"),
        ({"first_seat": 5}, "cannot be set up"),
        ({"decks": {"coins": []}}, "cannot be set up"),
        ({"decks": {"cards": ["red"] * 99}}, "cannot be set up"),
        ({"actions": ["0 dance"]}, "action 1"),
        ({"actions": ["blind"]}, "action 1"),
        ({"actions": [""]}, "action 1"),
        ({"actions": ["\ud800"]}, "action 1"),
        ({"actions": ["1 keep all", "1 keep all"]}, "it is the question of seat"),
        ({"fingerprint": "0" * 16}, "to a different state from the one recorded"),
    ],
)
def test_a_record_that_does_not_play_as_recorded_is_refused(changes, said):
    data = json.loads(broken())
    record = bl.Record.from_json(json.dumps({**data, **changes}))
    with pytest.raises(bl.RecordError) as refusal:
        record.replay()
    assert said in str(refusal.value) and "\n" not in str(refusal.value)


def test_a_record_that_goes_on_after_the_end_is_refused():
    record = played("berlin").record()
    longer = replace(record, actions=(*record.actions, "0 blind"), fingerprint="")
    with pytest.raises(bl.RecordError, match="the game is over already"):
        longer.replay()


def test_one_action_changed_is_noticed_unless_it_comes_to_the_same():
    game = played("berlin")
    record = game.record()
    noticed = same = 0
    for n in range(0, len(record.actions), 7):
        seat = record.actions[n].split()[0]
        changed = replace(record, actions=(*record.actions[:n], f"{seat} blind", *record.actions[n + 1 :]))
        if changed != record:
            try:
                same += changed.replay().fingerprint == game.fingerprint
            except bl.RecordError:
                noticed += 1
    assert noticed >= 10 * same and noticed > 10


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "7",
        '"record"',
        "{}",
        '{"branchline_record": 1}',
        "[" * 100_000,
        '{"a":' * 100_000,
        "1" * 10_000,
        "NaN",
        "\ud800",
        "﻿{}",
        '{"branchline_record": 1, "branchline_record": Infinity}',
    ],
)
def test_what_is_no_record_is_refused(text):
    with pytest.raises(bl.RecordError) as refusal:
        bl.Record.from_json(text)
    assert "\n" not in str(refusal.value)


def test_files_that_cannot_be_read(tmp_path):
    good = tmp_path / "good.json"
    played("berlin", steps=30).record().save(good)
    whole = good.read_bytes()
    cases = {
        "missing.json": None,
        "empty.json": b"",
        "half.json": whole[: len(whole) // 2],
        "cut.json": whole[:-3],
        "binary.json": bytes(range(256)) * 40,
        "utf16.json": whole.decode().encode("utf-16")[:-1],
        "huge.json": b" " * (records.MAX_BYTES + 1),
    }
    for name, content in cases.items():
        path = tmp_path / name
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(bl.RecordError) as refusal:
            bl.Record.load(path)
        assert str(path) in str(refusal.value) and "\n" not in str(refusal.value)
    for path in (tmp_path, tmp_path / "nowhere" / "x.json"):
        with pytest.raises(bl.RecordError):
            bl.Record.load(path)
    with pytest.raises(bl.RecordError, match="cannot be written"):
        bl.Record.load(good).save(tmp_path / "nowhere" / "x.json")


def test_a_record_with_too_many_actions_is_refused():
    with pytest.raises(bl.RecordError, match="more than"):
        bl.Record.from_json(broken(actions=["0 pass"] * (records.MAX_ACTIONS + 1)))


# ---------------------------------------------------------------------------------------------------------- fuzz

WORDS = st.sampled_from(
    [
        "",
        "berlin",
        "europe",
        "0 blind",
        "1 keep all",
        "red",
        "wild",
        "cards",
        "tickets",
        "seed",
        "\x00",
        "\ud800",
        "∞",
        "ß" * 50,
    ]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12) | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS | st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
FIELDS = [field.name for field in fields(bl.Record)] + ["branchline_record"]


@QUICK
@given(st.text(max_size=200) | st.binary(max_size=100).map(lambda raw: raw.decode("latin-1")))
def test_fuzz_any_text_is_a_record_or_a_record_error(text):
    _read_and_replay(text)


@pytest.mark.long
@QUICK
@given(st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=4))
def test_fuzz_any_change_of_a_record_is_a_record_or_a_record_error(changes):
    data = json.loads(GOOD)
    _read_and_replay(json.dumps({**data, **changes}))


@QUICK
@given(st.integers(0, 10**6), st.integers(0, 10**6), st.text(max_size=3))
def test_fuzz_a_record_cut_and_patched_anywhere(start, end, patch):
    a, b = sorted((start % len(GOOD), end % len(GOOD)))
    if b - a < 40:
        _read_and_replay(GOOD[:a] + patch + GOOD[b:])


def _read_and_replay(text):
    try:
        bl.Record.from_json(text).replay()
    except bl.RecordError as error:
        assert "\n" not in str(error) and len(str(error)) < 2000


GOOD = json.dumps(json.loads(played("berlin", 2, steps=8).record().to_json()))

ACTION_WORDS = [
    "claim",
    "station",
    "keep",
    "market",
    "pay",
    "with",
    "2",
    "+",
    "Paris–Wien",
    "Paris",
    "Dieppe",
    "–",
    "line",
]


@pytest.mark.long
@QUICK
@given(
    st.text(max_size=40)
    | st.builds(
        " ".join,
        st.lists(
            WORDS | st.sampled_from(ACTION_WORDS),
            max_size=6,
        ),
    )
)
def test_fuzz_any_text_is_an_action_or_an_illegal_action(text):
    game = table.start("europe", 3)
    before = game.fingerprint
    try:
        game.play(text)
    except bl.IllegalAction as error:
        assert "\n" not in error.why and game.fingerprint == before
