"""The Sentences drawer: what it says of a file while it comes and after; opening, sorting, saving."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QVBoxLayout, QWidget

from model.errors import HeadscopeError
from model.questions.sentence_list import SentenceList, SentenceRow
from model.trace.trace_file import open_trace, save_trace
from tests.viewer.fake_source import small_trace
from viewer.document.messages.notice import Notice
from viewer.document.session import Session
from viewer.export.sentences_files import write_sentences
from viewer.pages.look.sentences.sentences_model import COVERAGE, EACH, LINE, TRANSLATION, SentencesModel
from viewer.pages.look.sentences.sentences_panel import SentencesPanel
from viewer.pages.widgets.appearance import Appearance

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")  # the platform without a screen


class Made:
    """A panel whose file's sentences come as a test says."""

    def __init__(self, qtbot: Any, folder: Path) -> None:
        self.session = Session()
        self.panel = SentencesPanel(self.session, Appearance("light"))
        self.around = QWidget()
        qtbot.addWidget(self.around)
        column = QVBoxLayout(self.around)
        column.addWidget(self.panel.tools)
        column.addWidget(self.panel)
        self.around.resize(1300, 300)
        self.around.show()
        self.unwanted: list[Any] = []
        self.session.answers.unwanted.connect(lambda *key: self.unwanted.append(key[0]))
        self.wanted: list[Any] = []
        self.session.answers.wanted.connect(lambda *key: self.wanted.append(key[0]))
        self.rows = tuple(self._row(folder, number) for number in range(3))

    def _row(self, folder: Path, number: int) -> SentenceRow:
        if number == 1:
            return SentenceRow(2, "b", problem=HeadscopeError("empty_text"))
        path = folder / f"{number}.trace"
        save_trace(small_trace(2 + number, text=f"text {number}"), path)
        return SentenceRow(
            number + 1, f"text {number}", f"words {number}", -1.0 - number, -0.5, 0.25, 0.9 - number / 10,
            1.25, 1.0, 2, finished=number == 0, trace=str(path),
        )  # fmt: skip

    def come(self, count: int, *, done: bool = False) -> None:
        answers, key = self.session.answers, (self.wanted[-1], None)
        found = SentenceList(self.rows[:count], 3)
        answers.finish(key, found) if done else answers.grow(key, found)

    def shown(self, column: int) -> list[str]:
        model = self.panel.table.model()
        return [str(model.index(row, column).data()) for row in range(model.rowCount())]


@pytest.fixture
def made(qtbot: Any, tmp_path: Path) -> Made:
    return Made(qtbot, tmp_path)


def test_sentences_come_one_by_one_and_say_what_is_known(made: Made) -> None:
    assert made.panel.empty.isVisible()
    made.session.sentences.open("/some/file.txt")
    made.session.answers.progress((made.wanted[-1], None), 1, 3)
    made.come(1)
    assert made.panel.table.isVisible()
    assert made.panel.about.text() == "file.txt: 1 of 3 sentences"
    assert not made.panel.stop.isHidden()
    assert made.panel.progress.value() == 1
    assert made.panel.save.isHidden()

    made.come(3, done=True)

    assert made.panel.about.text() == "file.txt: 3 sentences"
    assert made.shown(TRANSLATION)[0] == "words 0"
    assert made.shown(TRANSLATION)[1].startswith("There is no text")
    assert made.shown(COVERAGE) == ["90.0 %", "–", "70.0 %"]
    assert made.shown(EACH) == ["−0.500", "–", "−0.500"]
    assert made.panel.stop.isHidden()
    assert not made.panel.save.isHidden()
    figure = made.panel.figure()
    assert figure is not None
    assert (figure.body.title, figure.caption) == ("Sentences", "Sentences")


def test_stopping_keeps_the_sentences(made: Made) -> None:
    made.session.sentences.open("/some/file.txt")
    made.come(2)
    made.panel.stop.click()
    assert made.unwanted == made.wanted
    assert len(made.shown(0)) == 2
    assert made.panel.about.text() == "file.txt: 2 of 3 sentences"


def test_a_file_that_cannot_be_read_says_why(made: Made) -> None:
    made.session.sentences.open("/some/file.txt")
    made.session.answers.fail(
        (made.wanted[-1], None), Notice("sentences_none", {"path": "file.txt"}, "error")
    )
    assert made.panel.empty.isVisible()
    assert "There are no sentences in file.txt" in made.panel.empty.sentence.text()


