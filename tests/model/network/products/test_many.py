from __future__ import annotations

import numpy as np
import pytest
import torch

from model.network.linear import linear
from model.network.products import many
from model.network.products.choices import forcing
from model.network.products.many import many_way
from model.network.products.prepared import prepare_many
from model.network.products.ways import MOST_ROWS, PLAIN, WAYS, Way
from tests.model.small import ids, small_transformer


@pytest.mark.parametrize("way", [PLAIN, WAYS["onednn"], WAYS["packed"]], ids=lambda way: way.name)
@torch.no_grad()
def test_many_rows_are_the_product_also_after_the_matrix_was_written_to(way: Way) -> None:
    generator = torch.Generator().manual_seed(3)
    weight, bias = torch.randn(37, 20, generator=generator), torch.randn(37, generator=generator)
    prepare_many(weight, way)
    for rows in (1, 2, 15, 16, MOST_ROWS, MOST_ROWS + 1, 300):
        x = torch.randn(rows, 1, 20, generator=generator)
        wanted = np.einsum("rni,oi->rno", x.double().numpy(), weight.double().numpy()) + bias.double().numpy()
        np.testing.assert_allclose(linear(x, weight, bias).numpy(), wanted, atol=2e-5)
        weight += 0.5


@torch.inference_mode()
def test_a_model_laid_out_for_batches_computes_the_same() -> None:
    plain, batched = small_transformer(), small_transformer()
    with forcing("packed"):
        assert many_way(torch.zeros(4, 4)) is WAYS["packed"]
        batched.lay_out_for_decoding()
        batched.lay_out_for_batches()
    source = ids(20, 5)
    wanted, found = plain.encode(source), batched.encode(source)
    torch.testing.assert_close(found, wanted, atol=1e-5, rtol=0)
    ours, theirs = batched.start_cache(found), plain.start_cache(wanted)
    for step in range(3):
        read = ids(20, 1, seed=step)
        logits = [
            net.project(net.decode_step(read, kept)) for net, kept in ((batched, ours), (plain, theirs))
        ]
        torch.testing.assert_close(logits[0], logits[1], atol=1e-4, rtol=0)


def test_no_copies_where_another_way_is_forced() -> None:
    with forcing("vector"):
        assert many_way(torch.zeros(4, 4)) is PLAIN


@pytest.mark.skipif(not WAYS["packed"].present(), reason="this torch has no oneDNN")
@pytest.mark.parametrize(
    ("quicker", "name"),
    [
        (set(), "linear"),
        ({"onednn linear"}, "onednn"),
        ({"packed linear"}, "packed"),
        ({"onednn linear", "packed onednn"}, "packed"),
        ({"onednn linear", "packed linear"}, "onednn"),
    ],
)
def test_each_shape_has_what_is_quickest(
    monkeypatch: pytest.MonkeyPatch, quicker: set[str], name: str
) -> None:
    asked: list[str] = []

    def is_quicker(question: str, *_: object) -> bool:
        asked.append(question)
        return any(f"many 8192x8 {one} {torch.get_num_threads()}" == question for one in quicker)

    monkeypatch.setattr(many, "is_quicker", is_quicker)
    many._quickest.cache_clear()
    try:
        with forcing(""):
            assert many_way(torch.zeros(9000, 8)).name == name  # of a larger one a part is tried
            assert many_way(torch.zeros(8192, 8)).name == name
    finally:
        many._quickest.cache_clear()
    assert len(asked) == 2
