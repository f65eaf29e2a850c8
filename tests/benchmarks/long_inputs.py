"""Long inputs: memory above the empty window, all 144 heads redrawn, zooming and panning a map.

The real window (1280 x 800, no screen) in a fresh process, on a trace file of 1,024 tokens, 6 layers, 8 heads
and three families, float32 (600 MB). Memory is the kernel's RssAnon: what the process has to keep, without
the file's own pages. The first picture is taken as `first_picture` does; switching heads has a
benchmark of its own, `switch`.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from tests.benchmarks.first_picture import LIMIT_S
from tests.benchmarks.tools.fresh_process import medians
from tests.benchmarks.tools.made_up_trace import HEADS, LAYERS, write_made_up_trace
from tests.benchmarks.tools.measure import Row, arguments, report, say
from viewer.document.run_source import RunSource

LIMIT_MB, LIMIT_REDRAW_MS = 300.0, 50.0
_ROUNDS = 20


def anonymous_mb() -> float:
    """This process's anonymous resident memory, in MB of 10**6 bytes."""
    found = re.search(r"RssAnon:\s+(\d+) kB", Path("/proc/self/status").read_text())
    return float("nan") if found is None else int(found[1]) * 1024 / 1e6


def show(path: Path) -> dict[str, float]:
    """Open the trace in a new window, look at all of it; milliseconds and MB."""
    from tests.benchmarks.tools.offscreen import PaintCounter, application, fresh_settings, wait_until
    from viewer.app import build_window
    from viewer.document.selection import Selection
    from viewer.document.session import Session
    from viewer.opening import recorded_run

    application()
    session = Session()
    with tempfile.TemporaryDirectory() as name:
        window = build_window(session, fresh_settings(Path(name)), theme="light", language="en")
        window.resize(1280, 800)
        window.show()
        pane = window.look_page.panes[0]
        empty = PaintCounter(window.look_page.heads.view)
        wait_until(lambda: empty.count > 0)
        before = anonymous_mb()
        run = recorded_run(path, RunSource.FILE)
        session.add_run(run, Selection.opening(None, run.trace), keep_others=False)
        painted = PaintCounter(pane.map)
        wait_until(lambda: painted.count > 0)
        result = {"first_mb": anonymous_mb() - before}

        def timed(counter: PaintCounter, change: Callable[[], None]) -> float:
            count, began = counter.count, time.perf_counter()
            change()
            wait_until(lambda: counter.count > count)
            return 1000 * (time.perf_counter() - began)

        began = time.perf_counter()
        session.select(view="heads")
        wait_until(lambda: pane.views["heads"].isVisible() and pane.views["heads"].complete)
        result["read_heads_ms"] = 1000 * (time.perf_counter() - began)
        heads = PaintCounter(pane.views["heads"])
        steps = [_changed_step(session, number) for number in range(_ROUNDS)]
        result["redraw_ms"] = _p95(timed(heads, change) for change in steps)
        session.select(view="map")
        result["zoom_ms"] = _p95(timed(painted, lambda: pane.map.zoom_by(1.25)) for _ in range(_ROUNDS))
        for kind in run.trace.kinds:
            for layer in range(LAYERS):
                timed(painted, _chosen(session, kind=kind, layer=layer, head=layer % HEADS))
        for view in ("flow", "words"):
            shown = PaintCounter(pane.views[view])
            timed(shown, _chosen(session, view=view))
        result["looked_at_mb"] = anonymous_mb() - before
        window.close()
    return result


def _changed_step(session: object, number: int) -> Callable[[], None]:
    return _chosen(session, step=100 + 40 * number)


def _chosen(session: object, **changes: object) -> Callable[[], None]:
    return lambda: session.select(**changes)  # type: ignore[attr-defined]


def _p95(times: Iterator[float]) -> float:
    return float(np.percentile(list(times), 95))


def measure(tokens: int, rounds: int) -> list[Row]:
    """Medians over fresh processes."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "made-up.trace"
        say(f"long inputs: writing a trace of {tokens} tokens")
        write_made_up_trace(path, tokens)
        median = medians("tests.benchmarks.long_inputs", ["--show", str(path)], rounds)
        first = medians("tests.benchmarks.first_picture", ["--show", str(path)], rounds)
    heads = 3 * LAYERS * HEADS
    return [
        Row(
            what=f"first picture of {tokens:,} tokens, all heads",
            ours=first["window"] + first["open"] + first["paint"],
            unit="s",
            limit=LIMIT_S,
            absolute=True,
            note=f"before that, process and imports {first['import']:.2f}",
        ),
        Row(
            what=f"memory above the empty window, {tokens:,} tokens, every view seen",
            ours=median["looked_at_mb"],
            unit="MB",
            limit=LIMIT_MB,
            absolute=True,
            note=f"RssAnon; after the first picture {median['first_mb']:.0f} MB",
        ),
        Row(
            what=f"redraw {heads} heads at another step, p95",
            ours=median["redraw_ms"],
            unit="ms",
            limit=LIMIT_REDRAW_MS,
            absolute=True,
            note=f"with the window around it; reading them, bit by bit, {median['read_heads_ms']:.0f} ms",
        ),
        Row(what="zoom the map by a notch, p95", ours=median["zoom_ms"], unit="ms", absolute=True),
    ]


def main() -> None:
    """Measure and print; with --show be the fresh process."""
    parser = arguments(__doc__)
    parser.add_argument("--tokens", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--show", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--started", type=float, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.show:
        print(json.dumps(show(options.show)))
    else:
        report(measure(options.tokens, options.rounds), as_json=options.json)


if __name__ == "__main__":
    main()
