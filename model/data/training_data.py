"""From files of pairs to what a run trains on, what it holds out, and the vocabularies."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from model.config import SplitName, VocabType
from model.data.corpus import Pair, file_sha256, read_corpus, references, tatoeba_hash_part
from model.data.tasks import TASKS, TaskName
from model.errors import HeadscopeError
from model.tokenizer import SentencePieceTokenizer, train_tokenizer

# Written without spaces between words: a space in front of the sentence would be a piece of its own.
UNSPACED_LANGUAGES = {"zh", "ja", "th", "lo", "km", "my", "bo"}
HOLDOUT_MOST = 1000
FEW = 50  # pairs that stand in for held-out ones where there are none


@dataclass(frozen=True, eq=False)
class TrainingData:
    """Pairs apart: no source sentence of `dev` occurs in `train`, unless there are too few to hold any out.

    Attributes:
        hashes: SHA-256 of each file by its name.
        held_out: False when `dev` is the first of `train`, because the split leaves nothing else.
    """

    train: list[Pair]
    dev: list[Pair]
    hashes: dict[str, str] = field(default_factory=dict)
    held_out: bool = True


def read_pair_files(
    paths: Sequence[str], should_cancel: Callable[[], bool] | None = None
) -> tuple[list[Pair], dict[str, str]]:
    """All pairs of the files in order, and each file's SHA-256 by its name.

    Raises:
        HeadscopeError: a file cannot be read, or `cancelled`.
    """
    pairs = read_corpus(paths, should_cancel=should_cancel)
    hashes: dict[str, str] = {}
    for path in paths:
        name = Path(path).name
        same = sum(1 for other in hashes if other.split(" (")[0] == name)
        hashes[f"{name} ({same + 1})" if same else name] = file_sha256(path)
    return pairs, hashes


def make_task_pairs(task: TaskName, size: int, seed: int) -> tuple[list[Pair], dict[str, str]]:
    """The pairs of a toy task, and the SHA-256 of them as tab-separated lines."""
    pairs = TASKS[task].pairs(size, seed)
    lines = "".join(f"{source}\t{target}\n" for source, target in pairs)
    return pairs, {f"task {task}": hashlib.sha256(lines.encode()).hexdigest()}


def split_training_data(
    pairs: Sequence[Pair], hashes: Mapping[str, str], *, split: SplitName, swap: bool
) -> TrainingData:
    """Set pairs apart for choosing the best weights; those with a blank side are dropped.

    Args:
        split: `tatoeba-hash` by the hash of column 1 (1 % test, left out; 1 % dev); `holdout` takes 2 % of
            the source sentences, at most a thousand (none of fewer than 50).
        swap: translate from column 2 to column 1.

    Raises:
        HeadscopeError: nothing is left to train on.
    """
    pairs = [pair for pair in pairs if pair[0].strip() and pair[1].strip()]
    if split == "tatoeba-hash":
        parts: Sequence[str] = [tatoeba_hash_part(first) for first, _ in pairs]
    else:
        parts = _holdout_parts([pair[1] if swap else pair[0] for pair in pairs])
    if swap:
        pairs = [(second, first) for first, second in pairs]
    # Swapped, the split goes by the target: a source may be in several parts, and counts for the strictest.
    rank = {"train": 0, "dev": 1, "test": 2}
    strictest: dict[str, int] = {}
    for (source, _), part in zip(pairs, parts):
        strictest[source] = max(rank[part], strictest.get(source, 0))
    train = [pair for pair in pairs if strictest[pair[0]] == rank["train"]]
    dev = [pair for pair, part in zip(pairs, parts) if part == "dev" and strictest[pair[0]] == rank["dev"]]
    if not train:
        raise HeadscopeError("training_no_pairs")
    return TrainingData(train, dev or train[:FEW], dict(hashes), held_out=bool(dev))


def _holdout_parts(sources: list[str]) -> list[str]:
    distinct = sorted(set(sources), key=lambda text: hashlib.sha1(text.encode()).digest())
    count = min(HOLDOUT_MOST, len(distinct) // 50)
    chosen = set(distinct[:count])
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
    model_type: VocabType,
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
