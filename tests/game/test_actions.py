"""Actions: one text each, both ways; what is legal and what is not; payments step by step and in one go."""

import random
from collections import Counter

import pytest

import branchline as bl
import oracles
import table
from branchline.boards.tables import KINDS
from branchline.game.actions import route_text
from branchline.game.cards import card_name
from branchline.rules.state import ACTIONS, OVER
from table import board, hand, held, start
from walks import at_state, random_game, random_walk

# ----------------------------------------------------------------------------------------------- texts both ways


@pytest.mark.parametrize(("edition", "seats"), [("germany", 2), ("europe", 3), ("berlin", 4), ("world", 5)])
def test_every_legal_action_met_reads_back_as_itself(edition, seats):
    on = board(edition)
    luck = random.Random(edition)
    questions = set()
    for seed in range(3):
        path, _ = random_walk(on, seats, seed)
        for n in luck.sample(range(len(path)), 60):
            game = at_state(on, path[n : n + 1])
            questions.add(game.question.kind)
            assert len(set(game.legal.texts)) == len(game.legal)
            for action in game.legal:
                for text in (action.text, action.text.upper(), f"  {action.text.replace(' ', '  ')} "):
                    assert game._find(text) == action == int(action)
                assert action in game.legal and action.text in game.legal and int(action) in game.legal
    assert {"turn", "second_card", "keep_tickets"} <= questions


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("claim paris-dieppe", "claim Dieppe–Paris"),
        ("CLAIM Dieppe > Paris", "claim Dieppe–Paris"),
        ("claim madrid–pamplona WHITE", "claim Madrid–Pamplona white"),
        ("claim Pamplona - Madrid black", "claim Madrid–Pamplona black"),
        ("claim London–Dieppe line 2", "claim Dieppe–London line 2"),
        ("claim Dieppe–London", "claim Dieppe–London line 1"),
        ("station vienna", "station Wien"),
        ("market red", "market 1"),
        ("take 2", "market 2"),
    ],
)
def test_texts_may_be_written_in_other_ways(text, meant):
    game = start("europe", 4)
    table.market(game, ["red", "blue", "green", "red", "white"])
    hand(game, 0, "9 wild")
    assert game._find(text).text == meant


def test_a_double_route_wants_its_line_named_while_both_colours_are_open():
    game = start("europe", 4)
    hand(game, 0, "9 wild")
    with pytest.raises(bl.IllegalAction, match="name one of them"):
        game.play("claim Madrid–Pamplona")
    table.own(game, 1, "Madrid–Pamplona white")
    assert game._find("claim Madrid–Pamplona").text == "claim Madrid–Pamplona black"


# ----------------------------------------------------------------------------------------------- what is refused

NONSENSE = [
    "",
    " ",
    "dance",
    "claim",
    "claim Paris",
    "claim Paris–Nowhere",
    "claim Paris–Moskva",
    "station Nowhere",
    "blind 3",
    "market",
    "market 9",
    "market 0",
    "market ²",
    "mix 9 short",
]
NONSENSE += [
    "keep",
    "keep Paris–Wien",
    "fleet 20",
    "swap",
    "swap 3 carriages",
    "pay red",
    "pay extra",
    "withdraw",
    "pass",
    "passenger red",
    "wilds 1",
    "wilds -1",
    "wilds ٣",
    "doubles 1",
    "marked 99999999999999999999",
]
NONSENSE += [
    "pair red",
    "pair wild+wild",
    "claim Dieppe–Paris with",
    "claim Dieppe–Paris with 1 pink",
    "claim Dieppe–Paris with 99 purple",
    "blind with 1 red",
    "tickets now",
    "x" * 2000,
    "claim \ud800–Paris",
    "\x00",
    "refill train",
]


@pytest.mark.parametrize("edition", table.EDITIONS)
def test_what_is_not_legal_is_refused_in_one_line_and_changes_nothing(edition):
    game = start(edition, fleet=25)  # no trains are in the box, no ships for less than one
    before, actions = game.fingerprint, list(game.actions)
    refused = [text for text in NONSENSE if text not in game.legal]
    assert len(refused) > len(NONSENSE) - 5
    for text in refused:
        with pytest.raises(bl.IllegalAction) as refusal:
            game.play(text)
        assert "\n" not in refusal.value.why and refusal.value.why, text
        assert game.fingerprint == before and game.actions == actions and not game.over, text


