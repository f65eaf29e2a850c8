"""The engine with a model of numpy: order, cancelling, threads, shutting down."""

from __future__ import annotations

import itertools
import logging
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from typing import Any, cast

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer, Slot
from pytestqt.qtbot import QtBot

from model.errors import HeadscopeError
from tests.viewer.fake_source import SHOWCASE, FakeSource, loads
from viewer import giving_way
from viewer.document.messages.messages import Decode, ModelOpened, OpenModel, PauseJob, SplitText, TraceDone
from viewer.engine.context import JobContext
from viewer.engine.engine import Engine
from viewer.engine.jobs import open_model
from viewer.engine.source import LoadModel, ModelSource


class Listener(QObject):
    """Keeps everything an engine says, and in which thread it was heard."""

    SIGNALS = (
        "model_opened",
        "trace_grew",
        "trace_done",
        "answered",
        "pieces_split",
        "progress",
        "failed",
        "cancelled",
    )

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self.engine = engine
        self.heard: list[Any] = []
        self.busy: list[bool] = []
        self.threads: set[int] = set()
        for name in self.SIGNALS:
            getattr(engine, name).connect(self.hear)
        engine.busy_changed.connect(self.hear_busy)

    @Slot(object)
    def hear(self, message: object) -> None:
        self.threads.add(threading.get_ident())
        self.heard.append(message)

    @Slot(bool)
    def hear_busy(self, busy: bool) -> None:
        self.busy.append(busy)

    def types(self, job: int | None = None) -> list[str]:
        return [
            type(m).__name__
            for m in self.heard
            if (job is None or m.job == job) and type(m).__name__ != "JobProgress"
        ]

    def last(self, name: str) -> Any:
        return next(m for m in reversed(self.heard) if type(m).__name__ == name)


Start = Callable[..., Listener]


@pytest.fixture
def start(qtbot: QtBot) -> Iterator[Start]:
    """Starts an engine on the given source (or loader), its model open unless told not to."""
    engines: list[Engine] = []

    def begin(
        source: ModelSource | None = None, *, load: LoadModel | None = None, opened: bool = True
    ) -> Listener:
        chosen = source or FakeSource()
        engine = Engine(load_model=load or loads(lambda path: chosen))
        engines.append(engine)
        listener = Listener(engine)
        if opened:
            engine.submit(OpenModel(engine.new_job(), "fake"))
            qtbot.waitUntil(lambda: "ModelOpened" in listener.types())
            listener.heard.clear()
        return listener

    yield begin
    for engine in engines:
        assert engine.close()


def decode(listener: Listener, text: str = "a b") -> int:
    engine = listener.engine
    return engine.submit(Decode(engine.new_job(), text))


def test_another_model_waits_a_little_while_the_window_works(monkeypatch: pytest.MonkeyPatch) -> None:
    naps: list[float] = []
    now = itertools.count()
    monkeypatch.setattr(giving_way, "has_to_wait", lambda: True)
    monkeypatch.setattr(giving_way.time, "sleep", naps.append)
    monkeypatch.setattr(giving_way.time, "monotonic", lambda: 0.03 * next(now))
    context = JobContext(loads(FakeSource), cast(Any, None), 1)
    assert type(deque(open_model(OpenModel(1, "first"), context), maxlen=1)[0]) is ModelOpened
    assert naps == []
    assert type(deque(open_model(OpenModel(2, "second"), context), maxlen=1)[0]) is ModelOpened
    assert naps == [giving_way.NAP_S] * 3
    context.cancelled = lambda job: True
    deque(open_model(OpenModel(3, "third"), context), maxlen=0)
    assert len(naps) == 3


