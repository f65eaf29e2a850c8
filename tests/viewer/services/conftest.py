"""What the tests of this room share."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.trace.trace import Trace
from model.trace.trace_file import save_trace


@pytest.fixture
def trace_files(tiny_trace: Trace, tmp_path: Path) -> list[Path]:
    """Three files of one translation: a.trace, b.trace and c.trace."""
    paths = [tmp_path / f"{name}.trace" for name in "abc"]
    for path in paths:
        save_trace(tiny_trace, path)
    return paths
