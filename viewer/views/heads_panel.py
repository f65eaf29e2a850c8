"""All heads of the family in view, small; a click or the arrow keys choose one."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from model.trace import AttentionKind
from viewer.drawing.heads_layout import HeadsGeometry
from viewer.drawing.paint import DrawOptions, figure_geometry, figure_height, paint_figure
from viewer.drawing.theme import Theme
from viewer.state.alteration_text import altered_badges
from viewer.state.figure import FigureSpec, HeadsSpec
from viewer.state.figure_builder import heads_figure
from viewer.state.importance_text import HeadWorth, worth_sentence
from viewer.state.session import Session
from viewer.views.appearance import Appearance
from viewer.views.buttons import elastic, label, tab_button
from viewer.views.figure_view import FigureView
from viewer.views.importance_controls import ImportanceControls

_MOVES = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}


class HeadsView(FigureView):
    """The mosaic of heads, layers downwards and heads across."""

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance, parent)
        self._session = session
        self._hover: tuple[int, int] | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        session.pane_changed.connect(self._pane_changed)
        for signal in (session.run_grew, session.panes_changed, session.runs_changed, session.view_changed):
            signal.connect(self.mark_dirty)

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
        return replace(super().options(), selected=chosen, hover=self._hover)

    def draw(self, painter: QPainter, figure: FigureSpec, rect: QRectF, colours: Theme) -> None:
        """Draw the mosaic."""
        paint_figure(painter, figure, rect, colours, self.options())

    def geometry_now(self) -> HeadsGeometry | None:
        """Where each head stands in the widget."""
        if self.figure is None:
            return None
        found = figure_geometry(self.figure, self.figure_rect, self.options())
        return found if isinstance(found, HeadsGeometry) else None

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
        if head == self._hover:
            return
        self._hover = head
        self.setCursor(Qt.CursorShape.ArrowCursor if head is None else Qt.CursorShape.PointingHandCursor)
        if head is None:
            QToolTip.hideText()
        else:
            QToolTip.showText(event.globalPosition().toPoint(), self.head_tip(*head), self)
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
        self._hover = None
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

    def _pane_changed(self, pane: int) -> None:
        if pane == self._session.active:
            self.mark_dirty()


class HeadsPanel(QFrame):
    """The mosaic with its title, a hint, and the mean over heads."""

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.setProperty("role", "card")
        self.title = elastic(label("title"))
        self.view = HeadsView(session, appearance)
        self.importance = ImportanceControls(session)
        self.badge = label("badge")
        self.badge.setWordWrap(True)
        self._group = QButtonGroup(self)
        self.tabs = [tab_button(self._group, index) for index in range(2)]
        self.hint = label("small")
        self.hint.setWordWrap(True)
        self.mean = QPushButton()
        self.mean.setCheckable(True)
        self.mean.clicked.connect(self._mean_clicked)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(self.view)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(6)
        row = QHBoxLayout()
        row.setSpacing(2)
        for tab in self.tabs:
            tab.setProperty("framed", True)
            row.addWidget(tab)
        row.addStretch(1)
        column.addWidget(self.title)
        column.addLayout(row)
        column.addWidget(self.badge)
        column.addWidget(scroll, 1)
        column.addWidget(self.importance)
        column.addWidget(self.hint)
        column.addWidget(self.mean)
        session.pane_changed.connect(self._pane_changed)
        self._group.idClicked.connect(self._tab_clicked)
        for signal in (session.panes_changed, session.view_changed, session.run_grew, session.runs_changed):
            signal.connect(self.refresh)
        self.retranslate()

    def refresh(self) -> None:
        """Name the family, and say what of its heads is shown."""
        selection = self._session.selection()
        kind = AttentionKind.CROSS if selection is None else selection.kind
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
        altered = [] if run is None else altered_badges(run.trace)
        self.badge.setText("\n".join(altered))
        self.badge.setVisible(bool(altered))
        measured = worth and run is not None and run.importance is not None
        self.hint.setText(
            self.tr("Orange: without the head the translation is less probable; blue: more. Click a head.")
            if measured
            else self.tr("Click a head. Arrow keys move.")
        )

    def retranslate(self) -> None:
        """Take the language in force."""
        self.view.setAccessibleName(self.tr("All heads"))
        self.tabs[0].setText(self.tr("Attention"))
        self.tabs[1].setText(self.tr("Importance"))
        self.tabs[1].setToolTip(
            self.tr("How much less probable the translation becomes without each head, once that is measured")
        )
        self.mean.setText(self.tr("Mean over heads"))
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

    def _tab_clicked(self, index: int) -> None:
        self._session.set_view(importance=bool(index))
        self.refresh()

    def _mean_clicked(self) -> None:
        self._session.toggle_mean()
        self.refresh()
