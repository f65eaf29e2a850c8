"""Streamed products; oracle: numpy's in float64."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from model.network.compiled import library
from model.network.compiled_row import CompiledRow
from model.network.products import streamed, trial
from model.network.products import streams as streams_of
from model.network.products.choices import forcing
from model.network.products.streamed import as_matrix, multiply_alone, multiply_plainly, multiply_streamed
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
    # The sums do not depend on who adds them up.
    assert torch.equal(multiply_streamed(given_x, matrix, given_bias_or_none), found)


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
            for count in (1, 2, 4):
                torch.set_num_threads(count)
                for _ in range(20):
                    assert torch.equal(multiply_streamed(x, as_matrix(weight), None), alone)
    finally:
        torch.set_num_threads(threads)


@compiled
def test_what_was_found_of_streams_is_taken_and_small_models_find_out_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken: list[int] = []
    kept: dict[str, bool] = {}
    monkeypatch.setattr(streamed, "take_streams", taken.append)
    monkeypatch.setattr(streams_of, "recall", kept.get)
    monkeypatch.setattr(trial, "recall", kept.get)
    monkeypatch.setattr(trial, "remember", kept.update)
    small = [torch.zeros(8, 8)]
    streams_of.settle_streams(small)
    assert (taken, kept) == ([], {})
    monkeypatch.setattr(streams_of, "_LARGE", 100)
    streams_of.settle_streams(small)
    assert taken.count(2) >= streams_of._TRIES <= taken.count(4)
    for found, number in ((True, 4), (False, 2)):
        kept[f"streams {torch.get_num_threads()}"] = found
        streams_of.settle_streams(small)
        assert taken[-1] == number


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
