"""The session: the one place that knows what the user looks at. QtCore only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Signal

from model.trace.trace import AttentionKind, Trace
from viewer.document import edits
from viewer.document.answers import Answers
from viewer.document.bookmarks import Bookmarks
from viewer.document.deeds import Deeds
from viewer.document.document import Document, Pane, Run, ViewOptions
from viewer.document.history import Change, History, change_of, name_of
from viewer.document.homes import Homes
from viewer.document.hover import Hover
from viewer.document.learn_state import LearnState
from viewer.document.messages.notice import Notice
from viewer.document.run_source import RunSource
from viewer.document.selection import Selection
from viewer.document.sentences import Sentences
from viewer.document.text.input_text import given_steps, input_text
from viewer.document.workspace import Workspace


class Session(Workspace):
    """Holds the document and what surrounds it; views read it, subscribe, and call its intents.

    Attributes:
        homes: where the user saved it, if anywhere.
        answers: what was asked beyond translations, and what is known.
        sentences: a file of sentences, translated in the background.
        hover: what is under the pointer.
        learn_state: what is open on the Learn page.
        deeds: the files that were written, and how to make them again.

    Everything held is frozen: an intent makes a new document, compares, stores, and emits each signal that
    applies once. In intents, `pane` None means the active pane, numbers out of range are clamped, and a
    pane that does not exist is ignored.

    Signals:
        runs_changed: runs came, went or changed places, or those of another document took the same ids.
        run_grew: the run of this id was replaced: its trace grew, or it ended; of another document's only
            what a pane shows.
        pane_changed: run or selection of this pane changed, or the pane is new.
        pane_moved: after it, unless it only turned to another layer, head or cell of the same kind and step.
        panes_changed: another number of panes, or another active one.
        view_changed: the view options changed.
        pinned_changed, bookmarks_changed: the document's part of that name changed.
        document_changed: any of the above; after them.
        history_changed: something else can be undone or done again.
        live_run_left: the run of this id was taken out while it was made; whatever makes it stops.
        playing_changed: the steps began to advance by themselves, or stopped.
    """

    runs_changed = Signal()
    run_grew = Signal(str)
    pane_changed = Signal(int)
    pane_moved = Signal(int)
    panes_changed = Signal()
    view_changed = Signal()
    pinned_changed = Signal()
    bookmarks_changed = Signal()
    document_changed = Signal()
    history_changed = Signal()
    live_run_left = Signal(str)
    playing_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = Document()
        self._history = History()
        self._playing = False
        self._last_heads: dict[int, int] = {}
        self._trimmed = False
        self._most_bytes = edits.MOST_BYTES
        self._undoable: tuple[Change | None, Change | None] = (None, None)
        self.homes = Homes()
        self.bookmarks = Bookmarks(self, self)
        self.answers = Answers(self)
        self.sentences = Sentences(self.answers, self)
        self.hover = Hover(self)
        self.learn_state = LearnState(self)
        self.deeds = Deeds(self)
        self.model_changed.connect(self._model_opened)

    # What is held.

    @property
    def document(self) -> Document:
        """Runs, panes, view options."""
        return self._document

    @property
    def saved(self) -> Document:
        """The document with what is open on the Learn page and what was written: what is saved."""
        learn = self.learn_state.now(self._document.learn)
        return self._document.but(learn=learn, deeds=self.deeds.all)

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
        """Whether what the pane shows depends on the step: a decoder's kind with something decoded."""
        selection, trace = self.selection(pane), self.trace(pane)
        if selection is None or trace is None:
            return False
        return selection.kind is not AttentionKind.ENCODER_SELF and trace.steps > 0

    def at_end(self, pane: int | None = None) -> bool:
        """Whether the pane is at the newest step there is."""
        selection, trace, run = self.selection(pane), self.trace(pane), self.run(pane)
        if run is not None and run.rounds:
            return run.place >= len(run.rounds) - 1
        return selection is None or trace is None or selection.step >= trace.steps - 1

    # What a pane shows.

    def select(self, pane: int | None = None, **changes: Any) -> None:
        """Change several fields of a pane's selection at once."""
        index = self.active if pane is None else pane
        self.edit(edits.selecting(self._document, index, **changes))

    def select_kind(self, kind: AttentionKind, pane: int | None = None) -> None:
        """Show another kind; layer and head stay as far as it has them."""
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
        """Go some steps on, or back; of a run in rounds, rounds."""
        selection, run = self.selection(pane), self.run(pane)
        if run is not None and run.rounds:
            self.show_round(run.place + steps, pane)
            return
        if selection is not None:
            self.set_step(selection.step + steps, pane)

    def show_round(self, place: int, pane: int | None = None) -> None:
        """Show a round of a run, from 0; beyond the ends, the first or the last."""
        run = self.run(pane)
        if run is not None and run.rounds:
            self.replace_run(run.but(trace=run.rounds[min(max(0, place), len(run.rounds) - 1)]))

    def first_step(self, pane: int | None = None) -> None:
        """Go to the first step; of a continuation to its first, and from there to that of its prompt."""
        run = self.run(pane)
        if run is not None and run.rounds:
            self.show_round(0, pane)
            return
        selection, trace = self.selection(pane), self.trace(pane)
        first = 0 if trace is None else given_steps(trace)
        self.set_step(first if selection is not None and selection.step > first else 0, pane)

    def last_step(self, pane: int | None = None) -> None:
        """Go to the newest step; a run that grows is followed from there."""
        run = self.run(pane)
        if run is not None and run.rounds:
            self.show_round(len(run.rounds) - 1, pane)
            return
        trace = self.trace(pane)
        if trace is not None:
            self.set_step(trace.steps - 1, pane)

    def set_crosshair(self, query: int | None, key: int | None, pane: int | None = None) -> None:
        """Put the crosshair on a cell; outside of the map, or None: away."""
        self.select(pane, query=query, key=key)

    # Panes, runs, view.

    def open_second_pane(self, selection: Selection | None = None) -> None:
        """Show a second pane beside the first, active; without a selection it begins as the first is."""
        self.edit(edits.with_second_pane(self._document, selection), Change.PANES)

    def close_second_pane(self) -> None:
        """Show the first pane alone."""
        self.edit(edits.without_pane(self._document, 1), Change.PANES)

    def activate_pane(self, pane: int) -> None:
        """Make a pane the one that keys and menus mean."""
        if 0 <= pane < len(self._document.panes):
            self.edit(self._document.but(active=pane))

    def set_view(self, **options: Any) -> None:
        """Change view options by name; undone only once there is something to view."""
        view = replace(self.view, **options)
        self.edit(self._document.but(view=view), Change.VIEW if self._document.runs else None)

    def add_run(
        self,
        run: Run,
        selection: Selection | None = None,
        *,
        keep_others: bool = True,
        pane: int | None = None,
    ) -> None:
        """Add a run and show it; one that had its id makes place for it.

        Args:
            selection: what to show first; None keeps what was looked at as far as the run has it (and for
                the very first run takes the model's showcase).
            keep_others: False drops the other runs.
            pane: which pane shows it (1 opens the second one if need be); None for every pane.
        """
        before = self._document
        showcase = None if self._model is None else self._model.showcase
        first = selection or Selection.opening(showcase, run.trace)
        changed = edits.with_run(before, run, first, keep_others=keep_others, pane=pane)
        if selection is not None:
            changed = edits.selecting(changed, changed.active if pane is None else pane, **vars(selection))
        # With the example that an empty window opens on, everything begins.
        begins = not before.runs and run.provenance.get("source") == RunSource.RECORDED
        batch = str(run.provenance.get("batch", ""))
        self.edit(changed, None if begins else change_of(run), batch)
        self._trim(run.id)

    def add_runs(self, runs: Sequence[tuple[Run, Selection]]) -> None:
        """Add runs that were opened together and show the first: views take in all of them at once.

        Args:
            runs: each with what is looked at first of it; one at least.
        """
        changed = self._document
        for run, first in runs:
            changed = edits.with_run(changed, run, first, keep_others=True)
            changed = edits.selecting(changed, changed.active, **vars(first))
        newest = runs[0][0].id
        self.edit(edits.showing(changed, changed.active, newest), Change.OPEN)
        self._trim(newest)

    def replace_run(self, run: Run) -> None:
        """Take a run's newer state; while it is live, a pane at its newest token follows."""
        self.edit(edits.with_replaced(self._document, run))

    def put_run(self, run: Run, *, keep_others: bool = True, pane: int | None = None) -> None:
        """Replace the live run of the same id; if there is none, `add_run`."""
        before = self._document.run(run.id)
        if before is not None and before.live:
            self.replace_run(run)
        else:
            self.add_run(run, keep_others=keep_others, pane=pane)

    def remove_run(self, run_id: str) -> None:
        """Take a run out; panes that showed it show its parent, else the newest run left."""
        self.edit(edits.without_run(self._document, run_id), Change.DELETE)

    def show_run(self, run_id: str, pane: int | None = None) -> None:
        """Show another run in a pane."""
        self.edit(edits.showing(self._document, self.active if pane is None else pane, run_id))

    def pin(self, run_id: str) -> None:
        """Hold a run for Compare; an empty id lets go."""
        if not run_id or self._document.run(run_id) is not None:
            self.edit(self._document.but(pinned=run_id), Change.PIN)

    def clear_runs(self) -> None:
        """Take all runs out and close all panes."""
        self.edit(self._document.but(runs=(), panes=(), active=0, bookmarks=(), pinned=""), Change.CLEAR)

    def set_document(self, document: Document, text: str | None = None) -> None:
        """Take a whole document (a session that was opened) and its sentence; undone, what was is back."""
        self._last_heads.clear()
        before, document = self._document, edits.sound(document.but(origin=self.homes.new_origin()))
        self._history.open(before, document)
        self._take(document, restored=True)
        self.bookmarks.begin()
        self.learn_state.opened.emit(document.learn)
        self.deeds.take(document.deeds)
        if text is not None:
            self.set_text(text)

    def edit(self, after: Document, change: Change | None = None, batch: str = "") -> None:
        """Take a document that an edit made of the present one.

        Args:
            change: what it is called when it is undone; None for growth and for moving about.
            batch: changes of one batch, one after the other, are undone together.
        """
        if change is not None and not edits.differs(self._document, after):
            change = None
        self._history.take(self._document, after, change, batch)
        self._take(after)

    def _model_opened(self) -> None:
        if self._model is not None:
            self.deeds.model_opened(self._model.sha256, self._model.path)

    # Memory.

    @property
    def held_bytes(self) -> int:
        """What runs and undo take of memory, in bytes; a trace in a file takes none."""
        return sum(map(edits.run_bytes, self._document.runs)) + self._history.held_bytes

    def set_memory(self, most: int) -> None:
        """Keep runs and undo within so many bytes: two thirds for the runs, what is left to be undone."""
        self._most_bytes = most * 2 // 3
        self._history.set_most_bytes(most - self._most_bytes)
        self._trim("")

    # Undo and redo.

    @property
    def undo_name(self) -> str:
        """What would be undone, in the application's language; empty if there is nothing."""
        return "" if self._history.undoable is None else name_of(self._history.undoable)

    @property
    def redo_name(self) -> str:
        """What would be done again, in the application's language; empty if there is nothing."""
        return "" if self._history.redoable is None else name_of(self._history.redoable)

    def can_undo(self) -> bool:
        """Whether there is something to undo."""
        return self._history.undoable is not None

    def can_redo(self) -> bool:
        """Whether something undone can be done again."""
        return self._history.redoable is not None

    def undo(self) -> None:
        """Take the last change back: everything is shown as it was before it."""
        document = self._history.undo(self._document)
        if document is not None:
            self._take(document, restored=True)

    def redo(self) -> None:
        """Do again what was undone last."""
        document = self._history.redo(self._document)
        if document is not None:
            self._take(document, restored=True)

    @contextmanager
    def one_change(self, change: Change) -> Iterator[None]:
        """All intents inside are undone together, under the name of `change` (of the outermost such span)."""
        begun = self._history.begin(change)
        try:
            yield
        finally:
            if begun:
                self._history.end()

    def set_playing(self, playing: bool) -> None:
        """Start or stop advancing by itself; a text that was read at once has no steps."""
        trace = self.trace()
        playing = playing and trace is not None and not trace.only_reads
        if playing != self._playing:
            self._playing = playing
            self.playing_changed.emit()

    def _take(self, after: Document, *, restored: bool = False) -> None:
        """Store a document and say what is different; the only place where it changes.

        Args:
            restored: it is an older one: a run that is made now may be there as it was before.
        """
        left, before, self._document = self.trace(), self._document, after
        self._remember_heads(before)
        undoable, self._undoable = self._undoable, (self._history.undoable, self._history.redoable)
        said = False
        shown_runs = (after.run(pane.run_id) for pane in after.panes)
        self.hover.keep_to({run.id: run.trace for run in shown_runs if run is not None})
        for name, arguments in edits.differences(before, after):
            said = True
            getattr(self, name).emit(*arguments)
        shown = self.trace()
        if left is not None and shown is not None:
            self.follow_text(input_text(left), input_text(shown))
        if said:
            self.document_changed.emit()
        if undoable != self._undoable:
            self.history_changed.emit()
        if not after.panes:
            self.set_playing(False)
        for run in before.runs:
            newer = after.run(run.id)
            if run.live and (newer is None or (restored and not newer.live)):
                self.live_run_left.emit(run.id)

    def _trim(self, newest: str) -> None:
        """Keep the document within its bounds; the first time, the user is told."""
        before = self._document
        after = edits.trimmed(before, keep=(newest,), most_bytes=self._most_bytes)
        gone = {run.id for run in before.runs} - {run.id for run in after.runs}
        if not gone:
            return
        self._history.forget(gone)
        self.edit(after)
        if not self._trimmed:
            self._trimmed = True
            self.set_notice(Notice("runs_trimmed", {"count": len(gone)}))

    def _remember_heads(self, before: Document) -> None:
        for index, pane in enumerate(before.panes):
            if pane.selection.head is not None:
                self._last_heads[index] = pane.selection.head
