"""Models of others, asked: against plain torch on the eager attention of `transformers`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from typing import Any

import numpy as np
import pytest
import torch

from model.alterations.block_token import BlockToken
from model.alterations.scale_head import ScaleHead
from model.decoding.decode_config import DecodeConfig
from model.errors import HeadscopeError
from model.inspection.answering import answer, readings_of
from model.network.attention import AttentionSite
from model.questions.importance import ImportanceOf
from model.questions.questions import GradientOf, Reading, RowOf, StagesOf, ValueNorms
from model.trace.trace import AttentionKind, Trace
from model.translator.translator import Translator
from tests.model.foreign.inside.plain import W_O, attentions, logprobs, run, seen, sliced
from tests.model.foreign.opened import Opened, open_kind

TEXT = "The little girl gave her brother"
FAMILIES = ("bart", "bert", "gpt2", "llama", "mbart50", "t5")
HEADS = 4


@pytest.fixture(scope="module", params=FAMILIES)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def case(kind: str, tmp_path_factory: pytest.TempPathFactory) -> Opened:
    return open_kind(kind, tmp_path_factory.mktemp(kind))


@pytest.fixture(scope="module")
def trace(case: Opened) -> Trace:
    return list(Translator(case.model).decode(TEXT, DecodeConfig(max_length=6)))[-1].trace


def ask(case: Opened, trace: Trace, question: Any, **changes: Any) -> Any:
    *_, found = answer(case.model, question, Reading.of(trace), readings_of(case.model))
    return found


def ids_of(trace: Trace) -> tuple[list[int], list[int]]:
    return trace.src_ids.tolist(), trace.tgt_in_ids.tolist()


def heads_of(trace: Trace) -> Iterator[tuple[AttentionKind, int, int]]:
    for kind in trace.kinds:
        layers, heads = trace.patterns.shape(kind)[:2]  # type: ignore[index]
        yield from ((kind, layer, head) for layer, head in np.ndindex(layers, heads))


def test_stages_give_the_recorded_weights(case: Opened, trace: Trace) -> None:
    """Scores divided or not, what positions add and the mask make the softmax that was recorded."""
    for kind, layer, head in heads_of(trace):
        found = ask(case, trace, StagesOf(kind, layer, head))
        compared = found.scaled if found.placed is None else found.scaled + found.placed
        assert found.divided == (case.network.config.model_type != "t5")
        width = case.network.config.d_kv if not found.divided else 32 // HEADS
        want = found.scores / (np.sqrt(width) if found.divided else 1.0)
        np.testing.assert_allclose(found.scaled, want, rtol=1e-5)
        scores = torch.tensor(np.where(found.forbidden, -np.inf, compared), dtype=torch.float64)
        recorded = trace.patterns.pattern(kind, layer, head)
        np.testing.assert_allclose(scores.softmax(-1).numpy(), recorded, atol=3e-6)
        assert (found.forbidden == (np.triu(np.ones_like(recorded), 1) > 0)).all() or kind != "decoder_self"


def test_an_output_is_what_the_output_projection_gets_and_gives(
    kind: str, case: Opened, trace: Trace
) -> None:
    source, target = ids_of(trace)
    for name, path in W_O[kind].items():
        path = path.format(1)
        with seen(case.network, path) as found, torch.no_grad():
            run(case.network, source, target)
        entered, left = (tensor[0, 3].double() for tensor in found[path])
        for head in range(HEADS):
            row = ask(case, trace, RowOf(AttentionKind(name), 1, head, 3))
            np.testing.assert_allclose(
                row.output, entered.view(HEADS, -1)[head].numpy(), atol=2e-5, rtol=1e-4
            )
            np.testing.assert_allclose(row.total, left.numpy(), atol=1e-4, rtol=1e-4)
            products = row.keys.astype(np.float64) @ row.q.astype(np.float64)
            np.testing.assert_allclose(row.scores, products, rtol=1e-4, atol=1e-5)


def test_transformed_values_add_to_the_output(kind: str, case: Opened, trace: Trace) -> None:
    """All weight on one key: what W_O makes of it, less the bias, is as long as the gram says."""
    inside = case.model.inside
    assert inside is not None
    grams = ask(case, trace, ValueNorms()).grams
    assert set(grams) == set(trace.kinds)
    given = [torch.tensor([ids or [0]]) for ids in ids_of(trace)]
    for name, path in W_O[kind].items():
        bias = getattr(case.network.get_submodule(path.format(0)), "bias", None)
        for key in (0, 2):
            tap = partial(_alone, AttentionSite(AttentionKind(name), 0), key)
            with seen(inside.network, path.format(0)) as found, inside.tapped(tap), torch.no_grad():
                inside.run(*given)
            output = found[path.format(0)][1][0, 0].double()
            length = float((output - (0 if bias is None else bias)).norm())
            assert np.isclose(np.sqrt(grams[AttentionKind(name)][0, key].sum()), length, rtol=1e-4)


def _alone(site: AttentionSite, key: int, at: AttentionSite, pattern: torch.Tensor) -> torch.Tensor | None:
    """All weight on one key."""
    only = torch.zeros_like(pattern)
    only[..., key] = 1.0
    return only if at == site else None


def test_importance_is_the_log_probability_without_a_heads_slice(
    kind: str, case: Opened, trace: Trace
) -> None:
    if kind == "bert":
        with pytest.raises(HeadscopeError) as wrong:
            ask(case, trace, ImportanceOf())
        assert wrong.value.code == "model_only_reads"
        return
    found = ask(case, trace, ImportanceOf())
    source, target = ids_of(trace)
    first, out = max(0, trace.prompt_length - 1), trace.tgt_out_ids.tolist()

    def total() -> float:
        return float(logprobs(run(case.network, source, target), out)[first:].sum())

    assert np.isclose(found.logprob, total(), atol=1e-3)
    assert set(map(str, found.change)) == set(W_O[kind])
    for name, path in W_O[kind].items():
        changes = found.change[AttentionKind(name)]
        assert changes.shape[1] == HEADS
        for layer, head in ((0, 1), (len(changes) - 1, 3)):
            with sliced(case.network, path.format(layer), head, HEADS, 0.0):
                assert np.isclose(changes[layer, head], total() - found.logprob, atol=2e-3)


def test_gradients_are_those_of_autograd(kind: str, case: Opened, trace: Trace) -> None:
    if kind == "bert":
        with pytest.raises(HeadscopeError) as wrong:
            ask(case, trace, GradientOf(0))
        assert wrong.value.code == "inspection_nothing"
        return
    step = max(3, trace.prompt_length)
    found = ask(case, trace, GradientOf(step))
    source, target = ids_of(trace)
    with _differentiable(case.network), torch.enable_grad():
        output = run(case.network, source, target)
        maps = attentions(output)
        for layers in maps.values():
            for weights in layers:
                weights.retain_grad()
        logprob = logprobs(output, trace.tgt_out_ids.tolist())[step]
        logprob.backward()
    assert np.isclose(found.logprob, float(logprob.detach()), atol=1e-4)
    for name, layers in maps.items():
        for layer, weights in enumerate(layers):
            want = torch.zeros_like(weights) if weights.grad is None else weights.grad
            want = want[0].numpy() * (np.tril(np.ones(want.shape[-2:])) if name == "decoder_self" else 1)
            scale = max(1e-3, float(np.abs(want).max()))
            np.testing.assert_allclose(found.gradients[AttentionKind(name)][layer], want, atol=2e-4 * scale)


def _differentiable(network: Any) -> ExitStack:
    """Gradients run through the network from its embeddings on, for as long as it is entered."""
    stack = ExitStack()
    network.get_input_embeddings().requires_grad_(True)
    stack.callback(lambda: network.requires_grad_(False))
    return stack


def test_an_altered_reading_is_worked_out_as_altered(kind: str, case: Opened) -> None:
    changes = (BlockToken(1), ScaleHead(AttentionKind(next(iter(W_O[kind]))), 0, 2, 0.5))
    *_, last = Translator(case.model).decode(TEXT, DecodeConfig(max_length=5), alterations=changes)
    for attention, layer, head in heads_of(last.trace):
        found = ask(case, last.trace, StagesOf(attention, layer, head))
        recorded = last.trace.patterns.pattern(attention, layer, head)
        np.testing.assert_allclose(found.pattern, recorded, atol=3e-6)
        if attention is not AttentionKind.DECODER_SELF or kind in ("gpt2", "llama"):
            assert found.forbidden[:, 1].all()
