"""Pictures of ALiBi and of relative vectors, which are no T5 buckets."""

from __future__ import annotations

import numpy as np

from model.positions.position_facts import BiasSort, RelativeBias
from viewer.document.positions.positions_known import Bias
from viewer.figures.bias.build import bias_figure
from viewer.figures.bias.table import bias_rows


def bias(sort: BiasSort, *, both: bool = True) -> Bias:
    """Offsets to ±3 of two rows; the second's numbers are twice the first's."""
    offsets = np.arange(-3, 4 if both else 1)
    distances = np.abs(offsets)
    by_distance = np.arange(4, dtype=np.float32)[:, None] * np.array([1, 2], np.float32)
    weights = -by_distance / 4 if sort == "slopes" else 5 + by_distance
    stack = "encoder" if both else "decoder"
    return Bias(RelativeBias(weights, distances, offsets, 3, both, stack, sort))  # type: ignore[arg-type]


def test_alibi_goes_on_beyond_what_is_drawn() -> None:
    figure = bias_figure(bias("slopes"), head=1, length=12)
    np.testing.assert_allclose(figure.body.square[0], -np.arange(12) / 2)
    assert figure.body.offset_sentence(1, -3) == "Head 2, key 3 before the query: −1.500"
    assert "ALiBi" in figure.caption
    assert "bucket" not in figure.caption
    assert figure.facts["kind"] == "alibi"


def test_vectors_are_told_by_layer_and_end_at_the_span() -> None:
    spec = bias_figure(bias("lengths", both=False), head=0, length=6).body
    np.testing.assert_allclose(spec.square[5], [8, 8, 8, 7, 6, 5])
    assert spec.masked[0].tolist() == [False, *[True] * 5]
    assert spec.title == "Relative vectors by distance: layer 1 of 2"
    assert spec.offset_sentence(1, 0) == "Layer 2, key at the query's own position: a vector 5.000 long"
    assert spec.cell_sentence(5, 2) == "Layer 1, query 5, key 2: a vector 8.000 long"
    assert any("one vector from distance 3 on" in badge for badge in spec.badges)
    assert len(list(bias_rows(spec))) == 1 + 2 * 4 + 21
