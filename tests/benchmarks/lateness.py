"""How late a 10 ms timer of the window's thread is while a model trains in the background thread.

The real program (window, session, engine with its scheduler) trains the model of the training benchmark on
made-up pairs, a step a slice, with as many threads as the engine takes by itself: one fewer than there are
cores. Lateness is the time between two ticks less 10 ms.
"""

from __future__ import annotations

import itertools
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tests.benchmarks.made_up_trace import write_made_up_trace
from tests.benchmarks.measure import Row, arguments, report, say
from tests.benchmarks.offscreen import application, fresh_settings, wait_until
from tests.benchmarks.parallel_text import write_made_up

if TYPE_CHECKING:
    from viewer.engine.source import Decoded
    from viewer.state.messages import Decode, ModelInfo, PiecesSplit, SplitText

INTERVAL_MS, LIMIT_MS = 10, 33.0
_VOCABULARY, _WARM_UP_STEPS = 8000, 2


class TrainingSource:
    """A model source whose decoding is a training run: a slice of the scheduler is an optimizer step."""

    def __init__(self, pairs: Path, trace: Path, batch_tokens: int) -> None:
        import torch

        from model.trace_file import open_trace
        from tests.benchmarks.training_headscope import build_trainer
        from viewer.engine.translator_source import spare_cores

        self.threads = spare_cores()
        torch.set_num_threads(self.threads)
        self.trace = open_trace(trace)
        self.trainer = build_trainer(
            pairs, vocabulary=_VOCABULARY, batch_tokens=batch_tokens, precision="auto"
        )

    def info(self) -> ModelInfo:
        """What the window says of the model."""
        from viewer.state.messages import ModelInfo

        architecture = self.trainer.transformer.architecture.to_json()
        return ModelInfo("", "training", ("en", "fr"), architecture, 0, "", None, None)

    def split(self, request: SplitText) -> PiecesSplit:
        """No pieces."""
        from viewer.state.messages import PiecesSplit

        return PiecesSplit(request.job, request.text, (), 0, 1)

    def decode(self, request: Decode) -> Iterator[Decoded]:
        """Train until cancelled."""
        from viewer.engine.source import Decoded

        while True:
            self.trainer.run_step()
            yield Decoded(self.trace)


def ticks(folder: Path, seconds: float, batch_tokens: int) -> tuple[list[float], list[float], int, int]:
    """Milliseconds between ticks while idle and while training, then steps done and threads used."""
    from PySide6.QtCore import Qt, QTimer

    from model.decode_config import DecodeConfig
    from viewer.app import Program
    from viewer.engine.engine import Engine
    from viewer.state.messages import Decode, OpenModel

    application()
    sources: list[TrainingSource] = []

    def load(path: str) -> TrainingSource:
        sources.append(TrainingSource(folder, folder / "small.trace", batch_tokens))
        return sources[0]

    program = Program(fresh_settings(folder), theme="light", language="en", engine=Engine(load_model=load))
    program.window.show()
    engine = program.engine
    engine.submit(OpenModel(engine.new_job(), "training"))
    wait_until(lambda: not engine.busy)

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

    idle = intervals(seconds / 4)
    job = engine.submit(Decode(engine.new_job(), "train", DecodeConfig()))
    trainer = sources[0].trainer
    wait_until(lambda: trainer.step >= _WARM_UP_STEPS)
    before = trainer.step
    training = intervals(seconds)
    steps = trainer.step - before
    engine.cancel(job)
    wait_until(lambda: not engine.busy)
    program.window.close()
    program.shut_down()
    return idle, training, steps, sources[0].threads


def measure(seconds: float, batch_tokens: int) -> Row:
    """Percentiles of the lateness."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_made_up(folder, pairs=20_000, vocabulary=_VOCABULARY)
        write_made_up_trace(folder / "small.trace", 16)
        say(f"lateness: training for {seconds:g} s")
        idle, training, steps, threads = ticks(folder, seconds, batch_tokens)
    late, quiet = ([max(0.0, value - INTERVAL_MS) for value in values] for values in (training, idle))
    return Row(
        what="lateness of a 10 ms timer while training, p99",
        ours=float(np.percentile(late, 99)),
        unit="ms",
        limit=LIMIT_MS,
        absolute=True,
        note=(
            f"median {statistics.median(late):.1f}, worst {max(late):.1f}, p99 without training "
            f"{np.percentile(quiet, 99):.1f}; {steps} steps in {seconds:g} s, training threads: {threads}"
        ),
    )


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--batch-tokens", type=int, default=4096)
    options = parser.parse_args()
    report([measure(options.seconds, options.batch_tokens)], as_json=options.json)


if __name__ == "__main__":
    main()
