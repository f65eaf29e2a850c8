"""The session: the one place that knows what the user looks at. QtCore only."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Signal

from model.trace import AttentionKind, Trace
from viewer.state import edits
from viewer.state.document import Document, Pane, Run, ViewOptions
from viewer.state.job_status import JobStatus
from viewer.state.messages import ModelInfo, PiecesSplit
from viewer.state.notice import Notice
from viewer.state.selection import Selection
from viewer.state.wishes import Wishes


class Session(QObject):
    """Holds the document and what surrounds it; views read it, subscribe, and call its intents.

    Attributes:
        wishes: what the user asks of the engine.

    Everything held is frozen: an intent makes a new document, compares, stores, and emits each signal that
    applies once. In intents, `pane` None means the active pane, numbers out of range are clamped, and a
    pane that does not exist is ignored.

    Signals:
        runs_changed: runs came, went or changed places.
        run_grew: the run of this id was replaced: its trace grew, or it ended.
        pane_changed: run or selection of this pane changed, or the pane is new.
        panes_changed: another number of panes, or another active one.
        view_changed: the view options changed.
        document_changed: any of the above; after them.
        model_changed, text_changed, pieces_changed, job_changed, notice_changed, playing_changed:
            the property of that name changed.
    """

    runs_changed = Signal()
    run_grew = Signal(str)
    pane_changed = Signal(int)
    panes_changed = Signal()
    view_changed = Signal()
    document_changed = Signal()
    model_changed = Signal()
    text_changed = Signal()
    pieces_changed = Signal()
    job_changed = Signal()
    notice_changed = Signal()
    playing_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = Document()
        self._model: ModelInfo | None = None
        self._text = ""
        self._pieces: PiecesSplit | None = None
        self._job = JobStatus()
        self._notice: Notice | None = None
        self._playing = False
        self._last_heads: dict[int, int] = {}
        self.wishes = Wishes(self)

    # What is held.

    @property
    def document(self) -> Document:
        """Runs, panes, view options."""
        return self._document

    @property
    def model(self) -> ModelInfo | None:
        """The current model, None while none is open."""
        return self._model

    @property
    def text(self) -> str:
        """The sentence as typed."""
        return self._text

    @property
    def pieces(self) -> PiecesSplit | None:
        """The pieces of `text`; None while they are not known."""
        return self._pieces

    @property
    def job(self) -> JobStatus:
        """What the engine is doing for this window."""
        return self._job

    @property
    def notice(self) -> Notice | None:
        """The last error or remark, until it is dismissed or outdated."""
        return self._notice

    @property
    def playing(self) -> bool:
        """Whether the steps advance by themselves; see `Player`."""
        return self._playing

    @property
    def active(self) -> int:
        """Index of the active pane, 0 if there is none."""
        return self._document.active

    @property
    def view(self) -> ViewOptions:
        """The view options."""
        return self._document.view

    def pane(self, pane: int | None = None) -> Pane | None:
        """A pane, or None if there is no such."""
        index = self.active if pane is None else pane
        panes = self._document.panes
        return panes[index] if 0 <= index < len(panes) else None

    def run(self, pane: int | None = None) -> Run | None:
        """The run a pane shows."""
        shown = self.pane(pane)
        return None if shown is None else self._document.run(shown.run_id)

    def trace(self, pane: int | None = None) -> Trace | None:
        """The trace a pane shows."""
        run = self.run(pane)
        return None if run is None else run.trace

    def selection(self, pane: int | None = None) -> Selection | None:
        """What a pane shows of its trace."""
        shown = self.pane(pane)
        return None if shown is None else shown.selection

    def has_steps(self, pane: int | None = None) -> bool:
        """Whether what the pane shows depends on the step: a decoder's family with something decoded."""
        selection, trace = self.selection(pane), self.trace(pane)
        if selection is None or trace is None:
            return False
        return selection.kind is not AttentionKind.ENCODER_SELF and trace.steps > 0

    def at_end(self, pane: int | None = None) -> bool:
        """Whether the pane is at the newest step there is."""
        selection, trace = self.selection(pane), self.trace(pane)
        return selection is None or trace is None or selection.step >= trace.steps - 1

    # What a pane shows.

    def select(self, pane: int | None = None, **changes: Any) -> None:
        """Change several fields of a pane's selection at once."""
        index = self.active if pane is None else pane
        self._apply(edits.selecting(self._document, index, **changes))

    def select_kind(self, kind: AttentionKind, pane: int | None = None) -> None:
        """Show another family; layer and head stay as far as it has them."""
        self.select(pane, kind=kind)

    def select_layer(self, layer: int, pane: int | None = None) -> None:
        """Show another layer."""
        self.select(pane, layer=layer)

    def select_head(self, layer: int, head: int | None, pane: int | None = None) -> None:
        """Show a head, or (None) the mean over a layer's heads."""
        self.select(pane, layer=layer, head=head)

    def select_mean(self, pane: int | None = None) -> None:
        """Show the mean over the layer's heads."""
        self.select(pane, head=None)

    def toggle_mean(self, pane: int | None = None) -> None:
        """From a head to the mean over its layer, and back to that head."""
        index = self.active if pane is None else pane
        selection = self.selection(index)
        if selection is not None:
            back = self._last_heads.get(index, 0)
            self.select(index, head=back if selection.head is None else None)

    def move_head(self, dlayer: int, dhead: int, pane: int | None = None) -> None:
        """Go some layers and heads further; sideways from the mean to the first or the last head."""
        selection, trace = self.selection(pane), self.trace(pane)
        if selection is None or trace is None:
            return
        head = selection.head
        if head is not None:
            head = max(0, head + dhead)
        elif dhead:
            head = 0 if dhead > 0 else trace.heads(selection.kind) - 1
        self.select(pane, layer=selection.layer + dlayer, head=head)

    def set_step(self, step: int, pane: int | None = None) -> None:
        """Go to a step."""
        self.select(pane, step=step)

    def step_by(self, steps: int, pane: int | None = None) -> None:
        """Go some steps on, or back."""
        selection = self.selection(pane)
        if selection is not None:
            self.set_step(selection.step + steps, pane)

    def first_step(self, pane: int | None = None) -> None:
        """Go to the first step."""
        self.set_step(0, pane)

    def last_step(self, pane: int | None = None) -> None:
        """Go to the newest step; a run that grows is followed from there."""
        trace = self.trace(pane)
        if trace is not None:
            self.set_step(trace.steps - 1, pane)

    def set_crosshair(self, query: int | None, key: int | None, pane: int | None = None) -> None:
        """Put the crosshair on a cell; outside of the map, or None: away."""
        self.select(pane, query=query, key=key)

    # Panes, runs, view.

    def open_second_pane(self, selection: Selection | None = None) -> None:
        """Show a second pane beside the first, active; without a selection it begins as the first is."""
        self._apply(edits.with_second_pane(self._document, selection))

    def close_second_pane(self) -> None:
        """Show the first pane alone."""
        self._apply(edits.without_pane(self._document, 1))

    def activate_pane(self, pane: int) -> None:
        """Make a pane the one that keys and menus mean."""
        if 0 <= pane < len(self._document.panes):
            self._apply(self._document.but(active=pane))

    def set_view(self, **options: bool) -> None:
        """Change view options by name."""
        self._apply(self._document.but(view=ViewOptions(**{**self.view.to_json(), **options})))

    def add_run(self, run: Run, selection: Selection | None = None, *, keep_others: bool = True) -> None:
        """Add a run and show it in every pane.

        Args:
            selection: what to show first; None keeps what was looked at as far as the run has it (and for
                the very first run takes the model's showcase).
            keep_others: False drops the other runs.
        """
        showcase = None if self._model is None else self._model.showcase
        first = selection or Selection.opening(showcase, run.trace)
        changed = edits.with_run(self._document, run, first, keep_others=keep_others)
        if selection is not None:
            changed = edits.selecting(changed, changed.active, **vars(selection))
        self._apply(changed)

    def replace_run(self, run: Run) -> None:
        """Take a run's newer state; while it is live, a pane at its newest token follows."""
        self._apply(edits.with_replaced(self._document, run))

    def put_run(self, run: Run, *, keep_others: bool = True) -> None:
        """Replace the live run of the same id; if there is none, add it."""
        before = self._document.run(run.id)
        if before is not None and before.live:
            self.replace_run(run)
        else:
            self.add_run(run, keep_others=keep_others)

    def remove_run(self, run_id: str) -> None:
        """Forget a run; panes that showed it show its parent, else the newest run left."""
        self._apply(edits.without_run(self._document, run_id))

    def show_run(self, run_id: str, pane: int | None = None) -> None:
        """Show another run in a pane."""
        self._apply(edits.showing(self._document, self.active if pane is None else pane, run_id))

    def clear_runs(self) -> None:
        """Forget all runs and close all panes."""
        self._apply(self._document.but(runs=(), panes=(), active=0, bookmarks=()))

    def set_document(self, document: Document, text: str | None = None) -> None:
        """Take a whole document (a session that was opened, an undone change) and its sentence."""
        self._last_heads.clear()
        self._apply(edits.sound(document))
        if text is not None:
            self.set_text(text)

    # What surrounds the document.

    def set_model(self, model: ModelInfo | None) -> None:
        """Take a model that was opened; the pieces of the sentence are another model's."""
        if model is not self._model:
            self._model = model
            self.set_pieces(None)
            self.model_changed.emit()

    def set_text(self, text: str) -> None:
        """Take the sentence as typed; its pieces are unknown until the engine has split it."""
        if text != self._text:
            self._text = text
            self.set_pieces(None)
            self.text_changed.emit()

    def set_pieces(self, pieces: PiecesSplit | None) -> None:
        """Take the pieces of the sentence; those of an older one are ignored."""
        if pieces is not None and pieces.text != self._text:
            return
        if pieces != self._pieces:
            self._pieces = pieces
            self.pieces_changed.emit()

    def set_job(self, job: JobStatus) -> None:
        """Say what the engine is doing."""
        if job != self._job:
            self._job = job
            self.job_changed.emit()

    def set_notice(self, notice: Notice | None) -> None:
        """Show a sentence to the user, or none."""
        if notice != self._notice:
            self._notice = notice
            self.notice_changed.emit()

    def set_playing(self, playing: bool) -> None:
        """Start or stop advancing by itself."""
        playing = playing and bool(self._document.panes)
        if playing != self._playing:
            self._playing = playing
            self.playing_changed.emit()

    def _apply(self, after: Document) -> None:
        """Store a document and say what is different; the only place where it changes."""
        before, self._document = self._document, after
        self._remember_heads(before)
        said = False
        if [run.id for run in before.runs] != [run.id for run in after.runs]:
            said = True
            self.runs_changed.emit()
        for run in after.runs:
            if before.run(run.id) not in (None, run):
                said = True
                self.run_grew.emit(run.id)
        if (len(before.panes), before.active) != (len(after.panes), after.active):
            said = True
            self.panes_changed.emit()
        for index, pane in enumerate(after.panes):
            if index >= len(before.panes) or before.panes[index] != pane:
                said = True
                self.pane_changed.emit(index)
        if before.view != after.view:
            said = True
            self.view_changed.emit()
        if said or before.bookmarks != after.bookmarks:
            self.document_changed.emit()
        if not after.panes:
            self.set_playing(False)

    def _remember_heads(self, before: Document) -> None:
        for index, pane in enumerate(before.panes):
            if pane.selection.head is not None:
                self._last_heads[index] = pane.selection.head
