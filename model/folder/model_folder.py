"""`ModelFolder`: which model a folder holds, found out without loading it: ours, Marian's or another.

No torch. Everything read here is capped before it is parsed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from model.errors import HeadscopeError
from model.extensions.found import Extension, loader_of
from model.files.files import StrPath, io_error, shown
from model.files.safe_folder import (
    cached_name,
    check_links,
    clean,
    has_file,
    is_plain,
    json_object,
    newest_snapshot,
)
from model.folder.bundle_config import CONFIG, FORMAT, Showcase, read_config, read_values

WEIGHT_FILES = (
    "model.safetensors",
    "model.safetensors.index.json",
    "pytorch_model.bin",
    "pytorch_model.bin.index.json",
)
"""What weights of Hugging Face are in, what is taken first; an index lists the parts of several files."""

_TOKENIZER_CONFIG = "tokenizer_config.json"
_UNKNOWN = ("und", "und")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[_-][A-Za-z]{2,8})?")
_OPUS = re.compile(r"opus-mt(?:-tc-\w+)?-([a-z]{2,3})-([a-z]{2,3})")
# Folders that are called what anybody's are: they say nothing of the model.
_NAMELESS = re.compile(r"[0-9a-f]{40}|checkpoint-?\d*|model|models|main|output|snapshot|final|best|hf|")
_MOST_ENTRIES = 10_000
_MOST_OFFERED = 3

# What other programs' folders hold, by how their files' names end.
_OTHERS = (
    (("adapter_config.json", "adapter_model.safetensors", "adapter_model.bin"), "folder_adapter"),
    ((".gguf", ".ggml"), "folder_gguf"),
    (("tf_model.h5", ".h5", "saved_model.pb"), "folder_tensorflow"),
    (("flax_model.msgpack", ".msgpack"), "folder_flax"),
    ((".onnx",), "folder_onnx"),
    ((".ckpt", ".pt", ".pth"), "folder_checkpoint"),
    ((".npz", ".pickle", ".pkl"), "folder_checkpoint"),
)


class FolderKind(StrEnum):
    """Who can open a model's folder."""

    BUNDLE = "bundle"
    MARIAN = "marian"
    FOREIGN = "foreign"
    EXTENSION = "extension"


@dataclass(frozen=True)
class ModelFolder:
    """A folder that holds a model, as far as its small files say.

    Attributes:
        path: the folder itself: for a model's top folder in the hub's cache, the snapshot.
        name: what to call the model.
        languages: of source and target; `und` where nothing says.
        showcase: the head to show first, None if nobody chose one.
        values: `config.json` as it stands; nothing of one that another package opens.
        loader: the extension that opens it.
    """

    path: Path
    kind: FolderKind
    name: str
    languages: tuple[str, str]
    showcase: Showcase | None
    values: dict[str, Any]
    loader: Extension | None = None


def model_home(path: StrPath) -> Path:
    """The folder of the model that a path means: the folder itself, that of a file in it, or a snapshot."""
    place = Path(path)
    if place.is_file() or (place.is_symlink() and not place.is_dir()):
        place = place.parent
    if has_file(place, CONFIG):
        return place
    return newest_snapshot(place) or place


def inspect_folder(folder: StrPath) -> ModelFolder:
    """What is in `folder`, or in the folder that `model_home` takes it for.

    What is neither a bundle nor Marian's is offered to the loaders of other packages.

    Raises:
        HeadscopeError: there is no model that can be opened, or its config.json makes no sense.
    """
    folder = model_home(folder)
    try:
        found = _own(folder)
    except HeadscopeError:
        added = _added(folder)
        if added is None:
            raise
        return added
    return found if found.kind is not FolderKind.FOREIGN else _added(folder) or found


def _added(folder: Path) -> ModelFolder | None:
    loader = loader_of(folder) if folder.is_dir() else None
    if loader is None:
        return None
    name = clean(Path(os.path.realpath(folder)).name)
    return ModelFolder(folder, FolderKind.EXTENSION, name, _UNKNOWN, None, {}, loader)


