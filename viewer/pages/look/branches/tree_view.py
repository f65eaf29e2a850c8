"""The tree of tokens, painted: only what is visible, with the numbers of the steps always on top."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QInputMethodEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from viewer.document.document import Run
from viewer.document.text.token_text import TokenText, special_text
from viewer.figures.canvas.theme import theme
from viewer.figures.figure import FigureSpec
from viewer.figures.tree.build import tree_figure
from viewer.figures.tree.layout import HEADER, ROW, TreeGeometry
from viewer.figures.tree.paint import TreeMarks, paint_header, paint_tree
from viewer.figures.tree.spec import NodeText, TokenTree, TreeSpec
from viewer.pages.accessible.cells import CellHost, Cells
from viewer.pages.look.branches.branches_state import BranchesState
from viewer.pages.look.branches.node_words import node_sentence, node_texts, node_tip, token_words
from viewer.pages.widgets.appearance import Appearance, draw_ring
from viewer.pages.widgets.plain_tip import show_tip
from viewer.pages.widgets.worded import Worded

_SMALLEST, _LARGEST = 0.45, 2.0
_FITTED = 0.01  # a tree that is made to fit is as small as it must be, and never nothing
_NOTCH = 120.0


@dataclass(frozen=True, eq=False)
class _Named:
    """What stands in the nodes of a tree.

    Attributes:
        of: the tree, whether pieces are as the tokenizer writes them, and the language.
    """

    of: tuple[TokenTree, bool, str | None]
    words: list[TokenText]
    texts: list[NodeText]


class TreeView(Worded, CellHost, QAbstractScrollArea):
    """Click a node to look at it; arrow keys go along the path and to the branches beside it.

    Signals:
        alternatives_asked: other words in place of this node's, by Enter.
        typed: text to go on with in place of this node's, as far as it was typed here.
        menu_asked: the context menu of a node, where.
        delete_asked: take the run through this node away.
        copy_asked: the text up to this node.
        fit_left: the tree was zoomed, and is made to fit no more.
    """

    alternatives_asked = Signal(int)
    typed = Signal(int, str)
    menu_asked = Signal(int, QPoint)
    delete_asked = Signal(int)
    copy_asked = Signal(int)
    fit_left = Signal()

    def __init__(self, state: BranchesState, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._appearance = appearance
        self._zoom = 1.0
        self._fit = False
        self._hovered = -1
        self._seen: tuple[QRectF, float] | None = None
        self._named: _Named | None = None
        self._laid: TreeGeometry | None = None
        self.words: list[TokenText] = []
        self.place = TreeGeometry(state.tree, ())
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)
        self.viewport().setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        state.changed.connect(self.rebuild)
        state.moved.connect(self.follow)
        state.session.view_changed.connect(self.rebuild)
        appearance.changed.connect(self._resized)

    # What is shown.

    @property
    def scale(self) -> float:
        """Pixels of the screen for one of the drawing's."""
        return self._zoom * self._appearance.px(100) / 100

    @property
    def fit(self) -> bool:
        """Whether the whole tree is made to fit."""
        return self._fit

    def set_fit(self, on: bool) -> None:
        """Make the whole tree fit, or show it in its own size."""
        self._fit = on
        self._zoom = 1.0
        self._resized()

    def prepare_texts(self) -> None:
        """Find what will stand in the nodes of the tree that `rebuild` will show, before `prepare`."""
        (runs, *_), tree = self._state.prepare()
        if tree is not self.place.tree:
            named = self._name(tree, runs)
            if named is not self._named:
                self._named, self._laid = named, None

    def prepare(self) -> None:
        """Lay that tree out: of thousands of tokens either is enough for a turn."""
        (runs, *_), tree = self._state.prepare()
        if tree is not self.place.tree:
            self._named, self._laid = self._lay_out(tree, runs)

    def _name(self, tree: TokenTree, runs: tuple[Run, ...]) -> _Named:
        of = tree, self._state.session.view.raw_pieces, special_text("<s>")
        if self._named is not None and self._named.of == of:
            return self._named
        words = token_words(tree, runs, raw=of[1])
        return _Named(of, words, node_texts(tree, words))

    def _lay_out(self, tree: TokenTree, runs: tuple[Run, ...]) -> tuple[_Named, TreeGeometry]:
        named = self._name(tree, runs)
        if self._laid is not None and named is self._named:
            return named, self._laid
        return named, TreeGeometry(tree, named.texts)

    def rebuild(self) -> None:
        """Lay the tree out anew."""
        named, self.place = self._lay_out(self._state.tree, self._state.runs)
        self.words, self._named, self._laid = named.words, None, None
        self._hovered = -1
        self._resized()

    def figure(self) -> FigureSpec[TreeSpec] | None:
        """The whole tree for a file; None where there is none yet."""
        tree, run, state = self._state.tree, self._state.session.run(), self._state
        if run is None or not tree.path(run.id):
            return None
        selection = state.session.selection()
        upto = selection.step if state.stepwise and selection is not None else None
        return tree_figure(tree, self.place.texts, run, upto=upto, dropped=state.dropped)

    def follow(self) -> None:
        """Show the node that is looked at, and say which it is."""
        node = self._state.node
        if node is not None and node.index < len(self.words):
            box = self.place.rect(node.index)
            if (box, self.scale) != self._seen:
                self._seen = (box, self.scale)
                self._reveal(box)
            sentence = node_sentence(self._state, node, self.words[node.index])
            if sentence != self.accessibleDescription():
                self.setAccessibleDescription(sentence)
        self.viewport().update()
        self.follow_cells()

    def cells(self) -> Cells | None:
        """A node a row, in the order in which they came."""
        state, nodes, node, words = self._state, self._state.tree.nodes, self._state.node, self.words

        def rect(row: int, column: int) -> QRectF | None:
            return QRectF(self.node_rect(row))

        def at(point: QPointF) -> tuple[int, int] | None:
            row = self._at(point)
            return None if row is None else (row, 0)

        return Cells(
            min(len(nodes), len(words)),
            1,
            lambda row, column: node_sentence(state, nodes[row], words[row]),
            current=None if node is None or node.index >= len(words) else (node.index, 0),
            rect=rect,
            at=at,
            choose=lambda row, column: state.look_at(row),
        )

    def node_rect(self, index: int) -> QRect:
        """Where a node is now, in the viewport's coordinates."""
        box, s = self.place.rect(index), self.scale
        left, top = self._origin()
        return QRectF(
            box.x() * s - left, box.y() * s - top, box.width() * s, box.height() * s
        ).toAlignedRect()

    def marks(self) -> TreeMarks:
        """What stands out now."""
        node = self._state.node
        current = -1 if node is None else node.index
        return TreeMarks(self._state.in_view, current, self._hovered, -1 if node is None else node.step)

    # Scrolling.

    def _origin(self) -> tuple[int, int]:
        return self.horizontalScrollBar().value(), self.verticalScrollBar().value()

    def _resized(self) -> None:
        room = self.viewport().size()
        if self._fit and self.place.columns:
            whole = self.scale / self._zoom
            fitting = min(
                room.width() / (whole * self.place.width), room.height() / (whole * self.place.height)
            )
            self._zoom = max(_FITTED, min(1.0, fitting))
        wide, high = self.place.width * self.scale, self.place.height * self.scale
        for bar, whole_size, page in (
            (self.horizontalScrollBar(), wide, room.width()),
            (self.verticalScrollBar(), high, room.height()),
        ):
            bar.setRange(0, max(0, round(whole_size) - page))
            bar.setPageStep(page)
            bar.setSingleStep(round(ROW * self.scale))
        self._seen = None
        self.follow()

    def _reveal(self, box: QRectF) -> None:
        """Scroll as little as shows a box and what is beside it: more would make the tree jump."""
        s, room = self.scale, self.viewport().size()
        for bar, first, last, page, before, after in (
            (self.horizontalScrollBar(), box.left() * s, box.right() * s, room.width(), 100 * s, 150 * s),
            (
                self.verticalScrollBar(),
                box.top() * s,
                box.bottom() * s,
                room.height(),
                (HEADER + ROW) * s,
                ROW * s,
            ),
        ):
            before, after = min(before, page / 3), min(after, page / 3)
            bar.setValue(min(bar.value(), max(0, round(first - before))))
            bar.setValue(max(bar.value(), round(last + after - page)))

    # Qt's own events.

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw what is visible."""
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours, marks, s = theme(self._appearance.palette.name), self.marks(), self.scale
        painter.fillRect(self.viewport().rect(), colours.color("panel"))
        left, top = self._origin()
        room = self.viewport().size()
        painter.save()
        painter.translate(-left, -top)
        painter.scale(s, s)
        area = QRectF(left / s, top / s, room.width() / s, room.height() / s)
        paint_tree(painter, self.place, colours, marks, area)
        painter.restore()
        painter.save()
        painter.translate(-left, 0)
        painter.scale(s, s)
        paint_header(painter, self.place, colours, marks, QRectF(left / s, 0, room.width() / s, 0))
        painter.restore()
        if self.hasFocus():
            draw_ring(painter, self.viewport(), self._appearance.color("accent"))
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take the new size."""
        self._resized()

    def viewportEvent(self, event: QEvent) -> bool:
        """Tooltips of nodes."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            index = self._at(QPointF(event.pos()))
            if index is None:
                QToolTip.hideText()
            else:
                node = self._state.tree.nodes[index]
                show_tip(event.globalPos(), node_tip(self._state, node, self.words[index]), self)
            return True
        return super().viewportEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Light the node under the pointer."""
        self._hover(self._at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        self._hover(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Look at a node."""
        index = self._at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and index is not None:
            self._state.look_at(index)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """List the other words of a node."""
        index = self._at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and index is not None:
            self.alternatives_asked.emit(index)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The menu of the node under the pointer, or by key of the current one."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        node = self._state.node if by_key else None
        index = self._at(QPointF(event.pos())) if not by_key else None if node is None else node.index
        if index is not None:
            place = self.node_rect(index).bottomLeft() if by_key else event.pos()
            self.menu_asked.emit(index, self.viewport().mapToGlobal(place))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll; with Ctrl, zoom. A tree with few rows scrolls sideways."""
        notches = event.angleDelta().y() / _NOTCH
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            if self._fit:
                self._fit = False
                self.fit_left.emit()
            self._zoom = max(_SMALLEST, min(_LARGEST, self._zoom * 1.15**notches))
            self._resized()
            event.accept()
        elif notches and not self.verticalScrollBar().maximum():
            bar = self.horizontalScrollBar()
            bar.setValue(bar.value() - round(notches * 3 * bar.singleStep()))
            event.accept()
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go through the tree; Enter lists other words, letters begin to type them."""
        plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        node = self._state.node
        if node is None or not self._handled(event, node.index, plain):
            event.ignore()

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Words that are composed begin to be typed as well."""
        node = self._state.node
        if node is not None and event.commitString():
            self.typed.emit(node.index, event.commitString())
        event.accept()

    def inputMethodQuery(self, query: Qt.InputMethodQuery) -> Any:
        """Where words are composed: at the current node."""
        node = self._state.node
        if query == Qt.InputMethodQuery.ImCursorRectangle and node is not None:
            return self.node_rect(node.index)
        return super().inputMethodQuery(query)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show that keys go here."""
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Keys go elsewhere."""
        self.viewport().update()

    def retranslate(self) -> None:
        """Take the language in force."""
        self.rebuild()

    def _handled(self, event: QKeyEvent, index: int, plain: Qt.KeyboardModifier) -> bool:
        key, shift = Qt.Key(event.key()), Qt.KeyboardModifier.ShiftModifier
        if plain == Qt.KeyboardModifier.ControlModifier and key == Qt.Key.Key_C:
            self.copy_asked.emit(index)
        elif plain & ~shift:
            return False
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self._state.go(key == Qt.Key.Key_Right)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            beside = self.place.neighbour(index, key == Qt.Key.Key_Down)
            if beside is not None:
                self._state.look_at(beside, patient=True)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.alternatives_asked.emit(index)
        elif key == Qt.Key.Key_F2:
            self.typed.emit(index, "")
        elif key == Qt.Key.Key_Delete:
            self.delete_asked.emit(index)
        elif event.text().isprintable() and event.text().strip():
            self.typed.emit(index, event.text())
        else:
            return False
        return True

    def _at(self, point: QPointF) -> int | None:
        left, top = self._origin()
        if point.y() < HEADER * self.scale:
            return None
        return self.place.node_at(QPointF(point.x() + left, point.y() + top) / self.scale)

    def _hover(self, index: int | None) -> None:
        hovered = -1 if index is None else index
        if hovered != self._hovered:
            self._hovered = hovered
            pointing = index is not None and self._state.tree.nodes[index].parent is not None
            shape = Qt.CursorShape.PointingHandCursor if pointing else Qt.CursorShape.ArrowCursor
            self.viewport().setCursor(shape)
            self.viewport().update()
