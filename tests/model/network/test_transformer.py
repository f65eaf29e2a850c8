from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, cast

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from model.bundle.weights import weights_of
from model.errors import HeadscopeError
from model.network.attention import AttentionSite
from model.network.layers import EncoderLayer
from model.network.masks import AttentionMask
from tests.model.small import PlainTransformer, ids, small_transformer

SHAPES: list[dict[str, Any]] = [
    {},
    {"norm": "pre_norm"},
    {"norm": "pre_norm", "activation": "gelu", "attention_bias": False, "norm_eps": 1e-2},
    {"activation": "silu", "output_bias": True, "tie_embeddings": "target_output", "encoder_layers": 4},
    {"target_vocab": 31, "tie_embeddings": "all", "positions": "learned", "scale_embedding": False},
    {"position_layout": "halves", "position_base": 100.0, "n_heads": 24, "decoder_layers": 1},
    {"positions": "none", "n_heads": 1, "norm_eps": 1e-3, "attention_bias": False},
]


class Tapped:
    """A tap that keeps what it sees."""

    def __init__(self) -> None:
        self.patterns: dict[tuple[str, int], Tensor] = {}

    def __call__(self, site: AttentionSite, pattern: Tensor) -> None:
        self.patterns[str(site.kind), site.layer] = pattern.clone()


def close(found: Tensor, wanted: Tensor, tolerance: float = 1e-5) -> None:
    torch.testing.assert_close(found, wanted, rtol=0, atol=tolerance)


@pytest.mark.parametrize("shape", SHAPES)
def test_equals_torch_nn_with_every_pattern(shape: dict[str, Any]) -> None:
    ours = small_transformer(**shape)
    plain = PlainTransformer(ours.architecture.to_json(), weights_of(ours))
    source, target = ids(3, 9), ids(3, 7, seed=2)
    mask = torch.arange(9) < torch.tensor([9, 4, 1])[:, None]
    keys = torch.arange(7) < torch.tensor([7, 7, 3])[:, None]
    tap = Tapped()
    memory = ours.encode(source, key_mask=mask, tap=tap)
    hidden = ours.decode(target, memory, memory_mask=mask, key_mask=keys, tap=tap)
    wanted_memory = plain.encode(source, mask)
    wanted = plain.decode(target, wanted_memory, mask, keys)
    close(memory, wanted_memory)
    close(hidden, wanted)
    close(ours.project(hidden), plain.project(wanted), 3e-5)
    a = ours.architecture
    assert tap.patterns.keys() == plain.patterns.keys()
    assert len(tap.patterns) == a.encoder_layers + 2 * a.decoder_layers
    for key, pattern in tap.patterns.items():
        assert pattern.shape[:2] == (3, a.n_heads)
        close(pattern, plain.patterns[key])
        close(pattern.sum(-1), torch.ones(()).expand(pattern.shape[:-1]))
        # As close in size, so that a pattern transposed or averaged over heads would be seen.
        assert float((pattern - pattern.mean(1, keepdim=True)).abs().max()) > 1e-3 or a.n_heads == 1


def test_position_ids_take_the_place_of_order() -> None:
    ours = small_transformer()
    plain = PlainTransformer(ours.architecture.to_json(), weights_of(ours))
    source, target = ids(2, 6), ids(2, 5, seed=2)
    where = torch.tensor([[5, 0, 9, 63, 2, 2], [0, 1, 2, 3, 4, 5]])
    there = torch.tensor([7, 8, 9, 10, 0])
    memory = ours.encode(source, position_ids=where)
    close(memory, plain.encode(source, positions=where))
    close(memory[1], ours.encode(source)[1])
    assert float((memory[0] - ours.encode(source)[0]).abs().max()) > 0.01
    close(
        ours.decode(target, memory, position_ids=there),
        plain.decode(target, plain.encode(source, positions=where), positions=there),
    )


