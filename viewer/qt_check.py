"""Starting Qt where a library or a screen may be missing: one sentence instead of Qt's abort.

Qt ends the process itself (`abort`, a core dump) when its platform plugin cannot start. A message handler
sees that coming, says what to install, and exits with status 1. Nothing here imports Qt before it is asked.
"""

from __future__ import annotations

import builtins
import contextlib
import ctypes
import importlib
import os
import re
import sys
from collections.abc import Iterator
from typing import Any

from model.commands.console import FAILED, ending_on_signals, fail, say
from model.errors import HeadscopeError

# Shared libraries that Qt expects from the system, and the Debian and Ubuntu packages that hold them.
PACKAGES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11.so.6": "libx11-6",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb.so.1": "libxcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
}


def load_qt(*modules: str) -> None:
    """Import PySide6 modules, such as `QtGui`.

    Raises:
        HeadscopeError: `qt_missing`: PySide6 is not installed; `qt_library`: the system lacks a library.
    """
    importing = builtins.__import__
    try:
        with ending_on_signals():
            for name in modules:
                importlib.import_module(f"PySide6.{name}")
    except ModuleNotFoundError as error:
        raise HeadscopeError("qt_missing", module=error.name or "PySide6") from None
    except ImportError as error:
        raise _library_error(str(error)) from None
    finally:
        # PySide puts another in its place, which reads the source of whatever is imported from then on, all
        # of torch too, in case it says `from __feature__ import`; here nothing does.
        builtins.__import__ = importing


def without_screen() -> None:
    """Have Qt draw in memory; for commands that never open a window. Call before the application is made.

    On Linux Qt would look for a display server. Windows and macOS draw natively without a window.
    """
    if sys.platform not in ("win32", "darwin"):
        os.environ["QT_QPA_PLATFORM"] = "offscreen"


@contextlib.contextmanager
def starting_qt() -> Iterator[None]:
    """Hold this around making the application: when Qt cannot start, one sentence and exit status 1.

    Warnings that Qt gives meanwhile are held back, and printed only if it does start.
    """
    from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

    held: list[str] = []

    def handle(kind: QtMsgType, context: QMessageLogContext, message: str | None) -> None:
        held.append(message or "")
        if kind == QtMsgType.QtFatalMsg:
            fail(str(platform_error("\n".join(held))))
            os._exit(FAILED)  # Qt aborts as soon as this returns

    previous: Any = qInstallMessageHandler(handle)
    try:
        yield
    finally:
        qInstallMessageHandler(previous)
    for message in held:
        say(message)


def platform_error(messages: str) -> HeadscopeError:
    """What to tell the user, from what Qt said before it gave up."""
    missing = missing_libraries() if sys.platform.startswith("linux") else []
    if missing:
        return _missing_error("qt_window_library", missing)
    wanted = re.search(r'platform plugin "([^"]*)"', messages)
    plugin = wanted.group(1) if wanted else ""
    if "could not connect to display" in messages or plugin in ("", "xcb") or plugin.startswith("wayland"):
        return HeadscopeError("qt_display")
    return HeadscopeError("qt_platform", plugin=plugin)


def missing_libraries() -> list[str]:
    """Those of the libraries needed for a window on Linux that the system cannot load."""
    missing = []
    for name in PACKAGES:
        try:
            ctypes.CDLL(name)
        except OSError:
            missing.append(name)
    return missing


def _library_error(reason: str) -> HeadscopeError:
    found = re.match(r"(lib[\w.+-]+\.so[\d.]*)", reason)
    if found is None:
        return HeadscopeError("qt_broken", reason=reason)
    others = [name for name in missing_libraries() if name != found.group(1)]
    return _missing_error("qt_library", [found.group(1), *others])


def _missing_error(code: str, names: list[str]) -> HeadscopeError:
    packages = [PACKAGES.get(name, name) for name in names]
    return HeadscopeError(code, libraries=", ".join(names), packages=" ".join(dict.fromkeys(packages)))
