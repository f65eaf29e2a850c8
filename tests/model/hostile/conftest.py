"""One small model of each kind, to be copied before it is spoiled."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.bundle.bundle import write_bundle
from tests.foreign_assets import write_bert, write_gpt2, write_t5
from tests.marian_assets import write_marian
from tests.model import tiny_bundle
from tests.model.hostile.crafting import copied


@pytest.fixture(scope="session")
def sound(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Folders as people have them, by kind. Never write them."""
    root = tmp_path_factory.mktemp("sound")
    bundle = root / "bundle"
    spm = tiny_bundle.spm()
    write_bundle(bundle, tiny_bundle.config(), tiny_bundle.transformer(seed=1), spm, spm, half=False)
    return {
        "bundle": bundle,
        "marian": write_marian(root / "marian"),
        "bert": write_bert(root / "bert"),
        "gpt2": write_gpt2(root / "gpt2"),
        "t5": write_t5(root / "t5"),
    }


@pytest.fixture
def folder(request: pytest.FixtureRequest, sound: dict[str, Path], tmp_path: Path) -> Path:
    """A copy of the sound folder of the kind that a test asks for by `indirect`; else of GPT-2."""
    kind = getattr(request, "param", "gpt2")
    return copied(sound[kind], tmp_path / "inside" / kind)
