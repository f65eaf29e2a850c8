"""What a folder with a model is, found out without loading it: ours, Marian's, or another of Hugging Face's.

No torch. Everything read here is capped before it is parsed.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from model.bundle_config import FORMAT, Showcase, read_config, read_values
from model.files import StrPath


class FolderKind(StrEnum):
    """Who can open a model's folder."""

    BUNDLE = "bundle"
    MARIAN = "marian"
    FOREIGN = "foreign"


@dataclass(frozen=True)
class ModelFolder:
    """A folder that holds a model, as far as its small files say.

    Attributes:
        name: what to call the model.
        languages: of source and target; `und` where nothing says.
        showcase: the head to show first, None if nobody chose one.
        values: `config.json` as it stands.
    """

    path: Path
    kind: FolderKind
    name: str
    languages: tuple[str, str]
    showcase: Showcase | None
    values: dict[str, Any]


def look_at(folder: StrPath) -> ModelFolder:
    """What is in `folder`.

    Raises:
        HeadscopeError: there is no model, or its config.json cannot be read or makes no sense.
    """
    folder = Path(folder)
    values = read_values(folder)
    if values.get("format") == FORMAT or "model_type" not in values:
        config = read_config(folder)
        return ModelFolder(folder, FolderKind.BUNDLE, config.name, config.languages, config.showcase, values)
    kind = FolderKind.MARIAN if values["model_type"] == "marian" else FolderKind.FOREIGN
    return ModelFolder(folder, kind, folder.resolve().name, ("und", "und"), None, values)
