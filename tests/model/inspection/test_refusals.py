"""What cannot be answered is refused in a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.alterations.block_token import BlockToken
from model.alterations.scale_head import ScaleHead
from model.bundle.bundle import load_bundle, write_bundle
from model.errors import HeadscopeError
from model.inspection.answering import answer
from model.inspection.readings import Readings
from model.questions.questions import (
    EmbeddingOf,
    GradientOf,
    Question,
    Reading,
    RowOf,
    SharesOf,
    StagesOf,
    WalkOf,
)
from tests.model import tiny_bundle
from tests.model.inspection.asked import CROSS, DECODER, ENCODER, OUT, SOURCE, ask, reading
from tests.model.inspection.conftest import Make


def refused(make: Make, question: Question, about: Reading) -> HeadscopeError:
    with pytest.raises(HeadscopeError) as caught:
        ask(make().bundle, question, about)
    return caught.value


@pytest.mark.parametrize(
    ("question", "code", "sentence"),
    [
        (RowOf(ENCODER, 2, 0, 0), "alteration_layer", "there is no layer 3 of encoder_self attention"),
        (RowOf(CROSS, -1, 0, 0), "alteration_layer", "there is no layer 0 of cross"),
        (StagesOf(DECODER, 3, 0), "alteration_layer", "choose one from 1 to 3"),
        (RowOf(CROSS, 0, 2, 0), "inspection_head", "there is no head 3; choose one from 1 to 2"),
        (StagesOf(CROSS, 0, -1), "inspection_head", "there is no head 0"),
        (RowOf(ENCODER, 0, 0, 6), "alteration_row", "choose one from 1 to 6"),
        (RowOf(CROSS, 0, 0, 5), "alteration_row", "there is no row 6 of cross attention"),
        (RowOf(DECODER, 0, 0, -1), "alteration_row", "there is no row 0"),
        (WalkOf("source", 6), "alteration_token", "there is no source token 7"),
        (WalkOf("source", -1), "alteration_token", "the tokens 1 to 6"),
        (WalkOf("target", 5), "export_step", "there is no step 6; choose one from 1 to 5"),
        (GradientOf(-1), "export_step", "there is no step 0"),
        (GradientOf(5), "export_step", "there is no step 6"),
    ],
)
def test_what_there_is_none_of(make: Make, question: Question, code: str, sentence: str) -> None:
    error = refused(make, question, reading())

    assert error.code == code
    assert sentence in str(error)


@pytest.mark.parametrize(
    "question",
    [
        RowOf(DECODER, 0, 0, 0),
        RowOf(CROSS, 0, 0, 0),
        StagesOf(CROSS, 0, 0),
        EmbeddingOf("target"),
        WalkOf("target", 0),
        GradientOf(0),
        SharesOf(),
    ],
)
def test_before_a_translation_the_decoder_has_nothing_to_say(make: Make, question: Question) -> None:
    assert refused(make, question, reading(out=())).code == "inspection_nothing"


@pytest.mark.parametrize(
    ("about", "code"),
    [
        (Reading("", (), OUT), "empty_text"),
        (Reading("", (4, 28), OUT), "token_id"),
        (Reading("", SOURCE, (-1,)), "token_id"),
        (Reading("", (4,) * 33, OUT), "too_long"),
        (Reading("", SOURCE, (4,) * 33), "too_long"),
        (reading(BlockToken(6)), "alteration_token"),
        (reading(ScaleHead(CROSS, 3)), "alteration_layer"),
    ],
)
def test_what_cannot_be_read(make: Make, about: Reading, code: str) -> None:
    assert refused(make, WalkOf("target", 0), about).code == code


@pytest.mark.parametrize(
    "question", [RowOf(ENCODER, 1, 0, 0), WalkOf("target", 0), GradientOf(1), SharesOf()]
)
@pytest.mark.parametrize("norm", ["pre_norm", "post_norm"])
def test_numbers_that_overflow_are_said_to_every_time(tmp_path: Path, norm: str, question: Question) -> None:
    a = tiny_bundle.architecture(encoder_layers=2, norm=norm)
    weights = tiny_bundle.transformer(a)
    for layer in weights.encoder.layers:
        layer.linear2.weight.data *= 1e38  # type: ignore[union-attr, operator]
    spm = tiny_bundle.spm()
    write_bundle(tmp_path / "bundle", tiny_bundle.config(a), weights, spm, spm, half=False)
    bundle = load_bundle(tmp_path / "bundle")
    readings = Readings(bundle)
    for _ in range(2):
        with pytest.raises(HeadscopeError) as caught:
            ask(bundle, question, reading(), readings)
        assert caught.value.code == "model_overflow"


def test_a_question_that_nobody_answers_is_our_mistake() -> None:
    with pytest.raises(TypeError, match="answered_by"):

        class Odd(Question):  # type: ignore[call-arg]
            pass


def test_a_question_about_a_reading_needs_one(make: Make) -> None:
    with pytest.raises(TypeError, match="about a reading"):
        list(answer(make().bundle, SharesOf()))