@pytest.mark.parametrize("action", [-1, ACTIONS, 10**30, True, False, None, 1.5, b"blind", ["blind"], object()])
def test_what_is_no_action_is_refused(action):
    game = start("europe")
    before = game.fingerprint
    with pytest.raises(bl.IllegalAction):
        game.play(action)
    assert game.fingerprint == before


@pytest.mark.parametrize("edition", table.EDITIONS)
def test_every_number_that_is_not_legal_is_refused_with_a_reason(edition):
    on = board(edition)
    path, _ = random_walk(on, 3, 2)
    luck = random.Random(edition)
    for n in luck.sample(range(len(path)), 12):
        game = at_state(on, path[n : n + 1])
        before = game.fingerprint
        legal = {int(action) for action in game.legal}
        for number in luck.sample(range(ACTIONS), 60):
            if number not in legal:
                with pytest.raises(bl.IllegalAction) as refusal:
                    game.play(number)
                assert "\n" not in refusal.value.why
                assert refusal.value.legal == game.legal.texts
        assert game.fingerprint == before


def test_a_refusal_names_what_would_be_legal():
    game = table.new("europe")
    with pytest.raises(bl.IllegalAction) as refusal:
        game.play("blind")
    assert refusal.value.legal == game.legal.texts
    assert "legal now: keep" in str(refusal.value)


# ------------------------------------------------------------------------------- what is legal, and its payments


@pytest.mark.parametrize(
    ("edition", "seats"),
    [
        pytest.param("germany", 3, marks=pytest.mark.long),
        pytest.param("europe", 4, marks=pytest.mark.long),
        ("berlin", 2),
        pytest.param("world", 4, marks=pytest.mark.long),
    ],
)
def test_claims_listed_are_those_that_the_oracle_can_pay(edition, seats):
    """In random games: free, not barred, pieces suffice, and a payment exists by brute force; and the same payments."""
    on = board(edition)
    luck = random.Random(f"claims {edition}")
    looked = 0
    for seed in range(20, 26):
        path, _ = random_walk(on, seats, seed)
        turns = [n for n in range(len(path)) if path[n].question == 1]
        for n in luck.sample(turns, 5):
            game = at_state(on, path[n : n + 1])
            seat = game.question.seat
            view = game.view(seat)
            cards = Counter(view.hand)
            if len(cards) > 14 or sum(cards.values()) > 24:
                continue
            pieces = list(view.seats[seat].pieces.values())
            taken = {one.index: other.seat for other in view.seats for one in other.routes}
            for one in on.routes:
                lines = [other.index for other in on.routes if other.parallel == one.parallel]
                owners = [taken[line] for line in lines if line in taken]
                open_ = one.index not in taken and seat not in owners
                open_ &= not (owners and seats <= on.one_line_up_to)
                open_ &= pieces[1 if one.kind in ("sea", "subway") else 0] >= one.length
                text = f"claim {route_text(one)}"
                expected = oracles.route_payments(one, cards) if open_ else set()
                assert (text in game.legal) == bool(expected), (text, cards)
                if expected and looked % 3 == 0:
                    found = game.payments(text)
                    assert {frozenset((card_name(k), c) for k, c in way.cards) for way in found} == expected
                looked += 1
    assert looked > 300


@pytest.mark.parametrize("edition", table.COSTLY_EDITIONS)
def test_a_whole_payment_does_what_its_steps_do(edition):
    on = board(edition)
    luck = random.Random(f"whole {edition}")
    compared = 0
    for seed in range(30, 36):
        path, _ = random_walk(on, 3, seed)
        for n in luck.sample(range(len(path)), 25):
            game = at_state(on, path[n : n + 1])
            paid = [a for a in game.legal if a.text.startswith(("claim", "station", "port", "pay extra"))]
            if not paid:
                continue
            action = luck.choice(paid)
            for way in luck.sample(game.payments(action), min(3, len(game.payments(action)))):
                whole, stepped, half = game.copy(), game.copy(), game.copy()
                whole.play(f"{action.text} with {way.text}")
                stepped.play(action)
                for answer in way.answers:
                    stepped.play(answer)
                assert whole.fingerprint == stepped.fingerprint
                assert whole.actions[-1 - len(way.answers) :] == stepped.actions[-1 - len(way.answers) :]
                half.play(action)
                if way.answers:
                    half.play(f"pay {way.text}")
                assert half.fingerprint == whole.fingerprint
                compared += 1
    assert compared > 20


