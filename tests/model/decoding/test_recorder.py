from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from model.alterations.scale_head import ScaleHead
from model.alterations.set_row import SetRow
from model.config import Architecture
from model.decoding.altering import Altering
from model.decoding.recorder import Recorder
from model.network.attention import AttentionSite
from model.trace.attention_shape import AttentionShape
from model.trace.trace import AttentionKind
from tests.model.small import ids, small_transformer

OWN, CROSS = AttentionKind.DECODER_SELF, AttentionKind.CROSS
SHAPE = AttentionShape(1, 2, 1, 2, cross=True)
SIZES = Architecture(source_vocab=9, target_vocab=9, d_model=8, n_heads=2, encoder_layers=1, decoder_layers=1)


def rows(count: int, first: int, keys: int | None = None) -> Tensor:
    """Patterns [1, 2, count, keys] whose entries say where they belong; keys are those so far, or as said."""
    seen = first + count if keys is None else keys
    head, row, key = torch.meshgrid(
        torch.arange(2), torch.arange(first, first + count), torch.arange(seen), indexing="ij"
    )
    return (100 * row + 10 * head + key).float()[None]


def feed(recorder: Recorder, count: int, first: int) -> None:
    recorder(AttentionSite(OWN, 0), rows(count, first))
    recorder(AttentionSite(CROSS, 0), rows(count, first, 3) + 0.5)


def expected(steps: int, keys: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return np.array(
        [[[100 * t + 10 * h + k for k in range(keys)] for t in range(steps)] for h in range(2)], np.float32
    )


def test_rows_stay_where_they_are_while_the_arrays_grow() -> None:
    recorder = Recorder(SHAPE, 3, capacity=2)
    snapshots = {}
    for count, first in ((1, 2), (1, 3), (6, 4), (1, 10)):
        if first == 2:
            feed(recorder, 2, 0)  # the first rows in one go
        feed(recorder, count, first)
        snapshots[first + count] = recorder.snapshot(first + count)
    for steps, patterns in snapshots.items():
        assert patterns.shape(OWN) == (1, 2, steps, steps)
        own = patterns.layer(OWN, 0)
        square = expected(steps, steps)
        for first in range(steps):
            np.testing.assert_array_equal(own[:, first, : first + 1], square[:, first, : first + 1])
        for first in (2, 3, 10):  # single rows know no later key
            assert not own[:, first : first + 1, first + 1 :].any()
        np.testing.assert_array_equal(patterns.layer(CROSS, 0)[:, 2:], expected(steps, 3)[:, 2:] + 0.5)


def test_snapshots_share_memory_and_cannot_be_written() -> None:
    recorder = Recorder(SHAPE, 3)
    feed(recorder, 1, 0)
    feed(recorder, 1, 1)
    one, two = recorder.snapshot(1).pattern(OWN, 0, 1), recorder.snapshot(2).pattern(OWN, 0, 1)
    assert np.shares_memory(one, two)
    assert not one.flags.writeable


def test_fork_leaves_the_original_alone() -> None:
    recorder = Recorder(SHAPE, 3)
    for step in range(4):
        feed(recorder, 1, step)
    before = recorder.snapshot(4).layer(OWN, 0).copy()
    fork = recorder.fork(2)
    fork(AttentionSite(OWN, 0), -rows(1, 2))
    fork(AttentionSite(CROSS, 0), -rows(1, 2, 3))
    np.testing.assert_array_equal(recorder.snapshot(4).layer(OWN, 0), before)
    np.testing.assert_array_equal(fork.snapshot(3).layer(OWN, 0)[:, :2, :2], before[:, :2, :2])
    np.testing.assert_array_equal(fork.snapshot(3).layer(OWN, 0)[:, 2], -expected(3, 3)[:, 2])


def test_a_replaced_row_is_recorded_as_replaced_and_a_scaled_head_as_computed() -> None:
    changes = (
        SetRow(CROSS, 0, head=1, query=1, key=2),
        ScaleHead(CROSS, 0, head=1, factor=0.25),
        ScaleHead(OWN, 0, head=0, factor=3.0),
    )
    recorder = Recorder(SHAPE, 3, altering=Altering(changes, SIZES, source_length=3))
    for step in range(2):
        own, cross = rows(1, step), rows(1, step, 3)
        used_own = recorder(AttentionSite(OWN, 0), own)
        used_cross = recorder(AttentionSite(CROSS, 0), cross)
        assert used_own is not None
        assert used_cross is not None
        wanted = cross[0, 1, 0] if step == 0 else torch.tensor([0.0, 0.0, 1.0])
        recorded = recorder.snapshot(step + 1)
        np.testing.assert_array_equal(recorded.layer(CROSS, 0)[1, step], wanted)
        np.testing.assert_array_equal(recorded.layer(CROSS, 0)[0, step], cross[0, 0, 0])
        np.testing.assert_array_equal(recorded.layer(OWN, 0)[:, step, : step + 1], own[0, :, 0])
        assert torch.equal(used_cross[0, 1, 0], wanted * 0.25)
        assert torch.equal(used_own[0, 0], own[0, 0] * 3)
        assert torch.equal(used_own[0, 1], own[0, 1])


def test_nothing_stays_attached_to_the_model() -> None:
    transformer = small_transformer()
    source = ids(1, 5)
    recorder = Recorder(transformer.attention_shape, 5)
    transformer.encode(source, tap=recorder)
    seen = recorder.snapshot(0).layer(AttentionKind.ENCODER_SELF, 0).copy()
    transformer.encode(ids(1, 5, seed=2))
    np.testing.assert_array_equal(recorder.snapshot(0).layer(AttentionKind.ENCODER_SELF, 0), seen)
    assert not any(module._forward_hooks or module._forward_pre_hooks for module in transformer.modules())
