"""The flow's spec: which lines there are, how much of the weight is hidden, what it says."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from model.trace.trace import AttentionKind
from tests.viewer.figure_samples import CROSS, DECODER, ENCODER, SOURCE, TARGET, sample_trace, trace_of
from viewer.document.document import ViewOptions
from viewer.document.selection import Selection
from viewer.figures.figure import FigureSpec
from viewer.figures.flow.build import flow_figure
from viewer.figures.flow.spec import MOST_LINES, FlowSpec
from viewer.figures.flow.table import write_flow_csv
from viewer.figures.map.build import map_figure
from viewer.figures.map.spec import MapSpec

EVEN = np.full((3, 4), 0.25, np.float32)
HAND = Selection(AttentionKind.CROSS, layer=1, head=0, step=2)


def flow(selection: Selection = HAND, **view: object) -> FlowSpec:
    spec = figure(selection, **view).body
    assert isinstance(spec, FlowSpec)
    return spec


def figure(selection: Selection = HAND, **view: object) -> FigureSpec:
    return flow_figure(sample_trace(), selection, ViewOptions(**view))  # type: ignore[arg-type]


def cells(spec: FlowSpec) -> set[tuple[int | None, int, int]]:
    lines = spec.drawn()
    triples = zip(lines.place.tolist(), lines.row.tolist(), lines.column.tolist(), strict=True)
    return {(spec.heads[place], row, column) for place, row, column in triples}


def test_lines_are_the_weights_from_the_threshold_on_with_their_true_values() -> None:
    spec = flow(threshold=0.2)
    assert cells(spec) == {(0, 0, 0), (0, 0, 1), (0, 1, 1), (0, 1, 2), (0, 1, 3), (0, 2, 2), (0, 2, 3)}
    for row, column, value in zip(spec.lines.row, spec.lines.column, spec.lines.value, strict=True):
        assert value == CROSS[row, column]
    assert list(spec.lines.value) == sorted(spec.lines.value), "thin lines first"


def test_the_hidden_share_is_of_all_weight_shown() -> None:
    hidden = CROSS[np.float32(0.2) > CROSS].sum(dtype=np.float64)
    spec = flow(threshold=0.2)
    assert spec.hidden_share == pytest.approx(hidden / 3, abs=1e-7)
    assert f"lines below 0.2 hidden: {100 * hidden / 3:.1f} % of the weight" in spec.badges
    assert figure(threshold=0.2).facts["threshold_hidden_share"] == spec.hidden_share


def test_rows_of_later_steps_have_no_lines_and_count_for_nothing() -> None:
    spec = flow(HAND.but(step=0), threshold=0.15)
    assert cells(spec) == {(0, 0, 0), (0, 0, 1)}
    assert spec.hidden_share == pytest.approx(0.1, abs=1e-7)


def test_without_a_threshold_every_weight_has_a_line_and_nothing_is_said_to_be_hidden() -> None:
    spec = flow(threshold=0.0)
    assert len(spec.lines) == np.count_nonzero(CROSS)
    assert spec.hidden_share is None
    assert not any("hidden" in badge for badge in spec.badges)


def test_what_is_masked_has_no_line() -> None:
    spec = flow(HAND.but(kind=AttentionKind.DECODER_SELF), threshold=0.0)
    assert cells(spec) == {(0, row, column) for row, column in zip(*np.nonzero(DECODER), strict=True)}


def test_several_heads_are_drawn_together_and_named() -> None:
    spec = flow(HAND.but(more_heads=(1,)), threshold=0.25)
    assert spec.heads == (0, 1)
    assert spec.title == "Decoder layer 2 of 2, all 2 heads"
    wanted = {(0, r, c) for r, c in zip(*np.nonzero(CROSS >= 0.25), strict=True)}
    assert cells(spec) == wanted | {(1, r, c) for r in range(3) for c in range(4)}
    both = np.stack([CROSS, EVEN])
    assert spec.hidden_share == pytest.approx(float(both[both < 0.25].sum() / both.sum()), abs=1e-6)


def test_some_of_the_heads_are_named_by_number() -> None:
    weights = np.full((1, 3, 2, 2), 0.5, np.float32)
    trace = trace_of({AttentionKind.ENCODER_SELF: weights}, ("▁a", "</s>"), ())
    chosen = Selection(AttentionKind.ENCODER_SELF, head=2, more_heads=(0,))
    assert flow_figure(trace, chosen, ViewOptions()).body.title == "Encoder layer 1 of 1, heads 1, 3 of 3"


def test_a_mean_is_one_set_of_lines() -> None:
    spec = flow(HAND.but(head=None, more_heads=(0, 1)), threshold=0.0)
    assert spec.heads == (None,)
    assert "mean over 2 heads" in spec.badges
    strongest = float(spec.lines.value[-1])
    assert strongest == pytest.approx((0.7 + 0.25) / 2)


def test_hidden_tokens_are_said_once_and_the_threshold_is_of_what_is_left() -> None:
    spec = flow(HAND.but(more_heads=(1,)), threshold=0.1, hide_specials=True)
    kept = np.stack([CROSS, EVEN])[:, :2, :3]  # the row that predicts the end goes, and the column of the end
    share = 1 - float(kept.sum()) / 4
    assert f"special tokens hidden: {100 * share:.1f} % of the weight" in spec.badges
    assert sum("special tokens" in badge for badge in spec.badges) == 1
    low = kept[kept < np.float32(0.1)].sum() / kept.sum()
    assert spec.hidden_share == pytest.approx(float(low), abs=1e-6)
    assert any(badge.endswith("of the weight between the tokens shown") for badge in spec.badges)


def test_the_square_root_changes_widths_not_lines() -> None:
    spec = flow(threshold=0.2, sqrt_scale=True)
    assert spec.sqrt_scale
    assert "square-root line widths, true values" in spec.badges
    assert not any("colours" in badge for badge in spec.badges)
    assert cells(spec) == cells(flow(threshold=0.2))


def test_sentences_are_the_maps() -> None:
    body = map_figure(sample_trace(), HAND, ViewOptions()).body
    assert isinstance(body, MapSpec)
    spec = flow()
    for row in range(3):
        for column in range(4):
            assert spec.sentence_at(row, column) == body.sentence_at(row, column)
    assert spec.sentence_of(0, None) == body.sentence_at(0, 0)
    assert spec.sentences_of(0, None) == [body.sentence_at(0, column) for column in (0, 1, 2)]
    assert spec.sentence_of(None, 3) == body.sentence_at(2, 3)
    assert spec.sentence_at(1, 2) == "Decoder layer 2, head 1: predicting “rouges” reads “⋅les” 0.500"


def test_of_several_heads_a_line_says_whose_it_is() -> None:
    spec = flow(HAND.but(more_heads=(1,)))
    assert spec.sentence_at(0, 0).startswith("Decoder layer 2, head 1")
    assert spec.sentence_at(0, 0, 1) == "Decoder layer 2, head 2: predicting “pommes” reads “red” 0.250"


def test_the_crosshair_chooses_whose_lines_stand_out() -> None:
    assert flow().chosen == (None, None)
    assert flow(HAND.but(query=1, key=2)).chosen == (1, None)
    assert flow(HAND.but(query=1, key=2), incoming=True).chosen == (None, 2)


def test_too_many_lines_leave_those_of_the_chosen_token_and_say_so() -> None:
    tokens = 60
    weights = np.full((1, 1, tokens, tokens), 1 / tokens, np.float32)
    source = tuple(f"▁w{n}" for n in range(tokens))
    trace = trace_of({AttentionKind.ENCODER_SELF: weights}, source, ())
    chosen = Selection(AttentionKind.ENCODER_SELF, query=7, key=3)
    spec = flow_figure(trace, chosen, ViewOptions(threshold=0.01)).body
    assert isinstance(spec, FlowSpec)
    assert len(spec.lines) == tokens**2 > MOST_LINES
    assert cells(spec) == {(0, 7, column) for column in range(tokens)}
    assert "too many lines (3,600): only those of the chosen token are drawn" in spec.badges
    fewer = flow_figure(trace, chosen, ViewOptions(threshold=0.02)).body
    assert isinstance(fewer, FlowSpec)
    assert not fewer.only_chosen
    assert fewer.hidden_share == 1.0


def test_an_encoder_says_source_on_both_sides() -> None:
    spec = flow(HAND.but(kind=AttentionKind.ENCODER_SELF), threshold=0.0)
    assert spec.row_title == "source tokens (queries)"
    assert spec.column_title == "attends to: source tokens (keys)"
    assert len(spec.lines) == np.count_nonzero(ENCODER)


def test_the_csv_has_every_cell_and_which_have_a_line(tmp_path: Path) -> None:
    path = tmp_path / "flow.csv"
    write_flow_csv(figure(HAND.but(more_heads=(1,), step=1), threshold=0.2), path)
    with path.open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == 2 * 2 * 4
    for line in lines:
        query, key = int(line["query"]), int(line["key"])
        weight = (CROSS, EVEN)[int(line["head"])][query, key]
        assert np.float32(line["weight"]) == weight
        assert line["shown"] == ("1" if weight >= np.float32(0.2) else "0")
        assert line["key_token"] == SOURCE[key]
        assert line["query_token"] == ("<s>", *TARGET)[query]
        assert "lines below 0.2 hidden" in line["notes"]
