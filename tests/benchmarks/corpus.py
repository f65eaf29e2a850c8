"""Two million sentence pairs from a file to an encoded corpus: how much memory, and how long.

The file is made up: words drawn by Zipf's law, about 60 characters a side, one pair in a hundred repeated. A
fresh process that has loaded torch surveys it as the window does, then reads, splits, learns a vocabulary and
encodes as a training run does. Counted is the most memory that the process ever had; the one that learns the
vocabulary is counted apart, as it ends before training begins.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from tests.benchmarks.tools.measure import Row, arguments, report, say
from tests.benchmarks.tools.worker import ROOT, answer

T = TypeVar("T")

PAIRS, VOCABULARY = 2_000_000, 8000
MOST_GB = 1.5
_BLOCK = 20_000


def write_pairs(path: Path, count: int, seed: int = 1) -> None:
    """Tab-separated made-up sentences of two languages, 4 to 20 words long."""
    draw = np.random.default_rng(seed)
    lexicons = [_lexicon(draw, letters, 60_000) for letters in ("etaoinshrdlucm", "esaitnrulodcpé")]
    shares = 1.0 / np.arange(1, 60_001)
    shares /= shares.sum()
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for begin in range(0, count, _BLOCK):
            size = min(_BLOCK, count - begin)
            lengths = np.clip(draw.normal(11, 3.5, size).round(), 4, 20).astype(int)
            sides = []
            for lexicon in lexicons:
                ids = iter(draw.choice(60_000, int(lengths.sum()), p=shares).tolist())
                sides.append([" ".join(lexicon[next(ids)] for _ in range(n)) for n in lengths.tolist()])
            rows = [f"{source}.\t{target} .\n" for source, target in zip(*sides)]
            rows[1::100] = rows[::100][: len(rows[1::100])]
            file.write("".join(rows))


def _lexicon(draw: np.random.Generator, letters: str, count: int) -> list[str]:
    """Made-up words; the commonest are the shortest."""
    sizes = np.clip(draw.normal(2 + np.log1p(np.arange(count)) / 2, 1.0), 1, 14).round().astype(int)
    ids = iter(draw.integers(0, len(letters), int(sizes.sum())).tolist())
    return ["".join(letters[next(ids)] for _ in range(size)) for size in sizes.tolist()]


def load(path: str) -> dict[str, float | None]:
    """The fresh process: seconds of each stage and gigabytes at most."""
    import torch  # noqa: F401 (a training run has it in memory)

    from model.data.corpus import encode_pairs
    from model.data.survey_corpus import survey_corpus
    from model.data.training_data import read_training_data
    from model.data.vocabularies import learn_vocabularies
    from model.train_options import TrainOptions

    options = TrainOptions(name="corpus", pairs=(path,), vocab_size=VOCABULARY, drop_duplicates=True)
    times: dict[str, float | None] = {"start_gb": peak()}
    begun = time.monotonic()

    def noted(name: str, value: T) -> T:
        nonlocal begun
        times[name] = time.monotonic() - begun
        begun = time.monotonic()
        say(f"  {name} {times[name]:.1f} s, at most {peak()} GB so far")
        return value

    survey = noted("survey", list(survey_corpus(options))[-1])
    longest: list[float] = []
    data = noted("read", _result(read_training_data(options), longest))
    assert (survey.train, survey.dev) == (len(data.train), len(data.dev))
    times["pairs"] = len(data.train)
    source, target = noted("vocabulary", _result(learn_vocabularies(data.train, options), longest))
    corpus = noted("encode", _result(encode_pairs(data.train, source, target, 128), longest))
    assert len(corpus) + corpus.dropped_long + corpus.dropped_empty == len(data.train)
    times["tokens"] = float(len(corpus.source_ids) + len(corpus.target_ids))
    return {**times, "longest": max(longest), "gb": peak(), "learner_gb": peak(children=True)}


def _result(work: Generator[Any, None, T], longest: list[float]) -> T:
    """What `work` returns; the longest time between two of its yields is added to the list."""
    most = 0.0
    while True:
        begun = time.monotonic()
        try:
            next(work)
        except StopIteration as end:
            longest.append(most)
            value: T = end.value
            return value
        most = max(most, time.monotonic() - begun)


def peak(*, children: bool = False) -> float | None:
    """Gigabytes (10^9 bytes) that this process, or one it started, had in memory at most; None if unknown."""
    try:
        import resource
    except ImportError:
        return None
    usage = resource.getrusage(resource.RUSAGE_CHILDREN if children else resource.RUSAGE_SELF).ru_maxrss
    return round(usage * (1 if sys.platform == "darwin" else 1024) / 1e9, 3)


def measure(count: int) -> list[Row]:
    """One row for memory and one for time."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pairs.tsv"
        say(f"corpus: making {count:,} pairs")
        write_pairs(path, count)
        megabytes = path.stat().st_size / 1e6
        command = [sys.executable, "-m", "tests.benchmarks.corpus", "--load", str(path)]
        result = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    found = json.loads(result.stdout.splitlines()[-1])
    what = f"{count:,} pairs from a file of {megabytes:.0f} MB to an encoded corpus"
    learner = f"the process that learns the vocabulary {found['learner_gb']} GB"
    memory = f"{found['start_gb']} GB of it once torch is loaded; {learner}"
    stages = ", ".join(f"{name} {found[name]:.1f} s" for name in ("survey", "read", "vocabulary", "encode"))
    total = sum(found[name] for name in ("read", "vocabulary", "encode"))
    gaps = f"at most {found['longest']:.2f} s between two moments at which it can be cancelled"
    return [
        Row(f"{what}: memory", found["gb"], "GB", MOST_GB, absolute=True, note=memory),
        Row(
            f"{what}: time", total, "s", note=f"{stages}; {found['tokens'] / 1e6:.1f} million tokens; {gaps}"
        ),
    ]


def main() -> None:
    """Measure and print; with --load be the fresh process."""
    parser = arguments(__doc__)
    parser.add_argument("--pairs", type=int, default=PAIRS, help="how many (default 2,000,000)")
    parser.add_argument("--load", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.load:
        answer(load(options.load))
        return
    report(measure(options.pairs), as_json=options.json)


if __name__ == "__main__":
    main()
