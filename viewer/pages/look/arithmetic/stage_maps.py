"""`StageMaps`: buttons that show a stage of the head in view as a map: scores, scaled, masked, softmax."""

from __future__ import annotations

from PySide6.QtCore import QMargins
from PySide6.QtWidgets import QButtonGroup, QWidget

from viewer.document.selection import MAP_VIEW, Numbers
from viewer.document.session import Session
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import label, tab_button
from viewer.pages.widgets.overflow_row import OverflowRow
from viewer.pages.widgets.plain_tip import plain

_STAGES = (Numbers.SCORES, Numbers.SCALED, Numbers.MASKED, Numbers.WEIGHTS)


class StageMaps(OverflowRow):
    """One button a stage; the one that the active pane's map shows is checked."""

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance, parent, spacing=0)
        self._session = session
        self._appearance = appearance
        self.caption = label("small")
        self._group = QButtonGroup(self)
        self.buttons = {stage: tab_button(self._group, place) for place, stage in enumerate(_STAGES)}
        self.set_margins(QMargins(8, 0, 0, 0))
        self.add(self.caption, rank=2)
        for button in self.buttons.values():
            button.setProperty("framed", True)
            self.add(button)
        self.add_stretch()
        self._group.idClicked.connect(self._chosen)
        appearance.changed.connect(self._restyle)
        self._restyle()
        self.retranslate()

    def refresh(self) -> None:
        """Show which stage the map shows."""
        selection = self._session.selection()
        shown = None if selection is None or selection.view != MAP_VIEW else selection.numbers
        self._group.setExclusive(False)  # none is checked while the map shows something else
        for stage, button in self.buttons.items():
            button.setChecked(stage is shown)
        self._group.setExclusive(True)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.caption.setText(self.tr("Map of"))
        self.caption.setToolTip(self.tr("Show one stage, for all rows of this head, as a map"))
        names = {
            Numbers.SCORES: (self.tr("q⋅k"), self.tr("Every score, q ⋅ k")),
            Numbers.SCALED: (self.tr("÷ √d"), self.tr("Every score divided by √d_head")),
            Numbers.MASKED: (self.tr("mask"), self.tr("Every scaled score, where attention is allowed")),
            Numbers.WEIGHTS: (self.tr("softmax"), self.tr("Every attention weight")),
        }
        for stage, (name, tip) in names.items():
            self.buttons[stage].setText(name)
            self.buttons[stage].setToolTip(plain(tip))
            self.buttons[stage].setAccessibleName(tip)
        self.refresh()

    def _restyle(self) -> None:
        """Four of them stand in a narrow column."""
        high, wide, type_ = self._appearance.px(3), self._appearance.px(6), self._appearance.px(12)
        sheet = f'QToolButton[role="tab"] {{ padding: {high}px {wide}px; font-size: {type_}px; }}'
        if sheet != self.styleSheet():  # Qt would style all that it holds anew
            self.setStyleSheet(sheet)

    def _chosen(self, place: int) -> None:
        self._session.select(numbers=_STAGES[place], view=MAP_VIEW)
        self.refresh()
