"""Altered runs and head importance in figures, on screen and in exports; oracles worked out by hand."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtGui import QColor

from model.alterations.alteration import Alteration
from model.alterations.arguments import alterations_of
from model.alterations.block_token import BlockToken
from model.alterations.change_positions import ChangePositions
from model.alterations.registry import all_to_json
from model.alterations.reorder import Reorder
from model.alterations.scale_head import ScaleHead
from model.alterations.set_row import SetRow
from model.trace.exploration import Importance
from model.trace.trace import AttentionKind, Trace
from tests.viewer.figure_samples import CROSS as CROSS_WEIGHTS
from tests.viewer.figure_samples import ENCODER as ENCODER_WEIGHTS
from tests.viewer.figure_samples import SOURCE, TARGET, picture, sample_trace, trace_of
from viewer.commands.render_arguments import build_parser
from viewer.document.document import ViewOptions
from viewer.document.selection import Selection
from viewer.export.command_line import alteration_flags, text_source
from viewer.export.writers import write_export
from viewer.figures.canvas.contrast import contrast, readable_on
from viewer.figures.canvas.lettering import width
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import DARK, LIGHT, Theme
from viewer.figures.heads.build import heads_figure
from viewer.figures.heads.layout import HeadsGeometry
from viewer.figures.heads.paint_importance import numbers
from viewer.figures.heads.spec import HeadsSpec
from viewer.figures.map.build import map_figure
from viewer.figures.map.spec import CellState, MapSpec
from viewer.figures.request import ExportRequest, Source

pytestmark = pytest.mark.usefixtures("qapp")

CROSS, ENCODER, DECODER = AttentionKind.CROSS, AttentionKind.ENCODER_SELF, AttentionKind.DECODER_SELF
PLAIN, WORTH = ViewOptions(), ViewOptions(importance=True)
HERE = Selection(CROSS, layer=1, head=0, step=2)
OFF = ScaleHead(CROSS, 1, 0)
IMPORTANCE = Importance(
    -2.5,
    {
        ENCODER: np.array([[0.0, -4.0], [0.5, 0.25]], np.float32),
        CROSS: np.array([[-2.0, 0.0], [4.0, -4.0]], np.float32),
    },
)


def altered(*changes: Alteration, **fields: Any) -> Trace:
    return sample_trace(alterations=all_to_json(changes), **fields)


def map_of(trace: Trace, selection: Selection = HERE, view: ViewOptions = PLAIN) -> MapSpec:
    body = map_figure(trace, selection, view).body
    assert isinstance(body, MapSpec)
    return body


def with_blocked_columns(*tokens: int) -> Trace:
    """The samples' matrices as a model gives them with tokens blocked: zeros, the other weights larger."""
    values = {}
    for kind, hand in ((ENCODER, ENCODER_WEIGHTS), (CROSS, CROSS_WEIGHTS)):
        weights = hand + np.float32(0.01)  # no zeros of its own
        weights[:, list(tokens)] = 0
        weights[0, 3] = 0 if kind is CROSS else weights[0, 3]  # a zero of its own
        values[kind] = (weights / weights.sum(1, keepdims=True))[None, None]
    values[DECODER] = np.tril(np.ones((3, 3), np.float32))[None, None] / np.arange(1, 4)[:, None]
    changes = all_to_json(BlockToken(token) for token in tokens)
    return trace_of(values, SOURCE, TARGET, alterations=changes)


@pytest.mark.parametrize(("kind", "rows"), [(CROSS, 3), (ENCODER, 4)])
def test_the_columns_of_blocked_tokens_are_masked_and_no_other_zero(kind: AttentionKind, rows: int) -> None:
    spec = map_of(with_blocked_columns(1, 2), Selection(kind, step=2))
    assert spec.masked is not None
    np.testing.assert_array_equal(spec.masked, np.tile([False, True, True, False], (rows, 1)))
    if kind is CROSS:
        assert spec.matrix[0, 3] == 0
        assert spec.state_at(0, 3) is CellState.SHOWN
    assert "cannot read “app”" in spec.sentence_at(0, 1)


