"""Deeds: what a monkey does with the window: one function each, and how often it is done.

Each is given the hand that does it and a random generator of its own, and says what exactly was done.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QDropEvent,
    QGuiApplication,
    QHelpEvent,
    QInputMethodEvent,
    QKeySequence,
    QWindow,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QSplitterHandle,
    QTabBar,
    QTextEdit,
    QWidget,
)

from model.config import TrainConfig
from model.train_options import TrainOptions
from tests.benchmarks.tools.offscreen import wait_until
from tests.harness.goods import Goods
from tests.harness.kept import kept
from tests.harness.watch import Sizes, Watch
from viewer.app import Program
from viewer.document.messages.requests import Translate
from viewer.document.messages.training_requests import PauseRun, ResumeRun, StartRun, StopRun, UseRun
from viewer.window.keymap import KEY_ROWS

_LEFT, _RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
_PLAIN, _SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
_CONTROL = Qt.KeyboardModifier.ControlModifier
_CONTROLS = (
    QAbstractButton, QAbstractItemView, QAbstractSlider, QAbstractSpinBox, QComboBox, QLineEdit, QTabBar,
    QSplitterHandle,
)  # fmt: skip
_TEXTS = (QLineEdit, QPlainTextEdit, QTextEdit)
_OF_VIEWS = (
    "Tab", "Shift+Tab", "Left", "Right", "Up", "Down", "Home", "End", "PgUp", "PgDown", "Return", "Space",
    "Esc", "Del", "Backspace", "+", "-", "Menu", "Ctrl+A", "Ctrl+C", "Ctrl+X", "Ctrl+V", "Shift+Left",
    "Ctrl+Home", "Ctrl+End", "Alt+F", "Alt+V", "Alt+H", "F10", "F2", "F4", "Alt+Down",
)  # fmt: skip
WORDS = (
    "the little girl gave her brother a red apple", "where is the station", "we read books in school",
    "苹果树在河边", "我们每天在学校读书。", "小女孩给了她哥哥一个红苹果", "学校", "Привет, мир",
    "שלום עולם", "مرحبا",
    "👩‍👩‍👧‍👦🍎", "é́", "ﬁ", "Ω≠∞", "<b>bold</b> &amp; %1 {name}", "%s%n", "1e999", "-3", "0", "…",
    "\u202eabc",
    "\u200b", "a" * 90, "NaN", "12", "3.5", "\U0001f600" * 5, "ß", "İ",
)  # fmt: skip
_LONGEST = 2000
_REST_S = 0.4
_MOST_RESTS = 5
_SIZES = ((900, 600), (1024, 700), (1280, 800), (1440, 900), (1920, 1080))
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789 "


class Hand(Protocol):
    """What does the deeds; see `tests.harness.monkey.Monkey`."""

    program: Program
    goods: Goods
    watch: Watch
    folder: Path

    def reopen(self) -> None:
        """Close the window and open another."""


@dataclass(frozen=True)
class Deed:
    """Something to do.

    Attributes:
        weight: how often, beside the others.
        anywhere: it can be done while a dialog has the word; else that is left first.
    """

    name: str
    weight: int
    do: Callable[[Hand, random.Random], str]
    anywhere: bool = True


# What there is to act on.


def front(hand: Hand, rng: random.Random) -> QWidget:
    """Where a person would act: an open menu, what asks something, else one of the windows."""
    over = QApplication.activePopupWidget() or QApplication.activeModalWidget()
    if over is not None:
        return over
    window = hand.program.window
    others = [each for each in QApplication.topLevelWidgets() if each.isVisible() and each is not window]
    others = [each for each in others if each.windowType() != Qt.WindowType.ToolTip]
    return rng.choice(others) if others and rng.random() < 0.35 else window


def seen(within: QWidget, kinds: Any = QWidget) -> list[QWidget]:
    """The enabled widgets of these kinds that are to be seen, in the order in which they were made."""
    found = [each for each in within.findChildren(QWidget) if isinstance(each, kinds)]
    shown = [each for each in found if each.isVisible() and each.isEnabled()]
    return [each for each in shown if not each.visibleRegion().isEmpty()]


def named(widget: QWidget) -> str:
    """A widget by its class, its name or text, and where it is."""
    told = getattr(widget, "text", "")
    text = widget.objectName() or (told() if callable(told) else told)
    parent = widget.parentWidget()
    return f"{type(widget).__name__} {str(text)[:40]!r}" + (f" in {type(parent).__name__}" if parent else "")


def _spot(widget: QWidget, rng: random.Random) -> QPoint:
    area = widget.visibleRegion().boundingRect()
    across, down = max(1, area.width()), max(1, area.height())
    return area.topLeft() + QPoint(rng.randrange(across), rng.randrange(down))


def _in_window(widget: QWidget, place: QPoint) -> tuple[QWindow, QPoint] | None:
    handle = widget.window().windowHandle()
    return None if handle is None else (handle, widget.mapTo(widget.window(), place))


def _target(hand: Hand, rng: random.Random) -> QWidget:
    over = front(hand, rng)
    choices = seen(over, _CONTROLS) if rng.random() < 0.75 else seen(over)
    return rng.choice(choices) if choices else over


# Mouse.


def click(hand: Hand, rng: random.Random) -> str:
    widget = _target(hand, rng)
    place = _spot(widget, rng)
    found = _in_window(widget, place)
    twice, modifier = rng.random() < 0.08, rng.choice((_PLAIN, _PLAIN, _PLAIN, _PLAIN, _SHIFT, _CONTROL))
    if found is not None:
        with kept(found[0]):
            (QTest.mouseDClick if twice else QTest.mouseClick)(found[0], _LEFT, modifier, found[1])
    return f"{named(widget)} at {place.toTuple()}{' twice' if twice else ''}"


def drag(hand: Hand, rng: random.Random) -> str:
    over = front(hand, rng)
    widget = rng.choice(seen(over) or [over])
    start, end = _spot(widget, rng), _spot(over, rng)
    first, last = _in_window(widget, start), _in_window(over, end)
    if first is None or last is None:
        return "nothing"
    button = rng.choice((_LEFT, _LEFT, _LEFT, Qt.MouseButton.MiddleButton))
    handle, here, there = first[0], first[1], last[1]
    with kept(handle):
        QTest.mousePress(handle, button, _PLAIN, here)
        for part in range(1, 6):
            QTest.mouseMove(handle, here + (there - here) * part / 5)
        QTest.mouseRelease(handle, button, _PLAIN, there)
    return f"{named(widget)} from {here.toTuple()} to {there.toTuple()}"


def wheel(hand: Hand, rng: random.Random) -> str:
    widget = _target(hand, rng)
    found = _in_window(widget, _spot(widget, rng))
    turn = QPoint(rng.choice((0, 0, 120, -120)), rng.choice((120, -120, 360, -360, 15)))
    modifier = rng.choice((_PLAIN, _PLAIN, _CONTROL, _SHIFT))
    if found is not None:
        with kept(found[0]):
            for _ in range(rng.choice((1, 1, 3, 10))):
                QTest.wheelEvent(found[0], QPointF(found[1]), turn, QPoint(), modifier)
    return f"{named(widget)} {turn.toTuple()} {modifier.name}"


def hover(hand: Hand, rng: random.Random) -> str:
    over = front(hand, rng)
    widget = rng.choice(seen(over) or [over])
    place = _spot(widget, rng)
    found = _in_window(widget, place)
    if found is not None:
        QTest.mouseMove(*found)
        help_ = QHelpEvent(QEvent.Type.ToolTip, place, widget.mapToGlobal(place))
        QApplication.sendEvent(widget, help_)
    return named(widget)


def context_menu(hand: Hand, rng: random.Random) -> str:
    over = front(hand, rng)
    widget = rng.choice(seen(over) or [over])
    place = _spot(widget, rng)
    reason = rng.choice((QContextMenuEvent.Reason.Mouse, QContextMenuEvent.Reason.Keyboard))
    QApplication.sendEvent(widget, QContextMenuEvent(reason, place, widget.mapToGlobal(place)))
    return f"{named(widget)} at {place.toTuple()}"


# Keys.


def _press(hand: Hand, rng: random.Random, key: str) -> None:
    handle = QGuiApplication.focusWindow() or hand.program.window.windowHandle()
    if handle is None:
        return
    with kept(handle):
        for place in range(QKeySequence(key).count()):
            pressed = QKeySequence(key)[place]
            QTest.keyClick(handle, pressed.key(), pressed.keyboardModifiers())


_KEYS = sorted({key for row in KEY_ROWS for key in row.usual})


def key_of_table(hand: Hand, rng: random.Random) -> str:
    key = rng.choice(_KEYS)
    _press(hand, rng, key)
    return key


def key_of_views(hand: Hand, rng: random.Random) -> str:
    keys = [rng.choice(_OF_VIEWS)] * rng.choice((1, 1, 2, 5))
    for key in keys:
        _press(hand, rng, key)
    return " ".join(keys)


def escape(hand: Hand, rng: random.Random) -> str:
    for _ in range(rng.choice((1, 2, 4))):
        _press(hand, rng, "Esc")
    over = QApplication.activePopupWidget() or QApplication.activeModalWidget()
    if over is not None and rng.random() < 0.5:
        over.close()
        return f"and closed {named(over)}"
    return ""


def text(rng: random.Random) -> str:
    """Something to type, in some script, of some length."""
    words = rng.choices(WORDS, k=rng.choice((1, 1, 2, 3, 6)))
    typed = rng.choice((" ", "", ". ", "\n", "\t")).join(words)
    return (typed * _LONGEST)[:_LONGEST] if rng.random() < 0.05 else typed


def type_text(hand: Hand, rng: random.Random) -> str:
    """By keys, by an input method (with some of it not yet decided), or by pasting."""
    over = front(hand, rng)
    fields = seen(over, _TEXTS)
    if fields and rng.random() < 0.8:
        rng.choice(fields).setFocus()
    widget = QApplication.focusWidget()
    typed, way = text(rng), rng.choice(("keys", "method", "paste"))
    if widget is None:
        return "nowhere"
    if way == "keys" and typed.isascii() and len(typed) < 200:
        with kept(widget):
            QTest.keyClicks(widget, typed.replace("\n", " ").replace("\t", " "))
    elif way == "method":
        QApplication.sendEvent(widget, QInputMethodEvent(typed[: len(typed) // 2], []))
        event = QInputMethodEvent()
        event.setCommitString(typed)
        QApplication.sendEvent(widget, event)
    else:
        QGuiApplication.clipboard().setText(typed)
        _press(hand, rng, "Ctrl+V")
    return f"{way} {typed[:60]!r} ({len(typed)}) into {named(widget)}"


# Menus, palette, pages.


def menu(hand: Hand, rng: random.Random) -> str:
    found = hand.program.window.findChildren(QAction)
    shown = [each for each in found if each.isEnabled() and each.isVisible()]
    # Those of pyqtgraph's own menu, which nobody ever sees, do not work.
    shown = [each for each in shown if not type(each.parent()).__module__.startswith("pyqtgraph")]
    action = rng.choice([each for each in shown if each.text() and each.menu() is None])
    words = action.text()
    action.trigger()
    return words


def palette(hand: Hand, rng: random.Random) -> str:
    window = hand.program.window
    window.palette_.open()
    dialog = window.palette_.dialog
    if dialog is None:
        return "none"
    typed = rng.choice((rng.choice(WORDS)[:8], *("".join(rng.choices(_LETTERS, k=rng.randrange(5))),) * 3))
    dialog.field.setText(typed)
    count = dialog.model.rowCount()
    row = rng.randrange(max(1, count))
    index = dialog.model.index(row, 0)
    said = index.data() if count else ""
    dialog.list.setCurrentIndex(index)
    with kept(dialog.field):
        QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    return f"{typed!r}, line {row} of {count}: {said}"


def page(hand: Hand, rng: random.Random) -> str:
    number = rng.randrange(4)
    hand.program.window.pages.show_page(number)
    return str(number)


def resize(hand: Hand, rng: random.Random) -> str:
    size = rng.choice((*_SIZES, (rng.randrange(900, 1921), rng.randrange(600, 1081))))
    hand.program.window.resize(*size)
    return f"{size}"


def language(hand: Hand, rng: random.Random) -> str:
    hand.program.window.toggle_language()
    return ""


def head(hand: Hand, rng: random.Random) -> str:
    """Look at another head, step or cell of what is in view."""
    session = hand.program.session
    trace = session.trace()
    if trace is None:
        return "none"
    kind = rng.choice(list(trace.kinds))
    session.select_kind(kind)
    session.select_head(rng.randrange(trace.layers(kind)), rng.randrange(trace.heads(kind)))
    session.set_step(rng.randrange(max(1, trace.steps)))
    return f"{kind}"


# Files.


def _opened(hand: Hand, rng: random.Random) -> Path:
    return hand.goods.damaged(rng) if rng.random() < 0.5 else hand.goods.sound(rng)


def open_file(hand: Hand, rng: random.Random) -> str:
    path = _opened(hand, rng)
    hand.program.window.path_asked.emit(str(path))
    return str(path)


def drop(hand: Hand, rng: random.Random) -> str:
    paths = [_opened(hand, rng) for _ in range(rng.choice((1, 2, 3)))]
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    event = QDropEvent(QPointF(200, 200), Qt.DropAction.CopyAction, data, _LEFT, _PLAIN)
    QApplication.sendEvent(hand.program.window, event)
    return " ".join(map(str, paths))


def export(hand: Hand, rng: random.Random) -> str:
    """What is in view, in some format, as a figure or a set."""
    exporting = hand.program.window.exporting
    if hand.program.session.run() is None:
        return "nothing"
    exporting.open_dialog()
    dialog = exporting.dialog
    if dialog is None:
        return "no dialog"
    form = dialog.form
    for box in (form.what, form.format, form.each):
        if box.count() and rng.random() < 0.7:
            box.setCurrentIndex(rng.randrange(box.count()))
    suffix = str(form.format.currentData() or "png")
    form.path.setText(str(hand.folder / f"e{rng.randrange(20)}.{suffix}"))
    form.path.textEdited.emit(form.path.text())
    can = form.export.isEnabled()
    what = f"{form.what.currentText()} as {suffix} ({form.each.currentText()})"
    if can:
        form.export.click()
    elif rng.random() < 0.5:
        dialog.reject()
    return what if can else f"not yet: {what}"


# Models.


def translate(hand: Hand, rng: random.Random) -> str:
    session = hand.program.session
    session.set_text(rng.choice((*WORDS[:3], text(rng))))
    configs = (None, {"mode": "greedy"}, {"mode": "beam", "beam_size": 3})
    session.ask(Translate(rng.choice(configs)))
    return session.text[:60]


OPTIONS = TrainOptions(
    name="monkey", task="copy", task_size=60,
    architecture={"d_model": 16, "n_heads": 2, "encoder_layers": 1, "decoder_layers": 1, "d_ff": 32},
    train=TrainConfig(
        steps=400, seed=3, threads=1, eval_every=50, save_every=20, probe_every=10, batch_tokens=200,
    ),
)  # fmt: skip


def train(hand: Hand, rng: random.Random) -> str:
    training = hand.program.training
    start = StartRun(OPTIONS, str(hand.folder / f"run{rng.randrange(3)}"), resume=rng.random() < 0.4)
    asked = rng.choice((start, PauseRun(), ResumeRun(), StopRun(evaluate=rng.random() < 0.3), UseRun()))
    if not training.active and rng.random() < 0.7:
        asked = start
    training.ask(asked)
    return f"{type(asked).__name__} while {training.phase}"


def close_and_open(hand: Hand, rng: random.Random) -> str:
    hand.reopen()
    return ""


def rest(hand: Hand, rng: random.Random) -> str:
    """Nothing: what is under way goes on. Widgets come to rest, too: none is given size after size."""
    for _ in range(_MOST_RESTS):  # while a translation is live some are given many, but it ends
        restless = _restless()
        if not restless:
            return ""
    hand.watch.fault(f"does not come to rest: {restless}")
    return ""


def _restless() -> str:
    """What is given size after size for a while."""
    sizes, end = Sizes(), time.monotonic() + _REST_S
    QApplication.instance().installEventFilter(sizes)
    wait_until(lambda: time.monotonic() > end)
    QApplication.instance().removeEventFilter(sizes)
    return sizes.restless()


DEEDS: Iterable[Deed] = (
    Deed("click", 30, click), Deed("drag", 8, drag), Deed("wheel", 8, wheel), Deed("hover", 10, hover),
    Deed("context menu", 6, context_menu), Deed("key of the table", 12, key_of_table),
    Deed("key of views", 14, key_of_views), Deed("escape", 10, escape), Deed("type", 10, type_text),
    Deed("menu", 6, menu, False), Deed("palette", 5, palette, False), Deed("page", 3, page, False),
    Deed("resize", 2, resize, False), Deed("language", 1, language, False), Deed("head", 5, head, False),
    Deed("open", 4, open_file, False), Deed("drop", 2, drop, False),
    Deed("export", 3, export, False), Deed("translate", 5, translate, False), Deed("train", 3, train, False),
    Deed("close and open", 1, close_and_open, False), Deed("rest", 8, rest),
)  # fmt: skip
