"""Circuits: what a head does with any word: what it makes of one that it reads, what it looks for.

No torch. Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from model.heads.general_scores import PLACES, GeneralScores
from model.heads.head_metrics import GENERAL, GENERAL_FACTS, General
from model.questions.causes.report import Cell, Report
from model.questions.questions import Question
from model.trace.trace import AttentionKind

ListName = Literal["promotes", "suppresses", "looks_for", "sought_by", "attracts"]
"""What a head writes of a word; what a word that asks finds; who finds a word; pairs of both."""

LISTS: tuple[ListName, ...] = get_args(ListName)

DEFAULT_MOST = 10
MOST = 1000
SAMPLE = 1000
"""Words that pairs are made of, where no word is named."""

LABEL = "What a head does in general"
FORMULAS: dict[str, str] = {
    "ov": "OV, what it writes of a word w for a word v: x(w) W_V W_O · (U_v − Ū)",
    "encoder_ov": "OV, how like a word v is what it writes of a word w: x(w) W_V W_O · (x(v) − x̄)",
    "qk": "QK, how word a attracts word b: x(a) W_Q · (x(b) − x̄) W_K / √d_head",
    "copying": "copying score: Σ Re λ / Σ |λ| over the eigenvalues λ of OV from words to the same words, "
    "from −1 to 1; above 0 where words rather promote themselves, below 0 where they count against "
    "themselves",
}
READS = {
    "gains": "x(w) is the word's embedding on the direct path to the head, each norm on the path kept as its "
    "gains and centring; its deviation, a positive factor, and all biases are left out",
    "plain": "x(w) is the word's embedding; norms and biases are left out",
}
DIRECT = (
    "The direct path alone: what earlier heads and networks make of a word is left out, and so is what later "
    "ones make of what the head writes."
)
ENCODER = (
    "An encoder's head has no direct path to the words of the target: what it writes is compared with the "
    "source's own words as they stand in that stream."
)
CROSS = (
    "Cross-attention reads the source's words straight through the encoder, as embeddings, and is asked by "
    "words of the target."
)
POSITIONS: dict[str, str] = {
    "sinusoidal": "Positions, which are added to the embeddings, are left out.",
    "learned": "Positions, which are added to the embeddings, are left out.",
    "rotary": "Positions turn queries and keys by their distance: this is QK at distance 0.",
    "relative": "Positions add to keys and values by distance: that is left out.",
    "alibi": "Positions take from a score by distance: this is QK at distance 0.",
}
COPIES = "This model also copies words: these are the words that it writes by itself."
PAIRS = (
    "Pairs are of the first {count} words of each vocabulary in its order, in which frequent ones come early."
)
SOURCE = "Elhage et al. 2021 (transformer-circuits.pub/2021/framework)"

GENERAL_LABEL = "What heads do in general"
GENERAL_CAVEAT = (
    "Random tokens are no sentence: a model of translations may do there what it does nowhere else. A "
    "decoder is forced to write the same tokens twice while its encoder reads others; an encoder reads them "
    "twice. "
    "Copying is of the direct path alone."
)
GENERAL_SOURCE = f"{SOURCE}; Olsson et al. 2022 (arXiv 2209.11895)"


@dataclass(frozen=True)
class CircuitOf(Question, answered_by="model.causes.circuits:circuit_of"):
    """What a head promotes and attracts, of one word or of frequent ones; answered by `Circuit`.

    Attributes:
        word: what is read: an id, or as it is typed; None for pairs of frequent words.
        asker: what asks, in cross-attention a word of the target; None in self-attention: the word itself.
        most: words in each list.
        norms: see `READS`.
        model_sha256: whose head.
    """

    urgency = "interactive"

    kind: AttentionKind
    layer: int
    head: int
    word: int | str | None = None
    asker: int | str | None = None
    most: int = DEFAULT_MOST
    norms: bool = True
    model_sha256: str = ""


class Entry(NamedTuple):
    """A line of a list.

    Attributes:
        word, other: ids; which vocabulary is that of the list. A head that promotes writes `other` for having
            read `word`; one that attracts lets `word` ask and finds `other`.
        value: above the mean over all words that `other` might be.
    """

    word: int
    word_token: str
    other: int
    other_token: str
    value: float


@dataclass(frozen=True, eq=False)
class Circuit:
    """What a head does in general.

    Attributes:
        word_token, asker_token: raw pieces of the words that were asked about; empty without.
        pieces: how many pieces the typed word has; the first stands for it.
        lists: by name, largest effect first.
        copying: None where it is not defined.
        positions: as of the architecture. copies: the model also copies words.
        sample: how many words of the reading side pairs were made of; 0 of one word.
    """

    asked: CircuitOf
    word_token: str
    asker_token: str
    pieces: int
    lists: Mapping[ListName, Sequence[Entry]]
    copying: float | None
    positions: str
    copies: bool
    sample: int

    def notes(self) -> tuple[str, ...]:
        """Formulas, caveats and source, in English; the window says the same (see `sentences`)."""
        return tuple(text for _, text in self.told())

    def told(self) -> Iterator[tuple[str, str]]:
        """How each note is to be said (`formula`, `plain`, `source`), and the note."""
        encoder = self.asked.kind is AttentionKind.ENCODER_SELF
        for name in ("encoder_ov" if encoder else "ov", "qk", "copying"):
            yield "formula", FORMULAS[name]
        yield "formula", READS["gains" if self.asked.norms else "plain"]
        yield "plain", DIRECT
        if encoder:
            yield "plain", ENCODER
        if self.asked.kind is AttentionKind.CROSS:
            yield "plain", CROSS
        if self.positions in POSITIONS:
            yield "plain", POSITIONS[self.positions]
        if self.copies:
            yield "plain", COPIES
        if self.sample:
            yield "pairs", PAIRS
        yield "source", SOURCE


def sentences() -> Iterator[str]:
    """What the window translates, context `Methods`."""
    yield from (LABEL, *FORMULAS.values(), *READS.values(), DIRECT, ENCODER, CROSS, COPIES, PAIRS)
    yield from dict.fromkeys(POSITIONS.values())


def circuit_report(answer: Circuit) -> Report:
    """A table of all lists, one under the other."""
    asked = answer.asked
    facts = {
        "kind": asked.kind,
        "layer": asked.layer,
        "layer_number": asked.layer + 1,
        "head": asked.head,
        "head_number": asked.head + 1,
        "word": answer.word_token,
        "query_word": answer.asker_token,
        "copying": answer.copying,
        "norms": "gains" if asked.norms else "plain",
        "positions": answer.positions,
        "also_copies": answer.copies,
        "sample": answer.sample,
    }
    rows: list[tuple[Cell, ...]] = [
        (name, rank, entry.word, entry.word_token, entry.other, entry.other_token, entry.value)
        for name, entries in answer.lists.items()
        for rank, entry in enumerate(entries, start=1)
    ]
    names = ("list", "rank", "word_id", "word", "other_id", "other", "value")
    told = ("list", "word", "other", "value")
    notes = tuple(note.format(count=answer.sample) for note in answer.notes())
    return Report(facts, names, rows, notes=notes, told=told)


def general_report(answer: GeneralScores) -> Report:
    """All heads, those that copy most first; then those whose copying is not defined."""
    rows: list[tuple[Cell, ...]] = []
    for kind, values in answer.values.items():
        for layer in range(values.shape[0]):
            for head in range(values.shape[1]):
                own = (float(value) for value in values[layer, head])
                rows.append((kind, layer, layer + 1, head, head + 1, *(None if v != v else v for v in own)))
    at = 5 + PLACES[General.COPYING]
    rows.sort(key=lambda row: -2.0 if row[at] is None else float(row[at] or 0.0), reverse=True)
    facts = {
        "tokens": answer.tokens,
        "sequences": answer.sequences,
        "seed": answer.seed,
        "same_words": answer.same_words,
    }
    names = ("kind", "layer", "layer_number", "head", "head_number", *map(str, GENERAL))
    told = ("kind", "layer_number", "head_number", *map(str, GENERAL))
    notes = [f"{metric}: {GENERAL_FACTS[metric].formula}" for metric in GENERAL]
    arrays = {str(kind): values for kind, values in answer.values.items()}
    return Report(facts, names, rows, arrays, (*notes, GENERAL_CAVEAT, f"Source: {GENERAL_SOURCE}"), told)
