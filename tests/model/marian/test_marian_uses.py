"""A Marian model is one of ours: branches, alterations and questions about its arithmetic, each once."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch

from model.alterations.scale_head import ScaleHead
from model.decoding.decode_config import DecodeConfig
from model.inspection.answering import answer
from model.inspection.readings import Readings
from model.questions.answers import EmbeddingSum, Gradients, Stages
from model.questions.questions import EmbeddingOf, GradientOf, Question, Reading, StagesOf
from model.trace.trace import AttentionKind, Trace
from model.translator.translator import Translator
from tests.assets import SENTENCE
from tests.foreign_assets import quiet
from tests.marian_assets import write_marian

HEADS, WIDTH = 4, 8


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_marian(
        tmp_path_factory.mktemp("marian") / "opus-mt-en-fr", heads=HEADS, d_model=HEADS * WIDTH
    )


@pytest.fixture(scope="module")
def translator(folder: Path) -> Translator:
    return Translator.load(folder)


@pytest.fixture(scope="module")
def theirs(folder: Path) -> Any:
    from transformers import MarianMTModel

    with quiet():
        model = MarianMTModel.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager")
    return model.eval()


def run(model: Any, trace: Trace) -> Any:
    """What `transformers` makes of a trace's tokens."""
    with torch.no_grad():
        return model(
            input_ids=torch.tensor(np.array(trace.src_ids))[None],
            decoder_input_ids=torch.tensor(np.array(trace.tgt_in_ids))[None],
            output_attentions=True,
            output_hidden_states=True,
        )


def asked(translator: Translator, trace: Trace, question: Question) -> Any:
    model = translator.bundle
    return list(answer(model, question, Reading.of(trace), Readings(model)))[-1]


def logprobs(made: Any, trace: Trace) -> npt.NDArray[np.float32]:
    chosen = torch.tensor(np.array(trace.tgt_out_ids))[:, None]
    result: npt.NDArray[np.float32] = made.logits[0].log_softmax(-1).gather(1, chosen)[:, 0].numpy()
    return result


def test_a_branch_goes_on_from_what_was_computed(translator: Translator) -> None:
    origin = list(translator.decode(SENTENCE, DecodeConfig(max_length=8)))[-1]
    assert origin.decoding is not None
    kept = tuple(map(int, origin.trace.tgt_out_ids[:3]))
    config = DecodeConfig(prefix_ids=(*kept, 9), max_length=8)
    branch = list(translator.decode(SENTENCE, config, branch_from=origin.decoding))[-1].trace
    anew = list(translator.decode(SENTENCE, config))[-1].trace
    assert list(branch.tgt_out_ids[:4]) == [*kept, 9]
    assert list(branch.tgt_out_ids) == list(anew.tgt_out_ids)
    np.testing.assert_allclose(branch.step_logprob, anew.step_logprob, atol=1e-5)


def test_a_head_that_is_switched_off(translator: Translator, theirs: Any) -> None:
    """In `transformers` the same: the head's columns of W_O are zeros."""
    alterations = (ScaleHead(AttentionKind.CROSS, 1, 2), ScaleHead(AttentionKind.ENCODER_SELF, 0, 3))
    config = DecodeConfig(max_length=8)
    trace = list(translator.decode(SENTENCE, config, alterations=alterations))[-1].trace
    untouched = logprobs(run(theirs, trace), trace)
    places = (
        (theirs.model.decoder.layers[1].encoder_attn.out_proj.weight, 2),
        (theirs.model.encoder.layers[0].self_attn.out_proj.weight, 3),
    )
    kept = [weight.detach().clone() for weight, _ in places]
    try:
        with torch.no_grad():
            for weight, head in places:
                weight[:, head * WIDTH : (head + 1) * WIDTH] = 0
        wanted = logprobs(run(theirs, trace), trace)
    finally:
        with torch.no_grad():
            for (weight, _), values in zip(places, kept):
                weight.copy_(values)
    np.testing.assert_allclose(trace.step_logprob, wanted, atol=1e-4)
    assert np.abs(wanted - untouched).max() > 0.01


def test_scores_before_the_softmax(translator: Translator, theirs: Any) -> None:
    trace = list(translator.decode(SENTENCE, DecodeConfig(max_length=8)))[-1].trace
    found = asked(translator, trace, StagesOf(AttentionKind.ENCODER_SELF, 1, 2))
    assert isinstance(found, Stages)
    made = run(theirs, trace)
    attention = theirs.model.encoder.layers[1].self_attn
    entering = made.encoder_hidden_states[1][0]
    rows = slice(2 * WIDTH, 3 * WIDTH)
    with torch.no_grad():
        scores = attention.q_proj(entering)[:, rows] @ attention.k_proj(entering)[:, rows].T
    np.testing.assert_allclose(found.scores, scores, atol=1e-3, rtol=1e-4)
    np.testing.assert_allclose(found.scaled, scores / math.sqrt(WIDTH), atol=1e-3, rtol=1e-4)
    np.testing.assert_allclose(found.pattern, made.encoder_attentions[1][0, 2], atol=1e-5)


def test_what_enters_a_stack(translator: Translator, theirs: Any) -> None:
    trace = list(translator.decode(SENTENCE, DecodeConfig(max_length=8)))[-1].trace
    found = asked(translator, trace, EmbeddingOf("target"))
    assert isinstance(found, EmbeddingSum)
    made = run(theirs, trace)
    np.testing.assert_allclose(found.total, made.decoder_hidden_states[0][0], atol=1e-5)
    assert found.scale == pytest.approx(math.sqrt(HEADS * WIDTH))
    table = theirs.model.decoder.embed_positions.weight[: trace.steps].detach()
    np.testing.assert_allclose(found.position, table, atol=1e-6)


def test_gradients(translator: Translator, theirs: Any) -> None:
    trace = list(translator.decode(SENTENCE, DecodeConfig(max_length=6)))[-1].trace
    found = asked(translator, trace, GradientOf(4))
    assert isinstance(found, Gradients)
    made = theirs(
        input_ids=torch.tensor(np.array(trace.src_ids))[None],
        decoder_input_ids=torch.tensor(np.array(trace.tgt_in_ids))[None],
        output_attentions=True,
    )
    logprob = made.logits[0, 4].log_softmax(-1)[int(trace.tgt_out_ids[4])]
    wanted = torch.autograd.grad(logprob, made.cross_attentions)
    ours = found.gradients[AttentionKind.CROSS]
    assert np.abs(ours).max() > 1e-3
    for layer, gradient in enumerate(wanted):
        np.testing.assert_allclose(ours[layer, :, :5], gradient[0, :, :5].numpy(), atol=1e-4, rtol=1e-3)
    assert found.logprob == pytest.approx(float(logprob.detach()), abs=1e-4)
