"""Square root scale: where a share of the scale lies on it, because most weights are small. No Qt."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

Share = TypeVar("Share", np.float64, npt.NDArray[np.float32], npt.NDArray[np.float64])


def root(share: Share) -> Share:
    """The signed square root of shares -1 to 1 of a scale; of 0, 1 and -1 they are themselves."""
    result: Share = np.copysign(np.sqrt(np.abs(share)), share)
    return result
