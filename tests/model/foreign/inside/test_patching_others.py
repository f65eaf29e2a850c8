"""Carrying from A into B in models of others, against plain hooks on modules of `transformers`."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from model.causes.hooked_runs import HookedRuns
from model.causes.paired import Variation
from model.causes.patching import patched
from model.decoding.decode_config import DecodeConfig
from model.errors import HeadscopeError
from model.inspection.answering import answer
from model.inspection.asked import Asked
from model.questions.causes.patching import HeadPlace, Measured, Patched, PatchOf, PathOf
from model.questions.questions import Reading
from model.trace.trace import AttentionKind
from model.translator.translator import Translator
from tests.model.foreign.inside.plain import W_O, attentions, run, seen
from tests.model.foreign.opened import Opened, open_kind

TEXTS = "The little girl gave her brother", "The little cat gave her brother"
HEADS, STEP = 4, 6
CLOSE = 1e-4  # float32, other products for a batch; m is a difference of two log probabilities of order 10
LAYERS = {
    "bart": {"encoder_self": "model.encoder.layers.{}", "decoder_self": "model.decoder.layers.{}"},
    "t5": {"encoder_self": "encoder.block.{}", "decoder_self": "decoder.block.{}"},
    "gpt2": {"decoder_self": "transformer.h.{}"},
}
K_AND_V = {
    "bart": ("model.decoder.layers.{}.encoder_attn.k_proj", "model.decoder.layers.{}.encoder_attn.v_proj"),
    "t5": ("decoder.block.{}.layer.1.EncDecAttention.k", "decoder.block.{}.layer.1.EncDecAttention.v"),
}
VALUES = {
    "bart": ("model.decoder.layers.{}.self_attn.v_proj", False),
    "t5": ("decoder.block.{}.layer.0.SelfAttention.v", False),
    "gpt2": ("transformer.h.{}.attn.c_attn", True),  # queries, keys and values in one
}


class Pair:
    """A and B, both with the same words from the prompt on, and what plain hooks make of them."""

    def __init__(self, kind: str, case: Opened) -> None:
        self.kind, self.case = kind, case
        config = DecodeConfig(max_length=8)
        traces = [list(Translator(case.model).decode(text, config))[-1].trace for text in TEXTS]
        self.a, self.b = map(Reading.of, traces)
        self.step = min(STEP + self.b.given, len(self.a.out_ids) - 1, len(self.b.out_ids) - 1)
        self.measured = Measured(self.a, self.step, word=7, rival=9)

    def ask(self, **wanted: Any) -> Patched:
        *_, found = answer(self.case.model, PatchOf(self.measured, **wanted), self.b)
        assert isinstance(found, Patched)
        return found

    def plain(self, reading: Reading, step: int) -> float:
        """m of a reading, whatever hooks are on the plain network."""
        with torch.no_grad():
            output = run(self.case.network, list(reading.src_ids), self.read(reading)[: step + 1])
        said = output.logits[0, -1].double().log_softmax(-1)
        return float(said[7] - said[9])

    def read(self, reading: Reading) -> list[int]:
        """What the decoder reads."""
        return list(reading.in_ids or (self.case.model.target_tokenizer.start_id, *reading.out_ids[:-1]))

    def given(self, found: Patched, path: str, output: bool) -> Any:
        """What goes into, or comes out of, a module while A is read."""
        with seen(self.case.network, path) as kept:
            self.plain(self.a, found.step_a)
        return kept[path][int(output)][0].clone()

    def patched(self, found: Patched, path: str, rows: list[tuple[int, int]], part: slice) -> float:
        """m of B with rows of a module's input (of W_O) or output made A's by a plain hook."""
        into = path.endswith(("out_proj", "c_proj", "SelfAttention.o", "EncDecAttention.o"))
        other = self.given(found, path, not into)

        def put(x: torch.Tensor) -> torch.Tensor:
            x = x.clone()
            for own, at in rows:
                x[0, own, part] = other[at, part]
            return x

        def after(_: Any, __: Any, given: Any) -> Any:
            return (put(given[0]), *given[1:]) if isinstance(given, tuple) else put(given)

        module = self.case.network.get_submodule(path)
        hook = (
            module.register_forward_pre_hook(lambda _, given: (put(given[0]), *given[1:]))
            if into
            else module.register_forward_hook(after)
        )
        try:
            return self.plain(self.b, found.step)
        finally:
            hook.remove()


@pytest.fixture(scope="module", params=["bart", "gpt2", "t5"])
def pair(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Pair:
    kind = str(request.param)
    return Pair(kind, open_kind(kind, tmp_path_factory.mktemp(kind)))


def rows_of(found: Patched, kind: str) -> list[tuple[int, int]]:
    across = found.source if kind == "encoder_self" else found.steps
    return [(own, other) for own, other in enumerate(across) if other >= 0]


def test_a_head_is_its_slice_before_w_o(pair: Pair) -> None:
    found = pair.ask()
    assert [str(grid.kind) for grid in found.grids] == list(W_O[pair.kind])
    assert np.isclose(found.m_a, pair.plain(pair.a, found.step_a), atol=CLOSE)
    assert np.isclose(found.m_b, pair.plain(pair.b, found.step), atol=CLOSE)
    for grid in found.grids:
        layer, head = len(grid.m) - 1, 2
        path = W_O[pair.kind][str(grid.kind)].format(layer)
        width = pair.given(found, path, False).shape[-1] // HEADS
        part = slice(head * width, (head + 1) * width)
        want = pair.patched(found, path, rows_of(found, str(grid.kind)), part)
        assert np.isclose(grid.m[layer, head], want, atol=CLOSE)
        assert grid.m.shape[1] == HEADS
        assert np.ptp(grid.m) > 10 * CLOSE


def test_the_stream_is_what_a_layer_gives_out(pair: Pair) -> None:
    found = pair.ask(what="residual")
    assert [str(grid.kind) for grid in found.grids] == list(LAYERS[pair.kind])
    for grid in found.grids:
        every = rows_of(found, str(grid.kind))
        row = every[2]
        for layer in (0, len(grid.m) - 1):
            path = LAYERS[pair.kind][str(grid.kind)].format(layer)
            want = pair.patched(found, path, [row], slice(None))
            assert np.isclose(grid.m[layer, row[0]], want, atol=CLOSE)
    assert np.isclose(found.grids[-1].m[-1, found.step], found.m_a, atol=1e-5 * max(1.0, abs(found.m_a)))
    np.testing.assert_allclose(found.grids[-1].m[-1, : found.step], found.m_b, atol=CLOSE)


def test_keys_and_values_of_cross_attention(pair: Pair) -> None:
    if pair.kind not in K_AND_V:
        with pytest.raises(HeadscopeError) as wrong:
            pair.ask(what="cross")
        assert wrong.value.code == "alteration_kind"
        return
    for by, at in (("position", 2), ("head", 1)):
        found = pair.ask(what="cross", by=by)
        (grid,) = found.grids
        rows = [row for row in rows_of(found, "encoder_self") if by == "head" or row[0] == at]
        paths = [path.format(1) for path in K_AND_V[pair.kind]]
        others = [pair.given(found, path, True) for path in paths]
        width = others[0].shape[-1] // HEADS
        part = slice(at * width, (at + 1) * width) if by == "head" else slice(None)

        def hook(other: torch.Tensor, rows: Any = rows, part: slice = part) -> Any:
            def put(_: Any, __: Any, x: torch.Tensor) -> torch.Tensor:
                x = x.clone()
                for own, one in rows:
                    x[0, own, part] = other[one, part]
                return x

            return put

        with ExitStack() as stack:
            for path, other in zip(paths, others):
                module = pair.case.network.get_submodule(path)
                stack.callback(module.register_forward_hook(hook(other)).remove)
            want = pair.plain(pair.b, found.step)
        assert np.isclose(grid.m[1, at], want, atol=CLOSE)
        assert abs(want - found.m_b) > 10 * CLOSE


def test_weights_of_a_head_meet_its_own_values(pair: Pair) -> None:
    """W_O of one head gets A's weights times B's values; B reads one other word, so that rows are whole."""
    a, layer, head = pair.a, 1, 2
    b = replace(a, in_ids=exchanged(a.in_ids, 3), out_ids=exchanged(a.out_ids, 2))
    question = PatchOf(Measured(a, pair.step, word=7, rival=9), "patterns")
    *_, found = answer(pair.case.model, question, b)
    assert isinstance(found, Patched)
    assert found.steps == tuple(range(pair.step + 1))
    path, values = VALUES[pair.kind]
    with torch.no_grad():
        output = run(pair.case.network, list(a.src_ids), pair.read(a)[: pair.step + 1])
    weights = attentions(output)["decoder_self"][layer][0, head]
    with seen(pair.case.network, path.format(layer)) as kept:
        pair.plain(b, pair.step)
    value = kept[path.format(layer)][1][0].chunk(3, -1)[-1] if values else kept[path.format(layer)][1][0]
    width = value.shape[-1] // HEADS
    part = slice(head * width, (head + 1) * width)

    def put(_: Any, given: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor, ...]:
        x = given[0].clone()
        x[0, :, part] = weights @ value[:, part]
        return (x, *given[1:])

    projection = pair.case.network.get_submodule(W_O[pair.kind]["decoder_self"].format(layer))
    hook = projection.register_forward_pre_hook(put)
    try:
        want = pair.plain(b, pair.step)
    finally:
        hook.remove()
    (grid,) = (each for each in found.grids if each.kind is AttentionKind.DECODER_SELF)
    assert np.isclose(grid.m[layer, head], want, atol=CLOSE)
    assert abs(want - found.m_b) > 10 * CLOSE


def exchanged(ids: tuple[int, ...], place: int) -> tuple[int, ...]:
    """With another token at a place; nothing of nothing."""
    return (*ids[:place], 11, *ids[place + 1 :]) if ids else ()


def test_a_from_a_changes_nothing(pair: Pair) -> None:
    asked = Asked(pair.case.model, pair.a)
    assert asked.hooked is not None
    step = min(pair.step, len(pair.a.out_ids) - 1)
    runs = HookedRuns(Measured(pair.a, step, word=7, rival=9), asked, asked.hooked)
    assert runs.m_a == runs.m_b
    kind = AttentionKind.DECODER_SELF
    place = [Variation(slice(0, 1), runs.rows(kind))]
    for what in ("heads", "patterns", "residual"):
        assert patched(runs, what, kind, 1, place) == [runs.m_b]
    assert patched(runs, "cross", AttentionKind.CROSS, 1, place) == [runs.m_b]


def test_it_tells_how_far_it_is_and_leaves_no_hook(pair: Pair) -> None:
    inside = pair.case.model.inside
    assert inside is not None
    modules = list(inside.network.modules())

    def hooks() -> int:  # `transformers` has some of its own
        return sum(len(each._forward_hooks) + len(each._forward_pre_hooks) for each in modules)

    pair.ask()
    before = hooks()
    asking = answer(pair.case.model, PatchOf(pair.measured), pair.b)
    first, second = next(asking), next(asking)
    assert isinstance(first, tuple)
    assert isinstance(second, tuple)
    assert 0 == first[0] < second[0] <= second[1] == first[1]
    asking.close()  # type: ignore[attr-defined]
    assert hooks() == before


def test_paths_and_readers_are_one_sentence(pair: Pair, tmp_path_factory: pytest.TempPathFactory) -> None:
    with pytest.raises(HeadscopeError) as wrong:
        list(
            answer(
                pair.case.model, PathOf(pair.measured, HeadPlace(AttentionKind.DECODER_SELF, 0, 0)), pair.b
            )
        )
    assert wrong.value.code == "others_unexplained"
    if pair.kind != "t5":
        return
    reader = open_kind("bert", tmp_path_factory.mktemp("bert")).model
    with pytest.raises(HeadscopeError) as only:
        list(answer(reader, PatchOf(pair.measured), pair.b))
    assert only.value.code == "model_only_reads"
