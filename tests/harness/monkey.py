"""Monkey: presses keys and buttons of the real window at random, and tells what broke it.

It works in a process of its own, whose home is a folder of its own, so that a crash is told as well. The
same seed draws the same deeds; what they meet depends on how far the work under way has come, and with
`--calm` each waits until that is done.

    python -m tests.harness.monkey --seed 7 --actions 300
    python -m tests.harness.monkey --seed 1 --minutes 30 --platform xcb
"""

from __future__ import annotations

import argparse
import faulthandler
import gc
import os
import random
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from tests.harness.deeds import Deed
    from tests.harness.watch import Lateness, Tally, Watch
    from viewer.app import Program

ROOT = Path(__file__).resolve().parents[2]
LAST = 30
HANG_S, REST_S, CLOSING_S, LOOP_S, OPENING_S, THREADS_S = 240.0, 3.0, 20.0, 0.15, 60.0, 30.0
"""Until the main thread is given up; waited for work under way; for what asks something at the end to go;
until a deed that has not come back is taken for one that waits in an event loop of its own; for a model; for
threads that a window leaves behind."""
MOST_DESCRIPTORS, MOST_TASKS = 200, 80
TRAIL, _ERRORS = "trail.txt", "stderr.txt"
SIZE = (1440, 900)
_BEHIND = 4  # deeds that are told with a long turn
_PAUSES_MS = (0, 0, 5, 20, 20, 60, 200)


