"""Branches state: the tree of the sentence in view and the node that is looked at."""

from __future__ import annotations

import time
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal

from viewer.document.document import Run
from viewer.document.messages.requests import ShowHypothesis
from viewer.document.session import Session
from viewer.figures.tree.spec import TokenNode, TokenTree, grow, relatives

_KEYS_REST_MS = 250
"""Arrow keys run over hypotheses; the trace of one is asked for when they rest."""

_LONGEST_PAUSE_MS = 400
"""While a large tree grows, it takes at most a fifth of the time, and is never older than this."""

_Wanted = tuple[tuple[Run, ...], int | None, bool]
"""What a tree is grown from: runs, the step up to which, and whether with what was dropped."""


@dataclass(frozen=True)
class Alternative:
    """A token that the model thought of at a step; `node` is where it stands in the tree, if it does."""

    token: int
    piece: str
    logprob: float
    node: int | None


class BranchesState(QObject):
    """Follows the session while it is watched; its views read it and call its intents.

    Attributes:
        stepwise: show the search as of the step in view, not the whole.
        dropped: show hypotheses of which nothing is left in the beam.

    Signals:
        changed: another tree; `moved` comes after it.
        moved: another node is looked at, or another run is in view.
    """

    changed = Signal()
    moved = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.stepwise = False
        self.dropped = True
        self.tree = TokenTree()
        self.runs: tuple[Run, ...] = ()
        self._grown: tuple[_Wanted, TokenTree] | None = None  # last
        self._shown: tuple[_Wanted, TokenTree] | None = None
        self._chosen: tuple[str, tuple[int, ...]] | None = None
        self._watched = False
        self._pause_ms = 0
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.timeout.connect(self.refresh)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_KEYS_REST_MS)
        self._rest.timeout.connect(self._ask_chosen)
        session.document_changed.connect(self._document_changed)
        session.pane_changed.connect(self._pane_changed)

    # What is shown.

    @property
    def node(self) -> TokenNode | None:
        """The node that is looked at: one chosen in the tree, else that of the step in view."""
        if self._chosen is not None:
            return self.tree.find(self._chosen)
        pane = self.session.pane()
        return None if pane is None else self.tree.node_at(pane.run_id, pane.selection.step)

    @property
    def in_view(self) -> frozenset[int]:
        """The nodes of the run in view."""
        pane = self.session.pane()
        return frozenset(() if pane is None else self.tree.path(pane.run_id))

    def run_of(self, node: TokenNode) -> Run | None:
        """A run through a node: that in view, one in the other pane, else the newest; None if none passes."""
        document = self.session.document
        shown = [pane.run_id for pane in (self.session.pane(), *document.panes) if pane is not None]
        ids = [run_id for run_id in shown if run_id in node.runs] or list(node.runs[-1:])
        return document.run(ids[0]) if ids else None

    def through(self, node: TokenNode, steps: int) -> Run | None:
        """A run that has `node` on its way and at least so many steps: its rows say what comes after it."""
        preferred = self.run_of(node)
        runs = [run for run in self.runs if run.id in node.runs]
        if preferred is not None:
            runs.append(preferred)
        return next((run for run in reversed(runs) if run.trace.steps >= steps), None)

    def before(self, node: TokenNode) -> tuple[Run, int] | None:
        """A run that predicts at the node's step after the same tokens, and that step."""
        if node.parent is None:
            return None
        run = self.through(self.tree.nodes[node.parent], node.step + 1)
        return None if run is None else (run, node.step)

    def alternatives(self, node: TokenNode) -> tuple[Alternative, ...]:
        """What the model thought of in place of a node's token, the most probable first."""
        found = self.before(node)
        if found is None:
            return ()
        (run, step), parent = found, node.parent or 0
        trace, result = run.trace, []
        for token, piece, logprob in zip(
            trace.candidate_ids[step].tolist(),
            trace.candidate_tokens[step],
            trace.candidate_logprobs[step].tolist(),
        ):
            there = self.tree.child(parent, token)
            result.append(Alternative(token, piece, logprob, None if there is None else there.index))
        return tuple(result)

    def rank(self, node: TokenNode) -> int | None:
        """The place of a node's token among all, recorded or by the recorded candidates; None if unknown."""
        if node.rank is not None or node.parent is None:
            return node.rank
        found = self.before(node)
        ids = [] if found is None else found[0].trace.candidate_ids[found[1]].tolist()
        return 1 + ids.index(node.token) if node.token in ids else None

    # What the user may ask.

    def set_stepwise(self, on: bool) -> None:
        """Show the search as of the step in view, or the whole."""
        self.stepwise = on
        self.refresh()

    def set_dropped(self, on: bool) -> None:
        """Show dropped hypotheses, or leave them out."""
        self.dropped = on
        self.refresh()

    def watch(self, on: bool) -> None:
        """Follow the session, or let it go while nobody looks."""
        self._watched = on
        if on:
            self.refresh()
        else:
            self._late.stop()
            self._rest.stop()

    def look_at(self, index: int, *, patient: bool = False) -> None:
        """Look at a node everywhere; a hypothesis that is no run yet is asked for.

        Args:
            patient: ask for it only when no other node is looked at soon.
        """
        node = self.tree.nodes[index]
        if node.parent is None:
            return
        run = self.run_of(node)
        self._rest.stop()
        if run is not None:
            self._chosen = None
            self._show(run, node.step)
            self.moved.emit()
            return
        self._chosen = self.tree.key(index)
        self.moved.emit()
        if patient:
            self._rest.start()
        else:
            self._ask_chosen()

    def go(self, forward: bool) -> None:
        """To the next node along the path, the run in view's if it passes; or back."""
        node = self.node
        if node is None:
            return
        if not forward:
            if node.parent is not None and self.tree.nodes[node.parent].parent is not None:
                self.look_at(node.parent, patient=True)
            return
        ways = [child for child in node.children if child in self.in_view] or list(node.children[:1])
        if ways:
            self.look_at(ways[0], patient=True)
        elif self._chosen is None:
            self.session.step_by(1)  # the tree as of that step has the next one

    def refresh(self) -> None:
        """Grow the tree anew if something in it changed."""
        began = time.perf_counter()
        shown, self._shown = self._shown, self.prepare()
        (self.runs, *_), self.tree = self._shown
        if shown is None or shown[1] is not self.tree:
            self.changed.emit()
            self._pause_ms = min(_LONGEST_PAUSE_MS, round(4000 * (time.perf_counter() - began)))
        self.moved.emit()

    def prepare(self) -> tuple[_Wanted, TokenTree]:
        """Grow the tree that `refresh` will show: of thousands of tokens that is enough for a turn."""
        run, selection = self.session.run(), self.session.selection()
        runs = () if run is None else relatives(self.session.document, run)
        upto = selection.step if self.stepwise and selection is not None else None
        wanted = (runs, upto, self.dropped)
        for known in (self._shown, self._grown):
            if known is not None and known[0] == wanted:
                return known
        self._grown = wanted, grow(runs, upto, dropped=self.dropped)
        return self._grown

    def _show(self, run: Run, step: int) -> None:
        session = self.session
        for index, pane in enumerate(session.document.panes):
            if pane.run_id == run.id and session.run() is not run:
                session.activate_pane(index)
        session.show_run(run.id)
        session.set_step(step)

    def _ask_chosen(self) -> None:
        node = self.node
        if node is not None and not node.runs and node.hypotheses:
            self.session.ask(ShowHypothesis(*node.hypotheses[-1]))

    def _document_changed(self) -> None:
        # Several changes at once cost one tree; of many tokens a second, a large tree leaves some out.
        if self._watched and not self._late.isActive():
            live = any(run.live for run in self.runs)
            self._late.start(self._pause_ms if live else 0)

    def _pane_changed(self, pane: int) -> None:
        if pane == self.session.active:
            self._chosen = None
