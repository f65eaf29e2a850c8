"""Decoding with every attention head captured, beside Hugging Face `generate(output_attentions=True)`.

6+6 layers, d_model 512, d_ff 2,048, 8 heads, 58,101 words (embeddings and output tied), float32, one sentence
of 20 tokens, 40 new tokens, greedy; random weights on every side. Ours is the path of the window: patterns of
every head, ten candidates and a trace after each token. CTranslate2, in a process of its own, returns one
layer's average only. The limit is the speed at which the memory gives the weights that a token reads
(`tests.benchmarks.tools.reading`). Then what beams, branches and a changed model cost beside greedy decoding
(`tests.benchmarks.decode_exploring`).
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import torch

from tests.benchmarks.tools.measure import Row, arguments, by_turns, compared, report, say
from tests.benchmarks.tools.worker import Worker, WorkerFailed

WORDS = 58101
_SETTLE = 0.4

PEERS = {"hugging face": "transformers", "ctranslate2": "ctranslate2"}


def measure(
    threads: int, rounds: int, source_tokens: int, new_tokens: int, *, explore: bool = True
) -> list[Row]:
    """Rows for each peer, the limit and (`explore`) what exploring costs; all sides run by turns."""
    from tests.benchmarks import decode_exploring
    from tests.benchmarks.peers.decode_headscope import HeadscopeSide
    from tests.benchmarks.tools.reading import ReadingSide

    torch.set_num_threads(threads)
    say(f"decode, {threads} threads: making random models")
    headscope = HeadscopeSide(WORDS, source_tokens, new_tokens)
    # Before the peers are made: their threads and memory are no business of these.
    exploring = decode_exploring.measure(headscope, threads, rounds) if explore else []
    network = headscope.translator.bundle.transformer
    reading = ReadingSide(network)
    sides: dict[str, Callable[[], float]] = {"headscope": headscope, "reading": reading}
    with ExitStack() as stack:
        missing = _add_peers(sides, stack, threads, source_tokens, new_tokens)
        figures = by_turns(sides, rounds, warm_up=2, settle=_SETTLE)
    for name, values in figures.items():
        say(f"  {name}: " + " ".join(f"{value:.2f}" for value in values) + " ms a token")
    ours = figures["headscope"]
    plural = "s" if threads > 1 else ""
    base = Row(
        what=f"decode a token, all heads captured, {threads} thread{plural}",
        ours=statistics.median(ours),
        unit="ms",
        limit=0.5,
        peer_name="Hugging Face",
    )
    rows = {
        "hugging face": base,
        "ctranslate2": replace(base, peer_name="CTranslate2", limit=0.9 if threads > 1 else 1.0),
        "reading": replace(
            base,
            peer_name="reading its weights",
            limit=1.6 if threads > 1 else 1.4,
            note=f"{reading.bytes / 1e6:.0f} MB at {reading.bytes / min(figures['reading']) / 1e6:.1f} GB/s",
        ),
    }
    return [
        compared(row, ours, figures[name]) if name in figures else replace(row, note=missing[name])
        for name, row in rows.items()
    ] + exploring


def _add_peers(
    sides: dict[str, Callable[[], float]],
    stack: ExitStack,
    threads: int,
    source_tokens: int,
    new_tokens: int,
) -> dict[str, str]:
    """Add each peer that is installed; the others' reasons."""
    missing = {name: f"{package} is not installed" for name, package in PEERS.items() if not _has(package)}
    if "hugging face" in missing:
        return {**missing, "ctranslate2": missing.get("ctranslate2", missing["hugging face"])}
    from tests.benchmarks.peers.decode_peers import HuggingFaceSide, marian

    sides["hugging face"] = HuggingFaceSide(marian(WORDS), source_tokens, new_tokens)
    if "ctranslate2" not in missing:
        sizes = {"words": WORDS, "source-tokens": source_tokens, "new-tokens": new_tokens, "threads": threads}
        options = [text for name, size in sizes.items() for text in (f"--{name}", str(size))]
        log = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "ctranslate2.log"
        try:
            worker = Worker(sys.executable, "tests.benchmarks.peers.decode_ctranslate2", options, log)
        except WorkerFailed as error:
            missing["ctranslate2"] = f"it did not start: {error}"
        else:
            stack.enter_context(worker)
            sides["ctranslate2"] = lambda: float(worker.run(1)["ms"])
    return missing


def _has(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__)
    parser.add_argument(
        "--threads", type=int, nargs="+", default=[2, 1], help="1 is the window's own on 2 cores"
    )
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--source-tokens", type=int, default=20)
    parser.add_argument("--new-tokens", type=int, default=40)
    parser.add_argument("--no-exploring", action="store_true", help="leave beams, branches and changes out")
    options: argparse.Namespace = parser.parse_args()
    rows = [
        row
        for threads in options.threads
        for row in measure(
            threads,
            options.rounds,
            options.source_tokens,
            options.new_tokens,
            explore=not options.no_exploring,
        )
    ]
    report(rows, as_json=options.json)


if __name__ == "__main__":
    main()
