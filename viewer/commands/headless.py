"""Headless commands: what those without a screen share: Qt in memory, a model, one decoding."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from model.commands.console import ending_on_signals, say
from model.files.files import write_error
from model.folder.bundle_config import Showcase
from model.folder.bundled import bundled_names, resolve_model
from model.folder.model_folder import inspect_folder
from model.trace.trace import Trace
from viewer.qt_check import load_qt, starting_qt, without_screen

if TYPE_CHECKING:
    from PySide6.QtGui import QGuiApplication

    from model.alterations.alteration import Alteration
    from model.decoding.decode_config import DecodeConfig
    from model.translator.translator import Translator
    from viewer.figures.request import Source


def start_qt(language: str = "en", *, widgets: bool = False) -> QGuiApplication:
    """A Qt application that needs no screen; keep the object as long as Qt is used.

    Args:
        language: of the texts in figures, `en` or `zh`.
        widgets: whether windows will be made.

    Raises:
        HeadscopeError: PySide6 or a library that it needs is missing.
    """
    without_screen()
    with ending_on_signals():
        load_qt("QtCore", "QtGui", "QtSvg", *(["QtWidgets"] if widgets else []))
        from PySide6.QtGui import QGuiApplication

        present = QGuiApplication.instance()
        if isinstance(present, QGuiApplication):
            application = present
        else:
            with starting_qt():
                if widgets:
                    from PySide6.QtWidgets import QApplication

                    application = QApplication(["headscope"])
                else:
                    application = QGuiApplication(["headscope"])
        if widgets:
            import viewer.commands.window_picture  # noqa: F401, here, where an interrupt ends it
    if language == "zh":
        from viewer.window.localization import Localization

        Localization("zh_CN", application)
    return application


def make_folder(out: Path) -> None:
    """Have a folder to write into; `HeadscopeError` where there can be none."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise write_error(out, error) from None


def load_model(name: str) -> Translator:
    """A model by name or folder; `HeadscopeError` if it cannot be used.

    It computes with as many threads as the window does, so that the numbers are the same to the last digit.
    """
    resolve_model(name)  # before torch is imported, which takes a second
    import torch

    from model.translator.translator import Translator
    from viewer.cores import spare_cores

    torch.set_num_threads(spare_cores())
    return Translator.load(name)


def decode(
    translator: Translator,
    text: str,
    config: DecodeConfig | None = None,
    *,
    any_script: bool = False,
    alterations: tuple[Alteration, ...] = (),
) -> Trace:
    """The whole decoding of a text, greedy if nothing else is said.

    Args:
        any_script: read text even in a script that the model was not made for.
        alterations: what is changed in the model's computation.

    Raises:
        HeadscopeError: the model cannot read the text, or has no place for an alteration.
    """
    trace = None
    for event in translator.decode(text, config, any_script=any_script, alterations=alterations):
        trace = event.trace
    assert trace is not None
    if not trace.finished:
        say("headscope: note: the length limit stopped the decoding before its end token")
    return trace


def model_source(translator: Translator, trace: Trace | None = None) -> Source:
    """What can be exported of a model, with a trace or without."""
    from viewer.document.messages.messages import ModelInfo
    from viewer.figures.request import Source

    return Source(
        trace,
        translator.positions(),
        translator.model.name,
        translator.model.sha256,
        position_facts=translator.position_facts(),
        model=ModelInfo(**translator.describe()),
    )


def showcase_of(model: str | None, trace: Trace) -> Showcase | None:
    """The head that the trace's model shows first; None if it is not known, or the trace lacks it.

    Args:
        model: name or folder of the model; None takes the bundled one that the trace names.
    """
    name = model or trace.model_name
    if model is None and name not in bundled_names():
        return None
    showcase = inspect_folder(resolve_model(name)).showcase
    if showcase is None or showcase.kind not in trace.kinds:
        return None
    layers, heads = trace.layers(showcase.kind), trace.heads(showcase.kind)
    return showcase if showcase.layer < layers and showcase.head < heads else None
