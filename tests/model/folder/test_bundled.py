from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from model.errors import HeadscopeError
from model.folder import bundled


@pytest.fixture
def models(tmp_path: Path, tiny_bundle: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of bundled models that holds two."""
    folder = tmp_path / "models"
    for name in ("aa", "en-fr"):
        shutil.copytree(tiny_bundle, folder / name)
    (folder / "no model").mkdir()
    monkeypatch.setattr(bundled, "MODELS", folder)
    return folder


def test_names_and_languages(models: Path) -> None:
    assert bundled.bundled_names() == ["en-fr", "aa"]
    assert bundled.bundled_languages() == [("en-fr", ("en", "fr")), ("aa", ("en", "fr"))]


def test_a_name_or_a_folder(models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert bundled.resolve_model("en-fr") == models / "en-fr"
    assert bundled.resolve_model(tmp_path) == tmp_path
    monkeypatch.chdir(tmp_path)
    (tmp_path / "en-fr").mkdir()
    assert bundled.resolve_model("en-fr") == models / "en-fr"
    assert bundled.resolve_model("./en-fr").resolve() == tmp_path / "en-fr"


@pytest.mark.parametrize("name", ["de-en", "", "no/such/folder"])
def test_an_unknown_model_names_those_there_are(models: Path, name: str) -> None:
    with pytest.raises(HeadscopeError, match=r"\(en-fr, aa\)") as caught:
        bundled.resolve_model(name)
    assert caught.value.code == "model_unknown"


def test_without_any_bundled_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundled, "MODELS", tmp_path / "none")
    assert bundled.bundled_names() == []
    with pytest.raises(HeadscopeError, match=r"\(none\)"):
        bundled.resolve_model("en-fr")
