"""Sets of files: one request for each head, step or bookmark, with names that tell them apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from model.errors import HeadscopeError
from model.trace.trace import AttentionKind
from viewer.figures.building import of_a_step
from viewer.figures.kind import Subject
from viewer.figures.registry import asked
from viewer.figures.request import Each, ExportRequest, Source

_LONGEST_NAME = 40
_UNFIT = re.compile(r"[^\w.-]+")


Visit = Callable[[], tuple[Source, ExportRequest] | None]
"""Goes where a figure is shown: its source and request, None where none is; `export_waiting` on the way."""


@dataclass(frozen=True, eq=False)
class Marked:
    """A view that has a name of its own: a bookmark.

    Attributes:
        visit: how to come by its figure, where that is known in its own place alone.
    """

    name: str
    source: Source
    request: ExportRequest
    visit: Visit | None = None


@dataclass(frozen=True, eq=False)
class Member:
    """One file of a set.

    Attributes:
        suffix: what its name says besides that of the set: `layer2-head3`, `step5`.
        visit: see `Marked`; it gives other `source` and `request`.
    """

    suffix: str
    source: Source
    request: ExportRequest
    visit: Visit | None = None

    def figure(self) -> tuple[Source, ExportRequest] | None:
        """What is to be written; None where there is no figure.

        Raises:
            HeadscopeError: `export_waiting`: the way there is not at its end.
        """
        return (self.source, self.request) if self.visit is None else self.visit()

    def path(self, path: str) -> str:
        """The file, where `path` is that of the set: `maps.png` gives `maps-step5.png`."""
        whole = Path(path)
        return str(whole.with_name(f"{whole.stem}-{self.suffix}{whole.suffix}"))


def sets_of(source: Source, request: ExportRequest, marks: Sequence[Marked] = ()) -> tuple[Each, ...]:
    """Which sets there are of a figure; those of one file are none."""
    kind, trace, selection = asked(request.view), source.trace, request.selection
    found: list[Each] = []
    one_map = kind.one_map and kind.about is not Subject.PAIR
    if trace is not None and one_map and trace.layers(selection.kind) * trace.heads(selection.kind) > 1:
        found.append("heads")
    moving = "kind" in kind.ignored or selection.kind is not AttentionKind.ENCODER_SELF
    if (
        trace is not None
        and trace.steps > 1
        and kind.stepped
        and kind.about is Subject.TRACE
        and (moving or of_a_step(request))
    ):
        found.append("steps")
    return (*found, *(("bookmarks",) if marks else ()))


def members(
    source: Source, request: ExportRequest, each: Each, marks: Sequence[Marked] = ()
) -> tuple[Member, ...]:
    """The files of a set, in order.

    Raises:
        HeadscopeError: `export_each`: there is no such set of this figure.
    """
    if each not in sets_of(source, request, marks):
        raise HeadscopeError("export_each", each=each, view=request.view)
    if each == "bookmarks":
        return tuple(_marked(place, mark, request) for place, mark in enumerate(marks))
    trace = source.need_trace()
    if each == "steps":
        kind = asked(request.view)
        return tuple(
            Member(f"step{step + 1}", source, stepped.but(selection=kind.at_a_step(stepped)))
            for step in range(trace.steps)
            for stepped in (request.but(step=step),)
        )
    selection = request.selection.but(more_heads=())
    return tuple(
        Member(
            f"layer{layer + 1}-head{head + 1}",
            source,
            request.but(selection=selection.but(layer=layer, head=head)),
        )
        for layer in range(trace.layers(selection.kind))
        for head in range(trace.heads(selection.kind))
    )


def _marked(place: int, mark: Marked, request: ExportRequest) -> Member:
    """A bookmark's own figure on the page that is asked for."""
    name = _UNFIT.sub("-", mark.name).strip("-.")[:_LONGEST_NAME]
    suffix = f"{place + 1:02d}-{name}".rstrip("-")
    visit = mark.visit
    if visit is None:
        return Member(suffix, mark.source, _on_page(mark.request, request))

    def visited() -> tuple[Source, ExportRequest] | None:
        found = visit()
        return None if found is None else (found[0], _on_page(found[1], request))

    return Member(suffix, mark.source, request, visited)


def _on_page(own: ExportRequest, asked_for: ExportRequest) -> ExportRequest:
    """A figure of its own, drawn as the set is asked for."""
    return asked_for.but(
        view=own.view,
        selection=own.selection,
        step=own.step,
        layer=own.layer,
        positions=own.positions,
        curves=own.curves,
        stack=own.stack,
        bias_head=own.bias_head,
        own={},
    )
