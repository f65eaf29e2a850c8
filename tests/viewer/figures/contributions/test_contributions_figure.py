"""The contribution graph: its edges, what is hidden, picture, table and sentences; numbers worked by hand."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor

from model.trace.trace import AttentionKind
from tests.viewer.figure_samples import picture, sample_trace
from tests.viewer.figures.mixing_samples import known_of
from viewer.document.document import ViewOptions
from viewer.export.writers import write_export
from viewer.figures.canvas.lettering import LABEL, elided
from viewer.figures.canvas.theme import LIGHT
from viewer.figures.contributions.build import contributions_figure
from viewer.figures.contributions.layout import ContributionsGeometry, step_labels
from viewer.figures.contributions.spec import ContributionsSpec
from viewer.figures.drawing import DrawOptions, figure_geometry
from viewer.figures.figure import FigureSpec
from viewer.figures.known import Missing
from viewer.figures.request import ExportRequest, Source

pytestmark = pytest.mark.usefixtures("qapp")

ENC, DEC, CROSS = AttentionKind


def figure(step: int = 1, threshold: float = 0.25) -> FigureSpec[ContributionsSpec]:
    trace = sample_trace()
    return contributions_figure(trace, step, threshold, known_of(trace))


def test_edges_over_the_threshold_and_what_it_hides() -> None:
    """Step 2: half from token 2 in the last layer; the other half kept, 40 % of that (0.2) from token 1.

    All edges: decoder 0.5 and 0.3, cross 0.5 and 0.2; in the encoder's second layer token 2 is token 1 (0.5),
    and so is token 1 (0.2), in its first token 1 is itself (0.7).
    """
    spec = figure().body
    found = {spec.place_of(edge): float(spec.edges.flow[edge]) for edge in range(len(spec.edges))}
    assert found == pytest.approx(
        {
            (ENC, 0, 1, 1): 0.7,
            (DEC, 1, 1, 1): 0.5,
            (CROSS, 1, 1, 2): 0.5,
            (ENC, 1, 2, 1): 0.5,
            (DEC, 0, 1, 1): 0.3,
        }
    )
    assert spec.hidden == pytest.approx(0.4 / 2.9, abs=1e-6)
    assert "edges under 0.25 hidden: 13.8 % of what flows" in spec.badges
    assert "source 70 %, prefix 30 %" in spec.badges
    assert spec.title == "What “rouges” is made of, step 2 of 3"
    assert not any("hidden" in badge for badge in figure(threshold=0.0).body.badges)
    assert step_labels(spec)[2].endswith("→ ")  # the word after is not known yet


def test_an_edge_names_its_heads() -> None:
    spec = figure().body
    cross = spec.nearest((CROSS, 1, 1, 2))
    own = spec.nearest((DEC, 1, 1, 1))
    assert cross is not None
    assert own is not None
    assert spec.nearest((CROSS, 0, 1, 1)) is None  # hidden
    assert spec.heads_of(cross) == [(1, 0.75), (0, 0.25)]
    assert spec.heads_of(own) == [(None, 0.5), (1, 0.375), (0, 0.125)]
    said = spec.sentence_of(cross)
    assert said.startswith("Decoder layer 2: 50 % of ")
    assert said.endswith("50 % of the word comes this way. Most of it by: head 2 (75 %).")


def test_the_chosen_word_has_room_in_its_bold_type() -> None:
    made = figure()
    place = figure_geometry(made, QRectF(0, 0, 900, 500), DrawOptions())
    assert isinstance(place, ContributionsGeometry)
    chosen = step_labels(made.body)[1]
    assert elided(chosen, LABEL * place.scale, place.step_labels.width() - 4 * place.scale, True) == chosen


def test_edges_are_drawn_where_they_are_found() -> None:
    shown = figure()
    image, place = picture(shown, 700, 420)
    assert isinstance(place, ContributionsGeometry)
    spec = shown.body
    edge = spec.nearest((DEC, 1, 1, 1))
    assert edge is not None
    middle = place.edge_rect(edge).center()
    middle.setX(place.decoder.x(1) + 0.3 * place.decoder.step)
    assert place.edge_at(middle) == edge
    seen, ground = image.pixelColor(middle.toPoint()), QColor(LIGHT.panel)
    assert seen != ground
    assert place.edge_at(QPointF(place.area.left() + 2, place.area.top() - 40)) is None
    label = QPointF(place.step_labels.center().x(), place.decoder.y(2))
    assert place.step_at(label) == 2
    assert place.encoder.right < place.decoder.left
    for widths in (place.thickest, 0.5 * place.thickest):
        assert widths > 0


def test_a_line_through_the_points_of_a_long_edge_keeps_to_its_curve() -> None:
    one = figure(threshold=0.0)
    place = figure_geometry(one, QRectF(0, 0, 1600, 900), DrawOptions())
    assert isinstance(place, ContributionsGeometry)
    lengths = place.ends[2] - place.ends[0]
    assert (lengths > 200).any()
    for edge in np.flatnonzero((lengths > 200) & (place.ends[1] != place.ends[3])):
        x1, y1, x2, y2 = (float(column[edge]) for column in place.ends)
        half, t = (x1 + x2) / 2, np.linspace(0, 1, 2001)
        weights = np.stack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3])
        curve_x, curve_y = [x1, half, half, x2] @ weights, [y1, y1, y2, y2] @ weights
        points = place.pieces(int(edge))
        line_y = np.interp(curve_x, [point.x() for point in points], [point.y() for point in points])
        assert np.abs(line_y - curve_y).max() < 0.001 * abs(y2 - y1)  # half a pixel of a tall picture


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_every_picture(tmp_path: Path, ending: str) -> None:
    trace = sample_trace()
    path = tmp_path / f"a.{ending}"
    caption = write_export(
        Source(trace, known=known_of(trace)), ExportRequest("contributions", step=1), str(path)
    )
    assert path.stat().st_size > 500
    assert "arXiv 2205.11631" in caption
    assert "which no paper defines" in caption


def test_table(tmp_path: Path) -> None:
    trace = sample_trace()
    request = ExportRequest("contributions", step=1, options=ViewOptions(threshold=0.25))
    write_export(Source(trace, known=known_of(trace)), request, str(tmp_path / "a.csv"))
    with (tmp_path / "a.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["flow"]) for row in rows] == pytest.approx(
        [0.7, 0.5, 0.5, 0.5, 0.3, 0.2, 0.2], abs=1e-6
    )
    assert [row["shown"] for row in rows] == ["1"] * 5 + ["0"] * 2
    first = [rows[0][name] for name in ("kind", "layer", "query", "key", "from_layers", "head")]
    assert first == ["encoder_self", "0", "1", "1", "0", "1"]
    assert float(rows[0]["residual_share"]) == 0.5
    ends = [float(row["flow"]) for row in rows if row["from_layers"] == "0"]
    np.testing.assert_allclose(sum(ends), 1, atol=1e-6)
    assert "edges under 0.25 hidden" in rows[0]["notes"]
    assert "Formula" in rows[0]["notes"]


def test_what_is_not_known_is_asked_for() -> None:
    with pytest.raises(Missing):
        contributions_figure(sample_trace(), 1, 0.05, lambda question, reading: None)
