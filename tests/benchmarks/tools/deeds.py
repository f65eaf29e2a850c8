"""What a person does at the window, and listening to it; see `tests.benchmarks.waits`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from tests.benchmarks.tools.heartbeat import Heartbeat
from tests.benchmarks.tools.offscreen import application, destroy, fresh_settings, wait_until
from tests.benchmarks.tools.worker import ROOT

LIMIT_MS = 50.0
MODEL = ROOT / "resources" / "models" / "en-fr"
LONG = (
    "The young woman did not want to buy a red car because her brother gave it to an old man with a little "
    "dog who read books in the big house near the school every day and the children saw him there when they "
    "came home tired but happy."
)
SHORT = "The little girl gave her brother a red apple."
_LISTEN_S = 0.5


@dataclass(frozen=True)
class Deed:
    """Something that a person does.

    Attributes:
        what: in words.
        act: does it, called from the event loop.
        over: whether what came of it is over; at once by default.
        held: seconds for which something else keeps the window's thread, before anybody listens.
    """

    what: str
    act: Callable[[], object]
    over: Callable[[], bool] = lambda: True
    held: float = 0.0


Deeds = Iterator[Deed]


class Bench:
    """A window, and what the groups share."""

    def __init__(self, folder: Path, *, ahead: bool, model: Path = MODEL) -> None:
        application()
        from viewer.app import Program

        self.folder, self.model = folder, model
        self.program = Program(fresh_settings(folder), theme="light", language="en")
        self.session, self.window = self.program.session, self.program.window
        self.window.resize(1440, 900)
        self.window.show()
        if ahead:
            self.program.beforehand.start()

    def rests(self) -> bool:
        """Whether nothing goes on."""
        run = self.session.run()
        reading = self.program.conductor.readings.busy
        asking = reading or self.session.job.busy or self.session.loading is not None
        return not asking and (run is None or not run.live) and not self.window.exporting.writing.jobs

    def has_model(self) -> bool:
        """Whether one is open, and nothing goes on."""
        return self.session.model is not None and self.rests()

    def open_model(self) -> None:
        """Open the model, outside of what is measured."""
        self.window.path_asked.emit(str(self.model))
        wait_until(self.has_model)

    def translate(self, text: str) -> None:
        """As Enter does."""
        from viewer.document.messages.requests import Translate

        self.session.set_text(text)
        self.session.ask(Translate({"mode": "greedy"}))

    def trigger(self, name: str) -> None:
        """An entry of the menus."""
        self.window.actions_[name].trigger()

    def close_others(self) -> None:
        """Close whatever stands over the window."""
        for widget in QApplication.topLevelWidgets():
            if widget is not self.window and widget.isVisible():
                widget.close()

    def pass_time(self, seconds: float) -> None:
        """Let the window be."""
        end = time.monotonic() + seconds
        wait_until(lambda: time.monotonic() > end, seconds + 60)

    def end(self) -> None:
        """Close it."""
        self.window.close()
        self.program.shut_down()
        destroy(self.window)


def listened(
    bench: Bench, deed: Deed, heartbeat: Heartbeat, seconds: float = 120.0, listen: float = _LISTEN_S
) -> dict[str, float]:
    """Do it and listen until it is over, at most `seconds`, and `listen` seconds more."""
    done = False

    def act() -> None:
        nonlocal done
        if not deed.held:
            heartbeat.begin()
        deed.act()
        if deed.held:
            QTimer.singleShot(20, hold)
        done = True

    def hold() -> None:
        time.sleep(deed.held)
        heartbeat.begin()

    began = time.monotonic()
    QTimer.singleShot(0, act)
    wait_until(lambda: done and deed.over(), seconds)
    took = time.monotonic() - began
    bench.pass_time(listen)
    heartbeat.end()
    longest = heartbeat.longest
    return {"wall": longest.wall, "cpu": longest.cpu, "over": heartbeat.over, "seconds": took}