def test_payments_of_what_costs_nothing_or_is_not_legal():
    game = start("europe")
    with pytest.raises(bl.IllegalAction, match="costs no cards"):
        game.payments("blind")
    with pytest.raises(bl.IllegalAction, match="nothing is being paid"):
        game.payments()
    with pytest.raises(bl.IllegalAction, match="costs no cards"):
        game.play("blind with 1 red")
    hand(game, 0, "1 red")
    with pytest.raises(bl.IllegalAction):
        game.payments("claim Dieppe–Paris")


def test_payments_come_with_the_fewest_wilds_first():
    game = start("europe")
    hand(game, 0, "3 black + 3 wild")
    assert [str(way) for way in game.payments("claim Roma–Venezia")] == ["2 black", "1 black + 1 wild", "2 wild"]


def test_the_questions_of_a_payment_offer_what_leads_to_a_payment():
    """Every answer at every step can be finished, and every finish is a payment that is listed."""
    luck = random.Random(4)
    for edition in table.EDITIONS:
        game = start(edition, 4)
        hand(
            game,
            0,
            "3 red + 2 green + 2 wild"
            + (" + 2 red port + 2 red ship + 3 red double ship" if edition == "world" else ""),
        )
        for action in luck.sample([a for a in game.legal if a.text.startswith("claim")], 10):
            listed = {way.answers for way in game.payments(action)}
            walked = set()
            stack = [(game.copy(), ())]
            stack[0][0].play(action)
            while stack:
                twin, answers = stack.pop()
                if twin.question.seat == 0 and twin._paying:
                    assert len(twin.legal) > 1  # no dead end, and nothing asked without a choice
                    for answer in twin.legal:
                        further = twin.copy()
                        further.play(answer)
                        stack.append((further, (*answers, int(answer))))
                else:
                    walked.add(answers)
            assert listed <= walked
            assert len(walked) >= len(listed)


# ------------------------------------------------------------------------------------------------------ the game


@pytest.mark.parametrize("edition", table.EDITIONS)
def test_a_copy_has_the_same_bytes_and_goes_its_own_way(edition):
    game = start(edition, 3)
    twin = game.copy()
    assert twin.fingerprint == game.fingerprint and twin.state.tobytes() == game.state.tobytes()
    before = game.fingerprint
    table.rest(twin)
    assert game.fingerprint == before != twin.fingerprint
    table.rest(game)
    assert game.fingerprint == twin.fingerprint and game.actions == twin.actions


def test_state_is_a_copy():
    game = start("europe")
    box = game.state
    box["turns"] = 99
    assert game.view(0).turns == 0


@pytest.mark.parametrize("edition", table.EDITIONS)
def test_the_same_seed_and_actions_give_the_same_game(edition):
    first = [game.fingerprint for game in random_game(board(edition), 3, 11, random.Random(1))]
    again = [game.fingerprint for game in random_game(board(edition), 3, 11, random.Random(1))]
    other = bl.Game(board(edition), 3, 12)
    assert first == again and first[0] != other.fingerprint


@pytest.mark.parametrize(
    ("seats", "seed", "first"),
    [
        (1, 0, None),
        (6, 0, None),
        ("2", 0, None),
        (True, 0, None),
        (2, -1, None),
        (2, 2**62, None),
        (2, 1.5, None),
        (2, True, None),
        (2, 0, 2),
        (2, 0, -1),
        (2, 0, True),
        (None, 0, None),
    ],
)
def test_a_game_that_cannot_be_set_up(seats, seed, first):
    with pytest.raises(bl.SetupError):
        bl.Game(board("europe"), seats, seed, first_seat=first)


@pytest.mark.parametrize(
    "decks",
    [
        {"card": []},
        {"cards": "red"},
        {"cards": ["beige"]},
        {"cards": [7]},
        {"cards": ["red"] * 13},
        {"cards": ["red ship"]},
        {"tickets": ["Paris–Nowhere"]},
        {"tickets": ["Paris–Wien", "Wien–Paris"]},
        {"tickets": [["Paris", "Wien"]]},
        ["red"],
    ],
)
def test_decks_that_cannot_be_stacked(decks):
    with pytest.raises(bl.SetupError) as refusal:
        bl.Game(board("europe"), 2, 0, decks=decks)
    assert "\n" not in str(refusal.value)


