"""What the endings of files' names promise: no file is written under another format's name."""

from __future__ import annotations

from pathlib import Path

from model.errors import HeadscopeError
from model.files import StrPath, shown

_PICTURES = ("png", "svg", "pdf", "gif", "webp")
# The commands that write a format; of the formats of other programs there are none.
_WRITERS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(_PICTURES, ("render",)),
    "csv": ("render", "heads"),
    "npz": ("trace", "render"),
    "trace": ("trace", "render"),
    "pharaoh": ("align", "render"),
    "json": ("heads",),
    "tsv": ("task",),
    "txt": ("task", "align"),
    "headscope": (),
    **dict.fromkeys(("jpg", "jpeg", "bmp", "tif", "tiff", "eps", "ps", "html", "md", "jsonl"), ()),
    **dict.fromkeys(("npy", "pt", "pth", "bin", "pkl", "onnx", "gguf", "spm"), ()),
    **dict.fromkeys(("zip", "gz", "bz2", "xz", "tar", "xls", "xlsx", "ods"), ()),
}


def ending_of(path: StrPath) -> str:
    """The ending of a file's name in small letters, without its dot; empty if it has none."""
    return Path(path).suffix.lower().removeprefix(".")


def check_ending(path: StrPath, own: tuple[str, ...]) -> None:
    """Refuse a name that promises another format; any ending that is no format's is taken.

    Args:
        own: the endings of what is written.

    Raises:
        HeadscopeError: `out_ending`.
    """
    ending = ending_of(path)
    if ending in _WRITERS and ending not in own:
        wanted = " or ".join(f".{one}" for one in own)
        others = _others(ending)
        raise HeadscopeError("out_ending", path=shown(path), ending=ending, others=others, wanted=wanted)


def check_folder(path: StrPath) -> None:
    """Refuse the name of a file for a folder that is to be made; one that is there may be called anything.

    Raises:
        HeadscopeError: `out_folder`.
    """
    ending = ending_of(path)
    if ending in _WRITERS and not Path(path).is_dir():
        raise HeadscopeError("out_folder", path=shown(path), ending=ending, others=_others(ending))


def _others(ending: str) -> str:
    """Who writes such files."""
    return " or ".join(_WRITERS[ending]) or "no command"
