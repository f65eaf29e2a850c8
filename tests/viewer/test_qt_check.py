"""A missing screen or library ends in one sentence and status 1, never in Qt's abort."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from model.errors import HeadscopeError
from viewer import qt_check

START = """
from model.commands.console import guarded
def work():
    from viewer.qt_check import load_qt, starting_qt
    load_qt("QtGui")
    with starting_qt():
        from PySide6.QtGui import QGuiApplication
        application = QGuiApplication([])
    print("started", application.platformName())
    return 0
import sys
sys.exit(guarded(work))
"""


def start(program: str = START, **environment: str) -> subprocess.CompletedProcess[str]:
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    clean = {name: value for name, value in os.environ.items() if name not in hidden}
    return subprocess.run(
        [sys.executable, "-c", program],
        env={**clean, **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="other systems draw without a display server"
)
@pytest.mark.parametrize("environment", [{}, {"QT_QPA_PLATFORM": "xcb"}, {"DISPLAY": ":987"}])
def test_no_display_is_one_sentence(environment: dict[str, str]) -> None:
    result = start(**environment)
    assert result.returncode == 1
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("headscope: error: ")
    assert "headscope demo" in line


def test_an_unknown_platform_is_named() -> None:
    result = start(QT_QPA_PLATFORM="nonsense")
    assert result.returncode == 1
    (line,) = result.stderr.splitlines()
    assert "nonsense" in line
    assert "headscope demo" in line


def test_where_qt_starts_nothing_is_said() -> None:
    result = start(QT_QPA_PLATFORM="offscreen")
    assert (result.returncode, result.stdout.strip(), result.stderr) == (0, "started offscreen", "")


def test_imports_are_pythons_own_again() -> None:
    program = (
        "import builtins, sys; own = builtins.__import__\n"
        "from viewer.qt_check import load_qt; load_qt('QtGui')\n"
        "sys.exit(builtins.__import__ is not own)"
    )
    assert start(program).returncode == 0


def test_ctrl_c_while_qt_is_imported_ends_the_process() -> None:
    """An exception would abort it there, or be lost."""
    interrupting = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
def hear(event, arguments):
    if event == "import" and arguments[0].startswith("shibokensupport."):
        signal.raise_signal(signal.SIGINT)
sys.addaudithook(hear)
"""
    result = start(interrupting + START, QT_QPA_PLATFORM="offscreen")
    assert (result.returncode, result.stdout, result.stderr) == (130, "", "")


@pytest.mark.parametrize(
    "arguments",
    ["demo --out {0}", "manual-pictures --out {0}", "manual keys", "render x --out {0}/x.png", "doctor"],
)
def test_whatever_imports_qt_does_so_where_ctrl_c_ends_the_process(arguments: str, tmp_path: Path) -> None:
    watching = """
import signal, sys
unsafe = []
class Watch:
    def find_spec(self, name, path=None, target=None):
        handler = signal.getsignal(signal.SIGINT)
        if name.split(".")[0] in ("PySide6", "shiboken6") and handler is signal.default_int_handler:
            unsafe.append(name)
sys.meta_path.insert(0, Watch())
signal.signal(signal.SIGINT, signal.default_int_handler)
from viewer import qt_check
from viewer.commands import headless
starting = headless.start_qt
def start(*given, **named):
    starting(*given, **named)
    raise SystemExit("started")  # what comes then is of no interest, and takes its time
headless.start_qt = start
import main
try:
    main.main(sys.argv[1:])
finally:
    print(unsafe)
"""
    given = arguments.format(tmp_path).split()
    result = start(f"import sys; sys.argv[1:] = {given}\n" + watching)
    assert (result.stdout.splitlines()[-1], result.stderr) == ("[]", "started\n"), result.stderr


def test_the_manual_needs_no_qt() -> None:
    hidden = "import sys; sys.modules['PySide6'] = None; import main; sys.exit(main.main({}))"
    listed = start(hidden.format(["manual"]))
    assert (listed.returncode, listed.stderr) == (0, "")
    assert start(hidden.format(["manual", "views"])).stdout.startswith("# ")


def test_pyside_absent_is_one_sentence() -> None:
    hidden = "import sys; sys.modules['PySide6'] = None\n"
    result = start(hidden + START)
    assert result.returncode == 1
    (line,) = result.stderr.splitlines()
    assert line.startswith("headscope: error: the Python package PySide6")
    assert "pip install PySide6" in line


def test_a_missing_library_is_named_with_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str) -> None:
        raise ImportError("libEGL.so.1: cannot open shared object file: No such file or directory")

    monkeypatch.setattr("importlib.import_module", refuse)
    monkeypatch.setattr(qt_check, "missing_libraries", lambda: ["libEGL.so.1", "libxkbcommon.so.0"])
    with pytest.raises(HeadscopeError) as caught:
        qt_check.load_qt("QtGui")
    assert "libEGL.so.1" in str(caught.value)
    assert "sudo apt install libegl1 libxkbcommon0 (" in str(caught.value)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the libraries are those of Linux")
def test_the_platform_plugins_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    said = 'From 6.5.0, xcb-cursor0 is needed\nCould not load the Qt platform plugin "xcb" in ""'
    monkeypatch.setattr(qt_check, "missing_libraries", lambda: ["libxcb-cursor.so.0"])
    error = qt_check.platform_error(said)
    assert error.code == "qt_window_library"
    assert "sudo apt install libxcb-cursor0, or use headscope demo" in str(error)


def test_what_the_linker_says_otherwise_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str) -> None:
        raise ImportError("undefined symbol: x")

    monkeypatch.setattr("importlib.import_module", refuse)
    with pytest.raises(HeadscopeError, match="undefined symbol: x"):
        qt_check.load_qt("QtGui")