class Monkey:
    """At the window.

    Args:
        home: an empty folder but for what `goods.make` wrote into its `goods`.
        model: the bundle that windows begin with.
        tell: hears tallies.
        calm: wait before each deed until nothing is under way.
        go_on: do not stop at the first fault.
        trail: gets a line before each deed.

    Attributes:
        program: of the window that is open.
        model: as given.
        faults: what went wrong, each with the number of the deed.
    """

    def __init__(
        self,
        home: Path,
        model: Path,
        seed: int,
        *,
        tell: Callable[[str], None] = print,
        calm: bool = False,
        go_on: bool = False,
        trail: TextIO | None = None,
        where: float = 0.0,
    ) -> None:
        from PySide6.QtCore import QTimer

        from tests.benchmarks.tools.offscreen import application
        from tests.harness.goods import Goods
        from tests.harness.watch import Lateness, Watch

        faulthandler.enable()
        self._application = application()
        self._application.setQuitOnLastWindowClosed(False)
        self._home, self.model, self._seed = home, model, seed
        self._tell, self._calm, self._go_on, self._trail = tell, calm, go_on, trail
        self.folder = home / "out"
        self.folder.mkdir(exist_ok=True)
        self.goods = Goods(home / "goods", model)
        self.faults: list[str] = []
        self._lately: deque[str] = deque(maxlen=LAST)
        self.watch: Watch = Watch(self._heard)
        self.lateness: Lateness = Lateness(where, self._late)
        self.number = self._depth = 0
        self._began = self._asked = time.monotonic()
        self._resting = self._closed = False
        self._part, self._marks, self._tallies = "monkey", list[float](), list["Tally"]()
        # One for all deeds: PySide keeps something of each `QTimer.singleShot` for as long as its object.
        self._timer = QTimer()
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._next)
        self.program: Program = self._open()

    # The window.

    def _open(self) -> Program:
        from tests.benchmarks.tools.offscreen import fresh_settings
        from viewer.app import Program

        self._closed = False
        program = Program(fresh_settings(self._home), theme="light", language="en")
        program.window.closing.connect(self._has_closed)
        program.session.notice_changed.connect(self._noticed)
        program.conductor.start(self.model)
        program.window.show()
        program.autosave.offer()
        program.beforehand.start()
        return program

    def _has_closed(self) -> None:
        self._closed = True

    def _noticed(self) -> None:
        notice = self.program.session.notice
        if notice is not None and notice.code == "internal":
            self.watch.fault(f"notice: {notice.sentence()}")

    def _late(self, where: str) -> None:
        """The window's thread took long; behind these deeds."""
        self._tell("\n  ".join((where, *[*self._lately][-_BEHIND:])))

    def reopen(self) -> None:
        """Close the window; another is opened once it has closed, which may take until a run is saved."""
        self.program.window.close()

    def make_all(self) -> None:
        """What idle moments would: whether a window is young does not tell whether anything stays."""
        for ahead in (self.program.window.pages.ahead(), self.program.window.palette_.ahead()):
            for _ in ahead:
                pass

    def _another(self) -> None:
        from tests.benchmarks.tools.offscreen import destroy, let_go

        self.program.shut_down()
        let_go(self.program.window)
        destroy(self.program)
        del self.program
        # Elsewhere the process ends with its window. Here the next program leaves what there is out of later
        # collections (`GcGuard.freeze`), and the whole of this one with it unless it goes now.
        gc.collect()
        self.program = self._open()
        self.lateness.skip()  # a person would wait for a start here

    @property
    def rests(self) -> bool:
        """Whether nothing is under way but training."""
        program, run = self.program, self.program.session.run()
        going = program.session.job.busy or program.conductor.readings.busy
        return not going and (run is None or not run.live)

    @property
    def is_own(self) -> bool:
        """Whether the model in view is the one that windows begin with."""
        model = self.program.session.model
        return model is not None and Path(model.path) == self.model

    # Acting.

    def act(self, actions: int, seconds: float, part: str = "monkey", *, alike: bool = False) -> list[Tally]:
        """Do so many deeds (0: any number) within so many seconds (0: any); what is held after each fifth.

        Args:
            alike: close the window before each tally and count with another: which runs, panels and caches
                of a model one happens to have tells nothing about what stays.
        """
        from tests.harness import doors
        from tests.harness.watch import FIFTHS

        rng = random.Random(f"{self._seed} paths")
        self._until = self.number + actions if actions else sys.maxsize
        self._end = time.monotonic() + seconds if seconds else float("inf")
        start, whole = (self.number, actions) if actions else (time.monotonic(), seconds)
        self._marks = [start + whole * fifth / FIFTHS for fifth in range(1, FIFTHS + 1)]
        self._by_number, self._alike, self._part, self._tallies = bool(actions), alike, part, []
        with doors.shut(
            lambda: str(self.goods.damaged(rng) if rng.random() < 0.4 else self.goods.sound(rng)),
            lambda start: str(self.folder / (Path(start).name or f"f{rng.randrange(20)}.png")),
            lambda: str(self.goods.sound(rng, ("bundle", "session"))),
        ):
            self._later(0)
            self._application.exec()
        self.lateness.doing = "rest"
        faulthandler.cancel_dump_traceback_later()
        return self._tallies

    def _over(self) -> bool:
        stop = bool(self.faults) and not self._go_on
        return stop or self.number >= self._until or time.monotonic() > self._end

    def _later(self, milliseconds: int) -> None:
        self._timer.start(milliseconds)

    def _next(self) -> None:
        """The next deed; in the event loop of a menu or of a question as well, where the last one waits."""
        now = time.monotonic()
        if self._depth and not (now - self._began > LOOP_S and _asks()):
            self._later(10)  # Qt's own test functions look for events, too
            return
        if self._over():
            self._end_all(now)
            return
        if self._resting and not self.rests and now - self._asked < REST_S:
            self._later(20)
            return
        if not self._depth:
            if self._closed:
                self._another()
            self._count(now)
        self._do()

    def _do(self) -> None:
        from tests.harness.deeds import DEEDS

        faulthandler.dump_traceback_later(HANG_S, exit=True)
        self.number += 1
        rng = random.Random(f"{self._seed} {self.number}")
        deeds = list(DEEDS)
        deed = rng.choices(deeds, [each.weight for each in deeds])[0]
        if self._depth > 2 or (not deed.anywhere and _asks()):
            deed = next(each for each in deeds if each.name == "escape")
        pause = rng.choice(_PAUSES_MS)
        self._resting = self._calm or rng.random() < 0.25
        # Before it is done: if it asks something, it comes back only when somebody has answered.
        self._later(pause)
        self._began = self._asked = time.monotonic()
        self.lateness.doing, self.lateness.number = deed.name, self.number
        self._note(deed, rng)
        self._asked = time.monotonic()
        self._check()

    def _note(self, deed: Deed, rng: random.Random) -> None:
        number = self.number
        self._write(f"{number} {deed.name}")
        self._depth += 1
        try:
            self._write(f"{number} {deed.name}: {deed.do(self, rng)}")
        except RuntimeError as error:
            # What the monkey looked at is gone by the time it acts.
            if "already deleted" not in str(error) or not _is_ours(error):
                raise
        finally:
            self._depth -= 1

    def _write(self, line: str) -> None:
        line = line.replace("\n", "\\n").encode("utf-8", "replace").decode()
        self._lately.append(line)
        if self._trail is not None:
            self._trail.write(line + "\n")
            self._trail.flush()

    def _check(self) -> None:
        if self.number % 20 == 0:
            from tests.harness.watch import descriptors, tasks

            if descriptors() > MOST_DESCRIPTORS:
                self.watch.fault(f"{descriptors()} descriptors are open")
            if tasks() > MOST_TASKS:
                self.watch.fault(f"{tasks()} threads")

    def _heard(self, what: str) -> None:
        if any(what == fault.partition(": ")[2] for fault in self.faults):
            return
        self.faults.append(f"deed {self.number}: {what}")
        self._tell("\n  ".join((f"FAULT after deed {self.number}: {what}", *self._lately)))

    def _count(self, now: float) -> None:
        """A tally at each fifth."""
        from tests.harness.watch import tally

        reached = self.number if self._by_number else now
        if self._marks and reached >= self._marks[0]:
            self._marks.pop(0)
            if self._alike:
                self._renew()
            self.make_all()
            self.lateness.skip()
            self._tallies.append(tally(self._part, self.number, self.program.session.held_bytes))
            self._tell(str(self._tallies[-1]))
            self.lateness.skip()

    def _renew(self) -> None:
        """Another window in place of this one, as it was at the beginning, with the model's example."""
        from tests.benchmarks.tools.offscreen import wait_until

        self._close()
        self._another()
        window = self.program.window
        window.resize(*SIZE)
        window.pages.show_look()
        window.pages.look.show_panels("", None)
        try:
            wait_until(lambda: self.is_own and self.rests, OPENING_S)
        except TimeoutError:
            self.watch.fault("the window does not come to rest")
        end = time.monotonic() + THREADS_S
        wait_until(lambda: not _others() or time.monotonic() > end)
        if _others():
            self._tell("counted beside " + ", ".join(_others()))

    def _end_all(self, now: float) -> None:
        """Whatever waits for an answer goes, then the deeds come back."""
        from PySide6.QtWidgets import QApplication

        if not self._depth:
            if self._marks and (self._go_on or not self.faults):
                self._marks = [0.0]
                self._count(now)
            self._application.exit(0)  # `quit` would close the windows
            return
        over = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if over is not None:
            over.close()
        if now - self._began > CLOSING_S:
            self.watch.fault("what waited for an answer did not go")
            os._exit(1)
        self._later(20)

    def leave(self) -> None:
        """Close the window, and end."""
        self._close()
        self.program.shut_down()
        if not self.program.ended:
            self.watch.fault("the background thread does not end")

    def _close(self) -> None:
        from tests.benchmarks.tools.offscreen import wait_until

        for _ in range(3):  # the first may be held up until a run is saved
            self.program.window.close()
            if self._closed:
                break
            try:
                wait_until(lambda: self._closed, 20)
            except TimeoutError:
                continue
        if not self._closed:
            self.watch.fault("the window does not close")


