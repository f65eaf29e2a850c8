"""Vocabularies of a run: learned from its pairs, or read from SentencePiece models."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from itertools import chain
from typing import Any

from model.data.pair_list import PairList
from model.data.pairs.pair_files import Pair
from model.data.tasks.registry import TASKS
from model.errors import HeadscopeError
from model.tokens.tokenizer import SentencePieceTokenizer, train_tokenizer
from model.tokens.tokenizer_process import learn_tokenizer
from model.train_options import TrainOptions
from model.work import retold

# Written without spaces between words: a space in front of the sentence would be a piece of its own.
UNSPACED_LANGUAGES = {"zh", "ja", "th", "lo", "km", "my", "bo"}

# Bytes of text from which a vocabulary is learned in less time than a person notices.
SMALL = 200_000

_Learning = Generator[tuple[int, int], None, SentencePieceTokenizer]


def learn_vocabularies(
    pairs: Sequence[Pair], options: TrainOptions, should_cancel: Callable[[], bool] = lambda: False
) -> Generator[tuple[int, int], None, tuple[SentencePieceTokenizer, SentencePieceTokenizer]]:
    """Source and target tokenizer, the same object when shared; yields (sentences read, sentences in all).

    Args:
        pairs: what is trained on; no held-out pair.
        options: its `vocab_files` are taken instead of learning, if there are any.
        should_cancel: asked whenever something is yielded.

    Raises:
        HeadscopeError: `tokenizer_no_text`, `tokenizer_vocab_too_small`, `tokenizer_training` or `cancelled`;
            of existing files `tokenizer_missing`, `tokenizer_unreadable`, `tokenizer_invalid`,
            `tokenizer_special` or `tokenizer_special_differ`.
    """
    if options.vocab_files:
        return load_vocabularies(options.vocab_files)
    words = TASKS[options.task].words if options.task else ()
    source_spaced, target_spaced = (language not in UNSPACED_LANGUAGES for language in options.languages)
    if options.shared_vocab:
        texts = chain(chain.from_iterable(pairs), words)
        spaced = source_spaced and target_spaced
        both = yield from _learn(texts, 2 * len(pairs), pairs, options, spaced, should_cancel)
        return both, both
    count = len(pairs)
    sources, targets = chain((pair[0] for pair in pairs), words), chain((pair[1] for pair in pairs), words)
    source = yield from _learn(sources, count, pairs, options, source_spaced, should_cancel)
    target = yield from _learn(targets, count, pairs, options, target_spaced, should_cancel)
    return source, target


def _learn(
    texts: Iterator[str],
    count: int,
    pairs: Sequence[Pair],
    options: TrainOptions,
    spaced: bool,
    should_cancel: Callable[[], bool],
) -> _Learning:
    settings: dict[str, Any] = {
        "vocab_size": options.vocab_size,
        "model_type": options.vocab_type,
        "dummy_prefix": spaced,
        "byte_fallback": options.byte_fallback,
        "character_coverage": options.coverage,
    }
    yield 0, count
    if _size(pairs) <= SMALL:
        data = train_tokenizer(texts, **settings)
    else:
        learning = learn_tokenizer(texts, settings, should_cancel)
        data = yield from retold(learning, lambda read: (read, count))
    return SentencePieceTokenizer.from_bytes(data, "the learned vocabulary")


def _size(pairs: Sequence[Pair]) -> int:
    """Bytes of text in the pairs."""
    if isinstance(pairs, PairList):
        return pairs.size
    return sum(len(text.encode()) for pair in pairs for text in pair)


def load_vocabularies(paths: Sequence[str]) -> tuple[SentencePieceTokenizer, SentencePieceTokenizer]:
    """Source and target tokenizer from one SentencePiece model for both, or from two.

    Raises:
        HeadscopeError: `tokenizer_missing`, `tokenizer_unreadable`, `tokenizer_invalid`,
            `tokenizer_special` or `tokenizer_special_differ`.
    """
    loaded = [SentencePieceTokenizer.load(path) for path in paths]
    for path, tokenizer in zip(paths, loaded):
        for name, place in _special(tokenizer).items():
            if place < 0:
                raise HeadscopeError("tokenizer_special", path=path, name=name)
    source, target = loaded[0], loaded[-1]
    # A bundle names one number for each of them.
    if _special(source) != _special(target):
        raise HeadscopeError("tokenizer_special_differ", path=paths[0], other=paths[-1])
    return (source, source) if source.serialized() == target.serialized() else (source, target)


def _special(tokenizer: SentencePieceTokenizer) -> dict[str, int]:
    return {
        "pad": tokenizer.pad_id,
        "unk": tokenizer.unk_id,
        "bos": tokenizer.start_id,
        "eos": tokenizer.end_id,
    }
