"""Memory of the real window over a long sitting: does it stay?

The program as it is (window, session, engine, autosave) without a screen. It translates sentences of random
words, opens traces each of which is larger than what is read at once, and is then used by a seeded monkey
that presses keys and buttons. Told after every fifth of each part: what the process has in memory, open
descriptors, threads, Qt objects and Python objects.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from unittest import mock

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QMenu, QMessageBox, QWidget

from model.inspection import readings
from model.lru_cache import LruCache
from model.trace.trace import ArrayPatterns
from model.trace.trace_file import FilePatterns
from tests.benchmarks.made_up_trace import write_made_up_trace
from tests.benchmarks.memory import resident
from tests.benchmarks.offscreen import application, fresh_settings, wait_until
from viewer.app import Program
from viewer.document import edits, session
from viewer.document.history import History
from viewer.document.messages.requests import Translate
from viewer.engine import translator_source

FIFTHS = 5
TRACE_TOKENS = 48  # 1.3 MB: larger than what is read at once and let go of
_TEXT = (
    "the young woman did not want to buy a red car because her brother gave it old little dog house we read "
    "books in school every day and he sees them near station when they come home tired but happy"
)
_COLUMNS = 8
_FEW, _FEW_BYTES = 5, 2 << 20
_SETTLE_S = 0.7  # the window's own collector comes every half second


@dataclass(frozen=True)
class Tally:
    """What the process holds.

    Attributes:
        part, done: which part of the sitting, and how many of its rounds are over.
        bytes: in memory.
        descriptors: open files, pipes, sockets; 0 where the system does not say.
        traces: sets of patterns that somebody still refers to: those of runs, of steps back, of pictures.
    """

    part: str
    done: int
    bytes: int
    descriptors: int
    threads: int
    widgets: int
    traces: int
    objects: int

    def __str__(self) -> str:
        return (
            f"{self.part:<12} {self.done:>6,} {self.bytes / 1e6:>9,.1f} {self.descriptors:>6} "
            f"{self.threads:>7} {self.widgets:>8,} {self.traces:>7,} {self.objects:>10,}"
        )


def read_tallies(text: str) -> list[Tally]:
    """The tallies in what this program printed."""
    told = []
    for line in text.splitlines():
        words = line.replace(",", "").split()
        if len(words) == _COLUMNS and words[1].isdecimal():
            done, size, *counts = words[1:]
            told.append(Tally(words[0], int(done), round(1e6 * float(size)), *map(int, counts)))
    return told


HEAD = (
    f"{'part':<12} {'done':>6} {'MB':>9} {'files':>6} {'threads':>7} {'widgets':>8} {'traces':>7} "
    f"{'objects':>10}"
)


def descriptors() -> int:
    """How many descriptors this process has open, 0 where the system does not say."""
    try:
        return len(os.listdir("/proc/self/fd"))
    except OSError:
        return 0


def tally(part: str, done: int) -> Tally:
    """What the process holds once the window has had the time to let go."""
    end = time.monotonic() + _SETTLE_S
    wait_until(lambda: time.monotonic() > end)
    gc.collect()
    objects = gc.get_objects()
    traces = sum(type(each) in (ArrayPatterns, FilePatterns) for each in objects)
    return Tally(
        part, done, resident(), descriptors(), threading.active_count(), len(QApplication.allWidgets()),
        traces, len(objects),
    )  # fmt: skip


class Sitting:
    """A person at the window for a long time.

    Args:
        folder: for settings and traces.
        model: a bundle's folder.
        seed: the same seed types the same, and presses the same.
        tell: hears each line.
    """

    def __init__(self, folder: Path, model: Path, seed: int, *, tell: Callable[[str], None] = print) -> None:
        application()
        self._folder, self._tell = folder, tell
        self._random = random.Random(seed)
        self.program: Program = Program(fresh_settings(folder), theme="light", language="en")
        self.program.window.resize(1440, 900)
        self.program.window.show()
        self.program.window.path_asked.emit(str(model))
        wait_until(lambda: self.program.session.model is not None and self._rests())
        self.start = tally("start", 0)
        tell(HEAD)
        tell(str(self.start))

    def _rests(self) -> bool:
        run = self.program.session.run()
        return not self.program.session.job.busy and (run is None or not run.live)

    def _sentence(self) -> str:
        return " ".join(self._random.choices(_TEXT.split(), k=self._random.randint(4, 14))).capitalize() + "."

    def fifths(self, part: str, rounds: int, act: Callable[[int], None]) -> list[Tally]:
        """Act so often; what is held after each fifth."""
        told = []
        marks = {rounds * fifth // FIFTHS for fifth in range(1, FIFTHS + 1)}
        for number in range(1, rounds + 1):
            act(number)
            if number in marks:
                told.append(tally(part, number))
                self._tell(str(told[-1]))
        return told

    def translate(self, rounds: int) -> list[Tally]:
        """Sentences typed and translated."""
        session = self.program.session

        def act(_: int) -> None:
            before = session.document.runs
            session.set_text(self._sentence())
            session.ask(Translate({"mode": "greedy"}))
            wait_until(lambda: session.document.runs is not before and self._rests())

        return self.fifths("translate", rounds, act)

    def open_traces(self, rounds: int) -> list[Tally]:
        """Files of their own, each opened and each head of it looked at."""
        session = self.program.session
        first = self._folder / "0.trace"
        write_made_up_trace(first, TRACE_TOKENS)
        content = first.read_bytes()

        def act(number: int) -> None:
            path = self._folder / f"{number}.trace"
            path.write_bytes(content)
            self.program.window.path_asked.emit(str(path))
            session.select_head(number % 6, number % 8)
            wait_until(self._rests)

        return self.fifths("traces", rounds, act)

    def monkey(self, rounds: int) -> list[Tally]:
        """Keys and buttons at random; what asks something is closed again."""
        # A menu or a question waits in an event loop of its own: only a timer is heard there.
        closer = QTimer()
        closer.timeout.connect(_close_what_waits)
        closer.start(200)
        with _no_questions():
            return self.fifths("monkey", rounds, self._press)

    def _press(self, number: int) -> None:
        window, choose = self.program.window, self._random.choice
        if number % 20 == 0:
            window.pages.show_page(self._random.randrange(4))
        if self._random.random() < 0.1:
            self.program.session.set_text(self._sentence())
        buttons = [
            button for button in window.findChildren(QAbstractButton)
            if button.isVisible() and button.isEnabled() and not getattr(button, "menu", lambda: None)()
        ]  # fmt: skip
        if self._random.random() < 0.5 and buttons:
            choose(buttons).click()
        else:
            key = choose([getattr(Qt.Key, f"Key_{name}") for name in _KEYS])
            control = self._random.random() < 0.15 and key in _WITH_CONTROL
            modifier = Qt.KeyboardModifier.ControlModifier if control else Qt.KeyboardModifier.NoModifier
            QTest.keyClick(QApplication.focusWidget() or window, key, modifier)
        target = choose([widget for widget in window.findChildren(QWidget) if widget.isVisible()])
        QTest.mouseMove(target, QPoint(target.width() // 2, target.height() // 2))
        end = time.monotonic() + 0.03
        wait_until(lambda: time.monotonic() > end)
        for widget in QApplication.topLevelWidgets():
            if widget is not window and widget.isVisible():
                widget.close()

    def end(self) -> None:
        """Close the window."""
        self.program.window.close()
        self.program.shut_down()


_KEYS = (
    "Left", "Right", "Up", "Down", "Home", "End", "PageUp", "PageDown", "Tab", "Escape", "Space", "Return",
    "A", "B", "C", "D", "E", "F", "G", "H", "L", "M", "N", "P", "R", "S", "T", "V", "W", "Z", "1", "2", "3",
)  # fmt: skip
_WITH_CONTROL = (Qt.Key.Key_Z, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_C, Qt.Key.Key_B)


def _close_what_waits() -> None:
    waiting = QApplication.activePopupWidget() or QApplication.activeModalWidget()
    if waiting is not None:
        waiting.close()


@contextmanager
def small_bounds() -> Iterator[None]:
    """The window's bounds made small, so that they are reached soon: then nothing may grow at all."""

    def cache(most: int, alone: int) -> LruCache[object]:
        return LruCache(_FEW_BYTES)

    with (
        mock.patch.object(edits, "trimmed", partial(edits.trimmed, most_runs=_FEW)),
        mock.patch.object(session, "History", partial(History, _FEW)),
        mock.patch.object(translator_source, "LruCache", cache),
        mock.patch.object(readings, "LruCache", cache),
    ):
        yield


