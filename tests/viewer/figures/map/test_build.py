"""What figures say of a trace; expected values worked out by hand from the matrices in `figure_samples`."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from model.trace.trace import AttentionKind
from model.trace.trace_file import open_trace, save_trace
from tests.viewer.figure_samples import CROSS, DECODER, ENCODER, sample_trace, trace_of
from viewer.document.document import ViewOptions
from viewer.document.selection import Selection
from viewer.figures.canvas.numerals import format_weight
from viewer.figures.figure import FigureSpec
from viewer.figures.heads.build import heads_figure
from viewer.figures.heads.spec import HeadsSpec
from viewer.figures.map.build import map_figure
from viewer.figures.map.spec import CellState, MapSpec

PLAIN = ViewOptions()
HIDE = ViewOptions(hide_specials=True)
LAST = Selection(AttentionKind.CROSS, layer=1, head=0, step=2)


def map_of(figure: FigureSpec) -> MapSpec:
    assert isinstance(figure.body, MapSpec)
    return figure.body


def heads_of(figure: FigureSpec) -> HeadsSpec:
    assert isinstance(figure.body, HeadsSpec)
    return figure.body


def test_a_cross_map_names_both_tokens_of_a_row_and_both_axes() -> None:
    spec = map_of(map_figure(sample_trace(), LAST, PLAIN))
    np.testing.assert_array_equal(spec.matrix, CROSS)
    assert [(label.text, label.second) for label in spec.row_labels] == [
        ("(start)", "pommes"),
        ("pommes", "rouges"),
        ("rouges", "(end)"),
    ]
    assert [label.text for label in spec.column_labels] == ["red", "app", "⋅les", "(end)"]
    assert spec.title == "Decoder layer 2 of 2, head 1 of 2"
    assert spec.kind_name == "cross-attention"
    assert "source" in spec.column_title
    assert "keys" in spec.column_title
    assert "target" in spec.row_title
    assert "queries" in spec.row_title
    assert "reads → predicts" in spec.row_title
    assert spec.badges == ()
    assert spec.levels == (0.0, 1.0)


def test_an_encoder_map_reads_source_on_both_axes_and_knows_no_steps() -> None:
    spec = map_of(map_figure(sample_trace(), LAST.but(kind=AttentionKind.ENCODER_SELF), PLAIN))
    np.testing.assert_array_equal(spec.matrix, ENCODER)
    assert spec.title.startswith("Encoder layer 2 of 2")
    assert "source" in spec.row_title
    assert "source" in spec.column_title
    assert all(label.predicted is None for label in spec.row_labels)
    assert (spec.step_row, spec.later_from, spec.masked) == (None, None, None)


def test_decoder_self_attention_is_masked_above_the_diagonal() -> None:
    spec = map_of(map_figure(sample_trace(), LAST.but(kind=AttentionKind.DECODER_SELF), PLAIN))
    np.testing.assert_array_equal(spec.matrix, DECODER)
    expected = [[False, True, True], [False, False, True], [False, False, False]]
    assert spec.masked is not None
    assert spec.masked.tolist() == expected
    assert [label.text for label in spec.column_labels] == ["(start)", "pommes", "rouges"]
    assert spec.state_at(0, 1) is CellState.MASKED
    assert spec.weight_at(0, 1) == 0.0


def test_a_round_has_no_causal_mask_and_no_later_rows() -> None:
    trace = sample_trace(extra={"frame_kind": "round", "frame": "2"})
    spec = map_of(map_figure(trace, LAST.but(kind=AttentionKind.DECODER_SELF, step=0), PLAIN))
    assert spec.masked is None
    assert spec.shown_rows == 3


def test_a_weight_above_the_diagonal_is_never_hidden_by_the_mask() -> None:
    leaking = DECODER.copy()
    leaking[0] = [0.9, 0.1, 0.0]
    trace = trace_of({AttentionKind.DECODER_SELF: leaking[None, None]}, (), ("▁a", "▁b", "</s>"))
    spec = map_of(map_figure(trace, Selection(AttentionKind.DECODER_SELF, step=2), PLAIN))
    assert spec.state_at(0, 1) is CellState.SHOWN
    assert spec.state_at(0, 2) is CellState.MASKED


def test_a_fully_masked_row_is_drawn_as_masked() -> None:
    weights = CROSS.copy()
    weights[1] = 0
    trace = sample_trace()
    trace = trace_of({AttentionKind.CROSS: weights[None, None]}, trace.src_tokens, trace.tgt_out_tokens)
    spec = map_of(map_figure(trace, Selection(AttentionKind.CROSS, step=2), PLAIN))
    assert spec.masked is not None
    assert spec.masked.all(axis=1).tolist() == [False, True, False]
    assert not spec.masked[[0, 2]].any()


def test_rows_after_the_step_are_later_and_tell_nothing() -> None:
    spec = map_of(map_figure(sample_trace(), LAST.but(step=0), PLAIN))
    assert (spec.step_row, spec.later_from, spec.shown_rows, spec.rows) == (0, 1, 1, 3)
    assert spec.weight_at(0, 0) == pytest.approx(0.7)
    assert spec.weight_at(1, 2) is None
    assert "later step" in spec.sentence_at(1, 2)
    before = map_of(map_figure(sample_trace(), LAST.but(step=-1), PLAIN))
    assert (before.step_row, before.shown_rows) == (None, 0)
    own = map_of(map_figure(sample_trace(), LAST.but(kind=AttentionKind.DECODER_SELF, step=0), PLAIN))
    assert own.later_columns == 1


def test_the_sentence_of_a_cell() -> None:
    trace = sample_trace()
    cross = map_of(map_figure(trace, LAST, PLAIN))
    assert cross.sentence_at(1, 2) == "Decoder layer 2, head 1: predicting “rouges” reads “⋅les” 0.500"
    own = map_of(map_figure(trace, LAST.but(kind=AttentionKind.DECODER_SELF), PLAIN))
    assert own.sentence_at(0, 1) == "Decoder layer 2, head 1: predicting “pommes” cannot read “pommes”"
    encoder = map_of(map_figure(trace, LAST.but(kind=AttentionKind.ENCODER_SELF, head=None), PLAIN))
    assert encoder.sentence_at(1, 0).startswith("Encoder layer 2, mean over 2 heads: “app” reads “red” 0.5")


@pytest.mark.parametrize(
    ("value", "text"), [(0.0, "0"), (0.9514, "0.951"), (1.0, "1.000"), (0.00042, "4.2e-04"), (-0.5, "-0.500")]
)
def test_weights_are_written_so_that_small_ones_still_say_something(value: float, text: str) -> None:
    assert format_weight(value) == text


def test_the_mean_is_taken_in_double_precision_and_says_so() -> None:
    heads = np.full((1, 3, 1, 2), 1 / 3, np.float32)
    heads[0, :, 0] = [[0.1, 0.9], [0.2, 0.8], [0.4, 0.6]]
    trace = trace_of({AttentionKind.CROSS: heads}, ("▁a", "▁b"), ("</s>",))
    figure = map_figure(trace, Selection(AttentionKind.CROSS, head=None, step=0), PLAIN)
    spec = map_of(figure)
    wide = [[float(np.float32(value)) for value in row] for row in ([0.1, 0.2, 0.4], [0.9, 0.8, 0.6])]
    assert spec.matrix[0].tolist() == [float(np.float32(sum(row) / 3)) for row in wide]
    assert spec.title == "Decoder layer 1 of 1, mean over 3 heads"
    assert spec.badges == ("mean over 3 heads",)
    assert "Mean over 3 heads." in figure.caption
    assert figure.facts["head"] == "mean"


def test_hidden_specials_state_their_share_and_nothing_is_renormalised() -> None:
    spec = map_of(map_figure(sample_trace(), LAST, HIDE))
    # The row that predicts the end and the column of the end go.
    np.testing.assert_array_equal(spec.matrix, CROSS[:2, :3])
    assert [label.second for label in spec.row_labels] == ["pommes", "rouges"]
    assert [label.text for label in spec.column_labels] == ["red", "app", "⋅les"]
    # Of the 2 rows shown, 0 + 0.25 of 2 is hidden.
    assert spec.badges == ("special tokens hidden: 12.5 % of the weight",)
    assert spec.row_of(1) == 1
    assert spec.row_of(2) is None
    assert spec.column_of(3) is None


def test_the_hidden_share_counts_only_rows_in_view() -> None:
    figure = map_figure(sample_trace(), LAST.but(step=0), HIDE)
    assert figure.facts["hidden_share"] == pytest.approx(0.0, abs=1e-6)
    own = map_figure(sample_trace(), LAST.but(kind=AttentionKind.DECODER_SELF), HIDE)
    # Rows 0 and 1 without the start column: 1 + 0.4 of 2.
    assert own.facts["hidden_share"] == pytest.approx(0.7)
    np.testing.assert_allclose(map_of(own).matrix, [[0, 0], [0.6, 0]])
    assert map_of(own).state_at(0, 0) is CellState.MASKED
    assert map_of(own).state_at(1, 0) is CellState.SHOWN


def test_a_row_that_reads_only_hidden_tokens_is_not_masked() -> None:
    spec = map_of(map_figure(sample_trace(), LAST.but(kind=AttentionKind.CROSS, layer=0), HIDE))
    assert spec.masked is None
    weights = np.zeros((1, 1, 1, 2), np.float32)
    weights[..., 1] = 1
    trace = trace_of({AttentionKind.CROSS: weights}, ("▁a", "</s>"), ("▁b",))
    lone = map_of(map_figure(trace, Selection(AttentionKind.CROSS, step=0), HIDE))
    assert lone.masked is None
    assert lone.badges == ("special tokens hidden: 100.0 % of the weight",)


def test_everything_unusual_wears_a_badge_and_stands_in_the_caption() -> None:
    trace = sample_trace(
        numbers="rollout",
        alterations=({"label": "head 3 silenced"}, "temperature 2"),
        decoding={"mode": "beam", "beam_size": 4},
    )
    figure = map_figure(
        trace, LAST.but(head=None), ViewOptions(sqrt_scale=True), provenance={"source": "recorded"}
    )
    badges = map_of(figure).badges
    assert badges == (
        "mean over 2 heads",
        "numbers: rollout, not attention weights",
        "model altered: head 3 silenced; temperature 2",
        "square-root colour scale, true values",
    )
    for badge in badges:
        assert badge[1:] in figure.caption
    assert "Beam search (beam size 4)" in figure.caption
    assert "Recorded example." in figure.caption
    assert figure.facts["scale"] == "sqrt"
    assert figure.facts["provenance"] == {"source": "recorded"}


def test_the_caption_and_facts_name_text_model_and_program() -> None:
    figure = map_figure(sample_trace(), LAST, PLAIN)
    for part in (
        "“red apples” → “pommes rouges”",
        "tiny",
        "0123456789ab)",
        "Greedy decoding",
        "headscope 9.9",
    ):
        assert part in figure.caption
    assert "0123456789abc" not in figure.caption
    facts = json.loads(json.dumps(figure.facts))
    assert (facts["view"], facts["kind"], facts["layer"], facts["head"], facts["step"]) == (
        "heatmap",
        "cross",
        1,
        0,
        2,
    )
    assert facts["translation"] == "pommes rouges"
    assert facts["model_sha256"] == "0123456789abcdef" * 4
    foreign = map_figure(sample_trace(created_by="other 1"), LAST, PLAIN)
    assert "other 1, headscope" in foreign.caption


def test_numbers_that_are_no_weights_have_a_scale_of_their_own() -> None:
    values = np.array([[[[0.5, 3.0]], [[-4.0, 1.0]]]], np.float32)
    trace = trace_of({AttentionKind.CROSS: values}, ("▁a", "▁b"), ("</s>",), numbers="gradient")
    # One scale for all heads, whichever is shown.
    for head in (0, 1):
        spec = map_of(map_figure(trace, Selection(AttentionKind.CROSS, head=head, step=0), PLAIN))
        assert spec.levels == (-4.0, 4.0)
        assert spec.masked is None
    norms = trace_of({AttentionKind.CROSS: abs(values)}, ("▁a", "▁b"), ("</s>",), numbers="norms")
    assert heads_of(heads_figure(norms, AttentionKind.CROSS, 0, PLAIN)).levels == (0.0, 4.0)


def test_a_page_of_heads_shows_every_head_on_one_scale() -> None:
    trace = sample_trace()
    figure = heads_figure(trace, AttentionKind.CROSS, 1, PLAIN)
    spec = heads_of(figure)
    assert (spec.layers, spec.heads, spec.rows, spec.columns, spec.shown_rows) == (2, 2, 3, 4, 2)
    np.testing.assert_array_equal(spec.matrix(1, 0), CROSS)
    assert spec.levels == (0.0, 1.0)
    assert figure.facts["view"] == "heads"
    hidden = heads_of(heads_figure(trace, AttentionKind.CROSS, 2, HIDE))
    np.testing.assert_array_equal(hidden.matrix(1, 0), CROSS[:2, :3])
    # Rows 0 and 1 of four heads: nothing in layer 0, 0.25 by hand, and 2 x 0.25 where even, of 8.
    assert hidden.badges == (f"special tokens hidden: {100 * 0.75 / 8:.1f} % of the weight",)


def test_before_the_first_step_there_is_one_row_to_come() -> None:
    patterns = {
        AttentionKind.ENCODER_SELF: np.full((1, 1, 2, 2), 0.5, np.float32),
        AttentionKind.DECODER_SELF: np.zeros((1, 1, 0, 0), np.float32),
        AttentionKind.CROSS: np.zeros((1, 1, 0, 2), np.float32),
    }
    trace = trace_of(patterns, ("▁a", "</s>"), (), finished=False)
    for kind in (AttentionKind.CROSS, AttentionKind.DECODER_SELF):
        for view in (PLAIN, HIDE):
            spec = map_of(map_figure(trace, Selection(kind).within(trace), view))
            assert (spec.rows, spec.shown_rows) == (1, 0)
            assert spec.row_labels[0].text == "(start)"
            assert spec.columns >= 1
            assert spec.weight_at(0, 0) is None
            assert heads_of(heads_figure(trace, kind, -1, view)).shown_rows == 0


def test_the_crosshair_follows_its_tokens_into_the_picture() -> None:
    trace = sample_trace()
    assert map_of(map_figure(trace, LAST.but(query=1, key=2), PLAIN)).crosshair == (1, 2)
    assert map_of(map_figure(trace, LAST.but(query=1, key=3), HIDE)).crosshair is None
    own = LAST.but(kind=AttentionKind.DECODER_SELF, query=1, key=1)
    assert map_of(map_figure(trace, own, HIDE)).crosshair == (1, 0)


def test_raw_pieces_and_joined_bytes_on_the_axes() -> None:
    weights = np.full((1, 1, 1, 4), 0.25, np.float32)
    source = ("<0xE4>", "<0xBD>", "<0xA0>", "</s>")
    trace = trace_of({AttentionKind.CROSS: weights}, source, ("▁you",))
    chosen = Selection(AttentionKind.CROSS, step=0)
    joined = map_of(map_figure(trace, chosen, PLAIN)).column_labels
    assert [label.text for label in joined] == ["你", "‹2/3›", "‹3/3›", "(end)"]
    assert [label.raw for label in joined] == list(source)
    raw = map_of(map_figure(trace, chosen, ViewOptions(raw_pieces=True)))
    assert [label.text for label in raw.column_labels] == list(source)
    assert [(label.text, label.second) for label in raw.row_labels] == [("<s>", "▁you")]


def test_a_trace_file_gives_the_same_figures(tmp_path: Path) -> None:
    path = tmp_path / "a.trace"
    trace = sample_trace()
    save_trace(trace, path)
    read = open_trace(path)
    for head in (0, 1, None):
        chosen = LAST.but(head=head)
        ours, theirs = (map_of(map_figure(each, chosen, PLAIN)) for each in (trace, read))
        np.testing.assert_array_equal(ours.matrix, theirs.matrix)
        assert ours.row_labels == theirs.row_labels


def test_a_head_that_does_not_exist_is_refused() -> None:
    with pytest.raises(IndexError):
        map_figure(sample_trace(), LAST.but(head=9), PLAIN)
    assert replace(LAST, head=9).within(sample_trace()).head == 1


def test_the_caption_says_that_the_end_was_not_reached() -> None:
    cut = trace_of({AttentionKind.CROSS: CROSS[None, None, :2]}, ("▁a", "▁b", "▁c", "</s>"), ("▁d", "▁e"))
    whole = map_figure(cut, Selection(AttentionKind.CROSS, step=1), PLAIN)
    stopped = map_figure(replace(cut, finished=False), Selection(AttentionKind.CROSS, step=1), PLAIN)
    assert "The end token was not reached." in stopped.caption
    assert "not reached" not in whole.caption
    assert (whole.facts["finished"], stopped.facts["finished"]) == (True, False)


def test_a_round_says_so_and_does_not_speak_of_tokens_read_so_far() -> None:
    trace = sample_trace(extra={"frame_kind": "round", "frame": "2"})
    figure = map_figure(trace, LAST.but(kind=AttentionKind.DECODER_SELF), PLAIN)
    assert "so far" not in map_of(figure).column_title
    assert "target" in map_of(figure).column_title
    assert map_of(figure).badges == ("round 2 of a decoding in rounds, not causal",)
    assert "not causal" in figure.caption
    assert (
        "so far"
        in map_of(map_figure(sample_trace(), LAST.but(kind=AttentionKind.DECODER_SELF), PLAIN)).column_title
    )


def test_a_caption_quotes_no_text_that_there_is_not() -> None:
    trace = sample_trace(src_text="")
    caption = map_figure(trace, LAST.but(kind=AttentionKind.DECODER_SELF), PLAIN).caption
    assert "“pommes rouges”" in caption
    assert "“”" not in caption
    assert "→" not in caption


def test_nothing_is_called_masked_where_every_token_is_read() -> None:
    own = np.full((1, 1, 2, 2), 0.5, np.float32)  # reads ahead, whatever the model should have done
    trace = trace_of({AttentionKind.DECODER_SELF: own}, ("▁a",), ("▁b", "</s>"))
    spec = map_of(map_figure(trace, Selection(AttentionKind.DECODER_SELF, step=1), PLAIN))
    assert spec.masked is None
    first = trace_of({AttentionKind.DECODER_SELF: np.ones((1, 1, 1, 1), np.float32)}, ("▁a",), ("▁b",))
    assert map_of(map_figure(first, Selection(AttentionKind.DECODER_SELF), PLAIN)).masked is None
