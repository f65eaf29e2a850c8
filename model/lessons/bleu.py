"""BLEU: worked by hand for two texts; and what a BLEU of 1.000 says of sentences trained on. No torch.

Papineni et al. 2002 (P02-1040); Post 2018 (arXiv 1804.08771) for what has to be said with a score.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from model.lessons.bleu_counts import BleuCounts, Gram, allowed, counted, covered, grams
from model.lessons.control import Choice, Control, Slider, Switch, Text
from model.lessons.lesson import Ask, Finding, Lesson, Numbers, Subject, Values
from model.questions.questions import Question
from model.tokens.spelling import letters
from model.tokens.token_style import SPACE_MARK, is_special, style_of_pieces
from model.tokens.words import has_unspaced

CANDIDATE = "La petite fille a donné à son frère une pomme rouge."
REFERENCE = "La petite fille a donné une pomme rouge à son frère."
_LISTED = 12


@dataclass(frozen=True)
class NotesTraining(Question, answered_by="model.lessons.answers.bleu:notes_training"):
    """The model of the lecture notes, trained anew on a few of its sentences; answered by `NotesRun`.

    Attributes:
        sentences: how many pairs it is trained on, the four of the notes among them.
        epochs: passes over them.
    """

    activity = "training_notes"
    urgency = "background"
    needs_model = False

    sentences: int
    epochs: int
    seed: int


@dataclass(frozen=True)
class Translated:
    """A sentence with its reference and what the model made of it."""

    source: str
    reference: str
    output: str
    trained: bool


@dataclass(frozen=True, eq=False)
class NotesRun:
    """A training run as far as it has come.

    Attributes:
        epochs: [k] when BLEU was measured; trained, held_out: [k] the BLEU then, 0 to 1 (sacreBLEU ÷ 100).
        notes: BLEU of the four sentences of the notes at the end of `epochs`.
        total: epochs of the whole run.
        counts: pairs trained on and held out.
        samples: the four sentences of the notes, and held-out ones.
        signature: sacreBLEU's.
    """

    epochs: npt.NDArray[np.int64]
    trained: npt.NDArray[np.float64]
    held_out: npt.NDArray[np.float64]
    notes: float
    total: int
    counts: tuple[int, int]
    samples: tuple[Translated, ...]
    signature: str


def controls(subject: Subject | None) -> tuple[Control, ...]:
    """The texts and how they are scored; how the notes' model is trained."""
    written = "" if subject is None else text_of(subject.out)[:2000]
    candidate, reference = (written, variant_of(written)) if written else (CANDIDATE, REFERENCE)
    return (
        Choice("of", ("texts", "notes"), "texts"),
        Text("candidate", candidate),
        Text("reference", reference),
        Text("second", ""),
        Slider("n", 1, 4, 1, whole=True),
        Slider("orders", 1, 4, 4, whole=True),
        Choice("smoothing", ("exp", "none"), "exp"),
        Switch("effective"),
        Choice("tokens", ("13a", "zh", "char"), "zh" if has_unspaced(reference) else "13a"),
        Slider("sentences", 8, 500, 64, whole=True, log=True),
        Slider("epochs", 1, 300, 150, whole=True),
        Slider("seed", 1, 99, 1, whole=True),
    )


def text_of(pieces: Sequence[str]) -> str:
    """What a model wrote, of its raw pieces."""
    style = style_of_pieces(pieces)
    shown = [piece for piece in pieces if not is_special(piece, style)]
    return "".join(letter.text for letter in letters(shown, style)).replace(SPACE_MARK, " ").strip()


def variant_of(text: str) -> str:
    """The same with its two middle words exchanged: something to compare with, and no better translation."""
    words = list(text) if has_unspaced(text) else text.split()
    middle = len(words) // 2
    words[middle - 1 : middle + 1] = words[middle - 1 : middle + 1][::-1]
    return ("" if has_unspaced(text) else " ").join(words)


def _asks(values: Values, subject: Subject | None) -> Ask | None:
    if values["of"] != "notes":
        return None
    return NotesTraining(int(values["sentences"]), int(values["epochs"]), int(values["seed"])), None


def numbers(values: Values, answer: NotesRun | None, subject: Subject | None) -> Numbers:
    """BLEU of the texts, or of the notes' model."""
    return _texts(values) if answer is None else _notes(answer)


def tokenized(values: Values) -> tuple[list[str], list[list[str]]]:
    """Candidate and references as sacreBLEU cuts them."""
    cut = _cutter(str(values["tokens"]))
    references = [cut(text.rstrip()).split() for text in _references(values)]
    return cut(str(values["candidate"]).rstrip()).split(), references


def _references(values: Values) -> list[str]:
    """Those that say something, or an empty one."""
    return [text for text in (str(values["reference"]), str(values["second"])) if text.strip()] or [""]


def counts_of(values: Values) -> BleuCounts:
    """The counts of the texts."""
    return counted(*tokenized(values), int(values["orders"]))


