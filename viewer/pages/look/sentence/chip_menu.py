"""The menu of a token in the output row: go on with another word, delete the branch."""

from __future__ import annotations

import math

from PySide6.QtCore import QObject, QPoint
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from viewer.document.document import Run
from viewer.document.messages.requests import Branch
from viewer.document.session import Session
from viewer.document.text.token_text import text_after
from viewer.pages.look.continuing import can_continue, goes_elsewhere
from viewer.pages.widgets.plain_tip import name_action
from viewer.pages.widgets.wording import percent


class ChipMenu(QObject):
    """Builds the menu when it is asked for, and does what was chosen."""

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self._parent = parent

    def show(self, step: int, place: QPoint) -> None:
        """Open the menu of a step of the active pane's run."""
        run = self._session.run()
        if run is not None and 0 <= step < run.trace.steps:
            self.menu(run, step).popup(place)

    def menu(self, run: Run, step: int) -> QMenu:
        """The menu; gone once it is closed."""
        menu = QMenu(self._parent)
        menu.aboutToHide.connect(menu.deleteLater)
        look = menu.addAction(self.tr("Look at this step"))
        look.setData(step)
        look.triggered.connect(self._look)
        others = menu.addMenu(self.tr("Continue from here with…"))
        others.setEnabled(can_continue(self._session, run))
        self._list_words(others, run, step)
        menu.addSeparator()
        delete = menu.addAction(self.tr("Delete this branch"))
        delete.setData(run.id)
        delete.setEnabled(run.branch_step is not None and not run.live)
        delete.triggered.connect(self._delete)
        return menu

    def _list_words(self, menu: QMenu, run: Run, step: int) -> None:
        trace, raw = run.trace, self._session.view.raw_pieces
        for piece, number, logprob in zip(
            trace.candidate_tokens[step],
            trace.candidate_ids[step],
            trace.candidate_logprobs[step],
            strict=True,
        ):
            share = percent(math.exp(min(0.0, float(logprob))))
            name = text_after(trace.tgt_out_tokens[:step], piece, raw=raw, style=trace.token_style).marked
            action = name_action(menu.addAction(""), name, share)
            action.setData((run.id, step, int(number)))
            action.setEnabled(goes_elsewhere(run, step, int(number)))
            action.triggered.connect(self._branch)

    def _look(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self._session.set_step(action.data())

    def _branch(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self._session.ask(Branch(*action.data()))

    def _delete(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self._session.remove_run(action.data())