@pytest.mark.parametrize("norm", ["post_norm", "pre_norm"])
def test_padding_changes_nothing_for_real_tokens(norm: str) -> None:
    ours = small_transformer(norm=norm)
    source, target = ids(1, 5), ids(1, 4, seed=2)
    alone = ours.decode(target, ours.encode(source))
    for filler in (0, 17):
        padded = torch.cat([source, torch.full((1, 6), filler)], 1)
        longer = torch.cat([target, torch.full((1, 3), filler)], 1)
        mask = torch.arange(11)[None] < 5
        memory = ours.encode(padded, key_mask=mask)
        close(memory[:, :5], ours.encode(source))
        close(ours.decode(longer, memory, memory_mask=mask)[:, :4], alone)
        both = ours.forward(padded, longer, source_mask=mask)
        close(both[:, :4], alone)


def test_later_tokens_never_reach_earlier_rows() -> None:
    ours = small_transformer(encoder_layers=1)
    memory = ours.encode(ids(1, 6))
    target = ids(1, 8, seed=2)
    before = ours.decode(target, memory)
    for place in range(1, 8):
        changed = target.clone()
        changed[0, place:] = (changed[0, place:] + 7) % 30 + 4
        after = ours.decode(changed, memory)
        assert torch.equal(after[0, :place], before[0, :place])
        assert float((after[0, place] - before[0, place]).abs().max()) > 1e-3


def test_gradients_show_who_sees_whom() -> None:
    ours = small_transformer().requires_grad_(True)
    seen: list[Tensor] = []
    ours.target_embedding.register_forward_hook(lambda module, args, output: seen.append(output))
    memory = ours.encode(ids(1, 5)).detach().requires_grad_(True)
    hidden = ours.decode(ids(1, 6, seed=2), memory)
    for row in range(6):
        on_target, on_memory = torch.autograd.grad(
            hidden[0, row].square().sum(), [seen[0], memory], retain_graph=True
        )
        reached = on_target[0].abs().amax(-1) > 0
        assert reached.tolist() == [place <= row for place in range(6)]
        assert bool((on_memory[0].abs().amax(-1) > 0).all())


@pytest.mark.parametrize("norm", ["post_norm", "pre_norm"])
def test_rows_that_see_nothing_are_zeros_forward_and_backward(norm: str) -> None:
    ours = small_transformer(norm=norm).requires_grad_(True)
    source, target = ids(3, 6), ids(3, 4, seed=2)
    mask = torch.ones(3, 6, dtype=torch.bool)
    mask[1] = False
    keys = torch.ones(3, 4, dtype=torch.bool)
    keys[2, :2] = False  # the first two rows of the third target see nothing at all
    tap = Tapped()
    memory = ours.encode(source, key_mask=mask, tap=tap)
    hidden = ours.decode(target, memory, memory_mask=mask, key_mask=keys, tap=tap)
    torch.autograd.backward(hidden.square().sum())
    assert torch.isfinite(hidden).all()
    for name, parameter in ours.named_parameters():
        if name != "output.weight":
            assert parameter.grad is not None, name
            assert torch.isfinite(parameter.grad).all(), name
    for (kind, _), pattern in tap.patterns.items():
        sums = pattern.sum(-1).detach()
        wanted = torch.ones(sums.shape)
        if kind == "decoder_self":
            wanted[2, :, :2] = 0.0
        else:
            wanted[1] = 0.0
        close(sums, wanted)
        assert bool((pattern[wanted == 0] == 0).all())
    # The others do not notice.
    alone = ours.decode(target[:1], ours.encode(source[:1]))
    close(hidden[:1], alone)


def test_a_blind_row_adds_only_the_bias() -> None:
    ours = small_transformer(encoder_layers=1)
    attention = cast(EncoderLayer, ours.encoder.layers[0]).self_attn
    x = torch.randn(1, 4, 24, generator=torch.Generator().manual_seed(3))
    mask = AttentionMask.of(torch.zeros(1, 1, 1, 4, dtype=torch.bool), torch.float32)
    out = attention.attend(*attention.project_self(x), mask)
    close(out, attention.out_proj.bias.expand(1, 4, 24), 1e-7)


