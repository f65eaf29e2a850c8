"""A file of sentences, translated, and what is worth knowing of each: frozen, numpy only, no torch."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from model.errors import HeadscopeError
from model.questions.questions import Question
from model.tokens.words import is_edge
from model.trace.trace import AttentionKind, Trace

DEFAULT_LIMIT = 1000

Weights = npt.NDArray[np.float64]


@dataclass(frozen=True)
class FileSentences(Question, answered_by="model.inspection.sentences:translate_file"):
    """Translate every line of a file, the first column where it has several; answered by `SentenceList`.

    Attributes:
        path: the file; blank lines are passed over.
        folder: where the traces go, one `NUMBER.trace` a sentence; made if it is not there.
        limit: how many sentences at most.
        stamp: what tells one state of the file from another, such as its time; nothing is read from it.
        any_script: read text even in a script that the model was not made for.
    """

    urgency = "background"

    path: str
    folder: str
    limit: int = DEFAULT_LIMIT
    stamp: str = ""
    any_script: bool = False


@dataclass(frozen=True)
class SentenceRow:
    """One sentence and its translation. What is not known of a failed sentence is NaN or empty.

    Attributes:
        line: its line in the file, from 1.
        text, translation: as texts.
        logprob: natural log probability of the whole translation, the end token included.
        mean_logprob: the same per token.
        lowest: probability of its least probable token.
        coverage, entropy, length_ratio: see the functions of those names.
        steps: tokens of the translation.
        finished: False where the length limit stopped it.
        trace: file of its trace, empty if it failed.
        problem: why it failed.
    """

    line: int
    text: str
    translation: str = ""
    logprob: float = float("nan")
    mean_logprob: float = float("nan")
    lowest: float = float("nan")
    coverage: float = float("nan")
    entropy: float = float("nan")
    length_ratio: float = float("nan")
    steps: int = 0
    finished: bool = False
    trace: str = ""
    problem: HeadscopeError | None = None


@dataclass(frozen=True, eq=False)
class SentenceList:
    """The sentences translated so far, in the order of the file.

    Attributes:
        total: how many there are to be translated.
        beyond: whether the file has more than the limit let through.
        model_sha256: of the model that translated.
    """

    rows: tuple[SentenceRow, ...]
    total: int
    beyond: bool = False
    model_sha256: str = ""


def row_of(trace: Trace, line: int, path: str) -> SentenceRow:
    """What is worth knowing of a decoding that was saved at `path`."""
    logprobs = trace.step_logprob.astype(np.float64)
    weights = mean_cross(trace)
    return SentenceRow(
        line=line,
        text=trace.src_text,
        translation=trace.tgt_text,
        logprob=float(logprobs.sum()),
        mean_logprob=float(logprobs.mean()),
        lowest=float(np.exp(logprobs.min())),
        coverage=coverage(trace, weights),
        entropy=attention_entropy(weights),
        length_ratio=length_ratio(trace),
        steps=trace.steps,
        finished=trace.finished,
        trace=path,
    )


def mean_cross(trace: Trace) -> Weights:
    """Cross-attention [T, S], the mean over all heads of all decoder layers."""
    layers = trace.layers(AttentionKind.CROSS)
    total = np.zeros((trace.steps, len(trace.src_ids)))
    for layer in range(layers):
        total += trace.patterns.layer(AttentionKind.CROSS, layer).mean(axis=0, dtype=np.float64)
    return total / max(1, layers)


def coverage(trace: Trace, weights: Weights) -> float:
    """How much of the source was read, 0 to 1: the mean over source tokens of min(1, Σ_t weight).

    The sum that is capped at 1 is that of the coverage penalty of Wu et al. 2016 (arXiv 1609.08144, section
    7), whose logarithm is left out here so that 1 is a sentence read as a whole. Start and end tokens are no
    words and not counted; what they draw off is missing from the others.
    """
    words = [not is_edge(token) for token in trace.src_tokens]
    if not any(words) or not len(weights):
        return float("nan")
    return float(np.minimum(weights.sum(axis=0)[words], 1.0).mean())


def attention_entropy(weights: Weights) -> float:
    """How scattered the reading is, in nats: the mean over steps of -Σ_s w log w.

    The "absentmindedness penalty" of Rikters and Fishel 2017 (arXiv 1710.03743) is made of it.
    """
    if not weights.size:
        return float("nan")
    logs = np.log(weights, where=weights > 0, out=np.zeros_like(weights))
    return float(-(weights * logs).sum(axis=1).mean())


def length_ratio(trace: Trace) -> float:
    """Target tokens a source token, specials not counted; a translation that breaks off or repeats shows."""
    source = sum(not is_edge(token) for token in trace.src_tokens)
    target = sum(not is_edge(token) for token in trace.tgt_out_tokens)
    return target / source if source else float("nan")
