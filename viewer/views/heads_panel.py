"""All heads of the family in view, small; a click or the arrow keys choose one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QIcon, QKeyEvent, QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QPushButton,
    QSizePolicy,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from model.trace import AttentionKind
from viewer.drawing.heads_layout import HeadsGeometry
from viewer.drawing.paint import DrawOptions, figure_geometry, figure_height, paint_figure
from viewer.drawing.theme import Theme
from viewer.guarded import Guarded
from viewer.resources import icon
from viewer.state.alteration_text import altered_badges
from viewer.state.damage_text import known_damage
from viewer.state.figure import FigureSpec, HeadsSpec
from viewer.state.figure_builder import heads_figure
from viewer.state.hover import Hovered
from viewer.state.importance_text import HeadWorth, worth_sentence
from viewer.state.model_text import kinds_of
from viewer.state.numbers import shown_numbers
from viewer.state.numbers_text import pieces_badge
from viewer.state.selection import Numbers
from viewer.state.session import Session
from viewer.views.appearance import Appearance
from viewer.views.buttons import elastic, label, tab_button
from viewer.views.figure_view import FigureView
from viewer.views.head_reading import HeadReading
from viewer.views.importance_controls import ImportanceControls
from viewer.views.overflow_menu import KEYS
from viewer.views.overflow_row import OverflowRow
from viewer.views.plain_tip import plain, show_tip
from viewer.views.quiet_scroll import QuietScrollArea

_MOST_AT_ONCE = 1 << 24  # weights; more, and the heads appear as they are read
_LOW = 300  # a panel that is lower keeps its room for the heads
_LEAST = 140
_LOWEST = 220  # one that is still lower has no room below the heads
_NARROW, _SIGN = 40, 18  # of the button for the mean in a low panel, and of its sign
_BADGE_LINES, _LOW_BADGE_LINES = 2, 1  # what does not fit, the tooltip says
_BADGE_EDGE = 8
_GAP = 6
_SIDES = 30  # margins and gaps of the row of tabs
_NO_LIMIT = 16777215  # Qt's
_MOVES = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}


class HeadsView(FigureView):
    """The mosaic of heads, layers downwards and heads across.

    Signals:
        all_read: no head of the family is left to be read.
    """

    all_read = Signal()

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance, parent)
        self._session = session
        self._lit: tuple[int, int] | None = None  # what was drawn of a pointer in another view
        self._reading = HeadReading(self, self._families)
        self._reading.done.connect(self.all_read)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        session.pane_changed.connect(self._pane_changed)
        for signal in (session.run_grew, session.panes_changed, session.runs_changed, session.view_changed):
            signal.connect(self.mark_dirty)
        session.hover.changed.connect(self._hover_changed)

    def build(self) -> FigureSpec | None:
        """All heads of the active pane's family at its step."""
        run, selection = self._session.run(), self._session.selection()
        if run is None or selection is None or selection.kind not in run.trace.kinds:
            return None
        return heads_figure(
            run.trace,
            selection.kind,
            selection.step,
            self._session.view,
            provenance=run.provenance,
            importance=run.importance,
        )

    def options(self) -> DrawOptions:
        """The chosen head framed, the one under the pointer marked."""
        selection = self._session.selection()
        chosen = None if selection is None else (selection.layer, selection.head)
        options = replace(super().options(), lazy=self._is_large())
        return replace(options, selected=chosen, hover=self.spot or self._lit_now())

    def keeps(self, spot: tuple[int, int], before: FigureSpec, after: FigureSpec) -> bool:
        """The head of that place in the same family."""
        old, new = before.body, after.body
        if not isinstance(old, HeadsSpec) or not isinstance(new, HeadsSpec):
            return False
        return old.kind is new.kind and spot[0] < new.layers and spot[1] < new.heads

    def spot_gone(self) -> None:
        """There is no such head any more."""
        self._session.hover.set(None)

    def draw(self, painter: QPainter, figure: FigureSpec, rect: QRectF, colours: Theme) -> None:
        """Draw the mosaic; of a large one what is read, and have the rest read."""
        options = self.options()
        paint_figure(painter, figure, rect, colours, options)
        if options.lazy:
            self._reading.go_on()

    def geometry_now(self) -> HeadsGeometry | None:
        """Where each head stands in the widget."""
        if self.figure is None:
            return None
        found = figure_geometry(self.figure, self.figure_rect, self.options())
        return found if isinstance(found, HeadsGeometry) else None

    def _is_large(self) -> bool:
        body = None if self.figure is None else self.figure.body
        if not isinstance(body, HeadsSpec) or body.importance is not None:
            return False
        return body.layers * body.heads * body.grid.rows * body.columns > _MOST_AT_ONCE

    def _families(self) -> Sequence[HeadsGeometry]:
        place = self.geometry_now()
        return () if place is None else (place,)

    def hideEvent(self, event: QHideEvent) -> None:
        """What nobody sees is not read."""
        self._reading.stop()
        super().hideEvent(event)

    def mark_dirty(self) -> None:
        """Build anew, and take the height the family needs."""
        super().mark_dirty()
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The height needed depends on the width."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        figure = self.figure if self.isVisible() else None
        if figure is not None:
            needed = figure_height(figure, max(40.0, self.figure_rect.width()), self.options())
            self.setMinimumHeight(int(needed + 2 * self.margin))

    def sizeHint(self) -> QSize:
        """Wide enough for some heads."""
        return QSize(240, 200)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Name the head under the pointer."""
        geometry = self.geometry_now()
        head = None if geometry is None else geometry.head_at(event.position())
        if head == self.spot:
            return
        self.put_spot(head)
        self._point_at(head)
        self.setCursor(Qt.CursorShape.ArrowCursor if head is None else Qt.CursorShape.PointingHandCursor)
        if head is None:
            QToolTip.hideText()
        else:
            show_tip(event.globalPosition().toPoint(), self.head_tip(*head), self)
        self.update()

    def head_tip(self, layer: int, head: int) -> str:
        """Which head that is, and what it is worth where that is shown."""
        text = self.tr("Layer {layer}, head {head}").format(layer=layer + 1, head=head + 1)
        spec = None if self.figure is None else self.figure.body
        if not isinstance(spec, HeadsSpec) or spec.importance is None:
            return text
        worth = HeadWorth(spec.kind, layer, head, float(spec.importance[layer, head]))
        return text + "\n" + worth_sentence(worth)

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        self.put_spot(None)
        self._point_at(None)
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose a head."""
        geometry = self.geometry_now()
        head = None if geometry is None else geometry.head_at(event.position())
        if head is not None and event.button() == Qt.MouseButton.LeftButton:
            self._session.select_head(*head)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The arrows move to the neighbouring head."""
        move = _MOVES.get(Qt.Key(event.key()))
        plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.NoModifier
        if move is None or not plain:
            super().keyPressEvent(event)
        else:
            self._session.move_head(*move)

    def _point_at(self, head: tuple[int, int] | None) -> None:
        """Tell all views that the pointer is on a head."""
        pane = self._session.pane()
        if head is None or pane is None:
            self._session.hover.set(None)
        else:
            at = Hovered(pane.run_id, pane.selection.kind, layer=head[0], head=head[1])
            self._session.hover.set(at)

    def _lit_now(self) -> tuple[int, int] | None:
        """The head that the pointer is on in another view."""
        at, pane = self._session.hover.at, self._session.pane()
        if at is None or pane is None or at.run != pane.run_id or at.kind is not pane.selection.kind:
            return None
        return None if at.layer is None or at.head is None else (at.layer, at.head)

    def _hover_changed(self) -> None:
        head = self._lit_now()
        if head != self._lit:
            self._lit = head
            self.update()

    def _pane_changed(self, pane: int) -> None:
        if pane == self._session.active:
            self.mark_dirty()


class HeadsPanel(Guarded, QFrame):
    """The mosaic with its title, a hint, and the mean over heads."""

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._look = appearance
        self.setProperty("role", "card")
        self.title = elastic(label("title"))
        self.view = HeadsView(session, appearance)
        self.importance = ImportanceControls(session)
        self.badge = label("badge")
        self.badge.be_short(_BADGE_LINES)
        self._group = QButtonGroup(self)
        self.tabs = [tab_button(self._group, index) for index in range(2)]
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
        appearance.changed.connect(self._name_mean)
        for signal in (session.panes_changed, session.view_changed, session.run_grew, session.runs_changed):
            signal.connect(self.refresh)
        session.model_changed.connect(self.refresh)
        self.retranslate()

    def _lay_out(self) -> None:
        scroll = self._scroll = QuietScrollArea()
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(self.view)
        scroll.verticalScrollBar().rangeChanged.connect(self._reveal)
        self._column, self._row = QVBoxLayout(self), OverflowRow(self._look, spacing=2)
        self._column.setContentsMargins(12, 12, 12, 12)
        self._column.setSpacing(6)
        for tab in self.tabs:
            tab.setProperty("framed", True)
            self._row.add(tab)
        self._row.add_stretch()
        self._column.addWidget(self.title)
        self._column.addWidget(self._row)
        self._column.addWidget(self.badge)
        self._column.addWidget(scroll, 1)
        for widget in (self.importance, self.hint, self.mean):
            self._column.addWidget(widget)

    def set_plain(self, on: bool) -> None:
        """Leave out what says how to use it."""
        self._plain = on
        self._arrange()

    def set_tight(self, on: bool) -> None:
        """Be as narrow as some heads: its tabs may leave their row."""
        self._tight = on
        self._take_least()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A low panel keeps its room for the heads."""
        super().resizeEvent(event)
        self._take_least()
        low, beside = self.height() < self._look.px(_LOW), self.height() < self._look.px(_LOWEST)
        beside |= low and self._tabs_width() + self._look.px(_NARROW) + _SIDES <= self.width()
        if (low, beside) != (self._low, self._beside):
            self._low, self._beside = low, beside
            self._arrange()

    def _take_least(self) -> None:
        """As small as the tabs and some heads: a low panel leaves out the rest."""
        tabs = self._row.minimumSizeHint().width() if self._tight else self._tabs_width()
        self.setMinimumSize(max(tabs + _SIDES, self._look.px(_LEAST)), self._look.px(_LEAST))

    def _tabs_width(self) -> int:
        return sum(tab.sizeHint().width() for tab in self.tabs)

    def _arrange(self) -> None:
        """Low: no title (the row of families says it), no hint; the mean beside the tabs, or below them."""
        low = self._low
        self.title.setVisible(not low)
        lines = _LOW_BADGE_LINES if low else _BADGE_LINES
        self.badge.be_short(lines)
        high = lines * self.badge.fontMetrics().lineSpacing() + self._look.px(_BADGE_EDGE)
        self.badge.setMaximumHeight(high)
        self.hint.setVisible(not low and not self._plain)
        side = 8 if low else 12
        self._column.setContentsMargins(12, side, 12, side)
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
        name, colours = self.tr("Mean over heads"), self._look.palette
        sign = icon("mean", colours.text, colours.disabled, colours.accent)
        self.mean.setText("" if self._beside else name)
        self.mean.setIcon(sign if self._beside else QIcon())
        self.mean.setIconSize(QSize(self._look.px(_SIGN), self._look.px(_SIGN)))
        self.mean.setAccessibleName(name)
        self.mean.setMaximumWidth(self._look.px(_NARROW) if self._beside else _NO_LIMIT)
        self._take_least()

    def refresh(self) -> None:
        """Name the family, and say what of its heads is shown."""
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
        run, worth = self._session.run(), self._session.view.importance
        self.tabs[worth].setChecked(True)
        self.importance.setVisible(worth)
        badges = [] if run is None else [*known_damage(run.trace, (kind,)), *altered_badges(run.trace)]
        badges += [] if worth else self._other_numbers()
        self.badge.setText("  ·  ".join(badges))
        self.badge.setToolTip(plain("\n".join(badges)))
        self.badge.setVisible(bool(badges))
        measured = worth and run is not None and run.importance is not None
        self.hint.setText(
            self.tr("Orange: without the head the translation is less probable; blue: more. Click a head.")
            if measured
            else self.tr("Click a head. Arrow keys move.")
        )

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
        self.tabs[1].setToolTip(
            self.tr("How much less probable the translation becomes without each head, once that is measured")
        )
        self._name_mean()
        self.mean.setToolTip(self.tr("Average the heads of the layer in view (M)"))
        self.refresh()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _pane_changed(self, pane: int) -> None:
        if pane == self._session.active:
            self.refresh()
            self._reveal()

    def _tab_clicked(self, index: int) -> None:
        self._session.set_view(importance=bool(index))
        self.refresh()

    def _mean_clicked(self) -> None:
        self._session.toggle_mean()
        self.refresh()
