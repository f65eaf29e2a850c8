"""Sentence pairs cut into pieces: made up with the lengths and frequencies of real ones, or a file's.

Both sides of the training benchmark read the same folder: `train.src` and `train.trg` hold a sentence a line,
its pieces named p0, p1, ... by how common they are, apart by spaces. `held.src` and `held.trg` hold pairs
that nobody trains on.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np

SOURCE, TARGET = "train.src", "train.trg"
HELD_SOURCE, HELD_TARGET = "held.src", "held.trg"

# Unknown, padding, start and end: a vocabulary holds that many pieces less.
SPECIALS = 4

LONGEST = 60

# Of made-up pairs: how many target pieces follow from the source.
TOLD = 0.7


def write_made_up(folder: Path, *, pairs: int, vocabulary: int, seed: int = 1) -> None:
    """Pairs of about 8 pieces a side (6 or 7 words): lengths log-normal, pieces by Zipf's law.

    Most target pieces stand for the source's at the same place: there is something to learn.
    """
    generator = np.random.default_rng(seed)
    count = vocabulary - SPECIALS
    shares = 1.0 / np.arange(1, count + 1)
    sources = np.exp(generator.normal(np.log(7.6), 0.42, pairs))
    targets = sources * np.exp(generator.normal(0.08, 0.22, pairs))
    sides = []
    for wanted in (sources, targets):
        lengths = wanted.round().astype(int).clip(1, LONGEST).tolist()
        draws = iter(generator.choice(count, size=sum(lengths), p=shares / shares.sum()).tolist())
        sides.append([list(itertools.islice(draws, length)) for length in lengths])
    for source, target in zip(*sides):
        for place in np.flatnonzero(generator.random(len(target)) < TOLD).tolist():
            told = source[place * len(source) // len(target)] ^ 1  # neighbours in rank stand for one another
            target[place] = min(told, count - 1)
    _write(folder / SOURCE, sides[0])
    _write(folder / TARGET, sides[1])


def write_from_file(folder: Path, path: str, *, pairs: int, vocabulary: int, seed: int = 1) -> None:
    """At most `pairs` random pairs of a file, cut by a SentencePiece model learned from them."""
    from model.data.pairs.pair_files import PairReader
    from model.tokens.tokenizer import SentencePieceTokenizer, train_tokenizer

    with PairReader([path]) as reader:
        texts = [(source, target) for _, source, target in reader.rows()]
    order = np.random.default_rng(seed).permutation(len(texts))[:pairs]
    chosen = [texts[i] for i in order]
    lines = (text for pair in chosen for text in pair)
    model = train_tokenizer(lines, vocab_size=vocabulary, dummy_prefix=True)
    tokenizer = SentencePieceTokenizer.from_bytes(model)
    sides = [[tokenizer.encode(pair[side])[:LONGEST] for pair in chosen] for side in (0, 1)]
    counts = Counter(token for rows in sides for row in rows for token in row)
    rank = {token: place for place, (token, _) in enumerate(counts.most_common(vocabulary - SPECIALS))}
    for name, rows in zip((SOURCE, TARGET), sides):
        _write(folder / name, ([rank[token] for token in row if token in rank] for row in rows))


def hold_out(folder: Path, count: int) -> None:
    """Move the last pairs into the files of held-out ones."""
    for name, held in ((SOURCE, HELD_SOURCE), (TARGET, HELD_TARGET)):
        lines = (folder / name).read_text(encoding="utf-8").splitlines(keepends=True)
        (folder / name).write_text("".join(lines[:-count]), encoding="utf-8")
        (folder / held).write_text("".join(lines[-count:]), encoding="utf-8")


def read_ranks(path: Path) -> list[list[int]]:
    """The sentences of one side as numbers of pieces."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [[int(piece[1:]) for piece in line.split()] for line in lines]


def _write(path: Path, rows: Iterable[Iterable[int]]) -> None:
    lines = (" ".join(f"p{place}" for place in row) for row in rows)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
