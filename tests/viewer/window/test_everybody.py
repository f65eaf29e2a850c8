"""For everybody: all that is interactive has a name, keys reach it, and one sees where the keys are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QImage, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QScrollBar,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.viewer.figure_samples import sample_trace
from tests.viewer.foreign.samples import info_of
from tests.viewer.window.test_reach import State, of_look, of_other_pages
from viewer.app import build_window
from viewer.document.document import Run
from viewer.document.session import Session
from viewer.lessons.registry import TOLD
from viewer.pages.accessible.cell_table import CellTable
from viewer.pages.accessible.tabs import TabButton
from viewer.window.main_window import MainWindow
from viewer.window.settings import Settings

_INTERACTIVE = (
    QAbstractButton, QAbstractItemView, QAbstractSlider, QAbstractSpinBox, QComboBox, QLineEdit,
    QPlainTextEdit,
)  # fmt: skip
_PARTS_OF = (QAbstractSpinBox, QComboBox, QAbstractItemView)
_DIALOGS = (
    "about", "model_info", "export", "add_bookmark", "gold_links",
)  # fmt: skip
_MOST_TURNS = 50  # of the event loop, until a dialog is there: what is made first may have some of its own
_SEEN = 100  # pixels that are another colour, where the keys are
_STRONG = 60  # of 255, in one of three colours
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "raise")


@pytest.fixture
def window(request: pytest.FixtureRequest, qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    session = Session()
    settings = Settings(str(tmp_path / "settings.ini"))
    window = build_window(session, settings, theme="light", language=getattr(request, "param", "en"))
    qtbot.addWidget(window)
    session.set_model(info_of("encoder_decoder"))
    for number in range(3):
        session.add_run(Run(f"run{number}", sample_trace(), provenance={"source": "decoded"}))
    window.resize(1280, 800)
    window.show()
    qtbot.waitExposed(window)
    yield window
    window.close()


def of_lessons(window: MainWindow) -> Iterator[State]:
    """Those that are not among the states of other tests."""
    yield "learn again", lambda: window.pages.show_page(2)
    for told in TOLD:
        yield f"learn {told.name}", lambda told=told: window.pages.learn.show_lesson(told.name)


def surfaces(window: MainWindow) -> Iterator[tuple[str, QWidget]]:
    """The window in each of its states, then its dialogs, one open at a time."""
    for name, go in (*of_look(window), *of_other_pages(window), *of_lessons(window)):
        go()
        window.activateWindow()
        QApplication.processEvents()
        yield name, window
    yield from dialogs_of(window)


def dialogs_of(window: MainWindow) -> Iterator[tuple[str, QDialog]]:
    """The dialogs, one open at a time."""
    openers = {name: window.actions_[name].trigger for name in _DIALOGS}
    dialogs = window.dialogs
    openers |= {"beam": dialogs.ask_beam, "sampling": dialogs.ask_sampling, "kept": dialogs.show_kept}
    openers |= {"bookmarks": dialogs.show_bookmarks, "report": dialogs.show_report}
    for name, opened in openers.items():
        opened()
        shown: list[QDialog] = []
        for _ in range(_MOST_TURNS):
            QApplication.processEvents()
            found = [each for each in QApplication.topLevelWidgets() if isinstance(each, QDialog)]
            if shown := [each for each in found if each.isVisible()]:
                break
        assert len(shown) == 1, name
        [dialog] = shown
        dialog.activateWindow()
        QApplication.processEvents()
        yield name, dialog
        dialog.close()


def interactive(top: QWidget) -> Iterator[QWidget]:
    """All in view that takes keys or clicks; parts of a control are the control's."""
    for widget in top.findChildren(QWidget):
        if not widget.isVisible():  # most of them; all else takes longer to ask
            continue
        takes = isinstance(widget, _INTERACTIVE) or widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        part = isinstance(widget.parentWidget(), _PARTS_OF) or isinstance(widget, QScrollBar | QHeaderView)
        if takes and not part and not isinstance(widget, CellTable):
            yield widget


def told(widget: QWidget) -> tuple[str, QAccessible.Role]:
    """Name and role as assistive technology has them; the interface itself is Qt's to delete."""
    said = QAccessible.queryAccessibleInterface(widget)
    return said.text(QAccessible.Text.Name).strip(), said.role()


def picture(widget: QWidget) -> np.ndarray:
    image = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1, 4)
    return rows[:, : image.width(), :3].astype(int)


@pytest.mark.parametrize("window", ["en", "zh_CN"], indirect=True)
def test_all_that_is_interactive_has_a_name(window: MainWindow) -> None:
    nameless, tabs, kinds, boxes = set(), set(), Counter[str](), set()
    for where, top in surfaces(window):
        for widget in interactive(top):
            name, role = told(widget)
            kinds[type(widget).__name__] += 1
            if not name:
                nameless.add(f"{where}: {type(widget).__name__} in {type(widget.parentWidget()).__name__}")
            if isinstance(widget, TabButton):
                tabs.add(role)
            elif isinstance(widget, QToolButton | QPushButton) and widget.isCheckable():
                group = widget.group()
                boxes |= {name} if group is not None and group.exclusive() else set()
    assert nameless == set()
    assert tabs == {QAccessible.Role.PageTab}
    assert boxes == set()  # a row of buttons that exclude each other is one of tabs
    assert len(kinds) > 30