def test_every_layer() -> None:
    for norm in ("post_norm", "pre_norm"):
        ours = small_transformer(norm=norm, encoder_layers=3)
        plain = PlainTransformer(ours.architecture.to_json(), weights_of(ours))
        source = ids(2, 5)
        outputs = ours.encode(source, every_layer=True)
        assert len(outputs) == 4
        x = plain._embed("source_embedding.weight", source, None)
        close(outputs[0], x)
        for number, layer in enumerate(plain.encoder.layers):
            x = layer(x)
            closed = x if plain.encoder.norm is None or number < 2 else plain.encoder.norm(x)
            close(outputs[number + 1], closed)
        assert torch.equal(outputs[-1], ours.encode(source))


def test_tap_replaces_the_pattern_where_it_says() -> None:
    ours = small_transformer()
    source, target = ids(2, 5), ids(2, 4, seed=2)

    def even(site: AttentionSite, pattern: Tensor) -> Tensor | None:
        if (site.kind, site.layer) != ("cross", 1):
            return None
        changed = pattern.clone()
        changed[:, 0] = 1 / pattern.shape[-1]
        return changed

    memory = ours.encode(source)
    hidden = ours.decode(target, memory, tap=even)
    plain = PlainTransformer(ours.architecture.to_json(), weights_of(ours))
    layer = plain.decoder.layers[1].multihead_attn
    with torch.no_grad():
        layer.in_proj_weight[:8] = 0.0  # head 1 asks nothing, so it looks everywhere alike
        assert layer.in_proj_bias is not None
        layer.in_proj_bias[:8] = 0.0
    close(hidden, plain.decode(target, plain.encode(source)))
    assert float((hidden - ours.decode(target, memory)).abs().max()) > 1e-3


def test_a_tap_that_returns_nothing_changes_nothing() -> None:
    ours = small_transformer()
    source, target = ids(2, 5), ids(2, 4, seed=2)
    tapped = ours.decode(target, ours.encode(source, tap=Tapped()), tap=Tapped())
    assert torch.equal(tapped, ours.decode(target, ours.encode(source)))


# the cache


def steps(ours: Any, target: Tensor, cache: Any, sizes: list[int]) -> Tensor:
    return torch.cat([ours.decode_step(part, cache) for part in torch.split(target, sizes, dim=1)], 1)


@pytest.mark.parametrize("sizes", [[1] * 9, [9], [4, 1, 1, 3], [1, 8]])
@pytest.mark.parametrize("shape", [{}, {"norm": "pre_norm", "positions": "learned"}])
def test_cached_decoding_equals_recomputation(sizes: list[int], shape: dict[str, Any]) -> None:
    ours = small_transformer(**shape)
    source, target = ids(2, 6), ids(2, 9, seed=2)
    mask = torch.arange(6) < torch.tensor([6, 3])[:, None]
    memory = ours.encode(source, key_mask=mask)
    cache = ours.start_cache(memory, memory_mask=mask, capacity=2)
    close(steps(ours, target, cache, sizes), ours.decode(target, memory, memory_mask=mask))
    assert (cache.length, cache.batch) == (9, 2)


def test_patterns_of_steps_are_the_rows_of_the_whole() -> None:
    ours = small_transformer()
    source, target = ids(1, 6), ids(1, 5, seed=2)
    memory = ours.encode(source)
    whole, cache = Tapped(), ours.start_cache(memory)
    ours.decode(target, memory, tap=whole)
    for t in range(5):
        tap = Tapped()
        ours.decode_step(target[:, t : t + 1], cache, tap=tap)
        assert tap.patterns.keys() == whole.patterns.keys()
        for (kind, layer), row in tap.patterns.items():
            visible = t + 1 if kind == "decoder_self" else 6
            assert row.shape == (1, 3, 1, visible)
            close(row[:, :, 0], whole.patterns[kind, layer][:, :, t, :visible])