def test_a_click_or_enter_opens_a_sentence_once(made: Made) -> None:
    made.session.sentences.open("/some/file.txt")
    made.come(3, done=True)
    table = made.panel.table
    QTest.mouseClick(
        table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(table.model().index(0, 1)).center()
    )
    trace = made.session.trace()
    assert trace is not None
    assert trace.src_text == "text 0"
    QTest.keyClick(table, Qt.Key.Key_Down)
    QTest.keyClick(table, Qt.Key.Key_Return)  # the one that failed
    QTest.keyClick(table, Qt.Key.Key_Down)
    assert len(made.session.document.runs) == 1
    QTest.keyClick(table, Qt.Key.Key_Return)
    assert [run.trace.src_text for run in made.session.document.runs] == ["text 0", "text 2"]
    table.selectRow(0)
    QTest.keyClick(table, Qt.Key.Key_Return)
    assert len(made.session.document.runs) == 2
    trace = made.session.trace()
    assert trace is not None
    assert trace.src_text == "text 0"


def test_a_trace_that_is_gone_is_said(made: Made) -> None:
    made.session.sentences.open("/some/file.txt")
    made.come(1, done=True)
    Path(made.rows[0].trace).unlink()
    made.panel.table.selectRow(0)
    QTest.keyClick(made.panel.table, Qt.Key.Key_Return)
    notice = made.session.notice
    assert notice is not None
    assert notice.code == "file_missing"


def test_table_and_traces_are_saved(made: Made, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    said: list[str] = []
    made.panel.read_out.connect(said.append)

    made.panel.save_in(SentenceList(made.rows, 3), str(folder))

    assert said == ["Saved sentences.csv and 2 traces in kept"]
    with (folder / "sentences.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    assert [line["text"] for line in lines] == ["text 0", "b", "text 2"]
    assert float(lines[2]["coverage"]) == pytest.approx(0.7, abs=1e-9)
    assert (lines[1]["coverage"], lines[1]["tokens"], lines[1]["trace"]) == ("", "", "")
    assert lines[1]["error"].startswith("there is no text")
    assert open_trace(folder / lines[2]["trace"]).src_text == "text 2"


def test_a_folder_that_cannot_be_made_is_said(made: Made, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(HeadscopeError):
        write_sentences(SentenceList(made.rows, 3), tmp_path / "file" / "below")
    made.panel.save_in(SentenceList(made.rows, 3), str(tmp_path / "file" / "below"))
    assert made.session.notice is not None


def test_another_file_forgets_the_first(made: Made) -> None:
    made.session.sentences.open("/some/file.txt")
    made.come(2)
    made.session.sentences.open("/some/file.txt")
    assert len(made.wanted) == 2
    assert made.wanted[0] != made.wanted[1]
    assert made.unwanted == [made.wanted[0]]
    assert made.shown(0) == []


def test_it_follows_the_language(made: Made) -> None:
    made.panel.stop.setText("")
    made.panel.changeEvent(QEvent(QEvent.Type.LanguageChange))
    assert made.panel.stop.text() == "Stop"


def test_what_stopped_it_stands_beside_the_sentences_there_are(made: Made) -> None:
    made.session.sentences.open("/some/file.txt")
    made.come(2)
    problem = Notice("disk_full", {"path": "/tmp/x"})
    made.session.answers.fail((made.wanted[-1], None), problem)
    assert made.panel.table.isVisible()
    assert made.panel.about.text() == f"file.txt: 2 of 3 sentences · {problem.sentence()}"
    assert problem.sentence() in made.panel.about.toolTip()


def test_a_sentence_without_numbers_comes_last_whichever_way_it_is_sorted(made: Made) -> None:
    made.session.sentences.open("/some/file.txt")
    made.come(3, done=True)
    for order, lines in ((Qt.SortOrder.AscendingOrder, "312"), (Qt.SortOrder.DescendingOrder, "132")):
        made.panel.table.sortByColumn(COVERAGE, order)
        assert "".join(made.shown(LINE)) == lines


def test_what_is_there_is_not_asked_again_for_every_sentence_that_comes(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = made.rows[0]
    rows = tuple(replace(row, line=number) for number in range(1, 502))
    made.session.sentences.open("/some/file.txt")
    key = (made.wanted[-1], None)
    made.session.answers.grow(key, SentenceList(rows[:500], 1000))
    asked = []
    data = SentencesModel.data
    monkeypatch.setattr(
        SentencesModel, "data", lambda self, index, role=0: asked.append(1) or data(self, index, role)
    )
    made.session.answers.progress(key, 501, 1000)
    made.session.answers.grow(key, SentenceList(rows, 1000))
    assert len(asked) < 2000  # with all rows asked for the widths of their columns: some 27,000


def test_its_traces_are_not_named_where_files_are_meant_to_stay(made: Made, tmp_path: Path) -> None:
    sentences = made.session.sentences
    assert not sentences.holds(str(tmp_path / "0.trace"))
    sentences.open("/some/file.txt")
    assert sentences.holds(str(Path(made.wanted[-1].folder) / "00001.trace"))
    assert not sentences.holds(str(tmp_path / "0.trace"))
    sentences.close()
    assert not sentences.holds(made.wanted[-1].folder)
