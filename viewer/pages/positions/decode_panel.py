"""`DecodePanel`: what positions are worth: the sentence translated without them, or with them shuffled."""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import cast

from PySide6.QtCore import QCoreApplication, QSignalBlocker, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from model.abilities import Ability
from model.alterations.change_positions import ChangePositions, How, Side
from viewer.document.alterations.alteration_text import change_texts, known_change
from viewer.document.alterations.change_positions import positions_of, with_positions
from viewer.document.positions.positions_known import Bias, Rotary
from viewer.document.positions.positions_table import PositionTable
from viewer.document.session import Session
from viewer.document.text.lists import clauses
from viewer.document.text.model_text import cannot
from viewer.document.what_if.what_if import Mark, Pair, held_tokens, marks
from viewer.document.what_if.what_if_editor import WhatIfEditor
from viewer.document.what_if.what_if_text import outcome_sentence, positions_of_model
from viewer.pages.positions.held_table import HeldTable
from viewer.pages.positions.positions_tab import PositionsPanel, PositionsTab
from viewer.pages.positions.translation_card import TranslationCard
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import label, tab_button
from viewer.pages.widgets.overflow_row import OverflowRow

_HOWS = ("", "none", "shuffled")
_SIDES: tuple[Side, ...] = ("both", "source", "target")
_SEEDS = 10_000


