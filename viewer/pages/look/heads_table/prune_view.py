"""`PruneView`: heads switched off one after the other over a file: what is asked, and how curves grow."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QProgressBar,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from model.abilities import Ability
from model.questions.causes.pruning import BYS, DEFAULT_LIMIT, WITHS, PruneOf
from model.trace.trace import AttentionKind
from viewer.document.session import Session
from viewer.document.text.model_text import cannot
from viewer.figures.figure import FigureSpec
from viewer.figures.sheet.spec import SheetSpec
from viewer.guarded import Guarded
from viewer.pages.look.heads_table.heads_state import HeadsState
from viewer.pages.look.heads_table.prune_sheet import by_name, facts, formula_of, prune_sheet, with_name
from viewer.pages.look.heads_table.prune_state import PruneState
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import elastic, label
from viewer.pages.widgets.empty_state import EmptyState
from viewer.pages.widgets.overflow_row import STAYS, OverflowRow
from viewer.pages.widgets.plain_tip import literal, plain
from viewer.pages.widgets.quiet_scroll import QuietScrollArea
from viewer.pages.widgets.sheet_view import SheetView

_MOST = 10_000
_LONGEST = 28  # letters of a file's name
_PICTURE = 190  # pixels of height that curves need
_HIGH = 300  # pixels from which there is room for several lines of words


class PruneView(Guarded, QWidget):
    """A row of controls over the curves.

    Attributes:
        state: what was asked, and what there is.
        path: the file of pairs; empty until one is chosen.
    """

    def __init__(
        self, session: Session, heads: HeadsState, appearance: Appearance, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session, self._heads, self._appearance = session, heads, appearance
        self._said = ""
        self._folder = str(Path.home())
        self.path = ""
        self.state = PruneState(session, self)
        self.file, self.start, self.cancel = QPushButton(), QPushButton(), QPushButton()
        self.by, self.replaced = QComboBox(), QComboBox()
        self.limit = QSpinBox()
        self.limit.setRange(2, _MOST)
        self.limit.setValue(DEFAULT_LIMIT)
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.counted = elastic(label("small"))
        self.note, self.told = elastic(label("small")), label("small")
        self.told.setWordWrap(True)
        self.empty = EmptyState()
        self.picture = SheetView(appearance, self._figure)
        self._scroll = QuietScrollArea()
        self._scroll.setWidget(self.picture)
        self.remeasure()
        self._lay_out(appearance)
        self.file.clicked.connect(self.ask)
        self.start.clicked.connect(self.measure)
        self.cancel.clicked.connect(self.state.stop)
        self.by.activated.connect(self.refresh)
        self.replaced.activated.connect(self.refresh)
        self.empty.asked.connect(self.ask)
        self.state.changed.connect(self.refresh)
        heads.changed.connect(self.refresh)
        self.retranslate()

    def _lay_out(self, appearance: Appearance) -> None:
        row = OverflowRow(appearance)
        ranked = ((self.file, 2), (self.by, 4), (self.replaced, 3), (self.limit, 5), (self.start, 1))
        for widget, rank in ranked:
            row.add(widget, rank=rank)
        row.add(self.cancel, rank=STAYS)
        row.add(self.progress, 2, rank=STAYS)
        row.add(self.counted, 5, rank=STAYS)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(row)
        column.addWidget(self._scroll, 1)
        column.addWidget(self.empty, 1)
        column.addWidget(self.note)
        column.addWidget(self.told)

    def remeasure(self) -> None:
        """A picture as high as the type in force needs."""
        self.picture.setMinimumHeight(self._appearance.px(_PICTURE))

    def ask(self) -> None:
        """Let the person choose a file of pairs, and begin."""
        path, _ = QFileDialog.getOpenFileName(
            self, self.tr("Choose a file of pairs"), self._folder, self.tr("All files (*)")
        )
        if path:
            self._folder = str(Path(path).parent)
            self.path = path
            self.measure()

    def measure(self) -> None:
        """Begin with what is chosen."""
        if self.path and not self._obstacle():
            self.state.start(self.question())
            self.cancel.setFocus()

    def question(self) -> PruneOf:
        """What is chosen, of whatever model."""
        kind = self._heads.kind
        kinds = tuple(AttentionKind) if kind is None else (kind,)
        return PruneOf(
            self.path,
            by=BYS[max(0, self.by.currentIndex())],
            replaced=WITHS[max(0, self.replaced.currentIndex())],
            kinds=kinds,
            limit=self.limit.value(),
        )

    def refresh(self) -> None:
        """Show the file, the progress, and the curves so far."""
        state, found = self.state.state, self.state.found
        going, obstacle = state.waiting, self._obstacle()
        name = Path(self.path).name
        self.file.setText(literal(name if len(name) <= _LONGEST else f"{name[:14]}…{name[-12:]}"))
        self.file.setToolTip(plain(self.tr("Choose another file") + "\n" + self.path))
        for widget in (self.progress, self.cancel):
            widget.setVisible(going)
        for control in (self.file, self.by, self.replaced, self.limit, self.start):
            control.setVisible(bool(self.path))
            control.setEnabled(not going and not obstacle)
        self.progress.setRange(0, max(0, state.total))
        self.progress.setValue(state.done)
        text = self.tr("{done} of {total} heads and points").format(done=state.done, total=state.total)
        self.counted.setText(text if going and state.total else "")
        tip = "\n".join(formula_of(self.question()))
        for box in (self.by, self.replaced):
            box.setToolTip(plain(tip))
        self._scroll.setVisible(bool(found))
        self.empty.setVisible(not found)
        problem = None if state.problem is None else state.problem.sentence()
        self._said = problem or (facts(found[-1]) if found else "")
        self._say()
        if not found:
            self._say_empty(obstacle, problem)
        self.picture.mark_dirty()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A low drawer has one line for what the curves say."""
        super().resizeEvent(event)
        self._say()

    def retranslate(self) -> None:
        """Take the language in force."""
        for box, names in (
            (self.by, [by_name(by) for by in BYS]),
            (self.replaced, [with_name(replaced) for replaced in WITHS]),
        ):
            with QSignalBlocker(box):
                at = max(0, box.currentIndex())
                box.clear()
                box.addItems(names)
                box.setCurrentIndex(at)
        self.by.setAccessibleName(self.tr("In which order heads go"))
        self.replaced.setAccessibleName(self.tr("What takes the place of a head's output"))
        self.limit.setAccessibleName(self.tr("Maximum number of sentences"))
        self.limit.setSuffix(self.tr(" sentences"))
        self.start.setText(self.tr("Prune"))
        self.cancel.setText(self.tr("Cancel"))
        self.progress.setAccessibleName(self.tr("Progress"))
        self.picture.setAccessibleName(self.tr("Pruning curves"))
        self.refresh()

    def _say(self) -> None:
        high = self.height() > self._appearance.px(_HIGH)
        for text, shown in ((self.note, not high), (self.told, high)):
            text.setText(self._said)
            text.setToolTip(plain(self._said))
            text.setVisible(shown and bool(self._said) and bool(self.state.found))

    def _figure(self) -> FigureSpec[SheetSpec] | None:
        """Without badges: the names of the lines say the same, and a low drawer needs the height."""
        figure = prune_sheet(self.state.found)
        return None if figure is None else replace(figure, body=replace(figure.body, badges=()))

    def _obstacle(self) -> str:
        """Why the model in use cannot be asked; empty where it can."""
        return cannot(self._session.model, Ability.WALK)

    def _say_empty(self, obstacle: str, problem: str | None) -> None:
        if obstacle:
            self.empty.say(obstacle)
        elif problem:
            self.empty.say(problem, self.tr("Choose a file…"))
        elif self.state.state.waiting:
            self.empty.say(self.tr("Every head is switched off once, then ever more together…"))
        else:
            self.empty.say(
                self.tr(
                    "Choose a file of pairs: heads are switched off one after the other, and what is left of "
                    "the translations is drawn."
                ),
                self.tr("Choose a file…"),
            )