def _texts(values: Values) -> Numbers:
    candidate, references = tokenized(values)
    orders, n = int(values["orders"]), int(values["n"])
    smoothing, effective = str(values["smoothing"]), bool(values["effective"])
    counts = counted(candidate, references, orders)
    score = counts.score(smoothing, effective)
    judged, signature = _sacrebleu(values)
    limits = allowed(references, n)
    counting, clipped = covered(candidate, limits, n)
    own = Counter(grams(candidate, n))
    over = (
        own.total() - (own & limits).total() - sum(many for gram, many in own.items() if gram not in limits)
    )
    zeros = [n for n, (m, t) in enumerate(zip(counts.matches, counts.totals, strict=True), 1) if t and not m]
    missing = [n for n, total in enumerate(counts.totals, 1) if not total]
    about = {"penalty": counts.brevity_penalty, "candidate": counts.candidate, "reference": counts.reference}
    findings = [
        Finding("bleu", 100 * score, None, about),
        Finding("sacrebleu", judged, abs(judged - 100 * score) < 1e-9, {"signature": signature}),
    ]
    if over:
        findings.append(Finding("clipped", over, None, {"n": n}))
    if zeros and any(counts.matches):
        findings.append(Finding("smoothed" if smoothing == "exp" else "zero", zeros[0], None))
    if missing:
        findings.append(Finding("left_out" if effective else "short", missing[0], None))
    data = {
        "of": "texts",
        "n": n,
        "candidate": candidate,
        "references": references,
        "counting": counting,
        "clipped": clipped,
        "in_references": [covered(one, Counter(grams(candidate, n)), n)[0] for one in references],
        "grams": _listed(own, limits),
        "gram_count": len(own),
        "matches": counts.matches,
        "totals": counts.totals,
        "precisions": counts.precisions(smoothing),
        "penalty": counts.brevity_penalty,
        "score": score,
        "signature": signature,
    }
    return Numbers(tuple(findings), data)


def _listed(own: Counter[Gram], limits: Counter[Gram]) -> list[tuple[str, int, int, int]]:
    """The candidate's first n-grams: text, in the candidate, at most in a reference, what counts."""
    return [
        (" ".join(gram), many, limits[gram], min(many, limits[gram]))
        for gram, many in list(own.items())[:_LISTED]
    ]


def _notes(run: NotesRun) -> Numbers:
    trained, held_out = float(run.trained[-1]), float(run.held_out[-1])
    epoch = int(run.epochs[-1])
    about = {"epoch": epoch, "total": run.total}
    findings = (
        Finding("notes", run.notes, None, about),
        Finding("trained", trained, None, {"sentences": run.counts[0]}),
        Finding("held_out", held_out, held_out < trained, {"sentences": run.counts[1]}),
    )
    data = {
        "of": "notes",
        "epochs": run.epochs,
        "trained": run.trained,
        "held_out": run.held_out,
        "samples": [[one.source, one.reference, one.output, one.trained] for one in run.samples],
        "signature": run.signature,
    }
    return Numbers(findings, data)


def _cutter(name: str) -> Any:
    # A tenth of a second, which only this lesson needs.
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
    from sacrebleu.tokenizers.tokenizer_char import TokenizerChar
    from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

    cutters: dict[str, Any] = {"13a": Tokenizer13a, "zh": TokenizerZh, "char": TokenizerChar}
    return cutters[name]()


def _sacrebleu(values: Values) -> tuple[float, str]:
    """What sacreBLEU itself says of the texts, 0 to 100, and its signature."""
    from sacrebleu.metrics.bleu import BLEU

    bleu = BLEU(
        tokenize=str(values["tokens"]),
        smooth_method=str(values["smoothing"]),
        max_ngram_order=int(values["orders"]),
        effective_order=bool(values["effective"]),
        force=True,
    )
    streams = [[text] for text in _references(values)]
    score = bleu.corpus_score([str(values["candidate"])], streams).score
    return float(score), str(bleu.get_signature())


def _unused(values: Values) -> frozenset[str]:
    of_texts = {"candidate", "reference", "second", "n", "orders", "smoothing", "effective", "tokens"}
    return frozenset(of_texts if values["of"] == "notes" else {"sentences", "epochs", "seed"})


# The example of Papineni et al., section 2.1.
_THE = {
    "candidate": "the the the the the the the",
    "reference": "the cat is on the mat",
    "second": "there is a cat on the mat",
    "tokens": "13a",
}

BLEU = Lesson(
    "bleu",
    controls,
    numbers,
    _asks,
    unused=_unused,
    stations=lambda subject: (
        {"of": "texts", "n": 1},
        {"of": "texts", "n": 3},
        {"of": "texts", "n": 1, **_THE},
        {"of": "notes"},
    ),
    modules=(
        "sacrebleu.metrics.bleu",
        "sacrebleu.tokenizers.tokenizer_13a",
        "sacrebleu.tokenizers.tokenizer_char",
        "sacrebleu.tokenizers.tokenizer_zh",
    ),
)
