"""Loss at equal target tokens beside JoeyNMT: nats a token of held-out pairs, one measure for both.

The model of `training`, the same training pairs, as many of them in a batch on either side (so as many steps,
and the same rates of the Noam schedule, at the same number of tokens), dropout and label smoothing 0.1, Adam
0.9 and 0.98, clipping at 1. What is each side's own: how weights begin (JoeyNMT: Xavier throughout), which
pairs share a batch, dropout inside attention (JoeyNMT's alone), and the precision (ours as `auto` has it
unless told otherwise). Neither side's own figure is looked at, see `peers.held_out`.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import torch

from model.network.precision import compute_dtype
from tests.benchmarks.tools.measure import Row, arguments, report, say
from tests.benchmarks.tools.parallel_text import hold_out, write_from_file, write_made_up
from tests.benchmarks.tools.worker import Worker, WorkerFailed
from tests.benchmarks.training import why_not

HELD = 400

MOST = 1.02
"""No worse: two runs of JoeyNMT with the same seed and pairs were up to a fiftieth apart."""


def measure(options: argparse.Namespace) -> list[Row]:
    """A row for every checkpoint; the mean over seeds."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        count = options.count + HELD
        if options.pairs:
            write_from_file(folder, options.pairs, pairs=count, vocabulary=options.vocabulary)
        else:
            write_made_up(folder, pairs=count, vocabulary=options.vocabulary)
        hold_out(folder, HELD)
        reason = why_not(options.joeynmt_python)
        sides = [[_curve(folder, options, seed) for seed in options.seeds]]
        if not reason:
            try:
                sides.append([_curve(folder, options, seed, joeynmt=True) for seed in options.seeds])
            except WorkerFailed as error:
                reason = f"JoeyNMT did not start: {error}"
    return [_row(tokens, sides, options, reason) for tokens in [0, *options.tokens]]


def _curve(
    folder: Path, options: argparse.Namespace, seed: int, *, joeynmt: bool = False
) -> dict[int, float]:
    """Nats a token by target tokens trained on."""
    label = f"{'joeynmt' if joeynmt else options.precision}-{seed}"
    command = [
        "--folder", str(folder), "--threads", str(options.threads), "--vocabulary", str(options.vocabulary),
        "--batch-tokens", "4096", "--batch-pairs", str(options.batch_pairs),
        "--warmup", str(options.warmup), "--seed", str(seed),
    ]  # fmt: skip
    module = "tests.benchmarks.peers.training_joeynmt"
    if not joeynmt:
        module = "tests.benchmarks.peers.training_headscope"
        command += ["--precision", options.precision]
    python = options.joeynmt_python if joeynmt else sys.executable
    with ExitStack() as stack:
        worker = stack.enter_context(Worker(python, module, command, folder / f"{label}.log"))
        found = {0: float(worker.run(0)["nll"])}
        done = 0
        for tokens in options.tokens:
            while done < tokens:
                done += int(worker.run(1)["target_tokens"])
            found[tokens] = float(worker.run(0)["nll"])
            say(f"  {label}: {done:,} target tokens, {found[tokens]:.3f} nats a token of held-out pairs")
    return found


def _row(tokens: int, sides: list[list[dict[int, float]]], options: argparse.Namespace, reason: str) -> Row:
    figures = [[curve[tokens] for curve in side] for side in sides]
    ours = statistics.mean(figures[0])
    pairs = "pairs from a file" if options.pairs else "made-up pairs"
    told = f"{pairs}, {options.batch_pairs} a batch, warm-up {options.warmup}; {options.precision}"
    row = Row(
        what=f"held-out loss after {tokens:,} target tokens" if tokens else "held-out loss before training",
        ours=ours,
        unit="nats",
        limit=MOST if tokens else None,
        peer_name="JoeyNMT 2.3",
        note=f"{told}; seeds {options.seeds}: {_all(figures[0])}",
    )
    if len(figures) == 1:
        return replace(row, note=f"{row.note}; {reason}")
    peer = statistics.mean(figures[1])
    return replace(row, peer=peer, ratio=ours / peer, note=f"{row.note} and {_all(figures[1])}")


def _all(figures: list[float]) -> str:
    return ", ".join(f"{figure:.3f}" for figure in figures)


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__)
    parser.add_argument("--joeynmt-python", default=sys.executable, metavar="PATH", help="default: this one")
    parser.add_argument("--pairs", metavar="FILE", help="tab-separated pairs instead of made-up ones")
    parser.add_argument("--count", type=int, default=40_000, help="pairs to train on (default %(default)s)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--vocabulary", type=int, default=8000)
    parser.add_argument("--batch-pairs", type=int, default=64)
    parser.add_argument("--warmup", type=int, default=200)
    parser.add_argument("--tokens", type=int, nargs="+", default=[15_000, 30_000, 60_000])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2])
    usual = "bfloat16" if compute_dtype("auto", torch.device("cpu")) == torch.bfloat16 else "float32"
    parser.add_argument("--precision", choices=["float32", "bfloat16"], default=usual)
    options = parser.parse_args()
    report(measure(options), as_json=options.json)


if __name__ == "__main__":
    main()
