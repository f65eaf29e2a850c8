"""Starting the window: until it is painted, and until a sentence typed at once is translated.

Each start is a fresh process on a fresh user's settings, with the bundled model or --model. The sentence is
asked for as soon as the window has been painted, while the model is still loading.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.tools.fresh_process import medians
from tests.benchmarks.tools.measure import Row, arguments, report, say
from tests.benchmarks.tools.worker import ROOT

if TYPE_CHECKING:
    from viewer.app import Program

SENTENCE = "The little girl gave her brother a red apple."
WINDOW_S, TRANSLATION_S = 1.0, 4.0


def start(model: Path, sentence: str, started: float) -> dict[str, float]:
    """Open the window and translate; seconds since `started`, the `time.time()` of the parent."""
    from viewer.commands.window import prepare

    prepare()
    from tests.benchmarks.tools.offscreen import application, fresh_settings

    application()
    from viewer.app import Program

    with tempfile.TemporaryDirectory() as name:
        program = Program(fresh_settings(Path(name)), theme="light", language="en")
        try:
            return _times(program, model, sentence, started)
        finally:
            program.window.close()
            program.shut_down()


def _times(program: Program, model: Path, sentence: str, started: float) -> dict[str, float]:
    from tests.benchmarks.tools.offscreen import PaintCounter, wait_until
    from viewer.document.messages.requests import Translate

    session, window = program.session, program.window
    times: dict[str, float] = {}

    def wait(name: str, done: Callable[[], bool]) -> None:
        wait_until(lambda: done() or session.notice is not None)
        if session.notice is not None and not done():
            raise RuntimeError(session.notice.sentence())
        times[name] = time.time() - started

    def tokens() -> int:
        run = session.run()
        return 0 if run is None or run.provenance.get("source") != "decoded" else run.trace.steps

    painted = PaintCounter(window)
    program.conductor.start(model)
    window.show()
    program.beforehand.start()
    wait("window", lambda: painted.count > 0)
    session.set_text(sentence)
    session.ask(Translate({"mode": "greedy"}))
    wait("model", lambda: session.model is not None)
    wait("first token", lambda: tokens() > 0)
    wait("translation", lambda: not session.job.busy)
    return times


def measure(model: Path, sentence: str, rounds: int) -> list[Row]:
    """Medians over fresh processes."""
    say(f"start: {model.name}")
    arguments = ["--start", str(model), "--sentence", sentence]
    median = medians("tests.benchmarks.start", arguments, rounds)
    size = (model / "model.safetensors").stat().st_size / 1e6
    note = (
        f"{model.name} ({size:.1f} MB) ready after {median['model']:.2f}, "
        f"first token after {median['first token']:.2f}"
    )
    return [
        Row("start until the window is painted", median["window"], "s", WINDOW_S, absolute=True),
        Row(
            "start until the first translation",
            median["translation"],
            "s",
            TRANSLATION_S,
            absolute=True,
            note=note,
        ),
    ]


def main() -> None:
    """Measure and print; with --start be the fresh process."""
    parser = arguments(__doc__)
    parser.add_argument(
        "--model", default="en-fr", help="a bundle's folder or a bundled name (default en-fr)"
    )
    parser.add_argument("--sentence", default=SENTENCE)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--start", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--started", type=float, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.start:
        print(json.dumps(start(options.start, options.sentence, options.started)))
        return
    bundled = ROOT / "resources" / "models" / options.model
    model = bundled if bundled.is_dir() else Path(options.model).resolve()
    if (model / "config.json").is_file():
        rows = measure(model, options.sentence, options.rounds)
    else:
        rows = [Row("start", None, "s", WINDOW_S, absolute=True, note=f"there is no model {options.model}")]
    report(rows, as_json=options.json)


if __name__ == "__main__":
    main()
