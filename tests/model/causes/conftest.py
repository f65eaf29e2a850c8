"""The tiny bundles of `tests.model.inspection`."""

from __future__ import annotations

from tests.model.inspection.conftest import made, make

__all__ = ["made", "make"]
