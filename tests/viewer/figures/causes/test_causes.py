"""Figures of causes: their bars add up to what the model says, and every file says by which formula."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from main import main
from model.bundle.bundle import load_bundle
from model.folder.bundled import MODELS
from model.inspection.answering import answer
from model.questions.causes.decoder_lens import DECODER_LENS, LayerRow, LayersRead
from model.questions.causes.logit import LogitOf, LogitParts
from model.questions.causes.methods import METHODS
from model.questions.causes.parts import Part
from model.questions.causes.scores import ScoreOf, ScoreParts
from model.questions.causes.without_source import WITHOUT_SOURCE, SourceWorth
from model.questions.questions import Reading
from model.trace.trace import AttentionKind, Trace
from model.trace.trace_file import open_trace
from viewer.document.document import ViewOptions
from viewer.document.explained import logit_question, piece_id
from viewer.document.selection import Selection
from viewer.document.text.method_text import method_words
from viewer.export.command_line import arguments
from viewer.export.data import write_data
from viewer.figures.building import build_figure
from viewer.figures.causes.logit import logit_figure
from viewer.figures.causes.reading import layers_figure, worth_figure
from viewer.figures.causes.scores import group_map, score_figure
from viewer.figures.causes.text import part_name
from viewer.figures.heads.spec import HeadsSpec
from viewer.figures.request import ExportRequest, Source
from viewer.figures.sheet.grid import Grid
from viewer.figures.sheet.text_table import TextTable
from viewer.figures.sheet.waterfall import Waterfall
from viewer.window.localization import Localization

CROSS = AttentionKind.CROSS


@pytest.fixture(autouse=True)
def application(qapp: QApplication) -> None:
    """Type is measured."""


@pytest.fixture
def localization(qapp: QApplication) -> Iterator[Localization]:
    localization = Localization()
    yield localization
    localization.remove()


@pytest.fixture(scope="module")
def trace() -> Trace:
    return open_trace(MODELS / "en-fr" / "example.trace")


def logit(step: int = 3, rival: int | None = 9) -> LogitParts:
    parts = (
        Part("word", "target"),
        Part("position", "target"),
        Part("head", "target", "self_attention", 0, 0),
        Part("head", "target", "self_attention", 0, 1),
        Part("bias", "target", "self_attention", 0),
        Part("feed_forward", "target", layer=0),
        Part("norm", "target", "closing"),
    )
    values = np.array([1.0, -0.5, 2.0, 0.25, 0.125, -4.0, 0.0625])
    return LogitParts(step, 5, rival, "▁chat", "" if rival is None else "▁chien", parts, values,
                      float(values.sum()), (-0.1, -3.0), False, 1, 2)  # fmt: skip


def test_a_logit_is_shown_layer_by_layer_and_part_by_part(trace: Trace) -> None:
    figure = logit_figure(trace, logit())
    places, largest = figure.body.lines[0]
    assert isinstance(places, Waterfall)
    assert isinstance(largest, Waterfall)
    assert dict(zip(places.names, places.values, strict=True)) == {
        "word": 1.0, "position": -0.5, "self 1": 2.25, "FFN 1": -4.0, "biases, norms": 0.1875,
    }  # fmt: skip
    assert list(largest.names)[:3] == ["FFN 1", "self 1.1", "word"]
    assert places.total == pytest.approx(largest.total) == pytest.approx(-1.0625)
    assert figure.body.title == "What each head wrote for “chat” rather than “chien”, step 4"
    for said in method_words(METHODS[1]).sentences:
        assert said in figure.caption
    assert "norms held" in figure.caption


def test_other_readings_as_tables(trace: Trace) -> None:
    attached = np.linspace(-0.5, -0.1, trace.steps, dtype=np.float32)
    worth = worth_figure(trace, SourceWorth(attached, attached - np.float32(2.25)))
    (table,) = worth.body.lines[0]
    assert isinstance(table, TextTable)
    assert table.lines[0][1:] == ("−0.50", "−2.75", "2.25")
    assert len(table.lines) == trace.steps
    rows = (
        LayerRow(0, "bla " * 30, ("a", "b"), np.float32([-0.5, -1.5]), False, -9.0),
        LayerRow(1, "words", ("a",), np.float32([-0.25]), True, -1.0),
    )
    layers = layers_figure(trace, LayersRead(rows, 1))
    (table,) = layers.body.lines[0]
    assert isinstance(table, TextTable)
    assert table.lines[1] == ("1", "−0.25", "−1.00", "words")
    assert table.lines[0][:3] == ("0", "−1.00", "−9.00")
    assert table.lines[0][3].endswith("bla…")
    for figure, method in ((worth, WITHOUT_SOURCE), (layers, DECODER_LENS)):
        for said in method_words(method).sentences:
            assert said in figure.caption


def test_groups_of_a_score_are_shown_on_a_symmetric_scale(trace: Trace) -> None:
    query = (
        Part("word", "target"),
        Part("head", "target", "cross", 0, 1),
        Part("bias", "target", "query", 1),
    )
    key = (Part("word", "source"), Part("position", "source"))
    products = np.array([[1.0, 0.5], [-2.0, 0.25], [0.125, 0.0]])
    found = ScoreParts(ScoreOf(CROSS, 1, 0, 2, 1), query, key, products, -0.125, 0.75, True)
    grid = group_map(found)
    assert isinstance(grid, Grid)
    np.testing.assert_allclose(grid.values, products)
    assert (list(grid.rows_named), list(grid.columns_named)) == (
        ["word", "heads", "biases, norms"],
        ["word", "position"],
    )
    assert grid.levels == (-2.0, 2.0)
    assert grid.corner == (1, 2)  # this query has a word and no position
    figure = score_figure(trace, found)
    pairs = figure.body.lines[0][1]
    assert isinstance(pairs, Waterfall)
    assert pairs.names[0] == "cross 1.2 × word"
    assert pairs.total == pytest.approx(-0.125)
    assert any("+0.750" in badge for badge in figure.body.badges)
    assert any("not allowed" in badge for badge in figure.body.badges)


def test_the_words_of_a_selection_are_those_of_its_step(trace: Trace) -> None:
    step = 2
    other = next(piece for piece in trace.candidate_tokens[step] if piece != trace.tgt_out_tokens[step])
    place = trace.candidate_tokens[step].index(other)
    assert piece_id(trace, step, other) == int(trace.candidate_ids[step][place])
    assert logit_question(trace, Selection(step=step)) == LogitOf(step)
    rival = int(trace.candidate_ids[step][place])
    assert logit_question(trace, Selection(step=step, rival=other)) == LogitOf(step, None, rival)
    assert logit_question(trace, Selection(step=step, rival="▁never")) is None
    assert logit_question(trace, Selection()) is None
    again = Selection.from_json(Selection(step=step, word="a", rival=other).to_json())
    assert (again.word, again.rival) == ("a", other)


def test_render_writes_the_same_numbers_as_the_model_says(tmp_path: Path, trace: Trace) -> None:
    model = load_bundle(MODELS / "en-fr")
    example = str(MODELS / "en-fr" / "example.trace")
    place = ["--trace", example, "--step", "3"]
    assert (
        main(["render", "--view", "logit", *place, "--rival", "chien", "--out", str(tmp_path / "a.csv")]) == 0
    )
    rows = list(csv.DictReader((tmp_path / "a.csv").read_text("utf-8").splitlines()))
    rival = model.target_tokenizer.encode_continuation("chien")[0]
    *_, found = answer(model, LogitOf(2, None, rival), Reading.of(trace))
    assert sum(float(row["value"]) for row in rows) == pytest.approx(found.logit, abs=1e-4)
    assert "arXiv 2211.00593" in rows[0]["notes"]
    cell = ["--kind", "cross", "--layer", "2", "--head", "1", "--query", "3", "--key", "2"]
    for name in ("b.npz", "b.png"):
        out = str(tmp_path / name)
        assert main(["render", "--view", "scores", "--trace", example, *cell, "--out", out]) == 0
    with np.load(tmp_path / "b.npz") as arrays:
        *_, score = answer(model, ScoreOf(CROSS, 1, 0, 2, 1), Reading.of(trace))
        assert arrays["products"].sum() == pytest.approx(score.score, rel=1e-5, abs=1e-5)
        assert json.loads(str(arrays["facts"]))["method"] == "scores"
    assert (tmp_path / "b.png").stat().st_size > 10_000


def test_circuits_are_rendered_as_the_command_tells_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    example, head = (
        str(MODELS / "en-fr" / "example.trace"),
        ["--kind", "cross", "--layer", "3", "--head", "4"],
    )
    asked = ["render", "--view", "circuits", "--trace", example, *head, "--read-word", "best"]
    asked += ["--query-word", "le", "--out"]
    for name in ("a.csv", "a.svg"):
        assert main([*asked, str(tmp_path / name)]) == 0
    rows = list(csv.DictReader((tmp_path / "a.csv").read_text("utf-8").splitlines()))
    capsys.readouterr()
    assert main(["circuits", *head, "--word", "best", "--query-word", "le", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["rows"]
    assert [(row["list"], row["other"]) for row in rows] == [(row["list"], row["other"]) for row in told]
    assert [float(row["value"]) for row in rows] == pytest.approx([row["value"] for row in told])
    drawn = (tmp_path / "a.svg").read_text("utf-8")
    for said in ("mieux", "meilleur", "copying score 0.85", "direct path alone"):
        assert said in drawn
    request = ExportRequest("circuits", Selection(CROSS, 2, 3, step=4, query=5, key=7), step=4)
    at = ["--query", "6", "--key", "8"]
    words = arguments(request, ["--trace", example], str(tmp_path / "b.csv"), file_format="csv")
    assert words[words.index("--query") :][:4] == at
    assert main(words) == 0
    rows = list(csv.DictReader((tmp_path / "b.csv").read_text("utf-8").splitlines()))
    trace = open_trace(example)
    assert {row["word"] for row in rows if row["list"] == "promotes"} == {trace.src_tokens[7]}
    assert {row["word"] for row in rows if row["list"] == "looks_for"} == {trace.tgt_in_tokens[5]}
    assert main(["render", "--view", "circuits", "--trace", example, "--head", "mean", "--out", "b.svg"]) == 1


def test_every_part_has_a_chinese_name(localization: Localization) -> None:
    parts = [
        Part("word", "source"), Part("position", "source"), Part("head", "target", "cross", 1, 2),
        Part("feed_forward", "target", layer=0), Part("bias", "target", "output"),
        Part("norm", "target", "closing"), Part("bias", "source", "key", 1),
        Part("bias", "source", "query", 1),
    ]  # fmt: skip
    english = [part_name(part) for part in parts]
    assert english == [
        "word", "position", "cross 2.3", "FFN 1", "bias, output", "norm, end of the stack", "bias, keys 2",
        "bias, queries 2",
    ]  # fmt: skip
    localization.choose("zh_CN")
    assert not set(map(part_name, parts)) & set(english) - {"FFN 1"}
    for method in METHODS:
        assert method_words(method).name != method.label
        assert method_words(method).caveat != method.caveat


def test_heads_coloured_by_what_they_wrote_are_written_as_a_table(tmp_path: Path, trace: Trace) -> None:
    layers, heads = trace.layers(CROSS), trace.heads(CROSS)
    parts = (Part("head", "target", "cross", 1, 2), Part("head", "target", "self_attention", 0, 0))
    values = np.array([1.5, -3.0])
    step = 2
    word, piece = int(trace.tgt_out_ids[step]), trace.tgt_out_tokens[step]
    found = LogitParts(step, word, None, piece, "", parts, values, -1.5, (-0.1,), False, layers, heads)
    request = ExportRequest(
        "heads",
        Selection(CROSS, step=step),
        ViewOptions(attribution=True),
        step=step,
    )
    source = Source(trace, known=lambda question, reading: found if question == LogitOf(step) else None)
    figure = build_figure(source, request)
    assert isinstance(figure.body, HeadsSpec)
    assert figure.body.worth is not None
    assert figure.body.worth.values[1, 2] == 1.5
    assert figure.body.levels == (-3.0, 3.0)
    assert "Direct effects only" in figure.caption
    write_data(source, request, tmp_path / "a.csv", "csv")
    rows = list(csv.DictReader((tmp_path / "a.csv").read_text("utf-8").splitlines()))
    assert len(rows) == layers * heads
    assert [row["written"] for row in rows if (row["layer"], row["head"]) == ("1", "2")] == ["1.5"]
    assert sum(float(row["written"]) for row in rows) == 1.5
    assert "arXiv 2211.00593" in rows[0]["notes"]
    weights = build_figure(source, request.but(selection=Selection(AttentionKind.ENCODER_SELF, step=step)))
    assert isinstance(weights.body, HeadsSpec)
    assert weights.body.worth is None
