"""The figure of a request: what the window would show, built for a file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from model.errors import HeadscopeError
from model.questions import Question, Reading, RowOf, SharesOf
from model.trace import AttentionKind, Trace
from viewer.export.request import ExportRequest, FigureKind, Source, check, known_in_view, of_a_step
from viewer.state.all_heads import AllHeadsSpec, all_heads_figure
from viewer.state.arithmetic_builder import arithmetic_figure
from viewer.state.bias_figure import bias_figure
from viewer.state.compare_builder import difference_figure
from viewer.state.damage_text import all_damage
from viewer.state.figure import FigureSpec, HeadsSpec, MapSpec
from viewer.state.figure_builder import heads_figure, map_figure
from viewer.state.flow import FlowSpec, flow_figure
from viewer.state.gold_overlay import with_gold
from viewer.state.numbers import Missing
from viewer.state.positions_builder import opening_curves, positions_figure
from viewer.state.positions_known import Bias, Rotary
from viewer.state.rotary_figures import angles_figure, opening_pairs
from viewer.state.selection import Selection
from viewer.state.shares import SharesSpec, shares_figure
from viewer.state.words_spec import words_figure


def build_figure(source: Source, request: ExportRequest) -> FigureSpec:
    """The figure.

    Raises:
        HeadscopeError: as in `check`, for a damaged trace file, or for numbers that follow from a model that
            is not there, or are still being worked out.
    """
    check(source, request)
    try:
        return _BUILDERS[request.view](source, request)
    except Missing as missing:
        raise not_there(source, missing.reading) from None


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


def _heatmap(source: Source, request: ExportRequest) -> FigureSpec:
    selection = selection_of(source, request).but(query=None, key=None)
    trace, view = source.need_trace(), request.options
    figure = map_figure(trace, selection, view, known=source.known)
    if view.gold_links:
        figure = with_gold(figure, source.gold, view.alignment_rule, trace, selection, source.known)
    return _timeless(figure, request)


def _heads(source: Source, request: ExportRequest) -> FigureSpec:
    trace, selection = source.need_trace(), selection_of(source, request)
    all_damage(trace, (selection.kind,))  # every head is drawn, and none without a word
    figure = heads_figure(
        trace, selection.kind, selection.step, request.options, importance=source.importance
    )
    return _timeless(figure, request)


def _all_heads(source: Source, request: ExportRequest) -> FigureSpec:
    trace, selection = source.need_trace(), selection_of(source, request)
    all_damage(trace, trace.kinds)
    return _timeless(all_heads_figure(trace, selection.step, request.options), request)


def _flow(source: Source, request: ExportRequest) -> FigureSpec:
    trace, selection = source.need_trace(), _with_cell(source, selection_of(source, request))
    return _timeless(flow_figure(trace, selection, request.options, known=source.known), request)


def _words(source: Source, request: ExportRequest) -> FigureSpec:
    trace, selection = source.need_trace(), _with_cell(source, _chosen_row(source, request))
    return words_figure(trace, selection, request.options, known=source.known)


def _chosen_row(source: Source, request: ExportRequest) -> Selection:
    """The selection with a row of its own: a decoder's in the middle where nothing says which.

    All steps are in view nevertheless.
    """
    selection, steps = selection_of(source, request), source.need_trace().steps
    decoder = selection.kind is not AttentionKind.ENCODER_SELF
    if not steps or request.step is not None or selection.query is not None:
        return selection
    if of_a_step(request):
        return selection.but(step=steps // 2)
    return selection.but(query=steps // 2) if decoder else selection


def _with_cell(source: Source, selection: Selection) -> Selection:
    """With the other half of a cell of which only the query, or only the key, is named.

    Raises:
        HeadscopeError: there is no such query or key.
    """
    trace, kind, query, key = source.need_trace(), selection.kind, selection.query, selection.key
    _check_cell(trace, selection)
    if query is not None and key is None:
        return selection.but(key=_strongest(trace, selection, query))
    if query is None and key is not None:
        return selection.but(query=0 if kind is AttentionKind.ENCODER_SELF else max(0, selection.step))
    return selection


def _check_cell(trace: Trace, selection: Selection) -> None:
    queries, keys = trace.query_tokens(selection.kind), trace.key_tokens(selection.kind)
    for code, index, tokens in (
        ("export_query", selection.query, queries),
        ("export_key", selection.key, keys),
    ):
        if index is not None and not 0 <= index < len(tokens):
            raise HeadscopeError(code, value=index + 1, count=len(tokens))


def _strongest(trace: Trace, selection: Selection, query: int) -> int:
    return int(trace.pattern(selection.kind, selection.layer, selection.head)[query].argmax())


def _timeless(figure: FigureSpec, request: ExportRequest) -> FigureSpec:
    """No step is the current one in a figure of the whole decoding."""
    body = figure.body
    if request.step is not None:
        return figure
    if isinstance(body, MapSpec | HeadsSpec):
        return replace(figure, body=replace(body, step_row=None, later_from=None))
    if isinstance(body, SharesSpec):
        return replace(figure, body=replace(body, step=-1, later_from=None))
    if isinstance(body, AllHeadsSpec):
        pages = tuple(replace(one, step_row=None, later_from=None) for one in body.families)
        return replace(figure, body=replace(body, families=pages))
    if isinstance(body, FlowSpec):
        maps = tuple(replace(one, step_row=None, later_from=None) for one in body.maps)
        return replace(figure, body=replace(body, maps=maps))
    return figure


def _arithmetic(source: Source, request: ExportRequest) -> FigureSpec:
    trace, selection = source.need_trace(), arithmetic_cell(source, request)
    assert selection.head is not None
    assert selection.query is not None
    question = RowOf(selection.kind, selection.layer, selection.head, selection.query)
    return arithmetic_figure(trace, selection, answer_to(source, question), request.options)


def arithmetic_cell(source: Source, request: ExportRequest) -> Selection:
    """The cell whose arithmetic is meant: the crosshair, else the step's row (or one in the middle) and its
    strongest key.

    Raises:
        HeadscopeError: a mean is chosen, or there is no such cell.
    """
    trace, selection = source.need_trace(), _chosen_row(source, request)
    if selection.head is None:
        raise HeadscopeError("export_arithmetic_head")
    query, key = selection.query, selection.key
    if query is None:
        query = 0 if selection.kind is AttentionKind.ENCODER_SELF else selection.step
    _check_cell(trace, selection.but(query=query))
    return selection.but(query=query, key=_strongest(trace, selection, query) if key is None else key)


def _shares(source: Source, request: ExportRequest) -> FigureSpec:
    trace, answer = source.need_trace(), answer_to(source, SharesOf())
    return _timeless(shares_figure(trace, answer, request.layer, selection_of(source, request).step), request)


def _positions(source: Source, request: ExportRequest) -> FigureSpec:
    known = known_in_view(source, request)
    if isinstance(known, Bias):
        return bias_figure(known, head=request.bias_head, length=request.positions)
    if isinstance(known, Rotary):
        pairs = opening_pairs(known.pairs) if request.curves is None else request.curves
        _check_curves(pairs, known.pairs)
        return angles_figure(known, pairs, count=request.positions)
    dimensions = known.dimensions
    curves = opening_curves(dimensions) if request.curves is None else request.curves
    _check_curves(curves, dimensions)
    return positions_figure(
        known.rows,
        curves,
        count=min(request.positions, len(known.rows)),
        model_name=source.model_name,
        model_sha256=source.model_sha256,
        badges=known.badges,
    )


def _check_curves(curves: tuple[int, ...], count: int) -> None:
    for curve in curves:
        if not 0 <= curve < count:
            raise HeadscopeError("export_curve", value=curve, last=count - 1)


def _difference(source: Source, request: ExportRequest) -> FigureSpec:
    plain = request.selection.but(step=-1, query=None, key=None)
    return difference_figure(*source.need_compared(), plain, request.options)


def _page(source: Source, request: ExportRequest) -> FigureSpec:
    assert source.page is not None
    return source.page.figure


_BUILDERS: dict[FigureKind, Callable[[Source, ExportRequest], FigureSpec]] = {
    FigureKind.HEATMAP: _heatmap,
    FigureKind.FLOW: _flow,
    FigureKind.WORDS: _words,
    FigureKind.HEADS: _heads,
    FigureKind.ALL_HEADS: _all_heads,
    FigureKind.ARITHMETIC: _arithmetic,
    FigureKind.SHARES: _shares,
    FigureKind.ALIGNMENT: _heatmap,
    FigureKind.POSITIONS: _positions,
    FigureKind.DIFFERENCE: _difference,
    FigureKind.PAGE: _page,
}
