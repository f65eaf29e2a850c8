"""A picture of the real window, drawn in memory."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFont, QImage, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from model.questions.questions import Question, Reading
from model.trace.trace import Trace
from viewer.app import build_window
from viewer.document.document import Run
from viewer.document.messages.messages import ModelInfo
from viewer.document.run_source import RunSource
from viewer.document.selection import Selection
from viewer.document.session import Session
from viewer.figures.known import Known
from viewer.window.main_window import MainWindow
from viewer.window.settings import Settings

SIZE = QSize(1280, 800)
_ROUNDS = 8  # of events: layouts settle, views draw what they marked


def window_image(
    trace: Trace,
    selection: Selection,
    model: dict[str, Any] | None,
    language: str,
    known: Known,
    arrange: Callable[[MainWindow], QWidget] = lambda window: window,
    size: QSize = SIZE,
) -> QImage:
    """The window showing a trace, as it looks to a person who has translated and steps.

    Args:
        model: the fields of `ModelInfo`, from `Translator.describe`; None of one that is not open.
        language: `en` or `zh_CN`.
        known: answers what the window asks beyond the trace.
        arrange: opens what is to be seen beside the map; returns what the picture is of.
        size: of the window.
    """
    font, palette = QApplication.font(), QApplication.palette()
    session = Session()
    answers = session.answers

    def work_out(question: Question, reading: Reading | None, topic: str) -> None:
        answers.finish((question, reading), known(question, reading))

    answers.wanted.connect(work_out)
    if model is not None:
        session.set_model(ModelInfo(**model))
    session.set_text(trace.src_text)
    source = RunSource.RECORDED if model is None else RunSource.DECODED
    session.add_run(Run("demo", trace, provenance={"source": source}), selection=selection)
    with tempfile.TemporaryDirectory() as folder:
        # The user's own settings are neither read nor changed.
        settings = Settings(str(Path(folder) / "settings.ini"))
        window = build_window(session, settings, theme="light", language=language)
        window.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        window.resize(size)
        window.show()
        shown = arrange(window)
        for _ in range(_ROUNDS):
            QApplication.processEvents()
        image = shown.grab().toImage()
        window.close()
        window.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        settings.sync()
    _take_back(font, palette)
    return image


def _take_back(font: QFont, palette: QPalette) -> None:
    """What the window gave the application: the next one would measure its own type by it, and Qt style
    that at each step of its making."""
    application = QApplication.instance()
    if isinstance(application, QApplication):
        application.setStyleSheet("")
    QApplication.setFont(font)
    QApplication.setPalette(palette)