def test_RULING_stacked_cards_are_dealt_in_whole_hands_from_seat_0_then_the_market():
    game = bl.Game(
        board("europe"),
        3,
        5,
        first_seat=2,
        decks={"cards": ["red"] * 4 + ["blue"] * 4 + ["green"] * 4 + ["white"] * 5 + ["wild"]},
    )
    assert [held(game, seat) for seat in range(3)] == [{"red": 4}, {"blue": 4}, {"green": 4}]
    assert game.view(0).market == ("white",) * 5
    for seat in (2, 0, 1):
        assert game.question.seat == seat
        game.play("keep all")
    table.hand(game, 2, "")
    game.play("blind")
    assert held(game, 2) == {"wild": 1}


def test_RULING_stacked_tickets_are_dealt_in_whole_offers_from_seat_0():
    names = ["Paris–Wien", "Brest–Venezia", "Athína–Wilno", "Kyïv–Sochi", "Riga–Bucuresti", "Roma–Smyrna"]
    game = bl.Game(board("europe"), 2, 5, decks={"tickets": ["Brest–Petrograd", "Lisboa–Danzig", *names]})
    assert [ticket.name for ticket in game.view(0).offer] == ["Brest–Petrograd", *names[:3]]
    assert [ticket.name for ticket in game.view(1).offer] == ["Lisboa–Danzig", *names[3:]]


def test_stacked_decks_keep_every_card():
    game = bl.Game(board("world"), 4, 5, decks={"cards": ["wild"] * 14 + ["red double ship"] * 6})
    table.check_conserved(game.board, game.state)
    assert Counter(held(game, 0)) == {
        "wild": 3,
        "red double ship": 6,
        **{k: v for k, v in held(game, 0).items() if k not in ("wild", "red double ship")},
    }


@pytest.mark.parametrize(("edition", "seats"), table.SEATINGS)
def test_a_game_at_its_first_question(edition, seats):
    game = bl.Game(board(edition), seats, 3)
    table.check_conserved(game.board, game.state)
    rules = game.board.cards
    view = game.view(None)
    assert [seat.cards for seat in view.seats] == [sum(rules.hand)] * seats
    assert len(view.market) == sum(rules.market) and None not in view.market
    assert sum(name == "wild" for name in view.market) < rules.sweep_at
    lying = sum(view.deck_sizes) + sum(view.discards.values())
    assert lying == rules.total - seats * sum(rules.hand) - sum(rules.market)
    assert game.question.kind == ("mix" if edition == "germany" else "keep_tickets")


@pytest.mark.parametrize("edition", table.EDITIONS)
def test_events_are_told_for_every_action_and_texts_are_words(edition):
    luck = random.Random(edition)
    silent = set()
    game = bl.Game(board(edition), 3, 21)
    while not game.over:
        action = luck.choice(game.legal)
        events = game.play(action)
        assert game.events == events
        for event in events:
            assert event.text and "\n" not in event.text
            for watcher in (0, 1, 2, None):
                assert event.for_seat(watcher).text
        if not events:
            silent.add(action.text.split()[0])
    steps = {"claim", "station", "port", "pay", "wilds", "doubles", "marked", "pair", "tickets", "swap", "passenger"}
    assert silent <= steps  # what only opens a further question is followed by no event
    assert game.question.kind == "over" and game.state["question"][0] == OVER


def test_events_name_cards_of_the_game_only():
    names = {card_name(kind) for kind in range(KINDS)}
    luck = random.Random(8)
    game = bl.Game(board("world"), 2, 22)
    while not game.over:
        for event in game.play(luck.choice(game.legal)):
            assert set(event.cards) <= names


def test_an_open_payment_is_read_in_any_case():
    game = bl.Game(
        bl.load_board("europe"), seats=2, seed=7, first_seat=0, decks={"cards": ["red", "green", "red", "wild"]}
    )
    for _ in range(2):
        game.play(game.legal[0])
    game.play("claim Dieppe–London")
    before = game.copy()
    game.play("PAY RED")
    assert game.question.seat == 1
    before.play("Pay 1 red + 1 wild")
    assert before.fingerprint == game.fingerprint
