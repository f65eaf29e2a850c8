"""The scheduler alone: plain generators, no Qt, no torch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from viewer.engine.scheduler import Cancelled, Failed, Finished, Job, Rest, Scheduler, Suspend

INTERACTIVE, BACKGROUND = 1, 2


def count(name: str, steps: int, log: list[str] | None = None) -> Iterator[str]:
    try:
        for step in range(steps):
            yield f"{name}{step}"
    finally:
        if log is not None:
            log.append(f"{name} tidied")


def values(scheduler: Scheduler, slices: int = 1000) -> list[Any]:
    """What the next slices yield, until nothing is left to run."""
    seen = []
    for _ in range(slices):
        outcome = scheduler.run_slice()
        if outcome is None:
            break
        if isinstance(outcome, Job):
            seen.append(outcome.reported)
    return seen


def test_jobs_of_one_priority_run_in_the_order_they_came() -> None:
    scheduler = Scheduler()
    scheduler.add(Job(1, count("a", 2)))
    scheduler.add(Job(2, count("b", 2)))
    assert values(scheduler) == ["a0", "a1", "b0", "b1"]


def test_an_urgent_job_goes_before_all_that_wait() -> None:
    scheduler = Scheduler()
    scheduler.add(Job(1, count("back", 2), BACKGROUND))
    scheduler.add(Job(2, count("front", 2), INTERACTIVE))
    scheduler.add(Job(3, count("other", 1), INTERACTIVE))
    assert values(scheduler) == ["front0", "front1", "other0", "back0", "back1"]


def test_a_sentence_waits_for_at_most_one_slice_of_a_training_run() -> None:
    """A sentence typed in the middle of a long background job: its first token is the very next slice."""
    scheduler = Scheduler()
    scheduler.add(Job(1, count("train", 10_000), BACKGROUND))
    assert values(scheduler, 500)[-1] == "train499"
    scheduler.add(Job(2, count("token", 3), INTERACTIVE))
    assert values(scheduler, 3) == ["token0", "token1", "token2"]
    # And the training run goes on where it was.
    assert values(scheduler, 3) == ["train500", "train501"]


def test_a_paused_job_gets_no_time_and_keeps_its_place() -> None:
    scheduler = Scheduler()
    scheduler.add(Job(1, count("train", 4), BACKGROUND))
    scheduler.add(Job(2, count("later", 1), BACKGROUND))
    assert values(scheduler, 2) == ["train0", "train1"]
    scheduler.pause(1)
    assert values(scheduler) == ["later0"]
    assert scheduler.idle
    assert scheduler.run_slice() is None
    scheduler.pause(1, False)
    assert not scheduler.idle
    assert values(scheduler) == ["train2", "train3"]


def test_a_paused_job_goes_before_one_that_came_later() -> None:
    scheduler = Scheduler()
    scheduler.add(Job(1, count("first", 1), BACKGROUND, paused=True))
    scheduler.add(Job(2, count("second", 1), BACKGROUND))
    scheduler.pause(1, False)
    assert values(scheduler) == ["first0", "second0"]


def test_pausing_what_is_not_there_does_nothing() -> None:
    scheduler = Scheduler()
    scheduler.pause(7)
    assert scheduler.idle


@pytest.mark.parametrize("paused", [False, True])
def test_a_cancelled_job_tidies_up_and_yields_nothing_more(paused: bool) -> None:
    scheduler, log = Scheduler(), []
    job = Job(1, count("a", 5, log))
    scheduler.add(job)
    assert values(scheduler, 2) == ["a0", "a1"]
    job.paused = paused
    job.cancelled.set()
    outcome = scheduler.run_slice()
    assert isinstance(outcome, Cancelled)
    assert outcome.job is job
    assert log == ["a tidied"]
    assert scheduler.run_slice() is None


def test_a_job_cancelled_before_its_first_slice_never_runs() -> None:
    scheduler, log = Scheduler(), []
    job = Job(1, count("a", 5, log))
    job.cancelled.set()
    scheduler.add(job)
    assert isinstance(scheduler.run_slice(), Cancelled)
    assert log == []


def test_a_cancelled_background_job_is_let_go_before_urgent_ones_go_on() -> None:
    scheduler = Scheduler()
    background = Job(1, count("back", 5), BACKGROUND)
    scheduler.add(background)
    scheduler.add(Job(2, count("front", 5), INTERACTIVE))
    background.cancelled.set()
    assert isinstance(scheduler.run_slice(), Cancelled)


def test_a_job_that_raises_ends_and_the_others_go_on() -> None:
    def broken() -> Iterator[str]:
        yield "fine"
        raise ValueError("no")

    scheduler = Scheduler()
    scheduler.add(Job(1, broken()))
    scheduler.add(Job(2, count("b", 1)))
    scheduler.run_slice()
    outcome = scheduler.run_slice()
    assert isinstance(outcome, Failed)
    assert str(outcome.error) == "no"
    assert values(scheduler) == ["b0"]


def test_a_job_that_raises_while_it_tidies_up_has_failed() -> None:
    def broken() -> Iterator[str]:
        try:
            yield "fine"
        finally:
            raise ValueError("cannot tidy")

    scheduler = Scheduler()
    job = Job(1, broken())
    scheduler.add(job)
    scheduler.run_slice()
    job.cancelled.set()
    assert isinstance(scheduler.run_slice(), Failed)


def test_a_finished_job_is_said_once() -> None:
    scheduler = Scheduler()
    scheduler.add(Job(1, count("a", 1)))
    assert isinstance(scheduler.run_slice(), Job)
    assert isinstance(scheduler.run_slice(), Finished)
    assert scheduler.run_slice() is None


def test_closing_lets_every_job_tidy_up() -> None:
    scheduler, log = Scheduler(), []
    for number, name in enumerate("abc"):
        scheduler.add(Job(number, count(name, 5, log)))
    values(scheduler, 6)  # a is through, b and c have not begun
    outcomes = scheduler.close()
    assert [outcome.job.id for outcome in outcomes] == [1, 2]
    assert log == ["a tidied"]
    scheduler = Scheduler()
    job = Job(1, count("d", 5, log))
    scheduler.add(job)
    scheduler.run_slice()
    scheduler.close()
    assert log[-1] == "d tidied"
    assert scheduler.idle


def test_a_paused_job_runs_for_what_is_pressing_and_no_longer() -> None:
    scheduler, commands = Scheduler(), ["save"]

    def steps() -> Iterator[str]:
        yield "step"
        yield commands.pop()
        yield "next step"

    scheduler.add(Job(1, steps(), pressing=lambda: bool(commands)))
    scheduler.pause(1)
    assert values(scheduler) == ["step", "save"]
    assert scheduler.idle
    scheduler.pause(1, False)
    assert values(scheduler) == ["next step"]


def test_a_resting_job_is_given_no_time_until_it_is_woken() -> None:
    def steps() -> Iterator[object]:
        yield "tried"
        yield Rest(3.0)
        yield "tried again"

    scheduler = Scheduler()
    scheduler.add(Job(1, steps(), pressing=lambda: True))
    scheduler.add(Job(2, count("other", 1)))
    assert values(scheduler) == ["tried", Rest(3.0), "other0"]
    scheduler.wake(2)  # has ended
    assert scheduler.idle
    scheduler.wake(1)
    assert values(scheduler) == ["tried again"]


def test_a_resting_job_can_be_cancelled() -> None:
    scheduler, log = Scheduler(), []

    def steps() -> Iterator[object]:
        try:
            yield Rest()
        finally:
            log.append("tidied")

    job = Job(1, steps())
    scheduler.add(job)
    scheduler.run_slice()
    job.cancelled.set()
    assert isinstance(scheduler.run_slice(), Cancelled)
    assert log == ["tidied"]
    assert scheduler.find(1) is None


def test_a_job_that_holds_is_paused_in_the_slice_that_reports() -> None:
    def steps() -> Iterator[object]:
        yield Suspend("one")
        yield Suspend("two")
        yield "three"

    scheduler = Scheduler()
    scheduler.add(Job(1, steps()))
    for value in ("one", "two"):
        assert values(scheduler) == [value]
        # At once, before another slice: whoever has heard of it may let it go on.
        scheduler.pause(1, False)
    assert values(scheduler) == ["three"]


class Clock:
    """Seconds that pass only inside jobs."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def job(self, number: int, name: str, steps: int, seconds: float) -> Job:
        def work() -> Iterator[str]:
            for step in range(steps):
                self.now += seconds
                yield f"{name}{step}"

        return Job(number, work(), BACKGROUND, shares=True)


