"""Asking for a figure of a trace: what kinds share of checking a request and of finding the chosen cell."""

from __future__ import annotations

from typing import Any

from model.errors import HeadscopeError
from model.questions.questions import Question, Reading
from model.trace.trace import AttentionKind, Trace
from viewer.document.selection import AnyNumbers, Numbers, Selection
from viewer.figures.request import ExportRequest, Source


def answer_to(source: Source, question: Question) -> Any:
    """What the source knows of a question about its trace; `HeadscopeError` when it does not."""
    reading = Reading.of(source.need_trace())
    answer = None if source.known is None else source.known(question, reading)
    if answer is None:
        raise not_there(source, reading)
    return answer


def not_there(source: Source, reading: Reading) -> HeadscopeError:
    """Why an answer about a reading is missing."""
    if source.known is None:
        return HeadscopeError("export_no_model", name=reading.model_name or "?")
    return HeadscopeError("export_waiting")


def selection_of(source: Source, request: ExportRequest) -> Selection:
    """The request's selection at its step, else at the last."""
    trace = source.need_trace()
    return request.selection.but(step=trace.steps - 1 if request.step is None else request.step)


def check_range(what: str, index: int, count: int) -> None:
    """Raise `HeadscopeError` naming the range unless there is such a thing, counted from 0."""
    if not 0 <= index < count:
        raise HeadscopeError(f"export_{what}", value=index + 1, count=count)


def check_kind(trace: Trace, kind: AttentionKind) -> None:
    """Raise `HeadscopeError` naming the kinds there are, unless the trace has this one."""
    if kind not in trace.kinds:
        raise HeadscopeError("export_kind", kind=str(kind), kinds=", ".join(trace.kinds))


def check_head(trace: Trace, selection: Selection, heads: tuple[int, ...] = ()) -> None:
    """Raise `HeadscopeError` unless the trace has the layer, the head and further `heads`."""
    check_range("layer", selection.layer, trace.layers(selection.kind))
    for head in (selection.head, *heads):
        if head is not None:
            check_range("head", head, trace.heads(selection.kind))


def check_step(
    trace: Trace, kind: AttentionKind, request: ExportRequest, *, numbers: AnyNumbers = Numbers.WEIGHTS
) -> None:
    """Raise `HeadscopeError` unless the trace has the step; the encoder's weights are those of any."""
    stepped = kind is not AttentionKind.ENCODER_SELF or numbers is Numbers.GRADIENT
    if request.step is not None and stepped:
        check_range("step", request.step, trace.steps)


def check_map(source: Source, request: ExportRequest) -> None:
    """As of one map: kind, layer, head, step."""
    trace, selection = source.need_trace(), request.selection
    check_kind(trace, selection.kind)
    check_head(trace, selection)
    check_step(trace, selection.kind, request, numbers=selection.numbers)


def chosen_row(source: Source, request: ExportRequest, *, of_a_step: bool = False) -> Selection:
    """The selection with a row of its own: a decoder's in the middle where nothing says which.

    All steps are in view nevertheless.

    Args:
        of_a_step: the numbers are those of one step, which says more than how many rows there are.
    """
    selection, steps = selection_of(source, request), source.need_trace().steps
    decoder = selection.kind is not AttentionKind.ENCODER_SELF
    if not steps or request.step is not None or selection.query is not None:
        return selection
    if of_a_step:
        return selection.but(step=steps // 2)
    return selection.but(query=steps // 2) if decoder else selection


def with_cell(source: Source, selection: Selection) -> Selection:
    """With the other half of a cell of which only the query, or only the key, is named.

    Raises:
        HeadscopeError: there is no such query or key.
    """
    trace, kind, query, key = source.need_trace(), selection.kind, selection.query, selection.key
    check_cell(trace, selection)
    if query is not None and key is None:
        return selection.but(key=strongest(trace, selection, query))
    if query is None and key is not None:
        return selection.but(query=0 if kind is AttentionKind.ENCODER_SELF else max(0, selection.step))
    return selection


def check_cell(trace: Trace, selection: Selection) -> None:
    """Raise `HeadscopeError` unless the trace has the chosen query and key."""
    queries, keys = trace.query_tokens(selection.kind), trace.key_tokens(selection.kind)
    for code, index, tokens in (
        ("export_query", selection.query, queries),
        ("export_key", selection.key, keys),
    ):
        if index is not None and not 0 <= index < len(tokens):
            raise HeadscopeError(code, value=index + 1, count=len(tokens))


def strongest(trace: Trace, selection: Selection, query: int) -> int:
    """The key that a query reads most."""
    return int(trace.row(selection.kind, selection.layer, selection.head, query).argmax())
