"""ALTI, ALTI+ and value zeroing against the papers' equations in plain torch, and a case worked by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from model.alterations.scale_head import ScaleHead
from model.bundle.bundle import Bundle, load_bundle, write_bundle
from model.causes import contributions as computed
from model.causes import zeroing as zeroed
from model.causes.contributions import block_of, nearness, read_through, sites_of
from model.errors import HeadscopeError
from model.inspection.answering import answer
from model.inspection.asked import Asked
from model.questions.causes.contributions import (
    Contributions,
    ContributionsOf,
    HeadContributions,
    HeadContributionsOf,
)
from model.questions.causes.zeroing import Zeroing, ZeroingOf
from model.trace.trace import AttentionKind
from tests.model import tiny_bundle
from tests.model.causes.plain_mixing import PlainMixing
from tests.model.inspection.asked import CHANGED, CHANGES, OUT, SOURCE, reading
from tests.model.inspection.conftest import KINDS
from tests.model.variants.variants import VARIANTS

# The reading is computed in float32 and taken apart in float64: what is compared are ratios of sums of
# absolute numbers of order 1, some of them differences.
CLOSE = 2e-5
ENCODER, DECODER, CROSS = AttentionKind


def asked(bundle: Bundle, question: Any, *changes: Any) -> Any:
    return list(answer(bundle, question, reading(*changes)))[-1]


def tiny(folder: Path, biases: float = 0.2, **fields: Any) -> Bundle:
    """With biases that leave the inputs a part in the outputs, as trained models have them."""
    a = tiny_bundle.architecture(**{"encoder_layers": 2, "decoder_layers": 3, **fields})
    spm, transformer = tiny_bundle.spm(), tiny_bundle.transformer(a)
    for name, parameter in transformer.named_parameters():
        if name.endswith("bias"):
            parameter.data *= biases
    write_bundle(folder, tiny_bundle.config(a), transformer, spm, spm, half=False)
    return load_bundle(folder)


@pytest.fixture(scope="module", params=[*KINDS, "altered"])
def both(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Bundle, PlainMixing, tuple[Any, ...]]:
    """A bundle of each kind, and the equations of the same reading; once with a changed computation."""
    folder = tmp_path_factory.mktemp("mixing") / "bundle"
    altered = request.param == "altered"
    bundle = tiny(folder, **KINDS.get(request.param, {}))
    plain = PlainMixing(folder, SOURCE, OUT, **(CHANGED if altered else {}))
    return bundle, plain, CHANGES if altered else ()


def test_alti_of_each_layer_and_through_both_stacks(both: tuple[Bundle, PlainMixing, Any]) -> None:
    bundle, plain, changes = both
    found = asked(bundle, ContributionsOf(), *changes)
    assert isinstance(found, Contributions)
    for layer in range(2):
        np.testing.assert_allclose(
            found.layer(ENCODER, layer), plain.contributions("encoder_self", layer), atol=CLOSE
        )
    for layer in range(3):
        cross = plain.contributions("cross", layer)
        np.testing.assert_allclose(
            found.layer(DECODER, layer), plain.contributions("decoder_self", layer), atol=CLOSE
        )
        np.testing.assert_allclose(found.layer(CROSS, layer), cross[:, :-1], atol=CLOSE)
        np.testing.assert_allclose(found.kept[layer], cross[:, -1], atol=CLOSE)
    encoder, sources, prefixes = plain.both_stacks()
    for layer, wanted in enumerate(encoder):
        np.testing.assert_allclose(found.up_to(ENCODER, layer), wanted, atol=CLOSE)
    for layer, (source, prefix) in enumerate(zip(sources, prefixes, strict=True)):
        np.testing.assert_allclose(found.up_to(CROSS, layer), source, atol=CLOSE)
        np.testing.assert_allclose(found.up_to(DECODER, layer), prefix, atol=CLOSE)
        np.testing.assert_allclose(found.source_shares[layer], source.sum(1), atol=CLOSE)
        rows = found.up_to(CROSS, layer).sum(1) + found.up_to(DECODER, layer).sum(1)
        np.testing.assert_allclose(rows, 1, atol=1e-6)
    assert found.copies == bool(plain.a.get("copying"))


def test_heads_of_each_contribution(both: tuple[Bundle, PlainMixing, Any]) -> None:
    bundle, plain, changes = both
    found = asked(bundle, HeadContributionsOf(), *changes)
    assert isinstance(found, HeadContributions)
    for kind in AttentionKind:
        for i, j in ((0, 0), (2, 1), (4, 4), (4, 2)):
            y = plain.block_output(str(kind), 1)[i]
            parts = [plain.pieces(str(kind), 1, head, i, j) for head in range(2)]
            parts += [plain.stream(str(kind), 1)[i]] if i == j and kind is not CROSS else []
            if not plain.pre:
                norm, total = plain.names(str(kind), 1)[2], plain.total(str(kind), 1)[i]
                parts = [plain.frozen(norm, part, total) for part in parts]
            near = [max(0.0, float(y.abs().sum() - (y - part).abs().sum())) for part in parts]
            wanted = [one / (sum(near) or 1.0) for one in near]
            np.testing.assert_allclose(found.heads[kind][1, :, i, j], wanted[:2], atol=CLOSE)
            if len(parts) == 3:
                np.testing.assert_allclose(found.residual[kind][1, i], wanted[2], atol=CLOSE)


def test_value_zeroing_of_each_layer(both: tuple[Bundle, PlainMixing, Any]) -> None:
    bundle, plain, changes = both
    found = asked(bundle, ZeroingOf(), *changes)
    assert isinstance(found, Zeroing)
    for kind, layers in found.layers.items():
        for layer, table in enumerate(layers):
            # 1 - cos grows with the square of what float32 leaves of a small difference.
            np.testing.assert_allclose(table, plain.zeroed(str(kind), layer), atol=1e-4)
    product = plain.zeroed("encoder_self", 1) @ plain.zeroed("encoder_self", 0)
    np.testing.assert_allclose(found.encoder_through[2], product, atol=1e-4)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_is_taken_apart_completely(variant: str, tmp_path: Path) -> None:
    """The vectors of all tokens and the biases are what the network itself computes of a block; value zeroing
    is what the network computes with a column of its patterns at 0.
    """
    bundle = tiny(tmp_path / "bundle", 0.05, **{"d_model": 24, "n_heads": 4, **VARIANTS[variant]})
    reader, source, target = passed(bundle)
    rows = slice(0, 99)
    for site in sites_of(reader, source, target):
        block = block_of(reader, site)
        with torch.inference_mode():
            zero = torch.zeros_like(block.after(rows))
            bias = Biases(bundle, site.sublayer, site.kind)
            norm_bias = zero if site.sublayer.pre_norm else norm_bias_of(site.sublayer.norm)
            used = block.used.sum(-1).t()  # [Q, H]: rows that are scaled do not have all of b_V
            biases = block.through((used @ bias.values + bias.out)[:, None], rows)[:, 0] + norm_bias
            whole = block.tokens(rows).sum(1) + biases
        y = block.after(rows)  # float32, of numbers up to 20
        np.testing.assert_allclose(whole, y, atol=1e-5 * max(1.0, float(y.abs().max())))
    assert isinstance(asked(bundle, ContributionsOf()), Contributions)
    found = asked(bundle, ZeroingOf())
    np.testing.assert_allclose(found.layers[ENCODER][1], by_tap(bundle), atol=1e-4)


def passed(bundle: Bundle) -> Any:
    passes = read_through(Asked(bundle, reading()))
    while True:
        try:
            next(passes)
        except StopIteration as stop:
            return stop.value


class Biases:
    """b_V of each head through W_O and what a pre-norm's bias becomes, [H, d]; b_O [d]."""

    def __init__(self, bundle: Bundle, sublayer: Any, kind: AttentionKind) -> None:
        t = bundle.transformer
        layer: Any = (t.encoder if kind is ENCODER else t.decoder).layers[sublayer.layer]
        attention = layer.multihead_attn if kind is CROSS else layer.self_attn
        e, heads, shared = attention.width, attention.n_heads, attention.kv_heads
        first = (heads + shared) * e
        b = attention.in_proj_bias[first:].double()
        if sublayer.pre_norm and kind is not CROSS:
            b = b + attention.in_proj_weight[first:].double() @ norm_bias_of(sublayer.norm)
        each = b.view(shared, e).repeat_interleave(heads // shared, 0)
        weight = attention.out_proj.weight.double()
        self.values = torch.stack([weight[:, h * e : (h + 1) * e] @ each[h] for h in range(heads)])
        self.out = attention.out_proj.bias.double()


def norm_bias_of(norm: Any) -> torch.Tensor:
    bias: torch.Tensor = norm.bias.double()
    if hasattr(norm, "running_mean"):
        scale = norm.weight.double() / (norm.running_var.double() + norm.eps).sqrt()
        return bias - norm.running_mean.double() * scale
    return bias


def by_tap(bundle: Bundle) -> np.ndarray:
    """Value zeroing of the encoder's second layer by the network's own pass."""
    t, ids = bundle.transformer, torch.tensor([SOURCE])
    with torch.no_grad():
        first = t.encode(ids, every_layer=True)[1]
        spots = t.spots(len(SOURCE), None)
        layer: Any = t.encoder.layers[1]
        whole = layer(first, None, None, spots)[0].double()
        columns = []
        for j in range(len(SOURCE)):

            def tap(site: Any, pattern: torch.Tensor, j: int = j) -> torch.Tensor:
                return pattern * (torch.arange(len(SOURCE)) != j)

            other = layer(first, None, tap, spots)[0].double()
            columns.append(1 - torch.cosine_similarity(whole, other, dim=1))
    table = torch.stack(columns, 1)
    return (table / table.sum(1, keepdim=True)).numpy()


def test_nearness_by_hand() -> None:
    """y = (3, -1): ‖y‖₁ = 4; without (2, 0) 2 is left, without (-1, 1) 6, without (0, -1) 3."""
    parts = torch.tensor([[2.0, 0.0], [-1.0, 1.0], [0.0, -1.0]])
    torch.testing.assert_close(nearness(torch.tensor([3.0, -1.0]), parts), torch.tensor([2.0, 0.0, 1.0]))


def test_layers_multiplied_by_hand() -> None:
    """One encoder layer, two decoder layers, two tokens each; every number worked out on paper."""
    half = np.full((1, 2, 2), 0.5, np.float32)
    own = np.array([[[1, 0], [0.5, 0.5]], [[1, 0], [0.2, 0.8]]], np.float32)
    cross = np.array([[[0.4, 0.1], [0.0, 0.5]], [[0.1, 0.1], [0.3, 0.3]]], np.float32)
    kept = np.array([[0.5, 0.5], [0.8, 0.4]], np.float32)
    read = np.array([[[0, 0], [1, 1]], [[1, 1], [0, 0]]], np.float32)  # layer 1's end, then the embeddings
    found = Contributions(half, own, cross, kept, read)
    np.testing.assert_allclose(found.source_through[0], [[0.25, 0.25], [0.25, 0.25]], atol=1e-7)
    np.testing.assert_allclose(found.prefix_through[0], [[0.5, 0], [0.25, 0.25]], atol=1e-7)
    np.testing.assert_allclose(found.source_through[1], [[0.3, 0.3], [0.4, 0.4]], atol=1e-7)
    np.testing.assert_allclose(found.prefix_through[1], [[0.4, 0], [0.12, 0.08]], atol=1e-7)
    np.testing.assert_allclose(found.source_shares[1], [0.6, 0.8], atol=1e-7)


def test_bounds_and_refusals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundle = tiny(tmp_path / "bundle")
    whole = asked(bundle, ContributionsOf()), asked(bundle, ZeroingOf())
    monkeypatch.setattr(computed, "_CHUNK", 1)
    monkeypatch.setattr(zeroed, "_CHUNK", 1)
    pieces = asked(bundle, ContributionsOf()), asked(bundle, ZeroingOf())
    np.testing.assert_allclose(pieces[0].up_to(CROSS, 2), whole[0].up_to(CROSS, 2), atol=1e-6)
    np.testing.assert_allclose(pieces[1].layers[CROSS], whole[1].layers[CROSS], atol=1e-6)
    monkeypatch.setattr(computed, "LARGEST", 100)
    monkeypatch.setattr(zeroed, "MOST", 100)
    off = [ScaleHead(CROSS, 1, None, 0.0)]
    for question, code in (
        (ContributionsOf(), "contributions_large"),
        (HeadContributionsOf(), "contributions_large"),
        (ZeroingOf(), "zeroing_long"),
    ):
        with pytest.raises(HeadscopeError) as refused:
            asked(bundle, question)
        assert refused.value.code == code
    monkeypatch.undo()
    with pytest.raises(HeadscopeError) as refused:  # nothing of the source is read there
        asked(bundle, ZeroingOf(), *off)
    assert refused.value.code == "zeroing_none"
    with pytest.raises(HeadscopeError) as refused:  # biases outweigh all that is read
        asked(tiny(tmp_path / "biased", 3.0), ContributionsOf())
    assert refused.value.code == "contributions_none"
    source = asked(bundle, ContributionsOf(), *off)
    np.testing.assert_allclose(source.cross[1], 0, atol=1e-7)
