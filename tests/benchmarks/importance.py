"""Head importance: every head of the bundled model switched off once, for a translation of ten tokens.

Beside one greedy decoding of the same sentence as the window does it, every head captured, in the same
rounds.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from dataclasses import replace

import torch

from model.folder.bundled import DEFAULT_MODEL
from model.inspection.importance import measure_heads
from model.translator.translator import Translator
from tests.benchmarks.tools.measure import Row, arguments, by_turns, compared, report, say

SENTENCE = "She does not want to see the black cat."
TOKENS = 10
SECONDS = 2.0
"""The budget for ten tokens on two cores."""


class ImportanceSide:
    """Both ways to spend the time; each call gives seconds."""

    def __init__(self) -> None:
        self.translator = Translator.load(DEFAULT_MODEL)
        *_, last = self.translator.decode(SENTENCE)
        self.ids = last.trace.tgt_out_ids.tolist()
        assert len(self.ids) == TOKENS, f"the model writes {len(self.ids)} tokens: {last.trace.tgt_text}"
        architecture = self.translator.bundle.config.architecture
        self.heads = (architecture.encoder_layers + 2 * architecture.decoder_layers) * architecture.n_heads

    def measure(self) -> float:
        """All heads."""
        began = time.perf_counter()
        *_, last = measure_heads(self.translator.bundle, SENTENCE, self.ids)
        assert not isinstance(last, tuple)
        return time.perf_counter() - began

    def decode(self) -> float:
        """One translation."""
        began = time.perf_counter()
        *_, last = self.translator.decode(SENTENCE)
        assert last.done
        return time.perf_counter() - began


def measure(threads: int, rounds: int) -> list[Row]:
    """The time itself, and as so many decodings."""
    torch.set_num_threads(threads)
    side = ImportanceSide()
    sides: dict[str, Callable[[], float]] = {"importance": side.measure, "decode": side.decode}
    figures = by_turns(sides, rounds, warm_up=2)
    for name, values in figures.items():
        say(f"  {name}: " + " ".join(f"{value:.3f}" for value in values) + " s")
    ours, decoding = figures["importance"], figures["decode"]
    what = f"importance of {side.heads} heads, {TOKENS} tokens, {threads} thread{'s' if threads > 1 else ''}"
    row = Row(what, statistics.median(ours), "s", peer_name="one decode")
    spread = f"{min(ours):.3f} to {max(ours):.3f} s over {len(ours)} rounds"
    limited = replace(row, peer_name="", limit=SECONDS, absolute=True, note=spread)
    return [limited, compared(row, ours, decoding)]


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__)
    parser.add_argument(
        "--threads", type=int, nargs="+", default=[2, 1], help="1 is the window's own on 2 cores"
    )
    parser.add_argument("--rounds", type=int, default=10)
    options: argparse.Namespace = parser.parse_args()
    rows = [row for threads in options.threads for row in measure(threads, options.rounds)]
    report(rows, as_json=options.json)


if __name__ == "__main__":
    main()
