"""Comparing: what is set side by side, the pinned run (A) and the run in view (B)."""

from __future__ import annotations

from dataclasses import dataclass

from viewer.document.document import Document, Run, ViewOptions
from viewer.document.selection import Selection
from viewer.figures.difference.alignment import Alignment, alignment
from viewer.figures.difference.build import comparable, difference_figure
from viewer.figures.difference.spec import DifferenceSpec
from viewer.figures.figure import FigureSpec


@dataclass(frozen=True, eq=False)
class Comparing:
    """Two runs and where B is in view.

    Attributes:
        first: A, the pinned run; `second`: B.
        pane: the pane that shows B, or if none does the active one; `selection` what it shows of it.
    """

    first: Run
    second: Run
    pane: int
    selection: Selection

    @property
    def same(self) -> bool:
        """Whether the pinned run is the only one there is: there is nothing to compare."""
        return self.first.id == self.second.id

    @property
    def possible(self) -> bool:
        """Whether both have the attention in view."""
        return comparable(self.first.trace, self.second.trace, self.selection.kind)

    @property
    def alignment(self) -> Alignment:
        """Which token of one is which of the other."""
        return alignment(self.first.trace, self.second.trace)

    def figure(self, view: ViewOptions) -> FigureSpec[DifferenceSpec]:
        """The picture of the difference; raises as `difference_figure`."""
        provenances = self.first.provenance, self.second.provenance
        return difference_figure(
            self.first.trace, self.second.trace, self.selection, view, provenances=provenances
        )


def comparing(document: Document) -> Comparing | None:
    """The pinned run and the run in view beside it; None while no run is pinned or there is none.

    B is what the active pane shows, or the other one, if the active one shows the pinned run. If both show
    that, B is the run that it was made from, or else the newest one made from it, or the newest of all.
    """
    first = document.run(document.pinned) if document.pinned else None
    if first is None or not document.panes:
        return None
    order = sorted(range(len(document.panes)), key=lambda index: index != document.active)
    index = next((i for i in order if document.panes[i].run_id != first.id), order[0])
    pane = document.panes[index]
    second = document.run(pane.run_id)
    if second is None:
        return None
    if second.id != first.id:
        return Comparing(first, second, index, pane.selection)
    second, selection = _nearest(document, first), pane.selection
    there = selection.kind in second.trace.kinds
    return Comparing(first, second, index, selection.within(second.trace) if there else selection)


def _nearest(document: Document, run: Run) -> Run:
    """The run that another is most likely to be compared with; itself if it is the only one."""
    parent = None if run.parent is None else document.run(run.parent)
    others = [other for other in document.runs if other.id != run.id]
    made = [other for other in others if other.parent == run.id]
    return parent or next(reversed(made or others), run)
