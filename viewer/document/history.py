"""`History`: undo and redo: documents as they were, each run in its newest state. No Qt signals."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QCoreApplication

from viewer.document import edits
from viewer.document.document import Document, Run
from viewer.document.run_source import RunSource

MOST_STEPS = 100
MOST_BYTES = 512 << 20
"""How many steps back there are, and bytes of patterns and searches that only they need."""


class Change(StrEnum):
    """What a step back takes back; moving about in what there is makes no step."""

    OPEN = "open"
    TRANSLATE = "translate"
    READ = "read"
    CONTINUE = "continue"
    FORCE = "force"
    BRANCH = "branch"
    SAMPLE = "sample"
    HYPOTHESIS = "hypothesis"
    ALTER = "alter"
    KEEP = "keep"
    DELETE = "delete"
    CLEAR = "clear"
    PANES = "panes"
    VIEW = "view"
    PIN = "pin"
    BOOKMARK = "bookmark"
    GOLD = "gold"


def change_of(run: Run) -> Change:
    """What adding a run is called."""
    source = run.provenance.get("source")
    if source == RunSource.HYPOTHESIS:
        return Change.HYPOTHESIS
    if source != RunSource.DECODED:
        return Change.OPEN
    if run.alterations:
        return Change.ALTER
    if "sample" in run.provenance:
        return Change.SAMPLE
    if run.branch_step is not None:
        return Change.BRANCH
    if run.trace.only_reads:
        return Change.READ
    if run.trace.prompt_length and run.trace.decoding.get("mode") != "forced":
        return Change.CONTINUE
    return Change.FORCE if run.trace.decoding.get("mode") == "forced" else Change.TRANSLATE


def name_of(change: Change) -> str:
    """What follows "Undo" in the menu, in the application's language."""
    translate = QCoreApplication.translate
    return {
        Change.OPEN: translate("History", "opening"),
        Change.TRANSLATE: translate("History", "translation"),
        Change.READ: translate("History", "reading"),
        Change.CONTINUE: translate("History", "continuation"),
        Change.FORCE: translate("History", "forced target"),
        Change.BRANCH: translate("History", "branch"),
        Change.SAMPLE: translate("History", "sampling"),
        Change.HYPOTHESIS: translate("History", "hypothesis"),
        Change.ALTER: translate("History", "what-if"),
        Change.KEEP: translate("History", "keeping the what-if"),
        Change.DELETE: translate("History", "deletion"),
        Change.CLEAR: translate("History", "clearing"),
        Change.PANES: translate("History", "second map"),
        Change.VIEW: translate("History", "view option"),
        Change.PIN: translate("History", "pin"),
        Change.BOOKMARK: translate("History", "bookmark"),
        Change.GOLD: translate("History", "gold alignment"),
    }[change]


