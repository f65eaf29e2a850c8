"""The What if tab: the changes made to the model, and what became of the translation."""

from __future__ import annotations

from pkgutil import resolve_name

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSlider, QVBoxLayout, QWidget

from model.abilities import Ability
from viewer.document.alterations.registry import is_offered, sections
from viewer.document.session import Session
from viewer.document.text.model_text import cannot
from viewer.document.what_if.what_if_editor import WhatIfEditor
from viewer.document.what_if.what_if_text import outcome_sentence, positions_of_model
from viewer.pages.look.importance_controls import ImportanceControls
from viewer.pages.look.panel import LookPanel
from viewer.pages.look.what_if.changes_list import ChangesList
from viewer.pages.look.what_if.outcome_section import OutcomeSection
from viewer.pages.look.what_if.section import Section
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.before_paint import BeforePaint
from viewer.pages.widgets.buttons import label
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.quiet_scroll import QuietScrollArea
from viewer.pages.widgets.shown_keys import keyed


class WhatIfPanel(LookPanel):
    """Changes of the run in view, made beside the untouched run; a column that scrolls."""

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._stale = True
        self.editor = WhatIfEditor(session, self)
        self.obstacle = label()
        self.obstacle.setWordWrap(True)
        self.summary = label("small")
        self.summary.setWordWrap(True)
        self.reset = QPushButton()
        self.reset.clicked.connect(self.editor.reset)
        self.sections: tuple[Section, ...] = tuple(
            resolve_name(name)(self.editor, appearance) for name in sections()
        )
        self._refreshing = {section: BeforePaint(self, section.refresh) for section in self.sections}
        self.changes = ChangesList(self.editor, appearance)
        self.outcome = OutcomeSection(self.editor, appearance)
        self.importance_title = label("title")
        self.importance = ImportanceControls(session)
        self._lay_out()
        self.editor.changed.connect(self._changed)
        appearance.changed.connect(self._restyle)
        self._restyle()
        self.retranslate()

    def _lay_out(self) -> None:
        # From the outside in: Qt styles all that a widget holds anew each time it is put into another.
        outside = QVBoxLayout(self)
        outside.setContentsMargins(0, 0, 0, 0)
        outside.setSpacing(0)
        top = QHBoxLayout()
        top.setContentsMargins(14, 8, 12, 0)
        outside.addLayout(top)
        top.addWidget(self.summary, 1)
        top.addWidget(self.reset)
        self.scroll_area = QuietScrollArea()
        self.scroll_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        outside.addWidget(self.scroll_area)
        inside = QWidget()
        self.scroll_area.setWidget(inside)
        column = QVBoxLayout(inside)
        column.setContentsMargins(14, 8, 12, 12)
        column.setSpacing(10)
        column.addWidget(self.obstacle)
        for widget in (*self.sections, self.changes, self.outcome):
            column.addWidget(widget)
        column.addWidget(self.importance_title)
        column.addWidget(self.importance)
        column.addStretch(1)
        for section in self.sections:
            section.grew.connect(self._show_grown)

    def refresh(self) -> None:
        """Show the pair of runs in view; while the tab is hidden, later."""
        self._begin_refresh()
        for refreshing in self._refreshing.values():
            refreshing.now()

    def _begin_refresh(self) -> None:
        """All but what the sections show, which is then asked for: of a long text that takes a turn each."""
        self._stale = not self.isVisible()
        if self._stale:
            return
        obstacle = self.editor.obstacle
        self.obstacle.setText(self._sentence(obstacle))
        self.obstacle.setVisible(bool(obstacle))
        has_run = obstacle not in ("empty", "cannot")
        offered = self._offered()
        for section in self.sections:
            section.setVisible(has_run and obstacle != "no_baseline" and section in offered)
            section.setEnabled(not obstacle)
        for widget in (self.changes, self.importance_title, self.importance):
            widget.setVisible(has_run)
        self.changes.setEnabled(not obstacle)
        if has_run:
            for section in offered:
                self._refreshing[section].ask()
            self.changes.refresh()
        self.outcome.refresh()
        if obstacle == "cannot":
            self.outcome.hide()
        self._summarize()

    def _offered(self) -> list[Section]:
        """Those that the model in use can be changed by."""
        model = self.editor.session.model
        return [section for name, section in zip(sections(), self.sections) if is_offered(name, model)]

    def _summarize(self) -> None:
        """Say above all, where it does not scroll away, what became of the translation."""
        pair, changes = self.editor.pair, self.editor.changes
        self.reset.setVisible(bool(changes) and not self.editor.obstacle)
        self.summary.setVisible(bool(changes))
        altered = None if pair is None else pair.altered
        if pair is None or altered is None:
            self.summary.setText("")
            return
        if altered.live:
            self.summary.setText(self.tr("Translating with the altered model…"))
        else:
            self.summary.setText(outcome_sentence(pair, positions_of_model(self.editor.session.model)))

    def _show_grown(self, widget: QWidget) -> None:
        """Bring what was asked for into view, once it has its place."""
        QTimer.singleShot(0, widget, lambda: self.scroll_area.ensureWidgetVisible(widget, 0, 12))

    def retranslate(self) -> None:
        """Take the language in force."""
        for section in self.sections:
            section.retranslate()
        self.changes.retranslate()
        self.outcome.retranslate()
        self.reset.setText(self.tr("Reset all"))
        self.reset.setToolTip(plain(keyed(self.tr("Reset all changes (Ctrl+R)"))))
        self.importance_title.setText(self.tr("Head importance"))
        self.refresh()

    def _sentence(self, obstacle: str) -> str:
        return {
            "": "",
            "cannot": cannot(self.editor.session.model, Ability.ALTER),
            "empty": self.tr(
                "Translate a sentence; then switch heads off or block words here and see what happens."
            ),
            "no_baseline": self.tr(
                "This run was altered before it was opened. Translate its sentence again to change more."
            ),
            "no_model": self.tr("A model must be open to translate with changes. Open one to go on."),
            "other_model": self.tr(
                "Another model made this run. Open that one, or translate the sentence with the model in use."
            ),
            "decoding": self.tr("Translating; change the model once it is done."),
        }[obstacle]

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what happened while the tab was hidden."""
        super().showEvent(event)
        if self._stale:
            self._begin_refresh()
        for refreshing in self._refreshing.values():
            if refreshing.waiting:
                refreshing.ask()  # again, where the tab was left before its frame

    def _changed(self) -> None:
        self.refresh()

    @property
    def least_width(self) -> int:
        """Pixels that its controls need."""
        return self._appearance.px(260)

    def _restyle(self) -> None:
        for slider in self.findChildren(QSlider):
            slider.setMinimumHeight(self._appearance.px(18))