def _own(folder: Path) -> ModelFolder:
    """What Headscope itself sees in it."""
    if not has_file(folder, CONFIG):
        raise _without_config(folder)
    check_links(folder)
    values = read_values(folder)
    model_type = values.get("model_type")
    if values.get("format") == FORMAT or "model_type" not in values:
        if values.get("format") is None and "architectures" not in values:
            other = _other(folder)
            if other is not None:
                raise other
        config = read_config(folder)
        return ModelFolder(folder, FolderKind.BUNDLE, config.name, config.languages, config.showcase, values)
    if not isinstance(model_type, str) or not is_plain(model_type):
        raise HeadscopeError("bundle_format", path=shown(folder / CONFIG))
    if not any(has_file(folder, name) for name in WEIGHT_FILES):
        raise _other(folder) or HeadscopeError("folder_no_weights", path=shown(folder))
    name = _name(folder, values)
    if model_type != "marian":
        return ModelFolder(folder, FolderKind.FOREIGN, name, _UNKNOWN, None, values)
    return ModelFolder(folder, FolderKind.MARIAN, name, _languages(folder, name), None, values)


def _name(folder: Path, values: Mapping[str, Any]) -> str:
    """The hub's name, else the folder's, else where that says nothing what the file says."""
    cached = cached_name(folder)
    if cached:
        return cached
    own = clean(Path(os.path.realpath(folder)).name)
    if not _NAMELESS.fullmatch(own.lower()):
        return own
    said = values.get("_name_or_path")
    tail = clean(re.split(r"[/\\]", said.rstrip("/\\"))[-1]) if isinstance(said, str) else ""
    return tail if tail and not _NAMELESS.fullmatch(tail.lower()) else own or clean(str(values["model_type"]))


def _languages(folder: Path, name: str) -> tuple[str, str]:
    """Of a Marian model: as its tokenizer says, else as OPUS-MT names its models."""
    try:
        settings = json_object(folder, _TOKENIZER_CONFIG)
    except HeadscopeError:  # who loads the model says what is wrong with the file
        settings = {}
    pair = settings.get("source_lang"), settings.get("target_lang")
    if all(isinstance(code, str) and _LANGUAGE.fullmatch(code) for code in pair):
        return str(pair[0]), str(pair[1])
    named = _OPUS.fullmatch(name.lower())
    return (named[1], named[2]) if named else _UNKNOWN


def _without_config(folder: Path) -> HeadscopeError:
    """What to say of a folder without a config.json."""
    names = _entries(folder)
    if not names:
        return HeadscopeError("folder_empty", path=shown(folder))
    other = _other(folder)
    if other is not None:
        return other
    below = [name for name in names if is_plain(name) and _holds_model(folder / name)]
    if below:
        offered = ", ".join(shown(folder / name) for name in below[:_MOST_OFFERED])
        return HeadscopeError("folder_above", path=shown(folder), names=offered)
    if any(has_file(folder, name) for name in WEIGHT_FILES):
        return HeadscopeError("folder_no_config", path=shown(folder))
    return HeadscopeError("bundle_missing", path=shown(folder))


def _other(folder: Path) -> HeadscopeError | None:
    """The sentence for the only weights in a folder being another program's; None if there are none such."""
    names = _entries(folder)
    if any(name in names for name in WEIGHT_FILES):
        return None
    for endings, code in _OTHERS:
        found = next((name for name in names if name.lower().endswith(endings)), None)
        if found is not None:
            return HeadscopeError(code, path=shown(folder), name=clean(found))
    return None


def _holds_model(folder: Path) -> bool:
    return has_file(folder, CONFIG) or newest_snapshot(folder) is not None


def _entries(folder: Path) -> list[str]:
    """Names in a folder, in order; no more than can be looked through."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry, _ in zip(entries, range(_MOST_ENTRIES)))
    except OSError as error:
        raise io_error(folder, error) from None
