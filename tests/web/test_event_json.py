"""Events as they lie in databases: what is written is read back, also what earlier versions wrote."""

import json
import random

import pytest

import table
from branchline.web.core.store.event_json import read_events, write_events
from table import board, happened, new


@pytest.mark.parametrize("edition", table.EDITIONS)
def test_events_are_read_back_as_they_were(edition):
    luck = random.Random(edition)
    game = new(edition, 3, seed=5)
    while not game.over:
        events = game.play(luck.choice(game.legal))
        assert read_events(game.board, write_events(events)) == events


def test_events_kept_before_they_had_places_and_payments_are_read():
    old = [
        {"kind": "take", "seat": 1, "cards": ["red"]},
        {"kind": "sweep", "seat": 1},
        {"kind": "market", "seat": 1, "cards": ["blue", "red"]},
        {"kind": "reshuffle", "seat": 1, "word": "ship"},
        {"kind": "tunnel", "seat": 0, "cards": ["blue", "wild"], "count": 1},
        {"kind": "keep", "seat": 0, "count": 2, "secret": ["Essen–Kiev"]},
    ]
    events = read_events(board("world"), json.dumps(old))
    assert happened(events) == [
        "takes red",
        "market swept",
        "blue, red turned up",
        "discards shuffled (ship)",
        "turned blue wild: 1 more",
        "keeps Essen–Kiev",
    ]
    assert json.loads(write_events(events)) == old
