from __future__ import annotations

import pytest
import torch
from torch import Tensor

from model.network.cache import DecoderCache, LayerCache, empty_layer
from model.network.masks import AttentionMask


def normal(*shape: int, seed: int = 1) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("capacity", [1, 2, 5, 64])
def test_append_keeps_order_and_grows(capacity: int) -> None:
    layer = empty_layer(2, 3, capacity, 4, torch.zeros(()))
    keys, values = normal(2, 3, 9, 4), normal(2, 3, 9, 4, seed=2)
    start = 0
    for size in (1, 1, 3, 4):
        part = slice(start, start + size)
        k, v = layer.append(keys[:, :, part], values[:, :, part])
        start += size
        assert torch.equal(k, keys[:, :, :start])
        assert torch.equal(v, values[:, :, :start])
        assert layer.length == start
    assert layer.keys.shape[2] >= 9


def test_room_is_allocated_once() -> None:
    layer = empty_layer(1, 1, 8, 2, torch.zeros(()))
    place = layer.keys.data_ptr()
    for _ in range(8):
        layer.append(normal(1, 1, 1, 2), normal(1, 1, 1, 2))
    assert layer.keys.data_ptr() == place
    layer.append(normal(1, 1, 1, 2), normal(1, 1, 1, 2))
    assert layer.keys.shape[2] == 16  # doubles, so that growing stays cheap however long the text


def cache(batch: int = 3, memory_batch: int | None = None) -> DecoderCache:
    rows = batch if memory_batch is None else memory_batch
    layers = [
        LayerCache(normal(batch, 2, 6, 4, seed=i), normal(batch, 2, 6, 4, seed=9 + i), 5) for i in (1, 2)
    ]
    memory = [(normal(rows, 2, 7, 4, seed=20 + i), normal(rows, 2, 7, 4, seed=30 + i)) for i in (1, 2)]
    allowed = torch.ones(rows, 1, 1, 7, dtype=torch.bool)
    allowed[0, ..., 3:] = False
    if rows > 1:
        allowed[1] = False
    return DecoderCache(layers, memory, AttentionMask.of(allowed, torch.float32))


def test_truncate_copies_nothing() -> None:
    subject = cache()
    place = subject.layers[0].keys.data_ptr()
    subject.truncate(2)
    assert (subject.length, subject.layers[1].length) == (2, 2)
    assert subject.layers[0].keys.data_ptr() == place
    subject.truncate(9)
    assert subject.length == 2


def test_select_takes_everything_along() -> None:
    subject, before = cache(), cache()
    rows = torch.tensor([2, 1, 1, 0])
    subject.select(rows)
    assert subject.batch == 4
    for layer, old in zip(subject.layers, before.layers):
        assert torch.equal(layer.keys[:, :, :5], old.keys[rows, :, :5])
        assert torch.equal(layer.values[:, :, :5], old.values[rows, :, :5])
        assert layer.keys.shape[2] == 6
    for (k, v), (old_k, old_v) in zip(subject.memory, before.memory):
        assert torch.equal(k, old_k[rows])
        assert torch.equal(v, old_v[rows])
    mask, old_mask = subject.memory_mask, before.memory_mask
    assert mask is not None
    assert old_mask is not None
    assert torch.equal(mask.bias, old_mask.bias[rows])
    assert mask.blind is not None
    assert mask.blind.flatten().tolist() == [False, True, True, False]


def test_beams_leave_the_shared_memory_alone() -> None:
    subject = cache(batch=3, memory_batch=1)
    keys, mask = subject.memory[0][0], subject.memory_mask
    subject.select(torch.tensor([0, 0]))
    assert subject.memory[0][0] is keys
    assert subject.memory_mask is mask
    assert subject.batch == 2


def test_a_fork_goes_its_own_way() -> None:
    subject = cache()
    fork = subject.fork()
    fork.layers[0].append(normal(3, 2, 1, 4), normal(3, 2, 1, 4))
    fork.layers[0].keys.zero_()
    assert (subject.layers[0].length, fork.layers[0].length) == (5, 6)
    assert torch.equal(subject.layers[0].keys, cache().layers[0].keys)
    fork.select(torch.tensor([0]))
    assert subject.memory[0][0].shape[0] == 3


def test_a_fork_of_the_beginning() -> None:
    subject = cache()
    fork = subject.fork(2)
    assert (subject.length, fork.length) == (5, 2)
    k, _ = fork.layers[1].append(normal(3, 2, 1, 4), normal(3, 2, 1, 4))
    assert torch.equal(k[:, :, :2], cache().layers[1].keys[:, :, :2])
    assert torch.equal(subject.layers[1].keys, cache().layers[1].keys)
