"""`WordsView`: the sentence, each token shaded by the attention of, or to, the chosen one."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QCoreApplication, QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QButtonGroup, QWidget

from viewer.document.session import Session
from viewer.figures.canvas.theme import Theme
from viewer.figures.drawing import DrawOptions, figure_geometry
from viewer.figures.figure import FigureSpec
from viewer.figures.map.chosen import strongest_column, strongest_row
from viewer.figures.map.spec import MapSpec
from viewer.figures.words.build import words_figure
from viewer.figures.words.layout import PlacedBlock, PlacedWord, WordsGeometry, words_height
from viewer.figures.words.paint import paint_words
from viewer.figures.words.spec import Axis, WordsSpec
from viewer.pages.accessible.cells import Cells
from viewer.pages.look.linking import adjust_view, choose, lit, point_at
from viewer.pages.look.map.cell_view import Cell, CellView
from viewer.pages.look.pane_view import PaneView
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import elastic, label, tab_button
from viewer.pages.widgets.overflow_row import STAYS, OverflowRow
from viewer.pages.widgets.plain_tip import show_tip

_WHEEL = 48.0
_MARK = 8  # room at the right for the bar that says which part is in view
_GROWTHS = (2.0, 1.75, 1.5, 1.25)  # of the type before an audience
_MOVES = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
_LINES = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class WordsView(CellView[WordsSpec, WordsGeometry]):
    """One of the views of a pane."""

    def __init__(
        self, session: Session, appearance: Appearance, pane: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(session, appearance, pane, parent)
        self._shift = 0.0  # how far the text is scrolled
        self._layout: tuple[object, WordsGeometry] | None = None
        self._grown: tuple[object, float] | None = None

    def build(self) -> FigureSpec[WordsSpec] | None:
        """The pane's words."""
        run, selection = self._session.run(self._pane), self._session.selection(self._pane)
        if run is None or selection is None or selection.kind not in run.trace.kinds:
            return None
        return words_figure(
            run.trace, selection, self._session.view, provenance=run.provenance, known=self.known, lazy=True
        )

    @property
    def figure_rect(self) -> QRectF:
        """All but the room of the bar that says which part is in view."""
        return super().figure_rect.adjusted(0, 0, -_MARK, 0)

    def options(self) -> DrawOptions:
        """What the pointer is on in any view; before an audience, as large as the room allows."""
        options, figure = super().options(), self.figure
        if figure is None:
            return options
        if self.look.present:
            options = replace(options, font_scale=self._fitting(figure, options))
        return replace(options, lit=lit(self._session, self._pane, figure.body.spec))

    def _fitting(self, figure: FigureSpec[WordsSpec], options: DrawOptions) -> float:
        """The largest type in which the whole text is in view, from the window's own on."""
        room = self.figure_rect
        key = (figure, room.getRect(), options.font_scale)
        if self._grown is None or self._grown[0] != key:
            sizes = (replace(options, font_scale=growth * options.font_scale) for growth in _GROWTHS)
            fits = (
                one.font_scale for one in sizes if words_height(figure, room.width(), one) <= room.height()
            )
            self._grown = (key, next(fits, options.font_scale))
        return self._grown[1]

    def draw(self, painter: QPainter, figure: FigureSpec[WordsSpec], rect: QRectF, colours: Theme) -> None:
        """Draw the text, scrolled."""
        place = self._placed(figure)
        painter.save()
        painter.setClipRect(self.rect())
        painter.translate(0, -self._shift)
        paint_words(painter, place, colours, self.options())
        painter.restore()
        high = self._height()
        if high > rect.height():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colours.color("outline"))
            share = rect.height() / high
            top = rect.top() + self._shift / high * rect.height()
            painter.drawRoundedRect(QRectF(rect.right() + _MARK - 4, top, 4, share * rect.height()), 2, 2)

    def _placed(self, figure: FigureSpec[WordsSpec]) -> WordsGeometry:
        """The whole text laid out, not scrolled; again only when it, or the room, is another."""
        key = (figure, self.figure_rect.getRect(), self.look.scale)
        if self._layout is None or self._layout[0] != key:
            place: WordsGeometry = figure_geometry(figure, self.figure_rect, self.options())
            self._layout = (key, place)
        return self._layout[1]

    def sentence(self) -> str:
        """What the word under the pointer, or else the strongest, says: the map's sentence."""
        spec = self.spec
        if spec is None:
            return ""
        return spec.strongest() if self.spot is None else spec.spec.sentence_at(*self.spot)

    def map_now(self) -> MapSpec | None:
        """The map that the words tell of."""
        return None if self.spec is None else self.spec.spec

    def cells(self) -> Cells | None:
        """The weights, each where the word stands that it shades."""
        spec, found = self.spec, super().cells()
        if spec is None or found is None:
            return None

        def rect(row: int, column: int) -> QRectF | None:
            return self.rect_of(Axis.QUERY, row) if spec.incoming else self.rect_of(Axis.KEY, column)

        return replace(found, rect=rect)

    def cell_now(self) -> Cell | None:
        """The cell of the word under the pointer, or else the strongest."""
        spec = self.spec
        if spec is None:
            return None
        cell = self.spot or spec.strongest_cell()
        return None if cell is None else (spec.spec, *cell)

    def go_to(self, row: int | None, column: int | None) -> None:
        """Choose a token of the text."""
        spec = self.spec
        if spec is not None and spec.incoming != (row is None):
            adjust_view(self._session, "incoming", incoming=row is None)
        super().go_to(row, column)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll."""
        self._scroll_to(self._shift - event.angleDelta().y() / 120.0 * _WHEEL * self.look.scale)
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Read the word under the pointer."""
        found, spec = self._word_at(event.position()), self.spec
        if spec is None:
            return
        self.setCursor(Qt.CursorShape.ArrowCursor if found is None else Qt.CursorShape.PointingHandCursor)
        if found is None:
            self._point_away()
            return
        block, word = found
        index, axis = word.word.index, block.block.axis
        cell = spec.cell_of(block.block, index)
        tip = word.word.token.marked if cell is None else self.tip_of((spec.spec, *cell))
        point_at(
            self._session,
            self._pane,
            spec.spec,
            index if axis is Axis.QUERY else None,
            index if axis is Axis.KEY else None,
        )
        if cell != self.spot:
            self.put_spot(cell)
            self.tell()
        show_tip(event.globalPosition().toPoint(), tip, self)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the word."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self._session.activate_pane(self._pane)
        found = self._word_at(event.position())
        if found is not None:
            block, word = found
            self._choose(block.block.axis, word.word.index)

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        self._point_away()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and right choose the neighbour of the chosen token, up and down the token a line away."""
        plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.NoModifier
        key, spec = Qt.Key(event.key()), self.spec
        if spec is None or not plain or key not in {**_MOVES, **_LINES}:
            super().keyPressEvent(event)
            return
        at = spec.column if spec.incoming else spec.row
        if at is None:
            return
        other = at + _MOVES[key] if key in _MOVES else self._across(spec, at, _LINES[key])
        count = spec.spec.columns if spec.incoming else len(spec.spec.row_labels)
        self._choose_token(spec, min(max(0, other), count - 1))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep to the text; a figure that is not built yet is kept to once it is (`settled`)."""
        super().resizeEvent(event)
        if self.isVisible() and not self.stale:
            self._scroll_to(self._shift)

    def _word_at(self, point: QPointF) -> tuple[PlacedBlock, PlacedWord] | None:
        figure = self.figure
        return None if figure is None else self._placed(figure).word_at(point + QPointF(0, self._shift))

    def rect_of(self, axis: Axis, index: int) -> QRectF | None:
        """Where a word stands in the widget; in an encoder's one text of either axis."""
        figure = self.figure
        if figure is None:
            return None
        blocks = self._placed(figure).blocks
        for block in blocks:
            if len(blocks) == 1 or block.block.axis is axis:
                found = block.of(index)
                if found is not None:
                    return found.rect.translated(0, -self._shift)
        return None

    def _choose(self, axis: Axis, index: int) -> None:
        """A click: in the encoder's one text any token; else a query or a key, and the view turns to it."""
        spec = self.spec
        if spec is None:
            return
        if len(spec.blocks) > 1 and (axis is Axis.KEY) != spec.incoming:
            adjust_view(self._session, "incoming", incoming=axis is Axis.KEY)
        if len(spec.blocks) > 1:
            self._put(spec, index, incoming=axis is Axis.KEY)
        else:
            self._put(spec, index, incoming=spec.incoming)

    def _choose_token(self, spec: WordsSpec, index: int) -> None:
        self._put(spec, index, incoming=spec.incoming)

    def _put(self, spec: WordsSpec, index: int, *, incoming: bool) -> None:
        """Put the crosshair on a query or a key; the other stays, or is the one it has most to do with."""
        shown, before = spec.spec, spec.spec.crosshair
        if incoming:
            row = before[0] if before is not None else strongest_row(shown, index) or 0
            choose(self._session, self._pane, shown, row, index)
            return
        column = before[1] if before is not None else None
        if column is None and index < shown.shown_rows:
            column = strongest_column(shown, index)
        choose(self._session, self._pane, shown, index, column or 0)

    def _across(self, spec: WordsSpec, at: int, lines: int) -> int:
        """The token about a line above or below."""
        figure, axis = self.figure, Axis.KEY if spec.incoming else Axis.QUERY
        blocks = () if figure is None else self._placed(figure).blocks
        block = next((block for block in blocks if len(blocks) == 1 or block.block.axis is axis), None)
        found = None if block is None else block.nearest(at, lines)
        return at if found is None else found

    def _point_away(self) -> None:
        self._session.hover.set(None)
        if self.spot is not None:
            self.put_spot(None)
            self.tell()

    def _height(self) -> float:
        """Of the whole text at the view's width."""
        figure = self.figure
        return 0.0 if figure is None else self._placed(figure).bottom - self.figure_rect.top()

    def _scroll_to(self, shift: float) -> None:
        # Its height is of no matter to a text that begins at its beginning, as one that comes in sight does.
        self._shift = max(0.0, min(shift, self._height() - self.figure_rect.height())) if shift > 0 else 0.0
        self.update()

    def _reveal(self) -> None:
        """Scroll until the chosen token is in view."""
        spec = self.spec
        if spec is None:
            return
        index = spec.column if spec.incoming else spec.row
        rect = None if index is None else self.rect_of(Axis.KEY if spec.incoming else Axis.QUERY, index)
        room = self.figure_rect
        if rect is not None and (rect.top() < room.top() or rect.bottom() > room.bottom()):
            self._scroll_to(self._shift + rect.center().y() - room.center().y())

    def settled(self) -> None:
        """Keep to the text, and have what is chosen now in view."""
        self._scroll_to(self._shift)
        if self._moved:
            self._reveal()
        super().settled()

    def _view_changed(self) -> None:
        self._moved = True
        super()._view_changed()