def test_cache_truncates_selects_and_forks() -> None:
    ours = small_transformer()
    source, target, other = ids(2, 6), ids(2, 6, seed=2), ids(2, 6, seed=3)
    mask = torch.arange(6) < torch.tensor([6, 3])[:, None]
    memory = ours.encode(source, key_mask=mask)

    def fresh() -> Any:
        cache = ours.start_cache(memory, memory_mask=mask)
        steps(ours, target, cache, [1] * 6)
        return cache

    def whole(tokens: Tensor, rows: list[int]) -> Tensor:
        return ours.decode(tokens, memory[rows], memory_mask=mask[rows])

    cut = fresh()
    cut.truncate(2)
    branch = torch.cat([target[:, :2], other[:, :3]], 1)
    close(steps(ours, other[:, :3], cut, [1, 2]), whole(branch, [0, 1])[:, 2:])

    forked = fresh()
    copy = forked.fork()
    close(steps(ours, other[:, :2], copy, [1, 1]), whole(torch.cat([target, other[:, :2]], 1), [0, 1])[:, 6:])
    assert (forked.length, copy.length) == (6, 8)
    after = torch.cat([target, target[:, :1]], 1)
    close(steps(ours, target[:, :1], forked, [1]), whole(after, [0, 1])[:, 6:])

    picked = fresh()
    picked.select(torch.tensor([1, 0, 1]))
    tokens = torch.cat([target[[1, 0, 1]], ids(3, 1, seed=5)], 1)
    close(steps(ours, tokens[:, 6:], picked, [1]), whole(tokens, [1, 0, 1])[:, 6:])
    assert picked.batch == 3


def test_beams_share_one_sentence() -> None:
    ours = small_transformer()
    source, target = ids(1, 6), ids(3, 5, seed=2)
    memory = ours.encode(source)
    cache = ours.start_cache(memory, batch=3)
    found = steps(ours, target, cache, [1] * 5)
    close(found, ours.decode(target, memory.expand(3, -1, -1)))
    cache.select(torch.tensor([2, 2]))
    more = ids(2, 1, seed=4)
    wanted = ours.decode(torch.cat([target[[2, 2]], more], 1), memory.expand(2, -1, -1))
    close(ours.decode_step(more, cache), wanted[:, 5:])
    assert cache.memory[0][0].shape[0] == 1


def test_key_mask_in_steps() -> None:
    ours = small_transformer()
    memory, target = ours.encode(ids(1, 4)), ids(1, 5, seed=2)
    keys = torch.tensor([[True, False, True, True, True]])
    cache = ours.start_cache(memory)
    found = [ours.decode_step(target[:, t : t + 1], cache, key_mask=keys[:, : t + 1]) for t in range(5)]
    close(torch.cat(found, 1), ours.decode(target, memory, key_mask=keys))


def test_layout_for_decoding_changes_no_number() -> None:
    for tie in ("none", "all"):
        ours = small_transformer(target_vocab=31, tie_embeddings=tie)
        source, target = ids(2, 5), ids(2, 4, seed=2)
        before = ours.project(ours.forward(source, target))
        weights = {name: tensor.clone() for name, tensor in weights_of(ours).items()}
        ours.lay_out_for_decoding()
        close(ours.project(ours.forward(source, target)), before)
        for name, tensor in weights_of(ours).items():
            assert torch.equal(tensor, weights[name])
        assert not ours.output.weight.is_contiguous()


@torch.no_grad()
def test_weights_written_to_after_the_layout_are_used_at_once() -> None:
    ours, plain = small_transformer(), small_transformer(seed=9)
    source, target = ids(1, 5), ids(1, 4, seed=2)
    ours.lay_out_for_decoding()
    steps(ours, target, ours.start_cache(ours.encode(source)), [1, 1, 1, 1])
    for live, other in zip(ours.parameters(), plain.parameters(), strict=True):
        live.copy_(other)
    found = steps(ours, target, ours.start_cache(ours.encode(source)), [1, 1, 1, 1])
    close(found, plain.decode(target, plain.encode(source)))


# initial weights, ties, limits


