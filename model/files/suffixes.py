"""Suffixes of files' names: no file is written under another format's name."""

from __future__ import annotations

from pathlib import Path

from model.errors import HeadscopeError
from model.files.files import StrPath, shown

_PICTURES = ("png", "svg", "pdf", "gif", "webp")
# The commands that write a format; of the formats of other programs there are none.
_WRITERS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(_PICTURES, ("render",)),
    "csv": ("render", "heads", "why"),
    "npz": ("trace", "render", "why"),
    "trace": ("trace", "render"),
    "pharaoh": ("align", "render"),
    "json": ("heads", "why"),
    "tsv": ("task",),
    "txt": ("task", "align"),
    "headscope": (),
    **dict.fromkeys(("jpg", "jpeg", "bmp", "tif", "tiff", "eps", "ps", "html", "md", "jsonl"), ()),
    **dict.fromkeys(("npy", "pt", "pth", "bin", "pkl", "onnx", "gguf", "spm"), ()),
    **dict.fromkeys(("zip", "gz", "bz2", "xz", "tar", "xls", "xlsx", "ods"), ()),
}


def suffix_of(path: StrPath) -> str:
    """The suffix of a file's name in small letters, without its dot; empty if it has none."""
    return Path(path).suffix.lower().removeprefix(".")


def check_suffix(path: StrPath, own: tuple[str, ...]) -> None:
    """Refuse a name that promises another format; any suffix that is no format's is taken.

    Args:
        own: the suffixes of what is written.

    Raises:
        HeadscopeError: `out_ending`.
    """
    suffix = suffix_of(path)
    if suffix in _WRITERS and suffix not in own:
        wanted = " or ".join(f".{one}" for one in own)
        others = _others(suffix)
        raise HeadscopeError("out_ending", path=shown(path), ending=suffix, others=others, wanted=wanted)


def check_folder(path: StrPath) -> None:
    """Refuse the name of a file for a folder that is to be made; one that is there may be called anything.

    Raises:
        HeadscopeError: `out_folder`.
    """
    suffix = suffix_of(path)
    if suffix in _WRITERS and not Path(path).is_dir():
        raise HeadscopeError("out_folder", path=shown(path), ending=suffix, others=_others(suffix))


def _others(suffix: str) -> str:
    """Who writes such files."""
    return " or ".join(_WRITERS[suffix]) or "no command"
