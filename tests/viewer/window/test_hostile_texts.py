"""Tokens, names and sentences of others are shown as they stand: not as HTML, keys or files."""

from __future__ import annotations

import ast
import os
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QModelIndex, QPoint, QPointF
from PySide6.QtGui import QHelpEvent, QMouseEvent, Qt, QTextDocument
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QMenu,
    QMessageBox,
    QTableView,
    QTreeView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from model.errors import HeadscopeError
from model.inspection.answering import answer
from model.trace.trace import AttentionKind, Trace
from tests.viewer.export_samples import sample_trace
from tests.viewer.fake_source import small_info
from viewer.app import build_window
from viewer.dialogs.bookmarks_dialog import BookmarksDialog
from viewer.dialogs.export_dialog import ExportDialog
from viewer.dialogs.gold_dialog import GoldDialog
from viewer.dialogs.model_info import CardPage, ModelInfoDialog
from viewer.document.document import Run, ViewOptions
from viewer.document.messages.notice import Notice
from viewer.document.selection import Selection
from viewer.document.session import Session
from viewer.export.page import figure_picture
from viewer.export.picture import to_pdf, to_svg
from viewer.figures.map.build import map_figure
from viewer.figures.request import ExportRequest
from viewer.pages.look.pane_views import PANE_VIEWS
from viewer.pages.widgets import plain_tip
from viewer.pages.widgets.plain_tip import literal, plain
from viewer.window.main_window import MainWindow
from viewer.window.settings import Settings

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "raise")

IMAGE = "<img src='/dev/zero'>"
TOKENS = (
    f"▁{IMAGE}", "▁<b>bold", "▁&amp;", "<s>", "▁{0}{x}%1%s", "▁\u202eabc", "▁a\x00\x07b", "▁" + "wide" * 900,
    "</s>",
)  # fmt: skip
NAME = f"{IMAGE}<h1>&Zebra"
"""A name that would open a file, shout, and take Alt+Z."""


def hostile_trace(seed: int = 0) -> Trace:
    candidates = tuple((f"▁{IMAGE}{step}", f"<s>&x{step}") for step in range(len(TOKENS)))
    return sample_trace(
        source=TOKENS,
        target=("<s>", *TOKENS),
        seed=seed,
        src_text=f"{IMAGE} &amp; {NAME}",
        tgt_text=f"<b>{NAME}</b>",
        candidate_tokens=candidates,
        model_name=NAME,
    )


def seen(text: str) -> str:
    """What a tooltip makes of a text."""
    if not Qt.mightBeRichText(text):
        return text
    document = QTextDocument()
    document.setHtml(text)
    return document.toPlainText()


START, END = "<p style='white-space:pre-wrap'>", "</p>"


def is_ours(text: str) -> bool:
    """Whether a text is shown as it stands: it is no HTML, or HTML of nothing but what it says."""
    if not Qt.mightBeRichText(text):
        return True
    inside = text.removeprefix(START).removesuffix(END)
    return len(text) - len(inside) == len(START + END) and "<" not in inside and ">" not in inside


def tips_of_view(view: QAbstractItemView) -> Iterator[str]:
    """Of the first cells and heads of a table or a list."""
    model, role = view.model(), Qt.ItemDataRole.ToolTipRole
    rows = min(30, model.rowCount(QModelIndex()))
    columns = model.columnCount(QModelIndex()) if isinstance(view, QTableView | QTreeView) else 1
    tips: list[Any] = [
        model.data(model.index(row, column, QModelIndex()), role)
        for row in range(rows)
        for column in range(columns)
    ]
    for way, count in ((Qt.Orientation.Horizontal, columns), (Qt.Orientation.Vertical, rows)):
        tips += [model.headerData(section, way, role) for section in range(count)]
    return (tip for tip in tips if isinstance(tip, str))


def texts_in(widget: QWidget) -> Iterator[tuple[str, str]]:
    """Where, and which text, of all that Qt may take for HTML in a widget and its children."""
    for each in (widget, *widget.findChildren(QWidget)):
        where = f"{type(each).__name__} {each.objectName()}"
        yield f"tip of {where}", each.toolTip()
        yield f"what is this of {where}", each.whatsThis()
        for action in each.actions():
            yield f"action of {where}", action.toolTip()
            yield f"status of {where}", action.statusTip()
        if isinstance(each, QLabel) and each.textFormat() is not Qt.TextFormat.PlainText:
            yield where, each.text()
        view = each.view() if isinstance(each, QComboBox) else each
        if isinstance(view, QAbstractItemView) and view.model() is not None:
            yield from ((f"cell of {where}", tip) for tip in tips_of_view(view))


def keys_in(widget: QWidget) -> Iterator[str]:
    """Names on buttons and in menus, as Qt writes them: with what is no key doubled."""
    for button in widget.findChildren(QAbstractButton):
        yield button.text()
    for menu in widget.findChildren(QMenu):
        menu.aboutToShow.emit()
        yield menu.title()
        for action in menu.actions():
            yield action.text()


