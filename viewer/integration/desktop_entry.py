"""Desktop entry: Headscope in the menus of a desktop (freedesktop.org's Desktop Entry Specification 1.4)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from viewer.integration.mime_types import TRACE_TYPE

NAME = "headscope"
"""Of the entry, of its icon, and what windows call themselves (WM_CLASS)."""

# What must stand in quotes, and behind a backslash within them; a percent sign begins a field code.
_RESERVED = re.compile(r"""[\s"'\\><~|&;$*?#()`]""")
_ESCAPED = re.compile(r'(["`$\\])')


def desktop_entry(program: Sequence[str]) -> str:
    """The text of `headscope.desktop`.

    Args:
        program: what starts Headscope, absolute.
    """
    lines = {
        "Type": "Application",
        "Version": "1.4",
        "Name": "Headscope",
        "GenericName": "Transformer Microscope",
        "GenericName[zh_CN]": "Transformer 显微镜",
        "Comment": "Look at the attention of a Transformer, head by head",
        "Comment[zh_CN]": "逐个注意力头查看 Transformer 的注意力",
        "Keywords": "attention;transformer;translation;heatmap;",
        "Keywords[zh_CN]": "注意力;翻译;热力图;",
        "Icon": NAME,
        "TryExec": _string(program[0]),
        "Exec": _string(" ".join(map(_argument, program)) + " %f"),
        "Terminal": "false",
        "StartupNotify": "true",
        "StartupWMClass": NAME,
        "Categories": "Education;ArtificialIntelligence;",
        "MimeType": f"{TRACE_TYPE};",
    }
    return "[Desktop Entry]\n" + "".join(f"{key}={value}\n" for key, value in lines.items())


def _argument(word: str) -> str:
    word = word.replace("%", "%%")
    quoted = _ESCAPED.sub(r"\\\1", word)
    return f'"{quoted}"' if _RESERVED.search(word) else word


def _string(text: str) -> str:
    """A value of type string: a backslash is doubled once more."""
    return text.replace("\\", "\\\\")
