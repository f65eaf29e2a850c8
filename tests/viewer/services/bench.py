"""A session whose requests are answered by a real engine, without a window."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from tests.viewer.fake_source import FakeSource, loads
from viewer.document.document import Run
from viewer.document.job_status import JobStatus
from viewer.document.messages.messages import ModelOpened, OpenModel, TraceGrew
from viewer.document.messages.requests import Translate
from viewer.document.session import Session
from viewer.engine.engine import Engine
from viewer.services.explorer import Explorer
from viewer.services.job_board import JobBoard


class Gate:
    """Lets a model make so many tokens; open for all of them at first."""

    def __init__(self) -> None:
        self._moved = threading.Condition()
        self._permits = 1_000_000

    def shut(self, permits: int = 0) -> None:
        with self._moved:
            self._permits = permits

    def let(self, permits: int = 1_000_000) -> None:
        # A semaphore of Python gives its permits one by one: a fifth of a second for so many.
        with self._moved:
            self._permits += permits
            self._moved.notify_all()

    def __call__(self, step: int) -> None:
        with self._moved:
            assert self._moved.wait_for(lambda: self._permits > 0, timeout=20)
            self._permits -= 1


class Bench(QObject):
    """Session, engine and explorer.

    Attributes:
        statuses: all that `Session.job` was.
        grown: the tokens of each `TraceGrew`.
    """

    def __init__(self, qtbot: QtBot, engine: Engine) -> None:
        super().__init__()
        self.qtbot, self.engine = qtbot, engine
        self.session = Session(self)
        self.board = JobBoard(self.session)
        self.explorer = Explorer(self.session, engine, self.board, self)
        self.statuses: list[JobStatus] = []
        self.grown: list[list[int]] = []
        engine.model_opened.connect(self._opened)
        engine.trace_grew.connect(self._grew)
        self.session.job_changed.connect(self._job_changed)
        self.session.set_text("a b")

    def _opened(self, message: ModelOpened) -> None:
        self.session.set_model(message.info)

    def _grew(self, message: TraceGrew) -> None:
        self.grown.append(list(map(int, message.trace.tgt_out_ids)))

    def _job_changed(self) -> None:
        self.statuses.append(self.session.job)

    def open(self, path: str) -> None:
        self.engine.submit(OpenModel(self.engine.new_job(), path))
        self.wait(lambda: self.session.model is not None)

    def wait(self, reached: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(reached, timeout=20_000)

    def idle(self) -> None:
        self.wait(lambda: not self.engine.busy)
        assert self.session.job == JobStatus()

    def translate(self, **decoding: Any) -> Run:
        self.session.ask(Translate({"mode": "greedy", **decoding}))
        self.idle()
        return self.runs[-1]

    @property
    def runs(self) -> tuple[Run, ...]:
        return self.session.document.runs

    def tokens(self, run: Run | None = None) -> list[int]:
        run = self.session.run() if run is None else run
        assert run is not None
        return list(map(int, run.trace.tgt_out_ids))

    def shown(self) -> list[tuple[str, int]]:
        return [(pane.run_id, pane.selection.step) for pane in self.session.document.panes]

    def notice(self) -> str:
        notice = self.session.notice
        return "" if notice is None else notice.code


class FakeBench(Bench):
    """On a model of numpy, whose tokens a gate lets through."""

    def __init__(self, qtbot: QtBot, source: FakeSource, gate: Gate) -> None:
        super().__init__(qtbot, Engine(load_model=loads(lambda path: source), threads=1))
        self.source, self.gate = source, gate


@contextmanager
def fake_bench(qtbot: QtBot) -> Iterator[FakeBench]:
    """On five tokens a translation, the model open; ended behind the test."""
    gate = Gate()
    bench = FakeBench(qtbot, FakeSource(steps=5, before_step=gate), gate)
    bench.open("fake")
    yield bench
    gate.let()
    assert bench.engine.close()
