"""The Chinese translation is whole: every string of the sources, every error sentence, every placeholder."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QFileDialog, QLabel, QPushButton, QTreeView
from pytestqt.qtbot import QtBot

from model.errors import MESSAGES, HeadscopeError
from tests.viewer.translation_files import QM, ROOT, TS, messages, release, tool, update
from viewer.document.messages.notice import error_sentence
from viewer.window.localization import Localization

needs_tools = pytest.mark.skipif(
    tool("lupdate") is None or tool("lrelease") is None, reason="no lupdate here"
)
_PLACEHOLDER = re.compile(r"\{[^{}]*\}")


@pytest.fixture
def localization(qapp: QApplication) -> Iterator[Localization]:
    localization = Localization()
    yield localization
    localization.remove()


@needs_tools
def test_nothing_is_unfinished_or_missing(tmp_path: Path) -> None:
    fresh = tmp_path / "fresh.ts"
    fresh.write_bytes(TS.read_bytes())

    update(fresh)

    assert [key for key, text in messages(fresh).items() if not text] == []
    assert messages(fresh).keys() == messages(TS).keys()


@needs_tools
def test_the_compiled_file_is_that_of_the_source(tmp_path: Path) -> None:
    release(TS, tmp_path / "x.qm")

    assert (tmp_path / "x.qm").read_bytes() == QM.read_bytes()


def test_every_string_marked_for_translation_is_in_the_file() -> None:
    """Found by Python's own parser: lupdate overlooks, for one, calls inside f-strings."""
    known = {source for _, source in messages(TS)}
    marked = [
        (path.name, text)
        for path in sorted((ROOT / "viewer").rglob("*.py"))
        for text in _marked(ast.parse(path.read_text(encoding="utf-8")))
    ]

    assert len(marked) > 1000
    assert [(name, text) for name, text in marked if text not in known] == []


def _marked(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        place = {"tr": 0, "translate": 1}.get(name)
        if place is None or len(node.args) <= place:
            continue
        argument = node.args[place]
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            yield argument.value


def test_every_error_sentence_is_translated() -> None:
    known = messages(TS)

    assert [sentence for sentence in MESSAGES.values() if not known.get(("Errors", sentence))] == []


def test_translations_keep_the_placeholders() -> None:
    for (_, source), text in messages(TS).items():
        assert set(_PLACEHOLDER.findall(text or "")) == set(_PLACEHOLDER.findall(source)), source


def test_translations_are_chinese() -> None:
    same = {source for (_, source), text in messages(TS).items() if text == source}

    assert {source for source in same if len(_PLACEHOLDER.sub("", source)) > 12} == set()


def test_error_sentences_are_filled_after_translation(localization: Localization) -> None:
    error = HeadscopeError("trace_newer", path="/a/b.trace", version=9)
    assert error_sentence(error).startswith("/a/b.trace was written by a newer Headscope")

    localization.choose("zh_CN")

    assert error_sentence(error).startswith("/a/b.trace 由更新版本的 Headscope")
    assert "9" in error_sentence(error)
    assert error_sentence(error).endswith("。")


def test_qts_own_dialogs_speak_the_language_too(localization: Localization, qtbot: QtBot) -> None:
    localization.choose("zh_CN")
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    qtbot.addWidget(box)

    assert "取消" in box.button(QDialogButtonBox.StandardButton.Cancel).text()


def test_an_unknown_language_is_english(localization: Localization) -> None:
    localization.choose("zh_CN")
    localization.choose("tlh")

    assert localization.language == "en"
    assert QCoreApplication.translate("TopBar", "Look") == "Look"


@pytest.mark.gui
def test_the_file_dialog_of_qt_is_in_chinese(qtbot: QtBot) -> None:
    chosen = Localization("zh_CN")
    try:
        dialog = QFileDialog()
        qtbot.addWidget(dialog)
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        texts = [one.text() for kind in (QLabel, QPushButton) for one in dialog.findChildren(kind)]
        tree = dialog.findChild(QTreeView)
        assert tree is not None
        texts += [tree.model().headerData(column, Qt.Orientation.Horizontal) for column in range(4)]
        assert "大小" in texts
        assert len(texts) > 8
        for text in texts:
            assert not re.search("[A-Za-z]{2}", str(text)), text
    finally:
        chosen.remove()