def _others() -> list[str]:
    """Threads of Python's beside this one; of Qt's it keeps the names of those that have ended."""
    these = (threading.main_thread().__class__, threading._DummyThread)
    return [each.name for each in threading.enumerate() if not isinstance(each, these)]


def _asks() -> bool:
    from PySide6.QtWidgets import QApplication

    return (QApplication.activePopupWidget() or QApplication.activeModalWidget()) is not None


def _is_ours(error: BaseException) -> bool:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and "harness" in trace.tb_frame.f_code.co_filename


def _inside(options: argparse.Namespace) -> int:
    """The process that is driven."""
    from tests.harness.watch import HEAD, tally
    from viewer.commands.window import prepare

    prepare()
    home = options.inside
    with (home / TRAIL).open("w", encoding="utf-8") as trail:
        monkey = Monkey(
            home, options.model, options.seed, tell=lambda line: print(line, flush=True),
            calm=options.calm, go_on=options.go_on, trail=trail, where=options.where,
        )  # fmt: skip
        print(HEAD)
        print(tally("start", 0), flush=True)
        monkey.lateness.skip()
        monkey.lateness.doing = "rest"
        monkey.act(options.actions, 60 * options.minutes)
        if not monkey.faults or options.go_on:
            monkey.leave()
    print("\n".join(monkey.lateness.lines()), flush=True)
    sys.stdout.flush()
    sys.stderr.flush()
    # Not through the interpreter's end: what there is of Qt would go in any order.
    os._exit(1 if monkey.faults else 0)


