"""Questions about what all heads do, of one trace or of a file of sentences. Frozen, no torch."""

from __future__ import annotations

from dataclasses import dataclass

from model.alignment.hard import Rule
from model.alignment.links import Gold
from model.heads.likeness import Drawing
from model.questions.questions import Question
from model.trace.trace import Trace

DEFAULT_LIMIT = 500
"""Pairs of a file that are read unless another number is asked for."""

DEFAULT_SEED = 1
"""Of the weights of the random model that stands beside."""


@dataclass(frozen=True)
class TraceHeads(Question, answered_by="model.inspection.heads_answers:trace_heads"):
    """The metrics of every head of a trace, which is known by its identity; answered by `HeadScores`."""

    urgency = "background"
    needs_model = False

    trace: Trace


@dataclass(frozen=True)
class TraceAer(Question, answered_by="model.inspection.heads_answers:trace_aer"):
    """The AER of every cross-attention head of a trace; answered by float64 [L, H].

    Attributes:
        rule: which row of the decoder speaks for a target word.
    """

    urgency = "background"
    needs_model = False

    trace: Trace
    gold: Gold
    rule: Rule


@dataclass(frozen=True)
class CorpusHeads(Question, answered_by="model.inspection.heads_answers:corpus_heads"):
    """The metrics of every head over a file of sentences or pairs; answered by `CorpusScores`.

    Attributes:
        path: as `evaluate --pairs` reads it, or one sentence a line.
        limit: most pairs, from the first on.
        seed: of the random model's weights.
        model_sha256: whose heads.
        gold: a file of word alignments, line n those of line n of `path`; empty for none.
        rule: which row of the decoder speaks for a target word.
        one_based: the words of the alignments count from 1.
    """

    urgency = "background"

    path: str
    limit: int = DEFAULT_LIMIT
    seed: int = DEFAULT_SEED
    model_sha256: str = ""
    gold: str = ""
    rule: Rule = "predicts"
    one_based: bool = False


@dataclass(frozen=True)
class TraceLikeness(Question, answered_by="model.inspection.heads_answers:trace_likeness"):
    """How like a drawing every head of a trace is; answered by `Likeness`."""

    urgency = "background"
    needs_model = False

    trace: Trace
    drawing: Drawing


@dataclass(frozen=True)
class GeneralHeads(Question, answered_by="model.causes.general_heads:general_heads"):
    """What every head of a model does whatever the sentence; answered by `GeneralScores`.

    Attributes:
        seed: of the random tokens.
        model_sha256: whose heads.
    """

    urgency = "background"

    seed: int = DEFAULT_SEED
    model_sha256: str = ""
