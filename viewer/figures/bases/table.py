"""Two bases as CSV: `what` is `base`, `pair` or `offset`."""

from __future__ import annotations

from viewer.figures.bases.spec import BasesSpec
from viewer.figures.table import Rows, exact


def bases_rows(spec: BasesSpec) -> Rows:
    """Header and lines."""
    yield "what", "index", "base", "wavelength", "cosine", "smallest_distance", "apart"
    for side in spec.sides:
        base = exact(side.base)
        yield "base", "", base, exact(side.longest), "", exact(side.smallest), side.apart
        yield from (("pair", i, base, exact(v), "", "", "") for i, v in enumerate(side.wavelengths))
        yield from (("offset", i, base, "", exact(v), "", "") for i, v in enumerate(side.cosine))