class DecodePanel(PositionsPanel):
    """Asks for a What-if run of the sentence in view; other changes of that run stay, and are said."""

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._appearance = appearance
        self._stale = True
        # Beside which run what was asked for last, as long as it has not come.
        self._wanted: tuple[str, ChangePositions] | None = None
        self.editor = WhatIfEditor(session, self)
        self.heading, self.state = label("large"), label("muted")
        self.also = label("small")
        self._group = QButtonGroup(self)
        self.modes = tuple(tab_button(self._group, index) for index in range(len(_HOWS)))
        self.source = label("title")
        self.side = QComboBox()
        self.shuffle, self.again, self.look = QPushButton(), QPushButton(), QPushButton()
        self.before, self.after = TranslationCard(appearance), TranslationCard(appearance)
        self.held_title, self.held = label("small"), HeldTable(appearance)
        self.side.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._lay_out()
        self._group.idClicked.connect(self._mode_chosen)
        self.side.activated.connect(self._side_chosen)
        self.shuffle.clicked.connect(self._shuffle)
        self.again.clicked.connect(self._ask_again)
        self.look.clicked.connect(self.look_asked)
        self.editor.changed.connect(self.refresh)
        session.notice_changed.connect(self.refresh)
        self.retranslate()

    def _lay_out(self) -> None:
        controls, cards, foot = OverflowRow(self._appearance, spacing=4), QHBoxLayout(), QHBoxLayout()
        for mode in self.modes:
            mode.setProperty("framed", True)
            controls.add(mode)
        controls.add_space(12)
        controls.add(self.side, rank=3)
        controls.add(self.shuffle, rank=2)
        controls.add_stretch()
        cards.setSpacing(12)
        cards.addWidget(self.before, 1)
        cards.addWidget(self.after, 1)
        foot.setSpacing(12)
        foot.addWidget(self.state, 1)
        foot.addWidget(self.again)
        foot.addWidget(self.look)
        # From the outside in: Qt styles all that a widget holds anew each time it is put into another.
        outside = QVBoxLayout(self)
        outside.setContentsMargins(0, 0, 0, 0)
        outside.addWidget(scroll := QScrollArea())
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(inside := QWidget())
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 4, 6, 0)
        column.setSpacing(12)
        for words in (self.heading, self.source, self.state, self.also, self.held_title):
            words.setWordWrap(True)
        column.addWidget(self.heading)
        column.addWidget(self.source)
        column.addWidget(controls)
        column.addWidget(self.also)
        column.addLayout(cards)
        column.addLayout(foot)
        column.addWidget(self.held_title)
        column.addWidget(self.held)
        column.addStretch(1)

    def refresh(self) -> None:
        """Show the pair of runs in view; while the page is hidden, later."""
        self._stale = not self.isVisible()
        if self._stale:
            return
        obstacle, pair = self.editor.obstacle, self.editor.pair
        self._settle(pair)
        positions = self._positions
        for widget in (*self.modes, self.side, self.heading):
            widget.setVisible(obstacle != "cannot")
        for mode in self.modes:
            mode.setEnabled(not obstacle)
        self.modes[0 if positions is None else _HOWS.index(positions.how)].setChecked(True)
        self.side.setEnabled(not obstacle and positions is not None)
        with QSignalBlocker(self.side):
            self.side.setCurrentIndex(0 if positions is None else _SIDES.index(positions.side))
        self.shuffle.setVisible(positions is not None and positions.how == "shuffled")
        self.shuffle.setEnabled(not obstacle)
        if obstacle == "cannot":
            pair = None
        for card in (self.before, self.after):
            card.setVisible(pair is not None)
        self._say_also(pair)
        failed = self._wanted is not None and not self._session.job.busy and not obstacle
        self.again.setVisible(failed)
        self.look.setEnabled(pair is not None and pair.altered is not None)
        self.look.setVisible(pair is not None)
        self.state.setText(self._obstacle_sentence(obstacle) or self._state(pair, failed))
        rows = () if pair is None else held_tokens(pair)
        self.source.setVisible(pair is not None)
        self.held.setVisible(bool(rows))
        self.held_title.setVisible(bool(rows))
        self.held.show_words(rows, self._session.view.raw_pieces)
        if pair is not None:
            self.source.setText(pair.baseline.trace.src_text)
            self._show(pair)

    @property
    def _positions(self) -> ChangePositions | None:
        """How the positions are changed: as asked for until that comes, then as it came."""
        return self._wanted[1] if self._wanted is not None else positions_of(self.editor.changes)

    def _settle(self, pair: Pair | None) -> None:
        """Forget what was asked for once it is there, or another sentence is."""
        if self._wanted is None:
            return
        altered = None if pair is None else pair.altered
        found = () if altered is None else tuple(map(known_change, altered.alterations))
        if pair is None or pair.baseline.id != self._wanted[0] or self._wanted[1] in found:
            self._wanted = None

    def _show(self, pair: Pair) -> None:
        raw, altered = self._session.view.raw_pieces, pair.altered
        first: tuple[Mark, ...] | None = None
        second: tuple[Mark, ...] | None = None
        if altered is not None:
            before, after = pair.baseline.trace.tgt_out_ids.tolist(), altered.trace.tgt_out_ids.tolist()
            if not altered.live:
                first, second = marks(before, after)
        self.before.show_run(pair.baseline, first, raw)
        self.after.show_run(altered, second, raw)

    def _state(self, pair: Pair | None, failed: bool) -> str:
        altered = None if pair is None else pair.altered
        if failed:
            notice = self._session.notice
            said = notice.sentence() if notice is not None and notice.level == "error" else ""
            return " ".join(filter(None, [self.tr("No translation was made."), said]))
        if self._wanted is not None or (altered is not None and altered.live):
            return self.tr("Translating…")
        if pair is None or altered is None:
            return self.tr("Choose above how the model gets its positions; the new translation appears here.")
        return outcome_sentence(pair, positions_of_model(self._session.model))

    def _say_also(self, pair: Pair | None) -> None:
        """Name what is changed besides the positions, which the difference is then due to as well."""
        others = [change for change in self.editor.changes if not isinstance(change, ChangePositions)]
        self.also.setVisible(bool(others))
        if others:
            trace = None if pair is None else pair.baseline.trace
            texts = clauses(change_texts(others, trace))
            self.also.setText(self.tr("Also changed: {changes}").format(changes=texts))

    def retranslate(self) -> None:
        """Take the language in force."""
        self.heading.setText(
            self.tr("What are positions worth? Translate the sentence in view without them, or shuffled.")
        )
        names = (self.tr("As trained"), self.tr("Without positions"), self.tr("Shuffled"))
        for mode, name in zip(self.modes, names, strict=True):
            mode.setText(name)
        self.modes[1].setToolTip(self.tr("No position is added to the tokens"))
        self.modes[2].setToolTip(
            self.tr("The tokens exchange positions; in the target, those of the translation in view")
        )
        with QSignalBlocker(self.side):
            at = max(0, self.side.currentIndex())
            self.side.clear()
            self.side.addItems([self.tr("both sides"), self.tr("source"), self.tr("target")])
            self.side.setCurrentIndex(at)
        self.side.setAccessibleName(self.tr("Which side's positions"))
        self.shuffle.setText(self.tr("New shuffle"))
        self.again.setText(self.tr("Try again"))
        self.look.setText(self.tr("Show in Look"))
        self.look.setToolTip(self.tr("See the attention of both runs side by side"))
        self.before.set_title(self.tr("As trained"))
        self.after.set_title(self.tr("Changed"))
        self.held_title.setText(
            self.tr("The original words, scored by both models; differences in percentage points:")
        )
        self.held.setAccessibleName(self.tr("Probability of each word before and after"))
        self.before.retranslate()
        self.after.retranslate()
        self.refresh()

    def _obstacle_sentence(self, obstacle: str) -> str:
        return {
            "": "",
            "cannot": cannot(self._session.model, Ability.ARRANGE),
            "empty": self.tr("Translate a sentence on the Look page first; then come back."),
            "no_baseline": self.tr(
                "This run was altered before it was opened. Translate its sentence again to compare."
            ),
            "no_model": self.tr("A model must be open to translate with other positions."),
            "other_model": self.tr(
                "Another model made this run. Translate its sentence with the one in use."
            ),
            "decoding": self.tr("Translating; wait until it is done."),
        }[obstacle]

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what happened while the page was hidden."""
        super().showEvent(event)
        if self._stale:
            self.refresh()

    def _ask(self, positions: ChangePositions | None) -> None:
        pair = self.editor.pair
        if positions is not None:
            positions = positions_of(self.editor.of_this_length((positions,)))
        self._wanted = None if positions is None or pair is None else (pair.baseline.id, positions)
        self.editor.ask(with_positions(self.editor.changes, positions))
        self.refresh()

    def _mode_chosen(self, index: int) -> None:
        how = _HOWS[index]
        before = self._positions or ChangePositions()
        self._ask(replace(before, how=cast(How, how)) if how else None)

    def _side_chosen(self, index: int) -> None:
        if self._positions is not None:
            self._ask(replace(self._positions, side=_SIDES[index]))

    def _shuffle(self) -> None:
        positions = self._positions
        if positions is not None:
            seed = (positions.seed + 1 + secrets.randbelow(_SEEDS - 1)) % _SEEDS
            self._ask(replace(positions, seed=seed))

    def _ask_again(self) -> None:
        self._ask(self._positions)


DECODE = PositionsTab(
    "decode",
    lambda session, choice, appearance: DecodePanel(session, appearance),
    label=lambda choice: QCoreApplication.translate("PositionsPage", "Without positions"),
    tip=lambda choice: QCoreApplication.translate(
        "PositionsPage", "The sentence translated without positions, or shuffled"
    ),
    of=(PositionTable, Rotary, Bias),
    about_known=False,
)
