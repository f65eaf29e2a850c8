"""`ArithmeticView`: the stages of one weight as they are exported, with hover, clicks, keys, copying."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QMenu, QWidget

from model.questions.answers import RowArithmetic
from viewer.document.document import Run
from viewer.document.hover import Hovered
from viewer.document.selection import Selection
from viewer.document.session import Session
from viewer.figures.arithmetic.blocks import CHEVRON
from viewer.figures.arithmetic.build import arithmetic_figure
from viewer.figures.arithmetic.layout import ArithmeticGeometry
from viewer.figures.arithmetic.spec import HEADING, ArithmeticSpec, Spot, Stage, Strip
from viewer.figures.canvas.theme import Theme
from viewer.figures.drawing import DrawOptions, figure_height, paint_figure
from viewer.figures.figure import FigureSpec
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.figure_view import FigureView
from viewer.pages.widgets.plain_tip import show_tip

_STAGES = tuple(Stage)


@dataclass(frozen=True, eq=False)
class Shown:
    """What the view is given to show."""

    run: Run
    selection: Selection
    answer: RowArithmetic


class ArithmeticView(FigureView[ArithmeticSpec, ArithmeticGeometry]):
    """One weight's arithmetic; as high as it needs at its width.

    Up and down go from stage to stage, left and right from key to key of the row, Enter folds a stage,
    Ctrl+C copies the numbers chosen by a click, else the stage's.

    Signals:
        read_out: the sentence of what is under the pointer; empty when there is nothing.
        came_to: a rectangle of the view that should be in sight.
    """

    read_out = Signal(str)
    came_to = Signal(object)
    margin = 8.0
    ringed = False  # the stage under the keys is framed instead

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance, parent)
        self._session = session
        self._shown: Shown | None = None
        self._chosen: Spot | None = None
        self.stage = Stage.DOT
        self.folded: frozenset[Stage] = frozenset()
        session.hover.changed.connect(self.update)

    def show_answer(self, shown: Shown | None) -> None:
        """Show the arithmetic of a cell; None: of none."""
        self._shown = shown
        self.fit()

    def fit(self) -> None:
        """Build the figure anew and take the height that it needs."""
        self.mark_dirty()

    def settled(self) -> None:
        """Take the height that the figure needs."""
        figure, spec = self.figure, self.spec
        if self._chosen is not None and (spec is None or not spec.has(self._chosen)):
            self._chosen = None
        if figure is not None:
            wide = max(1.0, self.width() - 2 * self.margin)
            self.setMinimumHeight(round(figure_height(figure, wide, self.options()) + 2 * self.margin + 6))
        self._describe()

    def build(self) -> FigureSpec[ArithmeticSpec] | None:
        """The arithmetic of the cell in view."""
        shown = self._shown
        if shown is None:
            return None
        return arithmetic_figure(
            shown.run.trace,
            shown.selection,
            shown.answer,
            self._session.view,
            folded=self.folded,
            provenance=shown.run.provenance,
        )

    def options(self) -> DrawOptions:
        """Without the title, which the map has; what was altered is said here too."""
        return DrawOptions(title=False, font_scale=self.look.scale, least_type=self.look.least_type)

    def draw(
        self, painter: QPainter, figure: FigureSpec[ArithmeticSpec], rect: QRectF, colours: Theme
    ) -> None:
        """Draw the figure; on it what is hovered, chosen, and under the keys."""
        place: ArithmeticGeometry = paint_figure(painter, figure, rect, colours, self.options())
        for stage in place.stages:
            self._draw_chevron(painter, stage.box, place.scale, folded=stage.spec.folded)
        if self.hasFocus():
            box = place.placed(self.stage).box.adjusted(-5, -3, 5, 3)
            self._outline(painter, box, colours.color("accent").name(), 1.0)
        for spot, colour in ((self._chosen, colours.text), (self._pointed(), colours.dim)):
            if spot is not None and spot.block != HEADING:
                for cell in place.strip_cells(spot) or [place.rect_of(spot)]:
                    self._outline(painter, cell, colour, 1.4)

    # What the pointer does.

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Say what is under the pointer, its numbers to nine digits."""
        place, spec = self.geometry_now(), self.spec
        if place is None or spec is None:
            return
        spot = place.spot_at(event.position())
        if spot == self.spot:
            return
        self.put_spot(spot)
        clickable = spot is not None and not isinstance(spec.block(spot), Strip)
        self.setCursor(Qt.CursorShape.PointingHandCursor if clickable else Qt.CursorShape.ArrowCursor)
        said = "" if spot is None else spec.sentence_at(spot)
        show_tip(event.globalPosition().toPoint(), said, self)
        self.read_out.emit(said)
        self._tell_hover(spec, spot)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        if self.spot is not None:
            self.put_spot(None)
            self._session.hover.set(None)
            self.read_out.emit("")
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Fold a stage, go to a key or a head, or choose a number to copy."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self.press(event.position())

    def press(self, point: QPointF) -> None:
        """See `FigureView`."""
        place, spec = self.geometry_now(), self.spec
        if place is None or spec is None:
            return
        spot = place.spot_at(point)
        self.stage = place.stage_at(point) or self.stage
        self._describe()
        self.update()
        if spot is None:
            self._chosen = None
        elif spot.block == HEADING:
            self.toggle(spot.stage)
        else:
            self._click(spec, spot)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer to copy."""
        place = self.geometry_now()
        if place is not None:
            at = QPointF(event.pos())
            self.stage = place.stage_at(at) or self.stage
            self.menu(place.spot_at(at)).popup(event.globalPos())

    def menu(self, spot: Spot | None) -> QMenu:
        """What can be copied at a spot; gone once it is closed."""
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        spec = self.spec
        if spec is None:
            return menu
        choices = [
            (self.tr("Copy this stage"), spec.stage(self.stage).text),
            (self.tr("Copy all stages"), spec.text),
        ]
        if spot is not None and spot.block != HEADING:
            choices.insert(0, (self.tr("Copy these numbers"), spec.sentence_at(spot)))
        for name, text in choices:
            action = menu.addAction(name)
            action.setData(text)
            action.triggered.connect(self._copy_action)
        return menu

    # What keys do.

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go through stages and keys, fold, copy."""
        plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.NoModifier
        key = Qt.Key(event.key())
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif plain and key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._walk(1 if key == Qt.Key.Key_Down else -1)
        elif plain and key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self._move_key(1 if key == Qt.Key.Key_Right else -1)
        elif plain and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.toggle(self.stage)
        else:
            super().keyPressEvent(event)

    def copy(self) -> None:
        """Put the chosen numbers, else those of the stage under the keys, on the clipboard."""
        spec = self.spec
        if spec is not None:
            chosen = self._chosen
            text = spec.stage(self.stage).text if chosen is None else spec.sentence_at(chosen)
            QGuiApplication.clipboard().setText(text)

    def toggle(self, stage: Stage) -> None:
        """Fold a stage, or unfold it."""
        self.stage = stage
        self.folded ^= {stage}
        self._chosen = None
        self.fit()
        self.settle()  # keys and pointer go on from there

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width needs another height."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()
            self.settle()  # keys and pointer go on from there

    def _walk(self, by: int) -> None:
        place = _STAGES.index(self.stage) + by
        self.stage = _STAGES[max(0, min(place, len(_STAGES) - 1))]
        self._chosen = None
        geometry = self.geometry_now()
        if geometry is not None:
            self.came_to.emit(geometry.placed(self.stage).box)
        self._describe()
        self.update()

    def _move_key(self, by: int) -> None:
        spec = self.spec
        if spec is not None:
            key = max(0, min(spec.key + by, len(spec.tokens) - 1))
            self._session.set_crosshair(spec.answer.query, key)

    def _click(self, spec: ArithmeticSpec, spot: Spot) -> None:
        found = spec.row_at(spot)
        if found is None or found[0].of == "dimension":
            self._chosen = None if spot == self._chosen else spot
        elif found[1].index >= 0 and found[0].of == "key":
            self._session.set_crosshair(spec.answer.query, found[1].index)
        elif found[1].index >= 0:
            self._session.select_head(spec.answer.layer, found[1].index)

    def _tell_hover(self, spec: ArithmeticSpec, spot: Spot | None) -> None:
        """Let the other views show the key that is pointed at."""
        found = None if spot is None else spec.row_at(spot)
        at = None
        if found is not None and found[0].of == "key" and found[1].index >= 0 and self._shown is not None:
            at = Hovered(self._shown.run.id, spec.kind, spec.answer.query, found[1].index)
        self._session.hover.set(at)

    def _pointed(self) -> Spot | None:
        """What is under the pointer here; else the key that is under it in another view."""
        at, spec = self._session.hover.at, self.spec
        here: Spot | None = self.spot
        if here is not None or at is None or spec is None or self._shown is None:
            return here
        query, key = at.of_kind(spec.kind)
        if at.run != self._shown.run.id or key is None or query not in (None, spec.answer.query):
            return None
        stage = spec.stage(Stage.SOFTMAX)
        for number, block in enumerate(stage.blocks):
            for index, row in enumerate(getattr(block, "rows", ())):
                if row.index == key:
                    return Spot(Stage.SOFTMAX, number, index)
        return None

    def spot_gone(self) -> None:
        """Another weight is worked out."""
        self._session.hover.set(None)

    def _describe(self) -> None:
        """What a screen reader hears: what it is about, and the stage under the keys."""
        spec = self.spec
        self.setAccessibleName("" if spec is None else spec.lead)
        text = "" if spec is None else spec.sentence_at(Spot(self.stage))
        self.setAccessibleDescription(text)

    def _copy_action(self) -> None:
        sender = self.sender()
        QGuiApplication.clipboard().setText(sender.data())  # type: ignore[attr-defined]

    def _outline(self, painter: QPainter, box: QRectF, colour: str, thick: float) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(colour), thick))
        painter.drawRoundedRect(box, 2, 2)

    def _draw_chevron(self, painter: QPainter, box: QRectF, scale: float, *, folded: bool) -> None:
        """At the right of a heading: down when it is open, left when it is folded."""
        middle = QPointF(box.right() - CHEVRON * scale / 2 + 2 * scale, box.top() + 10 * scale)
        points = [(1.5, -4), (-2.5, 0), (1.5, 4)] if folded else [(-4, -2), (0, 2), (4, -2)]
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self.look.color("muted"), 1.5 * scale))
        painter.drawPolyline(QPolygonF([middle + QPointF(x, y) * scale for x, y in points]))
