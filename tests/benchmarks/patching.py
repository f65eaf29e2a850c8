"""Carrying over: every head of A put into B by itself, with two sentences of about a dozen tokens.

The bundled model, and one of random weights with 144 heads (3 families, 4 layers of 12 heads each, d_model
384). Beside one greedy decoding of B with every head captured, in the same rounds.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import torch

from model.bundle.bundle import Bundle, write_bundle
from model.config import Architecture
from model.decoding.decode_config import DecodeConfig
from model.folder.bundled import DEFAULT_MODEL, resolve_model
from model.inspection.answering import answer
from model.network.transformer import Transformer
from model.questions.causes.patching import Measured, Patched, PatchOf
from model.questions.questions import Reading
from model.translator.translator import Translator
from tests.benchmarks.tools.measure import Row, arguments, by_turns, compared, report, say

A, B = "The little girl gave her brother a red apple.", "The little boy gave her brother a red apple."
TARGET = "Le petit garçon donna une pomme rouge à son frère."
SECONDS = 5.0
"""The budget for 144 heads and twelve tokens on two cores."""


class PatchSide:
    """Both ways to spend the time; each call gives seconds."""

    def __init__(self, translator: Translator) -> None:
        self.translator = translator
        self.a, self.b = (self._read(text) for text in (A, B))
        # With all rows of the decoder: the last step.
        self.step = min(len(self.a.out_ids), len(self.b.out_ids)) - 2
        same = replace(self.a, out_ids=self.b.out_ids)
        word, rival = self.b.out_ids[self.step], self.b.out_ids[self.step - 1]
        self.question = PatchOf(Measured(same, self.step, word=word, rival=rival))
        a = translator.bundle.config.architecture
        self.heads = (a.encoder_layers + 2 * a.decoder_layers) * a.n_heads
        self.tokens = len(self.b.src_ids), self.step + 1

    def _read(self, text: str) -> Reading:
        *_, last = self.translator.decode(text, DecodeConfig(mode="forced", target=TARGET))
        return Reading.of(last.trace)

    def patch(self) -> float:
        """All heads."""
        began = time.perf_counter()
        *_, found = answer(self.translator.bundle, self.question, self.b)
        assert isinstance(found, Patched)
        return time.perf_counter() - began

    def decode(self) -> float:
        """One translation."""
        began = time.perf_counter()
        *_, last = self.translator.decode(B)
        assert last.done
        return time.perf_counter() - began


def of_144(folder: Path) -> Translator:
    """A model of random weights with the bundled one's pieces."""
    bundled: Bundle = Translator.load(DEFAULT_MODEL).bundle
    own = bundled.config.architecture
    a: Architecture = replace(own, d_model=384, n_heads=12, encoder_layers=4, decoder_layers=4, d_ff=1536)
    home = resolve_model(DEFAULT_MODEL)
    pieces = [(Path(home) / f"{side}.spm").read_bytes() for side in ("source", "target")]
    network = Transformer(a, torch.Generator().manual_seed(1))
    with torch.no_grad():
        network.output.weight *= 20  # so that A and B are apart
    write_bundle(folder, replace(bundled.config, architecture=a), network, *pieces, half=False)
    return Translator.load(str(folder))


def measure(name: str, side: PatchSide, threads: int, rounds: int) -> list[Row]:
    """The time itself, and as so many decodings."""
    torch.set_num_threads(threads)
    sides: dict[str, Callable[[], float]] = {"patch": side.patch, "decode": side.decode}
    figures = by_turns(sides, rounds, warm_up=1)
    for each, values in figures.items():
        say(f"  {each}: " + " ".join(f"{value:.3f}" for value in values) + " s")
    ours = figures["patch"]
    source, steps = side.tokens
    what = f"{name}: {side.heads} heads carried over, {source} tokens and {steps} steps, {threads} threads"
    row = Row(what, statistics.median(ours), "s", peer_name="one decode")
    spread = f"{min(ours):.3f} to {max(ours):.3f} s over {len(ours)} rounds"
    limited = replace(row, peer_name="", limit=SECONDS, absolute=True, note=spread)
    return [limited, compared(row, ours, figures["decode"])]


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    options: argparse.Namespace = parser.parse_args()
    rows = measure("bundled", PatchSide(Translator.load(DEFAULT_MODEL)), options.threads, options.rounds)
    with tempfile.TemporaryDirectory() as folder:
        side = PatchSide(of_144(Path(folder) / "bundle"))
        rows += measure("random weights", side, options.threads, options.rounds)
    report(rows, as_json=options.json)


if __name__ == "__main__":
    main()
