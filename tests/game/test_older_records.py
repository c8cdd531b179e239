"""Records of older rules replay: what a question no longer asked was answered is told as it is asked now."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

import branchline as bl
import table
from branchline.game.record import played_on

OLDER = Path(__file__).parent / "older"
"""Two games and 150 payments in pairs, recorded with rules 1 by the version before rules 2."""


@pytest.mark.parametrize("edition", ["europe", "world"])
def test_a_record_of_rules_1_replays_to_the_same_bytes(edition):
    record = bl.Record.load(OLDER / f"{edition}_rules_1.json")
    assert record.rules_version == 1
    game = record.replay()  # compares the bytes with those that were recorded
    assert game.over and game.board.rules_version == 2


@pytest.mark.parametrize("edition", ["europe", "world"])
def test_an_older_record_can_be_had_as_one_of_today(edition):
    record = bl.Record.load(OLDER / f"{edition}_rules_1.json")
    now = record.as_now()
    assert (now.rules_version, now.names, now.fingerprint) == (2, record.names, record.fingerprint)
    assert now.replay().fingerprint == record.fingerprint and now.as_now() == now
    assert (now.actions == record.actions) == (edition == "europe")


@pytest.mark.long
def test_payments_in_pairs_of_rules_1_pay_the_same_cards():
    game = table.start("world")
    told_anew = 0
    for one in json.loads((OLDER / "world_payments_rules_1.json").read_text(encoding="utf-8")):
        table.hand(game, 0, one["hand"])
        after = game.copy()
        assert list(played_on(after, [*one["lines"], "1 blind train"]))
        hand = Counter({name: int(n) for n, name in (part.split(" ", 1) for part in one["hand"].split(" + "))})
        assert hand - Counter(table.held(after, 0)) == Counter(one["paid"]), one
        told_anew += after.actions[len(game.actions) : -1] != one["lines"]
    assert told_anew > 40


def test_an_older_record_that_ends_within_a_payment_keeps_all_before_it():
    record = bl.Record.load(OLDER / "world_rules_1.json")
    now = record.as_now().actions
    first = next(n for n, (then, today) in enumerate(zip(record.actions, now, strict=False)) if then != today)
    for length in range(first - 2, first + 4):
        cut = replace(record, actions=record.actions[:length], fingerprint="")
        game = cut.replay()
        assert len(game.actions) >= min(length, first) - 3


def test_a_later_rules_version_and_another_board_are_refused_in_plain_words():
    record = bl.Record.load(OLDER / "europe_rules_1.json")
    with pytest.raises(bl.RecordError, match="recorded with rules 3 of europe; these are rules 2"):
        replace(record, rules_version=3).replay()
    with pytest.raises(bl.RecordError, match='recorded on the board "europe", not on "world"'):
        record.replay(table.board("world"))
    with pytest.raises(bl.RecordError, match="recorded with rules 1 of europe, replayed with rules 2"):
        replace(record, actions=("0 dance",)).replay()
