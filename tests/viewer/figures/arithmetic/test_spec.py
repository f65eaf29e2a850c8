"""The stages of one weight's arithmetic: numbers worked out by hand, sentences, checks against the record."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from model.alterations.block_token import BlockToken
from model.alterations.scale_head import ScaleHead
from model.alterations.set_row import SetRow
from model.questions.answers import RowArithmetic
from model.questions.questions import RowOf
from model.trace.trace import AttentionKind, Trace
from tests.viewer.arithmetic_samples import (
    FORBIDDEN,
    HEAD,
    LAYER,
    QUERY,
    WEIGHTS,
    by_hand,
    made_row,
    trace_by_hand,
    trace_of_row,
)
from tests.viewer.figure_samples import sample_trace
from viewer.document.document import ViewOptions
from viewer.document.selection import Selection
from viewer.figures.arithmetic.build import arithmetic_figure, cell_in_view, question_of, strongest_head
from viewer.figures.arithmetic.spec import (
    ArithmeticSpec,
    Line,
    Spot,
    Stage,
    Strip,
    Table,
    formula_parts,
    plain_formula,
    signed,
    sixth,
)
from viewer.figures.figure import FigureSpec

pytestmark = pytest.mark.usefixtures("qapp")

CELL = Selection(kind=AttentionKind.CROSS, layer=LAYER, head=HEAD, step=QUERY, query=QUERY, key=0)


def figure_of(
    key: int = 0, row: RowArithmetic | None = None, trace: Trace | None = None, **view: bool
) -> FigureSpec:
    chosen = CELL.but(key=key)
    return arithmetic_figure(trace or trace_by_hand(), chosen, row or by_hand(), ViewOptions(**view))


def spec_of(key: int = 0, row: RowArithmetic | None = None, trace: Trace | None = None) -> ArithmeticSpec:
    body = figure_of(key, row, trace).body
    assert isinstance(body, ArithmeticSpec)
    return body


def lines(spec: ArithmeticSpec, stage: Stage, *tones: str) -> list[str]:
    found = [block for block in spec.stage(stage).blocks if isinstance(block, Line)]
    return [line.text for line in found if not tones or line.tone in tones]


def strips(spec: ArithmeticSpec, stage: Stage) -> dict[str, list[float]]:
    return {
        block.symbol: block.values.tolist() for block in spec.stage(stage).blocks if isinstance(block, Strip)
    }


def table(spec: ArithmeticSpec, stage: Stage) -> Table:
    return next(block for block in spec.stage(stage).blocks if isinstance(block, Table))


def test_the_dot_product_term_by_term() -> None:
    spec = spec_of()
    assert strips(spec, Stage.DOT) == {"q": [1, 2, 0, -1], "k": [2, 1, 5, 0], "q × k": [2, 2, 0, 0]}
    rows = table(spec, Stage.DOT).rows
    assert [(row.label, row.values, row.bar) for row in rows[:2]] == [
        ("1", (1, 2, 2), 1.0),
        ("2", (2, 1, 2), 1.0),
    ]
    assert lines(spec, Stage.DOT, "result") == ["q ⋅ k = 4.0000"]
    titles = [block.title for block in spec.stage(Stage.DOT).blocks if isinstance(block, Strip)]
    assert titles[:2] == ["q of “pommes”", "k of “red”"]


def test_terms_listed_and_the_others_add_up_to_the_score() -> None:
    row = made_row()
    chosen = Selection(kind=row.kind, layer=row.layer, head=row.head, step=5, query=5, key=3)
    body = arithmetic_figure(trace_of_row(row), chosen, row, ViewOptions()).body
    assert isinstance(body, ArithmeticSpec)
    rows = table(body, Stage.DOT).rows
    assert [each.index for each in rows[:-1]] == np.argsort(-np.abs(row.q * row.keys[3]))[:5].tolist()
    assert rows[-1].label == "59 others"
    assert rows[-1].values[:2] == (None, None)
    assert sum(each.values[2] or 0 for each in rows) == pytest.approx(float(row.scores[3]), abs=1e-4)


def test_scaling_divides_by_the_root_of_the_head_s_size() -> None:
    assert lines(spec_of(), Stage.SCALE, "result") == ["4.0000 ÷ √4 = 4.0000 ÷ 2 = 2.0000"]


def test_an_allowed_key_keeps_its_score() -> None:
    said = lines(spec_of(), Stage.MASK)
    assert said == ["“red” may be read: the score stays 2.0000.", "1 of the row's 4 keys are masked."]


def test_a_blocked_key_says_why_it_is_forbidden() -> None:
    trace = trace_by_hand(alterations=(BlockToken(3).to_json(),))
    spec = spec_of(3, trace=trace)
    said = lines(spec, Stage.MASK)
    assert said[0] == "Masked: the source token “(end)” is blocked (What if)."
    assert said[1] == "4.0000 → −∞"
    assert table(spec, Stage.SOFTMAX).rows[3].cells == ("−∞", "0")
    assert spec.stage(Stage.SOFTMAX).result == "0"
    assert lines(spec, Stage.SOFTMAX, "result") == ["exp(−∞) ÷ 11.1073 = 0 ÷ 11.1073 = 0"]


def test_a_later_token_says_that_a_decoder_reads_none() -> None:
    row = made_row(query=2)
    chosen = Selection(kind=row.kind, layer=row.layer, head=row.head, step=2, query=2, key=4)
    body = arithmetic_figure(trace_of_row(row), chosen, row, ViewOptions()).body
    assert isinstance(body, ArithmeticSpec)
    assert "comes later; a decoder reads no token after its own" in lines(body, Stage.MASK)[0]


def test_the_softmax_is_each_power_over_their_sum() -> None:
    total = math.e**2 + math.e + 1
    said = lines(spec_of(), Stage.SOFTMAX, "result")
    assert said == [f"exp(2.0000) ÷ {total:.4f} = {math.e**2:.4f} ÷ {total:.4f} = {math.e**2 / total:.6f}"]
    rows = table(spec_of(1), Stage.SOFTMAX).rows
    assert [row.label for row in rows] == ["red", "app", "⋅les", "(end)"]
    assert [row.values[0] for row in rows] == [2, 1, 0, -math.inf]
    assert [row.values[1] for row in rows] == pytest.approx([0.6652410, 0.2447285, 0.0900306, 0], abs=1e-6)
    assert [row.chosen for row in rows] == [False, True, False, False]
    assert [row.bar for row in rows] == pytest.approx([0.6652410, 0.2447285, 0.0900306, 0], abs=1e-6)


def test_large_scores_are_taken_from_the_largest_and_it_is_said() -> None:
    scaled = np.array([200, 199, 0, 4], np.float32)
    masked = np.where(FORBIDDEN, -np.inf, scaled).astype(np.float32)
    weights = np.array([1 / (1 + math.exp(-1)), 1 / (1 + math.e), 0, 0], np.float32)
    row = by_hand(scores=2 * scaled, scaled=scaled, masked=masked, pattern=weights, used=weights)
    spec = spec_of(1, row, trace_by_hand(weights))
    said = lines(spec, Stage.SOFTMAX, "result", "note")
    assert said[0] == "exp(199.0000 − 200.0000) ÷ 1.3679 = 0.3679 ÷ 1.3679 = 0.268941"
    assert "largest score, 200.0000, is subtracted from all scores" in said[1]


def test_values_are_weighted_and_summed() -> None:
    found = strips(spec_of(), Stage.VALUES)
    assert found["v"] == [1, 0, 0, 0]
    assert found["α × v"] == pytest.approx([0.6652410, 0, 0, 0], abs=1e-6)
    assert found["o"] == pytest.approx([0.6652410, 0.2447285, 2 * 0.0900306, 0], abs=1e-6)


def test_the_head_s_share_stands_beside_those_of_the_other_heads() -> None:
    spec = spec_of()
    o = np.array([0.6652410, 0.2447285, 2 * 0.0900306, 0])
    found = strips(spec, Stage.OUTPUT)
    assert found["share"] == pytest.approx([*o, *2 * o], abs=1e-6)
    assert found["bias"] == [0, 0, 0, 0, 0, 0, 0, 3]
    assert found["y"] == pytest.approx([*o[:3], 4, *2 * o[:3], 3], abs=1e-6)
    rows = table(spec, Stage.OUTPUT).rows
    assert [(row.label, row.chosen) for row in rows] == [("head 1", True), ("head 2", False)]
    assert rows[0].values[0] == pytest.approx(float(np.sqrt(5 * (o**2).sum())), abs=1e-6)
    assert rows[1].values[0] == 4
    assert rows[1].bar == 1


def test_without_a_bias_none_is_shown() -> None:
    assert "bias" not in strips(spec_of(row=by_hand(bias=np.zeros(8, np.float32))), Stage.OUTPUT)


def test_the_recorded_weight_is_compared() -> None:
    said = lines(spec_of(1), Stage.SOFTMAX)
    assert "Recomputed 0.244728, recorded 0.244728; difference 0" in said
    assert lines(spec_of(), Stage.SOFTMAX, "good") == ["All 4 weights of the row agree within 0.00001."]
    assert lines(spec_of(), Stage.SOFTMAX, "warning") == []


def test_a_record_that_differs_is_not_called_equal() -> None:
    other = WEIGHTS + np.array([-0.001, 0.001, 0, 0], np.float32)
    figure = figure_of(2, trace=trace_by_hand(other))
    assert isinstance(figure.body, ArithmeticSpec)
    assert lines(figure.body, Stage.SOFTMAX, "good") == []
    (said,) = lines(figure.body, Stage.SOFTMAX, "warning")
    assert said.startswith("The row differs by up to 1.0e-03")
    assert figure.facts["largest_difference"] == pytest.approx(0.001, abs=1e-6)


def test_half_precision_is_said_where_it_is_why() -> None:
    half = WEIGHTS.astype(np.float16).astype(np.float32)
    (said,) = lines(spec_of(trace=trace_by_hand(half)), Stage.SOFTMAX, "good")
    assert said == "All 4 weights of the row agree within 0.002 (stored in half precision)."


def test_other_numbers_are_not_compared() -> None:
    trace = trace_by_hand(numbers="rollout")
    assert lines(spec_of(trace=trace), Stage.SOFTMAX, "good", "warning") == []
    assert "The recording holds “rollout”" in lines(spec_of(trace=trace), Stage.SOFTMAX, "note")[0]


def test_a_row_that_was_set_says_what_the_model_went_on_with() -> None:
    placed = np.array([0, 1, 0, 0], np.float32)
    change = SetRow(AttentionKind.CROSS, LAYER, HEAD, QUERY, key=1)
    trace = trace_by_hand(placed, alterations=(change.to_json(),))
    spec = spec_of(1, by_hand(used=placed), trace)
    (said,) = lines(spec, Stage.SOFTMAX, "warning")
    assert "set by hand" in said
    assert "gives 0.244728" in said
    assert "the model used 1.000000" in said
    assert lines(spec, Stage.SOFTMAX, "good") == ["All 4 weights of the row agree within 0.00001."]
    assert strips(spec, Stage.VALUES)["o"] == [0, 1, 0, 0]
    assert spec.lead.endswith("1.000")


def test_a_row_that_cannot_be_known_is_not_compared() -> None:
    row = SetRow(AttentionKind.CROSS, LAYER, HEAD, QUERY, key=0)
    off = ScaleHead(AttentionKind.CROSS, LAYER, HEAD, 0.0)
    trace = trace_by_hand(alterations=(row.to_json(), off.to_json()))
    assert figure_of(0, by_hand(used=0 * WEIGHTS), trace).facts["largest_difference"] is None
    assert figure_of(0, trace=trace_by_hand(numbers="importance")).facts["largest_difference"] is None


@pytest.mark.parametrize("factor", [0.0, 3.0])
def test_a_head_that_is_scaled_says_what_is_used(factor: float) -> None:
    trace = trace_by_hand(alterations=(ScaleHead(AttentionKind.CROSS, LAYER, HEAD, factor).to_json(),))
    spec = spec_of(0, by_hand(used=np.float32(factor) * WEIGHTS), trace)
    assert lines(spec, Stage.SOFTMAX, "good") == ["All 4 weights of the row agree within 0.00001."]
    (said,) = lines(spec, Stage.VALUES, "warning")
    assert f"multiplied by {factor:g} (What if): {sixth(factor * float(WEIGHTS[0]))} is used" in said


def test_a_row_with_nothing_to_read() -> None:
    none = np.zeros(4, np.float32)
    row = by_hand(
        masked=np.full(4, -np.inf, np.float32), forbidden=np.ones(4, np.bool_), pattern=none, used=none
    )
    spec = spec_of(0, row, trace_by_hand(none))
    assert "Every key of this row is masked: all its weights are 0." in lines(spec, Stage.MASK)
    assert lines(spec, Stage.SOFTMAX, "result") == []
    assert lines(spec, Stage.SOFTMAX, "good")


def test_a_long_row_lists_the_weightiest_and_the_chosen() -> None:
    row = made_row(60, query=59)
    weakest = int(row.pattern.argmin())
    chosen = Selection(kind=row.kind, layer=row.layer, head=row.head, step=59, query=59, key=weakest)
    body = arithmetic_figure(trace_of_row(row), chosen, row, ViewOptions()).body
    assert isinstance(body, ArithmeticSpec)
    rows = table(body, Stage.SOFTMAX).rows
    listed = [each.index for each in rows[:-1]]
    assert listed == sorted({*np.argsort(-row.pattern)[:23].tolist(), weakest})
    assert rows[-1].label == f"{60 - len(listed)} others"
    assert sum(each.values[1] or 0 for each in rows) == pytest.approx(1, abs=1e-5)


def test_the_sentence_names_place_tokens_and_weight() -> None:
    assert spec_of().lead == (
        "Decoder layer 2, head 1: having read “pommes”, predicting “rouges” reads “red” 0.665"
    )
    raw = figure_of(raw_pieces=True).body
    assert isinstance(raw, ArithmeticSpec)
    assert "“▁pommes”" in raw.lead


def test_what_is_pointed_at_is_said_to_nine_digits() -> None:
    spec = spec_of(1)
    assert spec.sentence_at(Spot(Stage.DOT, 1, 3)) == "Dimension 4 of 4: q = -1; k = -2; q × k = 2"
    place = spec.stage(Stage.SOFTMAX).blocks.index(table(spec, Stage.SOFTMAX))
    weight = f"{float(WEIGHTS[2]):.9g}"
    assert spec.sentence_at(Spot(Stage.SOFTMAX, place, 2)) == f"⋅les: score 0; weight {weight}"
    assert spec.sentence_at(Spot(Stage.SCALE)) == "2. Scale: s = q ⋅ k ÷ √d_head; 1.0000"


def test_a_stage_as_text_has_all_its_numbers() -> None:
    text = spec_of().stage(Stage.DOT).text.split("\n")
    assert text[0] == "1 Dot product"
    assert "k\t2\t1\t5\t0" in text
    assert "1\t1\t2\t2" in text
    assert spec_of().text.count("\n\n") == 6


def test_caption_and_facts_say_formulas_and_place() -> None:
    figure = figure_of(2)
    assert "q ⋅ k = Σ_i q_i k_i; s = q ⋅ k ÷ √d_head" in figure.caption
    assert "section 3.2" in figure.caption
    assert "tiny (sha256 0123456789ab)" in figure.caption
    facts = {name: figure.facts[name] for name in ("view", "kind", "layer", "head", "query", "key")}
    assert facts == {"view": "arithmetic", "kind": "cross", "layer": 1, "head": 0, "query": 1, "key": 2}
    assert figure.facts["weight"] == pytest.approx(0.0900306, abs=1e-6)


def test_without_a_crosshair_it_is_the_strongest_key_of_the_step() -> None:
    trace = sample_trace()
    free = CELL.but(query=None, key=None)
    assert cell_in_view(trace, free.but(step=2)) == (2, 3)
    assert cell_in_view(trace, free.but(kind=AttentionKind.ENCODER_SELF, step=2)) == (0, 3)
    assert cell_in_view(trace, CELL.but(query=2, key=1, step=0)) == (2, 1)
    assert question_of(trace, free) == RowOf(AttentionKind.CROSS, LAYER, HEAD, QUERY)
    assert question_of(trace, free.but(head=None)) is None
    assert question_of(trace, free.but(step=-1)) is None


def test_the_strongest_head_is_that_of_the_cell() -> None:
    trace = sample_trace()  # layer 1: head 0 as by hand, head 1 a quarter everywhere
    mean = CELL.but(head=None)
    for query, key in itertools.product(range(3), range(4)):
        weight = float(trace.pattern(AttentionKind.CROSS, 1, 0)[query, key])
        wanted = 0 if weight >= 0.25 else 1
        assert strongest_head(trace, mean.but(query=query, key=key)) == wanted


def test_an_answer_to_another_question_is_refused() -> None:
    with pytest.raises(ValueError, match="not about"):
        arithmetic_figure(trace_by_hand(), CELL.but(query=0, key=0), by_hand(), ViewOptions())


def test_numbers_for_reading() -> None:
    assert [signed(x) for x in (-1.5, 0.0, 0.00012345, -math.inf, 123456.0)] == [
        "−1.5000",
        "0",
        "1.23e−04",
        "−∞",
        "1.23e+05",
    ]
    assert [sixth(x) for x in (0.610238123, 0.0, 2e-9)] == ["0.610238", "0", "2.00e−09"]


def test_formulas_have_lowered_and_raised_parts() -> None:
    assert formula_parts("Σ_{i} q_{i}") == [("Σ", 0), ("i", -1), (" q", 0), ("i", -1)]
    assert formula_parts("W^{O}_{h}+b") == [("W", 0), ("O", 1), ("h", -1), ("+b", 0)]
    assert plain_formula("W^{O}_{h} + b") == "W^O_h + b"
