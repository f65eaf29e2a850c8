"""The first picture of a long trace: from its file to the painted page of all heads, in a fresh process.

512 tokens, 6 layers, 8 heads, three families, float32. The process's start and its imports are reported
apart; the file was written just before, so it comes from memory, not from the disk. BertViz, the peer, makes
the same views as HTML for a browser and is not driven from here.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.tools.fresh_process import medians
from tests.benchmarks.tools.made_up_trace import write_made_up_trace
from tests.benchmarks.tools.measure import Row, arguments, report, say
from viewer.document.run_source import RunSource

LIMIT_S = 1.0


def show(path: Path, started: float) -> dict[str, float]:
    """Open the trace in a new window; seconds of each part.

    Args:
        started: `time.time()` when the process was asked for.
    """
    from tests.benchmarks.tools.offscreen import PaintCounter, application, fresh_settings, wait_until
    from viewer.app import build_window
    from viewer.document.selection import Selection
    from viewer.document.session import Session
    from viewer.opening import recorded_run

    imported = time.time()
    application()
    session = Session()
    with tempfile.TemporaryDirectory() as name:
        window = build_window(session, fresh_settings(Path(name)), theme="light", language="en")
        heads = PaintCounter(window.look_page.heads.view)
        opening = time.time()
        run = recorded_run(path, RunSource.FILE)
        session.add_run(run, Selection.opening(None, run.trace), keep_others=False)
        opened = time.time()
        window.show()
        wait_until(lambda: heads.count > 0)
        painted = time.time()
        window.close()
    return {
        "import": imported - started,
        "window": opening - imported,
        "open": opened - opening,
        "paint": painted - opened,
        "torch": float("torch" in sys.modules),
    }


def measure(tokens: int, rounds: int) -> Row:
    """Medians over fresh processes."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "made-up.trace"
        say(f"first picture: writing a trace of {tokens} tokens")
        write_made_up_trace(path, tokens)
        median = medians("tests.benchmarks.first_picture", ["--show", str(path)], rounds)
    total = median["window"] + median["open"] + median["paint"]
    return Row(
        what=f"first picture of {tokens} tokens, all heads",
        ours=total,
        unit="s",
        peer_name="BertViz",
        limit=LIMIT_S,
        absolute=True,
        note=(
            f"building the window {median['window']:.2f}, opening the file {median['open']:.2f}, "
            f"painting {median['paint']:.2f}; before that, process and imports {median['import']:.2f}, "
            f"torch {'imported' if median['torch'] else 'not imported'}"
        ),
    )


def main() -> None:
    """Measure and print; with --show be the fresh process."""
    parser = arguments(__doc__)
    parser.add_argument("--tokens", type=int, default=512)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--show", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--started", type=float, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.show:
        print(json.dumps(show(options.show, options.started)))
    else:
        report([measure(options.tokens, options.rounds)], as_json=options.json)


if __name__ == "__main__":
    main()
