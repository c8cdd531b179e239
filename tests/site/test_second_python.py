"""What takes long is worked out in a second Python of the browser: what is asked and answered over there."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import pytest

from branchline.game import NotationError
from branchline.site import begin
from branchline.web.core.jobs import JobError, Stopped, WorkBudget, at_once, messages
from branchline.web.core.jobs.messages import REPORT
from branchline.web.notate import noted_games

LONG = WorkBudget(60.0)


class SecondPython:
    """Stands for the other Python: it answers when it is told to."""

    def __init__(self) -> None:
        self.ended = False

    def __call__(self, work: at_once.Work, heard: at_once.Heard) -> Callable[[], None]:
        self._work, self._heard = pickle.dumps(work), heard
        return self._end

    def _end(self) -> None:
        self.ended = True

    def answer(self) -> None:
        function, arguments, hears = pickle.loads(self._work)
        tell = (lambda report: self._heard((REPORT, report)),) if hears else ()
        self._heard(pickle.loads(pickle.dumps(messages.done(function, (*tell, *arguments)))))

    def is_missing(self) -> None:
        self._heard(None)


@pytest.fixture
def second(monkeypatch: pytest.MonkeyPatch) -> SecondPython:
    """A second Python that stands by."""
    there = SecondPython()
    monkeypatch.setattr(at_once, "apart", there)
    return there


def counted(tell: Callable[[int], None], most: int) -> int:
    """Count, and tell of it."""
    for number in range(most):
        tell(number)
    return most


def begun(job: at_once.Job[Any], *hear: Callable[[int], None]) -> Future[Any]:
    """The future of what a job answers, as the executors of a browser hand it on."""
    return begin.AtOnce().submit(job.run, *hear)


def test_reports_and_the_answer_come_from_there(second: SecondPython) -> None:
    reports: list[int] = []
    future = begun(at_once.Job(LONG, counted, 3), reports.append)
    assert not future.done() and not reports
    second.answer()
    assert (reports, future.result(0)) == ([0, 1, 2], 3)


def test_who_waits_lets_others_go_on_meanwhile(second: SecondPython) -> None:
    async def waited() -> int:
        waiting = asyncio.ensure_future(begin.at_once(at_once.Job(LONG, sum, [1, 2]).run))
        for _ in range(3):
            await asyncio.sleep(0)
        assert not waiting.done()
        second.answer()
        return await waiting

    assert asyncio.run(waited()) == 3


def test_what_nobody_wants_any_more_is_ended_there(second: SecondPython) -> None:
    job = at_once.Job(LONG, sum, [1, 2])
    future = begun(job)
    job.stop()
    assert second.ended and isinstance(future.exception(0), Stopped)
    second.answer()  # which was on its way
    assert isinstance(future.exception(0), Stopped)


def test_what_a_person_can_put_right_comes_back_as_it_was_raised_and_a_fault_is_logged(second: SecondPython) -> None:
    text = "edition europe\nplayers A, B\nA: draw 9"
    with pytest.raises(NotationError) as here:
        noted_games.noted(text)
    refused = begun(at_once.Job(LONG, noted_games.noted, text))
    second.answer()
    there = refused.exception(0)
    assert isinstance(there, NotationError) and (there.line, there.why) == (here.value.line, here.value.why)
    broken = begun(at_once.Job(LONG, sum, 7))
    second.answer()
    assert type(broken.exception(0)) is JobError


def test_without_a_second_python_after_all_it_is_done_here(second: SecondPython) -> None:
    reports: list[int] = []
    future = begun(at_once.Job(LONG, counted, 2), reports.append)
    second.is_missing()
    assert (reports, future.result(0)) == ([0, 1], 2)


def test_what_is_short_is_done_at_once(second: SecondPython) -> None:
    assert begun(at_once.Job(WorkBudget(at_once.SHORT), sum, [1, 2])).result(0) == 3
