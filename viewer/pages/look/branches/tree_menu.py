"""`TreeMenu`: a node's actions: other words, a text of one's own, compare, keep, delete, copy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from viewer.document.messages.requests import Branch, Continue, KeepAltered
from viewer.document.session import Session
from viewer.document.text.token_text import text_after
from viewer.document.what_if.what_if import LIVE_SUFFIX
from viewer.figures.tree.spec import TokenNode
from viewer.pages.look.branches.branches_state import Alternative, BranchesState
from viewer.pages.look.branches.node_words import line_text
from viewer.pages.look.branches.run_words import share_of
from viewer.pages.look.continuing import can_continue
from viewer.pages.widgets.plain_tip import name_action


class TreeMenu(QObject):
    """Builds the menus of a node when they are asked for, and does what was chosen.

    Signals:
        edit_asked: type in place of this node's token, or after it (True).
    """

    edit_asked = Signal(int, bool)

    def __init__(self, state: BranchesState, parent: QWidget) -> None:
        super().__init__(parent)
        self._state = state
        self._session: Session = state.session
        self._widget = parent

    def alternatives(self, index: int) -> QMenu:
        """The other words at a node's step, the most probable first."""
        menu = self._menu()
        self._list_words(menu, self._state.tree.nodes[index])
        return menu

    def of_node(self, index: int) -> QMenu:
        """The context menu of a node."""
        menu, node = self._menu(), self._state.tree.nodes[index]
        run = self._state.run_of(node)
        if node.parent is not None:
            before = self._state.before(node)
            others = menu.addMenu(self.tr("Another word here"))
            self._list_words(others, node)
            able = before is not None and can_continue(self._session, before[0])
            self._act(menu, self.tr("Type another word here…"), self._type_here, index).setEnabled(able)
        after = self._act(menu, self.tr("Continue from here with…"), self._type_after, index)
        after.setEnabled(run is not None and can_continue(self._session, run))
        menu.addSeparator()
        if run is not None:
            self._run_actions(menu, run.id)
        self._act(menu, self.tr("Copy the text up to here"), self._copy, line_text(self._state.tree, index))
        return menu

    def delete(self, index: int) -> None:
        """Take the run through a node away; it can be undone."""
        run = self._state.run_of(self._state.tree.nodes[index])
        if run is not None and not run.live:
            self._session.remove_run(run.id)

    def copy(self, index: int) -> None:
        """Put the text up to a node on the clipboard."""
        QGuiApplication.clipboard().setText(line_text(self._state.tree, index))

    def go_on(self, index: int, after: bool, text: str) -> None:
        """Ask for a text in place of a node's token, or after it, and what the model makes of it."""
        if index >= len(self._state.tree.nodes):
            return
        node = self._state.tree.nodes[index]
        run, step = self._state.run_of(node), node.step + 1
        if not after:
            found = self._state.before(node)
            if found is None:
                return
            run, step = found
        if run is not None and text.strip():
            self._session.ask(Continue(run.id, step, text))

    def _menu(self) -> QMenu:
        menu = QMenu(self._widget)
        menu.aboutToHide.connect(menu.deleteLater)
        return menu

    def _list_words(self, menu: QMenu, node: TokenNode) -> None:
        found, raw = self._state.before(node), self._session.view.raw_pieces
        able = found is not None and can_continue(self._session, found[0])
        before = () if found is None else found[0].trace.tgt_out_tokens[: found[1]]
        for other in self._state.alternatives(node):
            action = self._act(menu, "", self._take, (node.index, other))
            name = text_after(before, other.piece, raw=raw, style=self._state.tree.style).marked
            name_action(action, name, share_of(other.logprob))
            here = other.node == node.index
            action.setCheckable(here)
            action.setChecked(here)
            action.setEnabled(not here and (able or other.node is not None))
        if menu.isEmpty():
            menu.addAction(self.tr("Look at this word first: its step is not computed yet")).setEnabled(False)

    def _run_actions(self, menu: QMenu, run_id: str) -> None:
        document = self._session.document
        run = document.run(run_id)
        assert run is not None
        pane = self._session.pane()
        in_view = pane is not None and pane.run_id == run_id
        if document.pinned == run_id:
            self._act(menu, self.tr("Stop comparing with it"), self._session.pin, "")
        else:
            name = (
                self.tr("Pin the run in view to compare")
                if in_view
                else self.tr("Compare with the run in view")
            )
            self._act(menu, name, self._session.pin, run_id)
        if run_id.endswith(LIVE_SUFFIX):
            self._act(menu, self.tr("Keep this altered run"), self._session.ask, KeepAltered(run_id))
        delete = self._act(menu, self.tr("Delete this run"), self._session.remove_run, run_id)
        delete.setEnabled(not run.live)
        self._act(menu, self.tr("Copy the whole text"), self._copy, run.trace.tgt_text)

    def _act(self, menu: QMenu, name: str, act: Callable[[Any], object], about: Any) -> QAction:
        action = menu.addAction(name)
        action.triggered.connect(lambda: act(about))
        return action

    def _take(self, chosen: tuple[int, Alternative]) -> None:
        index, other = chosen
        if other.node is not None and other.node < len(self._state.tree.nodes):
            there = self._state.tree.nodes[other.node]
            if there.runs:
                self._state.look_at(other.node)
                return
        found = self._state.before(self._state.tree.nodes[index])
        if found is not None:
            self._session.ask(Branch(found[0].id, found[1], other.token))

    def _type_here(self, index: int) -> None:
        self.edit_asked.emit(index, False)

    def _type_after(self, index: int) -> None:
        self.edit_asked.emit(index, True)

    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
