from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from model.config import Architecture
from model.errors import HeadscopeError
from model.network.embeddings import PositionalEncoding, sinusoidal_table
from tests.model.small import numpy_positions


@pytest.mark.parametrize("layout", ["interleaved", "halves"])
@pytest.mark.parametrize("base", [10000.0, 50.0])
def test_sinusoids(layout: str, base: float) -> None:
    found = sinusoidal_table(1200, 20, base=base, layout=layout)  # type: ignore[arg-type]
    assert found.dtype == torch.float32
    np.testing.assert_allclose(found.numpy(), numpy_positions(1200, 20, layout, base), rtol=0, atol=1e-7)


def test_a_few_sinusoids_by_hand() -> None:
    table = sinusoidal_table(3, 4)
    assert table[0].tolist() == [0.0, 1.0, 0.0, 1.0]
    wanted = [math.sin(2), math.cos(2), math.sin(0.02), math.cos(0.02)]  # 10000^(2/4) = 100
    assert table[2].tolist() == pytest.approx(wanted, abs=1e-7)
    assert sinusoidal_table(3, 4, layout="halves")[2].tolist() == pytest.approx(
        [wanted[0], wanted[2], wanted[1], wanted[3]], abs=1e-7
    )


def encoding(positions: str) -> PositionalEncoding:
    return PositionalEncoding(
        Architecture.from_json(
            {
                "source_vocab": 9,
                "target_vocab": 9,
                "d_model": 8,
                "n_heads": 2,
                "max_positions": 5,
                "positions": positions,
            }
        )
    )


def test_kinds() -> None:
    x = torch.zeros(2, 3, 8)
    places = torch.tensor([[0, 1, 2], [4, 4, 0]])
    sinusoidal = encoding("sinusoidal")
    assert not sinusoidal.state_dict()
    table = torch.from_numpy(numpy_positions(5, 8, "interleaved")).float()
    torch.testing.assert_close(sinusoidal(x, places), table[places], rtol=0, atol=1e-6)
    learned = encoding("learned")
    assert {name: tuple(t.shape) for name, t in learned.state_dict().items()} == {"weight": (5, 8)}
    assert learned.weight is not None
    learned.weight.data = torch.arange(40.0).reshape(5, 8)
    assert torch.equal(learned(x, places).detach(), torch.arange(40.0).reshape(5, 8)[places])
    nothing = encoding("none")
    assert not nothing.state_dict()
    assert nothing.rows() is None
    assert torch.equal(nothing(x, places), x)


def test_length_is_checked() -> None:
    encoding("sinusoidal").check_length(5)
    with pytest.raises(HeadscopeError) as error:
        encoding("sinusoidal").check_length(6)
    assert error.value.code == "too_long"
