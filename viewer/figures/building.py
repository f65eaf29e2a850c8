"""Building a figure that is asked for by name: what the window would show, built for a file."""

from __future__ import annotations

from viewer.document.selection import Numbers
from viewer.figures.asking import not_there
from viewer.figures.figure import AnyFigure
from viewer.figures.known import Missing
from viewer.figures.map.numbers import ASKED, shown_numbers
from viewer.figures.registry import asked
from viewer.figures.request import ExportRequest, Source


def build_figure(source: Source, request: ExportRequest) -> AnyFigure:
    """The figure.

    Raises:
        HeadscopeError: as in `check`, for a damaged trace file, or for numbers that follow from a model that
            is not there, or are still being worked out.
    """
    check(source, request)
    try:
        return asked(request.view).build(source, request)
    except Missing as missing:
        raise not_there(source, missing.reading) from None


def check(source: Source, request: ExportRequest) -> None:
    """Raise `HeadscopeError` naming the range, unless the source has what is asked for."""
    asked(request.view).check(source, request)


def of_a_step(request: ExportRequest) -> bool:
    """Whether the numbers are those of one step, which says more than how many rows there are."""
    return asked(request.view).numbered and request.selection.numbers is Numbers.GRADIENT


def as_shown(source: Source, request: ExportRequest) -> ExportRequest:
    """The request for the weights where a window shows these for numbers that do not exist.

    A command refuses such numbers.
    """
    trace = source.trace
    if trace is None or not asked(request.view).numbered:
        return request
    selection = request.selection.but(step=trace.steps - 1 if request.step is None else request.step)
    return request.but(selection=request.selection.but(numbers=shown_numbers(trace, selection)))


def asks_model(request: ExportRequest) -> bool:
    """Whether the figure may follow from more than the trace."""
    kind = asked(request.view)
    return kind.asks_model or (kind.numbered and request.selection.numbers in ASKED)
