"""Fixtures for files of pairs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.model.data.packed import WRITERS


@pytest.fixture(params=list(WRITERS))
def written(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[bytes], Path]:
    """Writes bytes into a file, in each way that they can be packed."""

    def write(data: bytes) -> Path:
        path = tmp_path / str(request.param)
        WRITERS[str(request.param)](path, data)
        return path

    return write