@contextmanager
def _no_questions() -> Iterator[None]:
    """Dialogs that would wait for an answer are answered at once: nobody is there."""
    nothing, no = mock.Mock(return_value=("", "")), mock.Mock(return_value=QMessageBox.StandardButton.No)
    with (
        mock.patch.object(QFileDialog, "getSaveFileName", nothing),
        mock.patch.object(QFileDialog, "getOpenFileName", nothing),
        mock.patch.object(QFileDialog, "getExistingDirectory", mock.Mock(return_value="")),
        mock.patch.object(QMessageBox, "question", no),
        mock.patch.object(QMessageBox, "warning", no),
        mock.patch.object(QMenu, "exec", mock.Mock(return_value=None)),
    ):
        yield


def main() -> None:
    """Sit through it and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, default=Path("resources/models/en-fr"))
    parser.add_argument("--translations", type=int, default=2000)
    parser.add_argument("--traces", type=int, default=300)
    parser.add_argument("--monkey", type=int, default=20_000, help="keys and buttons pressed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--small-bounds", action="store_true", help="reach the bounds of what is kept soon")
    options = parser.parse_args()
    print(f"seed {options.seed}")
    bounds = small_bounds() if options.small_bounds else nullcontext()
    with tempfile.TemporaryDirectory() as name, bounds:
        sitting = Sitting(Path(name), options.model, options.seed, tell=lambda line: print(line, flush=True))
        sitting.translate(options.translations)
        sitting.open_traces(options.traces)
        sitting.monkey(options.monkey)
        sitting.end()


if __name__ == "__main__":
    sys.exit(main())
