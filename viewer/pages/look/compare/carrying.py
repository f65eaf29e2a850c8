"""`Carrying`: what Carry over asks of the two runs of Compare, and the translation that a cell makes."""

from __future__ import annotations

from dataclasses import dataclass

from model.alterations.carry import Carry
from model.errors import HeadscopeError
from model.questions.causes.patching import (
    HeadPlace,
    Measured,
    Patched,
    PatchOf,
    PathOf,
    carry_of,
    matched,
)
from model.questions.causes.places import head_words
from model.questions.questions import Reading
from viewer.document.document import Document, Run
from viewer.document.messages.requests import Alter
from viewer.document.selection import Selection
from viewer.document.what_if.what_if import LIVE_SUFFIX, pair_of
from viewer.export.command_line import first_source
from viewer.figures.difference.comparing import Comparing
from viewer.figures.effects.layout import Cell

PATH = "path"


@dataclass(frozen=True)
class Wanted:
    """What is chosen in the panel.

    Attributes:
        what: see `model.questions.causes.patching.PatchOf`, or `PATH`.
        by_position: cells are positions.
        here: the step in view is measured; else the first whose words differ.
    """

    what: str = "heads"
    by_position: bool = False
    here: bool = False


@dataclass(frozen=True, eq=False)
class Carrying:
    """A and B, and the question about them.

    Attributes:
        first, second: A and B; a translation that a cell made stands for the run that it was made beside.
        reading: of B.
    """

    first: Run
    second: Run
    question: PatchOf | PathOf
    reading: Reading

    @classmethod
    def of(cls, document: Document, found: Comparing, wanted: Wanted) -> Carrying:
        """What is asked now.

        Raises:
            HeadscopeError: a run was altered in a way that is not known here.
        """
        second = carried_into(document, found.second)
        source = Reading.of(found.first.trace)
        measured = Measured(source, found.selection.step if wanted.here else None)
        question: PatchOf | PathOf
        if wanted.what == PATH:
            question = PathOf(measured, _sender(found.selection))
        else:
            by_position = wanted.by_position or wanted.what == "residual"
            question = PatchOf(measured, wanted.what, "position" if by_position else "head")  # type: ignore[arg-type]
        return cls(found.first, second, question, Reading.of(second.trace))

    @property
    def differs(self) -> int | None:
        """The first step at which the words of A and of B differ."""
        return matched(self.question.measured.source, self.reading).differs

    def command(self, model: str) -> tuple[str, ...]:
        """What `render` is told of A and of the question, beside B's text.

        Empty where A is not what the model makes of its text alone.

        Args:
            model: name or folder of the model in use; empty if there is none.
        """
        source, question = first_source(self.first.trace, model), self.question
        if source is None:
            return ()
        if isinstance(question, PathOf):
            said = [f"--path={head_words(question.sender)}"]
        else:
            said = [f"--what={question.what}"]
            said += [f"--by={question.by}"] if question.what != "residual" else []
        step = question.measured.step
        said += [] if step is None else [f"--step={step + 1}"]
        return ("--view=effects", *said, *source)

    def change(self, found: Patched, cell: Cell) -> Carry | None:
        """What holds a cell's place at A's numbers; None where no translation can be made with it."""
        grid = found.grids[cell[0]]
        value = grid.m[cell[1], cell[2]]
        if isinstance(self.question, PathOf) or value != value:
            return None
        if self.question.measured.source.alterations:
            raise HeadscopeError("carry_altered")
        return carry_of(self.question, found, grid, cell[1], cell[2])

    def asked(self, document: Document, change: Carry | None) -> Alter | None:
        """What makes the translation beside B (None: takes it away); None where B has no untouched run."""
        pair = pair_of(document, self.second)
        if pair is None:
            return None
        return Alter(pair.baseline.id, () if change is None else (*self.second.changes, change))

    def made(self, document: Document) -> Run | None:
        """The translation that a cell made, if there is one."""
        pair = pair_of(document, self.second)
        run = None if pair is None else document.run(pair.baseline.id + LIVE_SUFFIX)
        return run if run is not None and _carries(run) is not None else None

    def chosen(self, document: Document, found: Patched) -> Cell | None:
        """The cell that made it, if it is one of these."""
        run = self.made(document)
        change = None if run is None else _carries(run)
        if change is None or isinstance(self.question, PathOf):
            return None
        for place, grid in enumerate(found.grids):
            column = change.head if grid.by == "head" else change.position
            if column is None or column >= grid.m.shape[1] or change.layer >= len(grid.m):
                continue
            if change == carry_of(self.question, found, grid, change.layer, column):
                return place, change.layer, column
        return None


def carried_into(document: Document, run: Run) -> Run:
    """The run itself, or, where it is a translation that a cell made, the one that it was made beside."""
    if _carries(run) is None:
        return run
    pair = pair_of(document, run)
    if pair is None:
        return run
    before = run.alterations[:-1]
    same = (one for one in document.runs if one.parent == pair.baseline.id and one.alterations == before)
    return next(same, pair.baseline) if before else pair.baseline


def _carries(run: Run) -> Carry | None:
    try:
        last = run.changes[-1] if run.alterations else None
    except HeadscopeError:
        return None
    return last if isinstance(last, Carry) else None


def _sender(selection: Selection) -> HeadPlace:
    return HeadPlace(selection.kind, selection.layer, selection.head or 0)
