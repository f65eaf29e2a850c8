"""The kinds of causes, drawn as sheets: sums and their parts, contributions of tokens, faithfulness."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from model.errors import HeadscopeError
from model.files.files import shown
from model.questions.causes.contrast import ContrastOf
from model.questions.causes.decoder_lens import DECODER_LENS, LayersOf
from model.questions.causes.faithfulness import FAITHFULNESS, FaithfulnessOf
from model.questions.causes.logit import LOGIT, LogitOf
from model.questions.causes.method import Given, Method
from model.questions.causes.report import FORMS
from model.questions.causes.scores import SCORES, ScoreOf
from model.questions.causes.without_source import WITHOUT_SOURCE, WithoutSource
from model.questions.causes.words import PieceOf
from model.questions.questions import Question
from model.trace.trace import AttentionKind
from viewer.document.explained import piece_id
from viewer.document.selection import Numbers
from viewer.document.text.method_text import method_words
from viewer.figures.arithmetic.kind import arithmetic_cell
from viewer.figures.asking import (
    answer_to,
    check_head,
    check_kind,
    check_map,
    check_range,
    check_step,
    not_there,
)
from viewer.figures.causes.contrast import contrast_figure, method_of
from viewer.figures.causes.logit import logit_figure
from viewer.figures.causes.reading import layers_figure, worth_figure
from viewer.figures.causes.scores import score_figure
from viewer.figures.causes.trust import trust_figure, trust_question
from viewer.figures.figure import FigureSpec
from viewer.figures.kind import Asked, FigureKind, Writing
from viewer.figures.known import Missing
from viewer.figures.option import KEY, NUMBERS, QUERY, RIVAL, WORD
from viewer.figures.request import ExportRequest, Source
from viewer.figures.sheet.spec import SheetSpec
from viewer.figures.text import trace_badges


def _step(source: Source, request: ExportRequest) -> int:
    """The step that is asked for, else that in view, else one in the middle."""
    if request.step is not None:
        return request.step
    return request.selection.step if request.selection.step >= 0 else source.need_trace().steps // 2


def _typed(source: Source, step: int, word: str) -> int | None:
    """The id of a word of a selection, or as it is typed for a command."""
    if not word:
        return None
    found = piece_id(source.need_trace(), step, word)
    return answer_to(source, PieceOf(word, step == 0)) if found is None else found


def _words_of(source: Source, request: ExportRequest) -> tuple[int, int | None, int | None]:
    """The step, the word that is explained and its rival."""
    step, selection = _step(source, request), request.selection
    words = (request.own.get("word") or selection.word, request.own.get("rival") or selection.rival)
    word, rival = (_typed(source, step, each) for each in words)
    return step, word, rival


def _logit_of(source: Source, request: ExportRequest) -> LogitOf:
    return LogitOf(*_words_of(source, request))


def _contrast_of(source: Source, request: ExportRequest) -> ContrastOf:
    return ContrastOf(*_words_of(source, request))


def _build_contrast(source: Source, request: ExportRequest) -> FigureSpec[SheetSpec]:
    answer = answer_to(source, _contrast_of(source, request))
    return contrast_figure(source.need_trace(), answer, raw=request.options.raw_pieces)


def _write_contrast(writing: Writing) -> None:
    question = _contrast_of(writing.source, writing.request)
    _write(method_of(answer_to(writing.source, question)), question, writing)


def _check_trust(source: Source, request: ExportRequest) -> None:
    _check_logit(source, request)
    check_map(source, request)


def _trust_of(source: Source, request: ExportRequest) -> FaithfulnessOf:
    trace = source.need_trace()
    selection = request.selection.but(step=_step(source, request))
    try:
        return trust_question(trace, selection, source.known)
    except Missing as missing:
        raise not_there(source, missing.reading) from None


def _trust_words(request: ExportRequest) -> list[str]:
    selection = request.selection
    step = selection.step if request.step is None else request.step
    head = "mean" if selection.head is None else str(selection.head + 1)
    said = ["--kind", str(selection.kind), "--layer", str(selection.layer + 1), "--head", head]
    said += [] if step < 0 else ["--step", str(step + 1)]
    return said + ([] if selection.numbers is Numbers.WEIGHTS else ["--numbers", str(selection.numbers)])


def _write_trust(writing: Writing) -> None:
    source, request = writing.source, writing.request
    _check_trust(source, request)
    body = _build_trust(source, request).body
    about = "; ".join([body.title, *body.badges[:1]])  # which map: of which family, layer and head
    _write(FAITHFULNESS, _trust_of(source, request), writing, about)


def _build_trust(source: Source, request: ExportRequest) -> FigureSpec[SheetSpec]:
    answer = answer_to(source, _trust_of(source, request))
    selection = request.selection.but(step=_step(source, request))
    return trust_figure(source.need_trace(), selection, answer, raw=request.options.raw_pieces)


def _check_logit(source: Source, request: ExportRequest) -> None:
    trace = source.need_trace()
    if not trace.steps:
        raise HeadscopeError("inspection_nothing")
    check_range("step", _step(source, request), trace.steps)


def _build_logit(source: Source, request: ExportRequest) -> FigureSpec[SheetSpec]:
    answer = answer_to(source, _logit_of(source, request))
    return logit_figure(source.need_trace(), answer, raw=request.options.raw_pieces)


def _score_of(source: Source, request: ExportRequest) -> ScoreOf:
    cell = arithmetic_cell(source, request)
    assert cell.head is not None
    assert cell.query is not None
    assert cell.key is not None
    return ScoreOf(cell.kind, cell.layer, cell.head, cell.query, cell.key)


def _check_score(source: Source, request: ExportRequest) -> None:
    trace, selection = source.need_trace(), request.selection
    check_kind(trace, selection.kind)
    check_head(trace, selection)
    check_step(trace, selection.kind, request)


def _build_score(source: Source, request: ExportRequest) -> FigureSpec[SheetSpec]:
    return score_figure(source.need_trace(), answer_to(source, _score_of(source, request)))


def _write(method: Method, question: Question, writing: Writing, about: str = "") -> None:
    """Every part, as the command `why` writes it, with what the picture's badges say besides.

    Args:
        about: what else a file must say.
    """
    if writing.ending not in FORMS:
        raise HeadscopeError("export_csv_only", path=shown(writing.path))
    trace = writing.source.need_trace()
    report = method.report(answer_to(writing.source, question), Given(trace, {}))
    words = method_words(method)
    notes = (words.name, *words.sentences, *trace_badges(trace, sqrt_scale=False))
    own = {"about": about} if about else {}
    facts = own | {"method": method.name, "model": trace.model_name, "model_sha256": trace.model_sha256}
    notes = (about, *notes) if about else notes
    report = report.under(facts | {"text": trace.src_text, "translation": trace.tgt_text}, notes)
    report.write(writing.path, writing.ending)


def _logit_words(request: ExportRequest) -> list[str]:
    step = request.selection.step if request.step is None else request.step
    selection = request.selection
    said = [] if step < 0 else ["--step", str(step + 1)]
    for flag, word in (("--word", selection.word), ("--rival", selection.rival)):
        said += [f"{flag}={word}"] if word else []
    return said


LOGIT_KIND = FigureKind(
    "logit",
    asked=Asked(
        label=lambda: QCoreApplication.translate("ExportForm", "What each head wrote for a word"),
        check=_check_logit,
        build=_build_logit,
        write=lambda writing: _write(LOGIT, _logit_of(writing.source, writing.request), writing),
        help="what each part of the model wrote for a word of --step (logit)",
        options=(WORD, RIVAL),
        ignored=("kind", "layer", "head", "scale", "hide_specials"),
        asks_model=True,
        offered=lambda trace, selection: trace.steps > 0,
        data=lambda source: ("csv", "npz"),
        stem=lambda request, page: "logit",
        words=_logit_words,
    ),
)

SCORES_KIND = FigureKind(
    "scores",
    asked=Asked(
        label=lambda: QCoreApplication.translate("ExportForm", "Why the chosen cell is looked at"),
        check=_check_score,
        build=_build_score,
        write=lambda writing: _write(SCORES, _score_of(writing.source, writing.request), writing),
        help="why a query looks at a key, in parts (scores)",
        options=(QUERY, KEY),
        ignored=("scale", "hide_specials"),
        one_map=True,
        row=True,
        asks_model=True,
        offered=lambda trace, selection: selection.head is not None,
        data=lambda source: ("csv", "npz"),
        prefix="why",
    ),
)

CONTRAST_KIND = FigureKind(
    "contrast",
    asked=Asked(
        label=lambda: QCoreApplication.translate("ExportForm", "What each token did for a word"),
        check=_check_logit,
        build=_build_contrast,
        write=_write_contrast,
        help="what each token of source and prefix did for a word of --step (contrast)",
        options=(WORD, RIVAL),
        ignored=("kind", "layer", "head", "scale", "hide_specials"),
        asks_model=True,
        offered=lambda trace, selection: trace.steps > 0,
        data=lambda source: ("csv", "npz"),
        stem=lambda request, page: "contrast",
        words=_logit_words,
    ),
)

TRUST_KIND = FigureKind(
    "trust",
    asked=Asked(
        label=lambda: QCoreApplication.translate("ExportForm", "Whether this map can be trusted"),
        check=_check_trust,
        build=_build_trust,
        write=_write_trust,
        help="how a word's log probability falls as the tokens that a map ranks first are taken away (trust)",
        options=(NUMBERS,),
        ignored=("scale", "hide_specials"),
        one_map=True,
        numbered=True,
        asks_model=True,
        offered=lambda trace, selection: trace.steps > 0,
        data=lambda source: ("csv", "npz"),
        prefix="trust",
        words=_trust_words,
    ),
)


def _check_steps(source: Source, request: ExportRequest) -> None:
    trace = source.need_trace()
    if not trace.steps:
        raise HeadscopeError("inspection_nothing")
    check_kind(trace, AttentionKind.CROSS)


def _build_worth(source: Source, request: ExportRequest) -> FigureSpec[SheetSpec]:
    answer = answer_to(source, WithoutSource())
    return worth_figure(source.need_trace(), answer, raw=request.options.raw_pieces)


SOURCE_KIND = FigureKind(
    "source",
    asked=Asked(
        label=lambda: QCoreApplication.translate("ExportForm", "Each word with and without the source"),
        check=_check_steps,
        build=_build_worth,
        write=lambda writing: _write(WITHOUT_SOURCE, WithoutSource(), writing),
        help="each word's log probability with and without the source (source)",
        ignored=("kind", "layer", "head", "step", "scale", "hide_specials"),
        asks_model=True,
        offered=lambda trace, selection: trace.steps > 0 and AttentionKind.CROSS in trace.kinds,
        data=lambda source: ("csv", "npz"),
        stem=lambda request, page: "source",
    ),
)

LAYERS_KIND = FigureKind(
    "layers",
    asked=Asked(
        label=lambda: QCoreApplication.translate("ExportForm", "A translation from each encoder layer"),
        check=_check_steps,
        build=lambda source, request: layers_figure(source.need_trace(), answer_to(source, LayersOf())),
        write=lambda writing: _write(DECODER_LENS, LayersOf(), writing),
        help="a translation from each encoder layer (layers)",
        ignored=("kind", "layer", "head", "step", "scale", "hide_specials", "raw_pieces"),
        asks_model=True,
        offered=lambda trace, selection: trace.steps > 0 and AttentionKind.CROSS in trace.kinds,
        data=lambda source: ("csv", "npz"),
        stem=lambda request, page: "layers",
    ),
)
