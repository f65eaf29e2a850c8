"""Switching layer or head in the window: from the choice to the painted map and overview.

The real window (1280 x 800, no screen) on trace files of 6 layers, 8 heads and three families with random
patterns; of 4,096 tokens 2 layers of 12 heads of decoder self-attention (1.6 GB), whose maps are read beside
the window. Each switch goes to another head of the family in view, in random order; it ends when the map of
that head (not the last one, which is held until it is read) has been painted and the event loop is empty.
BertViz, the peer, draws in a browser and is not driven from here.
"""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from model.trace.trace import AttentionKind
from tests.benchmarks.tools.made_up_trace import write_made_up_trace
from tests.benchmarks.tools.measure import Row, arguments, report, say
from tests.benchmarks.tools.offscreen import PaintCounter, application, fresh_settings, let_go, wait_until
from viewer.document.run_source import RunSource

LIMIT_MS, LONGEST, VERY_LONG = 16.0, 1024, 4096


def times_of_switches(path: Path, switches: int) -> Iterator[tuple[str, list[float]]]:
    """For each family its name and milliseconds a switch; then the same for going from family to family."""
    from viewer.app import build_window
    from viewer.document.selection import Selection
    from viewer.document.session import Session
    from viewer.opening import recorded_run

    application()
    session = Session()
    window = build_window(session, fresh_settings(path.parent), theme="light", language="en")
    window.resize(1280, 800)
    run = recorded_run(path, RunSource.FILE)
    session.add_run(run, Selection.opening(None, run.trace), keep_others=False)
    window.show()
    pane = window.look_page.panes[0]
    painted = PaintCounter(pane.map)
    wait_until(lambda: painted.count > 0)
    draw = random.Random(1)

    def switched(kind: AttentionKind) -> float:
        old = session.selection()
        sizes = run.trace.layers(kind), run.trace.heads(kind)
        heads = [(layer, head) for layer in range(sizes[0]) for head in range(sizes[1])]
        if old is not None and old.kind is kind:
            heads = [place for place in heads if place != (old.layer, old.head)]
        layer, head = draw.choice(heads)
        before, began = painted.count, time.perf_counter()
        session.select(kind=kind, layer=layer, head=head)
        wait_until(lambda: painted.count > before and not pane.map.reading and not pane.map.stale)
        return 1000 * (time.perf_counter() - began)

    kinds = list(run.trace.kinds)
    for kind in kinds:
        switched(kind)
        yield str(kind), [switched(kind) for _ in range(switches)]
    if len(kinds) > 1:
        yield "family", [switched(kinds[number % len(kinds)]) for number in range(switches)]
    let_go(window)


def measure(tokens: int, switches: int) -> list[Row]:
    """A row for heads and layers, one for families."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "made-up.trace"
        say(f"switch: writing a trace of {tokens} tokens")
        if tokens < VERY_LONG:
            write_made_up_trace(path, tokens)
        else:
            write_made_up_trace(path, tokens, (2, 12), (AttentionKind.DECODER_SELF,))
        times = dict(times_of_switches(path, switches))
    families = times.pop("family", [])
    every = [value for values in times.values() for value in values]
    notes = ", ".join(f"{kind} {np.percentile(values, 95):.1f}" for kind, values in times.items())
    heads = Row(
        what=f"switch layer or head, {tokens:,} tokens, p95",
        ours=float(np.percentile(every, 95)),
        unit="ms",
        peer_name="BertViz",
        limit=LIMIT_MS if tokens == LONGEST else None,
        absolute=True,
        note=f"median {statistics.median(every):.1f}; p95 of each family: {notes}",
    )
    if not families:
        return [heads]
    family = Row(
        what=f"switch family, {tokens:,} tokens, p95",
        ours=float(np.percentile(families, 95)),
        unit="ms",
        absolute=True,
        note=f"median {statistics.median(families):.1f}",
    )
    return [heads, family]


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__)
    parser.add_argument("--tokens", type=int, nargs="+", default=[16, 64, 128, 512, LONGEST, VERY_LONG])
    parser.add_argument("--switches", type=int, default=100, help="of each kind (default %(default)s)")
    options = parser.parse_args()
    rows = [row for tokens in options.tokens for row in measure(tokens, options.switches)]
    report(rows, as_json=options.json)


if __name__ == "__main__":
    main()
