"""Maps of other numbers than weights, and of whole words; expected values worked out by hand."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from model.alterations.registry import all_to_json
from model.alterations.scale_head import ScaleHead
from model.errors import HeadscopeError
from model.questions.answers import Gradients, Stages, ValueGrams
from model.questions.causes.contributions import ContributionsOf
from model.questions.causes.zeroing import Zeroing, ZeroingOf
from model.questions.questions import GradientOf, Question, Reading, StagesOf, ValueNorms
from model.trace.trace import AttentionKind, Trace
from tests.viewer.figure_samples import CROSS, DECODER, ENCODER, picture, sample_trace, trace_of
from tests.viewer.figures.mixing_samples import contributions
from viewer.document.document import ViewOptions
from viewer.document.selection import Numbers, Selection
from viewer.figures.difference.build import difference_figure
from viewer.figures.figure import FigureSpec
from viewer.figures.heads.build import heads_figure
from viewer.figures.known import Missing
from viewer.figures.map.accessible_text import accessible_cell, row_table
from viewer.figures.map.build import map_figure
from viewer.figures.map.numbers import GROUPS, about, shown_numbers, why_not
from viewer.figures.map.spec import CellState, MapSpec
from viewer.figures.map.table import write_map_csv
from viewer.figures.words.build import words_figure
from viewer.figures.words.spec import WordsSpec

ENC, DEC, X = AttentionKind.ENCODER_SELF, AttentionKind.DECODER_SELF, AttentionKind.CROSS
pytestmark = pytest.mark.usefixtures("qapp")

PLAIN = ViewOptions()
WORDS = ViewOptions(whole_words=True)
LAST = Selection(X, layer=1, head=0, step=2)
LENGTHS = np.array([2.0, 4.0, 10.0, 1.0], np.float32)


def answers(trace: Trace) -> dict[Question, Any]:
    """Answers whose numbers are easy to follow: head 1's values are head 0's turned about."""
    layers, heads, queries, keys = trace.patterns.shape(X) or (0, 0, 0, 0)
    gram = np.zeros((layers, keys, heads, heads), np.float32)
    for key in range(keys):
        length = LENGTHS[key] ** 2
        gram[:, key] = [[length, -length], [-length, length]]
    scores = np.array([[1, 2, -3, 4]] * queries, np.float32)
    square = np.array([[1, 9, 9], [2, 3, 9], [4, 5, -6]], np.float32)
    ahead = np.triu(np.ones((queries, queries), bool), 1)
    shapes = {kind: trace.patterns.shape(kind) for kind in trace.kinds}
    return {
        ValueNorms(): ValueGrams({X: gram}),
        GradientOf(2): Gradients(2, -0.5, {k: np.full(s, -0.5, np.float32) for k, s in shapes.items() if s}),
        ContributionsOf(): contributions(trace),
        ZeroingOf(): Zeroing(
            {
                kind: np.full((2, *shape[2:]), 1 / shape[3], np.float32)
                for kind, shape in shapes.items()
                if shape
            }
        ),
        StagesOf(X, 1, 0): Stages(
            X, 1, 0, scores, scores / 2, scores / 2, CROSS, np.zeros(CROSS.shape, bool)
        ),
        StagesOf(DEC, 1, 0): Stages(
            DEC, 1, 0, square, square / 2, np.where(ahead, -np.inf, square / 2), DECODER, ahead
        ),
    }


def figure_of(
    numbers: Numbers, selection: Selection = LAST, view: ViewOptions = PLAIN, trace: Trace | None = None
) -> FigureSpec:
    shown = trace or sample_trace()
    known = answers(shown)

    def get(question: Question, reading: Reading | None) -> Any:
        assert reading == Reading.of(shown)
        return known.get(question)

    return map_figure(shown, selection.but(numbers=numbers), view, known=get)


def map_of(figure: FigureSpec) -> MapSpec:
    assert isinstance(figure.body, MapSpec)
    return figure.body


FIRST = np.array([[1.0, 0, 0, 0]] * 3)
EVEN = np.full((3, 4), 0.25)


def test_maximum_over_heads_is_cell_by_cell_and_says_so() -> None:
    figure = figure_of(Numbers.MAX_HEADS)
    spec = map_of(figure)
    np.testing.assert_array_equal(spec.matrix, np.maximum(CROSS, 0.25))
    assert spec.title == "Decoder layer 2 of 2, maximum over 2 heads"
    assert spec.head is None
    assert spec.badges[0] == "Maximum over heads (max α), not attention weights: rows need not sum to 1"
    assert (figure.facts["numbers"], figure.facts["layer"], figure.facts["head"]) == ("max_heads", 1, "max")
    assert "Formula: max over the layer's heads h of α_h." in figure.caption


def test_mean_and_maximum_over_layers() -> None:
    mean = map_of(figure_of(Numbers.MEAN_LAYERS))
    np.testing.assert_allclose(mean.matrix, (2 * FIRST + CROSS + EVEN) / 4, atol=1e-7)
    assert mean.title == "Decoder, mean over all 2 × 2 heads"
    figure = figure_of(Numbers.MAX_LAYERS)
    np.testing.assert_array_equal(map_of(figure).matrix, np.maximum(np.maximum(CROSS, 0.25), FIRST))
    assert (figure.facts["layer"], figure.facts["head"]) == ("max", "max")
    assert mean.levels == map_of(figure).levels == (0.0, 1.0)


def test_rollout_is_of_the_encoder_alone() -> None:
    here = LAST.but(kind=ENC)
    figure = figure_of(Numbers.ROLLOUT, here)
    spec = map_of(figure)
    assert spec.title == "Encoder, rollout up to layer 2 of 2"
    first = 0.5 * np.eye(4) + 0.5 * np.array([[1.0, 0, 0, 0]] * 4)
    second = 0.5 * np.eye(4) + 0.25 * (ENCODER.astype(np.float64) + 0.25)
    np.testing.assert_allclose(spec.matrix, second @ first, atol=1e-6)
    assert "arXiv 2005.00928" in figure.caption
    assert (
        map_of(figure_of(Numbers.ROLLOUT, here.but(layer=0))).title == "Encoder, rollout up to layer 1 of 2"
    )
    refused = figure_of(Numbers.ROLLOUT)
    assert map_of(refused).numbers is Numbers.WEIGHTS
    np.testing.assert_array_equal(map_of(refused).matrix, CROSS)
    assert "weights are shown, not “Rollout”" in map_of(refused).badges[0]
    assert refused.facts["numbers"] == "pattern"


def test_value_weighted_needs_an_answer_and_shares_its_scale_with_the_family() -> None:
    spec = map_of(figure_of(Numbers.VALUE_WEIGHTED))
    np.testing.assert_allclose(spec.matrix, CROSS * LENGTHS, rtol=1e-6)
    assert spec.levels == (0.0, 5.0)  # the middle cell of this head: 0.5 times 10
    other = map_of(figure_of(Numbers.VALUE_WEIGHTED, LAST.but(layer=0)))
    assert other.levels == spec.levels
    assert spec.quantity == "value-weighted"
    assert "own scale: 0 to 5" in spec.badges
    assert "value-weighted 5.000" in spec.sentence_at(1, 2)
    assert "·" in spec.sentence_at(1, 2)


def test_value_weighted_of_a_layer_adds_vectors() -> None:
    """Head 1's vectors are head 0's turned about, so that equal weights cancel."""
    figure = figure_of(Numbers.VALUE_WEIGHTED, LAST.but(head=None))
    spec = map_of(figure)
    np.testing.assert_allclose(spec.matrix, np.abs(CROSS - 0.25) * LENGTHS, atol=1e-6)
    assert spec.title == "Decoder layer 2 of 2, 2 heads together, value-weighted"
    assert figure.facts["head"] == "all"
    assert spec.levels[1] == pytest.approx(float(spec.matrix.max()))


def test_a_head_that_is_off_moves_nothing() -> None:
    off = all_to_json((ScaleHead(X, 1, 0, 0.0),))
    spec = map_of(figure_of(Numbers.VALUE_WEIGHTED, trace=sample_trace(alterations=tuple(off))))
    assert not spec.matrix.any()
    assert spec.masked is None
    assert "the numbers include the factors that scale heads' outputs" in spec.badges
    assert spec.levels[1] > 0


def test_gradient_is_signed_and_of_the_step() -> None:
    figure = figure_of(Numbers.GRADIENT)
    spec = map_of(figure)
    np.testing.assert_allclose(spec.matrix, -0.5 * CROSS)
    assert spec.levels == pytest.approx((-0.35, 0.35))
    assert "of step 3 “(end)”" in spec.badges[0]
    assert spec.sentence_at(1, 2).endswith("gradient × attention −0.250")
    mean = map_of(figure_of(Numbers.GRADIENT, LAST.but(head=None)))
    np.testing.assert_allclose(mean.matrix, -0.25 * (CROSS + 0.25), rtol=1e-6)
    masked = map_of(figure_of(Numbers.GRADIENT, LAST.but(kind=DEC)))
    assert masked.state_at(0, 1) is CellState.MASKED
    assert why_not(sample_trace(), LAST.but(step=-1), Numbers.GRADIENT)


@pytest.mark.parametrize(
    ("numbers", "value"), [(Numbers.SCORES, 2.0), (Numbers.SCALED, 1.0), (Numbers.MASKED, 1.0)]
)
def test_scores_diverge_about_zero_and_have_no_square_root(numbers: Numbers, value: float) -> None:
    figure = figure_of(numbers, view=ViewOptions(sqrt_scale=True, whole_words=True))
    spec = map_of(figure)
    assert spec.matrix[0, 1] == value
    assert spec.levels == (-2 * value, 2 * value)
    assert not spec.sqrt_scale
    assert figure.facts["scale"] == "linear"
    assert not spec.words
    assert "pieces, not whole words: scores of pieces cannot be added up" in spec.badges
    assert about(numbers).quantity in spec.sentence_at(0, 1)
    assert shown_numbers(sample_trace(), LAST.but(head=None, numbers=numbers)) is Numbers.WEIGHTS


def test_masked_scores_are_hatched_and_never_a_number(tmp_path: Path) -> None:
    figure = figure_of(Numbers.MASKED, LAST.but(kind=DEC))
    spec = map_of(figure)
    assert np.isfinite(spec.matrix).all()
    assert spec.state_at(0, 1) is CellState.MASKED
    assert spec.state_at(1, 1) is CellState.SHOWN
    assert spec.levels == (-3.0, 3.0)
    assert "cannot read" in spec.sentence_at(0, 1)
    picture(figure)
    write_map_csv(spec, tmp_path / "map.csv")
    rows = table(tmp_path / "map.csv")
    assert [row["value"] for row in rows[:4]] == ["0.5", "", "", "1"]
    before = map_of(figure_of(Numbers.SCALED, LAST.but(kind=DEC)))
    assert before.masked is None
    assert before.weight_at(0, 1) == 4.5


def test_what_is_missing_is_named() -> None:
    trace = sample_trace()
    with pytest.raises(Missing) as missing:
        map_figure(trace, LAST.but(numbers=Numbers.VALUE_WEIGHTED), PLAIN)
    assert missing.value.question == ValueNorms()
    assert missing.value.reading == Reading.of(trace)
    with pytest.raises(Missing) as missing:
        map_figure(trace, LAST.but(numbers=Numbers.GRADIENT), PLAIN, known=lambda question, reading: None)
    assert missing.value.question == GradientOf(2)


def test_a_trace_of_other_numbers_has_no_aggregates() -> None:
    trace = sample_trace(numbers="norms")
    for group in GROUPS[1:]:
        for numbers in group:
            assert why_not(trace, LAST.but(kind=ENC), numbers)


def test_numbers_of_another_program_keep_their_name() -> None:
    spec = map_of(map_figure(sample_trace(numbers="norms"), LAST, ViewOptions(hide_specials=True)))
    assert spec.sentence_at(1, 2).endswith("norms 0.500")
    assert not any("of the weight" in badge for badge in spec.badges)


def test_every_choice_says_what_it_is_and_where_it_is_from() -> None:
    for group in GROUPS:
        for numbers in group:
            for one_head in (True, False):
                said = about(numbers, one_head=one_head)
                assert all((said.name, said.formula, said.caveat, said.source))
                assert bool(said.quantity) is (numbers is not Numbers.WEIGHTS)


def test_hidden_tokens_state_the_share_of_the_sums() -> None:
    figure = figure_of(Numbers.MAX_HEADS, LAST.but(step=0), ViewOptions(hide_specials=True))
    spec = map_of(figure)
    assert [label.text for label in spec.column_labels] == ["red", "app", "⋅les"]
    # The row shown: 0.7 + 0.25 + 0.25 of these and 0.25 on the end token.
    assert figure.facts["hidden_share"] == pytest.approx(0.25 / 1.45)
    assert "special tokens hidden: 17.2 % of the rows' sums" in spec.badges
    gradient = map_of(figure_of(Numbers.GRADIENT, view=ViewOptions(hide_specials=True)))
    assert "special tokens hidden" in gradient.badges


# Whole words.


def test_words_sum_keys_and_average_queries() -> None:
    figure = figure_of(Numbers.WEIGHTS, view=WORDS)
    spec = map_of(figure)
    assert [label.text for label in spec.column_labels] == ["red", "apples", "(end)"]
    np.testing.assert_allclose(
        spec.matrix, [[0.7, 0.3, 0.0], [0.0, 0.75, 0.25], [0.05, 0.35, 0.6]], atol=1e-6
    )
    assert "pieces merged into words: sums over keys, means over queries" in spec.badges
    assert figure.facts["whole_words"]
    assert [spec.column_of(key) for key in range(4)] == [0, 1, 1, 2]
    assert map_of(map_figure(sample_trace(), LAST.but(query=1, key=2), WORDS)).crosshair == (1, 1)
    assert "reads “apples” 0.750" in spec.sentence_at(1, 1)


def pieces_trace() -> Trace:
    """A word of two pieces on the target side, and one on the source side."""
    weights = np.array([[0.5, 0.5, 0.0], [0.1, 0.3, 0.6], [0.2, 0.2, 0.6], [0.0, 0.0, 1.0]], np.float32)
    own = np.array([[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.2, 0.3, 0.5, 0], [0.1, 0.2, 0.3, 0.4]], np.float32)
    patterns = {X: weights[None, None], DEC: own[None, None]}
    return trace_of(patterns, ("▁app", "les", "</s>"), ("▁les", "▁pom", "mes", "</s>"))


def test_rows_of_a_word_are_the_steps_that_read_it() -> None:
    trace = pieces_trace()
    spec = map_of(map_figure(trace, Selection(X, step=3), WORDS))
    assert [(label.text, label.second, label.index, label.last) for label in spec.row_labels] == [
        ("(start)", "les", 0, 0),
        ("les", "pommes", 1, 1),
        ("pommes", "(end)", 2, 3),
    ]
    # The word "pommes" is the mean of rows 2 and 3, which read "pom" and "mes".
    np.testing.assert_allclose(spec.matrix, [[1, 0], [0.4, 0.6], [0.2, 0.8]], atol=1e-6)
    np.testing.assert_allclose(spec.matrix.sum(1), 1, atol=1e-6)
    assert [spec.row_of(query) for query in range(4)] == [0, 1, 2, 2]
    own = map_of(map_figure(trace, Selection(DEC, step=3), WORDS))
    assert [label.text for label in own.column_labels] == ["(start)", "les", "pommes"]
    np.testing.assert_allclose(own.matrix, [[1, 0, 0], [0.5, 0.5, 0], [0.15, 0.25, 0.6]], atol=1e-6)
    assert own.state_at(0, 1) is CellState.MASKED
    assert own.state_at(1, 2) is CellState.MASKED  # "les" is read before "pommes" is there
    assert own.state_at(2, 2) is CellState.SHOWN


def test_a_word_says_what_it_reads_and_what_it_predicts() -> None:
    trace = pieces_trace()
    spec = map_of(map_figure(trace, Selection(DEC, step=3), WORDS))
    place = "Decoder layer 1, head 1"
    assert spec.sentence_at(1, 0) == f"{place}: at “les”, predicting “pommes”, reads “(start)” 0.500"
    assert spec.sentence_at(1, 2) == f"{place}: at “les”, predicting “pommes”, cannot read “pommes”"
    assert (
        accessible_cell(spec, 1, 0)
        == "decoder layer 1, head 1: at les, predicting pommes, reads (start), 0.50"
    )
    assert (
        accessible_cell(spec, 0, 1) == "decoder layer 1, head 1: at (start), predicting les, cannot read les"
    )
    assert row_table(spec, 1).splitlines()[0].startswith(f"{place}: reads les, predicts pommes")
    told = words_figure(trace, Selection(DEC, step=3, query=3, key=1), WORDS).body
    assert isinstance(told, WordsSpec)
    assert told.heading == f"{place}: at “pommes”, predicting “(end)”, reads:"
    # The words shaded by who reads a key are those that the rows read.
    told = words_figure(trace, Selection(X, step=3, query=1, key=1), replace(WORDS, incoming=True)).body
    assert isinstance(told, WordsSpec)
    queries = next(block for block in told.blocks if block.shaded)
    assert [word.token.text for word in queries.words] == ["(start)", "les", "pommes"]
    assert queries.words[2].weight == pytest.approx(0.2)


def test_no_word_of_a_decoder_reads_one_that_begins_after_it(tmp_path: Path) -> None:
    """Whatever the pieces, the step and the tokens hidden: the tables are read as somebody else would."""
    random = np.random.default_rng(7)
    for round_ in range(12):
        count = int(random.integers(3, 9))
        out = [f"{'▁' if random.random() < 0.5 else ''}{'abcdefgh'[n]}" for n in range(count - 1)]
        weights = np.tril(random.random((1, 1, count, count)).astype(np.float32))
        weights /= weights.sum(-1, keepdims=True)
        trace = trace_of({DEC: weights}, ("▁x", "</s>"), (*out, "</s>"))
        read = ["<s>", *out]
        begins = [n for n, piece in enumerate(read) if n < 2 or piece.startswith("▁")]
        step, hide = int(random.integers(0, count)), round_ % 3 == 0
        spec = map_of(map_figure(trace, Selection(DEC, step=step), replace(WORDS, hide_specials=hide)))
        write_map_csv(spec, tmp_path / "map.csv")
        sums: dict[int, float] = {}
        for line in table(tmp_path / "map.csv"):
            query, last, key = int(line["query"]), int(line["query_last"]), int(line["key"])
            assert last <= step
            assert query in begins
            assert key in begins
            assert line["query_token"] == "".join(read[query : last + 1])
            assert line["predicted_token"].startswith([*out, "</s>"][last])
            value = float(line["weight"])
            assert value == 0 or key <= last
            ends = [n for n in begins if n > key] + [count]
            assert int(line["key_last"]) == ends[0] - 1
            worked = weights[0, 0, query : last + 1, key : ends[0]].astype(float).sum(1).mean()
            assert value == pytest.approx(worked, abs=1e-6)
            sums[query] = sums.get(query, 0) + value
        assert hide or sums == pytest.approx({n: 1 for n in begins if n <= step}, abs=1e-5)


def test_a_word_that_is_half_read_is_of_what_there_is() -> None:
    trace = pieces_trace()
    spec = map_of(map_figure(trace, Selection(X, step=1), WORDS))
    assert (spec.step_row, spec.shown_rows) == (1, 2)
    assert spec.row_labels[1].second == "pom"
    half = map_of(map_figure(trace, Selection(X, step=2), WORDS))
    assert (half.step_row, half.shown_rows) == (2, 3)
    assert [(label.text, label.second) for label in half.row_labels[1:]] == [
        ("les", "pommes"),
        ("pom", "⋅mes"),
    ]
    np.testing.assert_allclose(half.matrix[2], [0.4, 0.6], atol=1e-6)
    own = map_of(map_figure(trace, Selection(DEC, step=2), WORDS))
    assert own.column_labels[2].text == "pom"
    assert own.later_columns == 3
    np.testing.assert_allclose(own.matrix[2], [0.2, 0.3, 0.5], atol=1e-6)


def test_words_before_the_first_step_and_without_specials() -> None:
    empty = trace_of({DEC: np.zeros((1, 1, 0, 0), np.float32)}, (), ())
    spec = map_of(map_figure(empty, Selection(DEC), WORDS))
    assert (spec.rows, spec.columns, spec.shown_rows) == (1, 1, 0)
    view = ViewOptions(whole_words=True, hide_specials=True, raw_pieces=True)
    spec = map_of(map_figure(pieces_trace(), Selection(X, step=3), view))
    # The row that reads "mes" predicts the end: it is hidden, and not counted to the word.
    assert [(label.text, label.second) for label in spec.row_labels] == [
        ("<s>", "▁les"),
        ("▁les", "▁pommes"),
        ("▁pom", "mes"),
    ]
    assert [label.text for label in spec.column_labels] == ["▁apples"]


def test_merged_maxima_widen_the_scale() -> None:
    weights = np.array([[[[1.0, 0.0, 0.0]]], [[[0.0, 1.0, 0.0]]]], np.float32)
    trace = trace_of({X: weights}, ("▁app", "les", "</s>"), ("</s>",))
    spec = map_of(map_figure(trace, Selection(X, step=0, numbers=Numbers.MAX_LAYERS), WORDS))
    np.testing.assert_array_equal(spec.matrix, [[2, 0]])
    assert spec.levels == (0.0, 2.0)


# Other figures and files.


def test_pages_of_heads_stay_weights_of_pieces_and_say_so() -> None:
    assert "heads: pieces, not whole words" in heads_figure(sample_trace(), X, 2, WORDS).body.badges
    assert heads_figure(sample_trace(), X, 2, PLAIN).body.badges == ()


def test_a_difference_is_of_weights() -> None:
    chosen = LAST.but(numbers=Numbers.MAX_LAYERS)
    body = difference_figure(sample_trace(), sample_trace(), chosen, WORDS).body
    assert isinstance(body, MapSpec)
    assert body.title == "Decoder layer 2 of 2, head 1 of 2"


@pytest.mark.parametrize("chosen", [Numbers.VALUE_WEIGHTED, Numbers.GRADIENT])
def test_another_models_numbers_are_not_shown_of_a_trace_that_names_none(chosen: Numbers) -> None:
    right, other = (Stages(X, 1, 0, each, each, each, each, each > 1) for each in (CROSS, CROSS[::-1]))
    unnamed = sample_trace(model_sha256="")
    selection = LAST.but(numbers=chosen, head=1)
    known = answers(unnamed)

    def figure(of_head: Stages | None, trace: Trace = unnamed) -> FigureSpec:
        found = known | {StagesOf(X, 1, 0): of_head}
        return map_figure(trace, selection, PLAIN, known=lambda question, _: found.get(question))

    expected = map_of(figure(None, sample_trace())).matrix
    np.testing.assert_array_equal(map_of(figure(right)).matrix, expected)
    with pytest.raises(Missing) as missing:
        figure(None)
    assert missing.value.question == StagesOf(X, 1, 0)
    with pytest.raises(HeadscopeError) as problem:
        figure(other)
    assert problem.value.code == "run_other_model"
    by_hand = [{"type": "row", "kind": "cross", "layer": 1, "head": 0, "query": row} for row in (0, 2, 9)]
    set_by_hand = sample_trace(model_sha256="", alterations=tuple(by_hand))
    np.testing.assert_array_equal(map_of(figure(other, set_by_hand)).matrix, expected)


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_csv_of_a_map_names_its_numbers(tmp_path: Path) -> None:
    write_map_csv(map_of(figure_of(Numbers.MAX_HEADS)), tmp_path / "max.csv")
    rows = table(tmp_path / "max.csv")
    assert "weight" not in rows[0]
    assert [row["value"] for row in rows[:4]] == ["0.699999988", "0.25", "0.25", "0.25"]
    assert (rows[0]["layer"], rows[0]["head"]) == ("1", "max")
    assert "not attention weights" in rows[0]["notes"]
    assert "Formula" in rows[0]["notes"]
    write_map_csv(map_of(figure_of(Numbers.WEIGHTS, LAST.but(step=1), WORDS)), tmp_path / "words.csv")
    rows = table(tmp_path / "words.csv")
    assert len(rows) == 6
    assert (rows[1]["key"], rows[1]["key_token"], rows[1]["query_token"]) == ("1", "▁apples", "<s>")
    assert float(rows[1]["weight"]) == pytest.approx(0.3, abs=1e-7)
    assert "pieces merged into words" in rows[0]["notes"]


def test_what_tokens_are_made_of() -> None:
    """Through the layers, and of one alone: the second brings half of token 2, which is all of token 1."""
    through = map_of(figure_of(Numbers.ALTI))
    np.testing.assert_allclose(through.matrix[:, :3], [[0, 0.7, 0]] * 3, atol=1e-6)
    assert through.title == "Decoder, contributions of the source up to layer 2 of 2"
    assert any("source and prefix sum to 1 together" in badge for badge in through.badges)
    alone = map_of(figure_of(Numbers.ALTI_LAYER))
    np.testing.assert_allclose(alone.matrix[:, :3], [[0, 0, 0.5]] * 3, atol=1e-6)
    prefix = map_of(figure_of(Numbers.ALTI, LAST.but(kind=DEC, layer=0)))
    np.testing.assert_allclose(prefix.matrix, 0.6 * np.eye(3), atol=1e-6)
    assert prefix.masked is not None
    assert bool(prefix.masked[0, 1])
    assert not bool(prefix.masked[1, 0])  # a contribution of 0 is no mask
    encoder = figure_of(Numbers.ALTI, LAST.but(kind=ENC, layer=1))
    np.testing.assert_allclose(map_of(encoder).matrix[:, 1], 1, atol=1e-6)
    assert "arXiv 2203.04212" in encoder.caption
    assert (encoder.facts["numbers"], encoder.facts["head"]) == ("alti", "all")
    zeroing = map_of(figure_of(Numbers.ZEROING_LAYER))
    np.testing.assert_allclose(zeroing.matrix, 0.25, atol=1e-6)
    instead = map_of(figure_of(Numbers.ZEROING))
    assert instead.numbers is Numbers.WEIGHTS
    assert any("of the encoder only" in badge for badge in instead.badges)


@pytest.mark.parametrize("numbers", [n for group in GROUPS for n in group])
def test_every_choice_can_be_drawn(numbers: Numbers) -> None:
    selection = LAST.but(kind=ENC) if numbers in (Numbers.ROLLOUT, Numbers.ZEROING) else LAST
    image, place = picture(figure_of(numbers, selection))
    assert not image.isNull()
    assert place.bar.title == about(numbers).quantity
    if numbers is not Numbers.WEIGHTS:
        assert place.bar.title_left + 12 <= 640
