"""Heads over a corpus: metrics over a file of sentences, beside those of a model of random weights.

Each pair is read once: the source by the encoder, the target token by token by the decoder (teacher forcing).
Where a file has sources alone, their greedy translations are read; the random model reads the same tokens.

Shapes: b sentences of a batch, H heads, Q queries, K keys.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import torch
from torch import Tensor

from model.alignment.hard import Rule
from model.alignment.links import Gold
from model.alignment.pharaoh import read_pharaoh
from model.bundle.bundle import Bundle
from model.config import Architecture, length_limit
from model.data.pairs.pair_files import FIRST_TWO, Columns, PairReader, Row
from model.decoding.batch_decoding import greedy_steps
from model.errors import HeadscopeError
from model.files.files import shown
from model.heads.head_alignment import Aligning, AlignmentTally, words_of
from model.heads.head_roles import CorpusScores
from model.heads.head_scores import HeadTally, KeyTokens
from model.network.attention import AttentionSite
from model.network.transformer import Transformer
from model.questions.head_questions import CorpusHeads
from model.tokens.tokenizer import Tokenizer
from model.trace.trace import AttentionKind

# Weights of one layer that a batch may hold: few enough to answer soon when something else wants the thread.
_WEIGHTS = 2**19
_MOST_SENTENCES = 64
_ENCODED = 64  # pairs between two moments at which anything else may come first
_SOURCES: Columns = ("1", "1")


@dataclass(eq=False)
class Sentence:
    """A source and what the decoder reads.

    Attributes:
        source, target_in: ids, with the end token and the start token.
        source_pieces, target_pieces: their raw pieces.
        aligning: its gold links, None without.
    """

    source: list[int]
    target_in: list[int]
    source_pieces: tuple[str, ...]
    target_pieces: tuple[str, ...] = ()
    aligning: Aligning | None = None

    def size(self, kind: AttentionKind) -> tuple[int, int]:
        """Queries and keys of a kind of attention."""
        source, target = len(self.source), len(self.target_in)
        queries = source if kind is AttentionKind.ENCODER_SELF else target
        return queries, target if kind is AttentionKind.DECODER_SELF else source

    @cached_property
    def keys(self) -> dict[AttentionKind, KeyTokens]:
        """What the keys of each kind of attention are."""
        return {
            kind: KeyTokens.of(
                kind, self.target_pieces if kind is AttentionKind.DECODER_SELF else self.source_pieces
            )
            for kind in AttentionKind
        }


def score_corpus(
    bundle: Bundle, question: CorpusHeads
) -> Generator[tuple[int, int] | CorpusScores | None, None, None]:
    """Read a corpus with the model, and with one of random weights.

    Yields:
        (readings done, readings in all), None in between, at last the scores.

    Raises:
        HeadscopeError: a file cannot be read, or nothing in it by the model, or the model's numbers overflow;
            `writes_in_rounds`.
    """
    bundle.transformer.require_left_to_right()
    yield 0, 0
    texts, forced = read_texts(question.path, bundle.config.languages, question.limit)
    gold = read_gold(question, forced)
    sentences = []
    for count, text in enumerate(texts):
        if count % _ENCODED == 0:
            yield None
        sentence = _encoded(bundle, text, forced)
        if sentence is not None:
            sentence.aligning = None if gold is None else _aligning(bundle, text, sentence, gold, question)
            sentences.append(sentence)
    if not sentences:
        raise HeadscopeError("heads_nothing", path=shown(question.path))
    total, done = len(sentences) * (2 if forced else 3), 0
    yield done, total
    if not forced:
        for batch in batches(sentences, bundle.config.architecture):
            yield from _translate(bundle, batch)
            done += len(batch)
            yield done, total
    architecture = bundle.config.architecture
    generator = torch.Generator().manual_seed(question.seed)
    found = []
    pads = bundle.source_tokenizer.pad_id, bundle.target_tokenizer.pad_id
    for model in (bundle.transformer, Transformer(architecture, generator).eval()):
        reading = _Reading(model, pads, question.rule)
        for batch in batches(sentences, architecture):
            reading.read(batch)
            done += len(batch)
            yield done, total
        found.append(reading)
    yield CorpusScores(
        path=question.path,
        sentences=len(sentences),
        left_out=len(texts) - len(sentences),
        forced=forced,
        seed=question.seed,
        scores=found[0].tally.scores(),
        random=found[1].tally.scores(),
        aer=None if gold is None else found[0].aligned.rates(),
        random_aer=None if gold is None else found[1].aligned.rates(),
        diagonal=None if gold is None else found[0].aligned.diagonal.rate,
        gold=question.gold,
        rule="" if gold is None else question.rule,
        model_name=bundle.config.name,
        model_sha256=bundle.sha256,
    )


def read_texts(path: str, languages: tuple[str, str], limit: int) -> tuple[list[Row], bool]:
    """The first pairs of a file, each with its number, and whether it has targets; else sources stand twice.

    A file whose first line has one column has sources alone. Pairs with a blank side are left out.

    Raises:
        HeadscopeError: the file cannot be read, or there are no pairs.
    """
    forced = _has_targets(path, languages)
    with PairReader([path], FIRST_TWO if forced else _SOURCES, languages=languages) as reader:
        full = (row for row in reader.rows() if row[1].strip() and row[2].strip())
        kept = list(islice(full, limit))
    if not kept:
        raise HeadscopeError("corpus_empty", path=shown(path))
    return kept, forced


def _has_targets(path: str, languages: tuple[str, str]) -> bool:
    with PairReader([path], FIRST_TWO, languages=languages) as reader:
        try:
            next(reader.rows())
        except HeadscopeError as error:
            if error.code not in ("corpus_one_column", "corpus_column"):
                raise
            return False
    return True


def batches(sentences: Sequence[Sentence], architecture: Architecture) -> Iterator[list[Sentence]]:
    """Sentences of like length together, the shortest first."""
    batch: list[Sentence] = []
    for sentence in sorted(sentences, key=lambda each: (len(each.source), len(each.target_in))):
        longest = max(max(len(each.source), len(each.target_in)) for each in (*batch, sentence))
        weights = (len(batch) + 1) * architecture.n_heads * longest**2
        if batch and (weights > _WEIGHTS or len(batch) == _MOST_SENTENCES):
            yield batch
            batch = []
        batch.append(sentence)
    if batch:
        yield batch


def _encoded(bundle: Bundle, row: Row, forced: bool) -> Sentence | None:
    """A pair that the model can read, else None; without targets it is still to be translated."""
    source, target = bundle.source_tokenizer, bundle.target_tokenizer
    read = source.source_ids(row[1])
    written = target.target_ids(row[2]) if forced else [target.end_id]
    if len(read) > bundle.source_limit or len(written) > bundle.target_limit:
        return None
    if len(read) < 2 or (forced and len(written) < 2):
        return None
    return _with_target(
        Sentence(read, [], tuple(map(source.piece, read))), [target.start_id, *written[:-1]], target
    )


def read_gold(question: CorpusHeads, forced: bool) -> list[Gold] | None:
    """The gold links that a question names, a line a pair; None where it names none.

    Args:
        forced: whether the file has targets.

    Raises:
        HeadscopeError: `heads_gold_targets`; see `read_pharaoh`.
    """
    if not question.gold:
        return None
    if not forced:
        raise HeadscopeError("heads_gold_targets", path=shown(question.path))
    return read_pharaoh(question.gold, one_based=question.one_based)


def _aligning(
    bundle: Bundle, row: Row, sentence: Sentence, gold: Sequence[Gold], question: CorpusHeads
) -> Aligning:
    """The gold links of a pair: those on the line of its number."""
    number = row[0]
    if number > len(gold):
        raise HeadscopeError("heads_gold_lines", path=shown(question.gold), count=len(gold), line=number)
    out = (*sentence.target_pieces[1:], bundle.target_tokenizer.piece(bundle.target_tokenizer.end_id))
    try:
        words = words_of(row[1], row[2], sentence.source_pieces, out)
    except HeadscopeError as error:
        raise HeadscopeError("align_line", line=number, problem=str(error)) from None
    links = gold[number - 1].check(
        len(words.source), len(words.target), one_based=question.one_based, line=number
    )
    return Aligning(words, links)


def _with_target(sentence: Sentence, target_in: list[int], tokenizer: Tokenizer) -> Sentence:
    sentence.target_in = target_in
    sentence.target_pieces = tuple(map(tokenizer.piece, target_in))
    return sentence


def _translate(bundle: Bundle, batch: Sequence[Sentence]) -> Iterator[None]:
    """Let the decoder read what the model itself writes, as a trace of the greedy decoding would show it."""
    target = bundle.target_tokenizer
    most = bundle.target_limit
    produced = yield from greedy_steps(
        bundle.transformer,
        [sentence.source for sentence in batch],
        pad_id=bundle.source_tokenizer.pad_id,
        start_id=target.start_id,
        end_id=target.end_id,
        most=most,
        rules=bundle.rules,
    )
    for sentence, ids in zip(batch, produced):
        cut = len(ids) == length_limit(len(sentence.source), most)
        _with_target(sentence, [target.start_id, *(ids[:-1] if cut else ids)], target)


class _Reading:
    """A model that reads batches.

    Attributes:
        tally: of every head's rows.
        aligned: of every cross-attention head's links.
    """

    def __init__(self, model: Transformer, pads: tuple[int, int], rule: Rule) -> None:
        a = model.architecture
        self._model, self._pads = model, pads
        self._batch: Sequence[Sentence] = ()
        encoder, decoder = (a.encoder_layers, a.n_heads), (a.decoder_layers, a.n_heads)
        self.tally = HeadTally(
            {kind: encoder if kind is AttentionKind.ENCODER_SELF else decoder for kind in AttentionKind}
        )
        self.aligned = AlignmentTally(*decoder, rule)

    # Entered for each batch and left before the caller goes on: see `Decoding.advance`.
    @torch.inference_mode()
    def read(self, batch: Sequence[Sentence]) -> None:
        """Count the rows of a batch."""
        self._batch = batch
        device = self._model.device
        source = _padded([each.source for each in batch], self._pads[0]).to(device)
        target = _padded([each.target_in for each in batch], self._pads[1]).to(device)
        lengths = torch.tensor([len(each.source) for each in batch], device=device)
        mask = torch.arange(source.shape[1], device=device) < lengths[:, None]
        memory = self._model.encode(source, key_mask=mask, tap=self._tap)
        # Padding stands behind every target: the causal mask hides it.
        hidden = self._model.decode(target, memory, memory_mask=mask, tap=self._tap)
        if not bool(hidden.isfinite().all()):
            raise HeadscopeError("model_overflow")

    def _tap(self, site: AttentionSite, pattern: Tensor) -> None:
        weights = pattern.float().numpy(force=True)
        for row, sentence in enumerate(self._batch):
            queries, keys = sentence.size(site.kind)
            own = weights[row, :, :queries, :keys]
            self.tally.add(site.kind, site.layer, slice(None), own, sentence.keys[site.kind])
            if site.kind is AttentionKind.CROSS and sentence.aligning is not None:
                self.aligned.add(site.layer, own, sentence.aligning)


def _padded(rows: Sequence[Sequence[int]], pad: int) -> Tensor:
    """Ids int64 [rows, longest], padding behind."""
    padded = torch.full((len(rows), max(map(len, rows))), max(0, pad), dtype=torch.int64)
    for row, ids in enumerate(rows):
        padded[row, : len(ids)] = torch.as_tensor(ids)
    return padded
