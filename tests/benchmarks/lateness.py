"""How late a 10 ms timer of the window's thread is while the window trains a model.

The real program (window, session, engine with its scheduler) trains the model of the training benchmark on
made-up pairs as the Train page does: the page in view, its curves, heads and translations moving, evaluations
among the steps, with as many threads as the engine takes by itself: one fewer than there are cores. Lateness
is the time between two ticks less 10 ms.
"""

from __future__ import annotations

import itertools
import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tests.benchmarks.tools.measure import Row, arguments, report, say
from tests.benchmarks.tools.offscreen import application, fresh_settings, wait_until
from tests.benchmarks.tools.parallel_text import SOURCE, TARGET, write_made_up

if TYPE_CHECKING:
    from model.train_options import TrainOptions

INTERVAL_MS, LIMIT_MS = 10, 33.0
_VOCABULARY, _PAIRS, _WARM_UP_STEPS, _TRAIN_PAGE = 8000, 20_000, 2, 3
_PREPARING_SECONDS = 300.0


@dataclass(frozen=True)
class Ticks:
    """Milliseconds between ticks while idle and while training, and what was trained meanwhile."""

    idle: list[float]
    training: list[float]
    steps: int
    evaluations: int
    threads: int


def options(folder: Path, batch_tokens: int) -> TrainOptions:
    """3+3 layers, d_model 256, an evaluation every 20 steps with 20 translations, the probe every 5 steps."""
    from model.config import TrainConfig
    from model.train_options import PRESETS, TrainOptions

    lines = zip(*((folder / name).read_text(encoding="utf-8").splitlines() for name in (SOURCE, TARGET)))
    pairs = folder / "pairs.tsv"
    pairs.write_text("".join(f"{source}\t{target}\n" for source, target in lines), encoding="utf-8")
    return TrainOptions(
        pairs=(str(pairs),),
        name="lateness",
        vocab_size=_VOCABULARY,
        vocab_type="word",
        architecture={**PRESETS["small"].architecture, "tie_embeddings": "all"},
        train=TrainConfig(
            batch_tokens=batch_tokens, steps=10**6, eval_every=20, bleu_sentences=20, probe_every=5
        ),
    )


def ticks(folder: Path, seconds: float, batch_tokens: int) -> Ticks:
    """Train in the window for so long."""
    from PySide6.QtCore import Qt, QTimer

    from viewer.app import Program
    from viewer.cores import spare_cores
    from viewer.document.messages.training_requests import StartRun

    application()
    program = Program(fresh_settings(folder), theme="light", language="en")
    program.window.show()
    program.window.pages.show_page(_TRAIN_PAGE)
    moments: list[float] = []
    timer = QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.timeout.connect(lambda: moments.append(time.perf_counter()))
    timer.start(INTERVAL_MS)

    def intervals(length: float) -> list[float]:
        moments.clear()
        end = time.perf_counter() + length
        wait_until(lambda: time.perf_counter() > end, seconds=2 * length)
        return [1000 * (b - a) for a, b in itertools.pairwise(moments)]

    def steps() -> int:
        last = program.training.last_step
        return 0 if last is None else last.step

    idle = intervals(seconds / 4)
    program.training_conductor.start(StartRun(options(folder, batch_tokens), str(folder / "model")))
    wait_until(lambda: steps() >= _WARM_UP_STEPS, _PREPARING_SECONDS)
    before, evaluations = steps(), len(program.training.evals)
    training = intervals(seconds)
    result = Ticks(idle, training, steps() - before, len(program.training.evals) - evaluations, spare_cores())
    timer.stop()
    program.window.close()
    wait_until(lambda: not program.window.isVisible())
    program.shut_down()
    return result


def measure(seconds: float, batch_tokens: int) -> Row:
    """Percentiles of the lateness."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_made_up(folder, pairs=_PAIRS, vocabulary=_VOCABULARY)
        say(f"lateness: training in the window for {seconds:g} s")
        found = ticks(folder, seconds, batch_tokens)
    late, quiet = (
        [max(0.0, value - INTERVAL_MS) for value in values] for values in (found.training, found.idle)
    )
    return Row(
        what="lateness of a 10 ms timer while training, p99",
        ours=float(np.percentile(late, 99)),
        unit="ms",
        limit=LIMIT_MS,
        absolute=True,
        note=(
            f"median {statistics.median(late):.1f}, worst {max(late):.1f}, p99 without training "
            f"{np.percentile(quiet, 99):.1f}; {found.steps} steps and {found.evaluations} evaluations in "
            f"{seconds:g} s, training threads: {found.threads}"
        ),
    )


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--batch-tokens", type=int, default=4096)
    given = parser.parse_args()
    report([measure(given.seconds, given.batch_tokens)], as_json=given.json)


if __name__ == "__main__":
    main()
