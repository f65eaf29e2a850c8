"""The application: the first five seconds, surprises, and the start from the command line."""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QTimer
from PySide6.QtGui import QColor
from pytestqt.exceptions import capture_exceptions
from pytestqt.qtbot import QtBot

from model.errors import HeadscopeError
from model.trace.trace import AttentionKind, Trace
from model.trace.trace_file import save_trace
from tests.assets import SENTENCE
from tests.viewer.desk import Desk
from tests.viewer.driving import Driver, start
from viewer.app import Catcher, build_window
from viewer.document.document import Run
from viewer.document.files.session_file import is_session
from viewer.document.messages.notice import Notice
from viewer.document.messages.requests import Branch, Resume, Translate
from viewer.document.session import Session
from viewer.figures.canvas.theme import theme
from viewer.window.settings import Settings

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def driver(qtbot: QtBot, tmp_path: Path) -> Iterator[Driver]:
    driver = start(qtbot, tmp_path)
    yield driver
    driver.window.close()
    assert driver.program.ended


@pytest.fixture
def shipped(tiny_bundle: Path, tiny_trace: Trace, tmp_path: Path) -> Path:
    """A bundle with a recorded example, as the bundled ones are."""
    folder = tmp_path / "shipped"
    shutil.copytree(tiny_bundle, folder)
    save_trace(tiny_trace, folder / "example.trace")
    return folder


def test_a_wish_of_any_view_is_answered(desk: Desk) -> None:
    parent, before = desk.session.run(), len(desk.session.document.runs)
    assert parent is not None

    desk.session.ask(Branch(parent.id, 1, int(parent.trace.candidate_ids[1, 1])))
    desk.wait(lambda: len(desk.session.document.runs) > before and desk.translated())

    branch = desk.session.run()
    assert branch is not None
    assert (branch.parent, branch.branch_step) == (parent.id, 1)
    assert branch.trace.tgt_out_tokens[1] == parent.trace.candidate_tokens[1][1]


def test_the_pace_that_was_chosen_holds_for_what_goes_on(desk: Desk) -> None:
    desk.session.set_pace(math.inf)
    desk.program.session.ask(Translate({"mode": "greedy"}))
    desk.wait(lambda: desk.session.job.paused)
    run = desk.session.run()
    assert run is not None
    assert (run.live, run.trace.steps) == (True, 1)

    desk.session.set_pace(0.0)
    desk.session.ask(Resume())
    desk.wait(desk.translated)


