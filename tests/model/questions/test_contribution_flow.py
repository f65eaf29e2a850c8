"""The flow to one word: worked by hand on a graph of eight nodes; its ends against the multiplied layers."""

from __future__ import annotations

import numpy as np
import pytest

from model.questions.causes.contribution_flow import KINDS, flow_to
from model.questions.causes.contributions import Contributions
from model.trace.trace import AttentionKind


def random_contributions(seed: int, e: int, d: int, s: int, t: int, *, mixed: bool = False) -> Contributions:
    """Rows that sum to 1, of any numbers."""
    draw = np.random.default_rng(seed)

    def rows(*shape: int) -> np.ndarray:
        table = draw.random(shape) ** 4
        return table / table.sum(-1, keepdims=True)

    own = np.tril(rows(d, t, t))
    own /= own.sum(-1, keepdims=True)
    cross = rows(d, t, s + 1)
    read = np.zeros((d, e + 1, s))
    read[:, -1] = 1.0
    if mixed:
        read = np.swapaxes(rows(d, s, e + 1), 1, 2)
    arrays = (rows(e, s, s), own, cross[..., :-1], cross[..., -1], read)
    return Contributions(*(array.astype(np.float32) for array in arrays))


def test_a_flow_by_hand() -> None:
    """One layer each, two source tokens, two steps. Step 2 keeps 0.6 of itself (a third of that from step 1's
    token) and has 0.4 of the second source token, which is 0.75 of the first.
    """
    found = flow_to(
        Contributions(
            encoder=np.array([[[1.0, 0.0], [0.75, 0.25]]], np.float32),
            own=np.array([[[1.0, 0.0], [1 / 3, 2 / 3]]], np.float32),
            cross=np.array([[[0.5, 0.0], [0.0, 0.4]]], np.float32),
            kept=np.array([[0.5, 0.6]], np.float32),
            read=np.array([[[0.0, 0.0], [1.0, 1.0]]], np.float32),
        ),
        1,
    )
    np.testing.assert_allclose(found.decoder, [[0.2, 0.4], [0.0, 1.0]], atol=1e-6)
    np.testing.assert_allclose(found.encoder, [[0.3, 0.1], [0.0, 0.4]], atol=1e-6)
    told = [
        (str(KINDS[kind]), layer, query, key, depth)
        for kind, layer, query, key, depth, *_ in zip(*found.edges, strict=True)
    ]
    assert set(told[:2]) == {("decoder_self", 0, 1, 1, 0), ("cross", 0, 1, 1, 1)}
    assert told[2:] == [
        ("encoder_self", 0, 1, 0, 0),
        ("decoder_self", 0, 1, 0, 0),
        ("encoder_self", 0, 1, 1, 0),
    ]
    np.testing.assert_allclose(found.edges.flow, [0.4, 0.4, 0.3, 0.2, 0.1], atol=1e-6)
    np.testing.assert_allclose(found.edges.share[2:], [0.75, 0.2, 0.25], atol=1e-6)
    assert found.source_share == pytest.approx(0.4, abs=1e-6)
    assert found.hidden_below(0.25) == pytest.approx(0.3 / 1.4, abs=1e-6)
    assert found.hidden_below(0.0) == 0.0
    with pytest.raises(IndexError):
        flow_to(random_contributions(1, 1, 1, 2, 2), 2)


@pytest.mark.parametrize("mixed", [False, True])
def test_the_ends_of_every_flow_are_the_layers_multiplied(mixed: bool) -> None:
    given = random_contributions(3, 3, 4, 5, 6, mixed=mixed)
    for step in range(6):
        found = flow_to(given, step)
        np.testing.assert_allclose(found.encoder[0], given.up_to(AttentionKind.CROSS, 3)[step], atol=1e-6)
        np.testing.assert_allclose(
            found.decoder[0], given.up_to(AttentionKind.DECODER_SELF, 3)[step], atol=1e-6
        )
        assert found.encoder[0].sum() + found.decoder[0].sum() == pytest.approx(1, abs=1e-5)
        assert (np.diff(found.edges.flow) <= 0).all()