def test_a_model_is_opened_in_the_background_and_said_in_the_main_thread(start: Start, qtbot: QtBot) -> None:
    threads: list[int] = []

    def make(path: str) -> ModelSource:
        threads.append(threading.get_ident())
        return FakeSource(path)

    listener = start(load=loads(make), opened=False)
    listener.engine.submit(OpenModel(listener.engine.new_job(), "some/where"))
    qtbot.waitUntil(lambda: listener.types() == ["ModelOpened"])
    assert listener.heard[-1].info.path == "some/where"
    assert listener.heard[-1].info.showcase == SHOWCASE
    assert listener.threads == {threading.get_ident()}
    assert threads != [threading.get_ident()]


def test_every_token_arrives_in_order_then_the_end(start: Start, qtbot: QtBot) -> None:
    source = FakeSource(steps=200)
    listener = start(source)
    decode(listener)
    qtbot.waitUntil(lambda: "TraceDone" in listener.types())
    assert [m.trace.steps for m in listener.heard] == [*range(201), 200]
    assert listener.last("TraceDone").note is None
    assert source.threads.isdisjoint({threading.get_ident()})
    assert listener.threads == {threading.get_ident()}


def test_a_translation_that_the_length_limit_stopped_says_so(start: Start, qtbot: QtBot) -> None:
    listener = start(FakeSource(steps=4, finished=False))
    decode(listener)
    qtbot.waitUntil(lambda: "TraceDone" in listener.types())
    done: TraceDone = listener.last("TraceDone")
    assert done.note is not None
    assert done.note.code == "length_limit"
    assert "after 4 tokens" in done.note.sentence()


def test_cancelling_stops_the_model_and_nothing_more_arrives(start: Start, qtbot: QtBot) -> None:
    gate = threading.Semaphore(3)
    source = FakeSource(steps=1000, before_step=lambda step: gate.acquire() and None)
    listener = start(source)
    job = decode(listener)
    qtbot.waitUntil(lambda: len(listener.heard) == 3)
    listener.engine.cancel(job)
    gate.release(2000)
    qtbot.waitUntil(lambda: not listener.engine.busy)
    assert listener.types(job) == ["TraceGrew"] * 3 + ["JobCancelled"]
    assert source.tidied.is_set()
    assert listener.busy[-2:] == [True, False]


def test_what_was_on_its_way_when_the_user_cancelled_is_dropped(start: Start, qtbot: QtBot) -> None:
    source = FakeSource(steps=5)
    listener = start(source)
    job = decode(listener)
    # The worker goes through without the main thread hearing a word of it.
    assert source.tidied.wait(10)
    time.sleep(0.05)
    listener.engine.cancel(job)
    qtbot.waitUntil(lambda: not listener.engine.busy)
    assert listener.types() == ["JobCancelled"]


def test_a_newer_sentence_cancels_the_older(start: Start, qtbot: QtBot) -> None:
    gate = threading.Event()
    listener = start(FakeSource(steps=2, before_step=lambda step: gate.wait(10) and None))
    old = decode(listener, "old")
    new = decode(listener, "new")
    gate.set()
    qtbot.waitUntil(lambda: not listener.engine.busy)
    assert listener.types(old) == ["JobCancelled"]
    assert listener.types(new) == ["TraceGrew"] * 3 + ["TraceDone"]


def test_pieces_are_split_while_a_sentence_is_decoded(start: Start, qtbot: QtBot) -> None:
    gate = threading.Semaphore(2)
    listener = start(FakeSource(steps=50, before_step=lambda step: gate.acquire() and None))
    job = decode(listener)
    qtbot.waitUntil(lambda: len(listener.types(job)) == 2)
    engine = listener.engine
    engine.submit(SplitText(engine.new_job(), "x y z"))
    gate.release(1)  # the slice that is running may end; the pieces come before the next one
    qtbot.waitUntil(lambda: "PiecesSplit" in listener.types())
    assert listener.last("PiecesSplit").pieces == ("x", "y", "z")
    assert engine.busy
    gate.release(1000)
    qtbot.waitUntil(lambda: "TraceDone" in listener.types())


