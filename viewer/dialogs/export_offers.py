"""Export offers: what there is of a source, in which formats, as follows from the registry's rows."""

from __future__ import annotations

from model.trace.trace import AttentionKind
from viewer.dialogs.export_form import DATA
from viewer.document.selection import Selection
from viewer.export.picture import FORMATS
from viewer.figures.kind import Asked, Subject
from viewer.figures.registry import asked, asked_kinds
from viewer.figures.request import Source


def offers(source: Source, selection: Selection, *, compared: bool, asks_model: bool) -> tuple[str, ...]:
    """Names of the figures of a source, those of a page first and those that follow from a model last.

    Args:
        selection: what is in view of the trace.
        compared: whether two runs are compared.
        asks_model: whether what follows from the trace's model can be asked.
    """
    there = {
        Subject.PAGE: source.page is not None,
        Subject.TRACE: source.trace is not None and bool(source.trace.kinds),
        Subject.PAIR: compared and source.compared is not None,
        Subject.TREE: source.tree is not None,
        Subject.MODEL: True,
    }

    def offered(kind: Asked) -> bool:
        if kind.about is Subject.MODEL:
            return kind.told(source)
        if kind.about not in (Subject.TRACE, Subject.PAIR) or source.trace is None:
            return True
        return (asks_model or not kind.asks_model) and kind.offered(source.trace, selection)

    kinds = asked_kinds()
    return tuple(
        name
        for subject in Subject
        if there[subject]
        for name in sorted(
            (name for name, kind in kinds.items() if kind.about is subject and offered(kind)),
            key=lambda name: kinds[name].asks_model,
        )
    )


def formats_of(what: str, source: Source) -> tuple[str, ...]:
    """Endings of still pictures and data, the usual one first.

    Args:
        what: the name of a kind of figure, or `DATA`.
    """
    if what == DATA:
        return "npz", "trace"
    kind = asked(what)
    return (*(FORMATS if kind.pictured else ()), *kind.data(source))


def with_row(selection: Selection, kind: Asked, step: int | None) -> Selection:
    """With the row that the window shows, where a figure of a single row is not told its step.

    Args:
        step: the one in view, None without one.
    """
    if not kind.row or step is None:
        return selection
    if selection.kind is AttentionKind.ENCODER_SELF or None not in (selection.query, selection.key):
        return selection
    return selection.but(query=step, key=None)
