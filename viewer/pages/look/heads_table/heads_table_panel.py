"""The Heads table drawer."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from model.errors import HeadscopeError
from model.files.suffixes import check_suffix, suffix_of
from model.heads.head_report import write_report
from model.heads.head_roles import LEAST_SENTENCES, CorpusScores
from model.questions.causes.pruning import report_of
from viewer.document.messages.notice import Notice
from viewer.document.session import Session
from viewer.document.text.lists import clauses
from viewer.figures.figure import FigureSpec
from viewer.figures.map.damage import known_damage
from viewer.figures.map.gold.text import diagonal_text, rule_name
from viewer.figures.sheet.spec import SheetSpec
from viewer.figures.text import provenance_caption, sentence
from viewer.model_samples import example_label
from viewer.pages.look.drawer_panels import label_of
from viewer.pages.look.heads_table.corpus_bar import CorpusBar
from viewer.pages.look.heads_table.heads_grid import HeadsGrid
from viewer.pages.look.heads_table.heads_list import HeadsList
from viewer.pages.look.heads_table.heads_model import rows_of
from viewer.pages.look.heads_table.heads_state import HeadKey, HeadsState
from viewer.pages.look.heads_table.heads_tools import HeadsTools
from viewer.pages.look.heads_table.heads_words import drawing_name, likeness_formula, metric_name
from viewer.pages.look.heads_table.prune_sheet import prune_sheet
from viewer.pages.look.heads_table.prune_view import PruneView
from viewer.pages.look.panel import LookPanel
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import card, elastic, label
from viewer.pages.widgets.empty_state import EmptyState
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.quiet_scroll import QuietScrollArea
from viewer.pages.widgets.table_figure import table_figure

_GRID = 1
_AROUND = 8  # pixels that are seen above and below the head in view


class HeadsTablePanel(LookPanel):
    """What every head does, as numbers.

    Attributes:
        state: what is shown, of the sentence or of a corpus.
        tools: what the drawer shows beside its tabs.
    """

    tools: HeadsTools

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._appearance = appearance
        self._folder = str(Path.home())
        self.state = HeadsState(session, self)
        self.tools = HeadsTools(self.state, appearance)
        self.corpus = CorpusBar(self.state, appearance)
        self.list = HeadsList(self.state, appearance)
        self.grid = HeadsGrid(self.state, appearance)
        self.pruning = PruneView(session, self.state, appearance)
        self.note = elastic(label("small"))
        self.empty = EmptyState()
        self._rows: tuple[object, ...] = ()
        self._said = ""
        self._seen: HeadKey | None = None
        self._lay_out()
        self.state.changed.connect(self.refresh)
        self.state.moved.connect(self._moved)
        self.pruning.state.changed.connect(self.refresh)
        self.tools.grid_chosen.connect(self.show_grid)
        self.tools.metric_chosen.connect(self._metric_chosen)
        self.tools.export_asked.connect(self.ask_export)
        self.tools.drawing_asked.connect(self.ask_drawing)
        self.tools.circuits_asked.connect(self.circuits_asked)
        self.list.circuits_asked.connect(self.circuits_asked)
        self.empty.asked.connect(self._empty_asked)
        self.retranslate()

    def _lay_out(self) -> None:
        # From the outside in: Qt styles all that a widget holds anew each time it is put into another.
        around = QHBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(frame := card())
        inside = QVBoxLayout(frame)
        inside.setContentsMargins(10, 6, 8, 6)
        inside.setSpacing(4)
        self._stack = QStackedWidget()
        inside.addWidget(self.corpus)
        inside.addWidget(self._stack, 1)
        self._full = QWidget()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._full)
        self._stack.addWidget(self.pruning)
        full = QVBoxLayout(self._full)
        full.setContentsMargins(0, 0, 0, 0)
        full.setSpacing(2)
        self._forms = QStackedWidget()
        full.addWidget(self._forms, 1)
        full.addWidget(self.note)
        self._scroll = QuietScrollArea()
        self._forms.addWidget(self.list)
        self._forms.addWidget(self._scroll)
        self._scroll.setWidget(self.grid)

    def _moved(self) -> None:
        """Go after another head; a step leaves the grid where a person has scrolled it."""
        if self.state.place != self._seen:
            self._reveal()

    def _reveal(self) -> None:
        """Scroll the grid to the head in view; with its first layer, to what stands above it."""
        place = self._seen = self.state.place
        cell = None if place is None else self.grid.rect_of(place)
        if place is not None and cell is not None:
            top = 0.0 if place[1] == 0 else cell.top() - _AROUND
            seen = QRectF(cell.left(), top, cell.width(), cell.bottom() + _AROUND - top).toAlignedRect()
            centre = seen.center()
            self._scroll.ensureVisible(centre.x(), centre.y(), seen.width() // 2, seen.height() // 2)

    # What is shown.

    def figure(self) -> FigureSpec[SheetSpec] | None:
        """The grids or the list, as they are in view."""
        if self.state.scope == "pruning":
            return prune_sheet(self.pruning.state.found)
        report = self.state.report
        if report is None:
            return None
        listed = self._forms.currentIndex() != _GRID
        name = label_of("heads_table")
        title = name if listed else f"{name}: {metric_name(self.grid.chosen)}"
        run, caption = self._session.run(), sentence(title)
        if run is not None and self.state.scope != "corpus":
            caption = provenance_caption(run.trace, title, (), run.provenance)
        if listed:
            return table_figure(self.list, title, caption, self._facts())
        spec = SheetSpec(title, (), (self.grid.as_grids(),), notes=(self._facts(),))
        return FigureSpec(spec, caption, {"view": "table"})

    def show_grid(self, on: bool) -> None:
        """Show the grid, or the list."""
        self._forms.setCurrentIndex(_GRID if on else 0)
        self.refresh()
        self._reveal()

    def refresh(self) -> None:
        """Show what is known of the heads, or say why nothing is."""
        self.corpus.setVisible(self.state.scope == "corpus")
        report = self.state.report
        if self.state.scope == "pruning":
            self._stack.setCurrentWidget(self.pruning)
            self.tools.export.setEnabled(bool(self.pruning.state.found))
            return
        self._stack.setCurrentWidget(self.empty if report is None else self._full)
        if report is None:
            self.corpus.say("")
            self._say_empty()
        if report is None or not self.isVisible():
            return
        if not self._rows or self._rows[0] is not report:
            self._rows, self._said = (report, rows_of(report)), ""
        rows = self._rows[1]
        assert isinstance(rows, tuple)
        if self._forms.currentIndex() == _GRID:
            self.grid.refresh(rows, self.grid.chosen)
        else:
            self.list.refresh(rows)
        self._say_facts()

    def remeasure(self) -> None:
        """Take the type in force."""
        self.pruning.remeasure()

    def retranslate(self) -> None:
        """Take the language in force."""
        self._said = ""
        self.pruning.retranslate()
        self.refresh()

    # Files.

    def ask_drawing(self) -> None:
        """Ask for a pattern that heads are compared with."""
        from viewer.pages.look.heads_table.drawing_dialog import DrawingDialog

        trace = self.state.trace
        if trace is None:
            return
        dialog = DrawingDialog(self._session, trace, self.state.drawing, self._appearance, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.drawn.connect(self.state.choose_drawing)
        dialog.open()

    def ask_export(self, kind: str) -> None:
        """Ask for a name and write the table, `csv` or `json`."""
        kinds = self.tr("CSV (*.csv)") if kind == "csv" else self.tr("JSON (*.json)")
        start = str(Path(self._folder) / f"heads.{kind}")
        path, _ = QFileDialog.getSaveFileName(self, self.tr("Save the heads table"), start, kinds)
        if path:
            named = suffix_of(path)  # who types the other ending means it
            kind = named if named in ("csv", "json") else kind
            self.export(path if named else f"{path}.{kind}", as_csv=kind == "csv")

    def export(self, path: str, *, as_csv: bool) -> None:
        """Write the table; a failure becomes the session's notice."""
        report, pruned = self.state.report, self.pruning.state.found
        if report is None and not (pruned and self.state.scope == "pruning"):
            return
        form = "csv" if as_csv else "json"
        try:
            check_suffix(path, (form, "txt"))
            if report is None:
                report_of(pruned[-1]).write(path, form)
            else:
                write_report(report, path, as_csv=as_csv)
        except HeadscopeError as error:
            self._session.set_notice(Notice.of(error))
            return
        self._session.deeds.note(path, self.state.command(as_csv=as_csv))
        self._folder = str(Path(path).parent)
        self._said = self.tr("Saved {name}").format(name=Path(path).name)
        self.refresh()

    # Qt's own events.

    def showEvent(self, event: QShowEvent) -> None:
        """Ask what is looked at from now on."""
        super().showEvent(event)
        self.state.watch(True)

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks."""
        super().hideEvent(event)
        self.state.watch(False)

    # Sentences.

    def _say_facts(self) -> None:
        """Of a corpus in its own row: a low drawer needs the height."""
        facts, corpus = self._said or self._facts(), self.state.scope == "corpus"
        self.note.setVisible(not corpus)
        self.note.setText(facts)
        self.note.setToolTip(plain(self._facts()))
        if corpus:
            self.corpus.say(facts)

    def _say_empty(self) -> None:
        state = self.state.state
        if state.problem is not None:
            again = self.tr("Choose a file…") if self.state.scope == "corpus" else self.tr("Try again")
            self.empty.say(state.problem.sentence(), again)
        elif state.waiting:
            self.empty.say(self.tr("Measuring every head…"))
        elif self.state.scope == "corpus":
            self.empty.say(
                self.tr("Choose a file of sentences or pairs: every head is measured over all of them."),
                self.tr("Choose a file…"),
            )
        elif self.state.live:
            self.empty.say(self.tr("Every head is measured when the output is complete."))
        else:
            self.empty.say(
                self.tr("Type a sentence above: what every head does with it is shown here in numbers."),
                example_label(self._session.model),
            )

    def _empty_asked(self) -> None:
        if self.state.scope == "corpus":
            self.corpus.ask()
        elif self.state.state.problem is not None and self.state.question is not None:
            self._session.answers.retry(self.state.question)
        else:
            self.example_asked.emit()

    def _metric_chosen(self, name: str) -> None:
        self.grid.chosen = name
        self.refresh()

    def _facts(self) -> str:
        report = self.state.report
        if report is None:
            return ""
        if report.corpus is not None:
            return self._corpus_facts(report.corpus)
        alone = self.tr(
            "This sentence alone. No roles are named: what a head does in one sentence may be due to "
            "that sentence; Corpus… tells more."
        )
        if report.trace is not None:
            damage = known_damage(report.trace, report.trace.kinds)
            alone = " ".join([*(sentence(each[:1].upper() + each[1:]) for each in damage), alone])
        alone = f"{self._likeness_facts()}{alone}"
        if report.aer is None:
            return alone
        rule = rule_name(self._session.view.alignment_rule)
        return f"{metric_name('aer')}: {rule}, {diagonal_text(report.diagonal)}. {alone}"

    def _likeness_facts(self) -> str:
        """By what heads are compared with a drawing, or why they cannot be."""
        drawing = self.state.drawing
        if drawing is None:
            return ""
        if problem := self.state.likeness_problem:
            return f"{problem} "
        text = self.tr("Likeness to: {name}. {formula}")
        return text.format(name=drawing_name(drawing), formula=likeness_formula()) + " "

    def _corpus_facts(self, found: CorpusScores) -> str:
        rows = max((int(rows.max()) for rows in found.scores.rows.values() if rows.size), default=0)
        text = self.tr("{name}, model {model}: {sentences} sentences, up to {rows} rows a head")
        said = [
            text.format(
                name=Path(found.path).name,
                model=found.model_name,
                sentences=f"{found.sentences:,}",
                rows=f"{rows:,}",
            )
        ]
        if found.gold:
            rule = rule_name("reads" if found.rule == "reads" else "predicts")
            plain = diagonal_text(found.diagonal)
            said.append(f"{metric_name('aer')}: {Path(found.gold).name}, {rule}, {plain}")
        if found.left_out:
            said.append(self.tr("{count} too long or empty").format(count=f"{found.left_out:,}"))
        said.append(self.tr("targets as in the file") if found.forced else self.tr("greedy translations"))
        if found.sentences < LEAST_SENTENCES:
            said.append(self.tr("roles are named from {least} sentences on").format(least=LEAST_SENTENCES))
        else:
            said.append(self.tr("roles compared with random weights (seed {seed})").format(seed=found.seed))
        return clauses(said)
