"""Progress is thinned out by the clock, and its newest report is never lost."""

from __future__ import annotations

from viewer.document.messages.messages import JobProgress
from viewer.engine.throttle import Throttle


def test_at_most_fifteen_a_second_pass_and_the_last_comes_at_the_end() -> None:
    now = [100.0]
    throttle = Throttle(clock=lambda: now[0])
    passed = []
    for done in range(1001):  # one second
        now[0] = 100.0 + done / 1000
        report = throttle.offer(JobProgress(1, "training", done, 1000))
        if report is not None:
            passed.append(report.done)
    assert passed[0] == 0
    assert 14 <= len(passed) <= 16
    assert passed == sorted(passed)
    last = throttle.flush(1)
    assert last is not None
    assert last.done == 1000


def test_what_passed_is_not_held_as_well() -> None:
    throttle = Throttle(clock=lambda: 5.0)
    assert throttle.offer(JobProgress(1, "loading", 0, 1)) is not None
    assert throttle.flush(1) is None


def test_each_job_has_its_own_pace() -> None:
    throttle = Throttle(clock=lambda: 5.0)
    assert throttle.offer(JobProgress(1, "loading", 0, 1)) is not None
    assert throttle.offer(JobProgress(2, "training", 0, 1)) is not None
    assert throttle.offer(JobProgress(2, "training", 1, 1)) is None
    assert throttle.flush(2) == JobProgress(2, "training", 1, 1)
    # A job that ended is forgotten: another of its number begins afresh.
    assert throttle.offer(JobProgress(2, "training", 0, 1)) is not None