def point_everywhere(widget: QWidget) -> None:
    """Move over a widget, and rest."""
    wide, high = max(1, widget.width() // 14), max(1, widget.height() // 14)
    none = Qt.MouseButton.NoButton
    for x in range(3, widget.width(), wide):
        for y in range(3, widget.height(), high):
            point = QPointF(x, y)
            there = widget.mapToGlobal(point)
            move = QMouseEvent(
                QEvent.Type.MouseMove, point, there, none, none, Qt.KeyboardModifier.NoModifier
            )
            QApplication.sendEvent(widget, move)
            rest = QHelpEvent(QEvent.Type.ToolTip, point.toPoint(), there.toPoint())
            QApplication.sendEvent(widget, rest)


@pytest.fixture
def tips(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every tooltip that is shown beside a pointer."""
    said: list[str] = []

    class Tips:
        @staticmethod
        def showText(place: QPoint, text: str, widget: QWidget) -> None:
            said.append(text)

    monkeypatch.setattr(plain_tip, "QToolTip", Tips)
    return said


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> MainWindow:
    settings = Settings(str(tmp_path / "settings.ini"))
    settings.remember_recent(str(tmp_path / NAME.replace("/", "_")))
    session = Session()
    trace = hostile_trace()
    info = replace(
        small_info(NAME), name=NAME, verified=False, model_type=NAME, languages=(NAME, NAME), card=IMAGE,
        sha256=trace.model_sha256,
    )  # fmt: skip
    session.set_model(info)
    window = build_window(session, settings, theme="light", language="en")
    qtbot.addWidget(window)
    session.add_run(Run("first", hostile_trace(1), provenance={"source": "file", "file": NAME}))
    session.add_run(Run("second", trace, parent="first", provenance={"source": "file", "file": NAME}))
    session.set_text(trace.src_text)
    session.pin("first")
    session.select(0, kind=AttentionKind.CROSS, layer=0, head=1, step=4, query=4, key=3)
    session.bookmarks.add(NAME)
    session.set_notice(Notice.of(HeadscopeError("file_missing", path=NAME)))
    window.resize(1280, 800)
    window.show()
    QApplication.processEvents()
    return window


def look_into(window: MainWindow) -> Iterator[str]:
    """Go to every page, drawer, tab and view, one after the other."""
    session, page = window._session, window.look_page
    for view in (row.name for row in PANE_VIEWS):
        session.select(0, view=view)
        yield f"view {view}"
    session.select(0, view="map")
    for tab in range(len(page.inspector.tabs)):
        page.inspector.show_tab(tab)
        yield f"tab {tab}"
    for panel in range(len(page.drawer.tabs)):
        page.drawer.show_panel(panel)
        yield f"drawer {panel}"
    page.drawer.show_panel(None)
    session.open_second_pane(Selection(AttentionKind.ENCODER_SELF))
    yield "two panes"
    session.close_second_pane()
    for index in (1, 2, 3):
        window.pages.show_page(index)
        yield f"page {index}"


def answer_what_needs_no_model(session: Session) -> None:
    """The numbers of heads follow from the trace alone."""

    def wanted(question: Any, reading: Any, topic: str) -> None:
        if reading is None:
            try:
                *_, found = answer(None, question)
            except HeadscopeError:
                return
            session.answers.finish((question, None), found)

    session.answers.wanted.connect(wanted)


def test_nothing_in_the_window_is_taken_for_html_or_for_a_key(window: MainWindow, tips: list[str]) -> None:
    answer_what_needs_no_model(window._session)
    found: dict[str, str] = {}
    pointed: list[QWidget] = []
    for place in look_into(window):
        QApplication.processEvents()
        for where, text in texts_in(window):
            if not is_ours(text):
                found[f"{place}: {where}"] = text[:200]
        for name in keys_in(window):
            left = name.replace("&&", "")
            assert not any(key in left for key in ("&Zebra", "&amp", "&x")), (place, name)
        for child in window.findChildren(QWidget):
            if child.isVisible() and child.hasMouseTracking() and child not in pointed:
                pointed.append(child)
                point_everywhere(child)
        found |= {f"{place}: pointer": text[:200] for text in tips if not is_ours(text)}
    assert found == {}
    assert any(IMAGE in seen(text) for text in tips)
    assert any("0." in text for text in tips)
    window._session.hover.set(None)


def open_export(window: MainWindow, qtbot: QtBot) -> ExportDialog:
    window.exporting.open_dialog()
    dialog = window.exporting.dialog
    assert dialog is not None
    qtbot.waitUntil(dialog.isVisible)
    return dialog


def test_no_dialog_takes_a_text_for_html(window: MainWindow, qtbot: QtBot) -> None:
    session = window._session
    open_export(window, qtbot)
    for ask in (window.dialogs.ask_bookmark, window.dialogs.ask_sampling, window.dialogs.show_model_info):
        ask()
    dialogs = [dialog for dialog in window.findChildren(QDialog) if dialog.isVisible()]
    two = sample_trace(source=(TOKENS[0], "</s>"), target=("<s>", TOKENS[2], "</s>"))
    dialogs += [BookmarksDialog(session, window), GoldDialog(session, Run("two", two), window)]
    assert len(dialogs) == 6
    assert isinstance(next(d for d in dialogs if isinstance(d, ModelInfoDialog)), QDialog)
    found = {where: text for each in dialogs for where, text in texts_in(each) if not is_ours(text)}
    for each in dialogs:
        each.close()
    assert not found


def test_questions_show_names_as_they_stand(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: asked.append(box.text()))
    dialog = open_export(window, qtbot)
    dialog._may_replace([str(tmp_path / "<b>x.png")])
    dialog.close()
    assert seen(asked[0]) == "<b>x.png already exists. Replace it?"


def test_a_model_card_opens_no_file(qtbot: QtBot, tmp_path: Path) -> None:
    """A pipe without a writer would hold the window for ever."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    card = f"# Card\n\n![a]({pipe})\n\n<img src='{pipe}'>\n\n![b]({pipe.as_uri()})\n"
    page = CardPage(card)
    qtbot.addWidget(page)
    page.show()
    page.grab()
    assert "Card" in page.toPlainText()


def test_a_very_long_text_is_cut_in_its_middle() -> None:
    told = plain("<b>" + "wide " * 100_000 + "0.123")
    assert len(told) < 4000
    assert seen(told).startswith("<b>wide wide")
    assert seen(told).endswith("wide 0.123")
    assert plain("a" * 3000) == "a" * 3000


def test_a_name_on_a_button_has_no_keys_and_no_columns() -> None:
    assert literal("R&D\tCtrl+Q\nx") == "R&&D Ctrl+Q x"


def test_exported_pictures_hold_tokens_as_text(qapp: object) -> None:
    figure = map_figure(hostile_trace(), Selection(AttentionKind.CROSS, layer=0, head=0), ViewOptions())
    root = ET.fromstring(to_svg(figure_picture(figure, ExportRequest(width_mm=300))))
    svg = "{http://www.w3.org/2000/svg}"
    texts = [element.text or "" for element in root.iter(f"{svg}text")]
    assert any(IMAGE.removesuffix(">") in text for text in texts)
    assert "<b>bold" in texts
    assert "&amp;" in texts
    allowed = {svg + name for name in ("svg", "title", "desc", "style", "defs", "g", "path", "text", "rect")}
    allowed |= {svg + name for name in ("polyline", "polygon", "line", "circle", "ellipse", "pattern")}
    images = [element.get("{http://www.w3.org/1999/xlink}href", "") for element in root.iter(f"{svg}image")]
    assert all(image.startswith("data:image/png;base64,") for image in images)
    assert {element.tag for element in root.iter()} <= allowed | {svg + "image", svg + "linearGradient"}
    assert to_pdf(figure_picture(figure, ExportRequest(width_mm=300))).startswith(b"%PDF")


def is_plain(node: ast.expr) -> bool:
    """Whether an expression can only be a text of ours, or one that was made plain."""
    if isinstance(node, ast.IfExp):
        return is_plain(node.body) and is_plain(node.orelse)
    if not isinstance(node, ast.Call):
        return isinstance(node, ast.Constant)
    name = called(node)
    return name == "plain" or (name in ("tr", "translate") and all(map(is_plain, node.args)))


def called(node: ast.Call) -> str:
    function = node.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


TIPS = {"setToolTip": 0, "setStatusTip": 0, "setWhatsThis": 0, "QProgressDialog": 0}
QUESTIONS = {"question", "warning", "information", "critical"}
_TIP_ROLE = "role == Qt.ItemDataRole.ToolTipRole"
PICTURES = {"about.py", "export_form.py", "notice_bar.py"}
"""Files with a bare `QLabel` for a picture; for words there is `label`, which takes none for HTML."""


def strays(path: Path) -> Iterator[tuple[int, str]]:
    """Lines of a file where a text could get into Qt as HTML."""
    text = path.read_text(encoding="utf-8")
    if not any(name in text for name in (*TIPS, "QMessageBox", "showText", "QLabel", "ToolTipRole")):
        return  # parsing takes longest
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call):
            name = called(node)
            place = TIPS.get(name, -1)
            if name in QUESTIONS and "QMessageBox" in ast.unparse(node.func):
                yield node.lineno, f"{name}: use agreed()"
            if 0 <= place < len(node.args) and not is_plain(node.args[place]):
                yield node.lineno, f"{name}: use plain()"
            if name == "showText":
                yield node.lineno, "use show_tip()"
            if name == "QLabel" and (node.args or path.name not in PICTURES):
                yield node.lineno, "use label()"
        if isinstance(node, ast.If) and ast.unparse(node.test).startswith(
            "role == Qt.ItemDataRole.ToolTipRole"
        ):
            yield from (
                (each.lineno, "ToolTipRole: use plain()")
                for each in ast.walk(node)
                if isinstance(each, ast.Return) and each.value is not None and not is_plain(each.value)
            )


def test_no_text_goes_to_qt_but_through_the_helpers() -> None:
    helpers = {"plain_tip.py"}
    found = [
        f"{path.relative_to(ROOT)}:{line}: {what}"
        for path in sorted((ROOT / "viewer").rglob("*.py"))
        if path.name not in helpers
        for line, what in strays(path)
    ]
    assert not found
