"""What `why --method alti` and `zeroing` tell: rows that add up to the sums beside them; what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from model.errors import HeadscopeError
from model.questions.causes.contributions import METHOD as ALTI
from model.questions.causes.method import Given
from model.questions.causes.report import Report
from model.questions.causes.zeroing import METHOD as ZEROING
from model.questions.causes.zeroing import Zeroing
from model.trace.trace import AttentionKind
from tests.model.questions.test_contribution_flow import random_contributions
from tests.model.tiny_trace import make_trace

TRACE = make_trace(s=3, t=4)
MIXED = random_contributions(5, 2, 2, 3, 4)


def zeroing() -> Zeroing:
    draw = np.random.default_rng(2)
    layers = {}
    for kind, (queries, keys) in zip(AttentionKind, ((3, 3), (4, 4), (4, 3)), strict=True):
        table = draw.random((2, queries, keys))
        if kind is AttentionKind.DECODER_SELF:
            table = np.tril(table)
        layers[kind] = (table / table.sum(-1, keepdims=True)).astype(np.float32)
    return Zeroing(layers)


def told(method: Any, answer: Any, **values: Any) -> tuple[Report, list[dict[str, Any]]]:
    report = method.report(answer, Given(TRACE, values))
    return report, [dict(zip(report.columns, row, strict=True)) for row in report.rows]


def test_words_add_up_to_the_shares_of_each_step() -> None:
    report, rows = told(ALTI, MIXED)
    assert len(rows) == 4 * 3 + 1 + 2 + 3 + 4  # no step reads a later word
    for step in range(4):
        for part, fact in (("source", "source_share"), ("prefix", "prefix_share")):
            own = [row["share"] for row in rows if (row["step"], row["part"]) == (step, part)]
            assert sum(own) == pytest.approx(report.facts[fact][step], abs=1e-6)
    assert rows[0] | {"share": 0} == {
        "step": 0,
        "step_number": 1,
        "predicts": "▁o0",
        "part": "source",
        "position": 0,
        "position_number": 1,
        "token": "▁s0",
        "share": 0,
    }
    assert report.facts["multiplied"] is True
    _, first = told(ALTI, MIXED, step=2, layer=0)
    assert {row["step"] for row in first} == {2}
    np.testing.assert_allclose(
        [row["share"] for row in first if row["part"] == "source"],
        MIXED.cross[0, 2] @ (MIXED.encoder[1] @ MIXED.encoder[0]),
        atol=1e-6,
    )


def test_one_layer_alone_with_what_the_residual_keeps() -> None:
    report, rows = told(ALTI, MIXED, kind=AttentionKind.CROSS, layer=1, step=3)
    shares = [row["share"] for row in rows]
    np.testing.assert_allclose(shares, MIXED.cross[1, 3], atol=1e-7)
    assert sum(shares) + report.facts["kept"][3] == pytest.approx(1, abs=1e-6)
    assert (rows[1]["query_token"], rows[1]["key_token"], rows[1]["key_number"]) == ("▁i3", "▁s1", 2)
    assert report.facts["multiplied"] is False
    assert {"encoder", "cross", "kept", "source_through"} <= set(report.arrays)


def test_value_zeroing_is_multiplied_in_the_encoder_alone() -> None:
    answer = zeroing()
    report, rows = told(ZEROING, answer, kind=AttentionKind.ENCODER_SELF)
    layers = answer.layers[AttentionKind.ENCODER_SELF]
    np.testing.assert_allclose([row["share"] for row in rows], (layers[1] @ layers[0]).ravel(), atol=1e-6)
    assert report.facts["multiplied"] is True
    report, rows = told(ZEROING, answer, step=1)  # the last layer's cross-attention
    np.testing.assert_allclose([row["share"] for row in rows], answer.layers[AttentionKind.CROSS][1, 1])
    assert (report.facts["kind"], report.facts["multiplied"]) == ("cross", False)


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"layer": 2}, "alteration_layer"),
        ({"step": 4}, "export_step"),
        ({"kind": AttentionKind.ENCODER_SELF, "step": 0}, "method_step"),
    ],
)
def test_what_there_is_not(values: dict[str, Any], code: str) -> None:
    for method, answer in ((ALTI, MIXED), (ZEROING, zeroing())):
        with pytest.raises(HeadscopeError) as refused:
            told(method, answer, **values)
        assert refused.value.code == code


def test_a_model_that_copies_says_so() -> None:
    copying = random_contributions(5, 2, 2, 3, 4)
    object.__setattr__(copying, "copies", True)
    assert any("copies words" in note for note in told(ALTI, copying)[0].notes)
    assert not told(ALTI, MIXED)[0].notes