def test_jobs_that_share_have_the_same_time_and_none_waits_for_the_end_of_another() -> None:
    clock = Clock()
    scheduler = Scheduler(clock)
    scheduler.add(clock.job(1, "long", 4, 3.0))
    assert values(scheduler, 2) == ["long0", "long1"]
    scheduler.add(clock.job(2, "short", 4, 1.0))  # no claim to the six seconds before it came
    assert values(scheduler) == ["long2", "short0", "short1", "short2", "long3", "short3"]


def test_time_in_which_a_job_was_paused_is_not_made_up_for() -> None:
    clock = Clock()
    scheduler = Scheduler(clock)
    scheduler.add(clock.job(1, "a", 9, 1.0))
    scheduler.add(clock.job(2, "b", 9, 1.0))
    scheduler.pause(1)
    assert values(scheduler, 4) == ["b0", "b1", "b2", "b3"]
    scheduler.pause(1, False)
    assert values(scheduler, 4) == ["a0", "b4", "a1", "b5"]


def test_a_job_that_shares_does_not_give_way_to_a_less_urgent_one() -> None:
    scheduler = Scheduler()
    scheduler.add(Job(1, count("front", 2), INTERACTIVE, shares=True))
    scheduler.add(Job(2, count("back", 1), BACKGROUND, shares=True))
    assert values(scheduler) == ["front0", "front1", "back0"]
