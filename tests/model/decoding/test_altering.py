"""Alterations carried out: the same as in a plain-torch Transformer that is altered by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from model.alterations.alteration import Alteration
from model.alterations.block_token import BlockToken
from model.alterations.change_positions import ChangePositions, shuffled
from model.alterations.reorder import Reorder
from model.alterations.scale_head import ScaleHead
from model.alterations.set_row import SetRow
from model.bundle.bundle import load_bundle, write_bundle
from model.decoding.altering import Altering
from model.errors import HeadscopeError
from model.network.attention import AttentionSite
from model.network.transformer import Transformer
from model.trace.trace import AttentionKind
from tests.model import tiny_bundle
from tests.model.alterations.altered_plain import AlteredPlain

ENCODER, DECODER, CROSS = AttentionKind
SOURCE, TARGET = [4, 9, 17, 5, 11, 3], [2, 11, 20, 8, 14]
S, T, HEADS = len(SOURCE), len(TARGET), 2

Made = tuple[Transformer, Path]
Make = Callable[..., Made]


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory) -> Make:
    made: dict[str, Made] = {}

    def bundle(**changes: Any) -> Made:
        name = repr(changes)
        if name not in made:
            a = tiny_bundle.architecture(**{"encoder_layers": 2, "decoder_layers": 2, **changes})
            folder = tmp_path_factory.mktemp("altering") / "bundle"
            weights = tiny_bundle.transformer(a)
            write_bundle(
                folder, tiny_bundle.config(a), weights, tiny_bundle.spm(), tiny_bundle.spm(), half=False
            )
            made[name] = load_bundle(folder).transformer.requires_grad_(False), folder
        return made[name]

    return bundle


def altered(transformer: Transformer, *alterations: Alteration) -> Altering:
    return Altering(alterations, transformer.architecture, source_length=S)


def encoded(transformer: Transformer, altering: Altering) -> Tensor:
    return transformer.encode(
        torch.tensor([altering.order_source(SOURCE)]),
        key_mask=altering.source_mask,
        position_ids=altering.source_positions,
        tap=altering.tap,
    )


def at_once(transformer: Transformer, altering: Altering) -> Tensor:
    """Logits [T, vocab], teacher forced."""
    hidden = transformer.decode(
        torch.tensor([TARGET]),
        encoded(transformer, altering),
        memory_mask=altering.source_mask,
        position_ids=altering.target_positions(0, T),
        tap=altering.tap,
    )
    return transformer.project(hidden)[0]


def in_steps(transformer: Transformer, altering: Altering, sizes: tuple[int, ...] = (1,) * T) -> Tensor:
    """The same with a cache, some tokens at a time."""
    memory = encoded(transformer, altering)
    cache = transformer.start_cache(memory, memory_mask=altering.source_mask)
    hidden = []
    for size in sizes:
        start = cache.length
        ids = torch.tensor([TARGET[start : start + size]])
        positions = altering.target_positions(start, size)
        hidden.append(transformer.decode_step(ids, cache, position_ids=positions, tap=altering.tap))
    return transformer.project(torch.cat(hidden, 1))[0]


def close(ours: Tensor, expected: Tensor) -> None:
    torch.testing.assert_close(ours, expected, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("norm", ["post_norm", "pre_norm"])
@pytest.mark.parametrize("kind", list(AttentionKind))
@pytest.mark.parametrize("factor", [0.0, 0.5, 2.0])
def test_a_scaled_head_is_its_slice_scaled_before_the_output_projection(
    make: Make, norm: str, kind: AttentionKind, factor: float
) -> None:
    transformer, folder = make(norm=norm)
    plain = AlteredPlain(folder).logits(SOURCE, TARGET)
    for layer in range(2):
        for head in range(HEADS):
            oracle = AlteredPlain(folder, scales={(str(kind), layer, head): factor})
            expected = oracle.logits(SOURCE, TARGET)
            altering = altered(transformer, ScaleHead(kind, layer, head, factor))

            close(at_once(transformer, altering), expected)
            close(in_steps(transformer, altering), expected)
            assert (expected - plain).abs().max() > 1e-4


@pytest.mark.parametrize("kind", list(AttentionKind))
def test_no_head_means_every_head_of_the_layer(make: Make, kind: AttentionKind) -> None:
    transformer, folder = make()
    oracle = AlteredPlain(folder, scales={(str(kind), 1, head): 0.25 for head in range(HEADS)})

    close(
        at_once(transformer, altered(transformer, ScaleHead(kind, 1, None, 0.25))),
        oracle.logits(SOURCE, TARGET),
    )


def test_scales_of_one_head_multiply(make: Make) -> None:
    transformer, folder = make()
    altering = altered(transformer, ScaleHead(CROSS, 1, 0, 0.5), ScaleHead(CROSS, 1, None, 0.5))
    oracle = AlteredPlain(folder, scales={("cross", 1, 0): 0.25, ("cross", 1, 1): 0.5})

    close(at_once(transformer, altering), oracle.logits(SOURCE, TARGET))


@pytest.mark.parametrize("norm", ["post_norm", "pre_norm"])
@pytest.mark.parametrize("blocked", [(2,), (0, 5)], ids=str)
def test_a_blocked_token_is_a_column_gone_before_the_softmax(
    make: Make, norm: str, blocked: tuple[int, ...]
) -> None:
    transformer, folder = make(norm=norm)
    altering = altered(transformer, *map(BlockToken, blocked))
    expected = AlteredPlain(folder, blocked=blocked).logits(SOURCE, TARGET)

    close(at_once(transformer, altering), expected)
    close(in_steps(transformer, altering), expected)


@pytest.mark.parametrize("positions", ["sinusoidal", "learned", "none"])
@pytest.mark.parametrize("side", ["source", "target", "both"])
@pytest.mark.parametrize("how", ["none", "shuffled"])
def test_changed_positions(make: Make, positions: str, side: Any, how: Any) -> None:
    transformer, folder = make(positions=positions)
    altering = altered(transformer, ChangePositions(side, how, seed=5))
    # 3 * 6 // 2 + 20 steps have a place among the 32 positions.
    source = [-1] * S if how == "none" else shuffled(S, 5)
    target = [-1] * T if how == "none" else shuffled(29, 5)[:T]
    oracle = AlteredPlain(
        folder,
        source_positions=None if side == "target" else source,
        target_positions=None if side == "source" else target,
    )
    expected = oracle.logits(SOURCE, TARGET)

    close(at_once(transformer, altering), expected)
    close(in_steps(transformer, altering), expected)
    if positions != "none":
        assert (expected - AlteredPlain(folder).logits(SOURCE, TARGET)).abs().max() > 1e-3


@pytest.mark.parametrize("side", ["target", "both"])
def test_the_steps_of_a_translation_get_each_others_positions(make: Make, side: Any) -> None:
    transformer, folder = make()
    altering = altered(transformer, ChangePositions(side, "shuffled", seed=5, steps=T))
    found = altering.target_positions(0, T)
    assert found is not None
    assert sorted(found.tolist()) == list(range(T))
    assert found.tolist() != list(range(T))
    source = None if altering.source_positions is None else altering.source_positions.tolist()
    assert source is None or sorted(source) == list(range(S))
    oracle = AlteredPlain(folder, source_positions=source, target_positions=found.tolist())
    expected = oracle.logits(SOURCE, TARGET)
    close(at_once(transformer, altering), expected)
    close(in_steps(transformer, altering), expected)


def test_a_step_beyond_those_that_share_out_their_positions_keeps_its_own() -> None:
    change = ChangePositions("target", "shuffled", 1, steps=4)
    altering = Altering([change], tiny_bundle.architecture(), source_length=S)
    ids = altering.target_positions(2, 4)

    assert ids is not None
    assert ids.tolist() == [*shuffled(4, 1)[2:], 4, 5]


ROWS: dict[str, tuple[SetRow, list[float]]] = {
    "encoder focus": (SetRow(ENCODER, 1, 0, 2, key=4), [0, 0, 0, 0, 1, 0]),
    "encoder uniform": (SetRow(ENCODER, 0, 1, 5), [1 / 6] * 6),
    "encoder typed": (
        SetRow(ENCODER, 1, 1, 0, weights=(0.5, 0.25, 0.25, 0, 0, 0)),
        [0.5, 0.25, 0.25, 0, 0, 0],
    ),
    "decoder focus": (SetRow(DECODER, 1, 0, 3, key=1), [0, 1, 0, 0]),
    "decoder uniform": (SetRow(DECODER, 0, 1, 2), [1 / 3] * 3),
    "decoder typed": (SetRow(DECODER, 1, 1, 1, weights=(0.9, 0.1)), [0.9, 0.1]),
    "decoder first": (SetRow(DECODER, 1, 1, 0), [1]),
    "cross focus": (SetRow(CROSS, 1, 0, 2, key=0), [1, 0, 0, 0, 0, 0]),
    "cross uniform": (SetRow(CROSS, 0, 1, 0), [1 / 6] * 6),
    "cross typed": (SetRow(CROSS, 1, 1, 4, weights=(0, 0, 0.2, 0.2, 0.6, 0)), [0, 0, 0.2, 0.2, 0.6, 0]),
    # Typed sums are taken to be 1 within 1e-4, and the model goes on with exactly 1.
    "cross nearly": (
        SetRow(CROSS, 1, 1, 4, weights=(0.5, 0.50009, 0, 0, 0, 0)),
        [0.5 / 1.00009, 0.50009 / 1.00009, 0, 0, 0, 0],
    ),
}


@pytest.mark.parametrize("case", ROWS)
def test_a_replaced_row(make: Make, case: str) -> None:
    transformer, folder = make()
    change, row = ROWS[case]
    assert change.head is not None
    place = (str(change.kind), change.layer, change.head, change.query)
    expected = AlteredPlain(folder, rows={place: row}).logits(SOURCE, TARGET)
    altering = altered(transformer, change)

    close(at_once(transformer, altering), expected)
    close(in_steps(transformer, altering), expected)
    close(in_steps(transformer, altering, (2, 3)), expected)


def test_a_row_of_every_head_that_leaves_blocked_tokens_out(make: Make) -> None:
    transformer, folder = make()
    rows = {("cross", 1, head, 1): [0.25, 0, 0.25, 0.25, 0, 0.25] for head in range(HEADS)}
    oracle = AlteredPlain(folder, rows=rows, blocked=[1, 4])
    altering = altered(transformer, BlockToken(1), SetRow(CROSS, 1, None, 1), BlockToken(4))

    close(at_once(transformer, altering), oracle.logits(SOURCE, TARGET))


def test_typed_weights_are_for_the_tokens_that_are_not_blocked(make: Make) -> None:
    transformer, folder = make()
    oracle = AlteredPlain(folder, rows={("cross", 0, 1, 1): [0.1, 0, 0.2, 0.3, 0.4, 0]}, blocked=[1, 5])
    row = SetRow(CROSS, 0, 1, 1, weights=(0.1, 0.2, 0.3, 0.4))

    close(
        at_once(transformer, altered(transformer, BlockToken(1), BlockToken(5), row)),
        oracle.logits(SOURCE, TARGET),
    )


def test_the_last_of_two_rows_wins_and_a_scale_comes_after_it(make: Make) -> None:
    transformer, folder = make()
    oracle = AlteredPlain(
        folder, rows={("cross", 0, 1, 1): [0, 0, 1, 0, 0, 0]}, scales={("cross", 0, 1): 0.5}
    )
    altering = altered(
        transformer, ScaleHead(CROSS, 0, 1, 0.5), SetRow(CROSS, 0, 1, 1), SetRow(CROSS, 0, None, 1, key=2)
    )
    oracle.rows[("cross", 0, 0, 1)] = [0, 0, 1, 0, 0, 0]

    close(at_once(transformer, altering), oracle.logits(SOURCE, TARGET))


def test_pieces_are_read_in_another_order_and_the_end_stays_last(make: Make) -> None:
    transformer, folder = make()
    altering = altered(transformer, Reorder((4, 0, 1, 2, 3)), Reorder((1, 0, 2, 3, 4)))

    assert altering.order_source(SOURCE) == [4, 11, 9, 17, 5, 3]
    close(at_once(transformer, altering), AlteredPlain(folder).logits([4, 11, 9, 17, 5, 3], TARGET))


def test_everything_at_once(make: Make) -> None:
    transformer, folder = make(norm="pre_norm")
    changes: list[Alteration] = [
        ScaleHead(ENCODER, 0, 1, 0.5),
        ScaleHead(DECODER, 1, 0, 0.0),
        BlockToken(2),
        ChangePositions("source", "none"),
        ChangePositions("target", "shuffled", 9),
        SetRow(CROSS, 1, 1, 3, key=0),
        Reorder((1, 0, 2, 3, 4)),
    ]
    oracle = AlteredPlain(
        folder,
        scales={("encoder_self", 0, 1): 0.5, ("decoder_self", 1, 0): 0.0},
        rows={("cross", 1, 1, 3): [1, 0, 0, 0, 0, 0]},
        blocked=[2],
        source_positions=[-1] * S,
        target_positions=shuffled(29, 9)[:T],
    )
    expected = oracle.logits([9, 4, 17, 5, 11, 3], TARGET)
    altering = altered(transformer, *changes)

    close(at_once(transformer, altering), expected)
    for sizes in ((1, 1, 1, 1, 1), (2, 3), (4, 1)):
        close(in_steps(transformer, altering, sizes), expected)


def test_beams_are_altered_alike(make: Make) -> None:
    transformer, _ = make()
    altering = altered(
        transformer, SetRow(CROSS, 1, 1, 1, key=2), SetRow(DECODER, 0, 0, 1, key=0), BlockToken(3)
    )
    expected = in_steps(transformer, altering)
    cache = transformer.start_cache(encoded(transformer, altering), memory_mask=altering.source_mask, batch=3)
    for step, token in enumerate(TARGET):
        hidden = transformer.decode_step(torch.tensor([[token]] * 3), cache, tap=altering.tap)
        for row in transformer.project(hidden)[:, 0]:
            close(row, expected[step])


def test_what_is_recorded_is_never_scaled_and_has_the_rows_that_were_set() -> None:
    site = AttentionSite(CROSS, 0)
    a = tiny_bundle.architecture()
    altering = Altering([ScaleHead(CROSS, 0, 1, 0.5), SetRow(CROSS, 0, 0, 1, key=2)], a, source_length=3)
    altering.shown(AttentionSite(DECODER, 0), torch.full((1, 2, 2, 2), 0.5))
    pattern = torch.full((1, 2, 2, 3), 1 / 3)
    shown, used = altering.shown(site, pattern), altering.tap(site, pattern)

    assert used is not None
    torch.testing.assert_close(shown.sum(-1), torch.ones(1, 2, 2))
    assert shown[0, 0, 1].tolist() == [0, 0, 1]
    torch.testing.assert_close(used[0, 1], pattern[0, 1] * 0.5)
    assert used[0, 0, 1].tolist() == [0, 0, 1]
    assert pattern[0, 0, 1].tolist() == [pytest.approx(1 / 3)] * 3


def test_typed_weights_are_divided_by_their_sum() -> None:
    row = SetRow(ENCODER, 0, 0, 0, weights=(0.5, 0.25, 0.25009))
    altering = Altering([row], tiny_bundle.architecture(), source_length=3)
    shown = altering.shown(AttentionSite(ENCODER, 0), torch.full((1, 2, 3, 3), 1 / 3))

    assert shown[0, 0, 0].double().sum().item() == pytest.approx(1.0, abs=1e-7)
    assert shown[0, 0, 0, 0].item() == pytest.approx(0.5 / 1.00009, abs=1e-7)


def test_nothing_altered_leaves_everything_as_it_is() -> None:
    altering = Altering((), tiny_bundle.architecture(), source_length=S)
    pattern = torch.full((1, 2, S, S), 1 / S)

    assert not altering
    assert altering.tap(AttentionSite(ENCODER, 0), pattern) is None
    assert altering.shown(AttentionSite(ENCODER, 0), pattern) is pattern
    assert altering.source_mask is None
    assert altering.source_positions is None
    assert altering.target_positions(0, 3) is None
    assert altering.order_source(SOURCE) == SOURCE


def test_a_shuffle_is_a_permutation_fixed_by_its_seed_and_never_the_identity() -> None:
    for count in (2, 3, 8):
        for seed in range(20):
            drawn = shuffled(count, seed)
            assert sorted(drawn) == list(range(count))
            assert drawn != list(range(count))
            assert drawn == shuffled(count, seed)
    assert shuffled(1, 0) == [0]
    assert len({tuple(shuffled(8, seed)) for seed in range(20)}) > 15


def test_ids_of_another_length_than_the_order(make: Make) -> None:
    altering = altered(make()[0], Reorder((4, 3, 2, 1, 0)))

    with pytest.raises(HeadscopeError) as caught:
        altering.order_source([5, 6, 3])
    assert caught.value.code == "alteration_order"
