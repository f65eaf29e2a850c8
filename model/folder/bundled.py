"""Bundled models: which ship with Headscope, and which folder a `--model` means. No torch."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import resources
from model.errors import HeadscopeError
from model.files.files import StrPath, shown
from model.folder.bundle_config import CONFIG, read_config
from model.folder.model_folder import model_home

DEFAULT_MODEL = "en-fr"
MODELS = Path(resources.__file__).parent / "models"


def bundled_names() -> list[str]:
    """Names of the models that are there, the default one first."""
    if not MODELS.is_dir():
        return []
    names = [folder.name for folder in MODELS.iterdir() if (folder / CONFIG).is_file()]
    return sorted(names, key=lambda name: (name != DEFAULT_MODEL, name))


def bundled_languages() -> list[tuple[str, tuple[str, str]]]:
    """Each bundled model's name with its source and target language."""
    return [(name, _languages(MODELS / name)) for name in bundled_names()]


@cache
def _languages(folder: Path) -> tuple[str, str]:
    # Asked for with every sentence; to read and check a file takes as long as a token.
    return read_config(folder).languages


def resolve_model(name_or_path: StrPath) -> Path:
    """The folder of a bundled model's name, or that of a path (`./en-fr` is always a path).

    A path is the folder itself, a file in it, or a model's top folder in the hub's cache.

    Raises:
        HeadscopeError: `model_unknown`: neither a bundled model nor a folder.
    """
    if str(name_or_path) in bundled_names():
        return MODELS / str(name_or_path)
    path = Path(name_or_path)
    if not str(name_or_path) or not path.exists():
        names = ", ".join(bundled_names()) or "none"
        raise HeadscopeError("model_unknown", name=shown(name_or_path), names=names)
    return model_home(path)


def said_model(path: StrPath) -> str:
    """What `--model` takes for a folder: the name of a bundled model, else the path."""
    folder = Path(path)
    return folder.name if folder.parent == MODELS and folder.name in bundled_names() else str(path)
