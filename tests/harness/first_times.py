"""First times: what a process comes to hold once, whatever is done in it later.

Modules that are imported where they are needed, the machine's fonts for a rare sign, what Qt and torch keep
of the first of a kind. Once all that has been, what is held more later is growth, or a cache that fills.
"""

from __future__ import annotations

import contextlib
import importlib
import pkgutil
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap, QPixmapCache

import model
import viewer
from tests.benchmarks.tools.offscreen import wait_until
from tests.harness.deeds import OPTIONS, WORDS
from viewer.document.messages.requests import Translate
from viewer.document.messages.training_requests import StartRun, UseRun
from viewer.figures.sheet.formula import set_formula
from viewer.window.pages import LEARN

if TYPE_CHECKING:
    from tests.harness.monkey import Monkey
    from viewer.dialogs.export_form import ExportForm

_LONG_S = 180.0
_SIDE = 64
_RARE = "\u0378 \U00013000 \ua66e \U0001d4b3 \U00016a40"
"""Signs that few fonts have, and one that none has: Qt looks into every font of the machine."""
_FORMULA = r"\sum_{i=1}^{n} \frac{\mathbf{x}_i}{\sqrt{d}}"
_CHOICES = ({"mode": "greedy"}, {"mode": "beam", "beam_size": 3})


def have_been(monkey: Monkey) -> None:
    """Open, type, translate, show, export and train one of each kind."""
    window = monkey.program.window
    _import_all()
    for path in monkey.goods.each():
        window.path_asked.emit(str(path))
        _wait(lambda: monkey.rests)
    window.path_asked.emit(str(monkey.model))
    _wait(lambda: monkey.is_own and monkey.rests)
    for number in range(4):
        window.pages.show_page(number)
        _write(monkey)
    window.pages.show_look()
    _see_lessons(monkey)
    for theme in ("dark", "light"):
        window.actions_.themes[theme].trigger()
        for _ in range(2):
            window.toggle_language()
            window.grab()
    for config in _CHOICES:
        _translate(monkey, Translate(config))
    _export(monkey)
    _train(monkey)
    _fill_pictures()


def _import_all() -> None:
    """Whatever module some page or command would need first."""
    for package in (model, viewer):
        for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            with contextlib.suppress(ImportError):  # what an extra brings
                importlib.import_module(found.name)
    set_formula(_FORMULA)


def _fill_pictures() -> None:
    """Qt's own cache of pictures, which has a bound."""
    one = QPixmap(_SIDE, _SIDE)
    one.fill(Qt.GlobalColor.white)
    for number in range(1024 * QPixmapCache.cacheLimit() // (4 * _SIDE * _SIDE)):
        QPixmapCache.insert(f"first {number}", one.copy())


def _wait(done: Callable[[], bool]) -> None:
    wait_until(done, _LONG_S)


def _write(monkey: Monkey) -> None:
    """Texts of each script, seen."""
    window, session = monkey.program.window, monkey.program.session
    before = session.text
    for text in (*WORDS, _RARE):
        session.set_text(text)
        window.grab()
    session.set_text(before)


def _see_lessons(monkey: Monkey) -> None:
    """Each as it begins, with its formulas."""
    pages = monkey.program.window.pages
    pages.show_page(LEARN)
    for lesson in pages.learn.lessons:
        pages.learn.show_lesson(lesson.name)
        _wait(lambda: monkey.rests)
        monkey.program.window.grab()
    pages.show_look()


def _translate(monkey: Monkey, asked: Translate) -> None:
    session = monkey.program.session
    before = session.document.runs
    session.ask(asked)
    _wait(lambda: session.document.runs is not before and monkey.rests)


def _export(monkey: Monkey) -> None:
    """Everything there is in some format, and one thing in each."""
    form = _form(monkey)
    kinds, formats = form.what.count(), form.format.count()
    for what, format_ in [(each, 0) for each in range(kinds)] + [(0, each) for each in range(1, formats)]:
        _write_one(monkey, what, format_)


def _form(monkey: Monkey) -> ExportForm:
    """Of the export dialog, in place of what was left of one."""
    exporting = monkey.program.window.exporting
    if exporting.dialog is not None:
        exporting.dialog.reject()
    exporting.open_dialog()
    assert exporting.dialog is not None
    return exporting.dialog.form


def _write_one(monkey: Monkey, what: int, format_: int) -> None:
    form = _form(monkey)
    form.what.setCurrentIndex(what)
    form.format.setCurrentIndex(min(format_, form.format.count() - 1))
    suffix = str(form.format.currentData() or "png")
    form.path.setText(str(monkey.folder / f"first-{what}-{format_}.{suffix}"))
    form.path.textEdited.emit(form.path.text())
    if form.export.isEnabled():
        form.export.click()
        _wait(lambda: not monkey.program.window.exporting.writing.jobs)


def _train(monkey: Monkey) -> None:
    """A run to its end, and its model in view."""
    training = monkey.program.training
    training.ask(StartRun(OPTIONS, str(monkey.folder / "first-run")))
    _wait(lambda: training.phase in ("ended", "failed"))
    training.ask(UseRun())
    _wait(lambda: monkey.rests)
