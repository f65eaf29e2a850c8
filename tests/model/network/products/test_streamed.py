"""Streamed products; oracle: numpy's in float64."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from model.network import transformer
from model.network.compiled import library
from model.network.compiled_row import _MATRICES, CompiledRow
from model.network.products import streamed, trial
from model.network.products import streams as streams_of
from model.network.products.choices import Choice, forcing
from model.network.products.streamed import (
    as_matrix,
    multiply_alone,
    multiply_plainly,
    multiply_streamed,
    past_caches,
)
from model.network.products.ways import WAYS
from tests.model.small import small_transformer

compiled = pytest.mark.skipif(not streamed.has_streamed(), reason="no compiler of C when it was installed")


@compiled
@given(
    rows=st.integers(1, 20),
    outputs=st.integers(1, 70),
    inputs=st.integers(1, 200),
    biased=st.booleans(),
    seed=st.integers(0, 2**32 - 1),
)
def test_any_shape(rows: int, outputs: int, inputs: int, biased: bool, seed: int) -> None:
    draw = np.random.default_rng(seed)
    x, weight = draw.standard_normal((rows, inputs)), draw.standard_normal((outputs, inputs))
    bias = draw.standard_normal(outputs)
    x, weight, bias = (values.astype(np.float32).astype(np.float64) for values in (x, weight, bias))
    product = x @ weight.T + (bias if biased else 0)
    # What float32 loses at most: half a unit in the last place of each addition.
    most = (inputs + 1) * 2.0**-24 * (np.abs(x) @ np.abs(weight).T + np.abs(bias)) + 1e-30
    given_x, given_weight, given_bias = (
        torch.from_numpy(values.astype(np.float32)) for values in (x, weight, bias)
    )
    matrix, given_bias_or_none = as_matrix(given_weight), given_bias if biased else None
    found = multiply_alone(given_x, matrix, given_bias_or_none)
    assert found.shape == (rows, outputs)
    assert (np.abs(found.double().numpy() - product) <= most).all()
    plain = multiply_plainly(given_x, matrix, given_bias_or_none)
    assert (np.abs(plain.double().numpy() - product) <= most).all()
    # The sums do not depend on who adds them up, nor on what stays in the caches.
    for which in (matrix, past_caches(matrix)):
        assert torch.equal(multiply_streamed(given_x, which, given_bias_or_none), found)


@compiled
@pytest.mark.parametrize("rows", [1, 2, 3, 4, 7])
def test_threads_and_streams_give_the_same_bits(rows: int) -> None:
    draw = torch.Generator().manual_seed(3)
    weight, x = torch.randn(3001, 257, generator=draw), torch.randn(rows, 257, generator=draw)
    alone = multiply_alone(x, as_matrix(weight), None)
    threads = torch.get_num_threads()
    try:
        for streams in (streams_of.MORE, streams_of.FEW):
            streamed.take_streams(streams)
            assert torch.equal(multiply_alone(x, as_matrix(weight), None), alone)
            assert torch.equal(multiply_alone(x, past_caches(as_matrix(weight)), None), alone)
            for count in (1, 2, 4):
                torch.set_num_threads(count)
                for _ in range(20):
                    assert torch.equal(multiply_streamed(x, as_matrix(weight), None), alone)
    finally:
        torch.set_num_threads(threads)


@compiled
def test_how_matrices_are_read_is_found_out_once_and_not_with_a_small_model(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken: list[int] = []
    kept: dict[str, bool] = {}
    monkeypatch.setattr(streamed, "take_streams", taken.append)
    monkeypatch.setattr(streams_of, "recall", kept.get)
    monkeypatch.setattr(trial, "recall", kept.get)
    monkeypatch.setattr(trial, "remember", kept.update)
    small = [torch.zeros(8, 8)]
    assert not streams_of.settled(small)
    assert (taken, kept) == ([], {})
    threads = torch.get_num_threads()
    side_by_side, past = f"streams {threads}", f"past the caches {threads}"
    kept[past] = True
    monkeypatch.setattr(streams_of, "_LARGE", 100)
    streams_of.settled(small)
    assert taken.count(2) >= streams_of._TRIES <= taken.count(4)
    for found, number in ((True, 4), (False, 2)):
        for passing in (True, False):
            kept.update({side_by_side: found, past: passing})
            assert streams_of.settled(small) is passing
            assert taken[-1] == number
    # What the caches hold is better left there, whatever is quicker for a large one.
    monkeypatch.setattr(streams_of, "_LARGE", 1000)
    kept[past] = True
    assert not streams_of.settled(small)


@compiled
def test_a_large_model_is_read_past_the_caches_where_that_is_quicker(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[bool] = []
    multiply = streamed._multiply

    def told(x: torch.Tensor, matrix: streamed.Matrix, *others: object) -> torch.Tensor:
        read.append(matrix[-1])
        return multiply(x, matrix, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(streamed, "_multiply", told)
    ids = torch.tensor([[1, 3, 2]])
    logits = []
    for past in (True, False):
        network = small_transformer()
        choice = Choice("rows", "streamed", "streamed", past=past)
        monkeypatch.setattr(
            transformer, "choose", lambda step, reading, choice=choice: [choice for _ in (*step, *reading)]
        )
        with torch.inference_mode():
            network.lay_out_for_decoding()
            cache = network.start_cache(network.encode(ids))
            read.clear()
            logits.append(network.project(network.decode_step(ids[:, :1], cache)))
        assert cache.row_layers
        for layer in cache.row_layers:
            assert isinstance(layer, CompiledRow)
            assert all(getattr(layer._layer, name).past == past for name in _MATRICES)
        assert read == [past]
    assert torch.equal(*logits)


@compiled
def test_rows_of_any_shape_and_with_gaps() -> None:
    draw = torch.Generator().manual_seed(4)
    weight, x = torch.randn(5, 6, generator=draw), torch.randn(6, 2, 3, generator=draw)
    turned = x.permute(2, 1, 0)
    wanted = np.einsum("...i,oi->...o", turned.double().numpy(), weight.double().numpy())
    np.testing.assert_allclose(multiply_streamed(turned, as_matrix(weight), None), wanted, atol=1e-5)


def no_compiler(folder: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(library, "_HERE", folder)


def of_another_machine(folder: Path, patch: pytest.MonkeyPatch) -> None:
    for ending in library.EXTENSION_SUFFIXES:
        (folder / f"_kernels{ending}").write_bytes(b"no library")
    patch.setattr(library, "_HERE", folder)


def of_other_sources(_: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(library, "VERSION", -1)


@pytest.mark.parametrize("without", [no_compiler, of_another_machine, of_other_sources])
def test_without_the_kernels_other_ways_do_the_work(
    without: Callable[[Path, pytest.MonkeyPatch], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without(tmp_path, monkeypatch)
    library.library.cache_clear()
    try:
        assert not WAYS["streamed"].present()
        assert not WAYS["streamed_alone"].present()
        network = small_transformer()
        with forcing("streamed"):
            network.lay_out_for_decoding()
        ids = torch.tensor([[1, 3, 2]])
        with torch.inference_mode():
            cache = network.start_cache(network.encode(ids))
            network.decode_step(ids[:, :1], cache)
        assert cache.row_layers
        assert not any(isinstance(layer, CompiledRow) for layer in cache.row_layers)
    finally:
        monkeypatch.undo()
        library.library.cache_clear()
