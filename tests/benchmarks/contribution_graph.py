"""Redrawing the contribution graph: from another word or threshold to the painted picture.

Random contributions of 12 + 12 layers and 20 + 20 tokens, which leave more edges over a threshold than a
trained model's do. What is timed is all that a redraw is: following the flow back, laying out, painting into
a picture of 1100 x 600 pixels; in the processor's time of this thread, on whatever else the machine does.
"""

from __future__ import annotations

import statistics
import time

import numpy as np

from tests.benchmarks.tools.measure import Row, arguments, report
from tests.benchmarks.tools.offscreen import application
from tests.model.questions.test_contribution_flow import random_contributions

LIMIT_MS = 50.0
LAYERS, TOKENS, HEADS = 12, 20, 8


def redraws(threshold: float, rounds: int) -> tuple[int, list[float]]:
    """Edges drawn for the last word, and milliseconds of each redraw."""
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QPainter, QPixmap

    from model.questions.causes.contribution_flow import flow_to
    from model.questions.causes.contributions import HeadContributions
    from model.trace.trace import AttentionKind
    from viewer.document.text.token_text import token_texts
    from viewer.figures.canvas.options import DrawOptions
    from viewer.figures.canvas.theme import LIGHT
    from viewer.figures.contributions.layout import contributions_geometry
    from viewer.figures.contributions.paint import paint_edges
    from viewer.figures.contributions.spec import ContributionsSpec
    from viewer.figures.figure import FigureSpec

    given = random_contributions(1, LAYERS, LAYERS, TOKENS, TOKENS)
    none = np.zeros((LAYERS, HEADS, TOKENS, TOKENS), np.float32)
    heads = HeadContributions(dict.fromkeys(AttentionKind, none), dict.fromkeys(AttentionKind, none[:, 0, 0]))
    words = token_texts([f"▁word{number}" for number in range(TOKENS)])
    options, times, drawn = DrawOptions(title=False, badges=False), [], 0
    for _ in range(rounds):
        began = time.thread_time()
        flow = flow_to(given, TOKENS - 1)
        spec = ContributionsSpec(
            words,
            words,
            words,
            (LAYERS, LAYERS),
            flow,
            heads,
            threshold,
            flow.hidden_below(threshold),
            "Graph",
        )
        place = contributions_geometry(FigureSpec(spec, ""), QRectF(0, 0, 1100, 600), options)
        picture = QPixmap(1100, 600)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_edges(painter, place, LIGHT)
        painter.end()
        times.append(1000 * (time.thread_time() - began))
        drawn = len(spec.edges)
    return drawn, times


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__)
    parser.add_argument("--rounds", type=int, default=40, help="redraws (default %(default)s)")
    options = parser.parse_args()
    application()
    rows = []
    for threshold in (0.05, 0.01, 0.0):
        drawn, times = redraws(threshold, options.rounds)
        rows.append(
            Row(
                what=f"redraw the contribution graph, edges from {threshold:g}, p95",
                ours=float(np.percentile(times, 95)),
                unit="ms",
                limit=LIMIT_MS,
                absolute=True,
                note=f"{drawn:,} edges; median {statistics.median(times):.1f}",
            )
        )
    report(rows, as_json=options.json)


if __name__ == "__main__":
    main()