def test_a_sentence_sent_while_the_model_loads_waits_for_it(start: Start, qtbot: QtBot) -> None:
    gate = threading.Event()

    def make(path: str) -> ModelSource:
        assert gate.wait(10)
        return FakeSource()

    listener = start(load=loads(make), opened=False)
    engine = listener.engine
    engine.submit(OpenModel(engine.new_job(), "fake"))
    decode(listener)
    gate.set()
    qtbot.waitUntil(lambda: not engine.busy)
    assert listener.types() == ["ModelOpened", *["TraceGrew"] * 4, "TraceDone"]


class Slices:
    """Loads "fake" at once; any other path slice by slice, as many as are let through."""

    def __init__(self) -> None:
        self.gate = threading.Semaphore(0)
        self.left = threading.Event()

    def __call__(self, path: str) -> Generator[tuple[int, int], None, ModelSource]:
        try:
            for done in range(500 if path != "fake" else 0):
                yield done << 33, 500 << 33
                assert self.gate.acquire(timeout=10)
            return FakeSource(path)
        finally:
            self.left.set()


def test_loading_tells_bytes_beyond_32_bits_and_is_left_between_slices(start: Start, qtbot: QtBot) -> None:
    load = Slices()
    listener = start(load=load)
    engine = listener.engine
    job = engine.submit(OpenModel(engine.new_job(), "large"))

    def told() -> bool:
        load.gate.release()  # progress is thinned out: the next slice's may be the first to be told
        return any(type(m).__name__ == "JobProgress" and m.total for m in listener.heard)

    qtbot.waitUntil(told)
    first = next(m for m in listener.heard if type(m).__name__ == "JobProgress" and m.total)
    assert (first.job, first.what, first.total) == (job, "loading", 500 << 33)
    load.left.clear()
    engine.cancel(job)
    load.gate.release()
    qtbot.waitUntil(lambda: listener.types(job) == ["JobCancelled"])
    assert load.left.is_set()
    typed = engine.submit(SplitText(engine.new_job(), "a"))
    decode(listener)
    qtbot.waitUntil(lambda: "TraceDone" in listener.types())
    assert listener.types(typed) == ["PiecesSplit"]


def test_what_is_typed_while_a_model_loads_is_answered_between_slices(start: Start, qtbot: QtBot) -> None:
    load = Slices()
    listener = start(load=load)
    engine = listener.engine
    engine.submit(OpenModel(engine.new_job(), "large"))
    typed = engine.submit(SplitText(engine.new_job(), "a"))
    load.gate.release()
    qtbot.waitUntil(lambda: listener.types(typed) == ["PiecesSplit"])
    assert "ModelOpened" not in listener.types()
    load.gate.release(1000)
    qtbot.waitUntil(lambda: "ModelOpened" in listener.types())
    assert listener.last("ModelOpened").info.path == "large"


def test_without_a_model_translating_fails_and_typing_does_not(start: Start, qtbot: QtBot) -> None:
    listener = start(opened=False)
    engine = listener.engine
    typed = engine.submit(SplitText(engine.new_job(), "a"))
    sent = decode(listener)
    qtbot.waitUntil(lambda: not engine.busy)
    assert listener.types(typed) == ["JobCancelled"]
    assert listener.types(sent) == ["JobFailed"]
    assert listener.last("JobFailed").error.code == "no_model"


def test_a_model_that_cannot_be_loaded_leaves_the_one_before(start: Start, qtbot: QtBot) -> None:
    def make(path: str) -> ModelSource:
        if path == "bad":
            raise HeadscopeError("bundle_missing", path=path)
        return FakeSource()

    listener = start(load=loads(make))
    engine = listener.engine
    engine.submit(OpenModel(engine.new_job(), "bad"))
    qtbot.waitUntil(lambda: not engine.busy)
    error = listener.last("JobFailed").error
    assert error.code == "bundle_missing"
    assert error.__traceback__ is None  # frames of the worker must not outlive the job
    decode(listener)
    qtbot.waitUntil(lambda: "TraceDone" in listener.types())


