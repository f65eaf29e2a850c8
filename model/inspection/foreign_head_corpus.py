"""Foreign heads over a corpus: metrics of a model that `transformers` runs, beside random weights.

Sentences are read one after the other. A model that translates reads the targets of the file token by token,
or its own greedy translation where there are none; one without an encoder, or without a decoder, reads the
first column alone.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass

from model.alignment.hard import WordMap
from model.alignment.links import Gold
from model.data.pairs.pair_files import Row
from model.decoding.decode_config import DecodeConfig
from model.decoding.decoding import decode_events
from model.errors import HeadscopeError
from model.files.files import shown
from model.files.tensor_file import well_formed
from model.folder.families import Family
from model.foreign.foreign_model import ForeignModel
from model.heads.head_alignment import Aligning, AlignmentTally
from model.heads.head_roles import CorpusScores
from model.heads.head_scores import HeadTally, keys_of
from model.inspection.head_corpus import read_gold, read_texts
from model.questions.head_questions import CorpusHeads
from model.trace.trace import AttentionKind, Trace

_UNREADABLE = ("empty_text", "too_long", "only_unknown")


@dataclass(frozen=True)
class _Sentence:
    """What is read: a text and, of a model that translates, the tokens of a translation."""

    number: int
    text: str
    target: str
    out_ids: tuple[int, ...] = ()


def score_foreign_corpus(
    model: ForeignModel, question: CorpusHeads
) -> Generator[tuple[int, int] | CorpusScores | None, None, None]:
    """As `model.inspection.head_corpus.score_corpus`.

    Raises:
        HeadscopeError: a file cannot be read, or nothing in it by the model, or the model's numbers overflow.
    """
    yield 0, 0
    translates = model.family is Family.ENCODER_DECODER
    texts, paired = read_texts(question.path, model.languages, question.limit)
    gold = read_gold(question, paired and translates)
    total, done = 2 * len(texts), 0
    first, sentences = _Counting(question, gold), []
    for row in texts:
        sentence = _of_row(row, paired and translates)
        try:
            trace = yield from _read(model, sentence)
        except HeadscopeError as error:
            if error.code not in _UNREADABLE:
                raise
            total -= 1
            continue
        first.add(trace, sentence)
        sentences.append(_with_ids(sentence, trace) if translates else sentence)
        done += 1
        yield done, total
    if not sentences:
        raise HeadscopeError("heads_nothing", path=shown(question.path))
    assert model.twin is not None
    second, twin = _Counting(question, gold), model.twin(question.seed)
    for sentence in sentences:
        second.add((yield from _read(twin, sentence)), sentence)
        done += 1
        yield done, total
    yield CorpusScores(
        path=question.path,
        sentences=len(sentences),
        left_out=len(texts) - len(sentences),
        forced=paired or not translates,
        seed=question.seed,
        scores=first.heads.scores(),
        random=second.heads.scores(),
        aer=None if gold is None else first.links.rates(),
        random_aer=None if gold is None else second.links.rates(),
        diagonal=None if gold is None else first.links.diagonal.rate,
        gold=question.gold,
        rule="" if gold is None else question.rule,
        model_name=model.name,
        model_sha256=model.sha256,
    )


class _Counting:
    """Sums over the readings of one model.

    Attributes:
        heads: of every head's rows; there is none before the first reading.
        links: of every cross-attention head's links.
    """

    heads: HeadTally
    links: AlignmentTally

    def __init__(self, question: CorpusHeads, gold: Sequence[Gold] | None) -> None:
        self._question, self._gold = question, gold
        self._begun = False

    def add(self, trace: Trace, sentence: _Sentence) -> None:
        """Count every head of a reading."""
        if not self._begun:
            self.heads = HeadTally({kind: (trace.layers(kind), trace.heads(kind)) for kind in trace.kinds})
            cross = AttentionKind.CROSS
            self.links = AlignmentTally(trace.layers(cross), trace.heads(cross), self._question.rule)
            self._begun = True
        for kind in trace.kinds:
            keys = keys_of(trace, kind)
            for layer in range(trace.layers(kind)):
                self.heads.add(kind, layer, slice(None), trace.patterns.layer(kind, layer), keys)
        if self._gold is not None:
            self._align(trace, sentence, self._gold)

    def _align(self, trace: Trace, sentence: _Sentence, gold: Sequence[Gold]) -> None:
        number = sentence.number
        if number > len(gold):
            path = shown(self._question.gold)
            raise HeadscopeError("heads_gold_lines", path=path, count=len(gold), line=number)
        words = WordMap.of(trace, gold[number - 1])
        sizes = len(words.source), len(words.target)
        links = gold[number - 1].check(*sizes, one_based=self._question.one_based, line=number)
        for layer in range(trace.layers(AttentionKind.CROSS)):
            weights = trace.patterns.layer(AttentionKind.CROSS, layer)
            self.links.add(layer, weights, Aligning(words, links))


def _of_row(row: Row, forced: bool) -> _Sentence:
    return _Sentence(row[0], well_formed(row[1]), well_formed(row[2]) if forced else "")


def _with_ids(sentence: _Sentence, trace: Trace) -> _Sentence:
    """The same with the translation as tokens, so that another model reads the very same."""
    return _Sentence(sentence.number, sentence.text, sentence.target, tuple(map(int, trace.tgt_out_ids)))


def _read(model: ForeignModel, sentence: _Sentence) -> Generator[None, None, Trace]:
    """The trace of a reading; None wherever something else may come first.

    Raises:
        HeadscopeError: the model cannot read it.
    """
    if not sentence.text.strip():
        raise HeadscopeError("empty_text")
    length = len(model.source_tokenizer.source_ids(sentence.text))
    if length > model.source_limit:
        raise HeadscopeError("too_long", tokens=length, limit=model.source_limit)
    if model.read is not None:
        yield None
        return model.read(sentence.text, 0)
    trace = None
    for grown in _traces(model, sentence):
        trace = grown
        yield None
    assert trace is not None
    return trace


def _traces(model: ForeignModel, sentence: _Sentence) -> Iterator[Trace]:
    """The reading as it grows."""
    if model.family is Family.DECODER_ONLY:
        # The first event shows the prompt as it was read, and nothing is written.
        yield next(iter(decode_events(model, sentence.text, DecodeConfig(candidates=0)))).trace
        return
    config = DecodeConfig(candidates=0)
    if sentence.out_ids:
        config = config.but(prefix_ids=sentence.out_ids, max_length=len(sentence.out_ids))
    elif sentence.target:
        config = config.but(mode="forced", target=sentence.target)
    for event in decode_events(model, sentence.text, config):
        yield event.trace
