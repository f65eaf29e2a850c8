"""`LectureHead`: what stands above the figure before an audience: sentence, output, steps, place."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from viewer.document.selection import Numbers
from viewer.document.session import Session
from viewer.document.text.input_text import given_steps, input_text
from viewer.document.text.place_text import kind_name
from viewer.figures.map.numbers import shown_numbers
from viewer.pages.look.continuing import step_forth, waits_for_step
from viewer.pages.look.pane_views import pane_view
from viewer.pages.look.sentence.output_chips import ShownChips
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.before_paint import BeforePaint
from viewer.pages.widgets.buttons import IconButton, label
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.shown_keys import keyed
from viewer.pages.widgets.token_strip import TokenStrip
from viewer.pages.widgets.worded import Worded
from viewer.pages.widgets.wording import step_sentence

_TYPE = 15.0
_KEY = (36, 28)  # of a step key


class LectureHead(Worded, QWidget):
    """Three rows in large type; hidden but before an audience."""

    def __init__(
        self,
        session: Session,
        appearance: Appearance,
        title: Callable[[], str],
        parent: QWidget | None = None,
    ) -> None:
        """Show nothing yet.

        Args:
            title: what the active pane shows, in words.
        """
        super().__init__(parent)
        self._session = session
        self._appearance = appearance
        self._title = title
        self.source = label("large")
        self.source.be_elastic()
        self.output = TokenStrip(appearance, _TYPE)
        self.output.set_clickable(True)
        self.previous = IconButton(appearance, "previous")
        self.next = IconButton(appearance, "next", strong=True)
        self.where = label("large")
        self.step = label("lecture")
        self.step.be_elastic(hugging=True)
        self.place = label("large")
        self._chips = ShownChips()
        self._late = BeforePaint(self, self.refresh)
        self._lay_out()
        self.output.chosen.connect(self._chip_chosen)
        self.previous.clicked.connect(self._back)
        self.next.clicked.connect(self._forth)
        for signal in (
            session.pane_changed,
            session.panes_changed,
            session.runs_changed,
            session.run_grew,
            session.view_changed,
            session.job_changed,
        ):
            signal.connect(self._late.ask)
        appearance.changed.connect(self._restyle)
        self.hide()
        self.retranslate()

    def _lay_out(self) -> None:
        for button in (self.previous, self.next):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keys stay the figure's
        self._steps = QWidget()
        steps = QHBoxLayout(self._steps)
        steps.setContentsMargins(0, 0, 0, 0)
        steps.setSpacing(8)
        for widget in (self.previous, self.next, self.where):
            steps.addWidget(widget)
        written = QHBoxLayout()
        written.setSpacing(16)
        written.addWidget(self.output, 1)
        written.addWidget(self._steps)
        said = QHBoxLayout()
        said.setSpacing(16)
        said.addWidget(self.step, 100)
        said.addStretch(1)
        said.addWidget(self.place)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 4, 6, 0)
        column.setSpacing(8)
        column.addWidget(self.source)
        column.addLayout(written)
        column.addLayout(said)

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what happened while it was hidden."""
        super().showEvent(event)
        self._late.shown()

    def refresh(self) -> None:
        """Show the active pane's run and step."""
        session = self._session
        run, selection = session.run(), session.selection()
        if run is None or selection is None:
            for words in (self.source, self.step, self.place):
                words.setText("")
            self._chips.forget()
            self.output.show_chips(())
            self._steps.hide()
            return
        trace, step = run.trace, selection.step
        text = " ".join(input_text(trace).split())
        self.source.setText(text)
        self.source.setToolTip(plain(text))
        raw = session.view.raw_pieces
        self.output.setVisible(not trace.only_reads)
        self._steps.setVisible(not trace.only_reads)
        chips = self._chips.of(session.document, run, raw=raw, paused=session.job.paused)
        self.output.show_chips(chips.at(step), step - given_steps(trace))
        self.previous.setEnabled(step > 0)
        self.next.setEnabled(step < trace.steps - 1 or waits_for_step(session))
        self.where.setText(self.tr("{step} / {steps}").format(step=step + 1, steps=trace.steps))
        self.step.setText(step_sentence(trace, step, raw))
        self.place.setText(self._place())

    def _place(self) -> str:
        """Kind, layer and head; of what is no map of weights, the title that it has."""
        trace, selection = self._session.trace(), self._session.selection()
        if trace is None or selection is None:
            return ""
        if (
            len(self._session.document.panes) > 1  # each has its own above it
            or not pane_view(selection.view).of_one_map
            or shown_numbers(trace, selection) is not Numbers.WEIGHTS
        ):
            return "" if len(self._session.document.panes) > 1 else self._title()
        kind = kind_name(selection.kind, trace)
        values = {"kind": kind[:1].upper() + kind[1:], "layer": selection.layer + 1}
        if selection.head is None:
            return self.tr("{kind} · layer {layer} · mean over heads").format(**values)
        return self.tr("{kind} · layer {layer} · head {head}").format(**values, head=selection.head + 1)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.output.setAccessibleName(self.tr("Output"))
        self.previous.describe(keyed(self.tr("Previous step (Page Up)")))
        self.next.describe(keyed(self.tr("Next step (Page Down)")))
        self._restyle()
        self._late.ask()

    def remeasure(self) -> None:
        """The keys are as large as the type asks."""
        self._restyle()

    def _restyle(self) -> None:
        for button in (self.previous, self.next):
            button.setFixedSize(*map(self._appearance.px, _KEY))

    def _back(self) -> None:
        self._session.step_by(-1)

    def _forth(self) -> None:
        step_forth(self._session)

    def _chip_chosen(self, chip: int) -> None:
        trace = self._session.trace()
        self._session.set_step(chip + (0 if trace is None else given_steps(trace)))
