"""Fonts of the pictures: a chain with Chinese families, and what to install when a script has none."""

from __future__ import annotations

from functools import cache, lru_cache

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QFont, QFontDatabase, QGuiApplication

# The first that is installed draws the Latin letters and their quotation marks, which a Chinese font draws as
# wide as a character; the others fill in what it lacks.
_PREFERRED = (
    "Segoe UI",
    "SF Pro Text",
    "Helvetica Neue",
    "Source Sans 3",
    "Source Sans Pro",
    "Inter",
    "Noto Sans",
    "Open Sans",
    "Cantarell",
    "Ubuntu",
    "Arial",
    "Liberation Sans",
    "DejaVu Sans Condensed",
    "DejaVu Sans",
    "Noto Sans CJK SC",
    "Source Han Sans SC",
    "Source Han Sans CN",
    "Microsoft YaHei UI",
    "Microsoft YaHei",
    "PingFang SC",
    "Hiragino Sans GB",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "Noto Sans SC",
    "SimHei",
    "SimSun",
    "Arial Unicode MS",
)
# Chinese fonts have quotation marks as wide as a character; `palt` takes their empty half away, and nothing
# else: other glyphs for them (`pwid`) would draw a Chinese comma as a Latin one. Glyphs that stand for a
# language's digits (`locl`) or for several letters (`liga`) are characters that a PDF's reader cannot find.
FEATURES = {"palt": 1, "locl": 0, "liga": 0}
_System = QFontDatabase.WritingSystem
# First and last character of a script, any one of the writing systems that cover it, its Debian package.
_SCRIPTS: tuple[tuple[int, int, tuple[QFontDatabase.WritingSystem, ...], str], ...] = (
    (0x0370, 0x03FF, (_System.Greek,), "fonts-dejavu-core"),
    (0x0400, 0x052F, (_System.Cyrillic,), "fonts-dejavu-core"),
    (0x0530, 0x058F, (_System.Armenian,), "fonts-dejavu-core"),
    (0x0590, 0x05FF, (_System.Hebrew,), "fonts-noto-core"),
    (0x0600, 0x06FF, (_System.Arabic,), "fonts-noto-core"),
    (0x0900, 0x097F, (_System.Devanagari,), "fonts-noto-core"),
    (0x0980, 0x09FF, (_System.Bengali,), "fonts-noto-core"),
    (0x0B80, 0x0BFF, (_System.Tamil,), "fonts-noto-core"),
    (0x0E00, 0x0E7F, (_System.Thai,), "fonts-noto-core"),
    (0x10A0, 0x10FF, (_System.Georgian,), "fonts-dejavu-core"),
    (0x3040, 0x30FF, (_System.Japanese,), "fonts-noto-cjk"),
    (
        0x3400,
        0x9FFF,
        (_System.SimplifiedChinese, _System.TraditionalChinese, _System.Japanese),
        "fonts-noto-cjk",
    ),
    (0xAC00, 0xD7AF, (_System.Korean,), "fonts-noto-cjk"),
)


@cache
def families() -> list[str]:
    """Installed families in the order in which a glyph is looked for; the system's own come last."""
    installed = set(QFontDatabase.families())
    chain = [name for name in _PREFERRED if name in installed]
    return [*chain, *(name for name in QGuiApplication.font().families() if name not in chain)]


@lru_cache(maxsize=64)
def figure_font(pixels: float, *, bold: bool = False) -> QFont:
    """The pictures' font at a height in logical pixels (at least 1); not to be changed."""
    font = QFont()
    font.setFamilies(families())
    font.setPixelSize(max(1, round(pixels)))
    font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    for name, value in FEATURES.items():
        font.setFeature(QFont.Tag(name), value)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


def missing_script(text: str) -> str | None:
    """A sentence naming what to install, when no installed font has a script that `text` is written in."""
    if text.isascii():
        return None
    characters = dict.fromkeys(text)  # each once, in order: texts of thousands of words come here
    for first, last, systems, package in _SCRIPTS:
        character = next((c for c in characters if first <= ord(c) <= last), None)
        if character is not None and not any(_has_font(system) for system in systems):
            return QCoreApplication.translate(
                "Figure",
                "No installed font has the character “{character}”; install one for its script "
                "(on Debian and Ubuntu: apt install {package}) and start again.",
            ).format(character=character, package=package)
    return None


def _has_font(system: QFontDatabase.WritingSystem) -> bool:
    return bool(QFontDatabase.families(system))
