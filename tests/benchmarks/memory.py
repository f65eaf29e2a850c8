"""Memory of a training run over 2,000 steps: is it flat?

A whole run as the command makes it, in a fresh process for each precision: 2+2 layers, d_model 128, batches
of 1,024 tokens, evaluated, saved and probed now and then. Its made-up pairs have the lengths of real ones, so
that batches have hundreds of different shapes. Counted is what the process has in memory (its peak where the
system does not say).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import torch

from model.config import Precision, TrainConfig
from model.network.precision import has_fast_bfloat16
from model.train_options import TrainOptions
from model.training.progress.events import StepEvent
from model.training.train import train
from tests.benchmarks.tools.measure import Row, arguments, report, say
from tests.benchmarks.tools.parallel_text import SOURCE, TARGET, write_made_up
from tests.benchmarks.tools.worker import ROOT

PAIRS, VOCABULARY = 20_000, 4000
ARCHITECTURE = {
    "d_model": 128, "n_heads": 4, "encoder_layers": 2, "decoder_layers": 2, "d_ff": 512,
    "tie_embeddings": "all",
}  # fmt: skip
AT = (100, 200, 500, 1000, 2000)
STEADY_FROM = 200
MOST_GROWTH = 1.1  # of what the process has at STEADY_FROM


def resident() -> int:
    """Bytes of this process that are in memory now; the most there ever were where only that is known."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024
    return pages * os.sysconf("SC_PAGE_SIZE")


def train_and_tell(precision: Precision, steps: int, threads: int) -> None:
    """The process that trains: prints step and bytes."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_made_up(folder, pairs=PAIRS, vocabulary=VOCABULARY)
        sides = [(folder / side).read_text(encoding="utf-8").splitlines() for side in (SOURCE, TARGET)]
        pairs = folder / "pairs.tsv"
        pairs.write_text("".join(f"{a}\t{b}\n" for a, b in zip(*sides)), encoding="utf-8")
        del sides
        config = TrainConfig(
            batch_tokens=1024, precision=precision, threads=threads, steps=steps,
            eval_every=250, save_every=100, bleu_sentences=40, probe_every=50, probe_megabytes=8,
        )  # fmt: skip
        options = TrainOptions(
            pairs=(str(pairs),), name="memory", vocab_size=VOCABULARY, vocab_type="word",
            byte_fallback=False, architecture=ARCHITECTURE, train=config,
        )  # fmt: skip
        for event in train(options, folder / "run"):
            if isinstance(event, StepEvent) and event.step in AT:
                print(event.step, resident(), flush=True)


def measure(precision: str, steps: int, threads: int) -> Row:
    """A fresh process's memory after 100, 200, ... steps."""
    command = [sys.executable, "-m", "tests.benchmarks.memory", "--train", precision]
    command += ["--steps", str(steps), "--threads", str(threads)]
    say(f"memory: {steps} steps in {precision}")
    found: dict[int, int] = {}
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            step, size = map(int, line.split())
            found[step] = size
            say(f"  step {step:,}: {size / 2**20:,.0f} MiB")
    if process.returncode:
        raise SystemExit(f"training ended with status {process.returncode}")
    later = [size for step, size in found.items() if step >= STEADY_FROM]
    growth = max(later) / later[0] if later else None
    return Row(
        what=f"memory in {precision} from step {STEADY_FROM} on, most / first",
        ours=growth,
        unit="×",
        limit=MOST_GROWTH,
        absolute=True,
        note=", ".join(f"step {step:,}: {size / 2**20:,.0f} MiB" for step, size in found.items()),
    )


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__)
    parser.add_argument("--steps", type=int, default=AT[-1])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--train", choices=["float32", "bfloat16"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.train:
        train_and_tell(options.train, options.steps, options.threads)
        return
    fast = has_fast_bfloat16(torch.device("cpu"))
    precisions = ["bfloat16", "float32"] if fast else ["float32"]
    rows = [measure(precision, options.steps, options.threads) for precision in precisions]
    report(rows, as_json=options.json)


if __name__ == "__main__":
    main()