def test_xavier_start() -> None:
    from model.config import Architecture
    from model.network.transformer import Transformer

    architecture = Architecture(source_vocab=300, target_vocab=300, d_model=64, n_heads=4, d_ff=128)
    made = Transformer(architecture, torch.Generator().manual_seed(5))
    again = Transformer(architecture, torch.Generator().manual_seed(5))
    other = Transformer(architecture, torch.Generator().manual_seed(6))
    for name, live in made.named_parameters():
        parameter = live.detach()
        assert torch.equal(parameter, again.get_parameter(name))
        if "embedding" in name:
            assert float(parameter.std()) == pytest.approx(1 / 8, rel=0.03)
            assert float(parameter.mean()) == pytest.approx(0.0, abs=0.005)
        elif parameter.dim() == 2:
            assert not torch.equal(parameter, other.get_parameter(name))
            rows, columns = parameter.shape
            bound = math.sqrt(6 / (rows + columns))
            assert 0.98 * bound < float(parameter.abs().max()) <= bound
            assert float(parameter.std()) == pytest.approx(bound / math.sqrt(3), rel=0.05)
        else:
            assert bool((parameter == (1.0 if "norm" in name and name.endswith("weight") else 0.0)).all())


@pytest.mark.parametrize("tie", ["none", "target_output", "all"])
@pytest.mark.parametrize("norm", ["post_norm", "pre_norm"])
@pytest.mark.parametrize(("vocabulary", "width"), [(50, 512), (300, 512), (8000, 256)])
def test_an_even_start_guesses(tie: Any, norm: Any, vocabulary: int, width: int) -> None:
    """The loss begins within a twentieth of ln V, whatever is tied; other embeddings are drawn as ever."""
    from model.config import Architecture
    from model.network.transformer import Transformer

    architecture = Architecture(
        source_vocab=vocabulary, target_vocab=vocabulary, d_model=width, n_heads=4, encoder_layers=2,
        decoder_layers=2, d_ff=64, tie_embeddings=tie, norm=norm,
    )  # fmt: skip
    even, unit = (Transformer(architecture, torch.Generator().manual_seed(5), how).eval() for how in STARTS)
    draw = torch.Generator().manual_seed(6)
    source, read, gold = (torch.randint(4, vocabulary, (16, 12), generator=draw) for _ in range(3))
    with torch.no_grad():
        losses = [
            float(F.cross_entropy(one(source, read).flatten(0, 1) @ one.output.weight.t(), gold.flatten()))
            for one in (even, unit)
        ]
    assert losses[0] == pytest.approx(math.log(vocabulary), rel=0.05)
    assert losses[1] > losses[0] if tie != "none" else losses[1] >= losses[0]
    # No smaller than that needs: small embeddings learn slowly.
    least = {50: 0.1, 300: 0.3, 8000: 0.75}[vocabulary]
    assert tie == "none" or least < float(even.output.weight.detach().std()) * width**0.5 < 1
    for name, parameter in unit.named_parameters():
        own = even.get_parameter(name)
        assert torch.equal(parameter, own) or own is even.output.weight


STARTS: tuple[Any, ...] = ("even", "unit")


@pytest.mark.parametrize(("tie", "distinct"), [("none", 3), ("target_output", 2), ("all", 1)])
def test_ties(tie: str, distinct: int) -> None:
    ours = small_transformer(target_vocab=31, tie_embeddings=tie)
    tables = [ours.source_embedding.weight, ours.target_embedding.weight, ours.output.weight]
    assert len({table.data_ptr() for table in tables}) == distinct
    names = [name for name in weights_of(ours) if "embedding" in name or "output" in name]
    assert names == ["source_embedding.weight", "target_embedding.weight", "output.weight"][:distinct]


def test_too_many_tokens_are_refused() -> None:
    ours = small_transformer(max_positions=8)
    long = ids(1, 9)
    memory = ours.encode(ids(1, 8))
    cache = ours.start_cache(memory)
    ours.decode_step(ids(1, 8), cache)
    refused: list[Callable[[], object]] = [
        lambda: ours.encode(long),
        lambda: ours.decode(long, memory),
        lambda: ours.decode_step(ids(1, 1), cache),
    ]
    for call in refused:
        with pytest.raises(HeadscopeError) as error:
            call()
        assert error.value.code == "too_long"
        assert error.value.values == {"tokens": 9, "limit": 8}
