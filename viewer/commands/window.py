"""Window: `python main.py [PATH]`."""

from __future__ import annotations

import argparse
import gc
import logging
import os

from model.commands.console import DONE, Parser, ending_on_signals, say
from model.errors import HeadscopeError
from model.version import VERSION
from viewer.diagnosis.run_log import start_log, stop_log
from viewer.qt_check import load_qt, starting_qt

_COMMANDS = (
    "demo, doctor, integrate, render, translate, trace, train, task, evaluate, heads, align, info, "
    "experiment, lesson, why, patch, prune, manual, manual-pictures"
)


def run(argv: list[str]) -> int:
    """Open the window on a bundle, a trace or a session; returns the exit status.

    Raises:
        HeadscopeError: PATH does not exist, or Qt or one of its libraries is missing.
    """
    options = _parser().parse_args(argv)
    path = options.path
    if path and not os.path.exists(path):  # nor does a name that no disk takes
        raise HeadscopeError("path_missing", path=path, commands=_COMMANDS)
    logging.basicConfig(format="headscope: %(levelname)s: %(message)s")
    with ending_on_signals():  # until `app.run` has a window, and again once all of it is saved
        prepare()
        if path and not options.new_window and _is_shown(path):
            say(f"headscope: {path} is open already; its window is in front now (--new-window opens another)")
            return DONE
        from PySide6.QtWidgets import QApplication

        with starting_qt():
            application = QApplication(["headscope"])
        from viewer import app

        log = start_log()
        language = {"zh": "zh_CN", "en": "en"}.get(options.language or "")
        status = app.run(path, theme=options.theme, language=language)
        del application
        stop_log(log)
    if status:
        say(f"headscope: the window ended with status {status}")
    return status or DONE


def _is_shown(path: str) -> bool:
    """Whether a window has it open, which then comes to the front."""
    try:
        from viewer.services.open_windows import show_in_open_window
    except ImportError:  # a build without Qt's network part
        return False
    from viewer.window.settings import Settings

    return show_in_open_window(Settings().windows, os.path.abspath(path))


def prepare() -> None:
    """What comes before the application is imported, and before there is any thread: Qt's own begin with it.

    Python's collector rests: it would look through all that is being imported, again and again, and there is
    nothing to collect. Once there is a window, `GcGuard` does its work.

    Raises:
        HeadscopeError: Qt or one of its libraries is missing.
    """
    gc.disable()
    load_qt("QtCore", "QtGui", "QtWidgets", "QtSvg")
    from viewer.engine.heap import one_arena

    one_arena()


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="headscope",
        description="Open the window; on a model folder, a .trace file or a session if one is named.",
        epilog=f"Commands that need no screen: {_COMMANDS}; see `headscope COMMAND --help`.",
        allow_abbrev=False,
    )
    parser.add_argument("path", nargs="?", default="", metavar="PATH", help="what to open")
    parser.add_argument("--new-window", action="store_true", help="open PATH even where a window has it open")
    parser.add_argument("--language", choices=("en", "zh"), help="language of the window, this time")
    parser.add_argument("--theme", choices=("system", "light", "dark"), help="theme of the window, this time")
    parser.add_argument("--version", action="version", version=f"headscope {VERSION}")
    return parser
