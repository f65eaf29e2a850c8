"""From files of pairs to what a run trains on, what it holds out, and the vocabularies."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from model.corpus import Pair, file_sha256, read_corpus, references, tatoeba_hash_part
from model.errors import HeadscopeError
from model.tokenizer import SentencePieceTokenizer, train_tokenizer

SplitName = Literal["holdout", "tatoeba-hash"]

# Written without spaces between words: a space in front of the sentence would be a piece of its own.
UNSPACED_LANGUAGES = {"zh", "ja", "th", "lo", "km", "my", "bo"}
HOLDOUT_MOST = 1000


@dataclass(frozen=True, eq=False)
class TrainingData:
    """Pairs apart: no source sentence of `dev` occurs in `train`.

    Attributes:
        hashes: SHA-256 of each file by its name.
    """

    train: list[Pair]
    dev: list[Pair]
    hashes: dict[str, str] = field(default_factory=dict)


def load_training_data(
    paths: Sequence[str], *, split: SplitName, swap: bool, should_cancel: Callable[[], bool] | None = None
) -> TrainingData:
    """Read and split pairs.

    Args:
        split: `tatoeba-hash` by the hash of column 1 (1 % test, left out; 1 % dev); `holdout` takes 2 % of
            the source sentences, at most a thousand.
        swap: translate from column 2 to column 1.

    Raises:
        HeadscopeError: a file cannot be read, or nothing is left to train on.
    """
    pairs = read_corpus(paths, should_cancel=should_cancel)
    if split == "tatoeba-hash":
        parts = [tatoeba_hash_part(first) for first, _ in pairs]
    else:
        parts = _holdout_parts([pair[1] if swap else pair[0] for pair in pairs])
    if swap:
        pairs = [(second, first) for first, second in pairs]
    # Swapped, the split goes by the target; a source that is also in dev or test must not be trained on.
    unseen = {source for (source, _), part in zip(pairs, parts) if part != "train"}
    train = [pair for pair, part in zip(pairs, parts) if part == "train" and pair[0] not in unseen]
    dev = [pair for pair, part in zip(pairs, parts) if part == "dev"]
    if not train:
        raise HeadscopeError("training_no_pairs")
    return TrainingData(train, dev or train[:1], {Path(path).name: file_sha256(path) for path in paths})


def _holdout_parts(sources: list[str]) -> list[str]:
    distinct = sorted(set(sources), key=lambda text: hashlib.sha1(text.encode()).digest())
    chosen = set(distinct[: min(HOLDOUT_MOST, len(distinct) // 50)])
    return ["dev" if source in chosen else "train" for source in sources]


def first_references(pairs: Sequence[Pair], limit: int) -> list[Pair]:
    """Distinct sources with their first target, spread evenly over the file, at most `limit`."""
    distinct = [(source, targets[0]) for source, targets in references(pairs)]
    stride = max(1, len(distinct) // max(1, limit))
    return distinct[::stride][:limit]


def train_vocabularies(
    pairs: Sequence[Pair],
    *,
    vocab_size: int,
    shared: bool,
    languages: tuple[str, str],
    model_type: Literal["unigram", "bpe"],
    byte_fallback: bool,
    coverage: float,
) -> tuple[SentencePieceTokenizer, SentencePieceTokenizer]:
    """Source and target tokenizer, the same object when shared."""

    def train(texts: list[str], spaced: bool, name: str) -> SentencePieceTokenizer:
        data = train_tokenizer(
            texts,
            vocab_size=vocab_size,
            model_type=model_type,
            dummy_prefix=spaced,
            byte_fallback=byte_fallback,
            character_coverage=coverage,
        )
        return SentencePieceTokenizer.from_bytes(data, name)

    spaced = [language not in UNSPACED_LANGUAGES for language in languages]
    if shared:
        both = train([text for pair in pairs for text in pair], all(spaced), "source.spm")
        return both, both
    return (
        train([source for source, _ in pairs], spaced[0], "source.spm"),
        train([target for _, target in pairs], spaced[1], "target.spm"),
    )