@pytest.mark.parametrize(
    ("raised", "code"),
    [
        (ValueError("odd"), "internal"),
        (MemoryError(), "out_of_memory"),
        (RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried ..."), "out_of_memory"),
        (HeadscopeError("too_long", tokens=9, limit=5), "too_long"),
    ],
)
def test_whatever_a_job_raises_becomes_a_sentence(
    start: Start, qtbot: QtBot, caplog: pytest.LogCaptureFixture, raised: Exception, code: str
) -> None:
    def fail(step: int) -> None:
        if step == 2:
            raise raised

    listener = start(FakeSource(before_step=fail))
    with caplog.at_level(logging.ERROR):
        job = decode(listener)
        qtbot.waitUntil(lambda: not listener.engine.busy)
    assert listener.types(job) == ["TraceGrew"] * 2 + ["JobFailed"]
    assert listener.last("JobFailed").error.code == code
    assert ("ValueError: odd" in caplog.text) == (code == "internal")
    listener.heard.clear()
    engine = listener.engine
    engine.submit(SplitText(engine.new_job(), "still alive"))
    qtbot.waitUntil(lambda: listener.types() == ["PiecesSplit"])


def test_a_paused_job_waits_and_goes_on(start: Start, qtbot: QtBot) -> None:
    gate = threading.Semaphore(2)
    listener = start(FakeSource(steps=5, before_step=lambda step: gate.acquire() and None))
    engine = listener.engine
    job = decode(listener)
    qtbot.waitUntil(lambda: len(listener.types(job)) == 2)
    engine.tell(PauseJob(job, True))
    engine.submit(SplitText(engine.new_job(), "now"))
    gate.release(1)  # one slice was already running
    qtbot.waitUntil(lambda: "PiecesSplit" in listener.types())
    gate.release(100)
    qtbot.wait(50)
    assert len(listener.types(job)) <= 3
    engine.tell(PauseJob(job, False))
    qtbot.waitUntil(lambda: not engine.busy)
    assert listener.types(job)[-1] == "TraceDone"


def test_a_paused_job_can_be_cancelled(start: Start, qtbot: QtBot) -> None:
    listener = start(FakeSource(steps=10_000, before_step=lambda step: time.sleep(0.001)))
    engine = listener.engine
    job = decode(listener)
    qtbot.waitUntil(lambda: len(listener.types(job)) > 1)
    engine.tell(PauseJob(job, True))
    qtbot.wait(20)
    engine.cancel(job)
    qtbot.waitUntil(lambda: not engine.busy)
    assert listener.types(job)[-1] == "JobCancelled"


def test_the_window_stays_responsive_while_a_job_runs(start: Start, qtbot: QtBot) -> None:
    listener = start(FakeSource(steps=30, before_step=lambda step: time.sleep(0.005)))
    ticks: list[int] = []
    timer = QTimer()
    timer.setInterval(1)
    timer.timeout.connect(lambda: ticks.append(len(listener.heard)))
    timer.start()
    decode(listener)
    qtbot.waitUntil(lambda: "TraceDone" in listener.types())
    timer.stop()
    # Ticks came between tokens, not after them all.
    assert len(set(ticks)) > 10


def test_closing_during_a_job_ends_the_thread(start: Start, qtbot: QtBot) -> None:
    source = FakeSource(steps=100_000, before_step=lambda step: time.sleep(0.001))
    listener = start(source)
    decode(listener)
    qtbot.waitUntil(lambda: len(listener.heard) > 2)
    heard = len(listener.heard)
    assert listener.engine.close()
    assert source.tidied.is_set()
    qtbot.wait(20)
    assert len(listener.heard) == heard
    assert not listener.engine.busy
    assert listener.engine.close()
    # A closed engine takes nothing, and says nothing.
    decode(listener)
    qtbot.wait(20)
    assert len(listener.heard) == heard


def test_a_slice_that_does_not_end_is_waited_for_only_so_long(
    start: Start, qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    gate = threading.Event()
    source = FakeSource(before_step=lambda step: gate.wait(30) and None)
    listener = start(source)
    decode(listener)
    qtbot.wait(20)
    assert not listener.engine.close(50)
    assert "did not end" in caplog.text
    gate.set()
    assert listener.engine.close()


EXIT = """
import threading
from PySide6.QtCore import QCoreApplication
from viewer.engine.engine import Engine
from viewer.document.messages.messages import OpenModel

application = QCoreApplication([])
loading = threading.Event()

def load(path):
    loading.set()
    threading.Event().wait(0.5)
    raise MemoryError
    yield

engine = Engine(load_model=load)
engine.submit(OpenModel(1, "slow"))
assert loading.wait(60)
assert not engine.close(1)
"""


def test_a_process_that_ends_during_a_slice_waits_and_does_not_abort() -> None:
    done = subprocess.run(
        [sys.executable, "-c", EXIT], capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 0, done.stderr


def test_two_hundred_starts_and_stops_at_any_moment(qtbot: QtBot) -> None:
    for cycle in range(200):
        source = FakeSource(steps=1000)
        engine = Engine(load_model=loads(lambda path, source=source: source))  # type: ignore[misc]
        listener = Listener(engine)
        engine.submit(OpenModel(engine.new_job(), "fake"))
        job = decode(listener)
        if cycle % 4 > 0:
            qtbot.waitUntil(lambda heard=listener.heard, least=cycle % 7: len(heard) > least)
        if cycle % 4 > 1:
            engine.cancel(job)
        if cycle % 4 > 2:
            decode(listener)
        assert engine.close()
        assert listener.threads <= {threading.get_ident()}


def test_a_token_that_nobody_heard_waits_for_nothing_once_it_is_closed(start: Start) -> None:
    engine = start(FakeSource(steps=3)).engine
    engine.submit(Decode(engine.new_job(), "a"))
    until = time.monotonic() + 10
    while not engine._heard.waiting and time.monotonic() < until:  # no timer's turn comes here
        QCoreApplication.sendPostedEvents(engine, QEvent.Type.MetaCall.value)
        time.sleep(0.001)
    assert engine._heard.waiting
    engine.close()
    assert not engine._heard.waiting


def test_an_id_cannot_be_used_twice_at_once(start: Start) -> None:
    listener = start(FakeSource(steps=3))
    engine = listener.engine
    request = Decode(engine.new_job(), "a")
    engine.submit(request)
    with pytest.raises(ValueError, match="not ended"):
        engine.submit(request)


def test_what_grows_leaves_half_of_the_time_to_the_model(start: Start, qtbot: QtBot) -> None:
    """Each time that it is said, this thread is kept for as long as a frame of a large model takes."""
    listener = start(FakeSource(steps=200, before_step=lambda step: time.sleep(0.002)))
    said: list[float] = []

    def draw(_: object) -> None:
        said.append(time.monotonic())
        burn(0.02)

    listener.engine.trace_grew.connect(lambda message: None if message.followed else draw(message))
    decode(listener)
    qtbot.waitUntil(lambda: "TraceDone" in listener.types())
    assert len(said) > 2
    # Twice the 0.02 s; the system may have kept this thread from its first or last turn for a moment.
    assert said[-1] - said[0] >= 0.03 * (len(said) - 1)
    assert [m.trace.steps for m in listener.heard] == [*range(201), 200]  # nothing is lost


def test_the_first_of_a_job_does_not_wait_for_its_half(
    start: Start, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    listener = start(FakeSource(steps=2, before_step=lambda step: time.sleep(0.2)))
    taken = itertools.count(step=1000)
    monkeypatch.setattr(time, "thread_time", lambda: float(next(taken)))  # always more than half
    for _ in range(2):
        decode(listener)
        qtbot.waitUntil(lambda: "TraceDone" in listener.types())
        grown = [m for m in listener.heard if type(m).__name__ == "TraceGrew"]
        assert not grown[0].followed
        listener.heard.clear()


def burn(seconds: float) -> None:
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass
