"""Matrix: numbers of a picture as arrays."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]