def test_the_decoder_reads_no_source_and_is_not_masked_by_blocked_tokens() -> None:
    spec = map_of(with_blocked_columns(0), Selection(DECODER, step=2))
    assert spec.masked is not None
    np.testing.assert_array_equal(spec.masked, np.triu(np.ones((3, 3), bool), 1))


def test_blocked_columns_stay_where_they_are_when_specials_are_hidden() -> None:
    spec = map_of(with_blocked_columns(2), Selection(CROSS, step=2), ViewOptions(hide_specials=True))
    assert [label.text for label in spec.column_labels] == ["red", "app", "⋅les"]
    assert spec.masked is not None
    np.testing.assert_array_equal(spec.masked, np.tile([False, False, True], (2, 1)))


def test_a_weight_on_a_blocked_token_is_never_hidden() -> None:
    trace = altered(BlockToken(0))  # a file that says so, but whose numbers do not
    assert map_of(trace).state_at(0, 0) is CellState.SHOWN
    assert map_of(trace).weight_at(0, 0) == pytest.approx(0.7)


def test_a_page_of_heads_hatches_blocked_columns() -> None:
    body = heads_figure(with_blocked_columns(1), CROSS, 2, PLAIN).body
    assert isinstance(body, HeadsSpec)
    masked = body.grid.map(0, 0)[1]
    assert masked is not None
    np.testing.assert_array_equal(masked, np.tile([False, True, False, False], (3, 1)))


def test_a_head_that_is_off_says_so_on_its_own_map_and_in_the_caption() -> None:
    figure = map_figure(altered(OFF), HERE, PLAIN)
    own = "this head is switched off; its attention is still shown"
    assert figure.body.badges == ("model altered: cross-attention of layer 2, head 1 off", own)
    assert "Model altered: cross-attention of layer 2, head 1 off." in figure.caption
    assert "This head is switched off" in figure.caption
    assert figure.facts["alterations"] == [
        {"type": "scale", "kind": "cross", "layer": 1, "head": 0, "factor": 0.0}
    ]
    assert map_figure(altered(OFF), HERE.but(head=1), PLAIN).body.badges == figure.body.badges[:1]
    np.testing.assert_array_equal(map_of(altered(OFF)).matrix, CROSS_WEIGHTS)


def test_rows_set_by_hand_are_marked() -> None:
    spec = map_of(altered(SetRow(CROSS, 1, 0, 1, key=2)))
    assert [(label.text, label.second) for label in spec.row_labels] == [
        ("(start)", "pommes"),
        ("pommes", "rouges *"),
        ("rouges", "(end)"),
    ]
    assert "* this row was set by hand" in spec.badges
    other = map_of(altered(SetRow(CROSS, 1, 0, 1, key=2)), HERE.but(head=1))
    assert not any("*" in label.second for label in other.row_labels)
    both = map_of(altered(SetRow(ENCODER, 1, None, 0), SetRow(ENCODER, 1, 0, 3)), HERE.but(kind=ENCODER))
    assert [label.text for label in both.row_labels] == ["red *", "app", "⋅les", "(end) *"]
    assert "* these rows were set by hand" in both.badges


def worth_spec(kind: AttentionKind = CROSS, view: ViewOptions = WORTH, **fields: Any) -> HeadsSpec:
    body = heads_figure(sample_trace(**fields), kind, 2, view, importance=IMPORTANCE).body
    assert isinstance(body, HeadsSpec)
    return body


