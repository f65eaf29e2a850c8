"""Logits of models of others taken apart, and read after each layer: against plain torch."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from model.decoding.decode_config import DecodeConfig
from model.errors import HeadscopeError
from model.inspection.answering import answer
from model.questions.causes.logit import LogitOf
from model.questions.causes.logit_lens import LensesOf
from model.questions.causes.scores import ScoreOf
from model.questions.causes.without_source import WithoutSource
from model.questions.questions import Reading
from model.trace.trace import AttentionKind, Trace
from model.translator.translator import Translator
from tests.model.foreign.inside.plain import W_O, logprobs, run, seen, sliced
from tests.model.foreign.opened import Opened, open_kind

TEXT = "The little girl gave her brother"
HEADS, STEP = 4, 4


@pytest.fixture(scope="module", params=["bart", "bert", "gpt2", "llama", "m2m100", "t5"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def case(kind: str, tmp_path_factory: pytest.TempPathFactory) -> Opened:
    return open_kind(kind, tmp_path_factory.mktemp(kind))


@pytest.fixture(scope="module")
def trace(case: Opened) -> Trace:
    return list(Translator(case.model).decode(TEXT, DecodeConfig(max_length=6)))[-1].trace


def ask(case: Opened, trace: Trace, question: Any) -> Any:
    *_, found = answer(case.model, question, Reading.of(trace))
    return found


def plain_run(case: Opened, trace: Trace) -> Any:
    with torch.no_grad():
        return run(case.network, trace.src_ids.tolist(), trace.tgt_in_ids.tolist(), output_hidden_states=True)


def spoken(kind: str, network: Any, hidden: torch.Tensor) -> torch.Tensor:
    """Logits of what left a layer [d], as the code of `transformers` makes them of the last one's."""
    if kind == "bert":
        return network.cls(hidden)  # type: ignore[no-any-return]
    if kind == "bart":
        return network.lm_head(hidden) + network.final_logits_bias[0]  # type: ignore[no-any-return]
    if kind == "t5":
        closed = network.decoder.final_layer_norm(hidden)
        tied = getattr(network.config, "scale_decoder_outputs", network.config.tie_word_embeddings)
        return network.lm_head(closed * (32**-0.5 if tied else 1.0))  # type: ignore[no-any-return]
    closing = {"gpt2": "transformer.ln_f", "llama": "model.norm", "m2m100": "model.decoder.layer_norm"}
    return network.lm_head(network.get_submodule(closing[kind])(hidden))  # type: ignore[no-any-return]


def test_the_lens_is_the_models_head_on_every_layer(kind: str, case: Opened, trace: Trace) -> None:
    found = ask(case, trace, LensesOf(STEP))
    output = plain_run(case, trace)
    states = getattr(output, "decoder_hidden_states", None) or output.hidden_states
    assert len(found.lenses) == len(states) - 1
    for layer, lens in enumerate(found.lenses):
        last = layer == len(found.lenses) - 1
        want = output.logits[0, STEP] if last else spoken(kind, case.network, states[layer + 1][0, STEP])
        np.testing.assert_allclose(lens.logits, want[torch.tensor(lens.ids)].numpy(), atol=2e-4, rtol=1e-4)
        assert np.isclose(lens.logits[0], float(want.max()), atol=2e-4)
        assert np.isclose(lens.produced, float(want.log_softmax(-1)[found.word]), atol=2e-4)
        assert lens.rank == 1 + int((want > want[found.word]).sum())


