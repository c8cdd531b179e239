"""Tournaments: everybody meets everybody, the table is the same however it was played, nothing is played twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from branchline.arena import Folder, FolderError, SeriesError, Sprt, Tournament, challenge, executors, tournament
from branchline.arena.play import GAME
from branchline.boards import load_board
from branchline.bots.networks import policy
from branchline.bots.networks.policy_networks import PolicyNetwork
from branchline.bots.simple.random import RandomBot
from full_disk import files_no_larger_than

BOTS = ["greedy", "random"]


class AlsoRandom(RandomBot):
    """Random under another name."""

    name = "also-random"


class ThirdRandom(RandomBot):
    """And under a third one."""

    name = "third-random"


FOUR = ["greedy", "random", AlsoRandom, ThirdRandom]


def same(one: Tournament, other: Tournament) -> bool:
    """Whether two tournaments have the same table, to the bit, but for the time it took."""
    apart = {"seconds": 0, "jobs": 0, "resumed": 0}
    return np.array_equal(one.results.games, other.results.games) and one.as_dict() | apart == other.as_dict() | apart


def stop_at(games: int) -> Any:
    """Ctrl-C as soon as so many games are there."""

    def interrupt(done: int) -> None:
        if done >= games:
            raise KeyboardInterrupt

    return interrupt


def test_everybody_meets_everybody_in_all_rotations_with_the_same_seeds() -> None:
    found = tournament("berlin", FOUR, games=7, seed=1, seats=3)
    assert [one.bots for one in found.pairings] == [
        ("greedy", "random", "also-random"),
        ("greedy", "random", "third-random"),
        ("greedy", "also-random", "third-random"),
        ("random", "also-random", "third-random"),
    ]
    assert all(one.played == one.asked == 9 for one in found.pairings)  # rounded up to whole rotations
    games = found.results.games
    assert len(set(games["seed"])) == 3
    for pairing in found.pairings:
        own = games[games["pairing"] == pairing.number]
        for block in range(3):
            seated = own[own["block"] == block]["entrant"][:, :3]
            assert [sorted(seats) for seats in seated.T] == [sorted(pairing.entrants)] * 3
    assert len(found.matrix) == 12
    assert [one.appearances for one in found.results.standings] == [27] * 4
    assert found.ratings[0].bot == "greedy"
    assert sum(one.wins for one in found.results.standings) == pytest.approx(36)


def test_fewer_bots_than_seats_take_turns() -> None:
    found = tournament("berlin", BOTS, games=4, seed=1, seats=4)
    assert [one.bots for one in found.pairings] == [("greedy", "random", "greedy", "random")]
    assert found.pairings[0].period == 2
    assert found.matrix["greedy", "random"].mean + found.matrix["random", "greedy"].mean == pytest.approx(1.0)


@pytest.mark.parametrize("sprt", [None, pytest.param(Sprt(0, 100), marks=pytest.mark.long)])
def test_the_table_is_the_same_whatever_the_jobs(sprt: Sprt | None) -> None:
    here = tournament("berlin", FOUR, games=40, seed=3, sprt=sprt)
    assert same(here, tournament("berlin", FOUR, games=40, seed=3, sprt=sprt, jobs=2))
    assert not same(here, tournament("berlin", FOUR, games=40, seed=4, sprt=sprt))


@pytest.mark.long
def test_the_table_is_the_same_on_ray() -> None:
    pytest.importorskip("ray")
    here = tournament("berlin", BOTS, games=60, seed=3)
    assert same(here, tournament("berlin", BOTS, games=60, seed=3, on="ray", jobs=2))
    stopped = tournament("berlin", BOTS, games=400, seed=3, on="ray", jobs=2, on_progress=stop_at(20))
    assert stopped.results.stopped and 20 <= stopped.results.played < 400


def test_without_ray_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    with pytest.raises(SeriesError, match=r"pip install .branchline\[cluster\]"):
        tournament("berlin", BOTS, games=2, on="ray")


def test_it_stops_as_soon_as_it_is_decided_and_says_why() -> None:
    found = tournament("berlin", ["greedy", "random", AlsoRandom], games=2000, seed=1, sprt=Sprt(0, 60))
    first, second, equal = found.pairings
    assert first.played < 100 and second.played < 100
    assert first.why.startswith("decided: greedy is stronger than random")
    assert equal.played > first.played
    assert "random" in equal.why and "log-likelihood ratio" in equal.why
    assert found.results.played == sum(one.played for one in found.pairings)


def test_the_test_looks_at_blocks_in_their_order() -> None:
    """What is decided after n games is decided after n games in a longer tournament too."""
    short = tournament("berlin", BOTS, games=200, seed=1, sprt=Sprt(0, 60))
    long = tournament("berlin", BOTS, games=1000, seed=1, sprt=Sprt(0, 60))
    assert np.array_equal(short.results.games, long.results.games)
    assert short.pairings[0].trial == long.pairings[0].trial


# ------------------------------------------------------------------------------------------------ the folder


def counted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """All games that are really played, as (pairing, number)."""
    seen: list[tuple[int, int]] = []
    play = executors.Tables.play

    def noting(self: executors.Tables, span: executors.Batch) -> executors.Played:
        played = play(self, span)
        seen.extend((span.pairing, number) for number in range(span.first, span.first + span.count))
        return played

    monkeypatch.setattr(executors.Tables, "play", noting)
    return seen


def test_an_interrupted_tournament_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = tournament("berlin", FOUR, games=40, seed=5)
    seen = counted(monkeypatch)
    folder = str(tmp_path / "here")
    for stop in (30, 31, 100):
        part = tournament("berlin", FOUR, games=40, seed=5, folder=folder, on_progress=stop_at(stop))
        assert part.results.stopped and part.results.played >= stop
    last = tournament("berlin", FOUR, games=40, seed=5, folder=folder)
    assert same(whole, last)
    assert last.resumed > 0
    assert len(seen) == len(set(seen)) == 240
    assert same(whole, tournament("berlin", FOUR, games=40, seed=5, folder=folder))
    assert len(seen) == 240


@pytest.mark.long
def test_ctrl_c_between_keeping_and_counting_loses_no_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep = Folder.add

    def interrupted(folder: Folder, games: Any) -> None:
        keep(folder, games)
        raise KeyboardInterrupt

    monkeypatch.setattr(Folder, "add", interrupted)
    stopped = tournament("berlin", ["random", "one-step"], 20, seed=3, folder=str(tmp_path / "kept"))
    kept = (tmp_path / "kept" / "games.bin").stat().st_size // GAME.itemsize
    assert stopped.results.stopped and stopped.results.played == kept > 0


def test_more_games_may_be_asked_for_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = str(tmp_path)
    tournament("berlin", BOTS, games=20, seed=5, folder=folder)
    seen = counted(monkeypatch)
    longer = tournament("berlin", BOTS, games=50, seed=5, folder=folder)
    assert longer.resumed == 20 and len(seen) == 30
    assert same(longer, tournament("berlin", BOTS, games=50, seed=5))
    assert same(tournament("berlin", BOTS, games=20, seed=5, folder=folder), tournament("berlin", BOTS, 20, 5))


def test_a_torn_record_is_played_again_and_a_double_one_counts_once(tmp_path: Path) -> None:
    folder = str(tmp_path)
    whole = tournament("berlin", BOTS, games=20, seed=5, folder=folder)
    file = tmp_path / "games.bin"
    kept = file.read_bytes()
    file.write_bytes(kept[: 3 * GAME.itemsize] + kept[: GAME.itemsize] + kept[-100:])
    again = tournament("berlin", BOTS, games=20, seed=5, folder=folder)
    assert again.resumed == 3
    assert same(whole, again)
    assert file.stat().st_size == 21 * GAME.itemsize


def test_a_folder_of_another_tournament_is_refused(tmp_path: Path) -> None:
    folder = str(tmp_path)
    tournament("berlin", BOTS, games=2, seed=5, folder=folder)
    with pytest.raises(FolderError, match="holds another tournament: seed is 5 there, not 6"):
        tournament("berlin", BOTS, games=2, seed=6, folder=folder)
    with pytest.raises(FolderError, match="edition is"):
        tournament("europe", BOTS, games=2, seed=5, folder=folder)
    assert tournament("berlin", BOTS[::-1], games=2, seed=5, folder=folder).resumed > 0, "the order does not matter"


def test_two_do_not_play_in_one_folder_at_a_time(tmp_path: Path) -> None:
    folder = str(tmp_path / "here")
    tournament("berlin", BOTS, games=2, seed=5, folder=folder)
    first = Folder(folder)
    assert first.plan is not None
    kept = first.open(first.plan)
    with pytest.raises(FolderError, match="is in use: another process plays this tournament"):
        tournament("berlin", BOTS, games=4, seed=5, folder=folder)
    first.close()
    assert len(kept) == tournament("berlin", BOTS, games=4, seed=5, folder=folder).resumed == 2


def test_of_two_that_begin_in_one_folder_the_first_one_plays(tmp_path: Path) -> None:
    first, second = Folder(tmp_path / "here"), Folder(tmp_path / "here")
    first.open({"seed": 1})
    written = (tmp_path / "here" / "plan.json").read_bytes()
    with pytest.raises(FolderError, match="is in use"):
        second.open({"seed": 2})
    first.close()
    with pytest.raises(FolderError, match="holds another tournament: seed is 1 there, not 2"):
        second.open({"seed": 2})
    assert (tmp_path / "here" / "plan.json").read_bytes() == written


def test_a_tournament_that_was_killed_before_it_was_planned_begins_anew(tmp_path: Path) -> None:
    (tmp_path / "games.bin").touch()
    assert tournament("berlin", BOTS, games=2, seed=5, folder=str(tmp_path)).results.played == 2


def test_a_network_that_takes_the_place_of_another_is_another_bot(tmp_path: Path) -> None:
    board, file = load_board("berlin"), tmp_path / "policy.npz"
    for number, folder in ((0.0, "first"), (0.5, "second")):
        numbers = np.full(policy.SIZE, number, np.float32)
        file.write_bytes(PolicyNetwork(numbers, board.id, board.digest, 2).packed())
        tournament("berlin", [str(file), "random"], games=2, seed=5, folder=str(tmp_path / folder))
    with pytest.raises(FolderError, match="holds another tournament: networks is"):
        tournament("berlin", [str(file), "random"], games=4, seed=5, folder=str(tmp_path / "first"))
    assert tournament("berlin", [str(file), "random"], games=4, seed=5, folder=str(tmp_path / "second")).resumed == 2


def test_a_full_disk_is_told_with_the_folder(tmp_path: Path) -> None:
    with files_no_larger_than(2000), pytest.raises(FolderError, match="cannot be written: File too large"):
        tournament("berlin", BOTS, games=200, seed=5, folder=str(tmp_path / "here"))


def test_what_is_no_folder_for_a_tournament_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FolderError, match="is a file"):
        Folder(tmp_path / "file")
    with pytest.raises(FolderError, match="is not empty and holds no tournament"):
        Folder(tmp_path)
    (tmp_path / "plan.json").write_text("[1")
    with pytest.raises(FolderError, match="cannot be read"):
        Folder(tmp_path)
    with pytest.raises(FolderError, match="cannot be"):
        Folder("a\0b").open({})
    with pytest.raises(FolderError, match="cannot be made"):
        Folder(tmp_path / "file" / "below").open({})


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ({"bots": ["greedy"]}, "needs two different bots"),
        ({"bots": []}, "needs two different bots"),
        ({"bots": ["greedy", "random", "greedy"]}, "greedy is named twice"),
        ({"seats": 5}, "Berlin is for 2 to 4 seats, not 5"),
        ({"games": 0}, "games: expected a whole number from 1 to"),
        ({"on": "steam"}, "on: expected processes or ray"),
        ({"bots": FOUR, "seats": 3, "sprt": Sprt()}, "compares two bots"),
    ],
)
def test_what_cannot_be_played_is_refused(what: dict[str, Any], said: str) -> None:
    with pytest.raises(SeriesError, match=said):
        tournament("berlin", **({"bots": BOTS, "games": 2} | what))


def test_json_holds_all_that_is_shown() -> None:
    answer = json.loads(json.dumps(tournament("berlin", BOTS, games=4, seed=1, sprt=Sprt()).as_dict()))
    assert {"ratings", "matrix", "pairings", "standings", "order", "resumed", "stopped"} <= set(answer)
    assert set(answer["ratings"][0]) == {"bot", "elo", "pairs"}
    assert set(answer["pairings"][0]) == {"bots", "games", "games_asked", "why", "sprt"}


def test_a_folder_takes_new_bots_later_and_plays_only_what_is_missing(tmp_path: Path) -> None:
    folder = str(tmp_path / "ladder")
    first = tournament("berlin", ["random", "greedy", "fast"], 4, 1, folder=folder)
    grown = tournament("berlin", ["one-step"], 4, 1, folder=folder)
    assert grown.resumed == first.results.played == 12 and grown.results.played == 24
    at_once = tournament("berlin", ["random", "greedy", "fast", "one-step"], 4, 1)
    assert {one.bot: one.elo.mean for one in grown.ratings} == pytest.approx(
        {one.bot: one.elo.mean for one in at_once.ratings}
    )
    assert tournament("berlin", ["fast", "random"], 4, 1, folder=folder).resumed == 24
    plan = json.loads((tmp_path / "ladder" / "plan.json").read_text())
    assert plan["bots"] == ["random", "greedy", "fast", "one-step"] and plan["pairings"][:3] == [[0, 1], [0, 2], [1, 2]]


def test_a_bot_with_weights_or_a_network_comes_later_to_bots_without(tmp_path: Path) -> None:
    board, file, folder = load_board("berlin"), tmp_path / "policy.npz", str(tmp_path / "ladder")
    file.write_bytes(PolicyNetwork(np.zeros(policy.SIZE, np.float32), board.id, board.digest, 2).packed())
    tournament("berlin", ["random", "greedy"], 2, 1, folder=folder)
    assert tournament("berlin", ["planner"], 2, 1, folder=folder).resumed == 2
    assert tournament("berlin", [str(file)], 2, 1, folder=folder).resumed == 6
    plan = json.loads((tmp_path / "ladder" / "plan.json").read_text())
    plan["weights"] = {"planner": "another"}
    (tmp_path / "ladder" / "plan.json").write_text(json.dumps(plan))
    with pytest.raises(FolderError, match="holds another tournament: weights is"):
        tournament("berlin", ["random"], 2, 1, folder=folder)
    del plan["weights"]
    (tmp_path / "ladder" / "plan.json").write_text(json.dumps(plan))
    with pytest.raises(FolderError, match="holds another tournament: weights is"):
        tournament("berlin", ["random"], 2, 1, folder=folder)


def test_a_folder_that_was_made_before_bots_could_come_later_grows_too(tmp_path: Path) -> None:
    folder = tmp_path / "older"
    tournament("berlin", ["random", "greedy", "fast"], 2, 1, folder=str(folder))
    plan = json.loads((folder / "plan.json").read_text())
    del plan["pairings"]
    (folder / "plan.json").write_text(json.dumps(plan))
    grown = tournament("berlin", ["one-step"], 2, 1, folder=str(folder))
    assert grown.resumed == 6 and grown.results.played == 12


def test_a_newcomer_plays_the_best_one_until_that_is_decided(tmp_path: Path) -> None:
    """Only that pairing is played, by the seeds of the tournament, and a second call plays nothing more."""
    tournament("berlin", ["random", "greedy"], games=20, seed=2, folder=str(tmp_path))
    before = Folder(tmp_path).games()
    found = challenge("berlin", "fast", str(tmp_path), sprt=Sprt(0, 100))
    [pairing] = [one for one in found.pairings if one.sprt is not None]
    assert pairing.bots == ("greedy", "fast") and pairing.why.startswith("decided: fast is stronger than greedy")
    assert pairing.played < 60 and found.results.played == 20 + pairing.played
    games = Folder(tmp_path).games()
    assert np.array_equal(games[:20], before) and set(games["seed"][20:30]) == set(before["seed"][:10])
    assert found.ratings[0].bot == "fast"
    again = challenge("berlin", "fast", str(tmp_path), sprt=Sprt(0, 100))
    assert same(again, found) and again.resumed == found.results.played


def test_challenges_and_an_ordinary_tournament_share_their_pairings(tmp_path: Path) -> None:
    tournament("berlin", ["random", "greedy"], games=20, seed=2, folder=str(tmp_path))
    other = challenge("berlin", AlsoRandom, str(tmp_path), sprt=Sprt(0, 100))
    [pairing] = [one for one in other.pairings if one.sprt is not None]
    assert "also-random is not 100 Elo stronger than greedy" in pairing.why
    with pytest.raises(SeriesError, match='a bot "also-random" of your own: name it too'):
        challenge("berlin", "fast", str(tmp_path))
    back = challenge("berlin", "fast", str(tmp_path), bots=[AlsoRandom], sprt=Sprt(0, 100))
    later = tournament("berlin", ["fast", AlsoRandom], games=20, seed=2, folder=str(tmp_path))
    met = [sorted(one.bots) for one in later.pairings]
    assert len(met) == len({tuple(one) for one in met}) == 6 and back.ratings[0].bot == "fast"


def test_one_that_is_there_already_may_challenge_the_best_of_the_others(tmp_path: Path) -> None:
    tournament("berlin", ["greedy", "random"], games=20, seed=2, folder=str(tmp_path))
    found = challenge("berlin", "greedy", str(tmp_path), sprt=Sprt(0, 100))
    assert found.pairings[0].why.startswith("decided: greedy is stronger than random")
    found = challenge("berlin", "random", str(tmp_path), games=30, sprt=Sprt(0, 100))
    assert found.pairings[0].why.startswith("decided: random is not 100 Elo stronger than greedy")


def test_with_more_seats_the_best_has_all_the_others(tmp_path: Path) -> None:
    tournament("berlin", FOUR, games=6, seed=1, seats=3, folder=str(tmp_path))
    found = challenge("berlin", "fast", str(tmp_path), bots=FOUR, sprt=Sprt(0, 100))
    assert sorted(found.pairings[-1].bots) == ["fast", "greedy", "greedy"]
    assert "decided: fast is stronger than greedy" in found.pairings[-1].why


def test_a_challenge_needs_a_tournament(tmp_path: Path) -> None:
    with pytest.raises(SeriesError, match="needs the folder of a tournament"):
        challenge("berlin", "fast", str(tmp_path / "none"))