class _Content:
    """A run as it is now; one object for as long as it only grows, shared by all moments that have it."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def end(self) -> None:
        """Nobody adds to a run that is not in the document: it is what it has come to."""
        if self.run.live:
            self.run = self.run.but(live=False, cancelled=True)


@dataclass(frozen=True)
class _Moment:
    """A document as it was, its runs by content.

    Attributes:
        change: what was done then (or, to be done again, what was undone).
        document: without its runs.
        runs: content, parent and branch step of each run: a deletion gives the children another parent.
        following: for each pane, whether it was at the newest token of a run that was being made.
        batch: changes of the same batch that follow each other are one step; empty for one alone.
    """

    change: Change
    document: Document
    runs: tuple[tuple[_Content, str | None, int | None], ...]
    following: tuple[bool, ...]
    batch: str = ""


class History:
    """The steps back and forth of one document.

    Args:
        most_steps, most_bytes: bounds; beyond them the oldest steps are forgotten.
    """

    def __init__(self, most_steps: int = MOST_STEPS, most_bytes: int = MOST_BYTES) -> None:
        self._most_steps, self._most_bytes = most_steps, most_bytes
        self._contents: dict[str, _Content] = {}
        self._undo: list[_Moment] = []
        self._redo: list[_Moment] = []
        self._together: Change | None = None
        self._noted = False

    @property
    def held_bytes(self) -> int:
        """What only the steps need of memory, in bytes."""
        return self._bytes()

    def set_most_bytes(self, most: int) -> None:
        """Another bound, from now on."""
        self._most_bytes = most
        self._limit()

    @property
    def undoable(self) -> Change | None:
        """What can be undone next."""
        return self._undo[-1].change if self._undo else None

    @property
    def redoable(self) -> Change | None:
        """What can be done again next."""
        return self._redo[-1].change if self._redo else None

    @property
    def steps(self) -> tuple[int, int]:
        """How many steps back and forth there are."""
        return len(self._undo), len(self._redo)

    # While the document changes.

    def begin(self, change: Change) -> bool:
        """All that is noted until `end` is one step; False inside of another such span, which goes on."""
        if self._together is not None:
            return False
        self._together, self._noted = change, False
        return True

    def end(self) -> None:
        """The span of `begin` is over."""
        self._together = None

    def take(self, before: Document, after: Document, change: Change | None, batch: str = "") -> None:
        """Follow a document that is about to be replaced.

        Args:
            change: makes a step; None for growth and for moving about, which make none.
            batch: see `_Moment`.
        """
        if change is not None:
            self._note(before, self._together or change, batch)
        contents = {}
        for run in after.runs:
            content = self._contents.get(run.id)
            replaced = content is not None and change is not None and run is not content.run
            if content is None or (replaced and not content.run.live):
                content = _Content(run)
            content.run = run
            contents[run.id] = content
        self._continue_with(contents)
        if change is not None:
            self._limit()

    def forget(self, run_ids: Collection[str]) -> None:
        """These runs left the document for good."""
        self._undo = [_without(moment, run_ids) for moment in self._undo]
        self._redo = [_without(moment, run_ids) for moment in self._redo]

    def open(self, before: Document, after: Document) -> None:
        """Another document takes this one's place; no run of it is one of before, whatever its id."""
        if before.runs:
            self._note(before, self._together or Change.OPEN, "")
        self._continue_with({run.id: _Content(run) for run in after.runs})
        self._limit()

    # Back and forth.

    def undo(self, now: Document) -> Document | None:
        """The document before the last step; None if there is no step."""
        return self._go(now, self._undo, self._redo)

    def redo(self, now: Document) -> Document | None:
        """The document as it was when the last step was undone; None if none was."""
        return self._go(now, self._redo, self._undo)

    def _go(self, now: Document, source: list[_Moment], target: list[_Moment]) -> Document | None:
        if not source:
            return None
        moment = source.pop()
        target.append(self._moment(now, moment.change, moment.batch))
        contents, runs = {}, []
        for content, parent, branch_step in moment.runs:
            run = content.run
            if (run.parent, run.branch_step) != (parent, branch_step):
                run = content.run = run.but(parent=parent, branch_step=branch_step)
            runs.append(run)
            contents[run.id] = content
        self._continue_with(contents)
        # After the runs that leave have been ended: one of them may come back in another step.
        document = moment.document.but(runs=tuple(content.run for content in contents.values()))
        return edits.sound(_followed(document, moment.following))

    def _note(self, before: Document, change: Change, batch: str) -> None:
        if self._together is not None and self._noted:
            return
        self._noted = True
        goes_on = bool(batch and self._undo and self._undo[-1].batch == batch and not self._redo)
        self._redo = []
        if not goes_on:
            self._undo.append(self._moment(before, change, batch))

    def _moment(self, document: Document, change: Change, batch: str) -> _Moment:
        runs = tuple((self._contents[run.id], run.parent, run.branch_step) for run in document.runs)
        following = []
        for pane in document.panes:
            run = document.run(pane.run_id)
            following.append(run is not None and run.live and pane.selection.step == run.trace.steps - 1)
        return _Moment(change, document.but(runs=()), runs, tuple(following), batch)

    def _continue_with(self, contents: dict[str, _Content]) -> None:
        kept = set(map(id, contents.values()))
        for content in self._contents.values():
            if id(content) not in kept:
                content.end()
        self._contents = contents

    def _limit(self) -> None:
        del self._undo[: max(0, len(self._undo) - self._most_steps)]
        while self._undo and self._bytes() > self._most_bytes:
            del self._undo[0]

    def _bytes(self) -> int:
        """Of patterns and searches in memory that no run of the document has."""
        shown = {id(content.run.trace) for content in self._contents.values()}
        held = {id(run.trace): run for run in _runs_of((*self._undo, *self._redo))}
        return sum(edits.run_bytes(run) for trace, run in held.items() if trace not in shown)


def _runs_of(moments: Iterable[_Moment]) -> Iterable[Run]:
    return (content.run for moment in moments for content, _, _ in moment.runs)


def _without(moment: _Moment, run_ids: Collection[str]) -> _Moment:
    runs = tuple(entry for entry in moment.runs if entry[0].run.id not in run_ids)
    return _Moment(moment.change, moment.document, runs, moment.following, moment.batch)


def _followed(document: Document, following: tuple[bool, ...]) -> Document:
    """The document with the panes at the newest tokens that followed them."""
    panes = []
    for pane, follows in zip(document.panes, following, strict=True):
        run = document.run(pane.run_id)
        if follows and run is not None:
            pane = type(pane)(pane.run_id, pane.selection.but(step=run.trace.steps - 1))
        panes.append(pane)
    return document.but(panes=tuple(panes))