def drive(options: argparse.Namespace) -> int:
    """One seed in a process of its own; 0 if nothing broke it. What did is printed with the seed."""
    from tests.harness import doors, goods
    from tests.harness.watch import HARMLESS

    with tempfile.TemporaryDirectory(prefix="monkey") as name:
        home = Path(name)
        (home / TRAIL).touch()
        goods.make(home / "goods")
        words = ["--model", str(options.model.resolve())]
        for word in ("seed", "actions", "minutes", "platform", "where"):
            words += [f"--{word}", str(getattr(options, word))]
        words += [f"--{flag.replace('_', '-')}" for flag in ("calm", "go_on") if getattr(options, flag)]
        with (home / _ERRORS).open("wb") as errors:
            status = doors.run_inside("tests.harness.monkey", words, home, options.platform, errors)
        said = (home / _ERRORS).read_text("utf-8", "replace").splitlines()
        said = [line for line in said if not any(each in line for each in HARMLESS)]
        if not status and not said:
            print(f"seed {options.seed}: nothing broke", flush=True)
            return 0
        print(f"seed {options.seed}: BROKEN, status {status}; again with {' '.join(words)}")
        print("standard error:", *said[-120:], sep="\n  ")
        trail = (home / TRAIL).read_text("utf-8", "replace").splitlines()
        print("the last deeds:", *trail[-LAST:], sep="\n  ", flush=True)
        return 1


def main() -> int:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=1, help="so many, from --seed on, one after the other")
    parser.add_argument("--actions", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=0.0)
    parser.add_argument("--model", type=Path, default=ROOT / "resources/models/en-fr")
    parser.add_argument("--platform", default="offscreen", help="Qt's: offscreen, or xcb under Xvfb")
    parser.add_argument("--calm", action="store_true", help="wait until nothing is under way")
    parser.add_argument(
        "--where",
        type=float,
        default=0.0,
        metavar="MS",
        help="say where the window's thread was whenever a turn took it more than so many milliseconds",
    )
    parser.add_argument("--go-on", action="store_true", help="do not stop at the first fault")
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not options.actions and not options.minutes:
        options.actions = 300
    if options.inside:
        return _inside(options)
    broken = 0
    for seed in range(options.seed, options.seed + options.seeds):
        options.seed = seed
        broken += drive(options)
    if options.seeds > 1:
        print(f"{broken} of {options.seeds} seeds broke it")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
