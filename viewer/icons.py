"""Icons in a colour, drawn at the sizes they are shown in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtSvg import QSvgRenderer

from viewer.painting import painting
from viewer.resources import ROOT

_SIZES = (16, 20, 24, 32, 48, 64)
_asked: dict[tuple[str, str, str, str], None] = {}  # what `icon` was asked for, by its arguments


@lru_cache(maxsize=128)
def _drawing(name: str, color: str) -> QSvgRenderer:
    """An icon in one colour, read."""
    svg = (ROOT / "icons" / f"{name}.svg").read_text(encoding="utf-8").replace("currentColor", color)
    return QSvgRenderer(QByteArray(svg.encode()))


@lru_cache(maxsize=256)
def pixmap(name: str, color: str, size: int, ratio: float = 1.0) -> QPixmap:
    """An icon drawn in one colour, `size` logical pixels square; a copy, since what was painted on keeps
    as long as it lives what it was painted with: 15 kB, where the pixels of most sizes take 1 to 4.
    """
    picture = QPixmap(QSize(round(size * ratio), round(size * ratio)))
    picture.fill(Qt.GlobalColor.transparent)
    with painting(picture) as painter:
        _drawing(name, color).render(painter, QRectF(picture.rect()))
    picture.setDevicePixelRatio(ratio)
    return picture.copy()


def icon(name: str, color: str, disabled: str = "", on: str = "") -> QIcon:
    """An icon in one colour, with colours of its disabled and checked states."""
    return _icon(name, color, disabled, on)


@lru_cache(maxsize=128)
def _icon(name: str, color: str, disabled: str, on: str) -> QIcon:
    _asked[name, color, disabled, on] = None
    result = QIcon()
    for size in _SIZES:
        result.addPixmap(pixmap(name, color, size), QIcon.Mode.Normal, QIcon.State.Off)
        result.addPixmap(pixmap(name, on or color, size), QIcon.Mode.Normal, QIcon.State.On)
        if disabled:
            result.addPixmap(pixmap(name, disabled, size), QIcon.Mode.Disabled, QIcon.State.Off)
    return result


def recoloured(colours: Mapping[str, str]) -> Iterator[None]:
    """Draw icons that were asked for in other colours, one at a time, before they are asked for in those.

    Args:
        colours: the new ones by the old ones.
    """
    for name, *old in list(_asked):
        icon(name, *(colours.get(colour, colour) for colour in old))
        yield
