"""Training speed beside JoeyNMT: real (non-padding) target tokens a second, the same pairs and threads.

3+3 layers, d_model 256, d_ff 1,024, 4 heads, 8,000 pieces, one embedding for all, batches of 4,096 tokens,
dropout and label smoothing 0.1. JoeyNMT computes in float32 (it has no bfloat16 on a CPU). Its packages need
old companions; where they cannot live beside Headscope, give another environment's interpreter with
--joeynmt-python. Each side runs in a process of its own and takes turns with the other. What the
tokens were good for: `training_loss`.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import torch

from model.network.precision import has_fast_bfloat16
from tests.benchmarks.tools.measure import Row, arguments, by_turns, compared, report, say
from tests.benchmarks.tools.parallel_text import write_from_file, write_made_up
from tests.benchmarks.tools.worker import ROOT, Worker, WorkerFailed

LEAST = {"bfloat16": 10.0, "float32": 5.0}


def measure(options: argparse.Namespace) -> list[Row]:
    """A row for every number of threads and every precision."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if options.pairs:
            write_from_file(folder, options.pairs, pairs=options.count, vocabulary=options.vocabulary)
        else:
            write_made_up(folder, pairs=options.count, vocabulary=options.vocabulary)
        reason = why_not(options.joeynmt_python)
        return [row for threads in options.threads for row in _rows(folder, threads, options, reason)]


def _rows(folder: Path, threads: int, options: argparse.Namespace, reason: str) -> list[Row]:
    fast = has_fast_bfloat16(torch.device("cpu"))
    precisions = [p for p in LEAST if fast or p == "float32"]
    common = [
        "--folder", str(folder), "--threads", str(threads),
        "--vocabulary", str(options.vocabulary), "--batch-tokens", str(options.batch_tokens),
    ]  # fmt: skip
    with ExitStack() as stack:

        def side(python: str, label: str, module: str, *more: str) -> Callable[[], float]:
            say(f"training, {threads} threads: starting {label}")
            worker = stack.enter_context(
                Worker(python, f"tests.benchmarks.peers.{module}", [*common, *more], folder / f"{label}.log")
            )
            say(f"  {worker.hello['parameters']:,} parameters, torch {worker.hello['torch']}")

            def run() -> float:
                result = worker.run(options.steps)
                speed = float(result["target_tokens"] / result["seconds"])
                say(f"  {label}: {speed:,.0f} target tokens/s")
                return speed

            return run

        sides = {p: side(sys.executable, p, "training_headscope", "--precision", p) for p in precisions}
        if not reason:
            try:
                sides["joeynmt"] = side(options.joeynmt_python, "joeynmt", "training_joeynmt")
            except WorkerFailed as error:
                reason = f"JoeyNMT did not start: {error}"
        figures = by_turns(sides, options.rounds)
    return [_row(threads, p, figures, reason, bool(options.pairs)) for p in precisions]


def _row(threads: int, precision: str, figures: dict[str, list[float]], reason: str, real: bool) -> Row:
    plural = "s" if threads > 1 else ""
    row = Row(
        what=f"train 3+3 layers in {precision}, {threads} thread{plural}",
        ours=statistics.median(figures[precision]),
        unit="tokens/s",
        limit=LEAST[precision],
        peer_name="JoeyNMT 2.3",
        at_least=True,
        note="pairs from a file" if real else "made-up pairs",
    )
    if "joeynmt" in figures:
        return compared(row, figures[precision], figures["joeynmt"])
    return Row(**{**row.__dict__, "note": reason})


def why_not(python: str) -> str:
    """Why JoeyNMT cannot be measured with this interpreter; empty if it can."""
    command = [python, "-m", "tests.benchmarks.peers.training_joeynmt", "--help"]
    try:
        test = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError as error:
        return f"{python}: {error.strerror}"
    if test.returncode == 0:
        return ""
    return f"JoeyNMT cannot be imported: {test.stderr.strip().splitlines()[-1]}"


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__)
    parser.add_argument("--joeynmt-python", default=sys.executable, metavar="PATH", help="default: this one")
    parser.add_argument("--pairs", metavar="FILE", help="tab-separated pairs instead of made-up ones")
    parser.add_argument("--count", type=int, default=60_000, help="pairs to use (default %(default)s)")
    parser.add_argument("--threads", type=int, nargs="+", default=[2, 1])
    parser.add_argument("--vocabulary", type=int, default=8000)
    parser.add_argument("--batch-tokens", type=int, default=4096)
    parser.add_argument("--steps", type=int, default=4, help="steps a round (default %(default)s)")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    report(measure(options), as_json=options.json)


if __name__ == "__main__":
    main()
