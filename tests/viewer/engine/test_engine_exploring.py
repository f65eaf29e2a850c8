"""The engine's jobs around a decoding, with a model of numpy: pace, samples, changes, heads, orders."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from model.alterations.block_token import BlockToken
from model.decoding.decode_config import DecodeConfig
from model.errors import HeadscopeError
from model.questions.importance import ImportanceOf
from model.questions.orders import OrdersOf
from model.questions.questions import Reading
from tests.viewer.engine.test_engine import Listener
from tests.viewer.fake_source import FakeSource, loads
from viewer.document.messages.messages import (
    Ask,
    Decode,
    DecodeAltered,
    DecodeSample,
    OpenModel,
    PaceJob,
    PauseJob,
    Request,
    SplitText,
    TraceDone,
    TraceGrew,
    TraceHypothesis,
)
from viewer.engine.alarms import Alarms
from viewer.engine.engine import Engine

READING = Reading("", (5, 6), (1, 2))
ALL = ["TraceGrew"] * 4 + ["TraceDone"]


class Bench:
    """An engine on a source, its model open."""

    def __init__(self, qtbot: QtBot, source: FakeSource) -> None:
        self.qtbot, self.source = qtbot, source
        self.engine = Engine(load_model=loads(lambda path: self.source))
        self.listener = Listener(self.engine)
        self.submit(OpenModel)
        self.idle()
        self.listener.heard.clear()

    def submit(self, kind: type[Request], *arguments: Any, **more: Any) -> int:
        texts = () if arguments else ("a b",)
        return self.engine.submit(kind(self.engine.new_job(), *texts, *arguments, **more))

    def idle(self) -> None:
        self.qtbot.waitUntil(lambda: not self.engine.busy)

    def types(self, job: int) -> list[str]:
        return self.listener.types(job)

    def grown(self, job: int, count: int) -> None:
        """Wait until so many traces came, and see that no other comes."""
        self.qtbot.waitUntil(lambda: len(self.types(job)) >= count)
        self.qtbot.wait(30)
        assert len(self.types(job)) == count


@pytest.fixture
def bench(qtbot: QtBot) -> Iterator[Bench]:
    bench = Bench(qtbot, FakeSource(steps=3))
    yield bench
    assert bench.engine.close()


def test_while_a_slow_decoding_rests_others_go_on(bench: Bench) -> None:
    slow = bench.submit(Decode, pace=3600.0)
    bench.grown(slow, 2)  # what the encoder read, and the first token at once
    pieces = bench.submit(SplitText)
    other = bench.submit(DecodeAltered, alterations=(BlockToken(0),))
    bench.qtbot.waitUntil(lambda: "TraceDone" in bench.types(other))
    assert bench.types(pieces) == ["PiecesSplit"]
    assert len(bench.types(slow)) == 2
    bench.engine.tell(PaceJob(slow, 0.0))
    bench.idle()
    assert bench.types(slow) == ALL


def test_a_slow_decoding_goes_on_by_itself(bench: Bench) -> None:
    job = bench.submit(Decode, pace=0.01)
    bench.idle()
    assert bench.types(job) == ALL


def test_two_slow_decodings_are_woken_each_at_its_time(bench: Bench) -> None:
    one, other = bench.submit(Decode, pace=0.005), bench.submit(DecodeSample, pace=0.02)
    bench.idle()
    assert bench.types(one) == bench.types(other) == ALL


def test_a_slow_decoding_that_is_paused_stays_so_when_its_time_comes(bench: Bench) -> None:
    job = bench.submit(Decode, pace=0.05)
    bench.qtbot.waitUntil(lambda: len(bench.types(job)) == 2)
    bench.engine.tell(PauseJob(job, True))
    bench.grown(job, 2)
    bench.qtbot.wait(60)
    assert len(bench.types(job)) == 2
    bench.engine.tell(PauseJob(job, False))
    bench.idle()
    assert bench.types(job) == ALL


def test_a_slow_decoding_can_be_cancelled_while_it_rests(bench: Bench) -> None:
    job = bench.submit(Decode, pace=3600.0)
    bench.grown(job, 2)
    bench.engine.cancel(job)
    bench.idle()
    assert bench.types(job)[-1] == "JobCancelled"
    assert bench.source.tidied.is_set()


def test_an_infinite_pace_pauses_after_each_token(bench: Bench) -> None:
    job = bench.submit(Decode, pace=math.inf)
    for count in (2, 3):
        bench.grown(job, count)
        assert bench.listener.last("TraceGrew").paused
        bench.engine.tell(PauseJob(job, False))
    bench.idle()
    assert bench.types(job) == ALL
    assert not bench.listener.last("TraceGrew").paused


def test_samples_wait_for_each_other_and_for_no_newer_one(bench: Bench) -> None:
    jobs = [bench.submit(DecodeSample, "a b", DecodeConfig(mode="sample", seed=i)) for i in range(3)]
    bench.idle()
    assert [bench.types(job) for job in jobs] == [ALL] * 3
    assert [m.job for m in bench.listener.heard if type(m).__name__ == "TraceDone"] == jobs


def test_a_newer_change_cancels_the_older_but_no_translation(qtbot: QtBot) -> None:
    gate = threading.Event()
    bench = Bench(qtbot, FakeSource(steps=3, before_step=lambda step: gate.wait(10) and None))
    plain = bench.submit(Decode)
    old = bench.submit(DecodeAltered, alterations=(BlockToken(0),))
    new = bench.submit(DecodeAltered, alterations=(BlockToken(1),))
    gate.set()
    bench.idle()
    assert (bench.types(plain), bench.types(old), bench.types(new)) == (ALL, ["JobCancelled"], ALL)
    assert bench.engine.close()


def test_the_end_tells_the_last_step_of_a_search_and_the_held_words(bench: Bench) -> None:
    bench.submit(Decode, "a b", DecodeConfig(mode="beam", beam_size=2), held_ids=(7, 8))
    bench.idle()
    done = bench.listener.last("TraceDone")
    assert [one.id for one in done.considered] == [5, 6]
    assert done.held.tolist() == [-2.0, -2.0]


def test_a_hypothesis_is_answered_by_its_trace_alone(bench: Bench) -> None:
    job = bench.submit(TraceHypothesis, "a b", DecodeConfig(), "run", 4, (9, 8))
    bench.idle()
    assert bench.types(job) == ["TraceDone"]
    assert bench.listener.last("TraceDone").trace.tgt_out_ids.tolist() == [9, 8]


def test_heads_are_measured_while_no_sentence_waits(qtbot: QtBot) -> None:
    gate = threading.Semaphore(2)
    bench = Bench(qtbot, FakeSource(steps=3, before_step=lambda step: gate.acquire() and None))
    measured = bench.submit(Ask, ImportanceOf(), READING)
    qtbot.waitUntil(lambda: any(m.job == measured for m in bench.listener.heard))
    decoded = bench.submit(Decode)
    gate.release(100)
    bench.idle()
    last = [(m.job, type(m).__name__) for m in bench.listener.heard if type(m).__name__ != "JobProgress"]
    assert last.index((decoded, "TraceDone")) < last.index((measured, "Answered"))
    assert bench.listener.last("Answered").answer.logprob == -1.5
    assert bench.listener.last("JobProgress").what == "measuring"
    assert bench.engine.close()


def test_orders_are_tried(bench: Bench) -> None:
    job = bench.submit(Ask, OrdersOf("", "a b"))
    bench.idle()
    assert bench.types(job) == ["Answered"]
    assert bench.listener.last("Answered").answer.order == (1, 0)


def test_another_model_cancels_what_was_asked_of_the_one_before(qtbot: QtBot) -> None:
    gate = threading.Event()
    bench = Bench(qtbot, FakeSource(before_step=lambda step: gate.wait(10) and None))
    look = ("a b", DecodeConfig(), "run", 4, (9,))
    jobs = [
        bench.submit(DecodeSample),
        bench.submit(TraceHypothesis, *look),
        bench.submit(Ask, ImportanceOf(), READING),
        bench.submit(Ask, OrdersOf("", "a b")),
    ]
    bench.submit(OpenModel)
    gate.set()
    bench.idle()
    assert [bench.types(job) for job in jobs] == [["JobCancelled"]] * 4
    assert bench.engine.close()


class Rigid(FakeSource):
    """A model that can only be looked at."""

    def decode(self, request: Decode) -> Iterator[TraceGrew | TraceDone]:
        if request.alterations:
            raise HeadscopeError("source_cannot", name="rigid")
        return super().decode(request)


def test_a_source_says_what_it_cannot_do(qtbot: QtBot) -> None:
    bench = Bench(qtbot, Rigid())
    job = bench.submit(Decode, alterations=(BlockToken(0),))
    bench.idle()
    assert bench.types(job) == ["JobFailed"]
    assert "rigid" in str(bench.listener.last("JobFailed").error)
    assert bench.engine.close()


def test_alarms_ring_once_each_and_not_when_they_are_forgotten(qtbot: QtBot) -> None:
    rung: list[int] = []
    alarms = Alarms(rung.append)
    alarms.set(1, 0.02)
    alarms.set(2, 0.0)
    alarms.set(3, 0.01)
    alarms.set(4, 3600.0)
    alarms.set(4, 0.03)
    alarms.forget(3)
    alarms.forget(99)
    qtbot.waitUntil(lambda: len(rung) == 3)
    qtbot.wait(20)
    assert rung == [2, 1, 4]
    alarms.set(5, 0.01)
    alarms.stop()
    qtbot.wait(30)
    assert rung == [2, 1, 4]


@pytest.mark.parametrize("pace", [3600.0, math.inf])
def test_what_a_branch_takes_over_is_there_at_once(bench: Bench, pace: float) -> None:
    job = bench.submit(Decode, "a b", DecodeConfig(prefix_ids=(1,)), pace=pace)
    bench.grown(job, 3)  # what the encoder read, the token taken over, the first new one
    bench.engine.tell(PaceJob(job, 0.0))
    bench.engine.tell(PauseJob(job, False))
    bench.idle()
    assert bench.types(job)[-1] == "TraceDone"