class WordsTools(OverflowRow):
    """Two buttons of which one is down."""

    def __init__(
        self, session: Session, appearance: Appearance, pane: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(appearance, parent, spacing=2)
        self._session = session
        self._pane = pane
        self._group = QButtonGroup(self)
        self.of, self.to = (tab_button(self._group, index) for index in range(2))
        self.hint = elastic(label("small"))
        for button in (self.of, self.to):
            button.setProperty("framed", True)
            self.add(button)
        self.add_space(8)
        self.add(self.hint, 1, rank=STAYS)
        self._group.idClicked.connect(self._clicked)
        session.view_changed.connect(self.refresh)
        self.retranslate()

    def refresh(self) -> None:
        """Show which is chosen."""
        (self.to if self._session.view.incoming else self.of).setChecked(True)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.of.setText(self.tr("Reads"))
        self.of.setToolTip(
            self.tr("Shade the tokens by how much the chosen one reads them (a row of the map)")
        )
        self.to.setText(self.tr("Is read by"))
        self.to.setToolTip(
            self.tr("Shade the tokens by how much they read the chosen one (a column of the map)")
        )
        self.hint.setText(self.tr("Click a token, or use the arrow keys, to choose it."))
        self.refresh()

    def _clicked(self, index: int) -> None:
        self._session.activate_pane(self._pane)
        adjust_view(self._session, "incoming", incoming=bool(index))


WORDS = PaneView(
    "words",
    "words",
    WordsView,
    "view_words",
    label=lambda: QCoreApplication.translate("ViewTabs", "Words"),
    tip=lambda: QCoreApplication.translate("ViewTabs", "The sentence, shaded by attention (W)"),
    action=lambda: QCoreApplication.translate("Actions", "As words"),
    spoken=lambda: QCoreApplication.translate("MapPane", "Words shaded by attention"),
    key="W",
    tools=WordsTools,
)