def test_a_page_of_heads_shows_importance_only_when_asked_and_measured() -> None:
    assert worth_spec(view=PLAIN).worth is None
    assert worth_spec(view=PLAIN).levels == (0.0, 1.0)
    assert worth_spec(DECODER).worth is None, "that family was not measured"
    spec = worth_spec()
    assert spec.worth is not None
    np.testing.assert_array_equal(spec.worth.values, [[-2.0, 0.0], [4.0, -4.0]])
    assert spec.levels == worth_spec(ENCODER).levels == (-4.0, 4.0)
    assert spec.badges[-1].startswith("colours: change of the translation's log probability")
    figure = heads_figure(sample_trace(), CROSS, 2, WORTH, importance=IMPORTANCE)
    assert "Colours: change of the translation's log probability" in figure.caption
    assert figure.facts["importance"] == [[-2.0, 0.0], [4.0, -4.0]]
    assert figure.facts["importance_logprob"] == -2.5


def test_importance_of_another_model_is_not_drawn() -> None:
    wrong = Importance(-1.0, {CROSS: np.zeros((5, 2), np.float32)})
    body = heads_figure(sample_trace(), CROSS, 2, WORTH, importance=wrong).body
    assert isinstance(body, HeadsSpec)
    assert body.worth is None


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("vector", [False, True])
def test_every_head_has_the_colour_of_its_change(theme: Theme, vector: bool) -> None:
    figure = heads_figure(sample_trace(), CROSS, 0, WORTH, importance=IMPORTANCE)
    image, place = picture(figure, theme=theme, options=DrawOptions(vector=vector))
    assert isinstance(place, HeadsGeometry)

    def colour(layer: int, head: int) -> QColor:
        corner = place.rect_of(layer, head).topLeft()
        return image.pixelColor(int(corner.x()) + 3, int(corner.y()) + 3)

    assert colour(1, 1).name() == theme.negative[-1]
    assert colour(1, 0).name() == theme.positive[-1]
    assert colour(0, 1).name() == theme.panel
    half = QColor.fromRgb(int(theme.diverging[127 - 63]))  # half of the scale below 0
    found = colour(0, 0)
    for part in ("red", "green", "blue"):
        assert abs(getattr(found, part)() - getattr(half, part)()) <= 6


def test_numbers_on_heads_are_as_long_as_there_is_room_and_can_be_read() -> None:
    values = np.array([[-0.773, 0.041], [0.0, -0.001]], np.float32)
    long = [["−0.77", "+0.04"], ["0.00", "0.00"]]
    assert numbers(values, 11.0, 100.0) == long
    assert numbers(values, 11.0, width("+0.04", 11.0) - 1) == [["−.77", "+.04"], [".00", ".00"]]
    assert numbers(values, 11.0, 5.0) == [["", ""], ["", ""]]
    large = np.array([[-12.34, -0.26]], np.float32)
    assert numbers(large, 11.0, width("−12.3", 11.0)) == [["−12.3", "−0.3"]]
    assert readable_on(QColor("#ffffff"), LIGHT) == readable_on(QColor("#1b2026"), DARK) == "text"
    assert readable_on(QColor(LIGHT.negative[-1]), LIGHT) == "panel"
    for theme in (LIGHT, DARK):
        for pixel in theme.diverging:
            ground = QColor.fromRgb(int(pixel))
            assert contrast(theme.color(readable_on(ground, theme)), ground) >= 4.5
    assert contrast(QColor("white"), QColor("black")) == pytest.approx(21)


