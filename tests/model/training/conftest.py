"""A corpus and a place for the bundle."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.training import prepare
from tests.model.tiny_training import write_pairs


@pytest.fixture(autouse=True)
def _few_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decoding twenty of them at the end takes longer than all the rest of a tiny run."""
    monkeypatch.setattr(prepare, "EXAMPLES", 2)


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    return write_pairs(tmp_path / "pairs.tsv")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"