def _start(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    names = {name: value for name, value in os.environ.items() if not name.startswith(("QT_", "DISPLAY"))}
    names.pop("WAYLAND_DISPLAY", None)
    return subprocess.run(
        [sys.executable, str(ROOT / "main.py"), *arguments],
        env={**names, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_window_opens_on_the_recorded_example_and_goes_live_without_a_jump(
    driver: Driver, shipped: Path
) -> None:
    driver.program.conductor.start(shipped)

    before = driver.session.selection()
    trace = driver.session.trace()
    assert before is not None
    assert trace is not None
    assert driver.session.model is None
    assert (before.layer, before.head) == (1, 2)
    assert 0 < before.step < trace.steps - 1
    driver.wait(driver.page.sentence.badge.isVisible)
    assert driver.page.sentence.badge.text() == "recorded example"
    assert driver.page.sentence.box.text() == SENTENCE

    driver.wait(lambda: driver.session.model is not None)

    assert driver.session.selection() == before
    assert driver.session.trace() is trace
    driver.wait(lambda: not driver.page.sentence.badge.isVisible())


def test_a_trace_on_the_command_line_stays_while_the_model_loads(
    driver: Driver, shipped: Path, tiny_trace: Trace, tmp_path: Path
) -> None:
    path = tmp_path / "mine.trace"
    save_trace(tiny_trace, path)

    driver.program.conductor.start(shipped, str(path))
    driver.wait(lambda: driver.session.model is not None)

    run = driver.session.run()
    assert run is not None
    assert run.provenance["path"] == str(path)


def test_translations_stay_beside_each_other_and_the_example_makes_room(
    driver: Driver, shipped: Path, tiny_trace: Trace
) -> None:
    driver.program.conductor.start(shipped)
    driver.wait(lambda: driver.session.model is not None)
    driver.session.set_text(SENTENCE)
    driver.program.session.ask(Translate({"mode": "greedy"}))
    driver.wait(driver.translated)
    driver.program.session.ask(Translate({"mode": "beam", "beam_size": 2}))
    driver.wait(lambda: len(driver.session.document.runs) == 2 and driver.translated())

    runs = driver.session.document.runs
    assert [run.trace.decoding["mode"] for run in runs] == ["greedy", "beam"]
    assert runs[0].trace.tgt_out_tokens == tiny_trace.tgt_out_tokens

    # Another model leaves them, and shows its example beside them.
    driver.ask_path(shipped)
    driver.wait(lambda: not driver.session.job.busy)

    assert driver.session.document.runs[:2] == runs
    assert [run.provenance["source"] for run in driver.session.document.runs[2:]] == ["recorded"]


def test_a_damaged_model_is_said_and_the_example_stays(driver: Driver, shipped: Path) -> None:
    (shipped / "model.safetensors").write_bytes(b"no weights")

    driver.program.conductor.start(shipped)
    driver.wait(lambda: bool(driver.window.notice.text))

    assert "model.safetensors" in driver.window.notice.text
    assert driver.session.trace() is not None
    assert not driver.session.job.busy


def test_classes_have_their_room_before_there_are_threads(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """See `viewer.engine.class_table`."""
    said: list[int] = []
    monkeypatch.setattr("viewer.app.room_for_classes", lambda: said.append(threading.active_count()))
    before = threading.active_count()
    driver = start(qtbot, tmp_path)
    driver.window.close()
    assert driver.program.ended
    assert said == [before]


def test_a_window_without_an_engine_can_be_grabbed(qtbot: QtBot, tiny_trace: Trace, tmp_path: Path) -> None:
    session = Session()
    session.add_run(Run("one", tiny_trace))
    window = build_window(session, Settings(str(tmp_path / "s.ini")), theme="dark", language="en")
    qtbot.addWidget(window)
    window.show()

    session.last_step()
    session.select_head(1, 2)
    view = window.look_page.panes[0].map
    weights = tiny_trace.pattern(AttentionKind.CROSS, 1, 2)
    row, column = divmod(int(weights.argmax()), weights.shape[1])
    corner = view.mapTo(window, QPoint(0, 0))
    geometry = view.geometry_now()
    assert geometry is not None
    picture, center = window.grab().toImage(), geometry.rect_of(row, column).center().toPoint() + corner
    wanted = QColor.fromRgb(int(theme("dark").table[round(float(weights[row, column]) * 255)]))
    found = picture.pixelColor(center)

    assert abs(found.lightness() - wanted.lightness()) < 12
    window.close()


def test_an_unexpected_exception_becomes_a_notice(qtbot: QtBot) -> None:
    session = Session()
    hook = sys.excepthook
    catcher = Catcher(session)
    try:
        sys.excepthook(ValueError, ValueError("surprise"), None)
        qtbot.waitUntil(lambda: session.notice is not None)
    finally:
        catcher.release()

    assert sys.excepthook is hook
    assert session.notice is not None
    assert "ValueError: surprise" in session.notice.sentence()


def test_an_error_that_says_what_to_do_is_shown_in_its_own_words(qtbot: QtBot) -> None:
    session = Session()
    catcher = Catcher(session)
    error = HeadscopeError("empty_text")
    try:
        sys.excepthook(HeadscopeError, error, None)
        qtbot.waitUntil(lambda: session.notice is not None)
    finally:
        catcher.release()
    assert session.notice == Notice.of(error)


@pytest.mark.parametrize("name", ["no-such-thing", "x" * 300], ids=["gone", "longer than any name"])
def test_an_unknown_path_is_one_sentence_and_status_1(name: str) -> None:
    done = _start(name)

    assert done.returncode == 1
    assert done.stderr.startswith(f"headscope: error: there is no file, folder or command {name}")
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has no screen")
def test_without_a_display_it_says_what_to_do() -> None:
    done = _start()

    assert done.returncode == 1
    assert done.stderr.startswith("headscope: error: ")
    assert "demo" in done.stderr
    assert done.stderr.count("\n") == 1


def test_nothing_slow_is_imported_before_the_window_shows() -> None:
    code = (
        "import sys, viewer.app, viewer.commands.window;"
        "slow = {'torch', 'sentencepiece', 'sacrebleu', 'pyqtgraph', 'PIL', 'tqdm', 'charset_normalizer'};"
        "slow |= {f'viewer.pages.{page}' for page in ('positions', 'learn', 'train')};"
        "slow |= {'model.data.tasks', 'viewer.dialogs.export_dialog', 'viewer.export.writers', 'filelock'};"
        "print(sorted(slow & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )

    assert done.stdout.strip() == "[]"


def test_an_exception_in_a_slot_fails_a_test(qtbot: QtBot) -> None:
    """The suite's own guard: what happens in a slot does not go unseen."""
    with capture_exceptions() as caught:
        QTimer.singleShot(0, lambda: 1 / 0)
        qtbot.wait(20)

    assert [kind.__name__ for kind, _, _ in caught] == ["ZeroDivisionError"]


# With a disk on which every flush takes longer than a dialog waits before it shows itself.
_CLOSED_WHILE_SAVING = """
import os, sys, time
from viewer.commands.window import prepare
prepare()
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
application = QApplication(["headscope"])
from pathlib import Path
from viewer import app
from viewer.window.main_window import MainWindow
from viewer.window.settings import Settings
os.fsync = lambda descriptor: time.sleep(0.7)
def close():
    window = next(one for one in application.topLevelWidgets() if isinstance(one, MainWindow))
    if window.look_page.panes[0].map.spec is None:
        QTimer.singleShot(100, close)
        return
    window.saving.save(Path(sys.argv[1]))
    window.close()
QTimer.singleShot(100, close)
status = app.run(language="en")
print("recent:", Settings().recents[0])
sys.exit(status)
"""


def _run(home: Path, code: str, *words: str) -> subprocess.CompletedProcess[str]:
    own = {"HOME": str(home), "XDG_CONFIG_HOME": str(home), "XDG_STATE_HOME": str(home / "state")}
    return subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=ROOT,
        env={**os.environ, **own},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_window_that_is_closed_while_it_saves_ends_the_program(tmp_path: Path) -> None:
    folder = tmp_path / "kept.headscope"
    done = _run(tmp_path, _CLOSED_WHILE_SAVING, str(folder))
    assert done.returncode == 0, done.stderr
    assert is_session(folder)
    assert done.stdout.splitlines()[-1] == f"recent: {folder}"


_TERMINATED_AT = """
import os, signal, sys
from pkgutil import resolve_name
import main

class Terminated:
    def __init__(self, real):
        self.real = real
    def __call__(self, *given, **named):
        os.kill(os.getpid(), signal.SIGTERM)
        return self.real(*given, **named)

owner, _, name = sys.argv[1].rpartition(".")
setattr(resolve_name(owner), name, Terminated(getattr(resolve_name(owner), name)))
sys.exit(main.main([]))
"""


@pytest.mark.parametrize(
    ("moment", "status"),
    [
        ("viewer.commands.window.load_qt", 143),  # there is nothing to lose
        ("viewer.app.Program", 0),
        ("viewer.app.Catcher", 0),  # a thread is there already
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="has no such signals")
def test_a_program_that_is_terminated_while_it_starts_ends(moment: str, status: int, tmp_path: Path) -> None:
    """An exception ended in whatever slot ran: the window stayed, and could not be closed by a signal."""
    done = _run(tmp_path, _TERMINATED_AT, moment)
    assert (done.returncode, done.stdout) == (status, "")
    assert "Traceback" not in done.stderr
