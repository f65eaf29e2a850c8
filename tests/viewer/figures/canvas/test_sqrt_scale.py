"""The square root scale, by hand."""

from __future__ import annotations

import numpy as np

from viewer.figures.canvas.sqrt_scale import root


def test_the_root_keeps_the_sign_and_the_ends() -> None:
    shares = np.array([-1, -0.25, 0, 0.01, 0.81, 1], np.float32)
    assert np.allclose(root(shares), [-1, -0.5, 0, 0.1, 0.9, 1], rtol=1e-6, atol=0)
    assert root(shares).dtype == np.float32
    assert float(root(np.float64(0.0625))) == 0.25
