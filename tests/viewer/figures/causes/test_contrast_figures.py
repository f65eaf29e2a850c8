"""Figures of contributions and of faithfulness: the numbers of the answer, true scales and words."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from main import main
from model.bundle.bundle import load_bundle
from model.folder.bundled import MODELS
from model.inspection.answering import answer
from model.questions.answers import Gradients
from model.questions.causes.contrast import Contrast, ContrastOf, Contributed
from model.questions.causes.faithfulness import Faithfulness, FaithfulnessOf, Fall, Ranking
from model.questions.questions import GradientOf, Reading
from model.trace.trace import AttentionKind, Trace
from model.trace.trace_file import open_trace
from viewer.document.selection import Numbers, Selection
from viewer.figures.causes.contrast import contrast_figure
from viewer.figures.causes.trust import trust_figure, trust_question
from viewer.figures.known import Missing
from viewer.figures.sheet.bars import Bars
from viewer.figures.sheet.curves import Curves
from viewer.figures.sheet.waterfall import Waterfall
from viewer.figures.sheet.words import Words

ENCODER, DECODER, CROSS = AttentionKind
STEP = 2


@pytest.fixture(autouse=True)
def application(qapp: QApplication) -> None:
    """Type is measured."""


@pytest.fixture(scope="module")
def trace() -> Trace:
    return open_trace(MODELS / "en-fr" / "example.trace")


def side(name: str, tokens: tuple[str, ...], *numbers: list[float]) -> Contributed:
    return Contributed(name, tokens, *(np.array(row) for row in numbers))  # type: ignore[arg-type]


def contrast(rival: int | None = 9) -> Contrast:
    source = side("source", ("▁a", "▁b"), [1.0, -2.0], [0.5, 0.0], [3.0, 4.0], [0.25, 0.5])
    prefix = side("target", ("<s>", "▁c"), [0.5, 0.25], [0.0, 0.0], [1.0, 0.5], [0.0, -1.0])
    return Contrast(STEP, 5, rival, "▁c", "▁d" if rival else "", (-0.25, -3.0)[: 2 if rival else 1],
                    source, prefix)  # fmt: skip


def test_tokens_are_coloured_by_sign_on_a_symmetric_scale(trace: Trace) -> None:
    figure = contrast_figure(trace, contrast())
    spec = figure.body
    products, effects, lengths = (line[0] for line in spec.lines[:3])
    for part, largest, signed in ((products, 2.0, True), (effects, 1.0, True), (lengths, 4.0, False)):
        assert isinstance(part, Words)
        assert part.signed is signed
        for line in part.lines:
            for token in line.tokens:
                assert token.value is not None
                assert token.level == pytest.approx(token.value / largest)
    assert isinstance(products, Words)
    assert [line.name for line in products.lines] == ["source", "prefix"]
    assert [token.value for line in products.lines for token in line.tokens] == [1.0, -2.0, 0.5, 0.25]
    said = products.said(0, 0)
    assert all(number in said for number in ("+1.000", "+0.500", "+0.250", "3.000"))
    summed, lost = spec.lines[3]
    assert isinstance(summed, Waterfall)
    assert summed.total == pytest.approx(0.25)  # -0.25 of words, 0.5 of positions
    assert dict(zip(summed.names, summed.values, strict=True))["all positions"] == 0.5
    assert isinstance(lost, Bars)
    assert list(lost.series[0].values) == [-1.0, 0.5, 0.25, 0.0]
    assert lost.names[0] == "prefix: c"
    assert spec.badges[0] == "explained: log p(a) − log p(b) = +2.750"
    assert spec.title == "What each token did for “c” rather than “d”, step 3"
    for words in ("arXiv 2202.10419", "∂D/∂x · x", "need not be what is explained"):
        assert words in figure.caption
    alone = contrast_figure(trace, contrast(None))
    assert alone.body.badges[0] == "explained: log p = −0.250"
    assert "arXiv 1605.01713" in alone.caption


def faithfulness(tokens: tuple[str, ...] = ("▁a", "▁b")) -> Faithfulness:
    def fall(name: str, order: tuple[int, ...], middle: float, spread: float = 0.0) -> Fall:
        logprobs = np.array([-0.5, middle, -4.0])
        area = float(logprobs[0] - logprobs.mean())
        return Fall(name, order, logprobs, np.array([0.0, spread, 0.0]), area, spread / 3)

    names = ("mean_weights", "gradient_x_input", "gradient_l1", "taken_away", "alti")
    curves = (
        fall("map", (1, 0), -3.0),
        fall("map_reversed", (0, 1), -1.0),
        fall("random", (), -2.0, 1.0),
        *(fall(name, (0, 1), -1.0) for name in names),
    )
    return Faithfulness(STEP, "source", "▁c", tokens, np.arange(3), curves, 0, 20)


def test_curves_fall_and_their_areas_are_beside_them(trace: Trace) -> None:
    selection = Selection(CROSS, 1, 0, step=STEP)
    figure = trust_figure(trace, selection, faithfulness())
    (curves,), (areas,), (order,) = figure.body.lines
    assert isinstance(curves, Curves)
    lines = {line.name: line for line in curves.lines}
    assert list(lines["this map"].ys) == [-0.5, -3.0, -4.0]
    assert list(lines["random"].spread) == [0.0, 1.0, 0.0]
    assert not lines["this map"].spread
    assert len({line.index for line in curves.lines}) == len(curves.lines)
    assert curves.y.high == 0.0
    assert curves.y.low < -4.0
    assert curves.said(2, 1) == "random: 1 → −2 ± 1"
    assert isinstance(areas, Bars)
    assert areas.names[0] == "this map"
    assert areas.strong == (0,)
    assert areas.series[0].values[0] == pytest.approx(2.0)
    assert any(name == "random (± 0.33)" for name in areas.names)
    assert isinstance(order, Words)
    assert [token.text for token in order.lines[0].tokens] == ["b", "a"]
    assert figure.body.title == "Can this map be trusted? Decoder layer 2 of 3, head 1 of 8, for “c”, step 3"
    for words in ("arXiv 1911.03429", "20 orders, seed 0", "look at several"):
        assert words in figure.caption


def test_what_is_tested_is_the_row_that_is_shown(trace: Trace) -> None:
    def asked(known: Any = None, **changes: Any) -> FaithfulnessOf:
        return trust_question(trace, Selection(CROSS, 1, 0, step=STEP).but(**changes), known)

    head = asked()
    assert (head.step, head.side, head.map.name) == (STEP, "source", "map")
    assert head.map.weights == pytest.approx(trace.pattern(CROSS, 1, 0)[STEP])
    assert [ranking.name for ranking in head.beside] == ["mean_weights"]
    mean = asked(head=None)
    assert mean.map.weights == pytest.approx(
        np.mean([trace.pattern(CROSS, 1, head)[STEP] for head in range(trace.heads(CROSS))], 0), abs=1e-6
    )
    own = asked(kind=DECODER)
    assert (own.side, len(own.map.weights)) == ("target", STEP + 1)
    encoder = asked(kind=ENCODER, head=2)
    assert encoder.map.weights == pytest.approx(trace.pattern(ENCODER, 1, 2).mean(0), abs=1e-6)
    with pytest.raises(Missing):
        asked(numbers=Numbers.GRADIENT)
    shape = trace.patterns.shape(CROSS)
    assert shape is not None
    gradients = Gradients(STEP, -0.5, {CROSS: np.full(shape, -2.0, np.float32)})
    signed = asked(lambda question, _: gradients if question == GradientOf(STEP) else None,
                   numbers=Numbers.GRADIENT)  # fmt: skip
    assert signed.map.weights == pytest.approx(-2 * trace.pattern(CROSS, 1, 0)[STEP], abs=1e-6)


def test_render_writes_what_the_model_answers(tmp_path: Path, trace: Trace) -> None:
    model, example = load_bundle(MODELS / "en-fr"), str(MODELS / "en-fr" / "example.trace")
    place = ["--trace", example, "--step", str(STEP + 1)]
    out = tmp_path / "a.csv"
    assert main(["render", "--view", "contrast", *place, "--rival", "chien", "--out", str(out)]) == 0
    rows = list(csv.DictReader(out.read_text("utf-8").splitlines()))
    rival = model.target_tokenizer.encode_continuation("chien")[0]
    *_, found = answer(model, ContrastOf(STEP, None, rival), Reading.of(trace))
    assert isinstance(found, Contrast)
    values = [value for each in found.sides for value in each.effects]
    assert [float(row["taken_away"]) for row in rows] == pytest.approx(values, abs=1e-5)
    assert "arXiv 2202.10419" in rows[0]["notes"]
    cell = ["--kind", "cross", "--layer", "2", "--head", "1"]
    for name in ("b.npz", "b.svg"):
        argv = ["render", "--view", "trust", *place, *cell, "--out", str(tmp_path / name)]
        assert main(argv) == 0
    weights = tuple(map(float, trace.pattern(CROSS, 1, 0)[STEP].astype(np.float64)))
    question = FaithfulnessOf(STEP, "source", Ranking("map", weights))
    *_, tested = answer(model, question, Reading.of(trace))
    assert isinstance(tested, Faithfulness)
    with np.load(tmp_path / "b.npz") as arrays:
        np.testing.assert_allclose(arrays["logprobs_map"], tested.curve("map").logprobs, atol=1e-5)
        assert "Decoder layer 2 of 3, head 1 of 8" in str(arrays["facts"])
    assert "area over the curve" in (tmp_path / "b.svg").read_text("utf-8").lower()
