"""The way from a key to the picture: through how many files it leads, and how often a token is wrapped on it.

A file is on the way if one of its functions waits on the stack where the work is handed on: a request is
submitted, a token is made in the other thread, the document that has it is taken, its map is drawn. What
those functions only ask (what an edit makes of a document, how a cell is painted) is not counted, nor is what
stands around all that Qt calls: the guard, and the turn of the loop that work has to itself.
"""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

import viewer
from model.decoding.decoding import DecodeEvent
from model.trace.trace import Trace
from tests.assets import SENTENCE
from tests.viewer.driving import Driver, start
from tests.viewer.fake_source import FakeSource, loads
from tests.viewer.fake_training import OPTIONS, FakeTools
from viewer.document.document import Document
from viewer.document.messages.messages import TraceGrew
from viewer.document.messages.training_requests import StartRun
from viewer.document.session import Session
from viewer.document.training.training import Training
from viewer.engine.collector import Collector
from viewer.engine.engine import Engine
from viewer.engine.scheduler import Scheduler
from viewer.engine.training_job import TrainingJob
from viewer.pages.look.map.map_view import MapView
from viewer.pages.train.live.live_strip import LiveStrip
from viewer.pages.widgets.appearance import Appearance
from viewer.services.decodings import Decodings
from viewer.services.training_conductor import TrainingConductor
from viewer.window.settings import Settings

_ROOT = Path(viewer.__file__).parents[1]
_AROUND = ("viewer/guarded.py", "viewer/own_turn.py")
MOST_FILES, MOST_FILES_OF_TRAINING = 13, 9
"""Up to the widget that draws, which hands its picture to the figures."""


def on_the_stack(frame: FrameType | None) -> Iterator[str]:
    """The files of ours whose functions wait for this one, the nearest first."""
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(_ROOT / "viewer") or path.is_relative_to(_ROOT / "model"):
            yield path.relative_to(_ROOT).as_posix()
        frame = frame.f_back


class Way:
    """The files that a piece of work came through, as far as `watch`ed functions saw them.

    Attributes:
        files: in the order in which they were met, in whatever thread.
        seen: the functions that were called.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._patch = monkeypatch
        self._lock = threading.Lock()
        self.files: dict[str, None] = {}
        self.seen: set[str] = set()
        self.open = False

    def watch(self, owner: Any, name: str, wanted: Callable[..., bool] = lambda *args: True) -> None:
        """Note who waits whenever this is called while the way is open."""
        original = getattr(owner, name)

        @functools.wraps(original)
        def watched(*args: Any, **kwargs: Any) -> Any:
            if self.open and wanted(*args):
                with self._lock:
                    self.seen.add(f"{owner.__name__}.{name}")
                    self.files |= dict.fromkeys(on_the_stack(sys._getframe(1)))
            return original(*args, **kwargs)

        self._patch.setattr(owner, name, watched)

    def passed(self) -> list[str]:
        return sorted(file for file in self.files if file not in _AROUND)


@pytest.fixture
def way(monkeypatch: pytest.MonkeyPatch) -> Way:
    return Way(monkeypatch)


@pytest.fixture
def driver(qtbot: QtBot, tmp_path: Path, way: Way) -> Iterator[Driver]:
    driver = start(qtbot, tmp_path)
    yield driver
    driver.window.close()
    assert driver.program.ended


def of_a_widget(path: str) -> bool:
    return path.startswith(("viewer/pages/", "viewer/window/"))


def grown(document: Document, known: set[str]) -> bool:
    """Whether it has tokens of another run; all of them at once, if the worker was faster than the window."""
    return any(run.id not in known and run.trace.steps > 0 for run in document.runs)


def test_a_sentence_comes_to_its_map_through_few_files(driver: Driver, tiny_bundle: Path, way: Way) -> None:
    driver.open(tiny_bundle)
    driver.wait(driver.translated)
    session, box = driver.session, driver.page.sentence.box
    QTest.keyClicks(box, SENTENCE)
    way.watch(Engine, "submit", lambda _, request: hasattr(request, "config"))
    way.watch(DecodeEvent, "__init__")
    way.watch(TraceGrew, "__init__")
    known = {run.id for run in session.document.runs}
    way.watch(Session, "_take", lambda _, after: grown(after, known))
    before = session.run()
    # Tokens may come faster than frames: the first frame of the new run may be of its end.
    way.watch(
        MapView,
        "draw",
        lambda *_: (run := session.run()) is not before and run is not None and run.trace.steps > 0,
    )
    way.open = True
    QTest.keyClick(box, Qt.Key.Key_Return)
    driver.wait(lambda: "MapView.draw" in way.seen)
    way.open = False

    assert len(way.seen) == 5
    assert len(way.passed()) <= MOST_FILES, way.passed()
    driver.wait(driver.translated)


def test_a_token_is_wrapped_three_times(
    driver: Driver, tiny_bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the decoding, for the way between the threads, and as a run of the document."""
    driver.open(tiny_bundle)
    driver.wait(driver.translated)
    made: set[str] = set()
    holders: list[Any] = []  # kept, so that none gets the identity of another

    def note(frame: FrameType, event: str, arg: object) -> None:
        code = frame.f_code
        if event != "call" or code.co_name != "__init__" or code.co_filename != "<string>":
            return  # no dataclass is made
        values = [value for name, value in frame.f_locals.items() if name != "self"]
        values += [one for value in values if isinstance(value, tuple) for one in value]
        if any(isinstance(value, Trace) or any(value is one for one in holders) for value in values):
            holder = frame.f_locals["self"]
            if not isinstance(holder, Trace) and not any(map(of_a_widget, on_the_stack(frame))):
                holders.append(holder)
                made.add(type(holder).__name__)

    def profiled(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            before = sys.getprofile()
            sys.setprofile(note)
            try:
                return original(*args, **kwargs)
            finally:
                sys.setprofile(before)

        return call

    monkeypatch.setattr(Scheduler, "run_slice", profiled(Scheduler.run_slice))
    monkeypatch.setattr(Decodings, "_put", profiled(Decodings._put))
    driver.translate(SENTENCE)

    assert made - {"TraceDone", "Document"} == {"DecodeEvent", "TraceGrew", "Run"}


def test_a_button_comes_to_a_run_and_its_event_back_through_few_files(
    qtbot: QtBot, tmp_path: Path, way: Way
) -> None:
    gate = threading.Event()
    tools = FakeTools(steps=3, before_step=lambda step: gate.wait(20) if step == 2 else None)
    engine = Engine(load_model=loads(FakeSource), threads=1, tools=tools)
    training, settings = Training(), Settings(str(tmp_path / "settings.ini"))
    conductor = TrainingConductor(training, engine, settings, lambda *used: None)
    strip = LiveStrip(training, Appearance("light"))
    qtbot.addWidget(strip)
    way.watch(Engine, "tell")
    way.watch(TrainingJob, "tell")
    way.watch(Collector, "offer")
    way.watch(Training, "take")
    way.watch(LiveStrip, "refresh")
    training.ask(StartRun(OPTIONS, str(tmp_path / "out")))
    qtbot.waitUntil(lambda: training.start is not None, timeout=20_000)
    way.open = True
    strip.stop.click()
    gate.set()
    qtbot.waitUntil(lambda: training.phase == "ended", timeout=20_000)
    way.open = False
    conductor.deleteLater()
    assert engine.close()

    assert len(way.seen) == 5
    assert len(way.passed()) <= MOST_FILES_OF_TRAINING, way.passed()