def rows_of(path: Path) -> list[list[str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def test_the_csv_of_importance_has_its_numbers_and_says_what_they_are(tmp_path: Path) -> None:
    request = ExportRequest(view="heads", selection=HERE, options=WORTH)
    source = Source(trace=altered(BlockToken(1)), importance=IMPORTANCE)
    write_export(source, request, tmp_path / "a.csv")
    header, *rows = rows_of(tmp_path / "a.csv")
    assert header == ["kind", "layer", "head", "logprob_change", "logprob", "notes"]
    assert [row[:5] for row in rows] == [
        ["cross", "0", "0", "-2", "-2.5"],
        ["cross", "0", "1", "0", "-2.5"],
        ["cross", "1", "0", "4", "-2.5"],
        ["cross", "1", "1", "-4", "-2.5"],
    ]
    assert all("source token 2 “app” blocked; colours: change" in row[5] for row in rows)
    write_export(source, request.but(options=PLAIN), tmp_path / "b.csv")
    assert rows_of(tmp_path / "b.csv")[0][:8] == [
        "kind", "layer", "head", "query", "key", "query_token", "key_token", "weight",
    ]  # fmt: skip


def test_the_npz_holds_importance_beside_the_trace(tmp_path: Path) -> None:
    request = ExportRequest(selection=HERE)
    write_export(Source(trace=altered(OFF), importance=IMPORTANCE), request, tmp_path / "a.npz")
    with np.load(tmp_path / "a.npz", allow_pickle=False) as archive:
        np.testing.assert_array_equal(archive["importance_cross"], IMPORTANCE.change[CROSS])
        np.testing.assert_array_equal(archive["importance_encoder_self"], IMPORTANCE.change[ENCODER])
        assert float(archive["importance_logprob"]) == -2.5
        assert '"type": "scale"' in str(archive["alterations"])


def test_the_csv_of_an_altered_run_says_what_was_altered(tmp_path: Path) -> None:
    write_export(Source(trace=altered(OFF)), ExportRequest(selection=HERE), tmp_path / "a.csv")
    header, *rows = rows_of(tmp_path / "a.csv")
    assert header[-1] == "notes"
    assert {row[-1] for row in rows} == {"model altered: cross-attention of layer 2, head 1 off"}


SAYABLE = (
    ScaleHead(CROSS, 1, 0),
    ScaleHead(ENCODER, 0, None, 0.35),
    BlockToken(2),
    BlockToken(0),
    ChangePositions(),
)


def test_the_copied_command_alters_the_model_alike() -> None:
    flags = alteration_flags(altered(*SAYABLE))
    assert flags == [
        "--ablate", "cross:2:1", "--ablate", "encoder_self:1=0.35", "--block-token", "3",
        "--block-token", "1", "--no-positions",
    ]  # fmt: skip
    parser = build_parser()
    given = parser.parse_args([*flags, "--out", "a.png", "--", "words"])
    assert alterations_of(given, parser) == SAYABLE
    trace = altered(*SAYABLE, decoding={"mode": "greedy"})
    source = text_source(trace, "tiny")
    assert source is not None
    assert source[:2] == ["--model", "tiny"]
    assert source[-2:] == ["--", "red apples"]
    assert "--no-positions" in source


@pytest.mark.parametrize(
    "changes",
    [
        (ChangePositions("source"),),
        (ChangePositions("both", "shuffled"),),
        (SetRow(CROSS, 0, 0, 1),),
        (Reorder((1, 0, 2)),),
        (OFF, ScaleHead(CROSS, 1, None)),
        (OFF, OFF),
        (OFF, ScaleHead(CROSS, 1, 0, 0.5)),
        (ScaleHead(CROSS, 1, 0, 1e-7),),
    ],
)
def test_what_has_no_flag_of_its_own_is_said_as_json(changes: tuple[Alteration, ...]) -> None:
    trace = altered(*changes, decoding={"mode": "greedy"})
    flags = alteration_flags(trace)
    assert flags is not None
    assert set(flags[::2]) == {"--alter"}
    parser = build_parser()
    assert alterations_of(parser.parse_args([*flags, "--out", "a.png", "--", "words"]), parser) == changes
    source = text_source(trace, "tiny")
    assert source is not None
    assert source[-2:] == ["--", "red apples"]


def test_what_no_command_can_say_it_does_not_say() -> None:
    assert alteration_flags(sample_trace(alterations=("something",))) is None
    assert alteration_flags(sample_trace()) == []
