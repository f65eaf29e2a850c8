"""Folders and files that nobody should trust, and what opening them must come to: one sentence."""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from model.errors import HeadscopeError
from model.translator.load_model import load_model

SECRET = "this must stay unread"


def refused(path: Path, load: Callable[[Path], object] = load_model) -> HeadscopeError:
    """The error of opening `path`: exactly one sentence in one line, without a word of another's file."""
    with pytest.raises(HeadscopeError) as caught:
        load(path)
    sentence = str(caught.value)
    assert sentence
    assert "\n" not in sentence
    assert "Traceback" not in sentence
    assert "headscope-" not in sentence  # the private folder, which means nothing to anybody
    assert SECRET not in sentence
    assert len(sentence) < 900
    return caught.value


def code_of(path: Path, load: Callable[[Path], object] = load_model) -> str:
    return refused(path, load).code


def copied(folder: Path, to: Path) -> Path:
    shutil.copytree(folder, to)
    return to


def changed(path: Path, **changes: Any) -> Path:
    """A JSON object in a file, with other entries."""
    values = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    path.write_text(json.dumps(values | changes), encoding="utf-8")
    return path.parent


def tokenizer_with(folder: Path, **parts: Any) -> Path:
    return changed(folder / "tokenizer.json", **parts)


class Marker:
    """Makes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return os.system, (f"touch '{self.path}'",)


def zipped_pickle(path: Path, pickle: bytes) -> Path:
    """A file like PyTorch's whose pickle is another."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("archive/data.pkl", pickle)
        archive.writestr("archive/version", b"3\n")
    return path


def header_file(path: Path, header: bytes, body: bytes = b"", length: int | None = None) -> Path:
    """A file of safetensors with any header, which may lie about its length."""
    size = len(header) if length is None else length
    path.write_bytes(size.to_bytes(8, "little") + header + body)
    return path
