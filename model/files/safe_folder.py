"""Safe folders: of one that nobody vouches for only its own files are opened, and only sane JSON parsed.

No torch. A downloaded folder is data: a link in it may not lead elsewhere, and no JSON in it may be so large
or so finely divided that reading it takes the memory.
"""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from pathlib import Path
from typing import Any

from model import limits
from model.errors import HeadscopeError
from model.files.files import StrPath, io_error, read_bytes, shown
from model.files.tensor_file import is_crowded, parse_json

_SNAPSHOTS, _BLOBS = "snapshots", "blobs"
_CACHED = re.compile(r"models--(?:[^/\\]+?--)?([^/\\]+)")
# How the names of files end that anything here reads.
_READ = (
    ".json",
    ".safetensors",
    ".bin",
    ".spm",
    ".model",
    ".txt",
    ".codes",
    ".tokenizer",
    ".md",
    ".jsonl",
    ".trace",
)
_LONGEST_NAME = 80
_LONGEST_REF = 200


def safe_file(folder: StrPath, name: str) -> Path:
    """The path of an ordinary file in `folder`, looked at before anything is opened.

    A link is followed if it leads to a file of the folder or, in the hub's cache, of the same model.

    Args:
        name: of the file itself, without folders.

    Raises:
        HeadscopeError: `file_missing`, `file_is_folder`, `file_not_ordinary`; `file_elsewhere`: it is a link
            out of the folder; `folder_name`: the name is none of a file here.
    """
    folder = Path(folder)
    if not is_plain(name):
        raise HeadscopeError("folder_name", path=shown(folder), name=clean(name))
    path = folder / name
    try:
        linked = stat.S_ISLNK(os.lstat(path).st_mode)
        if linked and not _is_own(folder, path):
            raise HeadscopeError("file_elsewhere", path=shown(path))
        mode = os.stat(path).st_mode
    except OSError as error:
        raise io_error(path, error) from None
    if stat.S_ISDIR(mode):
        raise HeadscopeError("file_is_folder", path=shown(path))
    if not stat.S_ISREG(mode):
        raise HeadscopeError("file_not_ordinary", path=shown(path))
    return path


def check_links(folder: StrPath) -> None:
    """Refuse a folder one of whose files is a link to another place; raises as `safe_file`."""
    try:
        with os.scandir(folder) as entries:
            links = [entry.name for entry in entries if entry.is_symlink() and entry.name.endswith(_READ)]
    except OSError:
        return  # who opens its files says what is wrong
    for name in sorted(links):
        if not _is_own(Path(folder), Path(folder) / name):
            raise HeadscopeError("file_elsewhere", path=shown(Path(folder) / name))


def has_file(folder: StrPath, name: str) -> bool:
    """Whether the folder holds something of that name, be it only a broken link."""
    return os.path.lexists(Path(folder) / name)


def is_plain(name: str) -> bool:
    """Whether a name is that of a file in a folder: no path, no control characters, not hidden."""
    return bool(name) and name == clean(name) and not name.startswith(".") and not set(name) & set("/\\:")


def json_object(folder: StrPath, name: str, *, limit: int = limits.SETTINGS) -> dict[str, Any]:
    """The object in a JSON file of the folder.

    Args:
        limit: see `model.limits`.

    Raises:
        HeadscopeError: as `safe_file`; `file_large`; `bundle_invalid`: it has too many values, or is no JSON
            object.
    """
    path = safe_file(folder, name)
    data = read_bytes(path, limit=limit)
    if is_crowded(data):
        raise invalid(path, f"it has more than {limits.VALUES} entries")
    values = parse_json(data.removeprefix(b"\xef\xbb\xbf"))
    if not isinstance(values, dict):
        raise invalid(path, "it is not a JSON object")
    return values


def invalid(path: StrPath, reason: str) -> HeadscopeError:
    """The error for a file of a model that is not as it has to be."""
    return HeadscopeError("bundle_invalid", path=shown(path), reason=reason)


def clean(text: str) -> str:
    """Text that can stand in a line: no control or formatting characters, not endless."""
    kept = "".join(c for c in text if unicodedata.category(c)[0] != "C")
    return kept.strip()[:_LONGEST_NAME]


def cached_name(folder: StrPath) -> str:
    """The model's own name if the folder is a snapshot in the hub's cache, else empty."""
    place = Path(os.path.abspath(folder))
    found = _CACHED.fullmatch(place.parent.parent.name) if place.parent.name == _SNAPSHOTS else None
    return clean(found[1]) if found else ""


def newest_snapshot(folder: StrPath) -> Path | None:
    """The snapshot that is meant by a model's top folder in the hub's cache: `main`'s, else the newest.

    None if the folder is none such, or holds no snapshot.
    """
    top = Path(folder)
    if top.name == _SNAPSHOTS:
        top = top.parent
    try:
        if not _CACHED.fullmatch(Path(os.path.abspath(top)).name):
            return None
        there = [entry for entry in (top / _SNAPSHOTS).iterdir() if entry.is_dir() and not entry.is_symlink()]
        main = _reference(top)
        return max(
            there, key=lambda entry: (entry.name == main, entry.stat().st_mtime, entry.name), default=None
        )
    except OSError:
        return None


def _reference(top: Path) -> str:
    """Name of the snapshot that the hub's `main` was when it was downloaded; empty if that is not known."""
    refs = top / "refs"
    if refs.is_symlink():
        return ""
    try:
        return read_bytes(safe_file(refs, "main"), limit=_LONGEST_REF).decode("ascii", "replace").strip()
    except HeadscopeError:
        return ""


def _is_own(folder: Path, path: Path) -> bool:
    """Whether a link of the folder leads to a file of the same model."""
    root, target = os.path.realpath(folder), os.path.realpath(path)
    roots = [root]
    above = os.path.dirname(root)
    if os.path.basename(above) == _SNAPSHOTS:
        roots.append(os.path.join(os.path.dirname(above), _BLOBS))
    return any(target.startswith(own.rstrip(os.sep) + os.sep) for own in roots)
