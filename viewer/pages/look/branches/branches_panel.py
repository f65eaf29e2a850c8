"""The Branches drawer: where decoding is explored."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QByteArray, QPoint, Qt
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QSplitter,
    QStackedLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from model.abilities import Ability
from viewer.document.session import Session
from viewer.document.text.model_text import cannot
from viewer.figures.figure import FigureSpec
from viewer.figures.tree.spec import TreeSpec
from viewer.model_samples import example_label
from viewer.pages.look.branches.branches_state import BranchesState
from viewer.pages.look.branches.node_details import NodeDetails
from viewer.pages.look.branches.runs_view import RunsView, TokensView
from viewer.pages.look.branches.tree_menu import TreeMenu
from viewer.pages.look.branches.tree_tools import TreeTools
from viewer.pages.look.branches.tree_view import TreeView
from viewer.pages.look.branches.word_editor import WordEditor
from viewer.pages.look.panel import LookPanel
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.before_paint import BeforePaint
from viewer.pages.widgets.buttons import card, elastic, label, tab_button
from viewer.pages.widgets.empty_state import EmptyState
from viewer.pages.widgets.overflow_row import OverflowRow

_WORD, _RUNS, _TOKENS = range(3)
_NARROW, _HIGH = 900, 260


class BranchesPanel(LookPanel):
    """The tree of all tokens decoded for the sentence, its details, and the runs.

    Attributes:
        state: what the tree is and which node is looked at.
        tools: options of the tree; whoever holds the panel puts them where there is room.
    """

    tools: TreeTools

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._appearance = appearance
        self.state = BranchesState(session, self)
        self.tree = TreeView(self.state, appearance)
        self._growing = BeforePaint(self, self.state.prepare)
        self._naming = BeforePaint(self, self.tree.prepare_texts)
        self._preparing = BeforePaint(self, self.tree.prepare)
        self._watching = BeforePaint(self, partial(self.state.watch, True))
        self.tools = TreeTools(self.state, appearance)
        self.menu = TreeMenu(self.state, self.tree)
        self.editor = WordEditor(appearance, self.tree.viewport())
        self.hint = elastic(label("small"))
        self.hint.setContentsMargins(8, 0, 8, 2)
        self.details = NodeDetails(self.state)
        self.runs = RunsView(session, appearance)
        self.tokens = TokensView(session, appearance)
        self.empty = EmptyState()
        self._beside: QByteArray | None = None  # how the room was divided, while it is divided otherwise
        self._group = QButtonGroup(self)
        self.tabs = [tab_button(self._group, index) for index in range(3)]
        self._side = QStackedWidget()
        self.floor = QSplitter(Qt.Orientation.Horizontal)
        self._lay_out()
        self._connect()
        self.show_tab(_WORD)
        self.retranslate()

    def _lay_out(self) -> None:
        # From the outside in: Qt styles all that a widget holds anew each time it is put into another.
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.floor)
        self._stack.addWidget(self.empty)
        left, right = card(), card()
        for part in (left, right):
            self.floor.addWidget(part)
        tree = QVBoxLayout(left)
        tree.setContentsMargins(4, 4, 4, 4)
        tree.setSpacing(2)
        tree.addWidget(self.tree, 1)
        tree.addWidget(self.hint)
        row = OverflowRow(self._appearance, spacing=2)
        side = QVBoxLayout(right)
        side.setContentsMargins(8, 4, 6, 4)
        side.setSpacing(2)
        side.addWidget(row)
        side.addWidget(self._side, 1)
        for tab, panel in zip(self.tabs, (self.details, self.runs, self.tokens), strict=True):
            tab.setProperty("framed", True)
            row.add(tab)
            self._side.addWidget(panel)
        row.add_stretch()
        self.floor.setChildrenCollapsible(False)
        self.floor.setHandleWidth(10)
        self.floor.setStretchFactor(0, 2)
        self.floor.setStretchFactor(1, 1)
        self.floor.setSizes([800, 440])

    def _connect(self) -> None:
        session, state = self._session, self.state
        self._group.idClicked.connect(self.show_tab)
        state.moved.connect(self.refresh)
        session.view_changed.connect(self.refresh)
        session.panes_changed.connect(self.refresh)
        session.model_changed.connect(self.refresh)
        self.tools.fit_asked.connect(self.tree.set_fit)
        self.tree.fit_left.connect(self.tools.leave_fit)
        self.tree.alternatives_asked.connect(self._list_alternatives)
        self.tree.menu_asked.connect(self._open_menu)
        self.tree.typed.connect(self._type)
        self.tree.delete_asked.connect(self.menu.delete)
        self.tree.copy_asked.connect(self.menu.copy)
        self.menu.edit_asked.connect(self._edit)
        self.editor.entered.connect(self.menu.go_on)
        self.empty.asked.connect(self.example_asked)

    # What is shown.

    def show_tab(self, index: int) -> None:
        """Show the word (0), the runs (1) or the tokens (2) beside the tree."""
        self._side.setCurrentIndex(index)
        self.tabs[index].setChecked(True)

    def figure(self) -> FigureSpec[TreeSpec] | None:
        """The tree as it is in view; None where none is."""
        if not self.isVisible():
            return None
        self._watching.now()
        return self.tree.figure()

    def refresh(self) -> None:
        """Show the node that is looked at and the runs."""
        tree, node = self.state.tree, self.state.node
        shown = len(tree.nodes) > len(tree.strands)
        self._say_empty()
        self._stack.setCurrentWidget(self.floor if shown else self.empty)
        self.tools.setEnabled(shown)
        if not self.isVisible():
            return
        known = node is not None and node.index < len(self.tree.words)
        self.details.show_node(node, self.tree.words[node.index] if known and node is not None else None)
        self.runs.refresh()
        self.tokens.refresh()
        self.hint.setVisible(shown and len(tree.nodes) > 0 and tree.leaves < 2)

    def _say_empty(self) -> None:
        obstacle = cannot(self._session.model, Ability.WRITE)
        if obstacle:
            self.empty.say(obstacle)
        else:
            self.empty.say(
                self.tr(
                    "Type a sentence above: its output and every alternative you try grow here as a tree."
                ),
                example_label(self._session.model),
            )

    def save_state(self) -> QByteArray:
        """How the room is divided, for `restore_state`."""
        return self.floor.saveState() if self._beside is None else self._beside

    def restore_state(self, state: QByteArray) -> None:
        """Divide the room as before."""
        if self._beside is None:
            self.floor.restoreState(state)
        elif not state.isEmpty():
            self._beside = state

    def retranslate(self) -> None:
        """Take the language in force."""
        self.tree.setAccessibleName(self.tr("Tree of tokens"))
        self.hint.setText(
            self.tr(
                "To branch the tree, press Enter for other words here, type one, or click one in Next word."
            )
        )
        names = (self.tr("Word"), self.tr("Runs"), self.tr("Tokens"))
        for tab, name in zip(self.tabs, names, strict=True):
            tab.setText(name)
        self.refresh()

    # Qt's own events.

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow and high panel what is said of a word stands below the tree."""
        super().resizeEvent(event)
        narrow = self.width() < self._appearance.px(_NARROW)
        below = narrow and self.height() > self._appearance.px(_HIGH)
        if below and self._beside is None:
            self._beside = self.floor.saveState()
            self.floor.setOrientation(Qt.Orientation.Vertical)
            self.floor.setSizes([self.height() // 2] * 2)
        elif not below and self._beside is not None:
            self.floor.restoreState(self._beside)
            self._beside = None

    def showEvent(self, event: QShowEvent) -> None:
        """Follow the session from now on; a long run's tree takes a turn of its own."""
        super().showEvent(event)
        self._growing.ask()
        self._naming.ask()
        self._preparing.ask()
        self._watching.ask()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks: let the session go."""
        super().hideEvent(event)
        self.state.watch(False)

    # Answers to signals.

    def _list_alternatives(self, index: int) -> None:
        place = self.tree.node_rect(index).bottomLeft()
        self.menu.alternatives(index).popup(self.tree.viewport().mapToGlobal(place))

    def _open_menu(self, index: int, place: QPoint) -> None:
        self.menu.of_node(index).popup(place)

    def _type(self, index: int, text: str) -> None:
        self._open_editor(index, after=False, text=text)

    def _edit(self, index: int, after: bool) -> None:
        self._open_editor(index, after=after, text="")

    def _open_editor(self, index: int, *, after: bool, text: str) -> None:
        if index >= len(self.tree.words):
            return
        box, room = self.tree.node_rect(index), self.tree.viewport().rect()
        word = self.tree.words[index].text
        self.editor.open_at(index, after, word, text)
        x = (box.right() + 4 if after else box.left()) - 2
        y = box.center().y() - self.editor.height() // 2
        self.editor.move(
            max(2, min(x, room.width() - self.editor.width() - 2)),
            max(2, min(y, room.height() - self.editor.height() - 2)),
        )
