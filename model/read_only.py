"""`read_only`: arrays that nobody may write to, as traces and answers hold them. No torch."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

Number = TypeVar("Number", bound=np.generic)


def read_only(array: npt.NDArray[Number]) -> npt.NDArray[Number]:
    """A view that cannot be written to; the array itself stays as it is."""
    view = array.view()
    view.flags.writeable = False
    return view
