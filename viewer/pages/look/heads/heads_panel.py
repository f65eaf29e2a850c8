"""HeadsPanel: the mosaic of heads with its title, a hint, and the mean over heads."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from model.abilities import Ability
from model.trace.trace import AttentionKind
from viewer.document.alterations.alteration_text import altered_badges
from viewer.document.selection import Numbers
from viewer.document.session import Session
from viewer.document.text.model_text import cannot, kinds_of
from viewer.figures.heads.attribution import attribution_badges, encoder_note
from viewer.figures.map.damage import known_damage
from viewer.figures.map.numbers import shown_numbers
from viewer.figures.map.numbers_text import pieces_badge
from viewer.icons import icon
from viewer.pages.look.heads.heads_view import HeadsView
from viewer.pages.look.importance_controls import ImportanceControls
from viewer.pages.widgets.appearance import NO_LIMIT, Appearance
from viewer.pages.widgets.before_paint import BeforePaint
from viewer.pages.widgets.buttons import elastic, label, tab_button
from viewer.pages.widgets.overflow_menu import KEYS
from viewer.pages.widgets.overflow_row import OverflowRow
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.quiet_scroll import QuietScrollArea
from viewer.pages.widgets.shown_keys import keyed
from viewer.pages.widgets.worded import Worded

_LOW = 300  # a panel that is lower keeps its room for the heads
_LEAST = 140
_LOWEST = 220  # one that is still lower has no room below the heads
_NARROW, _SIGN = 40, 18  # of the button for the mean in a low panel, and of its sign
_BADGE_LINES, _LOW_BADGE_LINES = 2, 1  # what does not fit, the tooltip says
_BADGE_EDGE = 8
_GAP = 6
_SIDES, _TIGHT_SIDES = 30, 16  # margins and gaps of the row of tabs


class HeadsPanel(Worded, QFrame):
    """The mosaic with its title, a hint, and the mean over heads."""

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._appearance = appearance
        self.setProperty("role", "card")
        self.title = elastic(label("title"))
        self.view = HeadsView(session, appearance)
        self._late = BeforePaint(self, self._reveal)
        self.importance = ImportanceControls(session)
        self.badge = label("badge")
        self.badge.be_short(_BADGE_LINES)
        self._group = QButtonGroup(self)
        self.tabs = [tab_button(self._group, index) for index in range(3)]
        self.hint = label("small")
        self.hint.setWordWrap(True)
        self.mean = QPushButton()
        self.mean.setCheckable(True)
        self.mean.clicked.connect(self._mean_clicked)
        self.mean.setProperty(KEYS, "M")
        self._plain = self._low = self._beside = self._tight = False
        self._lay_out()
        session.pane_changed.connect(self._pane_changed)
        self._group.idClicked.connect(self._tab_clicked)
        self.view.all_read.connect(self.refresh)
        self.view.coloured.connect(self.refresh)
        appearance.changed.connect(self._name_mean)
        for signal in (session.panes_changed, session.view_changed, session.run_grew, session.runs_changed):
            signal.connect(self.refresh)
        session.model_changed.connect(self.refresh)
        self.retranslate()

    def _lay_out(self) -> None:
        scroll = self._scroll = QuietScrollArea()
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(self.view)
        scroll.verticalScrollBar().rangeChanged.connect(self._late.ask)
        self._column, self._row = QVBoxLayout(self), OverflowRow(self._appearance, spacing=2)
        self._column.setContentsMargins(12, 12, 12, 12)
        self._column.setSpacing(6)
        for rank, tab in enumerate(self.tabs, start=1):
            tab.setProperty("framed", True)
            self._row.add(tab, rank=rank)
        self.tabs[2].hide()
        self._row.add_stretch()
        self._column.addWidget(self.title)
        self._column.addWidget(self._row)
        self._column.addWidget(self.badge)
        self._column.addWidget(scroll, 1)
        for widget in (self.importance, self.hint, self.mean):
            self._column.addWidget(widget)

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what happened while it was hidden."""
        super().showEvent(event)
        self._late.shown()

    def set_plain(self, on: bool) -> None:
        """Leave out what says how to use it."""
        self._plain = on
        self._arrange()

    def set_tight(self, on: bool) -> None:
        """Be as narrow as some heads: its tabs may leave their row, words about them go."""
        if on != self._tight:
            self._tight = on
            self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A low panel keeps its room for the heads."""
        super().resizeEvent(event)
        self._take_least()
        low, beside = self.height() < self._appearance.px(_LOW), self.height() < self._appearance.px(_LOWEST)
        beside |= low and self._tabs_width() + self._appearance.px(_NARROW) + _SIDES <= self.width()
        if (low, beside) != (self._low, self._beside):
            self._low, self._beside = low, beside
            self._arrange()

    def _take_least(self) -> None:
        """As small as the tabs, or one of them, and some heads: a low panel leaves out the rest."""
        least = self._appearance.px(_LEAST)
        tabs = self._tab_width() + _TIGHT_SIDES if self._tight else self._tabs_width() + _SIDES
        self.setMinimumSize(max(tabs, least), least)

    def _tabs_width(self) -> int:
        """Of those that are always there; the third leaves its row where there is no room for it."""
        return sum(tab.sizeHint().width() for tab in self.tabs[:2])

    def _tab_width(self) -> int:
        """Of any of those that are always there, beside the button for the others."""
        widest = max(tab.sizeHint().width() for tab in self.tabs[:2])
        return widest + self._row.more.sizeHint().width()

    def _arrange(self) -> None:
        """Low: no title (the row of kinds says it), no hint; the mean beside the tabs, or below them."""
        low = self._low
        self.title.setVisible(not low and not self._tight)
        lines = _LOW_BADGE_LINES if low else _BADGE_LINES
        self.badge.be_short(lines)
        high = lines * self.badge.fontMetrics().lineSpacing() + self._appearance.px(_BADGE_EDGE)
        self.badge.setMaximumHeight(high)
        self.hint.setVisible(not low and not self._plain and not self._tight)
        side, beside = 8 if low else 12, 6 if self._tight else 12
        self._column.setContentsMargins(beside, side, beside, side)
        if not self._beside:
            self._row.take(self.mean)
            self._column.addWidget(self.mean)
        elif self._row.place_of(self.mean) < 0:
            self._column.removeWidget(self.mean)
            self._row.add(self.mean, rank=2)
        self._name_mean()

    def _reveal(self) -> None:
        """Scroll to the layer in view."""
        geometry, selection = self.view.geometry_now(), self._session.selection()
        if geometry is not None and selection is not None and selection.layer < geometry.spec.layers:
            place = geometry.rect_of(selection.layer, 0).toAlignedRect()
            self._scroll.ensureVisible(0, place.center().y(), 0, place.height() // 2 + _GAP)

    def _name_mean(self) -> None:
        """In words, or where there is little room by the sign for a mean."""
        name, colours = self.tr("Mean over heads"), self._appearance.palette
        drawn = colours.text, colours.disabled, colours.accent
        self.mean.setText("" if self._beside else name)
        self.mean.setIcon(icon("mean", *drawn) if self._beside else QIcon())
        self.mean.setIconSize(QSize(self._appearance.px(_SIGN), self._appearance.px(_SIGN)))
        self.mean.setAccessibleName(name)
        self.mean.setMaximumWidth(self._appearance.px(_NARROW) if self._beside else NO_LIMIT)
        self._take_least()

    def refresh(self) -> None:
        """Name the kind, and say what of its heads is shown."""
        selection = self._session.selection()
        kind = kinds_of(self._session.model)[-1] if selection is None else selection.kind
        self.mean.setEnabled(selection is not None)
        self.mean.setChecked(selection is not None and selection.head is None)
        titles = {
            AttentionKind.ENCODER_SELF: self.tr("Heads, encoder layers"),
            AttentionKind.DECODER_SELF: self.tr("Heads, decoder layers"),
            AttentionKind.CROSS: self.tr("Heads, decoder layers (cross)"),
        }
        self.title.setText(titles[kind])
        run, worth, wrote = self._session.run(), self._session.view.importance, self._writes()
        self.tabs[1 if worth else 2 if wrote else 0].setChecked(True)
        self.tabs[2].setVisible(wrote or not self.tabs[2].isHidden())  # there once it was asked for
        self.importance.setVisible(worth)
        badges = [] if run is None else [*known_damage(run.trace, (kind,)), *altered_badges(run.trace)]
        parts = self.view.written() if wrote else None
        if run is not None and parts is not None:
            badges += attribution_badges(run.trace, parts)
        badges += [] if worth or wrote else self._other_numbers()
        self.badge.setText("  ·  ".join(badges))
        self.badge.setToolTip(plain("\n".join(badges)))
        self.badge.setVisible(bool(badges))
        measured = worth and run is not None and run.importance is not None
        if wrote:
            self.hint.setText(self._wrote_hint(kind))
            return
        self.hint.setText(
            self.tr("Orange: without the head the translation is less probable; blue: more. Click a head.")
            if measured
            else self.tr("Click a head. Arrow keys move.")
        )

    def _writes(self) -> bool:
        """Whether the heads are coloured by what they wrote."""
        view = self._session.view
        return view.attribution and not view.importance

    def _wrote_hint(self, kind: AttentionKind) -> str:
        """What the colours say, or why there are none."""
        if obstacle := cannot(self._session.model, Ability.ANSWER):
            return obstacle
        if kind is AttentionKind.ENCODER_SELF:
            return encoder_note()
        if self.view.written() is None:
            return self.tr("What each head wrote: computed once the output is complete.")
        return self.tr("Blue: the head wrote for the word; orange: against it. Choose words in Next word.")

    def _other_numbers(self) -> list[str]:
        """That the heads show weights of pieces where the map beside them shows something else."""
        trace, selection = self._session.trace(), self._session.selection()
        if trace is None or selection is None:
            return []
        badges = []
        if shown_numbers(trace, selection) is not Numbers.WEIGHTS:
            badges.append(self.tr("heads: attention weights"))
        if self._session.view.whole_words:
            badges.append(pieces_badge())
        return badges

    def retranslate(self) -> None:
        """Take the language in force."""
        self.view.setAccessibleName(self.tr("All heads"))
        self.tabs[0].setText(self.tr("Attention"))
        self.tabs[1].setText(self.tr("Importance"))
        self.tabs[2].setText(self.tr("Written"))
        self.tabs[2].setToolTip(
            self.tr("What each head wrote for the step's word, or rather than for a rival (Next word)")
        )
        self.tabs[1].setToolTip(
            self.tr("How much less probable the translation becomes without each head, once measured")
        )
        self._name_mean()
        self.mean.setToolTip(plain(keyed(self.tr("Average the heads of the layer in view (M)"))))
        self.refresh()

    def _pane_changed(self, pane: int) -> None:
        if pane == self._session.active:
            self.refresh()
            self._late.ask()

    def _tab_clicked(self, index: int) -> None:
        self._session.set_view(importance=index == 1, attribution=index == 2)
        self.refresh()

    def _mean_clicked(self) -> None:
        self._session.toggle_mean()
        self.refresh()
