"""Answers to `model.questions.head_questions`: what all heads do. Torch only where a model is asked."""

from __future__ import annotations

from collections.abc import Iterator

from model.inspection.asked import Asked
from model.questions.head_questions import CorpusHeads, TraceAer, TraceHeads, TraceLikeness


def trace_heads(question: TraceHeads, asked: Asked) -> Iterator[object]:
    """See `model.heads.head_scores.score_trace`."""
    from model.heads.added_scores import added_metrics
    from model.heads.head_scores import score_trace

    return score_trace(question.trace, added_metrics())


def trace_aer(question: TraceAer, asked: Asked) -> Iterator[object]:
    """See `model.heads.head_alignment.aer_of_trace`."""
    from model.heads.head_alignment import aer_of_trace

    yield aer_of_trace(question.trace, question.gold, question.rule)


def trace_likeness(question: TraceLikeness, asked: Asked) -> Iterator[object]:
    """See `model.heads.likeness.likeness`."""
    from model.heads.likeness import likeness

    return likeness(question.trace, question.drawing)


def corpus_heads(question: CorpusHeads, asked: Asked) -> Iterator[object]:
    """See `model.inspection.head_corpus.score_corpus`."""
    from model.bundle.bundle import Bundle

    model = asked.model
    if isinstance(model, Bundle):
        from model.inspection.head_corpus import score_corpus

        return score_corpus(model, question)
    from model.inspection.foreign_head_corpus import score_foreign_corpus

    return score_foreign_corpus(model, question)
