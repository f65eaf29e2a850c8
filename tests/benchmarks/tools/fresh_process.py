"""A benchmark's module run again and again in processes of their own, as a person starts a program."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence

from tests.benchmarks.tools.measure import say
from tests.benchmarks.tools.worker import ROOT


def medians(module: str, arguments: Sequence[str], rounds: int) -> dict[str, float]:
    """Medians of the figures that the module prints as one JSON object in its last line.

    It is told `--started`, the `time.time()` at which it was asked for. Byte code is kept between the
    rounds, as on any computer where the program ran before; the first round, which compiles, does not count.
    """
    answers: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": cache}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for _ in range(1 + rounds):
            started = repr(time.time())
            result = subprocess.run(
                [sys.executable, "-m", module, *arguments, "--started", started],
                cwd=ROOT,
                env=environment,
                stdout=subprocess.PIPE,
                text=True,
                check=True,
            )
            answers.append(json.loads(result.stdout.splitlines()[-1]))
            say("  " + ", ".join(f"{name} {value:.2f}" for name, value in answers[-1].items()))
    return {name: statistics.median(answer[name] for answer in answers[1:]) for name in answers[0]}