def test_what_was_written_adds_to_the_logit(kind: str, case: Opened, trace: Trace) -> None:
    if kind == "bert":
        with pytest.raises(HeadscopeError) as wrong:
            ask(case, trace, LogitOf(0))
        assert wrong.value.code == "inspection_nothing"
        return
    rival = 7
    found = ask(case, trace, LogitOf(STEP, rival=rival))
    logits = plain_run(case, trace).logits[0, STEP].double()
    word = int(trace.tgt_out_ids[STEP])
    want = float(logits[word] - logits[rival])
    assert np.isclose(found.total, want, atol=1e-4)
    assert np.isclose(found.logit, want, atol=1e-4)
    alone = ask(case, trace, LogitOf(STEP))
    assert np.isclose(alone.total, float(logits[word]), atol=1e-4)
    layers, kinds = found.layers, [name for name in W_O[kind] if name != "encoder_self"]
    assert sum(part.what == "head" for part in found.parts) == layers * HEADS * len(kinds)


CLOSING = {
    "gpt2": ("transformer.ln_f", True),
    "llama": ("model.norm", False),
    "m2m100": ("model.decoder.layer_norm", True),
    "t5": ("decoder.final_layer_norm", False),
}


def test_a_heads_part_is_its_slice_through_the_held_norm(kind: str, case: Opened, trace: Trace) -> None:
    """(z W_O) · γ / deviation · U, worked out by hand; of models that normalise before a sub-layer."""
    if kind not in CLOSING:
        return
    found = ask(case, trace, LogitOf(STEP)).by_head()[AttentionKind.DECODER_SELF]
    (path, centred), layer = CLOSING[kind], len(found) - 1
    projection = W_O[kind]["decoder_self"].format(layer)
    with seen(case.network, projection, path) as given:
        plain_run(case, trace)
    closing, module = case.network.get_submodule(path), case.network.get_submodule(projection)
    row = given[path][0][0, STEP].double()
    eps = getattr(closing, "eps", None) or closing.variance_epsilon
    deviation = ((row.var(correction=0) if centred else row.square().mean()) + eps).sqrt()
    matrix = (module.weight if isinstance(module, torch.nn.Linear) else module.weight.t()).double()
    unembedding = case.network.lm_head.weight[int(trace.tgt_out_ids[STEP])].double()
    tied = getattr(case.network.config, "scale_decoder_outputs", False) and kind == "t5"
    for head in range(HEADS):
        z = torch.zeros(HEADS, matrix.shape[1] // HEADS, dtype=torch.float64)
        z[head] = given[projection][0][0, STEP].view(HEADS, -1)[head]
        written = matrix @ z.flatten()
        written = written - written.mean() if centred else written
        value = float(written * closing.weight / deviation @ unembedding) * (32**-0.5 if tied else 1.0)
        assert np.isclose(found[layer, head], value, atol=1e-4)


def test_words_without_the_source(kind: str, case: Opened, trace: Trace) -> None:
    """W_O of every cross-attention gets zeros."""
    if "cross" not in W_O[kind]:
        with pytest.raises(HeadscopeError) as wrong:
            ask(case, trace, WithoutSource())
        assert wrong.value.code in ("alteration_kind", "inspection_nothing")
        return
    found = ask(case, trace, WithoutSource())
    out = trace.tgt_out_ids.tolist()
    np.testing.assert_allclose(found.attached, logprobs(plain_run(case, trace), out).numpy(), atol=2e-4)
    with ExitStack() as stack:
        for layer in range(trace.patterns.shape(AttentionKind.CROSS)[0]):  # type: ignore[index]
            path = W_O[kind]["cross"].format(layer)
            for head in range(HEADS):
                stack.enter_context(sliced(case.network, path, head, HEADS, 0.0))
        bare = logprobs(plain_run(case, trace), out)
    np.testing.assert_allclose(found.detached, bare.numpy(), atol=2e-4)


def test_what_is_not_worked_out_of_them_is_one_sentence(tmp_path: Path) -> None:
    case = open_kind("gpt2", tmp_path)
    trace = list(Translator(case.model).decode(TEXT, DecodeConfig(max_length=2)))[-1].trace
    with pytest.raises(HeadscopeError) as wrong:
        ask(case, trace, ScoreOf(AttentionKind.DECODER_SELF, 0, 0, 1, 0))
    assert wrong.value.code == "others_unexplained"