def test_one_sees_where_the_keys_are(window: MainWindow) -> None:
    """Each kind of control once: its picture with the focus, as the Tab key brings it, and without."""
    changed: dict[tuple[str, str], int] = {}
    for _, top in surfaces(window):
        for widget in interactive(top):
            kind = (type(widget).__name__, str(widget.property("role") or ""))
            by_tab = widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.focusProxy() is None
            if kind in changed or not by_tab or not widget.isEnabled() or widget.visibleRegion().isEmpty():
                continue
            focused = QApplication.focusWidget()
            if focused is not None:
                focused.clearFocus()
            QApplication.processEvents()
            before = picture(widget)
            widget.setFocus(Qt.FocusReason.TabFocusReason)
            QApplication.processEvents()
            assert QApplication.focusWidget() is widget, kind
            after = picture(widget)
            assert before.shape == after.shape
            changed[kind] = int((abs(before - after).max(axis=2) > _STRONG).sum())
    assert len(changed) > 30
    assert {kind: pixels for kind, pixels in changed.items() if pixels < _SEEN} == {}


def by_tab(top: QWidget) -> set[QWidget]:
    """What should be come to by the Tab key; of buttons that exclude each other, one."""
    found = set()
    for widget in interactive(top):
        policy, proxy = widget.focusPolicy(), widget.focusProxy()
        if not policy & Qt.FocusPolicy.TabFocus or proxy is not None or not widget.isEnabled():
            continue
        group = widget.group() if isinstance(widget, QAbstractButton) else None
        chosen = group.checkedButton() if group is not None and group.exclusive() else None
        if chosen is None or chosen is widget:
            found.add(widget)
    return found


def test_tab_comes_to_everything_and_round(window: MainWindow) -> None:
    lost: dict[str, list[str]] = {}
    walked = 0
    for where, top in surfaces(window):
        wanted, visited = by_tab(top), list[QWidget]()
        first = QApplication.focusWidget()
        for _ in range(3 * len(wanted) + 30):
            at = QApplication.focusWidget()
            if at is None or (at is first and visited):
                break
            visited.append(at)
            QTest.keyClick(at, Qt.Key.Key_Tab)
        walked += len(visited)
        names = [f"{type(each).__name__} {told(each)[0]}" for each in wanted - set(visited)]
        if names:
            lost[where] = sorted(names)
    assert lost == {}
    assert walked > 300


@pytest.mark.parametrize("window", ["en", "zh_CN"], indirect=True)
def test_no_letter_of_a_menu_means_two_things(window: MainWindow) -> None:
    menus: list[tuple[str, list[str]]] = [("bar", [each.text() for each in window.menuBar().actions()])]
    waiting = [each.menu() for each in window.menuBar().actions()]
    while waiting:
        menu = waiting.pop()
        assert isinstance(menu, QMenu)
        menu.aboutToShow.emit()
        menus.append((menu.title(), [each.text() for each in menu.actions()]))
        waiting += [each.menu() for each in menu.actions() if each.menu() is not None]
    assert len(menus) >= 9
    given = 0
    for title, texts in menus:
        letters = Counter(
            letter.lower() for text in texts for letter in re.findall("&([^&])", text.replace("&&", ""))
        )
        assert {letter: times for letter, times in letters.items() if times > 1} == {}, title
        given += len(letters)
    assert given > 50


@pytest.mark.parametrize("window", ["en", "zh_CN"], indirect=True)
def test_no_letter_of_a_dialog_means_two_things(window: MainWindow) -> None:
    given, twice = 0, {}
    for where, dialog in dialogs_of(window):
        captions = [each for each in dialog.findChildren(QLabel) if each.buddy() is not None]
        parts = [each for each in (*captions, *dialog.findChildren(QAbstractButton)) if each.isVisible()]
        letters = Counter(QKeySequence.mnemonic(each.text()).toString() for each in parts)
        del letters[""]
        given += len(letters)
        found = {letter for letter, times in letters.items() if times > 1}
        if found:
            twice[where] = found
    assert twice == {}
    assert given >= 12


def test_pages_come_first_and_have_keys(window: MainWindow) -> None:
    order, at = [], window.nextInFocusChain()
    while len(order) < len(window.top.pages):
        menus = at is window.top.menus  # those of a low window, before its pages
        takes = at.focusPolicy() & Qt.FocusPolicy.TabFocus or isinstance(at, TabButton)
        if takes and at.isVisible() and not menus:
            order.append(at)
        at = at.nextInFocusChain()
    assert order == window.top.pages
    # The Tab key comes to the chosen one, the arrows go on from there.
    assert [bool(each.focusPolicy() & Qt.FocusPolicy.TabFocus) for each in order] == [True, *3 * [False]]
    order[0].setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(order[0], Qt.Key.Key_Right)
    assert (window.pages.index, QApplication.focusWidget()) == (1, order[1])
    assert [bool(each.focusPolicy() & Qt.FocusPolicy.TabFocus) for each in order[:2]] == [False, True]
    alt, control = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier
    seen = []
    for key in (Qt.Key.Key_P, Qt.Key.Key_N, Qt.Key.Key_T, Qt.Key.Key_L):
        QTest.keyClick(window, key, alt)
        seen.append(window.pages.index)
    for key in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp, Qt.Key.Key_PageUp):
        QTest.keyClick(window, key, control)
        seen.append(window.pages.index)
    assert seen == [1, 2, 3, 0, 1, 0, 3]
    assert window.top.pages[3].isChecked()
