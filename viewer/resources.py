"""Resources that ship with Headscope, found without Qt: bundled models, recorded examples, samples."""

from __future__ import annotations

import json
from pathlib import Path

import resources
from model.errors import HeadscopeError
from model.folder.training_log import LOG, entries_of

ROOT = Path(resources.__file__).parent
MODELS = ROOT / "models"
TRANSLATIONS = ROOT / "translations"
BUNDLED = ("en-fr", "zh-en", "reverse")


def bundled_model(name: str) -> Path | None:
    """The folder of a bundled model, None when this copy of Headscope does not have it."""
    folder = MODELS / name
    return folder if (folder / "config.json").is_file() else None


def first_model(language: str) -> Path | None:
    """The model a fresh window opens on: zh-en for a Chinese window, else en-fr."""
    order = ("zh-en", "en-fr", "reverse") if language.startswith("zh") else BUNDLED
    return next((folder for folder in map(bundled_model, order) if folder is not None), None)


def example_trace(bundle: Path) -> Path | None:
    """A bundle's recorded example, None when it has none."""
    path = bundle / "example.trace"
    return path if path.is_file() else None


def samples(language: str) -> dict[str, list[str]]:
    """Sample sentences of a source language by group (`short`, `agreement`, ...); empty without any."""
    path = ROOT / "samples" / f"{language.split('_')[0].split('-')[0].lower()}.json"
    if not path.is_file():
        return {}
    groups: dict[str, list[str]] = json.loads(path.read_text(encoding="utf-8"))
    return groups


def training_samples(bundle: str) -> list[str]:
    """Sentences that a model's training translated at its evaluations; none of a bundled model.

    A snapshot of a run has them from the run's own folder.
    """
    folder = Path(bundle)
    if folder.parent == MODELS:
        return []
    runs = (folder, folder.parent.parent) if folder.parent.name == "snapshots" else (folder,)
    run = next((run for run in runs if (run / LOG).is_file()), None)
    if run is None:
        return []
    try:
        for entry in entries_of(run):
            found = entry.get("samples")
            if isinstance(found, list):
                return [pair[0] for pair in found if isinstance(pair, list) and pair and _is_text(pair[0])]
    except HeadscopeError:
        pass  # they are only suggestions
    return []


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())
