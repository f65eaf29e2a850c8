"""The Sentences drawer: a file of sentences, translated in the background; each can be opened."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import (
    QFileDialog,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from model.errors import HeadscopeError
from model.questions.sentence_list import SentenceList, SentenceRow
from viewer.document.messages.notice import Notice
from viewer.document.run_source import RunSource
from viewer.document.session import Session
from viewer.document.text.model_text import cannot_write
from viewer.export.sentences_files import write_sentences
from viewer.figures.figure import AnyFigure
from viewer.opening import recorded_run
from viewer.pages.look.drawer_panels import label_of
from viewer.pages.look.panel import LookPanel
from viewer.pages.look.sentences.sentences_table import SentencesTable
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import card, elastic, label
from viewer.pages.widgets.empty_state import EmptyState
from viewer.pages.widgets.overflow_row import STAYS, OverflowRow
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.table_figure import table_figure


class SentencesPanel(LookPanel):
    """Choose a file, watch its sentences come, sort them by what is worth knowing, open any.

    Attributes:
        tools: what the drawer shows beside its tabs: the file, how far it is, stop and save.
    """

    tools: OverflowRow

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._sentences = session.sentences
        self._appearance = appearance
        self.tools = OverflowRow(appearance)
        self.about = elastic(label("muted"))
        self.progress = QProgressBar()
        self.stop, self.save, self.choose = QPushButton(), QPushButton(), QPushButton()
        self.table = SentencesTable(appearance)
        self.empty = EmptyState()
        self._lay_out()
        self.empty.asked.connect(self.choose_file)
        self.choose.clicked.connect(self.choose_file)
        self.stop.clicked.connect(self._sentences.stop)
        self.save.clicked.connect(self.choose_folder)
        self.table.opened.connect(self._open)
        self._sentences.changed.connect(self.refresh)
        session.panes_changed.connect(self._mark)
        session.pane_changed.connect(self._mark)
        session.model_changed.connect(self.refresh)
        appearance.changed.connect(self.refresh)
        self.retranslate()

    def _lay_out(self) -> None:
        self.progress.setTextVisible(False)
        self.progress.setFixedHeight(6)
        self.tools.add(self.about, 3, rank=STAYS)
        self.tools.add(self.progress, 1, rank=STAYS)
        for button in (self.stop, self.choose, self.save):
            self.tools.add(button)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.table)
        frame = card()
        inside = QVBoxLayout(frame)
        inside.setContentsMargins(8, 6, 8, 6)
        inside.addWidget(self._stack)
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(frame)

    def choose_file(self) -> None:
        """Ask for a file and translate it."""
        kinds = self.tr("Texts (*.txt *.tsv *.csv *.gz *.xz *.bz2 *.zip);;All files (*)")
        path, _ = QFileDialog.getOpenFileName(self, self.tr("Choose a file of sentences"), "", kinds)
        if path:
            self._sentences.open(path)

    def choose_folder(self) -> None:
        """Ask for a folder and save the table and the traces there."""
        sentences = self._sentences.list
        if sentences is None:
            return
        folder = QFileDialog.getExistingDirectory(self, self.tr("Save table and traces in"))
        if folder:
            self.save_in(sentences, folder)

    def save_in(self, sentences: SentenceList, folder: str) -> None:
        """Save the table and the traces in a folder."""
        try:
            count = write_sentences(sentences, folder)
        except HeadscopeError as error:
            self._session.set_notice(Notice.of(error))
            return
        self._session.deeds.note(
            folder, reason=self.tr("A table of sentences is written by the window alone.")
        )
        text = self.tr("Saved sentences.csv and {count} traces in {folder}")
        self.read_out.emit(text.format(count=count, folder=Path(folder).name))

    def figure(self) -> AnyFigure | None:
        """The table, as it is sorted."""
        return table_figure(self.table, label_of("sentences"), label_of("sentences"))

    def refresh(self) -> None:
        """Show the sentences as far as they are."""
        sentences, state = self._sentences.list, self._sentences.state
        self.table.show_list(sentences)
        there = sentences is not None and bool(sentences.rows)
        self._stack.setCurrentWidget(self.table if there or state.waiting else self.empty)
        self.stop.setVisible(state.waiting)
        self.progress.setVisible(state.waiting)
        self.progress.setRange(0, state.total)
        self.progress.setValue(state.done)
        self.save.setVisible(there and not state.waiting)
        self.choose.setVisible(bool(self._sentences.path) and not state.waiting)
        # Where there are sentences, this is the only place that can say why there are no more.
        stopped = [state.problem.sentence()] if there and state.problem is not None else []
        self.about.setText(" · ".join([self._about(sentences), *stopped]))
        self.about.setToolTip(plain(self.about.text()))
        if obstacle := cannot_write(self._session.model):
            self.empty.say(obstacle)
        elif state.problem is not None:
            self.empty.say(state.problem.sentence(), self.tr("Choose another file…"))
        else:
            self.empty.say(
                self.tr(
                    "Choose or drop a text file with one sentence per line: the model translates them in "
                    "the background, and each can be opened here."
                ),
                self.tr("Choose a file…"),
            )
        self._mark()

    def retranslate(self) -> None:
        """Take the language in force."""
        self.stop.setText(self.tr("Stop"))
        self.stop.setToolTip(self.tr("Process no more sentences; finished ones stay"))
        self.save.setText(self.tr("Save…"))
        self.save.setToolTip(self.tr("Save the table as CSV, and every trace"))
        self.choose.setText(self.tr("Other file…"))
        self.table.setAccessibleName(self.tr("Sentences of the file"))
        self.table.sentences.retranslate()
        self.table.fit_columns()
        self.refresh()

    def _about(self, sentences: SentenceList | None) -> str:
        """Which file, how many of how many; and that there are more than are translated."""
        name = Path(self._sentences.path).name
        if sentences is None or not name:
            return name
        values = {"name": name, "count": len(sentences.rows), "total": sentences.total}
        if sentences.beyond:
            text = self.tr("{name}: {count} of its first {total} sentences")
        elif len(sentences.rows) < sentences.total:
            text = self.tr("{name}: {count} of {total} sentences")
        else:
            text = self.tr("{name}: {total} sentences")
        return text.format(**values)

    def _open(self, row: SentenceRow) -> None:
        """Show a sentence; one that is open already is shown again."""
        run_id = f"file-{row.trace}"
        if self._session.document.run(run_id) is not None:
            self._session.show_run(run_id)
            return
        try:
            run = recorded_run(Path(row.trace), RunSource.FILE)
        except HeadscopeError as error:
            self._session.set_notice(Notice.of(error))
            return
        self._session.add_run(run, pane=self._session.active)

    def _mark(self) -> None:
        run = self._session.run()
        self.table.mark_trace("" if run is None else str(run.provenance.get("path", "")))
